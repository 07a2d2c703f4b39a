"""The queue's panel: how deep it is by lane and state, and whether it fills or drains."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import LaneDepth, Snapshot
from batchdesk.domain.task import RunState, TaskState
from batchdesk.gui.models.history import Point, waiting_rows
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.pages.run_panels import LivePanel, Look, curves
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.charts import Series, Stroke, TimeChart
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.widgets.states import BadgeState, StateShape
from batchdesk.gui.words import MISSING, Words

_WIDTH = 196
_COLOURS = {"waiting": "running", "to_retry": "text", "in_flight": "teal"}


def _long_rows(point: Point) -> float | None:
    """Rows in the slow lane; None where there are none, so that no line lies on the axis."""
    lane = point.slow
    return None if lane is None else float(lane.buffered + lane.waiting + lane.in_flight) or None


_CURVES: dict[str, Callable[[Point], float | None]] = {
    "in_flight": lambda point: float(point.in_flight),
    "to_retry": lambda point: float(point.in_flight + point.to_retry),
    "waiting": lambda point: float(point.in_flight + point.to_retry + point.waiting),
    "slow": _long_rows,
}


class QueuePanel(LivePanel):
    """Rows that wait, wait to be tried again and are in flight, one on the other, by lane."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Queue depth"), self.tr("rows"))
        self._words = words
        self.chart = TimeChart(
            [
                Series("waiting", "", "running", fill="running.tint", label=False),
                Series("to_retry", "", "text", Stroke.DOT, label=False),
                Series("in_flight", "", "teal", fill="teal", label=False),
                Series("slow", "", "violet", Stroke.DASH, label=False),
            ],
            words=self.tr("Queue depth over time"),
        )
        side = QVBoxLayout()
        side.setSpacing(0)
        side.addLayout(self._table())
        side.addStretch(1)
        self.moves = PlainLabel("", Type.LABEL, "text2", wrap=True)
        side.addWidget(self.moves)
        self.place(self.chart, side, _WIDTH)

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(6)
        grid.setColumnStretch(1, 1)
        self.heads = [  # names have the colours of their curves
            ElidingLabel(name, Type.LABEL, colour, least=30, align=RIGHT)
            for name, colour in (
                (self.tr("Fast", "lane"), "text2"),
                (self.tr("Slow", "lane"), "violet"),
            )
        ]
        for column, head in enumerate(self.heads):
            grid.addWidget(head, 0, 2 + column, Qt.AlignmentFlag.AlignRight)
        self.figures: dict[str, tuple[ElidingLabel, ElidingLabel]] = {}
        for line, (key, name, state) in enumerate(self._lines(), start=1):
            if state is not None:
                grid.addWidget(StateShape(state, name, 13), line, 0)
            colour = _COLOURS.get(key, "text2")
            grid.addWidget(ElidingLabel(name, Type.LABEL, colour, least=40), line, 1)
            fast, slow = (
                ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=36, align=RIGHT)
                for _ in range(2)
            )
            self.figures[key] = (fast, slow)
            grid.addWidget(fast, line, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(slow, line, 3, Qt.AlignmentFlag.AlignRight)
        return grid

    def _lines(self) -> list[tuple[str, str, BadgeState | None]]:
        return [
            ("waiting", self.tr("Waiting"), BadgeState.WAITING),
            ("to_retry", self.tr("To retry"), BadgeState.RETRY),
            ("in_flight", self.tr("In flight"), BadgeState.RUNNING),
            ("oldest", self.tr("Oldest wait"), None),
        ]

    def refresh(self, look: Look) -> None:
        """Show a run as it stands, or as it stood."""
        # a queue that rests stays as deep as it is: no breaks
        self.chart.set_source(partial(curves, look.history, _CURVES, breaks=False))
        facts, point = look.facts, look.point
        snapshot = facts.snapshot if facts.is_running else None
        if look.at is not None and point is not None:
            self._show_point(point)
        elif snapshot is not None:
            held = waiting_rows(snapshot.counts, snapshot.in_flight)
            self._show_lanes(snapshot.fast, snapshot.slow, held)
        else:
            waiting = self._words.number(waiting_rows(facts.counts, 0))
            self._show(waiting, self._words.number(facts.count(TaskState.WAITING)), "0")
        self._show_moves(facts, point if look.at is not None else snapshot)

    def _show(self, waiting: str, to_retry: str, in_flight: str) -> None:
        """All rows together: which lane they belong to is known only while they are queued."""
        self.set_subtitle(self.tr("rows"))
        for head in self.heads:
            head.setVisible(False)
        for key, words in {
            "waiting": waiting,
            "to_retry": to_retry,
            "in_flight": in_flight,
            "oldest": MISSING,
        }.items():
            self.figures[key][0].set_text(words)
            self.figures[key][1].setVisible(False)

    def _show_point(self, point: Point) -> None:
        if point.fast is not None and point.slow is not None:
            self._show_lanes(point.fast, point.slow, point.waiting)
        else:
            counts = (point.waiting, point.to_retry, point.in_flight)
            self._show(*(self._words.number(n) for n in counts))

    def _show_lanes(self, fast: LaneDepth, slow: LaneDepth, waiting: int) -> None:
        """``waiting``: all rows that may be sent, also those that are still in the file."""
        in_file = waiting - fast.buffered - slow.buffered
        more = self.tr("rows; {0} more in the project file").format(self._words.number(in_file))
        self.set_subtitle(more if in_file > 0 else self.tr("rows"))
        for column, lane in enumerate((fast, slow)):
            self.heads[column].setVisible(True)
            for key, said in self._of_lane(lane).items():
                figure = self.figures[key][column]
                figure.set_text(said)
                figure.setVisible(True)

    def _of_lane(self, lane: LaneDepth) -> dict[str, str]:
        words = self._words
        return {
            "waiting": words.number(lane.buffered),
            "to_retry": words.number(lane.waiting),
            "in_flight": words.number(lane.in_flight),
            "oldest": words.duration(lane.oldest_wait_s) if lane.oldest_wait_s else MISSING,
        }

    def _show_moves(self, facts: RunFacts, then: Point | Snapshot | None) -> None:
        """``then``: the moment that is read, or now; None: nothing moves."""
        self.moves.set_colour("review" if then is not None and then.growing else "text2")
        words = self._moves(facts) if then is None else self._moved(then)
        if self.moves.text() != words:
            self.moves.setText(words)

    def _moved(self, then: Point | Snapshot) -> str:
        rows_in, out = (
            self._words.number(per_s * 60) for per_s in (then.fill_per_s, then.finished_per_s)
        )
        if then.growing:
            return self.tr("{0} rows/min in, {1} out: grows without end").format(rows_in, out)
        if then.fill_per_s > 0:
            return self.tr("{0} rows/min in, {1} out").format(rows_in, out)
        return self.tr("{0} rows/min out").format(out)

    def _moves(self, facts: RunFacts) -> str:
        if facts.open == 0:
            return self.tr("The queue is empty")
        if facts.state is RunState.PAUSED:
            return self.tr("Nothing moves: the run is paused")
        return self.tr("Nothing moves: the run is not under way")
