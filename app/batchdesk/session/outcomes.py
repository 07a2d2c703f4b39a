"""What came out of runs: tasks, attempts, figures over time, dead letters, exports.

The part of a Session that reads results. Front ends reach it through ``Session``.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from batchdesk.domain.snapshot import LimitChange
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import TableError
from batchdesk.prepare.masking import tokens_in, unmask_value
from batchdesk.session.costs import costs_of
from batchdesk.session.dead import DeadLetters
from batchdesk.session.exporting import export_run, filled_in
from batchdesk.session.library import Library
from batchdesk.session.pasting import paste_run, workbook_of
from batchdesk.settings import Settings
from batchdesk.store import meters, preparing, results
from batchdesk.store.dead import DeadKind, DeadLetter
from batchdesk.store.project import Project
from batchdesk.store.results import AttemptView, TaskFilter, TaskView
from batchdesk.store.reviews import Move
from batchdesk.store.runs import StoredRun
from batchdesk.store.writer import Connection


class Outcomes(Library, ABC):
    """What came out of one project's runs.

    Args:
        on_move: Told of tasks that a person moved: a run under way looks for them.
    """

    def __init__(self, project: Project, on_move: Callable[[Move], None]) -> None:
        super().__init__(project)
        self._dead = DeadLetters(project, on_move)

    _settings: Callable[[], Settings]  # the person's settings as they are then

    @abstractmethod
    async def run(self, run_id: int) -> StoredRun:
        """One run."""

    async def task_ids(self, run_id: int, wanted: TaskFilter | None = None) -> array[int]:
        """Ids of a run's tasks that match, in the order of the table."""
        return await self._project.read(
            partial(results.task_ids, run_id=run_id, wanted=wanted or TaskFilter())
        )

    async def task_page(self, ids: Sequence[int]) -> list[TaskView]:
        """The tasks with these ids."""
        return await self._project.read(partial(results.task_page, ids=ids))

    async def answered_page(self, run_id: int, ids: Sequence[int]) -> list[TaskView]:
        """These tasks of a run; a skipped row has the answer that stands for it, as exported."""

        def read(connection: Connection) -> list[TaskView]:
            return filled_in(connection, run_id, results.task_page(connection, ids))

        return await self._project.read(read)

    async def unmasked(self, answer: Any) -> Any:
        """An answer with what its masks stand for, for a person to read on this computer."""
        tokens = tokens_in(json.dumps(answer))
        if not tokens:
            return answer
        known = await self._project.read(partial(preparing.masks, tokens=tokens))
        return unmask_value(answer, known)

    async def attempts(self, task_id: int) -> list[AttemptView]:
        """All attempts of a task with their raw exchanges, the newest first."""
        return await self._project.read(partial(results.attempts, task_id=task_id))

    async def meter_series(self, run_id: int) -> list[tuple[float, dict[str, Any]]]:
        """The figures kept of a run, one line a second: (epoch seconds, figures)."""
        return await self._project.read(partial(meters.series, run_id=run_id))

    async def latest_figures(self, run_id: int) -> dict[str, Any]:
        """The last line of ``meter_series``; empty if there is none."""
        return await self._project.read(partial(meters.latest, run_id=run_id))

    async def limit_changes(self, run_id: int) -> list[LimitChange]:
        """Every change of the limits of a run, in the order of time."""
        return await self._project.read(partial(meters.limit_changes, run_id=run_id))

    # -- dead letters -----------------------------------------------------------------------

    async def dead_letters(self, run_id: int) -> Mapping[ErrorKind, DeadKind]:
        """A run's dead letters: how many of each kind, the most frequent first."""
        return await self._dead.kinds(run_id)

    async def dead_page(
        self, run_id: int, *, kind: ErrorKind | None = None, after_id: int = 0, count: int = 100
    ) -> list[DeadLetter]:
        """A run's next dead letters in the order of the table, after the task with an id."""
        return await self._dead.page(run_id, kind=kind, after_id=after_id, count=count)

    async def rerun(
        self,
        run_id: int,
        *,
        task_ids: Collection[int] | None = None,
        kind: ErrorKind | None = None,
        reviewer: str = "",
    ) -> int:
        """Ask dead letters again: all, those of one kind, or these; returns how many.

        One commit, however many. A run under way sends them at once, else they are sent when it is
        resumed. Each is a decision that can be undone like any other as long as it was not sent.
        """
        await self.run(run_id)
        return await self._dead.rerun(run_id, task_ids=task_ids, kind=kind, reviewer=reviewer)

    async def export_dead(
        self, run_id: int, target: Path, *, kind: ErrorKind | None = None, overwrite: bool = True
    ) -> int:
        """Write a run's dead letters to a file of any format; returns how many.

        The columns of the table, and each row's kind of failure, last message, attempts and last
        raw response.

        Raises:
            TableError: as for ``export``.
        """
        dataset = await self.dataset((await self.run(run_id)).dataset_id)
        return await self._dead.export(run_id, dataset, target, kind=kind, overwrite=overwrite)

    # -- results ----------------------------------------------------------------------------

    async def export(
        self, run_id: int, target: Path, *, overwrite: bool = True, unmask: bool = True
    ) -> int:
        """Write a run's rows to a file in the format of its suffix; returns how many.

        Works while the run goes on. Rows that were skipped as duplicates, as unchanged or as part
        of the pilot have the answer of the task that stands for them. Costs are by the
        person's own prices, else by the list's at the time of each request.

        Args:
            unmask: Whether what was masked stands in the answers again.

        Raises:
            TableError: the format is unknown, the file cannot be written, it is the table that the
                rows were read from, or it exists and is not to be overwritten.
        """
        run = await self.run(run_id)
        dataset = await self.dataset(run.dataset_id)
        costs = costs_of(run.job.provider, self._settings().prices)
        write = partial(export_run, self._project, run_id, run.job, dataset, target, costs=costs)
        return await asyncio.to_thread(write, overwrite=overwrite, unmask=unmask)

    async def workbook(self, run_id: int) -> Path | None:
        """The workbook that a run's rows came from, if it is there as it was imported."""
        dataset = await self.dataset((await self.run(run_id)).dataset_id)
        try:
            return await asyncio.to_thread(workbook_of, dataset)
        except TableError:
            return None

    async def export_into_copy(
        self, run_id: int, target: Path, *, overwrite: bool = True, unmask: bool = True
    ) -> int:
        """Write a copy of the workbook that a run's rows came from, with the answers beside them.

        Returns how many rows have something beside them: the run's.

        Raises:
            TableError: there is no such workbook as it was imported, or as for ``export``.
        """
        run = await self.run(run_id)
        dataset = await self.dataset(run.dataset_id)
        costs = costs_of(run.job.provider, self._settings().prices)
        write = partial(paste_run, self._project, run_id, run.job, dataset, target, costs=costs)
        return await asyncio.to_thread(write, overwrite=overwrite, unmask=unmask)
