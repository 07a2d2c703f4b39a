"""Writing decisions, one at a time, and taking them back.

The page says what was decided about which item; out come signals once it is on disk, or the
sentence why it could not be.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from batchdesk.domain.job import Job
from batchdesk.domain.verdict import CheckResult, Decision
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages import review_asks as asks
from batchdesk.gui.pages.review_sitting import Sitting, Step
from batchdesk.gui.sentences import sentence
from batchdesk.session import Review, TaskView


class Decider(QObject):
    """The decisions of one sitting.

    Attributes:
        sitting: What was done, for undo.
        busy: A decision is on its way to the disk; nothing else is taken meanwhile.
        earlier: The run's latest decision on disk, which undo takes back after the sitting's own.

    Signals:
        decided(Step): It is on disk.
        undone(Step): The step is taken back.
        refused(object): The checks found something in an edited answer (CheckResults).
        failed(str): Nothing was changed, and why.
    """

    decided = Signal(object)
    undone = Signal(object)
    refused = Signal(object)
    failed = Signal(str)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.sitting = Sitting()
        self.busy = False
        self.earlier: Review | None = None

    def forget(self) -> None:
        """Another run or project: what was done there cannot be undone from here."""
        self.sitting = Sitting()
        self.busy = False
        self.earlier = None

    @property
    def last(self) -> Step | None:
        """The step that undo takes back: the sitting's own, else one of an earlier sitting."""
        if self.sitting.last is not None or self.earlier is None:
            return self.sitting.last
        one = self.earlier
        return Step(one.task_id, one.row_key, 0, one.decision, one.id)

    def decide(
        self,
        view: TaskView,
        row: int,
        decision: Decision,
        *,
        seconds: float,
        answer: Any = None,
        note: str | None = None,
    ) -> None:
        """Write a decision about the item in ``row``."""
        if self.busy or self._desk.session is None:
            return
        self.busy = True
        sitting = self.sitting
        reviewer = self._desk.settings.reviewer

        def decided(review_id: int) -> None:
            if sitting is self.sitting:
                self.busy = False
                step = Step(view.id, view.row_key, row, decision, review_id)
                sitting.did(step)
                self.decided.emit(step)

        call = partial(
            asks.decide,
            task_id=view.id,
            decision=decision,
            answer=answer,
            note=note,
            reviewer=reviewer,
            seconds=seconds,
        )
        self._desk.ask(call, decided, partial(self._failed, sitting))

    def check_then_edit(
        self, view: TaskView, row: int, job: Job, answer: Any, *, seconds: float
    ) -> None:
        """Write an edited answer unless the job's checks find something in it."""
        if self.busy or self._desk.session is None:
            return
        self.busy = True
        sitting = self.sitting

        def checked(found: tuple[CheckResult, ...]) -> None:
            if sitting is not self.sitting:
                return
            self.busy = False
            if found:
                self.refused.emit(found)
            else:
                self.decide(view, row, Decision.EDITED, seconds=seconds, answer=answer)

        call = partial(asks.check, job=job, answer=answer)
        self._desk.ask(call, checked, partial(self._failed, sitting))

    def undo(self, run_id: int) -> None:
        """Take the last step back. A step that cannot be is dropped, so that earlier ones can."""
        step = self.last
        if step is None or self.busy:
            return
        if step.review_id is None:
            self.sitting.undid()
            self.undone.emit(step)
            return
        if self._desk.session is None:
            return
        self.busy = True
        sitting = self.sitting

        def undone(earlier: Review | None) -> None:
            if sitting is self.sitting:
                self.busy = False
                self.earlier = earlier
                sitting.undid()
                self.undone.emit(step)

        def failed(error: UserError) -> None:
            if sitting is self.sitting:
                self.earlier = None  # until it is read anew
                sitting.undid()
            self._failed(sitting, error)

        call = partial(asks.undo, review_id=step.review_id, run_id=run_id)
        self._desk.ask(call, undone, failed)

    def _failed(self, sitting: Sitting, error: UserError) -> None:
        if sitting is self.sitting:
            self.busy = False
            self.failed.emit(sentence(error))
