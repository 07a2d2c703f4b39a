"""Which rows of the table a run sends: the filter in force, and how many rows it leaves.

A table and a job come in; the wish to change the filter goes out.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.row_counter import MOST_COUNTED, RowCounter
from batchdesk.gui.sentences import sentence
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.words import Words
from batchdesk.session import Dataset


class SentSection(QWidget):
    """The filter and the count; the filter itself is edited on the Prompt page.

    Args:
        desk: Is asked to count.
        words: Numbers for people.

    Signals:
        change_wanted(): Show where the filter is edited.
    """

    change_wanted = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._dataset: Dataset | None = None
        self._has_filter = False
        self.counter = RowCounter(desk, self)
        self.filter = note("", "text")
        self.said = note()
        self.change = Button("", Kind.FLAT, height=24, icon="arrow-right")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (self.filter, self.said, self.change):
            column.addWidget(part)
        self.change.clicked.connect(lambda _on=False: self.change_wanted.emit())
        self.counter.counted.connect(self._show_count)
        self.counter.failed.connect(self._failed)
        self.show_rows(None, None)

    def show_rows(self, dataset: Dataset | None, job: Job | None) -> None:
        """The filter of a job; its rows are counted a moment later."""
        self._dataset = dataset
        where = " ".join(job.data.where.split()) if job is not None else ""
        words = self.tr("Only rows where {0}").format(where)
        self.filter.setText(words if where else self.tr("All rows: there is no filter."))
        self.change.setText(
            self.tr("Change the filter") if where else self.tr("Send only some of the rows")
        )
        self.change.set_why_not("" if job is not None else self.tr("The prompt is being made."))
        self._has_filter = bool(where)
        self.counter.count_for(dataset, job)
        self._show_count()

    def _show_count(self) -> None:
        count, dataset = self.counter.count, self._dataset
        if count is not None:
            words = self.tr("{0} of {1} rows are sent.")
            words = words.format(self._words.number(count.sent), self._words.number(count.total))
            self._say(f"{words} {self.counter.left_out()}".strip())
        elif dataset is not None and dataset.row_count > MOST_COUNTED:
            words = self.tr("%Ln row(s) in all", "", dataset.row_count)
            self._say(self.tr("Not counted: {0}").format(words))
        else:
            self._say("")

    def _failed(self, error: UserError) -> None:
        """Without a filter it is the prompt that is wrong, which its own page says."""
        self._say(sentence(error) if self._has_filter else "", "failed")

    def _say(self, words: str, colour: str = "text2") -> None:
        self.said.setText(words)
        self.said.set_colour(colour)
        self.said.setVisible(bool(words))
