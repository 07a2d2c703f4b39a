"""Which rows are sent: the filter over the whole width, and how many rows it leaves.

A table and a job come in; the filter's text goes out, and the count of the rows that a full run
would send. Tables above a size are not counted, since that reads every row.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, RowCount, Session

MOST_COUNTED = 200_000
_PAUSE_MS = 300  # after the last change, so that typing does not read the table at every key


class RowsBar(QWidget):
    """The filter of rows and what it leaves.

    Args:
        desk: Is asked to count.
        words: Numbers for people.

    Attributes:
        count: The rows of a full run; None while that is not known.

    Signals:
        edited(): The person changed the filter.
        counted(): ``count`` is another.
    """

    edited = Signal()
    counted = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, words
        self._wanted: tuple[Dataset, Job] | None = None
        self._counted_for: object = None
        self._asked: Asked | None = None
        self.count: RowCount | None = None
        self.where = QLineEdit()
        self.where.setAccessibleName(self.tr("Only rows where"))
        self.where.setPlaceholderText(self.tr("all rows"))
        self.where.setMinimumWidth(120)
        self.result = ElidingLabel("", Type.LABEL, "text2", least=120)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(PlainLabel(self.tr("Only rows where"), Type.LABEL, "text2"))
        row.addWidget(self.where, 1)
        row.addWidget(self.result, 1)
        self.where.textEdited.connect(lambda _text: self.edited.emit())
        desk.project_closing.connect(self._forget)

    def show_filter(self, where: str) -> None:
        """Show a job's filter; no signal."""
        self.where.setText(where)

    def filter(self) -> str:
        """The condition that rows must meet to be sent; empty for all rows."""
        text = self.where.text()
        return text if text.strip() else ""

    def count_for(self, dataset: Dataset | None, job: Job | None, used: Collection[str]) -> None:
        """Count anew, a moment later, if other rows would be sent.

        Args:
            dataset: The table.
            job: What is to be run.
            used: The columns that its prompt names; a row that is empty in all is not sent.
        """
        if dataset is None or job is None:
            self._forget()
            return
        key = (dataset.id, job.data.where, frozenset(used), job.clean)
        if key == self._counted_for:
            return
        self._forget()
        self._counted_for = key
        if dataset.row_count > MOST_COUNTED:
            rows = self.tr("%Ln row(s) in all", "", dataset.row_count)
            self._show(rows if not self.filter() else self.tr("Not counted: {0}").format(rows))
            return
        self._wanted = (dataset, job)
        self._timer.start()

    def left_out(self) -> str:
        """How many rows are left out and why; empty if none or not known."""
        count = self.count
        if count is None:
            return ""
        reasons = []
        if count.filtered:
            reasons.append(self.tr("%Ln do(es) not match the filter", "", count.filtered))
        if count.empty:
            reasons.append(self.tr("%Ln is/are empty", "", count.empty))
        if count.duplicate:
            reasons.append(self.tr("%Ln equal(s) another", "", count.duplicate))
        if count.too_long:
            reasons.append(self.tr("%Ln is/are too long", "", count.too_long))
        if not reasons:
            return ""
        return self.tr("Left out: {0}.").format(self.tr("; ").join(reasons))

    def why_none(self) -> str:
        """Why nothing can be run; empty if something can."""
        if self.count is None or self.count.sent:
            return ""
        return self.tr("No row would be sent. {0}").format(self.left_out())

    def _ask(self) -> None:
        if self._wanted is None:
            return
        dataset, job = self._wanted
        call = partial(_count, job=job, dataset=dataset)
        self._asked = self._desk.ask(call, self._have, self._failed)

    def _have(self, count: RowCount) -> None:
        self.count = count
        total = count.sent + sum((count.filtered, count.empty, count.duplicate, count.too_long))
        words = self.tr("{0} of {1} rows are sent.")
        words = words.format(self._words.number(count.sent), self._words.number(total))
        self._show(f"{words} {self.left_out()}".strip())
        self.counted.emit()

    def _failed(self, error: UserError) -> None:
        self._counted_for = None  # what is wrong may be put right elsewhere
        self._show(sentence(error) if self.filter() else "", "failed")

    def _show(self, words: str, colour: str = "text2") -> None:
        self.result.set_text(words)
        self.result.set_colour(colour)

    def _forget(self) -> None:
        self._timer.stop()
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self._wanted = self._counted_for = self.count = None
        self._show("")


async def _count(session: Session, *, job: Job, dataset: Dataset) -> RowCount:
    return await session.count_rows(job, dataset)
