"""What pages share: the open project, the chosen table, job and run; and the way to ask for more.

Pages call ``ask`` with what they want of the Session and hear of the outcome on the window's
thread; facts come as signals. A page that shows something listens; a page that does something
asks. Nothing here blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from batchdesk.domain.job import Job
from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import RunKind, RunState
from batchdesk.errors import UserError
from batchdesk.gui import desk_calls
from batchdesk.gui.sentences import sentence
from batchdesk.session import (
    Accounts,
    Dataset,
    Disclosure,
    Event,
    RunStateChanged,
    RunSummary,
    Session,
    SnapshotTaken,
)
from batchdesk.settings import Settings

Call = Callable[[Session], Coroutine[Any, Any, Any]]
Then = Callable[[Any], None]
Failed = Callable[[UserError], None]


class Engine(Protocol):
    """Carries calls to the Session's loop and starts coroutines on the window's loop."""

    async def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Carry out a coroutine on the Session's loop."""

    def start(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Start a coroutine on the window's loop and keep hold of it."""

    def listener(self, hear: Callable[[Event], None]) -> Callable[[Event], None]:
        """A listener for the Session that calls ``hear`` on the window's loop."""


class _ClosedError(Exception):
    """The project was closed while something was asked of it; nobody waits for the outcome."""


class Asked:
    """Something that was asked and may be called off."""

    def __init__(self) -> None:
        self.called_off = False
        self._task: Any = None

    def carried_by(self, task: Any) -> None:
        """The task on the window's loop that waits for the outcome."""
        self._task = task

    def cancel(self) -> None:
        """Call it off: the Session's coroutine is cancelled, and nobody hears of an outcome."""
        self.called_off = True
        if self._task is not None:
            self._task.cancel()


class Desk(QObject):
    """The state that all pages see.

    Signals:
        project_closing: The open project is about to be closed; call off what uses it.
        project_changed: Another project is open, or none.
        dataset_changed: Another table is chosen.
        job_changed: The job was edited or saved.
        runs_changed: ``runs`` was read anew.
        run_changed: Another run is chosen (its id).
        snapshot: A Snapshot of a run under way, four times a second.
        run_state: A RunStateChanged.
        stalled: A run makes no progress for no known reason (what the engine told of it).
        tasks_changed: (run id, tuple of task ids) whose outcome is on disk.
        problem: A sentence for the banner; empty to take it away.
        go_to: The name of a page to show.
        leave_wanted: The project is to be left while runs are under way; calling what it carries
            stops them and goes on. True if another project opens then.
        settings_changed: The person's settings.
        disclosure_wanted: Rows are about to leave this computer: the Disclosure, and what to call
            once the person has agreed to it.
    """

    project_closing = Signal()
    project_changed = Signal()
    dataset_changed = Signal()
    job_changed = Signal()
    runs_changed = Signal()
    run_changed = Signal(int)
    snapshot = Signal(object)
    run_state = Signal(object)
    stalled = Signal(object)
    tasks_changed = Signal(int, object)
    problem = Signal(str)
    go_to = Signal(str)
    leave_wanted = Signal(object, bool)
    settings_changed = Signal()
    disclosure_wanted = Signal(object, object)

    def __init__(self, engine: Engine, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self.settings = settings
        self._accounts = Accounts()  # one project after another asks the same services
        self.session: Session | None = None
        self.dataset: Dataset | None = None
        self.job: Job | None = None
        self.job_version: int | None = None  # None: edited since it was saved
        self.runs: list[RunSummary] = []
        self.run_id: int | None = None
        self.under_way: set[int] = set()  # ids of the runs that are running now
        self.snapshots: dict[int, Snapshot] = {}  # the latest of every run of this session

    # -- asking -----------------------------------------------------------------------------

    @property
    def project_path(self) -> Path | None:
        """The open project's file."""
        return self.session.path if self.session else None

    def ask(self, call: Call, then: Then | None = None, failed: Failed | None = None) -> Asked:
        """Ask the Session for something; ``then`` gets the result on the window's thread.

        A UserError goes to ``failed``, or else to the banner. Without an open project nothing
        happens. A result that comes after another project was opened is dropped. The returned
        handle can call it off.
        """
        asked = Asked()
        session = self.session
        if session is not None:
            work = self._asked(asked, session, call, then, failed)
            asked.carried_by(self._engine.start(work))
        return asked

    def ask_program(
        self,
        call: Callable[[], Coroutine[Any, Any, Any]],
        then: Then | None = None,
        failed: Failed | None = None,
    ) -> Asked:
        """Ask for something that needs no project (a look into a file, a provider test)."""
        asked = Asked()
        work = self._asked(asked, None, lambda _: call(), then, failed)
        asked.carried_by(self._engine.start(work))
        return asked

    async def _asked(
        self,
        asked: Asked,
        session: Session | None,
        call: Call,
        then: Then | None,
        failed: Failed | None,
    ) -> None:
        try:
            result = await self._call(session, _on_session(call, session))
        except _ClosedError:
            return
        except UserError as error:
            if asked.called_off:
                return
            if failed is not None:
                failed(error)
            else:
                self.problem.emit(sentence(error))
            return
        still_wanted = session is None or session is self.session
        if then is not None and still_wanted and not asked.called_off:
            then(result)

    async def _call(self, session: Session | None, work: Coroutine[Any, Any, Any]) -> Any:
        """Carry out what was asked of a Session.

        Raises:
            _ClosedError: it failed after its project was closed, so because of that.
        """
        try:
            return await self._engine.call(work)
        except Exception as error:
            if session is None or session is self.session:
                raise
            raise _ClosedError from error

    # -- projects ---------------------------------------------------------------------------

    def switch_project(
        self, path: Path, *, create: bool = False, then: Callable[[], None] | None = None
    ) -> None:
        """Open a project in place of the present one; ``then`` is called once it is open.

        The project that is open already stays as it is. While runs are under way it only asks for
        leave.
        """
        if self._is_open(path):
            self.problem.emit("")
            if then is not None:
                then()
            return

        def switch() -> None:
            self._engine.start(self._switch(path, create=create, then=then))

        self._leave(switch, another=True)

    def _is_open(self, path: Path) -> bool:
        """Whether this is the open project's file, in whatever spelling."""
        present = self.project_path
        return present is not None and path.resolve() == present.resolve()

    def leave_project(self) -> None:
        """Close the project and open none. While runs are under way it only asks for leave."""
        self._leave(lambda: self._engine.start(self.close_project()), another=False)

    def _leave(self, go_on: Callable[[], object], *, another: bool) -> None:
        if self.under_way:
            self.leave_wanted.emit(go_on, another)
        else:
            go_on()

    async def _switch(self, path: Path, *, create: bool, then: Callable[[], None] | None) -> None:
        if await self.open_project(path, create=create) and then is not None:
            then()

    async def open_project(self, path: Path, *, create: bool = False) -> bool:
        """Open a project in place of the present one; False (and the banner) if that fails."""
        try:
            session = await self._engine.call(
                Session.open(
                    path, create=create, accounts=self._accounts, settings=lambda: self.settings
                )
            )
        except UserError as error:
            self.problem.emit(sentence(error))
            return False
        await self.close_project()
        self.session = session
        listener = self._engine.listener(self._hear)
        session.subscribe(listener)
        datasets = await self._engine.call(session.datasets())
        jobs = await self._engine.call(session.jobs())
        self.dataset = datasets[0] if datasets else None
        self.job, self.job_version = (jobs[0].job, jobs[0].version) if jobs else (None, None)
        self.change_settings(self.settings.with_recent(session.path))
        await self._read_runs()
        self.run_id = self.runs[0].run.id if self.runs else None
        for tell in (self.project_changed, self.dataset_changed, self.job_changed):
            tell.emit()
        self.problem.emit("")
        self.run_changed.emit(self.run_id or 0)
        return True

    async def close_project(self) -> None:
        """Stop what runs, commit and close the project; nothing is lost."""
        if self.session is not None:
            self.project_closing.emit()
        session, self.session = self.session, None
        self.dataset = self.job = self.job_version = self.run_id = None
        self.runs, self.snapshots, self.under_way = [], {}, set()
        if session is not None:
            await self._engine.call(session.close())
            self.project_changed.emit()

    # -- choosing ---------------------------------------------------------------------------

    def choose_dataset(self, dataset: Dataset | None) -> None:
        """Make a table the one that the next run is about."""
        self.dataset = dataset
        self.dataset_changed.emit()

    def edit_job(self, job: Job, version: int | None = None) -> None:
        """The job as it is now; ``version`` once it is saved."""
        self.job, self.job_version = job, version
        if self.session is not None:
            self.session.keep_draft(job if version is None else None)
        self.job_changed.emit()

    def choose_run(self, run_id: int) -> None:
        """Make a run the one that Run, Review and Results show."""
        self.run_id = run_id
        self.run_changed.emit(run_id)

    def change_settings(self, settings: Settings) -> None:
        """Other settings; the application saves them."""
        self.settings = settings
        self.settings_changed.emit()

    # -- running ----------------------------------------------------------------------------

    def summary(self, run_id: int | None) -> RunSummary | None:
        """A run in figures, as last read."""
        return next((one for one in self.runs if one.run.id == run_id), None)

    def start_new_run(self, *, kind: RunKind = RunKind.FULL, limit: int | None = None) -> None:
        """Save the job, make a run over the chosen table and start it; then the Run page shows.

        Before rows go to another computer for the first time, the person is asked.
        """
        if self.dataset is None or self.job is None:
            return
        work = partial(
            desk_calls.make_and_start, job=self.job, dataset=self.dataset, kind=kind, limit=limit
        )
        self.when_agreed(lambda: self.ask(work, self._started))

    def start_made(self, make: Call) -> None:
        """Show the run that ``make`` makes and starts; it comes to the run's id."""
        self.ask(make, self._started)

    def when_agreed(self, go_on: Callable[[], object]) -> None:
        """Do what sends rows of the chosen table with the present job, once that is agreed to.

        At once where nothing leaves this computer or the person has agreed before.
        """
        job, dataset = self.job, self.dataset
        if job is not None and dataset is not None:
            told = partial(desk_calls.disclosure, job=job, dataset=dataset)
            self.ask(told, partial(self._disclosed, go_on))

    def _disclosed(self, go_on: Callable[[], object], told: Disclosure | None) -> None:
        if told is None or told.is_agreed:
            go_on()
        else:
            self.disclosure_wanted.emit(told, go_on)

    def agree(self, told: Disclosure, go_on: Callable[[], object]) -> None:
        """The person agreed; this is kept in the project, then it goes on."""

        def then(_: object) -> None:
            go_on()

        self.ask(partial(desk_calls.agree, told=told), then)

    def _started(self, run_id: int) -> None:
        self._engine.start(self._show_started(run_id))

    async def _show_started(self, run_id: int) -> None:
        await self._read_runs()  # first: the Run page opens only once there is a run to show
        if any(one.run.id == run_id for one in self.runs):
            self.choose_run(run_id)
            self.go_to.emit("run")

    def resume(self, run_id: int) -> None:
        """Go on with a run; before its rows leave this computer, the person is asked."""
        if run_id not in self.under_way:
            work = partial(desk_calls.resume, run_id=run_id)
            go_on = partial(self.ask, work, lambda _: self.refresh_runs())
            told = partial(desk_calls.run_disclosure, run_id=run_id)
            self.ask(told, partial(self._disclosed, go_on))

    def pause(self, run_id: int) -> None:
        """Send no more requests; those in flight finish."""
        self.ask(partial(desk_calls.pause, run_id=run_id))

    def stop(self, run_id: int) -> None:
        """Send no more requests; those in flight are cancelled and may be sent again later."""
        self.ask(partial(desk_calls.stop, run_id=run_id))

    def pin(self, run_id: int, limit: int | None) -> None:
        """Fix how many requests a run may have at once; None: by itself again."""
        self.ask(partial(desk_calls.pin, run_id=run_id, limit=limit))

    def set_ceiling(self, run_id: int, ceiling: int) -> None:
        """The limit of requests at once never goes above this."""
        self.ask(partial(desk_calls.set_ceiling, run_id=run_id, ceiling=ceiling))

    def set_told(self, run_id: int, rpm: float | None, tpm: float | None) -> None:
        """What the service permits per minute, as the person was told; None: not known."""
        self.ask(partial(desk_calls.set_told, run_id=run_id, rpm=rpm, tpm=tpm))

    def refresh_runs(self) -> None:
        """Read the runs' figures anew."""
        if self.session is not None:
            self._engine.start(self._read_runs())

    async def _read_runs(self) -> None:
        session = self.session
        if session is None:
            return
        try:
            summaries = await self._call(session, desk_calls.summaries(session))
        except _ClosedError:
            return
        if session is self.session:
            self.runs = summaries
            self.runs_changed.emit()

    def _hear(self, event: Event) -> None:
        if isinstance(event, SnapshotTaken):
            run_id = event.snapshot.run_id
            self.snapshots[run_id] = event.snapshot
            self.snapshot.emit(event.snapshot)
            if event.changed:
                self.tasks_changed.emit(run_id, event.changed)
            return
        if not isinstance(event, RunStateChanged):
            self.stalled.emit(event)
            return
        if event.state is RunState.RUNNING:
            self.under_way.add(event.run_id)
        else:
            self.under_way.discard(event.run_id)
        self.run_state.emit(event)
        self.refresh_runs()


async def _on_session(call: Call, session: Session | None) -> Any:
    """Make and carry out the coroutine on the Session's own loop."""
    return await call(session)  # type: ignore[arg-type] # ask_program's calls take no session
