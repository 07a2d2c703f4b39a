"""The tables and jobs of a project: imported, looked at, checked, made into runs.

The part of a Session that needs no provider. Front ends reach it through ``Session``.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from batchdesk.domain.chat import Message
from batchdesk.domain.job import Job
from batchdesk.domain.task import RunKind
from batchdesk.errors import ProjectError
from batchdesk.prepare.cleaning import StepReport
from batchdesk.session.importing import Progress, import_table
from batchdesk.session.increments import (
    Comparison,
    ImportedAgain,
    compare_table,
    import_again,
)
from batchdesk.session.planning import (
    RowCount,
    Wanted,
    count_rows,
    make_planner,
    make_run,
    prepare,
    try_cleaning,
)
from batchdesk.session.profile import TableProfile, few_values, profile_table
from batchdesk.store import rows, runs
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset, StoredRow
from batchdesk.store.runs import StoredJob
from batchdesk.tables.base import ReadOptions


class Library:
    """The tables and jobs of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._draft: Job | None = None
        self._making = asyncio.Lock()  # two runs made at once would give masks the same numbers

    async def import_table(
        self,
        path: Path,
        *,
        key_column: str | None = None,
        options: ReadOptions | None = None,
        on_progress: Progress | None = None,
    ) -> Dataset:
        """Import a file as a dataset; the same file with the same options is imported once.

        Cancel the call to cancel the import; nothing of it stays.

        Raises:
            TableError: the file cannot be read, or has no such key column.
        """
        return await import_table(
            self._project,
            path,
            key_column=key_column,
            options=options or ReadOptions(),
            on_progress=on_progress or _unheard,
        )

    async def compare_table(
        self,
        dataset_id: int,
        path: Path,
        *,
        options: ReadOptions | None = None,
        on_progress: Progress | None = None,
    ) -> Comparison:
        """New, changed, unchanged and vanished rows of a file against a table; writes nothing.

        Args:
            options: How to read the file; None: as the table was read.

        Raises:
            TableError: the file cannot be read, or lacks the table's id column.
        """
        return await compare_table(
            self._project,
            await self.dataset(dataset_id),
            path,
            options=options,
            on_progress=on_progress or _unheard,
        )

    async def import_again(
        self,
        dataset_id: int,
        path: Path,
        *,
        options: ReadOptions | None = None,
        on_progress: Progress | None = None,
    ) -> ImportedAgain:
        """Import a changed file after a table. Runs over it leave out what was answered before.

        Raises:
            TableError: as for ``compare_table``.
        """
        return await import_again(
            self._project,
            await self.dataset(dataset_id),
            path,
            options=options,
            on_progress=on_progress or _unheard,
        )

    async def dataset(self, dataset_id: int) -> Dataset:
        """One dataset.

        Raises:
            ProjectError: there is none with this id.
        """
        found = await self._project.read(partial(rows.dataset, dataset_id=dataset_id))
        if found is None:
            raise ProjectError("There is no dataset {id} in this project.", id=dataset_id)
        return found

    async def problems(self, dataset_id: int) -> list[tuple[str, int | None, str]]:
        """What was wrong in a file: (kind, line, detail as JSON)."""
        return await self._project.read(partial(rows.problems, dataset_id=dataset_id))

    async def datasets(self) -> list[Dataset]:
        """All imported tables, the newest first."""
        return await self._project.read(rows.datasets)

    async def profile(
        self, dataset_id: int, job: Job | None = None, *, on_progress: Progress | None = None
    ) -> TableProfile:
        """Blanks, distinct values and lengths of a table; reads all of it. May be cancelled.

        Args:
            job: Counts tokens of the columns that its prompt uses, and knows the window.

        Raises:
            JobFileError: the job does not fit the table.
        """
        dataset = await self.dataset(dataset_id)
        return await profile_table(self._project, dataset, job, on_progress=on_progress or _unheard)

    async def few_values(self, dataset_id: int, at_most: int) -> dict[str, int]:
        """Columns whose rows fall into a few kinds, 2 to ``at_most``, and how many each has.

        Raises:
            ProjectError: there is no such dataset.
        """
        return await few_values(self._project, await self.dataset(dataset_id), at_most)

    async def remove_dataset(self, dataset_id: int) -> None:
        """Take a table out of the project; the file that it was read from stays.

        Raises:
            ProjectError: a run was made over it.
        """
        await self._project.writer.run(partial(rows.remove_dataset, dataset_id=dataset_id))
        self._project.clean()

    async def row_ids(self, dataset_id: int) -> array[int]:
        """Ids of a table's rows, in order."""
        return await self._project.read(partial(rows.row_ids, dataset_id=dataset_id))

    async def place_of_row(self, dataset_id: int, number: int) -> int:
        """The place of a row of the file in its table, from 0: of its first part if it was cut."""
        return await self._project.read(
            partial(rows.place_of, dataset_id=dataset_id, number=number)
        )

    async def row_page(self, ids: Sequence[int]) -> list[StoredRow]:
        """The rows with these ids."""
        return await self._project.read(partial(rows.row_page, ids=ids))

    async def jobs(self) -> list[StoredJob]:
        """All job versions, the newest first."""
        return await self._project.read(runs.jobs)

    async def save_job(self, job: Job) -> StoredJob:
        """Keep a job; returns the version that it is now.

        One that differs from the newest version of its name is a new version, or replaces that
        one if it is the newest of all jobs, younger than ten minutes, and no run used it.
        """
        job_id = await self._project.writer.run(partial(runs.add_job, job=job))
        return next(stored for stored in await self.jobs() if stored.id == job_id)

    def keep_draft(self, job: Job | None) -> None:
        """Remember a job that is being edited: closing saves it. May be called on any thread."""
        self._draft = job

    async def count_rows(self, job: Job, dataset: Dataset) -> RowCount:
        """How many rows a full run would send; reads the whole table. May be cancelled.

        Raises:
            JobFileError: the job does not fit the table, or its filter fails for a row.
        """
        return await count_rows(self._project, job, dataset)

    async def try_cleaning(
        self, job: Job, dataset: Dataset, at_most: int | None = None
    ) -> tuple[RowCount, Sequence[StepReport]]:
        """What the job's cleaning steps would do, with samples; keeps nothing. May be cancelled.

        Args:
            at_most: Look at the first so many rows only.

        Raises:
            UserError: the job does not fit the table, or a filter or mask fails for a row.
        """
        planner = await make_planner(self._project, job, dataset)
        return await try_cleaning(self._project, planner, dataset, at_most)

    def render(
        self, job: Job, columns: Sequence[str], cells: Mapping[str, str | None], key: str
    ) -> list[Message]:
        """What would be sent for a row; sends nothing.

        Raises:
            UserError: the job does not fit the table, or its template fails for this row.
        """
        builder = prepare(job, columns).builder
        request = builder.build(row_key=key, cells=cells, idempotency_key="", trace_id="")
        return list(request.messages)

    async def save_copy(self, target: Path) -> None:
        """Copy the whole project to another file, also while a run goes on.

        Raises:
            ProjectError: the target cannot be written.
        """
        await self._project.copy_to(target)

    async def make_run(
        self,
        job: Job,
        dataset: Dataset,
        *,
        kind: RunKind = RunKind.FULL,
        limit: int | None = None,
    ) -> int:
        """Define the job (a changed one is a new version) and a run of it; returns the run's id.

        Raises:
            JobFileError: the job does not fit the table.
        """
        return await self._make_run(job, dataset, kind, Wanted(limit=limit))

    async def _make_run(self, job: Job, dataset: Dataset, kind: RunKind, wanted: Wanted) -> int:
        async with self._making:
            return await make_run(self._project, job, dataset, kind=kind, wanted=wanted)


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""
    del share
