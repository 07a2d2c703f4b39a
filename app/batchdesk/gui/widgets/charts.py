"""Live charts over clock time: lines with steps and fills, and bars stacked per 10 seconds.

In come moments with values by series key; a capped ring keeps them. `Series` and `Mark` say how
they look; the frame around them is in chart_base.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.chart_base import (
    AXIS_H,
    TOP_ROOM,
    Chart,
    Hatch,
    Mark,
    Series,
    Stroke,
    bar_brush,
    bar_pen,
    line_pen,
    pyqtgraph,
)
from batchdesk.gui.widgets.chart_scale import spread
from batchdesk.gui.widgets.paint import text_width

__all__ = ["BarChart", "Hatch", "Mark", "Series", "Stroke", "TimeChart"]

_CAPACITY = 2400  # ten minutes at four a second
_LABEL_GAP = 15
_BUCKET_S = 10
_FREE = 0.05  # of the width stays free on the right


class TimeChart(Chart):
    """Lines over clock time with their names at their ends.

    Args:
        series: The curves; later ones are drawn above.
        words: Accessible name.
        window_s: How much time is shown, seconds; older points leave.
    """

    def __init__(
        self,
        series: Sequence[Series],
        *,
        words: str = "",
        window_s: float = 600.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(series, words=words, window_s=window_s, parent=parent)
        self._points: deque[tuple[float, Mapping[str, float | None]]] = deque(maxlen=_CAPACITY)
        self._curves: dict[str, Any] = {}
        self._fills: dict[str, Any] = {}

    def add(self, at: float, values: Mapping[str, float | None]) -> None:
        """Adds one moment.

        Args:
            at: Seconds since the epoch, not before the last.
            values: By series key; None or missing leaves a gap.
        """
        self._points.append((at, values))
        while self._points and self._points[0][0] < at - self._window_s:
            self._points.popleft()
        self._later()

    def set_points(self, points: Iterable[tuple[float, Mapping[str, float | None]]]) -> None:
        """Replaces all points (another run)."""
        self._points = deque(points, maxlen=_CAPACITY)
        self._later()

    def clear(self) -> None:
        """Removes points and marks."""
        self._points.clear()
        self._marks.clear()
        self._later()

    def draw(self) -> None:
        plot = self._ready()
        if not self._points:
            for item in [*self._curves.values(), *self._fills.values()]:
                item.setData([], [])
            self.frame(0, 0, 0)
            return
        times = [at for at, _ in self._points]
        columns = {one.key: self._column_of(one.key) for one in self.series}
        finite = [v for values in columns.values() for v in values if math.isfinite(v)]
        top = max(finite, default=0.0) or 1.0
        for one in self.series:
            xs, ys = _stairs(times, columns[one.key]) if one.step else (times, columns[one.key])
            self._curves[one.key].setData(xs, ys, connect="finite")
            if one.key in self._fills:
                self._fills[one.key].setData(*_ground(xs, ys))
        start, last = times[0], max(times[-1], times[0] + 1)
        inner = max(1.0, plot.width() - self.axis_width(top))
        share = min(0.5, self._label_room() / inner) or _FREE
        end = start + (last - start) / (1 - share)
        self.frame(start, end, top)
        self._put_ends(columns, last, top)

    def _make(self) -> None:
        for one in self.series:
            if one.fill:
                self._fills[one.key] = self._plot.plot([], [], antialias=False)
                self._fills[one.key].setZValue(-10)
        for one in self.series:
            self._curves[one.key] = self._plot.plot([], [], antialias=True)

    def _dress(self) -> None:
        super()._dress()
        tokens = theme().tokens
        for one in self.series:
            self._curves[one.key].setPen(line_pen(one, tokens.colour(one.colour)))
            if one.key in self._fills:
                ground = tokens.colour(one.fill)
                if one.fill == "teal":
                    ground.setAlphaF(0.12)  # more would take the label below its contrast
                self._fills[one.key].setPen(QPen(Qt.PenStyle.NoPen))
                self._fills[one.key].setFillLevel(0)
                self._fills[one.key].setBrush(ground)

    def _column_of(self, key: str) -> list[float]:
        return [
            math.nan if (value := values.get(key)) is None else float(value)
            for _, values in self._points
        ]

    def _label_room(self) -> float:
        font = theme().font(Type.SMALL_MEDIUM)
        widths = [text_width(self._labels[one.key], font) for one in self.series if one.label]
        return max(widths) + 16 if widths else 0.0

    def _put_ends(self, columns: Mapping[str, list[float]], last: float, top: float) -> None:
        pg = pyqtgraph()
        ends = []
        for one in self.series:
            known = [value for value in columns[one.key] if math.isfinite(value)]
            if one.label and known:
                ends.append((one, known[-1]))
        height = max(40.0, self._plot.height() - theme().px(AXIS_H) - 4.0)
        unit = top * TOP_ROOM / height
        places = spread(
            [value for _, value in ends], _LABEL_GAP * unit, 7 * unit, top * TOP_ROOM - 7 * unit
        )
        for (one, _), place in zip(ends, places, strict=True):
            self._text(pg, self._labels[one.key], one.colour, (last, place), (0, 0.5))


class BarChart(Chart):
    """Counts per 10 seconds, stacked by series; the legend stands beside it, in the page.

    Args:
        series: Bottom to top.
        words: Accessible name.
        window_s: How much time is shown, seconds.
    """

    def __init__(
        self,
        series: Sequence[Series],
        *,
        words: str = "",
        window_s: float = 600.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(series, words=words, window_s=window_s, parent=parent)
        self._counts: dict[tuple[int, str], float] = {}
        self._last = 0.0
        self._bars: dict[str, Any] = {}

    def add(self, at: float, values: Mapping[str, float]) -> None:
        """Adds counts that came since the last call; also moves the time on when empty."""
        self._last = max(self._last, at)
        bucket = int(at // _BUCKET_S)
        for key, count in values.items():
            if count:
                self._counts[bucket, key] = self._counts.get((bucket, key), 0.0) + count
        oldest = int((self._last - self._window_s) // _BUCKET_S)
        for old in [place for place in self._counts if place[0] < oldest]:
            del self._counts[old]
        self._later()

    def clear(self) -> None:
        """Removes all counts and marks."""
        self._counts.clear()
        self._marks.clear()
        self._last = 0.0
        self._later()

    def draw(self) -> None:
        self._ready()
        bases: dict[int, float] = {}
        for one in self.series:
            places = sorted(bucket for bucket, key in self._counts if key == one.key)
            heights = [self._counts[bucket, one.key] for bucket in places]
            floors = [bases.get(bucket, 0.0) for bucket in places]
            self._bars[one.key].setOpts(
                x0=[bucket * _BUCKET_S for bucket in places],
                y0=floors,
                width=[_BUCKET_S * 0.9] * len(places),
                height=heights,
            )
            bases.update(
                {b: f + h for b, f, h in zip(places, floors, heights, strict=True)},
            )
        if not self._last:
            self.frame(0, 0, 0)
            return
        first = min((bucket for bucket, _ in self._counts), default=int(self._last // _BUCKET_S))
        start = max(self._last - self._window_s, min(first * _BUCKET_S, self._last - 60.0))
        end = self._last + (self._last - start) * _FREE + _BUCKET_S
        self.frame(start, end, max(bases.values(), default=1.0))

    def _make(self) -> None:
        for one in self.series:
            bars = pyqtgraph().BarGraphItem(x0=[], y0=[], width=[], height=[])
            self._plot.addItem(bars)
            self._bars[one.key] = bars

    def _dress(self) -> None:
        super()._dress()
        tokens = theme().tokens
        for one in self.series:
            colour = tokens.colour(one.colour)
            self._bars[one.key].setOpts(brush=bar_brush(one, colour), pen=bar_pen(one, colour))


def _ground(times: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """The outline of what is filled: on zero, without a slope, across a gap."""
    xs: list[float] = []
    ys: list[float] = []
    for at, value, before in zip(times, values, [math.nan, *values], strict=False):
        known = math.isfinite(value)
        if known and not math.isfinite(before):
            xs.append(at)
            ys.append(0.0)
        elif not known and math.isfinite(before):
            xs.append(xs[-1])
            ys.append(0.0)
        xs.append(at)
        ys.append(value if known else 0.0)
    return xs, ys


def _stairs(times: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """Each value holds until the next moment."""
    xs: list[float] = []
    ys: list[float] = []
    for number, (at, value) in enumerate(zip(times, values, strict=True)):
        if number:
            xs.append(at)
            ys.append(values[number - 1])
        xs.append(at)
        ys.append(value)
    return xs, ys
