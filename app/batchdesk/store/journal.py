"""All that the engine needs of the project file, for one run.

Every write returns after its commit. The engine never sees SQL; a test can hand in a journal over
an in-memory file and an inline writer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from batchdesk.domain.snapshot import LimitChange
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.store import amnesty, meters, results, runs, tasks
from batchdesk.store.results import Totals
from batchdesk.store.tasks import ClaimedTask, TaskOutcome, WaitingTask
from batchdesk.store.writer import Writes

T = TypeVar("T")


class Reads(Protocol):
    """What a journal needs for reading."""

    async def read(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Run a reading operation and return its result."""


class RunJournal:
    """One run in the project file."""

    def __init__(self, run_id: int, writer: Writes, reader: Reads) -> None:
        self.run_id = run_id
        self._writer = writer
        self._reader = reader

    async def claim(self, count: int, again: int | None = None) -> tuple[int, list[ClaimedTask]]:
        """(batch id, the next pending tasks, now marked running).

        Args:
            again: At most so many that were asked for again, while there are new ones.
        """

        def operation(connection: sqlite3.Connection) -> tuple[int, list[ClaimedTask]]:
            claimed = tasks.claim_pending(connection, self.run_id, count, again)
            return (runs.next_batch(connection, self.run_id) if claimed else 0), claimed

        return await self._writer.run(operation)

    async def claim_due(self, task_ids: Sequence[int]) -> tuple[int, list[ClaimedTask]]:
        """(batch id, these waiting tasks, now marked running)."""

        def operation(connection: sqlite3.Connection) -> tuple[int, list[ClaimedTask]]:
            claimed = tasks.claim_waiting(connection, task_ids)
            return (runs.next_batch(connection, self.run_id) if claimed else 0), claimed

        return await self._writer.run(operation)

    async def claimed(self, task_ids: Sequence[int]) -> list[ClaimedTask]:
        """Read these tasks, which are marked running already, in the order of the table."""
        return await self._reader.read(partial(tasks.claimed, task_ids=task_ids))

    async def record(self, outcome: TaskOutcome) -> None:
        """Attempt, exchange, result and state in one transaction."""
        await self._writer.run(partial(tasks.record, outcome=outcome))

    async def give_back(
        self, attempts: Mapping[int, Sequence[int]], due_at: float
    ) -> list[WaitingTask]:
        """Uncount attempts (numbers by task); returns the dead letters that wait again."""
        return await self._writer.run(partial(amnesty.give_back, attempts=attempts, due_at=due_at))

    async def reusable(self, versions: Sequence[str]) -> dict[str, int]:
        """Input version → result id of an earlier good answer."""
        return await self._reader.read(partial(tasks.reusable, versions=versions))

    async def record_reused(self, reused: Sequence[tuple[int, str, int]], at: float) -> None:
        """(task id, input version, result id): these tasks take an earlier answer."""
        await self._writer.run(partial(tasks.record_reused, reused=reused, at=at))

    async def release(self) -> None:
        """Give back everything that was claimed and not finished."""
        await self._writer.run(partial(tasks.release, run_id=self.run_id))

    async def waiting(self) -> list[WaitingTask]:
        """All tasks that wait for their next try."""
        return await self._reader.read(partial(tasks.waiting, run_id=self.run_id))

    async def counts(self) -> dict[TaskState, int]:
        """Tasks by state."""
        return await self._reader.read(partial(runs.counts, run_id=self.run_id))

    async def totals(self) -> Totals:
        """Requests, tokens and failures so far."""
        return await self._reader.read(partial(results.totals, run_id=self.run_id))

    async def latest_figures(self) -> dict[str, Any]:
        """The last figures that ``tick`` kept; empty before the first."""
        return await self._reader.read(partial(meters.latest, run_id=self.run_id))

    async def set_state(
        self, state: RunState, *, cause: ErrorKind | None = None, cause_message: str | None = None
    ) -> None:
        """Move the run to a state."""
        await self._writer.run(
            partial(
                runs.set_state,
                run_id=self.run_id,
                state=state,
                cause=cause,
                cause_message=cause_message,
            )
        )

    async def tick(
        self,
        *,
        active_s: float,
        at: float,
        figures: Mapping[str, Any],
        changes: Sequence[LimitChange] = (),
    ) -> None:
        """Once a second, for later viewing: how long the run has been active, and its figures.

        ``changes`` are the gate's since the last call, with their times in epoch seconds.
        """

        def operation(connection: sqlite3.Connection) -> None:
            runs.set_active(connection, self.run_id, active_s)
            meters.add(connection, self.run_id, at, figures)
            meters.add_limit_changes(connection, self.run_id, changes)

        await self._writer.run(operation)
