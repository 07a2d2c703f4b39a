"""Session: everything that a front end may ask of the engine and of the project file.

One Session is one open project. It lives on the loop that it was opened on: ``asyncio.run`` under
the command line, a thread's loop under the window. Listeners are called on that loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

from batchdesk.domain.job import Job
from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import RunKind, RunState
from batchdesk.engine.admission import GateLimits
from batchdesk.engine.events import Event, Listener, RunStateChanged
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.runner import Runner
from batchdesk.errors import Phrase, ProjectError, UserError
from batchdesk.providers.connect import Connection, connect
from batchdesk.session.accounts import Accounts, Lease
from batchdesk.session.disclosure import Disclosure, agree, disclose
from batchdesk.session.keys import look_up_key
from batchdesk.session.planning import prepare, reuses_answers
from batchdesk.session.preview import Previews
from batchdesk.session.reviewing import Reviewing
from batchdesk.session.summary import RunSummary, summarise
from batchdesk.settings import Settings
from batchdesk.store import runs
from batchdesk.store.journal import RunJournal
from batchdesk.store.project import Project
from batchdesk.store.reviews import Move
from batchdesk.store.rows import Dataset
from batchdesk.store.runs import StoredRun

_REUSING_KINDS = frozenset({RunKind.PILOT, RunKind.FULL})


class Session(Previews):
    """One open project. Make it with ``open``; end it with ``close``.

    Args:
        accounts: What is known of providers' limits; Sessions on one loop that are given the same
            share it.
        settings: Called for the person's settings as they are then.
    """

    def __init__(
        self,
        project: Project,
        accounts: Accounts | None = None,
        settings: Callable[[], Settings] = Settings,
    ) -> None:
        super().__init__(project, self._decided)
        self._settings = settings
        self._accounts = accounts or Accounts()
        self._leases: dict[int, Lease] = {}
        self._by_hand: dict[int, GateLimits] = {}  # what a person set, kept over a pause
        self.review = Reviewing(project, self._decided)
        self._listeners: list[Listener] = []
        self._runners: dict[int, Runner] = {}
        self._running: dict[int, asyncio.Task[RunState]] = {}
        self._told: dict[int, RunStateChanged] = {}

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        read_only: bool = False,
        accounts: Accounts | None = None,
        settings: Callable[[], Settings] = Settings,
    ) -> Self:
        """Open a project file; see ``Project.open``.

        Raises:
            ProjectError: it cannot be opened.
        """
        project = await Project.open(path, create=create, read_only=read_only)
        return cls(project, accounts, settings)

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

    # -- what is sent -----------------------------------------------------------------------

    async def disclosure(self, job: Job, dataset: Dataset) -> Disclosure | None:
        """What a run of a job would send to another computer; None if nothing leaves this one.

        Raises:
            JobFileError: the job does not fit the table.
        """
        return await disclose(self._project, job, dataset)

    async def agree(self, disclosure: Disclosure) -> None:
        """Keep in the project file that a person agreed to send this."""
        await agree(self._project, disclosure, time.time())

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
        connection = await connect(prepared.choice, look_up_key, self._settings().network)
        stage = run.job.stages[0]
        plan = RunPlan(
            project_uid=self._project.uid,
            limits=run.job.limits,
            builder=prepared.builder,
            checker=prepared.checker,
            max_tokens=stage.max_tokens,
            active_s=run.active_s,
            reuses=run.kind in _REUSING_KINDS and reuses_answers(stage),
        )
        limits = self._by_hand.get(run_id) or _gate_limits(run.job, connection)
        lease = self._accounts.take(connection.account_key, limits, _now())
        self._leases[run_id] = lease
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
        await asyncio.sleep(0)  # it has joined its gate now: changes of limits by hand are recorded

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

        Like the other two, for a run under way, and for all runs on its account meanwhile; it
        holds when the run is paused and resumed, until the project is closed.
        """
        if run_id in self._leases:
            self._leases[run_id].pin(limit, _now())
            self._by_hand[run_id] = self._leases[run_id].limits

    def set_ceiling(self, run_id: int, ceiling: int) -> None:
        """Never more requests at once than this."""
        if run_id in self._leases:
            self._leases[run_id].set_ceiling(ceiling, _now())
            self._by_hand[run_id] = self._leases[run_id].limits

    def set_told(self, run_id: int, rpm: float | None, tpm: float | None) -> None:
        """Requests and tokens per minute that the provider allows; None: unknown."""
        if run_id in self._leases:
            self._leases[run_id].set_told(rpm, tpm, _now())
            self._by_hand[run_id] = self._leases[run_id].limits

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

    def _decided(self, move: Move) -> None:
        if move.run_id in self._runners:
            self._runners[move.run_id].moved_many(move.before, move.after, move.count)

    def _tell(self, event: Event) -> None:
        if isinstance(event, RunStateChanged):
            self._told[event.run_id] = event
        for listener in self._listeners:
            listener(event)


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
