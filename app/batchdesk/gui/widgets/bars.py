"""Bars: the segmented progress bar of a run and the meter with a threshold.

Parts differ in pattern as well as in colour, so that they read without colour.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import theme

_LEAST = 2.0  # a part that is not zero is at least this wide


@dataclass(frozen=True, slots=True)
class Parts:
    """How many rows are where; what is left of ``total`` is the empty track."""

    passed: int = 0
    review: int = 0
    failed: int = 0
    running: int = 0
    total: int = 0


def part_widths(parts: Parts, width: float) -> list[tuple[str, float]]:
    """State and width of each part that is not zero, left to right, never over ``width``."""
    total = max(parts.total, parts.passed + parts.review + parts.failed + parts.running)
    if total <= 0:
        return []
    counts = [
        (name, count)
        for name in ("passed", "review", "failed", "running")
        if (count := getattr(parts, name)) > 0
    ]
    widths = [max(_LEAST, width * count / total) for _, count in counts]
    over = sum(widths) - width
    if over > 0:  # the widest gives what the smallest were given
        widths[widths.index(max(widths))] -= over
    return [(name, wide) for (name, _), wide in zip(counts, widths, strict=True)]


def paint_bar(painter: QPainter, rect: QRectF, parts: Parts) -> None:
    """Paints a segmented bar that fills ``rect``."""
    tokens = theme().tokens
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outline = QPainterPath()
    outline.addRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setClipPath(outline)
    painter.fillRect(rect, tokens.colour("border2"))
    left = rect.left()
    for name, width in part_widths(parts, rect.width()):
        part = QRectF(left, rect.top(), width, rect.height())
        painter.fillRect(part, tokens.colour(f"{name}.fill"))
        pattern = {"review": Qt.BrushStyle.BDiagPattern, "failed": Qt.BrushStyle.Dense6Pattern}
        if name in pattern:
            painter.fillRect(part, QBrush(tokens.colour(name), pattern[name]))
        left += width
        gap = QRectF(left - 1, rect.top(), 1, rect.height())
        painter.fillRect(gap, tokens.colour("base"))
    painter.restore()


class SegmentedBar(QWidget):
    """Passed, review, failed and running parts over an empty track, 8 high.

    Args:
        parts: The counts.
        words: What a screen reader says.
    """

    def __init__(
        self, parts: Parts | None = None, words: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._parts = parts or Parts()
        self.setAccessibleName(words)
        self.setFixedHeight(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: Parts, words: str = "") -> None:
        """Other counts; ``words`` for screen readers."""
        self.setAccessibleName(words)
        if parts != self._parts:
            self._parts = parts
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(32, 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_bar(painter, QRectF(self.rect()), self._parts)


class Meter(QWidget):
    """A share from 0 to 1, with an optional threshold tick, 6 high.

    Args:
        value: The share, or None for "not known".
        threshold: Where the tick stands.
        fill: Token of the fill: ``running.fill``, ``review.fill`` …
    """

    def __init__(
        self,
        value: float | None = None,
        threshold: float | None = None,
        fill: str = "running.fill",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._value, self._threshold, self._fill = value, threshold, fill
        self.setFixedHeight(12)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_value(self, value: float | None, words: str = "", fill: str = "running.fill") -> None:
        """Another share; ``words`` for screen readers; amber (``review.fill``) above 95 %."""
        self._value, self._fill = value, fill
        self.setAccessibleName(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(32, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            track = QRectF(0, 3, self.width(), 6)
            _pill(painter, track, tokens.colour("border2"))
            if self._value:
                width = max(_LEAST, track.width() * min(1.0, self._value))
                _pill(painter, QRectF(0, 3, width, 6), tokens.colour(self._fill))
            if self._threshold is not None:
                x = track.width() * self._threshold
                painter.fillRect(QRectF(x - 0.75, 0, 1.5, 12), tokens.colour("text"))


def _pill(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
