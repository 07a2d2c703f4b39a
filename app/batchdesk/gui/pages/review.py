"""The Review page: doubtful answers one after the other, decided by single keys.

It reads the queue of the chosen run, shows one item in three columns, and writes decisions. The
next item shows only once a decision is on disk; whatever fails leaves the item where it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from batchdesk.domain.verdict import Decision
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.queue import QueueModel, is_unusable
from batchdesk.gui.pages import review_asks as asks
from batchdesk.gui.pages.review_actions import ActionBar
from batchdesk.gui.pages.review_answer import AnswerPanel, fits_form
from batchdesk.gui.pages.review_deciding import Decider
from batchdesk.gui.pages.review_empty import NothingWaits
from batchdesk.gui.pages.review_head import ReviewTools
from batchdesk.gui.pages.review_keys import KeysPopover, add_key
from batchdesk.gui.pages.review_modes import Mode, Modes
from batchdesk.gui.pages.review_queue import QueueCounts, QueuePanel
from batchdesk.gui.pages.review_reading import QueueReader
from batchdesk.gui.pages.review_sitting import ClockWatch, ItemClock, Step
from batchdesk.gui.pages.review_source import SourcePanel
from batchdesk.gui.pages.review_walk import Walk
from batchdesk.gui.widgets.page import Page
from batchdesk.gui.widgets.panel import side_by_side
from batchdesk.gui.words import Words
from batchdesk.session import StoredRun, TaskView


class ReviewPage(Page):
    """Queue, source, answer and the bar of actions.

    Args:
        desk: Where runs are chosen and the Session is asked.
        now: A monotonic clock, seconds.
    """

    def __init__(
        self, desk: Desk, now: Callable[[], float] = time.monotonic, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self.head.set_title(self.tr("Review"))
        self.head.setVisible(True)
        self.desk = desk
        self.clock = ItemClock(now)
        self.words = Words(self)
        self._run: StoredRun | None = None
        self._dead = 0  # failed rows of the run
        self._out_of_date = False  # answers came while the page was not shown
        model = QueueModel(self.words, self)
        self.tools = ReviewTools(desk, self.words)
        self.queue = QueuePanel(model, self.words)
        self.source = SourcePanel(self.words)
        self.answer = AnswerPanel(self.words)
        self.bar = ActionBar()
        self.walk = Walk(desk, model, self.queue.table, self)
        self.reader = QueueReader(desk, self.queue.wanted, self)
        self.decider = Decider(desk, self)
        self._lay_out()
        self.modes = Modes(self.answer, self.bar, self.queue.table, self._make_keys())
        self._listen()
        ClockWatch(self.clock, self)
        self._forget()
        self._reload()

    @property
    def mode(self) -> Mode:
        """What the keyboard is for."""
        return self.modes.mode

    # -- making -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.head.add_tool(self.tools)
        item = side_by_side(self.source, self.answer, sizes=(456, 352), wide=0)
        self.empty = NothingWaits()
        self.right = QStackedWidget()
        self.right.addWidget(item)
        self.right.addWidget(self.empty)
        self.column.addWidget(side_by_side(self.queue, self.right, sizes=(264, 816), wide=1), 1)
        self.column.addWidget(self.bar)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)
        self.setFocusProxy(self.queue.table)

    def _make_keys(self) -> list[QShortcut]:
        """The keys of all modes; returns the letters, which rest while text is typed."""
        for key in ("Ctrl+Return", "Ctrl+Enter"):
            add_key(self, key, self.save, repeats=False)
        add_key(self, "Esc", self.leave, repeats=False)
        acts: dict[str, Callable[[], None]] = {
            "A": self.accept,
            "E": self.edit,
            "R": self.reject,
            "T": self.again,
            "S": self.later,
            "U": self.undo,
            "J": partial(self.walk.step, 1),
            "K": partial(self.walk.step, -1),
            "/": self.search,
            "?": self.show_keys,
        }
        return [add_key(self, key, act, repeats=key in {"J", "K"}) for key, act in acts.items()]

    def _listen(self) -> None:
        bar, desk = self.bar, self.desk
        for wanted, act in (
            *((bar.accept, self.accept), (bar.edit, self.edit), (bar.reject, self.reject)),
            *((bar.again, self.again), (bar.later, self.later), (bar.undo, self.undo)),
            *((bar.keys, self.show_keys), (bar.save, self.save), (bar.leave, self.leave)),
            (bar.noted, self._noted),
        ):
            wanted.connect(act)
        self.walk.leaving.connect(self._leave_item)
        self.walk.shown.connect(self._show_item)
        self.reader.loaded.connect(self._loaded)
        self.reader.arrived.connect(self._arrived)
        self.reader.counted.connect(self._counted)
        self.decider.decided.connect(self._decided)
        self.decider.undone.connect(self._undone)
        self.decider.refused.connect(self._checks_refused)
        for failures in (self.walk.failed, self.decider.failed):
            failures.connect(self._failed)
        for left in (self.queue.left, self.tools.left):
            left.connect(self.queue.table.setFocus)
        self.queue.filter_changed.connect(self._reload)
        self.answer.changed.connect(self.modes.edited)
        self.empty.activated.connect(self._leave_filters)
        self.tools.resume.connect(self._resume)
        desk.project_changed.connect(self._forget)
        desk.run_changed.connect(self._run_chosen)
        desk.tasks_changed.connect(self._tasks_changed)
        desk.run_state.connect(self._offer_resume)

    # -- the queue --------------------------------------------------------------------------

    def _forget(self) -> None:
        """Another project, or none: nothing of the old one may be shown or decided."""
        self._run = None
        self.modes.forget()
        self.decider.forget()
        self.reader.forget()
        self.queue.reset()
        self.head.set_subtitle("")
        self.walk.forget()
        self.bar.say("")
        self._offer_resume()

    def _run_chosen(self) -> None:
        if self._run is not None and self._run.id != self.desk.run_id:
            self._forget()
        self._reload()

    def _reload(self) -> None:
        run_id = self.desk.run_id if self.desk.session is not None else None
        self.reader.load(run_id, self.walk.current)

    def _loaded(self, read: asks.QueueRead, keep: int | None) -> None:
        self._run = read.run
        self.answer.set_job(read.run.job)
        self.source.set_job(read.run.job)
        self.walk.take_over(read.ids, keep)
        self._show_counts(read.counts)
        self._offer_resume()

    def _tasks_changed(self, run_id: int, ids: Sequence[int]) -> None:
        if self._run is not None and run_id == self._run.id:
            self.walk.changed(ids)
            self._look()

    def _look(self) -> None:
        """Look for new doubtful answers, or do so once the page is shown."""
        self._out_of_date = not self.isVisible()
        if not self._out_of_date:
            self.reader.look_soon()

    def _arrived(self, read: asks.QueueRead) -> None:
        self.walk.join(read.ids)
        self._show_counts(read.counts)

    def _show_counts(self, counts: QueueCounts) -> None:
        self.queue.show_counts(counts)
        self._dead = counts.dead
        self.decider.earlier = counts.latest
        self.head.set_subtitle(self.tools.subtitle(self._run, counts.progress))
        self._allow()
        self._show_empty()

    def _counted(self, counts: QueueCounts) -> None:
        self._show_counts(counts)
        self.desk.refresh_runs()  # the rail and the Runs page count what waits, too

    # -- showing an item --------------------------------------------------------------------

    def _leave_item(self) -> None:
        self.modes.leave_item(self.walk.view)
        self.clock.restart()

    def _show_item(self, view: TaskView | None) -> None:
        self.answer.show_view(view)
        self.source.show_view(view)
        self._allow()
        self._show_empty()
        if view is not None:
            self.desk.ask(partial(asks.read_item, task_id=view.id), partial(self._read_item, view))

    def _read_item(self, view: TaskView, found: tuple[Any, Any]) -> None:
        if view is self.walk.view:
            self.source.show_attempts(view, *found)

    def _show_empty(self) -> None:
        """The item, or what it means that there is none."""
        self.right.setCurrentIndex(0 if self.walk.current is not None else 1)
        failed = self.words.number(self._dead) if self._dead else ""
        filtered = self.queue.is_filtered()
        self.empty.explain(no_run=self._run is None, filtered=filtered, failed=failed)

    def _leave_filters(self) -> None:
        self.queue.clear_filters(dead=not self.queue.is_filtered())
        self.queue.table.setFocus()

    def _allow(self) -> None:
        view, run = self.walk.view, self._run
        accept = ""
        if view is not None and run and not fits_form(view, run.job.stages[0].output):
            accept = self.tr("There is no answer in the asked form; edit it or try again")
        self.bar.allow(
            reason="" if view is not None else self.tr("No item is chosen"),
            accept_reason=accept,
            undo_reason="" if self.decider.last else self.tr("Nothing was done yet"),
        )

    # -- deciding ---------------------------------------------------------------------------

    def accept(self) -> None:
        """The answer is right as it is; one that failed its checks takes a second press."""
        view = self.walk.view
        if view is None or not self.bar.accept_button.isEnabled():
            return
        if is_unusable(view) and not self.modes.refused:
            self.modes.offer_accepting_anyway()
            self.bar.say(self.tr("Look at the answer, then accept it anyway"), problem=True)
        else:
            self._decide(Decision.ACCEPTED)

    def reject(self) -> None:
        """The answer is wrong: asks for a note first."""
        if self.walk.view is not None:
            self.modes.change(Mode.REJECT)
            self.bar.ask_reject(self.walk.view.row_key)

    def again(self) -> None:
        """The model shall answer once more: asks what it is to be told."""
        view, run = self.walk.view, self._run
        if view is not None and run is not None:
            self.modes.change(Mode.AGAIN)
            self.bar.ask_again(view.row_key, goes_on=run.id in self.desk.under_way)

    def _noted(self, note: str) -> None:
        decision = Decision.REJECTED if self.mode is Mode.REJECT else Decision.RERUN
        self._decide(decision, note=note or None)

    def _decide(self, decision: Decision, *, note: str | None = None) -> None:
        view = self.walk.view
        if view is not None:
            seconds = self.clock.seconds()
            self.decider.decide(view, self.walk.row, decision, seconds=seconds, note=note)

    def later(self) -> None:
        """The item goes to the end of the queue for this sitting."""
        view = self.walk.view
        if view is not None and not self.decider.busy:
            self.decider.sitting.did(Step(view.id, view.row_key, self.walk.row))
            self.walk.put_off(view.id)
            self.bar.say(self.tr("{0} comes later").format(view.row_key))

    def undo(self) -> None:
        """Takes the last step back: of this sitting, then of earlier ones."""
        if self._run is not None:
            self.decider.undo(self._run.id)

    def _decided(self, step: Step) -> None:
        self.reader.changed()
        if step.task_id == self.walk.current:
            self.modes.change(Mode.READ)  # before the item is left: what was typed is decided now
        self.modes.drop_draft(step.task_id)
        self.walk.leave_out(step.task_id)
        word = self.words.decision(step.decision) if step.decision else ""
        self.bar.say(self.tr("{0} {1}", "row and decision").format(step.row_key, word))
        self._allow()
        self._offer_resume()

    def _undone(self, step: Step) -> None:
        self.reader.changed()
        self.walk.put_back(step.row, step.task_id)
        self.bar.say(self.tr("{0} waits again").format(step.row_key))
        self._allow()
        self._offer_resume()

    def _failed(self, sentence: str) -> None:
        self.reader.changed()  # perhaps another decision can be undone now
        self._allow()
        self.bar.say(sentence, problem=True)

    # -- editing ----------------------------------------------------------------------------

    def edit(self) -> None:
        """The form takes changes; what was typed before is still there."""
        if self.walk.view is not None:
            self.modes.edit(self.walk.view)

    def save(self) -> None:
        """Accept what was edited, after its checks, or anyway the second time."""
        view, run = self.walk.view, self._run
        if self.mode is not Mode.EDIT or view is None or run is None:
            return
        answer, seconds, row = self.answer.answer(), self.clock.seconds(), self.walk.row
        if answer is None:
            self.bar.say(self.tr("There is nothing to accept yet."), problem=True)
        elif answer == view.answer and is_unusable(view) and not self.modes.refused:
            self.modes.offer_saving_anyway()
        elif answer == view.answer:
            self.decider.decide(view, row, Decision.ACCEPTED, seconds=seconds)
        elif self.modes.refused:
            self.decider.decide(view, row, Decision.EDITED, seconds=seconds, answer=answer)
        else:
            self.decider.check_then_edit(view, row, run.job, answer, seconds=seconds)

    def _checks_refused(self, found: Sequence[Any]) -> None:
        if self.mode is Mode.EDIT:
            self.answer.show_edit_findings(found)
            self.modes.offer_saving_anyway()

    # -- keys -------------------------------------------------------------------------------

    def leave(self) -> None:
        """Esc: leaves editing, a note, or the search."""
        view = self.walk.view
        if self.mode is Mode.EDIT and view is not None:
            self.modes.drop_draft(view.id)
            self.answer.show_view(view)
        elif self.queue.search.hasFocus():
            self.queue.search.clear()
        self.modes.change(Mode.READ)
        self.queue.table.setFocus()

    def search(self) -> None:
        """The search field has the focus."""
        self.queue.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.queue.search.selectAll()

    def show_keys(self) -> None:
        """All keys, in a popover."""
        KeysPopover(self).open_above(self.bar)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Space:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.source.scroll_page(back=back)
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up} and self.mode is Mode.READ:
            self.walk.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    # -- the run and the clock --------------------------------------------------------------

    def _offer_resume(self) -> None:
        going_on = self._run is not None and self._run.id in self.desk.under_way
        if going_on:
            self.decider.sitting.resumed()
        self.tools.offer_resume(self.decider.sitting.reruns)

    def _resume(self) -> None:
        self.queue.table.setFocus()  # the button goes away; the keys are for the items again
        if self._run is not None:
            self.desk.resume(self._run.id)

    def shown(self) -> None:
        """The window shows the page: the items have the focus."""
        self.queue.table.setFocus()
        if self._out_of_date:
            self._look()

    def help_text(self) -> str:
        """What the page is for."""
        return self.tr(
            "Answers that a check finds doubtful wait here. Read the source, then accept (A), edit "
            "(E), reject (R) or try again (T). The next item follows by itself; U takes the last "
            "step back, and ? shows all keys."
        )
