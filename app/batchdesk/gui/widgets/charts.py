"""Live charts over clock time: lines with steps and fills, and bars stacked per 10 seconds.

In come moments with values by series key; a capped ring keeps them, or a source is asked for them
at each drawing. `Series` and `Mark` say how they look; the frame around them is in chart_base.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.chart_base import (
    Chart,
    Hatch,
    Mark,
    Series,
    Stroke,
    bar_brush,
    bar_pen,
    dashed,
)
from batchdesk.gui.widgets.chart_scale import Area, spread
from batchdesk.gui.widgets.paint import LEFT, text_width, write

__all__ = ["BarChart", "Curves", "Hatch", "Mark", "Series", "Stroke", "TimeChart"]

_CAPACITY = 2400  # ten minutes at four a second
_LABEL_GAP = 15.0
_BUCKET_S = 10
_FREE = 0.05  # of the width stays free on the right
_TEAL_FILL = 0.12  # more would take the label below its contrast

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curves:
    """What a TimeChart draws: moments, not falling, and as many values by series key.

    NaN is a gap.
    """

    times: Sequence[float] = ()
    values: Mapping[str, Sequence[float]] = field(default_factory=dict)


class TimeChart(Chart):
    """Lines over clock time with their names at their ends.

    Args:
        series: The curves; later ones are drawn above.
        words: Accessible name.
        window_s: How much time is shown of added moments, seconds; older points leave.
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
        self._source: Callable[[], Curves] = self._of_points
        self._curves = Curves()
        self._shapes: dict[str, list[list[Place]]] = {}
        self._ends: list[tuple[Series, float]] = []

    def add(self, at: float, values: Mapping[str, float | None]) -> None:
        """Adds one moment.

        Args:
            at: Seconds since the epoch, not before the last.
            values: By series key; None or missing leaves a gap.
        """
        self._points.append((at, values))
        while self._points and self._points[0][0] < at - self._window_s:
            self._points.popleft()
        self.later()

    def set_points(self, points: Iterable[tuple[float, Mapping[str, float | None]]]) -> None:
        """Replaces all points (another run)."""
        self._points = deque(points, maxlen=_CAPACITY)
        self.later()

    def set_source(self, source: Callable[[], Curves]) -> None:
        """Ask for what is drawn at each drawing, instead of keeping points; draws soon."""
        self._source = source
        self.later()

    def clear(self) -> None:
        """Removes points and marks."""
        self._points.clear()
        self._source = self._of_points
        self.set_marks(())
        self.later()

    def drawn(self, key: str) -> list[float]:
        """The values of a curve as it is drawn; NaN in a gap."""
        return list(self._curves.values.get(key, ()))

    def lay_out(self) -> None:
        curves = self._curves = self._source()
        self._shapes, self._ends = {}, []
        if not curves.times:
            self.set_area(0, 0, 0)
            return
        columns = curves.values.values()
        top = max((max(filter(math.isfinite, one), default=0.0) for one in columns), default=0.0)
        top = top or 1.0
        start, last = curves.times[0], max(curves.times[-1], curves.times[0] + 1)
        inner = max(1.0, self.width() - self.axis_width(top))
        share = min(0.5, self._label_room() / inner) or _FREE
        self.set_area(start, start + (last - start) / (1 - share), top)
        for one in self.series:
            values = curves.values.get(one.key, ())
            self._shapes[one.key] = shapes_of(self._area, curves.times, values, step=one.step)
            known = next((value for value in reversed(values) if math.isfinite(value)), None)
            if one.label and known is not None:
                self._ends.append((one, known))

    def paint_inside(self, painter: QPainter) -> None:
        tokens, low = theme().tokens, self._area.rect.bottom()
        painter.setPen(Qt.PenStyle.NoPen)
        for one in self.series:
            if one.fill:
                ground = QColor(tokens.colour(one.fill))
                if one.fill == "teal":
                    ground.setAlphaF(_TEAL_FILL)
                painter.setBrush(ground)
                for shape in self._shapes.get(one.key, ()):
                    whole = [(shape[0][0], low), *shape, (shape[-1][0], low)]
                    painter.drawPolygon(_polygon(whole))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for one in self.series:
            # steps are upright and level: they need no smoothing, which takes most of the time
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=not one.step)
            painter.setPen(dashed(tokens.colour(one.colour), one.stroke))
            for shape in self._shapes.get(one.key, ()):
                painter.drawPolyline(_polygon(shape))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._paint_ends(painter)

    def _of_points(self) -> Curves:
        return Curves(
            [at for at, _ in self._points],
            {
                one.key: [_number(found.get(one.key)) for _, found in self._points]
                for one in self.series
            },
        )

    def _label_room(self) -> float:
        font = theme().font(Type.SMALL_MEDIUM)
        widths = [text_width(self._labels[one.key], font) for one in self.series if one.label]
        return max(widths) + 16 if widths else 0.0

    def _paint_ends(self, painter: QPainter) -> None:
        area, look = self._area, theme()
        font = look.font(Type.SMALL_MEDIUM)
        last = area.x(self._curves.times[-1]) if self._curves.times else 0.0
        wished = [area.y(value) for _, value in self._ends]
        gap = float(look.px(_LABEL_GAP))
        places = spread(wished, gap, area.rect.top() + gap / 2, area.rect.bottom() - gap / 2)
        for (one, _), y in zip(self._ends, places, strict=True):
            box = QRectF(last + 4, y - gap / 2, self.width() - last - 4, gap)
            write(
                painter, box, self.label(one.key), font, look.tokens.colour(one.colour), align=LEFT
            )


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
        self._first = 0.0  # nothing is shown before it; 0: what was counted first
        self._last = 0.0

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
        self.later()

    def begin_at(self, at: float) -> None:
        """Show the time from a moment on, also where nothing was counted."""
        if at != self._first:
            self._first = at
            self.later()

    def clear(self) -> None:
        """Removes all counts and marks."""
        self._counts.clear()
        self._first = self._last = 0.0
        self.set_marks(())
        self.later()

    def stacks(self, key: str) -> list[tuple[int, float, float]]:
        """The bars of a part as drawn: begin (epoch seconds), lower edge, height."""
        bases: dict[int, float] = {}
        for one in self.series:
            places = sorted(bucket for bucket, part in self._counts if part == one.key)
            found = [
                (bucket * _BUCKET_S, bases.get(bucket, 0.0), self._counts[bucket, one.key])
                for bucket in places
            ]
            if one.key == key:
                return found
            for bucket in places:
                bases[bucket] = bases.get(bucket, 0.0) + self._counts[bucket, one.key]
        return []

    def lay_out(self) -> None:
        if not self._last:
            self.set_area(0, 0, 0)
            return
        sums: dict[int, float] = {}
        for (bucket, _), count in self._counts.items():
            sums[bucket] = sums.get(bucket, 0.0) + count
        first = self._first or min(sums, default=int(self._last // _BUCKET_S)) * _BUCKET_S
        start = max(self._last - self._window_s, min(first, self._last - 60.0))
        end = self._last + (self._last - start) * _FREE + _BUCKET_S
        self.set_area(start, end, max(sums.values(), default=1.0))

    def paint_inside(self, painter: QPainter) -> None:
        tokens, area = theme().tokens, self._area
        wide = max(1.0, _BUCKET_S * 0.9 * area.per_second)
        for one in self.series:
            colour = tokens.colour(one.colour)
            painter.setPen(bar_pen(one, colour))
            painter.setBrush(bar_brush(one, colour))
            painter.drawRects(
                [
                    QRectF(area.x(begin), area.y(base + high), wide, high * area.per_unit)
                    for begin, base, high in self.stacks(one.key)
                ]
            )


def shapes_of(
    area: Area, times: Sequence[float], values: Sequence[float], *, step: bool
) -> list[list[Place]]:
    """A curve in pixels, in pieces where it has gaps, without points that change nothing.

    Of points on one pixel column only the first, the extremes and the last stay; of several on a
    level only its ends.
    """
    left, per_second, start = area.rect.left(), area.per_second, area.start
    low, per_unit = area.rect.bottom(), area.per_unit
    pieces: list[list[Place]] = []
    piece: list[Place] = []
    for at, value in zip(times, values, strict=False):
        if value != value:  # noqa: PLR0124 - NaN; quicker than math.isnan in the hottest loop
            piece = []
            continue
        x, y = left + (at - start) * per_second, low - value * per_unit
        if not piece:
            piece = [(x, y)]
            pieces.append(piece)
        elif len(piece) > 1 and piece[-2][1] == y == piece[-1][1]:
            piece[-1] = (x, y)  # on a level
        else:
            if step and piece[-1][1] != y:
                _extend(piece, (x, piece[-1][1]))
            _extend(piece, (x, y))
    return pieces


def _extend(piece: list[Place], place: Place) -> None:
    if len(piece) > 1 and _says_nothing(piece[-2], piece[-1], place):
        piece[-1] = place
    else:
        piece.append(place)


def _says_nothing(before: Place, middle: Place, after: Place) -> bool:
    """Whether a point can go: on a level, or within a pixel of its neighbour and between both."""
    if before[1] == middle[1] == after[1]:
        return True
    rises = (middle[1] - before[1]) * (after[1] - middle[1]) >= 0
    return rises and after[0] - before[0] < 1.0


def _polygon(places: Iterable[Place]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in places])


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
