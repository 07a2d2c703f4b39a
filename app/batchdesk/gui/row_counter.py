"""How many rows a full run would send, counted a moment after a change, and what is left out.

A table and a job come in; a RowCount goes out once all rows were looked at. Tables above a size
are not counted, since that reads every row.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from batchdesk.domain.clean import LengthStep
from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.models.rows import used_columns
from batchdesk.session import Dataset, RowCount, Session

MOST_COUNTED = 200_000
_NOTHING = object()  # no question: the next one is another
_PAUSE_MS = 300  # after the last change, so that typing does not read the table at every key


class RowCounter(QObject):
    """Counts the rows of a full run.

    Args:
        desk: Is asked to count.

    Attributes:
        count: The rows of a full run; None while that is not known.

    Signals:
        counted(): ``count`` is another.
        failed(object): The UserError for which they cannot be counted.
    """

    counted = Signal()
    failed = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._wanted: tuple[Dataset, Job] | None = None
        self._counted_for: object = None
        self._asked: Asked | None = None
        self.count: RowCount | None = None
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(_PAUSE_MS)
        self.timer.timeout.connect(self._ask)
        desk.project_closing.connect(self.forget)

    def count_for(self, dataset: Dataset | None, job: Job | None) -> bool:
        """Count anew, a moment later, if other rows would be sent.

        Returns:
            Whether it is another question than the last; ``count`` is None then.
        """
        key = _question(dataset, job)
        if key == self._counted_for:
            return False
        self.forget()
        self._counted_for = key
        if dataset is not None and job is not None and dataset.row_count <= MOST_COUNTED:
            self._wanted = (dataset, job)
            self.timer.start()
        return True

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
        if count.unchanged:
            reasons.append(self.tr("%Ln was/were answered and did not change", "", count.unchanged))
        if not reasons:
            return ""
        return self.tr("Left out: {0}.").format(self.tr("; ").join(reasons))

    def why_none(self) -> str:
        """Why nothing can be run; empty if something can."""
        if self.count is None or self.count.sent:
            return ""
        return self.tr("No row would be sent. {0}").format(self.left_out())

    def forget(self) -> None:
        """Call off what is counted; nothing is known."""
        self.timer.stop()
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self._wanted = self._counted_for = self.count = None

    def _ask(self) -> None:
        if self._wanted is None:
            return
        dataset, job = self._wanted
        call = partial(_count, job=job, dataset=dataset)
        self._asked = self._desk.ask(call, self._have, self._not_counted)

    def _have(self, count: RowCount) -> None:
        self.count = count
        self.counted.emit()

    def _not_counted(self, error: UserError) -> None:
        self._counted_for = _NOTHING  # what is wrong may be put right elsewhere
        self.failed.emit(error)


def _question(dataset: Dataset | None, job: Job | None) -> object:
    """What the count depends on; equal for jobs that send the same rows."""
    if dataset is None or job is None:
        return None
    whole = dataset.earlier_id is not None or any(isinstance(one, LengthStep) for one in job.clean)
    used = used_columns(job, dataset.columns)
    words = (job.stages, job.provider) if whole else ()
    return dataset.id, job.data.where, used, job.clean, words


async def _count(session: Session, *, job: Job, dataset: Dataset) -> RowCount:
    return await session.count_rows(job, dataset)
