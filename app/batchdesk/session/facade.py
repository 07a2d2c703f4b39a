"""Session: everything that a front end may ask of the engine and of the project file.

One Session is one open project. It lives on the loop that it was opened on: ``asyncio.run`` under
the command line, a thread's loop under the window. Listeners are called on that loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from batchdesk.domain.chat import Message
from batchdesk.domain.job import Job
from batchdesk.domain.snapshot import LimitChange, Snapshot
from batchdesk.domain.task import ErrorKind, RunKind, RunState
from batchdesk.engine.admission import GateLimits
from batchdesk.engine.events import Event, Listener, RunStateChanged
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.runner import Runner
from batchdesk.errors import Phrase, ProjectError, UserError
from batchdesk.providers.connect import Connection, connect
from batchdesk.session.accounts import Accounts, Lease
from batchdesk.session.dead import DeadLetters
from batchdesk.session.exporting import export_run
from batchdesk.session.importing import Progress, import_table
from batchdesk.session.keys import look_up_key
from batchdesk.session.planning import RowCount, count_rows, make_run, prepare
from batchdesk.session.reviewing import Reviewing
from batchdesk.session.summary import RunSummary, summarise
from batchdesk.store import meters, results, rows, runs
from batchdesk.store.dead import DeadKind, DeadLetter
from batchdesk.store.journal import RunJournal
from batchdesk.store.project import Project
from batchdesk.store.results import AttemptView, TaskFilter, TaskView
from batchdesk.store.reviews import Move
from batchdesk.store.rows import Dataset, StoredRow
from batchdesk.store.runs import StoredJob, StoredRun
from batchdesk.tables.base import ReadOptions

_REUSING_KINDS = frozenset({RunKind.PILOT, RunKind.FULL})


class Session:
    """One open project. Make it with ``open``; end it with ``close``.

    Args:
        accounts: What is known of providers' limits; Sessions on one loop that are given the same
            share it.
    """

    def __init__(self, project: Project, accounts: Accounts | None = None) -> None:
        self._project = project
        self._accounts = accounts or Accounts()
        self._leases: dict[int, Lease] = {}
        self.review = Reviewing(project, self._decided)
        self._dead = DeadLetters(project, self._decided)
        self._listeners: list[Listener] = []
        self._runners: dict[int, Runner] = {}
        self._running: dict[int, asyncio.Task[RunState]] = {}
        self._told: dict[int, RunStateChanged] = {}
        self._draft: Job | None = None

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        read_only: bool = False,
        accounts: Accounts | None = None,
    ) -> Self:
        """Open a project file; see ``Project.open``.

        Raises:
            ProjectError: it cannot be opened.
        """
        return cls(await Project.open(path, create=create, read_only=read_only), accounts)

    @property
    def path(self) -> Path:
        """The project file."""
        return self._project.path

    @property
    def risk(self) -> str | None:
        """``network`` or ``sync`` if the file lies where its log is not safe."""
        return self._project.risk

    def subscribe(self, listener: Listener) -> None:
        """Be told of every event of every run."""
        self._listeners.append(listener)

    async def close(self) -> None:
        """Stop what runs, commit what has gathered, save the draft, and close the file."""
        for run_id in list(self._runners):
            self.stop(run_id)
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        if self._draft is not None:
            with contextlib.suppress(UserError):  # a full disk must not keep the file open
                await self.save_job(self._draft)
        await self._project.close()

    # -- tables and jobs --------------------------------------------------------------------

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

    def check_job(self, job: Job, columns: Sequence[str]) -> None:
        """Check a job against a table's columns without sending anything.

        Raises:
            JobFileError: what does not fit.
        """
        prepare(job, columns)

    async def count_rows(self, job: Job, dataset: Dataset) -> RowCount:
        """How many rows a full run would send; reads the whole table. May be cancelled.

        Raises:
            JobFileError: the job does not fit the table, or its filter fails for a row.
        """
        return await count_rows(self._project, job, dataset)

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
        return await make_run(self._project, job, dataset, kind=kind, limit=limit)

    # -- running ----------------------------------------------------------------------------

    async def start(self, run_id: int) -> None:
        """Start or resume a run; it goes on by itself. Running already is fine.

        Raises:
            UserError: a key is missing, a built-in server cannot start, or the run has ended.
        """
        while run_id in self._running:
            if not self._runners[run_id].is_halting:
                return
            await self.wait(run_id)  # a pause is still putting its things away
        run = await self.run(run_id)
        if run.state is RunState.FINISHED:
            raise ProjectError("Run {id} has finished; there is nothing to resume.", id=run_id)
        dataset = await self.dataset(run.dataset_id)
        prepared = prepare(run.job, dataset.columns)
        connection = await connect(prepared.choice, look_up_key)
        stage = run.job.stages[0]
        plan = RunPlan(
            project_uid=self._project.uid,
            limits=run.job.limits,
            builder=prepared.builder,
            checker=prepared.checker,
            max_tokens=stage.max_tokens,
            active_s=run.active_s,
            reuses=run.kind in _REUSING_KINDS and stage.temperature == 0 and stage.n == 1,
        )
        lease = self._leases[run_id] = self._accounts.take(
            connection.account_key, _gate_limits(run.job, connection), _now()
        )
        runner = Runner(
            plan=plan,
            journal=RunJournal(run_id, self._project.writer, self._project),
            provider=connection.provider,
            gate=lease.gate,
            rng=random.Random(),  # noqa: S311 - jitter and trace ids, no secrets
            listener=self._tell,
        )
        self._runners[run_id] = runner
        self._running[run_id] = asyncio.create_task(self._carry_out(run_id, runner, connection))

    async def _carry_out(self, run_id: int, runner: Runner, connection: Connection) -> RunState:
        try:
            return await runner.run()
        finally:
            self._runners.pop(run_id, None)
            self._running.pop(run_id, None)
            self._leases.pop(run_id).give_back(_now())
            await connection.provider.close()

    async def wait(self, run_id: int) -> RunState:
        """Wait until a run ends or halts; returns where it stands then."""
        running = self._running.get(run_id)
        return await asyncio.shield(running) if running else (await self.run(run_id)).state

    def pause(self, run_id: int) -> None:
        """Send no more requests; those in flight finish."""
        if run_id in self._runners:
            self._runners[run_id].pause()

    def stop(self, run_id: int) -> None:
        """Send no more requests; those in flight are cancelled and may be sent again later."""
        if run_id in self._runners:
            self._runners[run_id].stop()

    def pin(self, run_id: int, limit: int | None) -> None:
        """Always so many requests at once; None: as many as the service copes with.

        Like the other two, for a run under way, and for all runs on its account meanwhile.
        """
        if run_id in self._leases:
            self._leases[run_id].pin(limit, _now())

    def set_ceiling(self, run_id: int, ceiling: int) -> None:
        """Never more requests at once than this."""
        if run_id in self._leases:
            self._leases[run_id].set_ceiling(ceiling, _now())

    def set_told(self, run_id: int, rpm: float | None, tpm: float | None) -> None:
        """Requests and tokens per minute that the provider allows; None: unknown."""
        if run_id in self._leases:
            self._leases[run_id].set_told(rpm, tpm, _now())

    def snapshot(self, run_id: int) -> Snapshot | None:
        """The figures of this moment; None if the run is not under way."""
        return self._runners[run_id].snapshot() if run_id in self._runners else None

    # -- looking ----------------------------------------------------------------------------

    async def runs(self) -> list[StoredRun]:
        """All runs, the newest first."""
        return [self._as_told(run) for run in await self._project.read(runs.runs)]

    async def run(self, run_id: int) -> StoredRun:
        """One run.

        Raises:
            ProjectError: there is none with this id.
        """
        found = await self._project.read(partial(runs.run, run_id=run_id))
        if found is None:
            known = [str(run.id) for run in reversed(await self.runs())]
            raise ProjectError(
                "There is no run {id} in this project. It has: {known}.",
                id=run_id,
                known=", ".join(known) or Phrase("none"),
            )
        return self._as_told(found)

    def _as_told(self, run: StoredRun) -> StoredRun:
        """What stops the writing cannot be written: the file then says that the run goes on."""
        told = self._told.get(run.id)
        if told is None or run.state is not RunState.RUNNING or run.id in self._running:
            return run
        return replace(run, state=told.state, cause=told.cause, cause_message=told.message)

    async def summary(self, run_id: int) -> RunSummary:
        """A run in figures, from the project file."""
        return await summarise(self._project, await self.run(run_id))

    async def task_ids(self, run_id: int, wanted: TaskFilter | None = None) -> array[int]:
        """Ids of a run's tasks that match, in the order of the table."""
        return await self._project.read(
            partial(results.task_ids, run_id=run_id, wanted=wanted or TaskFilter())
        )

    async def task_page(self, ids: Sequence[int]) -> list[TaskView]:
        """The tasks with these ids."""
        return await self._project.read(partial(results.task_page, ids=ids))

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
        """Write a run's dead letters to a file (CSV, TSV or JSONL); returns how many.

        The columns of the table, and each row's kind of failure, last message, attempts and last
        raw response.

        Raises:
            TableError: as for ``export``.
        """
        dataset = await self.dataset((await self.run(run_id)).dataset_id)
        return await self._dead.export(run_id, dataset, target, kind=kind, overwrite=overwrite)

    # -- results ----------------------------------------------------------------------------

    async def export(self, run_id: int, target: Path, *, overwrite: bool = True) -> int:
        """Write a run's rows to a file (CSV, TSV or JSONL by its suffix); returns how many.

        Works while the run goes on.

        Raises:
            TableError: the format is unknown, the file cannot be written, it is the table that the
                rows were read from, or it exists and is not to be overwritten.
        """
        run = await self.run(run_id)
        dataset = await self.dataset(run.dataset_id)
        write = partial(export_run, self._project, run_id, run.job, dataset, target)
        return await asyncio.to_thread(write, overwrite=overwrite)

    def _decided(self, move: Move) -> None:
        if move.run_id in self._runners:
            self._runners[move.run_id].moved_many(move.before, move.after, move.count)

    def _tell(self, event: Event) -> None:
        if isinstance(event, RunStateChanged):
            self._told[event.run_id] = event
        for listener in self._listeners:
            listener(event)


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""
    del share


def _now() -> float:
    return asyncio.get_running_loop().time()


def _gate_limits(job: Job, connection: Connection) -> GateLimits:
    limits = job.limits
    return GateLimits(
        start=connection.concurrency,
        ceiling=limits.concurrency_max,
        pinned=limits.concurrency,
        rpm=limits.rpm,
        tpm=limits.tpm,
    )
