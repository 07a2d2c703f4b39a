"""Tries the row on show: the button for it, the wait, and the outcome below the row.

A job, a table and a row come in; nothing goes out. An outcome goes away once it is not that of
the row and prompt on show.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.prompt_trial import TrialPart
from batchdesk.gui.sentences import sentence
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, StoredRow
from batchdesk.session.authoring import Trial, try_row


class Trying(QObject):
    """Makes trials.

    Args:
        desk: Is asked.
        words: Numbers and findings for people.

    Attributes:
        button: Starts a trial; put it where the row is named.
        outcome: Put it below the row.
    """

    def __init__(self, desk: Desk, words: Words, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._job: Job | None = None
        self._dataset: Dataset | None = None
        self._row: StoredRow | None = None
        self._asked: Asked | None = None
        self._number = 0  # of the trial whose outcome is wanted; 0: of none
        self._last = 0
        self.button = Button(self.tr("Try it"), icon="play", height=26)
        self.outcome = TrialPart(words)
        self.button.clicked.connect(lambda _on=False: desk.when_agreed(self.start))
        desk.project_closing.connect(self._forget)

    def show_prompt(
        self, job: Job | None, dataset: Dataset | None, row: StoredRow | None, why_not: str
    ) -> None:
        """Another prompt or row is on show; ``why_not``: why it cannot be sent."""
        is_other = job != self._job or row is not self._row
        self._job, self._dataset, self._row = job, dataset, row
        if is_other:
            self._forget()
        if self._number:
            why_not = self.tr("The answer is under way.")
        elif not why_not and row is None:
            why_not = self.tr("The table has no rows.")
        self.button.set_why_not(why_not)
        if not why_not:
            self.button.setToolTip(
                self.tr("Sends this row once and shows what comes back. Nothing of it is kept.")
            )

    def start(self) -> None:
        """Send the row on show, once it is agreed that rows leave this computer."""
        self._desk.when_agreed(self._send)

    def _send(self) -> None:
        job, dataset, row = self._job, self._dataset, self._row
        if job is None or dataset is None or row is None or self._number:
            return
        self._last = self._number = self._last + 1
        number = self._number
        self.outcome.wait()
        self.show_prompt(job, dataset, row, "")
        self._asked = self._desk.ask(
            partial(
                try_row,
                job=job,
                dataset=dataset,
                row=row,
                overrides=self._desk.settings.prices,
                network=self._desk.settings.network,
            ),
            lambda trial: self._ended(number, trial),
            lambda error: self._ended(number, error),
        )

    def _ended(self, number: int, outcome: Trial | UserError) -> None:
        if number != self._number:
            return
        self._number = 0
        if isinstance(outcome, UserError):
            self.outcome.fail(sentence(outcome))
        else:
            self.outcome.show_trial(outcome)
        self.show_prompt(self._job, self._dataset, self._row, "")

    def _forget(self) -> None:
        self._number = 0
        if self._asked is not None:
            self._asked.cancel()
            self._asked = None
        self.outcome.clear()
