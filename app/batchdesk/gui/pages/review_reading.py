"""Reading the review queue: when the person asks, when something was decided, and as answers come.

A run's id goes in; what was read comes out as signals. What was read before the latest change is
thrown away, so that a decided task never comes back by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from batchdesk.gui.desk import Desk
from batchdesk.gui.pages import review_asks as asks
from batchdesk.session import QueueFilter

_COUNT_MS = 100  # after the last decision, until the counts are read anew
_ARRIVALS_MS = 1000  # between looks for new doubtful answers while a run goes on


class QueueReader(QObject):
    """Reads the queue of one run.

    Args:
        desk: Where the Session is asked.
        wanted: The filter as it is now.

    Signals:
        loaded(QueueRead, object): The whole queue; the task to stay at, or None.
        arrived(QueueRead): The queue again; new tasks in it join the end.
        counted(QueueCounts): What waits by now.
    """

    loaded = Signal(object, object)
    arrived = Signal(object)
    counted = Signal(object)

    def __init__(
        self, desk: Desk, wanted: Callable[[], QueueFilter], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._wanted = wanted
        self._run_id: int | None = None
        self._stamp = 0
        self._counting = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._counting.timeout.connect(self._count)
        self._arriving = QTimer(self, singleShot=True, interval=_ARRIVALS_MS)
        self._arriving.timeout.connect(self._look)

    def load(self, run_id: int | None, keep: int | None = None) -> None:
        """Read the whole queue; ``keep`` is the task that the person is at."""
        self._run_id = run_id
        self._stamp += 1
        stamp = self._stamp

        def loaded(read: asks.QueueRead) -> None:
            if stamp == self._stamp:
                self.loaded.emit(read, keep)

        if run_id is not None:
            call = partial(asks.read_queue, run_id=run_id, wanted=self._wanted())
            self._desk.ask(call, loaded)

    def forget(self) -> None:
        """The project is gone."""
        self._stamp += 1
        self._run_id = None
        self._counting.stop()
        self._arriving.stop()

    def changed(self) -> None:
        """Something was decided or taken back: what is being read is out of date."""
        self._stamp += 1
        self._counting.start()

    def look_soon(self) -> None:
        """Tasks of the run have ended: some may be doubtful."""
        if not self._arriving.isActive():
            self._arriving.start()

    def _look(self) -> None:
        stamp = self._stamp

        def arrived(read: asks.QueueRead) -> None:
            if stamp == self._stamp:
                self.arrived.emit(read)
            else:
                self.look_soon()

        if self._run_id is not None:
            call = partial(asks.read_queue, run_id=self._run_id, wanted=self._wanted())
            self._desk.ask(call, arrived)

    def _count(self) -> None:
        stamp = self._stamp

        def counted(counts: object) -> None:
            if stamp == self._stamp:
                self.counted.emit(counts)

        if self._run_id is not None:
            self._desk.ask(partial(asks.read_counts, run_id=self._run_id), counted)
