"""The Run page: where the chosen run stands, live, and the means to start, pause and stop it.

In come the desk's signals; out go the desk's commands. Figures and curves are kept while the page
is hidden, but nothing is drawn then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import LimitChange, Snapshot
from batchdesk.domain.task import RunKind, RunState
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.history import History, Point, kept_point, point_of
from batchdesk.gui.models.limit_marks import Changes
from batchdesk.gui.pages.run_dead import DeadPanel
from batchdesk.gui.pages.run_facts import Asked, RunFacts
from batchdesk.gui.pages.run_limits import LimitsButton
from batchdesk.gui.pages.run_line import RunLine, clock
from batchdesk.gui.pages.run_live import LivePanels
from batchdesk.gui.pages.run_panels import Look
from batchdesk.gui.pages.run_stalled import StalledBanner
from batchdesk.gui.pages.run_tiles import RunTiles
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import GRID
from batchdesk.gui.widgets.buttons import Button, Kind, Segments
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.states import BadgeState, StateBadge
from batchdesk.gui.words import Words
from batchdesk.gui.words_run import RunWords
from batchdesk.session import RunStateChanged, RunSummary, Session, Stalled

_BADGES = {
    RunState.PREPARING: BadgeState.WAITING,
    RunState.READY: BadgeState.WAITING,
    RunState.RUNNING: BadgeState.RUNNING,
    RunState.PAUSED: BadgeState.PAUSED,
    RunState.STOPPED: BadgeState.PAUSED,
    RunState.FINISHED: BadgeState.FINISHED,
}


class RunPage(Page):
    """Shows the run that the desk has chosen.

    Args:
        desk: What is shown and asked.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.head.set_title(self.tr("Run"))
        self.head.setVisible(True)
        self._desk = desk
        self._words = Words(self)
        self._run_words = RunWords(self._words, self)
        self._snapshot: Snapshot | None = None  # while it is newer than the run's summary
        self._asked = Asked.NOTHING
        self._cause: tuple[str, float] | None = None  # message, when; of this session
        self._history, self._changes = History(), Changes()
        self._early: list[Point] | None = None  # points that came while the kept ones were read
        self._make_head()
        self.empty = EmptyState("play-circle", "", " ")
        self.empty.activated.connect(self._leave)
        self._target = "runs"
        self.tiles = RunTiles(self._words)
        self.line = RunLine(self._words, self.start, desk.go_to.emit)
        self.stalled = StalledBanner(self._words, self.pause)
        self.live = LivePanels(self._words)
        self.dead = DeadPanel(desk, self._words)
        self.below = QStackedWidget()
        self.below.addWidget(self.live)
        self.below.addWidget(self.dead)
        self._whole = QWidget()
        column = QVBoxLayout(self._whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.stalled)
        column.addWidget(self.line)
        column.addWidget(self.tiles)
        column.addWidget(self.below, 1)
        self.column.addWidget(self._whole, 1)
        self.column.addWidget(self.empty, 1)
        desk.run_changed.connect(self._open)
        desk.runs_changed.connect(self._runs_read)
        desk.snapshot.connect(self._take)
        desk.run_state.connect(self._moved)
        desk.problem.connect(self._not_started)
        desk.stalled.connect(self._stalled)
        for changed in (desk.project_changed, desk.dataset_changed):
            changed.connect(self.refresh)
        self._open(desk.run_id or 0)

    def _make_head(self) -> None:
        self.badge = StateBadge(BadgeState.WAITING, "", turning=True)
        self.head.add_badge(self.badge)
        self.views = Segments([("live", self.tr("Live")), ("dead", self.tr("Failed rows"))])
        self.views.chosen.connect(self.show_view)
        self.limits = LimitsButton(self._desk, self._words)
        self.start_button = Button(self.tr("Start"), icon="play")
        self.pause_button = Button(self.tr("Pause"), icon="pause")
        self.stop_button = Button(self.tr("Stop"), icon="stop")
        self.start_button.clicked.connect(self.start)
        self.pause_button.clicked.connect(self.pause)
        self.stop_button.clicked.connect(self.stop)
        for tool in (
            self.views,
            self.limits,
            self.start_button,
            self.pause_button,
            self.stop_button,
        ):
            self.head.add_tool(tool)

    # -- what the window asks ---------------------------------------------------------------

    def help_text(self) -> str:
        """What the page is for."""
        return self.tr(
            "Here you watch a run and start, pause or stop it. Nothing is lost by any of these: "
            "every answer is saved at once, and a run goes on where it was. “Failed rows” shows "
            "what could not be answered, with the raw exchange, and asks again. “Ceiling” changes "
            "how hard the run pushes; “Look back” reads the figures of any moment."
        )

    def commands(self) -> Sequence[Command]:
        """Start, pause, stop, and both views."""
        return (
            Command(
                self.tr("Start or resume the run"),
                self.start,
                enabled=self.start_button.isEnabled,
            ),
            Command(self.tr("Pause the run"), self.pause, enabled=self.pause_button.isEnabled),
            Command(self.tr("Stop the run"), self.stop, enabled=self.stop_button.isEnabled),
            Command(
                self.tr("Change the limits of the run"),
                self.limits.click,
                enabled=self.limits.isEnabled,
            ),
            Command(self.tr("Show failed rows"), lambda: self.show_view("dead")),
            Command(self.tr("Look back"), lambda: self.live.below.show_view("back")),
        )

    def show_view(self, name: str) -> None:
        """Show ``live`` or ``dead``: the panels or the failed rows."""
        self.views.choose(name)
        self.below.setCurrentWidget(self.dead if name == "dead" else self.live)
        self.refresh()

    def shown(self) -> None:
        """Take the focus where no key can do harm."""
        table = self.live.flights.table if self.live.isVisible() else self.dead.table
        table.setFocus()

    # -- commands ---------------------------------------------------------------------------

    def start(self) -> None:
        """Start or resume the run."""
        self._command(Asked.START, self._desk.resume)

    def pause(self) -> None:
        """Send no more; those in flight finish."""
        self._command(Asked.PAUSE, self._desk.pause)

    def stop(self) -> None:
        """Send no more; those in flight are cancelled and sent again later."""
        self._command(Asked.STOP, self._desk.stop)

    def _command(self, asked: Asked, act: Any) -> None:
        if self._desk.run_id is not None:
            self._asked = asked
            self.refresh()
            act(self._desk.run_id)

    def _not_started(self, sentence: str) -> None:
        if sentence and self._asked is Asked.START:
            self._asked = Asked.NOTHING
            self.refresh()

    def _leave(self) -> None:
        self._desk.go_to.emit(self._target)

    # -- what comes in ----------------------------------------------------------------------

    def _open(self, run_id: int) -> None:
        """Another run is chosen: read what was kept of it, then show it."""
        self._snapshot = self._desk.snapshots.get(run_id) if run_id else None
        if run_id not in self._desk.under_way:
            self._snapshot = None
        self._asked, self._cause = Asked.NOTHING, None
        self.stalled.setVisible(False)
        self._history, self._changes = History(), Changes()
        self.live.forget()
        if run_id:
            self._early = []
            self._desk.ask(
                partial(_read_history, run_id=run_id),
                partial(self._history_read, run_id=run_id),
                self._history_missing,
            )
        self.show_view("live")

    def _history_read(self, kept: tuple[History, Changes], *, run_id: int) -> None:
        history, changes = kept
        if run_id != self._desk.run_id:
            return
        history.extend(self._early or ())
        self._history, self._early = history, None
        changes.extend(self._changes.all())
        self._changes = changes
        if not self._is_under_way and self._history.latest is not None:
            self.live.below.show_view("back")
        self.refresh()

    def _history_missing(self, error: UserError) -> None:
        self._history.extend(self._early or ())
        self._early = None
        self._desk.problem.emit(sentence(error))

    def _take(self, snapshot: Snapshot) -> None:
        if snapshot.run_id != self._desk.run_id:
            return
        self._snapshot = snapshot
        point = point_of(snapshot)
        if self._early is not None:
            self._early.append(point)
        self._history.add(point)
        self._changes.extend(snapshot.limit_changes)
        self.refresh()

    def _moved(self, event: RunStateChanged) -> None:
        if event.run_id != self._desk.run_id:
            return
        self._asked = Asked.NOTHING
        at = self._snapshot.at if self._snapshot else None
        self._cause = (event.message or "", at) if event.cause and at else None
        self.refresh()

    def _stalled(self, event: Stalled) -> None:
        facts = self.facts()
        if event.run_id == self._desk.run_id and facts is not None:
            self.stalled.tell(facts, event.for_s)

    def _runs_read(self) -> None:
        if self._desk.run_id not in self._desk.under_way:
            self._snapshot = None  # the summary is the newer one from here on
        self.refresh()

    @property
    def _is_under_way(self) -> bool:
        return self._desk.run_id in self._desk.under_way

    # -- what is shown ----------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def facts(self) -> RunFacts | None:
        """The run as it stands; None without one."""
        summary = self._desk.summary(self._desk.run_id)
        return RunFacts(summary, self._snapshot, self._asked) if summary else None

    def refresh(self) -> None:
        """Show the run as it stands."""
        facts = self.facts()
        tools = (self.views, self.limits, self.start_button, self.pause_button, self.stop_button)
        for widget in (self._whole, self.badge, *tools):
            widget.setVisible(facts is not None)
        self.empty.setVisible(facts is None)
        if facts is None:
            self._show_empty()
            return
        self._show_head(facts)
        self._enable(facts)
        self.stalled.refresh(facts)
        self.limits.refresh(facts.snapshot if facts.is_running else None)
        message, at = self._cause or (facts.summary.run.cause_message, None)
        now = facts.snapshot if facts.is_running else None
        advice = [self._run_words.advice(one) for one in now.advice] if now else []
        self.line.refresh(facts, message, at, advice)
        self.tiles.refresh(self._history, facts)
        if self.live.isVisible():
            self.live.refresh(Look(self._history, facts, self._changes), "\n".join(advice))
        self.dead.refresh(facts)

    def _show_empty(self) -> None:
        self.head.set_title(self.tr("Run"))
        self.head.set_subtitle("")
        desk = self._desk
        if desk.run_id is not None:
            sentence, word, self._target = self.tr("The run is being read."), "", "runs"
        elif desk.session is None:
            sentence = self.tr("Open a project or a table to run a prompt over it.")
            word, self._target = self.tr("Go to Runs"), "runs"
        elif desk.dataset is None:
            sentence = self.tr("Choose the table whose rows are to be sent.")
            word, self._target = self.tr("Go to Data"), "data"
        else:
            sentence = self.tr("Nothing has been run yet. Write the prompt, try it, then run it.")
            word, self._target = self.tr("Go to Prompt"), "prompt"
        self.empty.set_words(sentence)
        self.empty.button.setText(word)
        self.empty.button.setVisible(bool(word))
        self.empty.button.updateGeometry()

    def _show_head(self, facts: RunFacts) -> None:
        self.head.set_title(facts.summary.run.job.name)
        self.head.set_subtitle(self._subtitle(facts.summary, facts.total))
        shape = BadgeState.CAUSE if facts.is_paused_by_cause else _BADGES[facts.state]
        word = self._words.run_state(facts.state, facts.cause)
        if facts.is_running and self._asked is Asked.PAUSE:
            word = self.tr("Pausing")
        self.badge.set_state(shape, word)

    def _subtitle(self, summary: RunSummary, total: int) -> str:
        run = summary.run
        rows = {
            RunKind.PREVIEW: self.tr("preview of %Ln row(s)", "", total),
            RunKind.PILOT: self.tr("pilot of %Ln row(s)", "", total),
        }.get(run.kind, self.tr("all %Ln row(s)", "", total))
        parts = [rows, self._words.provider(run.job.provider)]
        if run.started_at is not None and run.finished_at is not None:
            ends = dict.fromkeys((clock(run.started_at), clock(run.finished_at)))
            parts.append("\u2013".join(ends))
        elif run.started_at is not None:
            parts.append(self.tr("since {0}").format(clock(run.started_at)))
        return " · ".join(parts)

    def _enable(self, facts: RunFacts) -> None:
        fresh = facts.state in {RunState.READY, RunState.PREPARING}
        self.start_button.setText(self.tr("Start") if fresh else self.tr("Resume"))
        primary = facts.can_start and not facts.is_paused_by_cause
        self.start_button.set_kind(Kind.PRIMARY if primary else Kind.SECONDARY)
        self.start_button.set_why_not(self._why_not_start(facts))
        rests = "" if facts.is_running else self.tr("The run is not under way.")
        pausing = facts.is_running and self._asked in {Asked.PAUSE, Asked.STOP}
        in_flight = facts.snapshot.in_flight if facts.snapshot else 0
        ends = self.tr("%Ln request(s) in flight are being finished.", "", in_flight)
        self.pause_button.set_why_not(ends if pausing else rests)
        self.stop_button.set_why_not(self._why_not_stop(facts))
        if not self.pause_button.toolTip():
            self.pause_button.setToolTip(
                self.tr("Sends no more requests; those in flight finish. Nothing is lost.")
            )
        if not self.stop_button.toolTip():
            self.stop_button.setToolTip(
                self.tr(
                    "Sends no more requests and gives up those in flight; they are sent again when "
                    "the run is resumed. Nothing is lost."
                )
            )

    def _why_not_stop(self, facts: RunFacts) -> str:
        if facts.is_running:
            return ""
        if facts.state is RunState.PAUSED:
            return self.tr("The run is paused: nothing is in flight, so there is nothing to stop.")
        return self.tr("The run is not under way.")

    def _why_not_start(self, facts: RunFacts) -> str:
        if facts.can_start:
            return ""
        if facts.is_running:
            return self.tr("The run is under way.")
        if facts.state is RunState.FINISHED:
            return self.tr("The run has finished; every row has an outcome.")
        return self.tr("The run is being prepared.")


async def _read_history(session: Session, *, run_id: int) -> tuple[History, Changes]:
    """What was kept of a run: figures and changes of limits; taken aside, as it may be long."""
    series, limits = await session.meter_series(run_id), await session.limit_changes(run_id)
    return await asyncio.to_thread(_history_of, series), _changes_of(limits)


def _history_of(series: list[tuple[float, dict[str, Any]]]) -> History:
    history = History()
    history.extend(kept_point(at, figures) for at, figures in series)
    return history


def _changes_of(limits: Sequence[LimitChange]) -> Changes:
    changes = Changes()
    changes.extend(limits)
    return changes
