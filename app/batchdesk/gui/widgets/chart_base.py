"""What all live charts share: frame, clock axis, grid lines, marks, pens and the pace of drawing.

A chart draws at most twice a second and only while it is visible. pyqtgraph is imported when
the first chart is shown, since that takes half a second.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.chart_scale import clock_ticks, value_ticks
from batchdesk.gui.widgets.paint import text_width

_EVERY_MS = 500  # drawing takes some ms, which the rest of the window must not feel
AXIS_H = 22
_MARK_ROWS, _MARK_ROW_H = 2, 15
TOP_ROOM = 1.12


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
    """

    at: float
    words: str
    code: str
    colour: str = "text2"


class Chart(QWidget):
    """What lines and bars have in common."""

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
        self._marks: list[Mark] = []
        self._plot: Any = None
        self._items: list[Any] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(160, 90)
        self.setAccessibleName(words)
        self._timer = QTimer(self, interval=_EVERY_MS, singleShot=True)
        self._timer.timeout.connect(self.draw)
        theme().changed.connect(self._restyle)

    def draw_in_turn(self, place: int, of: int) -> None:
        """Put drawing off by a part of its pace: charts of a page draw one after the other.

        Together they would hold the window's loop for as long as all of them take.
        """
        self._timer.setInterval(_EVERY_MS - _EVERY_MS * (place % of) // (of + 1))

    def set_label(self, key: str, words: str) -> None:
        """The word at a series' end, with its figure: "P95  5.6 s"."""
        if self._labels.get(key) != words:
            self._labels[key] = words
            self._later()

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Replaces the vertical marks."""
        self._marks = list(marks)
        self._later()

    def sizeHint(self) -> QSize:
        return QSize(240, 130)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.draw)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._later()

    def draw(self) -> None:
        """Draws what is there now; the chart does so by itself when it is visible."""
        self._ready()
        self.frame(0, 0, 0)

    def _later(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _restyle(self) -> None:
        if self._plot is not None:
            self._dress()
            self.draw()

    def _ready(self) -> Any:
        """The plot, made at first use; pyqtgraph's own view box."""
        if self._plot is None:
            self._plot = pyqtgraph().PlotWidget(background=None)
            self._plot.setFrameShape(self._plot.Shape.NoFrame)
            self._plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
            self._plot.setMinimumSize(120, 60)
            self._plot.setMouseEnabled(x=False, y=False)
            self._plot.setMenuEnabled(False)
            self._plot.hideButtons()
            self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._plot.viewport().setAutoFillBackground(False)
            self._plot.getPlotItem().setContentsMargins(0, 4, 0, 0)
            self._plot.getViewBox().setDefaultPadding(0)
            self._plot.disableAutoRange()
            self._column.addWidget(self._plot)
            self._plot.show()  # a layout that is shown already shows its next widget too late
            self._column.activate()
            self._make()
            self._dress()
        return self._plot

    def _make(self) -> None:
        """Makes the items that stay; a bare chart has none."""

    def _dress(self) -> None:
        look = theme()
        font = look.font(Type.SMALL)
        self._plot.setBackground(look.tokens.colour("base"))
        for name in ("left", "bottom"):
            axis = self._plot.getAxis(name)
            axis.setStyle(tickLength=0, tickAlpha=0, tickFont=font, tickTextOffset=6)
            axis.setTextPen(look.tokens.colour("text2"))
            axis.setPen(QPen(look.tokens.colour("border" if name == "bottom" else "base"), 1))
        self._plot.getAxis("left").setPen(QPen(Qt.PenStyle.NoPen))
        self._plot.getAxis("bottom").setHeight(look.px(AXIS_H))

    def frame(self, start: float, end: float, top: float) -> None:
        """Sets range, ticks, grid lines and marks."""
        plot, look = self._plot, theme()
        for item in self._items:
            plot.removeItem(item)
        self._items.clear()
        ticks = value_ticks(top)
        wide = self.axis_width(top)
        plot.getAxis("left").setWidth(int(wide))
        plot.getAxis("left").setTicks([ticks])
        inner = max(60.0, plot.width() - wide)
        most = max(2, min(5, int(inner / 64)))
        plot.getAxis("bottom").setTicks([clock_ticks(start, end, most)])
        plot.setRange(xRange=(start, end), yRange=(0, top * TOP_ROOM), padding=0)
        pg = pyqtgraph()
        grid = QPen(look.tokens.colour("grid"), 1)
        grid.setCosmetic(True)
        for value, _ in ticks[1:]:
            line = pg.InfiniteLine(value, angle=0, pen=grid, movable=False)
            line.setZValue(-20)
            self._add(line)
        self._put_marks(pg, start, end, top, inner)

    def axis_width(self, top: float) -> float:
        """Width of the axis at the left for values up to ``top``, pixels."""
        font = theme().font(Type.SMALL)
        return max(text_width(words, font) for _, words in value_ticks(top)) + 12

    def _put_marks(self, pg: Any, start: float, end: float, top: float, inner: float) -> None:
        look = theme()
        font = look.font(Type.SMALL_MEDIUM)
        per_second = inner / max(1e-9, end - start)
        shown = [
            mark for mark in sorted(self._marks, key=lambda m: m.at) if start <= mark.at <= end
        ]
        free = [start] * _MARK_ROWS  # from when on each row of words is free
        unit = top * TOP_ROOM / max(40.0, self._plot.height() - look.px(AXIS_H) - 4.0)
        for number, mark in enumerate(shown):
            follower = shown[number + 1].at if number + 1 < len(shown) else end
            room = (follower - mark.at) * per_second - 8
            words = mark.words if text_width(mark.words, font) < room else mark.code
            wide = (text_width(words, font) + 8) / per_second
            row = next((i for i, since in enumerate(free) if since <= mark.at), None)
            pen = QPen(look.tokens.colour(mark.colour), 1)
            pen.setCosmetic(True)
            pen.setDashPattern([1.5, 3.0])
            self._add(pg.InfiniteLine(mark.at, angle=90, pen=pen, movable=False))
            if row is not None and mark.at + wide <= end:
                free[row] = mark.at + wide
                height = top * TOP_ROOM - row * look.px(_MARK_ROW_H) * unit
                self._text(pg, words, mark.colour, (mark.at, height), (0, 0))

    def _text(
        self,
        pg: Any,
        words: str,
        colour: str,
        at: tuple[float, float],
        anchor: tuple[float, float],
    ) -> None:
        item = pg.TextItem(words, color=theme().tokens.colour(colour), anchor=anchor)
        item.setFont(theme().font(Type.SMALL_MEDIUM))
        item.textItem.document().setDocumentMargin(2)
        item.updateTextPos()
        item.setPos(*at)
        self._add(item)

    def _add(self, item: Any) -> None:
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)


def pyqtgraph() -> Any:
    """Imported at the first chart: it takes half a second, and has no types."""
    return importlib.import_module("pyqtgraph")


def line_pen(series: Series, colour: QColor) -> QPen:
    """The pen of a curve: width 1 (wider is slow), cosmetic, in its dash pattern."""
    pen = QPen(colour, 1)
    pen.setCosmetic(True)
    if series.stroke in _PATTERNS:
        pen.setDashPattern(_PATTERNS[series.stroke])
    return pen


def bar_brush(series: Series, colour: QColor) -> QBrush:
    """The fill of a bar."""
    return QBrush(colour, _BRUSHES.get(series.hatch, Qt.BrushStyle.SolidPattern))


def bar_pen(series: Series, colour: QColor) -> QPen:
    """The edge of a bar: only hatched ones have one."""
    if not series.hatch:
        return QPen(Qt.PenStyle.NoPen)
    pen = QPen(colour, 1)
    pen.setCosmetic(True)
    return pen
