"""Tells the listener how a run stands, four times a second, and keeps one line of it a second.

What goes wrong in a listener stays there: it is logged and the run goes on. What goes wrong in
keeping the figures is handed to the runner, whose project file it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from batchdesk.domain.snapshot import LimitKind, Snapshot
from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.attempt_log import AttemptLog
from batchdesk.engine.changes import ChangeLog
from batchdesk.engine.events import Event, Listener, RunStateChanged, SnapshotTaken, Stalled
from batchdesk.engine.snapshots import Standing, figures_of
from batchdesk.store.journal import RunJournal

_log = logging.getLogger(__name__)

_SNAPSHOT_EVERY_S = 0.25
_TICK_EVERY = 4  # snapshots per kept line of figures


class Reporter:
    """Reports on one run.

    Args:
        changes: Of limits, on their way to the screen and into the file.
        log: Of attempts.
        take: The figures of this moment.
        on_error: Is told when figures could not be kept.
    """

    def __init__(
        self,
        *,
        journal: RunJournal,
        listener: Listener,
        standing: Standing,
        changes: ChangeLog,
        log: AttemptLog,
        take: Callable[[], Snapshot],
        on_error: Callable[[Exception], None],
    ) -> None:
        self._journal = journal
        self._listener = listener
        self._standing = standing
        self._changes = changes
        self._log = log
        self._take = take
        self._on_error = on_error

    def moved(self, state: RunState, cause: ErrorKind | None, message: str | None) -> None:
        """The run has moved to a state."""
        self._tell(RunStateChanged(self._journal.run_id, state, cause, message))

    def stalled(self, for_s: float) -> None:
        """Nothing has moved for so long, and no reason is known."""
        self._tell(Stalled(self._journal.run_id, for_s, self._standing.hold))

    def show(self) -> None:
        """The figures of this moment, with the tasks that changed since the last ones."""
        self._log.flush()
        changed, self._standing.changed = tuple(self._standing.changed), []
        changes = self._changes.take_shown()
        for change in changes:
            if change.what is LimitKind.IN_FLIGHT:
                self._standing.limit_reason = change.reason
        snapshot = replace(self._take(), limit_changes=changes)
        self._tell(SnapshotTaken(snapshot, changed))

    async def keep(self) -> None:
        """Write the figures of this moment into the project file."""
        snapshot = self._take()
        await self._journal.tick(
            active_s=snapshot.active_s,
            at=snapshot.at,
            figures=figures_of(snapshot),
            changes=self._changes.take_kept(),
        )

    async def tick(self) -> None:
        """Show and keep, until cancelled."""
        number = 0
        while True:
            await asyncio.sleep(_SNAPSHOT_EVERY_S)
            self.show()
            number += 1
            if number % _TICK_EVERY == 0:
                try:
                    await self.keep()
                except Exception as error:  # noqa: BLE001 - the runner sorts out whose fault it is
                    self._on_error(error)

    def _tell(self, event: Event) -> None:
        try:
            self._listener(event)
        except Exception:  # noqa: BLE001 - a screen that fails must not stop the run
            _log.exception("a listener of run %s failed", self._journal.run_id)
