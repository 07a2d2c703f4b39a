"""Which rows are sent: the filter over the whole width, and how many rows it leaves.

A table and a job come in; the filter's text goes out, and the count of the rows that a full run
would send. Tables above a size are not counted, since that reads every row.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui import row_counter
from batchdesk.gui.desk import Desk
from batchdesk.gui.row_counter import RowCounter
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, RowCount


class RowsBar(QWidget):
    """The filter of rows and what it leaves.

    Args:
        desk: Is asked to count.
        words: Numbers for people.

    Signals:
        edited(): The person changed the filter.
        counted(): ``count`` is another.
    """

    edited = Signal()
    counted = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.counter = RowCounter(desk, self)
        self.where = QLineEdit()
        self.where.setAccessibleName(self.tr("Only rows where"))
        self.where.setPlaceholderText(self.tr("all rows"))
        self.where.setMinimumWidth(120)
        self.result = ElidingLabel("", Type.LABEL, "text2", least=120)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(PlainLabel(self.tr("Only rows where"), Type.LABEL, "text2"))
        row.addWidget(self.where, 1)
        row.addWidget(self.result, 1)
        self.where.textEdited.connect(lambda _text: self.edited.emit())
        self.counter.counted.connect(self._counted)
        self.counter.failed.connect(self._failed)
        desk.project_closing.connect(lambda: self._show(""))

    @property
    def count(self) -> RowCount | None:
        """The rows of a full run; None while that is not known."""
        return self.counter.count

    def show_filter(self, where: str) -> None:
        """Show a job's filter; no signal."""
        self.where.setText(where)

    def filter(self) -> str:
        """The condition that rows must meet to be sent; empty for all rows."""
        text = self.where.text()
        return text if text.strip() else ""

    def count_for(self, dataset: Dataset | None, job: Job | None) -> None:
        """Count anew, a moment later, if other rows of the table would be sent."""
        if not self.counter.count_for(dataset, job):
            return
        self._show("")
        if dataset is not None and job is not None and dataset.row_count > row_counter.MOST_COUNTED:
            rows = self.tr("%Ln row(s) in all", "", dataset.row_count)
            self._show(rows if not self.filter() else self.tr("Not counted: {0}").format(rows))

    def left_out(self) -> str:
        """How many rows are left out and why; empty if none or not known."""
        return self.counter.left_out()

    def why_none(self) -> str:
        """Why nothing can be run; empty if something can."""
        return self.counter.why_none()

    def _counted(self) -> None:
        count = self.counter.count
        if count is not None:
            words = self.tr("{0} of {1} rows are sent.")
            words = words.format(self._words.number(count.sent), self._words.number(count.total))
            self._show(f"{words} {self.left_out()}".strip())
            self.counted.emit()

    def _failed(self, error: UserError) -> None:
        self._show(sentence(error) if self.filter() else "", "failed")

    def _show(self, words: str, colour: str = "text2") -> None:
        self.result.set_text(words)
        self.result.set_colour(colour)
