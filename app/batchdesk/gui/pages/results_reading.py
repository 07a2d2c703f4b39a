"""Reading for the Results page: a run when it is chosen, and again while it changes.

One question is under way at a time. While a run goes on, the next one waits at least a second, and
longer where the last took long, so that a large project is not read without pause.
"""

from __future__ import annotations

import asyncio
import time
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from batchdesk.domain.task import TaskState
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.results import PAGE
from batchdesk.gui.pages.results_facts import Wanted
from batchdesk.gui.sentences import sentence
from batchdesk.session import RunSummary, Session, TaskFilter, TaskView

_LEAST_MS = 1000  # between two readings of a run under way
_SHARE = 5  # reading takes at most one fifth of the time
_MOST_SKIPPED = 50_000  # skipped rows whose reasons are counted
_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Opened:
    """A run as it was when it was chosen.

    Attributes:
        columns: Of its table.
        skipped: Skipped rows by reason; None if they are too many to look at.
        sample: Its first tasks.
    """

    summary: RunSummary
    columns: Sequence[str]
    sample: Sequence[TaskView]
    skipped: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Read:
    """Figures and the ids that match the filters, in the order of the table."""

    summary: RunSummary
    ids: array[int]
    seconds: float


class ResultsReader(QObject):
    """Asks the Session for one run.

    Signals:
        opened(object): The chosen run, as ``Opened``.
        read(object): ``Read``; after ``opened``, after other filters and after changes.
        nothing(): No run is chosen.
    """

    opened = Signal(object)
    read = Signal(object)
    nothing = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._run_id: int | None = None
        self._summary: RunSummary | None = None
        self._wanted = Wanted()
        self._serial = 0  # counts runs, so that a late answer about another one is dropped
        self._busy = False
        self._dirty = False
        self._pause = QTimer(self, singleShot=True, interval=_LEAST_MS)
        self._pause.timeout.connect(self._go_on)

    @property
    def run_id(self) -> int | None:
        """The run that is shown."""
        return self._run_id

    def open(self, run_id: int | None) -> None:
        """Another run, without filters."""
        self._run_id, self._summary, self._wanted = run_id, None, Wanted()
        self._serial += 1
        self._busy = self._dirty = False
        self._pause.stop()
        if run_id is None:
            self.nothing.emit()
            return
        self._desk.ask(partial(_open, run_id=run_id), partial(self._opened, self._serial))

    def _opened(self, serial: int, opened: Opened) -> None:
        if serial == self._serial:
            self._summary = opened.summary
            self.opened.emit(opened)
            self.now()

    def want(self, wanted: Wanted) -> None:
        """Other filters; read at once."""
        self._wanted = wanted
        self.now()

    def now(self) -> None:
        """Read at once, or as soon as the reading under way is done."""
        self._pause.stop()
        self._dirty = True
        self._go_on()

    def changed(self) -> None:
        """Something of the run is other by now; read when it is time."""
        self._dirty = True
        if not self._busy and not self._pause.isActive():
            self._pause.start()

    def _go_on(self) -> None:
        if self._busy or not self._dirty or self._run_id is None or self._summary is None:
            return
        self._busy, self._dirty = True, False
        wanted = self._wanted
        self._desk.ask(
            partial(_read, run_id=self._run_id, wanted=wanted.of(self._summary.run.job)),
            partial(self._was_read, self._serial, wanted),
            partial(self._failed, self._serial),
        )

    def _was_read(self, serial: int, wanted: Wanted, read: Read) -> None:
        if serial != self._serial:
            return
        self._busy = False
        self._summary = read.summary
        if wanted != self._wanted:  # set while this was read
            self.now()
            return
        self.read.emit(read)
        self._pause.setInterval(max(_LEAST_MS, round(read.seconds * 1000 * _SHARE)))
        if self._dirty:
            self._pause.start()

    def _failed(self, serial: int, error: UserError) -> None:
        if serial == self._serial:
            self._busy = False
            self._desk.problem.emit(sentence(error))


async def _open(session: Session, *, run_id: int) -> Opened:
    summary = await session.summary(run_id)
    dataset, ids = await asyncio.gather(
        session.dataset(summary.run.dataset_id), session.task_ids(run_id)
    )
    return Opened(
        summary=summary,
        columns=dataset.columns,
        sample=await session.answered_page(run_id, ids[:PAGE]),
        skipped=await _skipped(session, run_id, summary.counts.get(TaskState.SKIPPED, 0)),
    )


async def _skipped(session: Session, run_id: int, count: int) -> dict[str, int] | None:
    if count > _MOST_SKIPPED:
        return None
    found: Counter[str] = Counter()
    if count:
        ids = await session.task_ids(run_id, TaskFilter(states=frozenset({TaskState.SKIPPED})))
        for first in range(0, len(ids), _CHUNK):
            page = await session.task_page(ids[first : first + _CHUNK])
            found.update(view.reason or "" for view in page)
    return dict(found)


async def _read(session: Session, *, run_id: int, wanted: TaskFilter) -> Read:
    began = time.monotonic()
    summary, ids = await asyncio.gather(session.summary(run_id), session.task_ids(run_id, wanted))
    return Read(summary, ids, time.monotonic() - began)
