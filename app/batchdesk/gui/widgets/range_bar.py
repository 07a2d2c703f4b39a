"""A promised range on a scale from nothing: a track, the range, and a tick at what is likely."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import theme

_HEIGHT, _TRACK, _RANGE = 14, 4, 8
_LEAST = 6.0
_ROOM = 1.6  # the scale ends so far beyond the range


class RangeBar(QWidget):
    """Paints one range; without one only the track."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._range: tuple[float, float, float] | None = None
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_range(self, low: float, likely: float, high: float, words: str) -> None:
        """Another range; ``words`` for screen readers."""
        self._range = (low, likely, high) if high > 0 else None
        self.setAccessibleName(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            middle = self.height() / 2
            painter.setBrush(tokens.colour("border2"))
            track = QRectF(0, middle - _TRACK / 2, self.width(), _TRACK)
            painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)
            if self._range is None:
                return
            low, likely, high = self._range
            scale = self.width() / (high * _ROOM)
            width = max(_LEAST, (high - low) * scale)
            painter.setBrush(tokens.colour("running.fill"))
            part = QRectF(low * scale, middle - _RANGE / 2, width, _RANGE)
            painter.drawRoundedRect(part, _RANGE / 2, _RANGE / 2)
            tick = QRectF(likely * scale - 0.75, 0, 1.5, self.height())
            painter.fillRect(tick, tokens.colour("text"))
