"""A bar of a run's time by what it was spent on, with its legend.

Parts differ in pattern as well as in colour, and stand named beside it with shares and times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.paint import text_width, write

_BAR_H, _GAP, _LINE_H, _SWATCH = 12, 6, 20, 10
_COLUMN_GAP = 28
_LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Phase:
    """One part.

    Attributes:
        words: Its name.
        share: Of the whole, 0 to 1.
        figure: Share and time in words.
        colour: Token.
        pattern: Drawn over the colour, so that it reads without.
    """

    words: str
    share: float
    figure: str
    colour: str
    pattern: Qt.BrushStyle = Qt.BrushStyle.NoBrush


class PhasesBar(QWidget):
    """The bar over its legend, which wraps to the width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phases: tuple[Phase, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_phases(self, phases: Sequence[Phase], name: str) -> None:
        """Other parts; ``name`` for screen readers, before the parts themselves."""
        if tuple(phases) == self._phases:
            return
        self._phases = tuple(phases)
        said = "; ".join(f"{one.words} {one.figure}" for one in self._phases)
        self.setAccessibleName(f"{name}: {said}")
        self.updateGeometry()
        self.update()

    def phases(self) -> Sequence[Phase]:
        """What is shown."""
        return self._phases

    def sizeHint(self) -> QSize:
        return QSize(560, theme().px(_BAR_H + _GAP + 2 * _LINE_H))

    def minimumSizeHint(self) -> QSize:
        return QSize(280, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        with QPainter(self) as painter:
            bar = QRectF(0, 0, self.width(), look.px(_BAR_H))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            outline = QPainterPath()
            outline.addRoundedRect(bar, bar.height() / 2, bar.height() / 2)
            painter.save()
            painter.setClipPath(outline)
            painter.fillRect(bar, look.tokens.colour("border2"))
            left = 0.0
            for one in self._phases:
                if one.share > 0:
                    wide = max(_LEAST, bar.width() * one.share)
                    self._fill(painter, QRectF(left, 0, wide, bar.height()), one)
                    left += wide
            painter.restore()
            self._legend(painter, bar.bottom() + look.px(_GAP))

    def _fill(self, painter: QPainter, rect: QRectF, one: Phase) -> None:
        tokens = theme().tokens
        painter.fillRect(rect, tokens.colour(one.colour))
        if one.pattern is not Qt.BrushStyle.NoBrush:
            painter.fillRect(rect, QBrush(tokens.colour("base"), one.pattern))
        painter.fillRect(QRectF(rect.right() - 1, 0, 1, rect.height()), tokens.colour("base"))

    def _legend(self, painter: QPainter, top: float) -> None:
        look = theme()
        names, figures = look.font(Type.LABEL), look.font(Type.LABEL_MEDIUM)
        size, line_h = float(look.px(_SWATCH)), float(look.px(_LINE_H))
        left = 0.0
        for one in self._phases:
            name_w = text_width(one.words, names) + 2
            wide = size + 6 + name_w + 6 + text_width(one.figure, figures) + 2
            if left and left + wide > self.width():
                left, top = 0.0, top + line_h
            swatch = QRectF(left, top + (line_h - size) / 2, size, size)
            painter.fillRect(swatch, look.tokens.colour(one.colour))
            if one.pattern is not Qt.BrushStyle.NoBrush:
                painter.fillRect(swatch, QBrush(look.tokens.colour("base"), one.pattern))
            place = QRectF(swatch.right() + 6, top, name_w, line_h)
            write(painter, place, one.words, names, look.tokens.colour("text2"))
            place = QRectF(place.right() + 6, top, wide, line_h)
            write(painter, place, one.figure, figures, look.tokens.colour("text"))
            left += wide + _COLUMN_GAP
