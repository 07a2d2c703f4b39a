"""Keeps the edited job: as the project's draft at every change, as a version at every rest.

A version is made 2 s after the last change while the page is shown, when the page is left, before
a run, when asked, and when the project is closed (the Session saves its draft). The store makes
edits within ten minutes one version, until a run uses it; without a change none is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from batchdesk.domain.job import Job
from batchdesk.gui.desk import Desk
from batchdesk.session import Session, StoredJob

REST_MS = 2000


class Saving(QObject):
    """Saves the desk's job.

    Args:
        desk: Its job is kept.

    Signals:
        changed(): Whether something waits to be saved is another.
    """

    changed = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST_MS)
        self._timer.timeout.connect(self.save)
        desk.job_changed.connect(self._job_changed)
        desk.project_closing.connect(self._timer.stop)

    @property
    def waits(self) -> bool:
        """Whether the job differs from its saved version."""
        return self._desk.job is not None and self._desk.job_version is None

    def rest(self) -> None:
        """The job was changed: save it once it rests."""
        self._timer.start()

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save now if something waits; then go on."""
        self._timer.stop()
        job = self._desk.job
        if job is None or not self.waits:
            if then is not None:
                then()
            return
        self._desk.ask(partial(_save, job=job), partial(self._saved, then=then))

    def _saved(self, stored: StoredJob, then: Callable[[], object] | None) -> None:
        desk = self._desk
        if desk.job is not None and desk.job == stored.job:
            desk.edit_job(desk.job, stored.version)
        if then is not None:
            then()

    def _job_changed(self) -> None:
        self.changed.emit()


async def _save(session: Session, *, job: Job) -> StoredJob:
    return await session.save_job(job)
