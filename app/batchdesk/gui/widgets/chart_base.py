"""What all live charts share: frame, clock axis, grid lines, marks, reading line, pace of drawing.

A chart draws at most twice a second and only while it is visible. It is painted whole in one
``paintEvent``: no items that are made anew, so that a drawing takes about a millisecond.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.chart_scale import Area, apart, clock_ticks, value_ticks
from batchdesk.gui.widgets.paint import CENTRE, LEFT, RIGHT, text_width, write

_EVERY_MS = 500  # drawing takes a ms or two, which the rest of the window must not feel
_AXIS_H = 22
_TOP = 4
_MARK_ROWS, _MARK_ROW_H = 2, 15
_TOP_ROOM = 1.12
_NEAR_PX = 40  # marks that are nearer to each other become one
_TICK_PX = 64
_TICK_GAP = 8  # pixels between two clock times


class Stroke(StrEnum):
    """How a line is drawn, so that it reads without colour."""

    SOLID = "solid"
    DASH = "dash"
    DOT = "dot"
    DASH_DOT = "dash dot"


class Hatch(StrEnum):
    """How a bar is filled, so that parts of one colour differ."""

    NONE = ""
    DIAGONAL = "diagonal"
    CROSS = "cross"
    LINES = "lines"


_BRUSHES = {
    Hatch.DIAGONAL: Qt.BrushStyle.BDiagPattern,
    Hatch.CROSS: Qt.BrushStyle.DiagCrossPattern,
    Hatch.LINES: Qt.BrushStyle.HorPattern,
}
_PATTERNS = {  # on, off, … in line widths
    Stroke.DASH: (6.0, 3.0),
    Stroke.DOT: (1.5, 3.0),
    Stroke.DASH_DOT: (7.0, 3.0, 1.5, 3.0),
}


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, or one part of stacked bars.

    Attributes:
        key: What values are given under.
        name: The word at its end; `set_label` adds the figure.
        colour: Token: running, violet, teal, text2 …
        stroke: Line style.
        fill: Token of the ground below the line, such as ``running.tint``; "" for none.
        step: Steps instead of slopes (limits).
        hatch: Bars only: how they are filled.
        label: Whether its name stands at the line's end.
    """

    key: str
    name: str
    colour: str
    stroke: Stroke = Stroke.SOLID
    fill: str = ""
    step: bool = False
    hatch: Hatch = Hatch.NONE
    label: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """A dotted vertical line with a word: why something changed there.

    Attributes:
        at: Seconds since the epoch.
        words: Such as "429: 40 → 32".
        code: Such as "429", shown when the words would touch the next mark.
        colour: Token.
        detail: What the pointer is told on it; several lines if several things changed there.
    """

    at: float
    words: str
    code: str
    colour: str = "text2"
    detail: str = ""


class Chart(QWidget):
    """What lines and bars have in common; a subclass says what is drawn between the axes.

    Signals:
        pointed: Moment under the pointer, seconds since the epoch; None when it has left.
    """

    pointed = Signal(object)

    def __init__(
        self,
        series: Sequence[Series],
        *,
        words: str,
        window_s: float,
        parent: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self.series = tuple(series)
        self._window_s = window_s
        self._labels = {one.key: one.name for one in series}
        self._mark_source: Callable[[float], Sequence[Mark]] = lambda _gap_s: ()
        self._marks: Sequence[Mark] = ()  # as drawn
        self._area = Area()
        self._cursor: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(160, 90)
        self.setMouseTracking(True)
        self.setAccessibleName(words)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.draw)
        self._drawn_at = 0.0  # monotonic seconds
        self._is_new = True  # has drawn nothing since it was shown
        self._turn_ms = 0.0  # put off once after the first drawing, so that charts take turns
        theme().changed.connect(self.draw)

    # -- what is shown ----------------------------------------------------------------------

    def draw_in_turn(self, place: int, of: int) -> None:
        """Draw apart from the other charts of a page, at the same pace.

        Together they would hold the window's loop for as long as all of them take.
        """
        self._turn_ms = _EVERY_MS * place / of

    def set_label(self, key: str, words: str) -> None:
        """The word at a series' end, with its figure: "P95  5.6 s"."""
        if self._labels.get(key) != words:
            self._labels[key] = words
            self.later()

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Replaces the vertical marks."""
        held = sorted(marks, key=lambda mark: mark.at)
        self.set_mark_source(lambda _gap_s: held)

    def set_mark_source(self, source: Callable[[float], Sequence[Mark]]) -> None:
        """Marks that are asked for at each drawing, in the order of time.

        Args:
            source: Gets the seconds that 40 pixels take; what is nearer is to be put together.
        """
        self._mark_source = source
        self.later()

    def set_cursor(self, at: float | None) -> None:
        """Stand the reading line at a moment, seconds since the epoch; None takes it away."""
        if at != self._cursor:
            self._cursor = at
            self.update()

    def marks(self) -> Sequence[Mark]:
        """The marks as they are drawn."""
        return self._marks

    def label(self, key: str) -> str:
        """The word at a series' end."""
        return self._labels[key]

    def later(self) -> None:
        """Draw soon, once however often this is called; a hidden chart draws when it is shown."""
        if self.isVisible() and not self._timer.isActive():
            since_ms = (time.monotonic() - self._drawn_at) * 1000
            wait_ms = 0 if self._area.is_empty else max(0, round(_EVERY_MS - since_ms))
            self._timer.start(wait_ms)

    def draw(self) -> None:
        """Works out what there is now and paints it; the chart does so by itself when visible."""
        self._drawn_at = time.monotonic()
        self.lay_out()
        if self._is_new and not self._area.is_empty:
            self._drawn_at += self._turn_ms / 1000
            self._is_new = False
        self.update()

    # -- for the subclass -------------------------------------------------------------------

    def lay_out(self) -> None:
        """Works out the area and the shapes in it."""
        raise AssertionError("a chart is lines or bars")

    def paint_inside(self, painter: QPainter) -> None:
        """Paints what stands between the axes."""
        del painter
        raise AssertionError("a chart is lines or bars")

    def set_area(self, start: float, end: float, top: float) -> None:
        """Sets the range shown: moments in seconds since the epoch, values from 0 to ``top``."""
        left = self.axis_width(top)
        height = max(20.0, self.height() - theme().px(_AXIS_H) - _TOP)
        rect = QRectF(left, _TOP, max(20.0, self.width() - left), height)
        if end <= start:
            self._area, self._marks = Area(), ()
            return
        marks = self._mark_source(_NEAR_PX * (end - start) / rect.width())
        self._marks = [mark for mark in marks if start <= mark.at <= end]
        words = _MARK_ROWS * theme().px(_MARK_ROW_H) if self._marks else 0
        room = max(_TOP_ROOM, height / max(1.0, height - words))  # marks' words stay off the curves
        self._area = Area(rect, start, end, top, top * room)

    def axis_width(self, top: float) -> float:
        """Width of the axis at the left for values up to ``top``, pixels."""
        font = theme().font(Type.SMALL)
        return max(text_width(words, font) for _, words in value_ticks(top)) + 12

    # -- Qt ---------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(240, 130)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._is_new = True
        self.draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self.lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.later()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        self.setToolTip(self.detail_at(x))
        self.pointed.emit(self._area.moment(x))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)

    def detail_at(self, x: float) -> str:
        """What the mark nearest to a place says; empty if none is near."""
        near = [(abs(self._area.x(mark.at) - x), mark.detail) for mark in self._marks]
        distance, detail = min(near, default=(_NEAR_PX, ""), key=lambda found: found[0])
        return detail if distance < _NEAR_PX / 2 else ""

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self._area.is_empty:
                return
            self._paint_frame(painter)
            painter.save()
            painter.setClipRect(self._area.rect.adjusted(0, -_TOP, 0, 1))
            self.paint_inside(painter)
            painter.restore()
            self._paint_marks(painter)
            self._paint_cursor(painter)

    def _paint_frame(self, painter: QPainter) -> None:
        look, area = theme(), self._area
        font, grey = look.font(Type.SMALL), look.tokens.colour("text2")
        half, low = 8.0, area.rect.bottom()
        for number, (value, words) in enumerate(value_ticks(area.top)):
            y = area.y(value)
            line = QColor(look.tokens.colour("grid" if number else "border"))
            painter.fillRect(QRectF(area.rect.left(), round(y), area.rect.width(), 1), line)
            box = QRectF(0, y - half, area.rect.left() - 6, 2 * half)
            write(painter, box, words, font, grey, align=RIGHT)
        most = max(2, min(5, int(area.rect.width() / _TICK_PX)))
        ticks = clock_ticks(area.start, area.end, most)
        wides = [text_width(words, font) + 2 for _, words in ticks]
        lefts = [
            min(max(area.x(at) - wide / 2, 0.0), self.width() - wide)
            for (at, _), wide in zip(ticks, wides, strict=True)
        ]
        for number in apart(lefts, wides, _TICK_GAP):
            words, left, wide = ticks[number][1], lefts[number], wides[number]
            box = QRectF(left, low + 3, wide, look.px(_AXIS_H) - 4)
            write(painter, box, words, font, grey, align=CENTRE)

    def _paint_marks(self, painter: QPainter) -> None:
        look, area = theme(), self._area
        font = look.font(Type.SMALL_MEDIUM)
        row_h = float(look.px(_MARK_ROW_H))
        free = [0.0] * _MARK_ROWS  # from where on each row of words is free
        places = [area.x(mark.at) for mark in self._marks]
        ends = [*places[1:], area.rect.right()] if places else []
        for mark, x, follower in zip(self._marks, places, ends, strict=True):
            colour = look.tokens.colour(mark.colour)
            painter.setPen(dashed(colour, Stroke.DOT))
            painter.drawLine(QPointF(x, area.rect.top()), QPointF(x, area.rect.bottom()))
            words = mark.words if text_width(mark.words, font) + 8 < follower - x else mark.code
            wide = text_width(words, font) + 4
            row = next((i for i, since in enumerate(free) if since <= x), None)
            if row is not None and x + wide <= self.width():
                free[row] = x + wide + 4
                box = QRectF(x + 3, area.rect.top() - _TOP + row * row_h, wide, row_h)
                write(painter, box, words, font, colour, align=LEFT)

    def _paint_cursor(self, painter: QPainter) -> None:
        at = self._cursor
        if at is not None and self._area.start <= at <= self._area.end:
            x = round(self._area.x(at)) + 0.5
            painter.setPen(QPen(theme().tokens.colour("text"), 1))
            painter.drawLine(
                QPointF(x, self._area.rect.top()), QPointF(x, self._area.rect.bottom())
            )


def dashed(colour: QColor, stroke: Stroke) -> QPen:
    """A pen of width 1 in its pattern."""
    pen = QPen(colour, 1)
    if stroke in _PATTERNS:
        pen.setDashPattern(_PATTERNS[stroke])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def bar_brush(series: Series, colour: QColor) -> QBrush:
    """The fill of a bar."""
    return QBrush(colour, _BRUSHES.get(series.hatch, Qt.BrushStyle.SolidPattern))


def bar_pen(series: Series, colour: QColor) -> QPen:
    """The edge of a bar: only hatched ones have one."""
    return QPen(colour, 1) if series.hatch else QPen(Qt.PenStyle.NoPen)
