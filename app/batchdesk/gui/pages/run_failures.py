"""Two live panels of the Run page: latency of successes, and failed requests by kind.

Latency counts answers only; what failed stands beside it, never mixed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from batchdesk.domain.task import ErrorKind
from batchdesk.gui.models.dead import said
from batchdesk.gui.models.history import FAILURES_S, STEP_S, History, Point
from batchdesk.gui.pages.run_panels import LivePanel, Look, curves, named
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.chart_base import Hatch, Series, Stroke, bar_brush, bar_pen
from batchdesk.gui.widgets.charts import BarChart, TimeChart
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.words import Words

_LEGEND_W = 234
_LEGEND_LINES = 4
_ROOMY_H = 180  # from here on there is room for what was said about each kind

# Kinds that look alike to the person share a colour and a hatch, bottom of the stack first.
FAMILIES = (
    Series("limit", "", "violet"),
    Series("service", "", "failed"),
    Series("time", "", "failed", hatch=Hatch.DIAGONAL),
    Series("answer", "", "waiting"),
    Series("empty", "", "waiting", hatch=Hatch.LINES),
    Series("other_row", "", "waiting", hatch=Hatch.CROSS),
    Series("refused", "", "review"),
)
_PARTS = {series.key: series for series in FAMILIES}
_LATENCY: dict[str, Callable[[Point], float | None]] = {
    "first": lambda point: point.first_token_s,
    "p50": lambda point: point.p50_s,
    "p95": lambda point: point.p95_s,
    "p99": lambda point: point.p99_s,
}
_FAMILY = {
    ErrorKind.RATE_LIMITED: "limit",
    ErrorKind.OVERLOADED: "service",
    ErrorKind.SERVER_ERROR: "service",
    ErrorKind.CONNECTION_RESET: "service",
    ErrorKind.CONNECT_FAILED: "service",
    ErrorKind.CONNECT_TIMEOUT: "time",
    ErrorKind.READ_TIMEOUT: "time",
    ErrorKind.DEADLINE_EXCEEDED: "time",
    ErrorKind.EMPTY_OUTPUT: "empty",
    ErrorKind.CONTENT_FILTERED: "empty",
    ErrorKind.MISALIGNED: "other_row",
}


def family(kind: ErrorKind) -> str:
    """The key of the part of the bars that a kind is counted in."""
    return _FAMILY.get(kind, "answer" if kind.is_of_answer else "refused")


def legend(failures: Mapping[ErrorKind, int], most: int) -> list[tuple[ErrorKind | None, int]]:
    """The most frequent kinds with their counts; None for all the others if they do not fit."""
    ordered = sorted(failures.items(), key=lambda item: (-item[1], item[0]))
    shown: list[tuple[ErrorKind | None, int]] = [(kind, n) for kind, n in ordered if n]
    if len(shown) <= most:
        return shown
    return [*shown[: most - 1], (None, sum(n for _, n in shown[most - 1 :]))]


class LatencyPanel(LivePanel):
    """P50, P95, P99 and the first token of successful requests."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Latency of successes"), self.tr("seconds, over 60 s"))
        self._words = words
        self._names = {
            "first": self.tr("First token"),
            "p50": "P50",
            "p95": "P95",
            "p99": "P99",
        }
        self.chart = TimeChart(
            [
                Series("first", "", "teal", Stroke.DASH_DOT),
                Series("p50", "", "running"),
                Series("p95", "", "violet", Stroke.DASH),
                Series("p99", "", "text2", Stroke.DOT),
            ],
            words=self.tr("Latency over time"),
        )
        self.own_wait = ElidingLabel("", Type.LABEL, "text2", least=0)
        self.add_tool(self.own_wait)
        self.place(self.chart)

    def refresh(self, look: Look) -> None:
        """Show a run as it stands, or as it stood."""
        self.chart.set_source(partial(curves, look.history, _LATENCY))
        point = look.point if look.at is not None else look.history.answered
        for key, name in self._names.items():
            value = None if point is None else _LATENCY[key](point)
            if value is not None:
                self.chart.set_label(key, named(name, self._words.duration(value)))
        snapshot = look.facts.snapshot if look.facts.is_running else None
        own = snapshot.queue_wait_p50_s if snapshot else None
        self.own_wait.set_text(
            ""
            if own is None
            else self.tr("wait in our own queue {0}, not included").format(
                self._words.duration(own)
            )
        )


class Swatch(QWidget):
    """The fill of a part of the bars, for the legend; an empty one for kinds put together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series: Series | None = None
        self.setFixedSize(theme().px(10), theme().px(10))

    def set_series(self, series: Series | None) -> None:
        """Another part, or none."""
        if series is not self._series:
            self._series = series
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self._series is None:
                return
            colour = theme().tokens.colour(self._series.colour)
            painter.setPen(bar_pen(self._series, colour))
            painter.setBrush(bar_brush(self._series, colour))
            painter.drawRect(QRectF(self.rect()).adjusted(0, 0, -1, -1))


class LegendLine:
    """One line of the legend: fill, name, count, and below it what was said last."""

    def __init__(self) -> None:
        self.swatch = Swatch()
        self.name = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=60)
        self.count = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=44, align=RIGHT)
        self.last = ElidingLabel("", Type.SMALL, "text2", least=60)

    def show_kind(self, series: Series | None, name: str, count: str, last: str) -> None:
        """Another kind; None for kinds put together."""
        self.swatch.set_series(series)
        self.name.set_text(name)
        self.name.setAccessibleDescription(last)
        self.count.set_text(count)
        self.last.set_text(last)

    def set_shown(self, shown: bool, *, roomy: bool) -> None:  # noqa: FBT001 - a plain setter
        """Whether the line is there, and whether there is room for what was said."""
        for part in (self.swatch, self.name, self.count):
            part.setVisible(shown)
        self.last.setVisible(shown and roomy and bool(self.last.text()))


class FailuresPanel(LivePanel):
    """Failed requests per 10 s by kind, with counts over the whole run and the last message."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Failed requests by kind"))
        self.set_subtitle(self.tr("per 10 s"))
        self._words = words
        self._drawn: dict[int, dict[ErrorKind, int]] | None = None
        self.chart = BarChart(
            FAMILIES, words=self.tr("Failed requests over time"), window_s=FAILURES_S
        )
        side = QVBoxLayout()
        side.setSpacing(2)
        grid = QGridLayout()
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(9)
        grid.setColumnStretch(1, 1)
        self.legend: list[LegendLine] = []
        for line in range(_LEGEND_LINES):
            one = LegendLine()
            grid.addWidget(one.swatch, 2 * line, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(one.name, 2 * line, 1)
            grid.addWidget(one.count, 2 * line, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(one.last, 2 * line + 1, 1, 1, 2)
            self.legend.append(one)
        side.addLayout(grid)
        self.last = ElidingLabel("", Type.LABEL, "text2", least=60)
        side.addWidget(self.last)
        side.addStretch(1)
        self.place(self.chart, side, _LEGEND_W)

    def refresh(self, look: Look) -> None:
        """Show a run as it stands, or as it stood."""
        self._draw(look.history)
        facts, point = look.facts, look.point
        failures = point.failures if look.at is not None and point else facts.failures
        by_kind = facts.snapshot.last_failures if facts.snapshot else {}
        shown = legend(failures, _LEGEND_LINES)
        roomy = bool(by_kind) and self.height() >= theme().px(_ROOMY_H)
        for place, line in enumerate(self.legend):
            kind, n = shown[place] if place < len(shown) else (None, 0)
            others = sum(1 for found in failures.values() if found) - _LEGEND_LINES + 1
            words = self._words.error(kind) if kind else self.tr("%Ln other kind(s)", "", others)
            said_last = said(self._words, by_kind.get(kind, "")) if kind and n else ""
            line.show_kind(
                _PARTS[family(kind)] if kind else None,
                words[:1].upper() + words[1:] if n else "",
                self._words.number(n) if n else "",
                self.tr("“{0}”").format(said_last) if said_last else "",
            )
            line.set_shown(place < max(1, len(shown)), roomy=roomy)
        if not shown:
            self.legend[0].name.set_text(self.tr("None so far"))
        last = facts.snapshot.last_failure if facts.snapshot else facts.summary.run.cause_message
        quoted = said(self._words, last)
        self.last.set_text(self.tr("Last: “{0}”").format(quoted) if quoted and shown else "")
        self.last.setVisible(not roomy)

    def _draw(self, history: History) -> None:
        steps = history.failures()
        if steps != self._drawn:
            self._drawn = steps
            self.chart.clear()
            for begin, counted in steps.items():
                families: Counter[str] = Counter()
                for kind, n in counted.items():
                    families[family(kind)] += n
                self.chart.add(begin + STEP_S / 2, families)
        points = history.points()
        if points:
            self.chart.begin_at(points[0].at)
            self.chart.add(points[-1].at, {})

    def forget(self) -> None:
        """Another run follows."""
        self._drawn = None
        self.chart.clear()
