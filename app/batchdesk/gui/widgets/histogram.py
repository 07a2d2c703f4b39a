"""A histogram over a logarithmic axis, with lines that part it: in words where they stand.

Bins and lines come in; nothing goes out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.paint import CENTRE, LEFT, RIGHT, text_width, write

_BELOW, _ABOVE, _SIDE = 20, 18, 46
_TICKS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
_APART = 40  # pixels between two words of the axis


_Scale = Callable[[float], float]  # a value's place, pixels


@dataclass(frozen=True, slots=True)
class Bar:
    """``count`` rows from ``least`` to ``most``."""

    least: int
    most: int
    count: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line at a value.

    Attributes:
        colour: A token.
        dashed: So that two lines differ without colour too.
    """

    at: int
    words: str
    colour: str
    dashed: bool = False


class Histogram(QWidget):
    """Paints bars; those beyond a line are hatched."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: Sequence[Bar] = ()
        self._lines: Sequence[Line] = ()
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_bars(self, bars: Sequence[Bar], lines: Sequence[Line], words: str) -> None:
        """Other bars and lines; ``words`` for screen readers."""
        self._bars, self._lines = bars, lines
        self.setAccessibleName(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, theme().px(130))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, theme().px(90))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._bars:
            return
        area = QRectF(_SIDE, _ABOVE, self.width() - _SIDE - 12, self.height() - _ABOVE - _BELOW)
        low = math.log(max(1, self._bars[0].least))
        ends = [self._bars[-1].most + 1, *(line.at * 1.05 for line in self._lines)]
        high = max(low + 1, math.log(max(ends)))
        scale = area.width() / (high - low)

        def x(value: float) -> float:
            return area.left() + (math.log(max(1.0, value)) - low) * scale

        with QPainter(self) as painter:
            self._paint_bars(painter, area, x)
            self._paint_axis(painter, area, x)
            self._paint_lines(painter, area, x)

    def _paint_bars(self, painter: QPainter, area: QRectF, x: _Scale) -> None:
        tokens, most = theme().tokens, max(bar.count for bar in self._bars)
        beyond = min((line.at for line in self._lines), default=None)
        for bar in self._bars:
            if not bar.count:
                continue
            height = max(2.0, area.height() * bar.count / most)
            left, right = x(bar.least), x(bar.most + 1)
            box = QRectF(left, area.bottom() - height, max(1.0, right - left - 1), height)
            is_beyond = beyond is not None and bar.least > beyond
            colour = tokens.colour("violet" if is_beyond else "running.fill")
            pattern = Qt.BrushStyle.Dense4Pattern if is_beyond else Qt.BrushStyle.SolidPattern
            painter.fillRect(box, QBrush(colour, pattern))

    def _paint_axis(self, painter: QPainter, area: QRectF, x: _Scale) -> None:
        look, tokens = theme(), theme().tokens
        painter.setPen(QPen(tokens.colour("border"), 1))
        painter.drawLine(QLineF(area.bottomLeft(), area.bottomRight()))
        font, colour = look.font(Type.SMALL), tokens.colour("text2")
        last = -1e9
        for tick in _TICKS:
            place = x(tick)
            if area.left() - 1 <= place <= area.right() and place - last > _APART:
                box = QRectF(place - 40, area.bottom() + 2, 80, _BELOW - 2)
                write(painter, box, f"{tick:,}", font, colour, align=CENTRE)
                last = place
        most = max(bar.count for bar in self._bars)
        top = QRectF(0, area.top() - 8, _SIDE - 6, 16)
        write(painter, top, f"{most:,}", font, colour, align=RIGHT)
        zero = QRectF(0, area.bottom() - 8, _SIDE - 6, 16)
        write(painter, zero, "0", font, colour, align=RIGHT)

    def _paint_lines(self, painter: QPainter, area: QRectF, x: _Scale) -> None:
        look, tokens = theme(), theme().tokens
        font = look.font(Type.SMALL_MEDIUM)
        for number, line in enumerate(self._lines):
            place = x(line.at)
            pen = QPen(tokens.colour(line.colour), 1)
            if line.dashed:
                pen.setDashPattern([4, 3])
            painter.setPen(pen)
            top = area.top() - 4
            painter.drawLine(QPointF(place, top), QPointF(place, area.bottom()))
            width = text_width(line.words, font) + 4
            left = place - width - 4 if place - width - 4 > 0 else place + 4
            box = QRectF(left, number * 14.0, width, 16)
            align = RIGHT if left < place else LEFT
            write(painter, box, line.words, font, tokens.colour(line.colour), align=align)
