"""Two live panels of the Run page: the queue, and the limit with what is in flight.

Both are told to ``refresh`` with a run's history and facts; they draw only while they are visible.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import RunState, TaskState
from batchdesk.gui.models.history import History, waiting_rows
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.theme import NBSP, Type, theme
from batchdesk.gui.widgets.bars import Meter
from batchdesk.gui.widgets.chart_base import Series, Stroke
from batchdesk.gui.widgets.charts import TimeChart
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateShape
from batchdesk.gui.words import MISSING, Words

_QUEUE_W, _RATES_W = 188, 132
_ALMOST = 0.95  # of a told limit: amber from here on


class LivePanel(Panel):
    """A panel with a chart at the left and, if it has one, a column of figures beside it."""

    def __init__(self, title: str, subtitle: str, parent: QWidget | None = None) -> None:
        super().__init__(title, subtitle, parent=parent)
        self.body.setContentsMargins(11, 0, 11, 6)
        self._row = QHBoxLayout()
        self._row.setSpacing(12)
        self.add(self._row, 1)

    def place(self, chart: QWidget, side: QVBoxLayout | None = None, width: int = 0) -> None:
        """Put the chart, and a column of a fixed width beside it."""
        self._row.addWidget(chart, 1)
        if side is not None:
            holder = QWidget()
            holder.setFixedWidth(theme().px(width))
            side.setContentsMargins(0, 0, 0, 4)
            holder.setLayout(side)
            self._row.addWidget(holder)


class QueuePanel(LivePanel):
    """Queue depth: rows that wait, wait to be tried again and are in flight, one on the other."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Queue depth"), self.tr("rows"))
        self._words = words
        self.chart = TimeChart(
            [
                Series("waiting", "", "running", fill="running.tint", label=False),
                Series("to_retry", "", "text", Stroke.DOT, label=False),
                Series("in_flight", "", "teal", fill="teal", label=False),
            ],
            words=self.tr("Queue depth over time"),
        )
        side = QVBoxLayout()
        side.setSpacing(0)
        grid = QGridLayout()
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(6)
        grid.setColumnStretch(1, 1)
        self.figures: dict[str, ElidingLabel] = {}
        for line, (key, name, state) in enumerate(self._lines()):
            if state is not None:
                grid.addWidget(StateShape(state, name, 13), line, 0)
            grid.addWidget(ElidingLabel(name, Type.LABEL, "text2", least=40), line, 1)
            figure = ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=70, align=RIGHT)
            self.figures[key] = figure
            grid.addWidget(figure, line, 2, Qt.AlignmentFlag.AlignRight)
        side.addLayout(grid)
        side.addStretch(1)
        self.moves = PlainLabel("", Type.LABEL, "text2", wrap=True)
        side.addWidget(self.moves)
        self.place(self.chart, side, _QUEUE_W)

    def _lines(self) -> list[tuple[str, str, BadgeState | None]]:
        return [
            ("waiting", self.tr("Waiting"), BadgeState.WAITING),
            ("to_retry", self.tr("To retry"), BadgeState.RETRY),
            ("in_flight", self.tr("In flight"), BadgeState.RUNNING),
            ("oldest", self.tr("Oldest wait"), None),
        ]

    def refresh(self, history: History, facts: RunFacts) -> None:
        """Show a run as it stands."""
        self.chart.set_points(
            (
                at,
                {
                    "in_flight": point.in_flight,
                    "to_retry": point.in_flight + point.to_retry,
                    "waiting": point.in_flight + point.to_retry + point.waiting,
                },
            )
            for at, point in history.lines()
            if point is not None  # a queue that rests stays as deep as it is
        )
        snapshot, words = facts.snapshot, self._words
        in_flight = snapshot.in_flight if snapshot else 0
        self._set("waiting", words.number(waiting_rows(facts.counts, in_flight)))
        self._set("to_retry", words.number(facts.count(TaskState.WAITING)))
        self._set("in_flight", words.number(in_flight))
        oldest = snapshot.oldest_wait_s if snapshot and facts.count(TaskState.WAITING) else None
        self._set("oldest", words.duration(oldest))
        self.moves.setText(self._moves(facts))

    def _set(self, key: str, words: str) -> None:
        self.figures[key].set_text(words)

    def _moves(self, facts: RunFacts) -> str:
        if facts.is_running:
            per_min = facts.snapshot.finished_per_s * 60 if facts.snapshot else None
            return self.tr("{0} rows/min out").format(self._words.number(per_min))
        if facts.open == 0:
            return self.tr("The queue is empty")
        if facts.state is RunState.PAUSED:
            return self.tr("Nothing moves: the run is paused")
        return self.tr("Nothing moves: the run is not under way")


class RateMeter(QWidget):
    """How much of a permitted rate is used: name and share, a bar, the figures."""

    def __init__(self, name: str, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._words = name, words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = QHBoxLayout()
        line.addWidget(ElidingLabel(name, Type.LABEL, "text2", least=40))
        line.addStretch(1)
        self.share = ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=40, align=RIGHT)
        line.addWidget(self.share)
        column.addLayout(line)
        self._meter = Meter()
        column.addWidget(self._meter)
        self.figures = ElidingLabel("", Type.LABEL, "text2", least=40)
        column.addWidget(self.figures)

    def refresh(self, per_s: float | None, told_per_s: float | None) -> None:
        """Show a rate and the told limit; None told: not known. None per_s: not under way."""
        words = self._words
        share = min(1.0, per_s / told_per_s) if per_s is not None and told_per_s else None
        amber = share is not None and share > _ALMOST
        self.share.set_text(words.percent(share) if share is not None else MISSING)
        self.share.set_colour("review" if amber else "text")
        if per_s is None:
            told = ""
        elif told_per_s is None:
            told = self.tr("{0}; limit not told").format(words.number(per_s * 60))
        else:
            told = self.tr("{0} of {1}").format(
                words.number(per_s * 60), words.number(told_per_s * 60)
            )
        self.figures.set_text(told)
        fill = "review.fill" if amber else "running.fill"
        self._meter.set_value(share, f"{self._name}: {self.share.text()} {told}", fill)


class LimitPanel(LivePanel):
    """The limit of requests at once, what is in flight, and the permitted rates."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Limit and in flight"), self.tr("requests at once"))
        self._words = words
        self.chart = TimeChart(
            [
                Series("in_flight", "", "teal", fill="teal", step=True),
                Series("limit", "", "running", step=True),
            ],
            words=self.tr("Limit and requests in flight over time"),
        )
        side = QVBoxLayout()
        side.setSpacing(2)
        side.addWidget(ElidingLabel(self.tr("Used of permitted"), Type.LABEL_MEDIUM, "text2"))
        self.tokens = RateMeter(self.tr("Tokens/min"), words)
        self.requests = RateMeter(self.tr("Requests/min"), words)
        side.addWidget(self.tokens)
        side.addWidget(self.requests)
        side.addStretch(1)
        self.place(self.chart, side, _RATES_W)

    def refresh(self, history: History, facts: RunFacts) -> None:
        """Show a run as it stands."""
        lines = history.lines()
        self.chart.set_points(
            (at, {"limit": point.limit, "in_flight": point.in_flight} if point else {})
            for at, point in lines
        )
        if lines:
            latest = history.points()[-1]
            limit, in_flight = (self._words.number(n) for n in (latest.limit, latest.in_flight))
            self.chart.set_label("limit", self.tr("limit {0}").format(limit))
            self.chart.set_label("in_flight", self.tr("in flight {0}").format(in_flight))
        self._show_rates(facts.snapshot if facts.is_running else None)

    def _show_rates(self, now: Snapshot | None) -> None:
        if now is None:
            self.tokens.refresh(None, None)
            self.requests.refresh(None, None)
        else:
            self.tokens.refresh(now.tokens_per_s, now.told_tokens_per_s)
            self.requests.refresh(now.requests_per_s, now.told_requests_per_s)


def named(name: str, figure: str) -> str:
    """The word at a curve's end: name and figure, which stay together."""
    return f"{name}{NBSP}{NBSP}{figure}"
