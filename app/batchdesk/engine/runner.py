"""The loop that every task goes through: claim, render, admit, call, check, record.

One coroutine dispatches; each request is a task of its own. The runner ends when no open task is
left, when it is told to pause or stop, or when a cause pauses it. It never blocks the loop: SQL
runs in the writer thread. An attempt's slot is free again once its outcome is on disk, so what a
kill can cost is never more than the requests in flight.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum, auto

from batchdesk.domain.chat import ChatRequest, ChatResponse
from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import HoldReason, Snapshot
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.admission import Cost, Ending, Gate
from batchdesk.engine.estimate import TokenEstimate
from batchdesk.engine.events import Listener, RunStateChanged, SnapshotTaken
from batchdesk.engine.lanes import Due, Lane, Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.outcome import Ended, after_answer, after_failure, unsendable
from batchdesk.engine.snapshots import Flight, Standing, figures_of, take_snapshot
from batchdesk.engine.streak import SameFaultStreak
from batchdesk.errors import StorageFullError, UserError
from batchdesk.prepare.prompt import PromptBuilder, one_line
from batchdesk.prepare.template import RenderError
from batchdesk.providers.base import Provider, ProviderError
from batchdesk.quality.checks import Checker
from batchdesk.store.journal import RunJournal
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

_log = logging.getLogger(__name__)

_SNAPSHOT_EVERY_S = 0.25
_TICK_EVERY = 4  # snapshots per kept line of figures


class Halt(Enum):
    """Why no more requests are sent."""

    PAUSE = auto()  # those in flight finish
    STOP = auto()  # those in flight are cancelled


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a runner needs to know of its run.

    Attributes:
        project_uid: Part of every idempotency key, so that two projects never share one.
        active_s: How long the run was active before.
        reuses: Whether an earlier answer to the same question may be taken.
    """

    project_uid: str
    limits: Limits
    builder: PromptBuilder
    checker: Checker
    max_tokens: int | None
    active_s: float = 0.0
    reuses: bool = False


class Runner:
    """Carries out one run once; to resume, make a new one.

    Args:
        wall: The time of day in epoch seconds; durations are measured by the loop's own clock.
        listener: Is told of events, on the runner's loop.
    """

    def __init__(
        self,
        *,
        plan: RunPlan,
        journal: RunJournal,
        provider: Provider,
        gate: Gate,
        rng: random.Random,
        listener: Listener,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._plan = plan
        self._journal = journal
        self._provider = provider
        self._gate = gate
        self._rng = rng
        self._wall = wall
        self._listener = listener
        self._meters = Meters()
        self._standing = Standing(journal.run_id)
        self._lane = Lane(plan.limits.batch_size)
        self._estimate = TokenEstimate(plan.max_tokens)
        self._streak = SameFaultStreak()
        self._halt: Halt | None = None
        self._cause: tuple[ErrorKind, str] | None = None
        self._changed = asyncio.Event()
        self._attempts: set[asyncio.Task[None]] = set()
        self._refill: asyncio.Task[None] | None = None
        self._drained = False  # the file has no pending task beyond those taken
        self._prepared: tuple[Ready, ChatRequest, Cost] | None = None
        self._started = 0.0
        self._ended: float | None = None

    # -- commands ---------------------------------------------------------------------------

    def pause(self) -> None:
        """Send no more; those in flight finish."""
        self._halt = self._halt or Halt.PAUSE
        self._changed.set()

    def stop(self) -> None:
        """Send no more; those in flight are cancelled and may be sent again later."""
        self._halt = Halt.STOP
        for attempt in self._attempts:
            attempt.cancel()
        self._changed.set()

    def snapshot(self) -> Snapshot:
        """The figures of this moment."""
        now = asyncio.get_running_loop().time()
        return take_snapshot(
            self._standing,
            self._meters,
            self._lane,
            self._gate,
            now=now,
            at=self._wall(),
            active_s=self._active_s(now),
        )

    # -- the run ----------------------------------------------------------------------------

    async def run(self) -> RunState:
        """Carry out the run until it ends or halts; returns where it stands then.

        Raises:
            Exception: a bug; the run is paused and everything committed is safe.
        """
        self._started = asyncio.get_running_loop().time()
        await self._load()
        await self._journal.set_state(RunState.RUNNING)
        self._standing.state = RunState.RUNNING
        self._listener(RunStateChanged(self._journal.run_id, RunState.RUNNING))
        self._gate.subscribe(self._changed.set)
        ticker = asyncio.create_task(self._tick())
        try:
            await self._dispatch()
            while self._attempts:
                await asyncio.wait(self._attempts)
        finally:
            self._gate.unsubscribe(self._changed.set)
            await self._end(ticker)
        return await self._finish()

    async def _load(self) -> None:
        """Counts and totals from the file, and the tasks that wait for their next try."""
        now = asyncio.get_running_loop().time()
        self._meters.start_from(await self._journal.totals())
        self._standing.counts = Counter(await self._journal.counts())
        longest = self._plan.limits.retry_wait_max_s
        for task in await self._journal.waiting():
            # A clock that was set back must not make a row wait for hours.
            wait_s = min(max(0.0, task.due_at - self._wall()), longest)
            self._lane.wait(
                Due(now + wait_s, task.id, task.row_key, task.attempts + 1, task.kind, now)
            )

    async def _end(self, ticker: asyncio.Task[None]) -> None:
        """End every helper task of this run, whatever happened."""
        helpers = [ticker, *self._attempts, *([self._refill] if self._refill else [])]
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)

    async def _finish(self) -> RunState:
        """Give back what was not finished and say where the run stands."""
        self._ended = asyncio.get_running_loop().time()
        state = self._end_state()
        kind, message = self._cause or (None, None)
        try:
            await self._journal.release()
            await self._keep_figures()
            await self._journal.set_state(state, cause=kind, cause_message=message)
            self._standing.counts = Counter(await self._journal.counts())
        except StorageFullError as error:
            # The file goes on saying "running"; opening it again puts that right.
            state, kind, message = RunState.PAUSED, ErrorKind.STORAGE_FULL, str(error)
        self._standing.state, self._standing.cause = state, kind
        self._emit_snapshot()
        self._listener(RunStateChanged(self._journal.run_id, state, kind, message))
        return state

    def _end_state(self) -> RunState:
        if self._cause is not None or self._halt is Halt.PAUSE:
            return RunState.PAUSED
        return RunState.STOPPED if self._halt is Halt.STOP else RunState.FINISHED

    # -- dispatching ------------------------------------------------------------------------

    async def _dispatch(self) -> None:
        """Send what is ready as the gate allows, until nothing is left or the run halts."""
        loop = asyncio.get_running_loop()
        while self._halt is None and self._cause is None:
            self._changed.clear()
            now = loop.time()
            self._ask_for_more(now)
            prepared = self._next_prepared()
            if prepared is None:
                if self._is_done():
                    return
                self._standing.hold = self._idle_reason()
                await self._wait_for_change(self._lane.next_due_at())
                continue
            hold = self._gate.ask(prepared[2], now)
            if hold is None:
                self._prepared = None
                self._lane.pop()
                self._launch(*prepared, now)
                continue
            self._standing.hold = hold.reason
            await self._wait_for_change(hold.until)
            if hold.reason is not HoldReason.IN_FLIGHT:
                self._meters.limit_s += loop.time() - now

    def _launch(self, ready: Ready, request: ChatRequest, cost: Cost, now: float) -> None:
        self._standing.flights[ready.task.id] = Flight(ready, now)
        self._standing.hold = HoldReason.NOTHING
        self._meters.sent(now)
        self._meters.queueing_s += now - ready.claimed_at
        self._own(self._attempt(ready, request, cost, now))

    def _next_prepared(self) -> tuple[Ready, ChatRequest, Cost] | None:
        """The next task with its request; one whose prompt cannot be rendered dies here."""
        while (ready := self._lane.peek()) is not None:
            if self._prepared is not None and self._prepared[0] is ready:
                return self._prepared
            began = time.perf_counter()
            try:
                request = self._request(ready.task)
            except RenderError as error:
                self._lane.pop()
                self._bury(ready, str(error))
                continue
            self._meters.preparing_s += time.perf_counter() - began
            self._prepared = (ready, request, Cost(self._estimate.tokens(request)))
            return self._prepared
        return None

    def _request(self, task: ClaimedTask) -> ChatRequest:
        return self._plan.builder.build(
            row_key=task.row_key,
            cells=task.cells,
            # One key for every transport retry of one question, after a kill too.
            idempotency_key=f"batchdesk-{self._plan.project_uid}-{task.id}-{task.content_try}",
            trace_id=f"{self._rng.getrandbits(64):016x}",
            content_try=task.content_try,
            fault=task.last_error,
            fault_detail=task.last_message or "",
            reviewer_note=task.note,
        )

    def _bury(self, ready: Ready, message: str) -> None:
        self._own(self._record(unsendable(ready, message, self._wall()), ready))

    def _own(self, work: Coroutine[None, None, None]) -> None:
        """Start a task and keep hold of it; its end may be the end of the run."""
        task = asyncio.get_running_loop().create_task(work)
        self._attempts.add(task)
        task.add_done_callback(self._disown)

    def _disown(self, task: asyncio.Task[None]) -> None:
        self._attempts.discard(task)
        self._changed.set()

    async def _wait_for_change(self, until: float | None) -> None:
        """Sleep until something changes or a time is reached."""
        loop = asyncio.get_running_loop()
        timer = None if until is None else loop.call_at(until, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _is_done(self) -> bool:
        busy = self._refill is not None or self._attempts or self._lane.waiting
        return self._drained and not busy

    def _idle_reason(self) -> HoldReason:
        """Why nothing is ready: the file is being read, or all that is left is busy elsewhere."""
        if self._refill is not None:
            return HoldReason.PREPARING
        if self._lane.waiting and not self._standing.flights:
            return HoldReason.RETRY_WAIT
        return HoldReason.NO_WORK

    # -- refilling --------------------------------------------------------------------------

    def _ask_for_more(self, now: float) -> None:
        """Start one refill if the buffer has room or a waiting task is due."""
        if self._refill is not None:
            return
        due = self._lane.take_due(now, self._plan.limits.batch_size)
        wanted = 0 if self._drained else self._lane.wanted()
        if due or wanted:
            self._refill = asyncio.get_running_loop().create_task(self._fill(due, wanted))
            self._refill.add_done_callback(self._filled)

    async def _fill(self, due: list[Due], wanted: int) -> None:
        loop = asyncio.get_running_loop()
        if due:
            batch_id, claimed = await self._journal.claim_due([one.task_id for one in due])
            self._count(TaskState.WAITING, TaskState.RUNNING, len(claimed))
            self._lane.add_retries([Ready(task, batch_id, loop.time()) for task in claimed])
        if wanted:
            batch_id, claimed = await self._journal.claim(wanted)
            self._drained = len(claimed) < wanted
            self._count(TaskState.PENDING, TaskState.RUNNING, len(claimed))
            fresh = await self._without_reused(claimed) if self._plan.reuses else claimed
            self._lane.add_first([Ready(task, batch_id, loop.time()) for task in fresh])

    def _filled(self, refill: asyncio.Task[None]) -> None:
        self._refill = None
        if not refill.cancelled() and (error := refill.exception()) is not None:
            self._pause_because(error)
        self._changed.set()

    async def _without_reused(self, claimed: list[ClaimedTask]) -> list[ClaimedTask]:
        """Take earlier answers to the same questions; the rest must be asked."""
        versions = {task.id: self._plan.builder.input_version(task.cells) for task in claimed}
        known = await self._journal.reusable(list(versions.values()))
        reused = [
            (task.id, versions[task.id], known[versions[task.id]])
            for task in claimed
            if versions[task.id] in known and not task.content_try  # asked anew: answered anew
        ]
        if not reused:
            return claimed
        await self._journal.record_reused(reused, self._wall())
        self._meters.reused += len(reused)
        self._meters.finished_rate.add(asyncio.get_running_loop().time(), len(reused))
        self._count(TaskState.RUNNING, TaskState.PASSED, len(reused))
        taken = {task_id for task_id, _, _ in reused}
        self._standing.changed.extend(taken)
        return [task for task in claimed if task.id not in taken]

    # -- one attempt ------------------------------------------------------------------------

    async def _attempt(self, ready: Ready, request: ChatRequest, cost: Cost, sent: float) -> None:
        """Call, check, decide, record; whatever happens, the gate is settled once."""
        loop = asyncio.get_running_loop()
        started_at = self._wall()
        kind: ErrorKind | None = ErrorKind.INTERNAL
        tokens: float | None = None
        try:
            try:
                response = await self._provider.chat(request)
            except ProviderError as error:
                kind = error.kind
                outcome = self._failed(self._ended_now(ready, request, sent, started_at), error)
            else:
                ended = self._ended_now(ready, request, sent, started_at)
                tokens = self._meter_answer(ended, response, loop.time())
                outcome = self._judge(ended, response)
                kind = outcome.error_kind
            await self._record(outcome, ready)
        except Exception as error:  # noqa: BLE001 - one row's bug must not take the others along
            self._pause_because(error)
        finally:
            self._standing.flights.pop(ready.task.id, None)
            self._gate.settle(Ending(sent, loop.time(), cost, tokens, kind))

    def _ended_now(
        self, ready: Ready, request: ChatRequest, sent: float, started_at: float
    ) -> Ended:
        now = asyncio.get_running_loop().time()
        first_sent_s = ready.task.first_sent_s
        self._meters.service_s += now - sent
        return Ended(
            ready=ready,
            request=request,
            started_at=started_at,
            ended_at=self._wall(),
            queue_s=sent - ready.claimed_at,
            service_s=now - sent,
            first_sent_s=self._active_s(sent) if first_sent_s is None else first_sent_s,
            active_s=self._active_s(now),
            input_version=self._plan.builder.input_version(ready.task.cells),
        )

    def _meter_answer(self, ended: Ended, response: ChatResponse, now: float) -> float | None:
        """Count an answer; returns the tokens it used, None if the service did not say."""
        usage = response.usage
        self._meters.answered(
            now,
            service_s=ended.service_s,
            first_token_s=response.first_token_s,
            tokens=(usage.input_tokens or 0, usage.output_tokens or 0),
        )
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        self._estimate.learn(ended.request, usage.input_tokens, usage.output_tokens)
        return float(usage.input_tokens + usage.output_tokens)

    def _judge(self, ended: Ended, response: ChatResponse) -> TaskOutcome:
        began = time.perf_counter()
        key = one_line(ended.ready.task.row_key)
        assessment = self._plan.checker.assess(response.choices, key)
        self._meters.checking_s += time.perf_counter() - began
        outcome = after_answer(ended, response, assessment, self._plan.limits, self._rng)
        self._notice(outcome.error_kind, outcome.error_message or "")
        return outcome

    def _failed(self, ended: Ended, error: ProviderError) -> TaskOutcome:
        outcome, pauses = after_failure(ended, error, self._plan.limits, self._rng)
        if pauses:
            self._pause(error.kind, error.message)
        self._notice(error.kind, error.message)
        return outcome

    def _notice(self, kind: ErrorKind | None, message: str) -> None:
        """Count a failure, and pause when the same one hits every request."""
        if kind is not None:
            self._meters.failed(kind, message)
        if self._streak.sees(kind) and kind is not None:
            self._pause(kind, message)

    async def _record(self, outcome: TaskOutcome, ready: Ready) -> None:
        """Write an outcome; only after its commit does anybody hear of it."""
        loop = asyncio.get_running_loop()
        flight = self._standing.flights.get(outcome.task_id)
        if flight is not None:
            flight.doing = "writing"
        began = loop.time()
        try:
            await self._journal.record(outcome)
        except UserError as error:
            self._pause_because(error)
            return
        now = loop.time()
        self._meters.writing_s += now - began
        self._count(TaskState.RUNNING, outcome.state, 1)
        self._standing.changed.append(outcome.task_id)
        if not outcome.state.is_open:
            self._meters.finished_rate.add(now)
        elif outcome.state is TaskState.WAITING and outcome.due_at is not None:
            wait_s = outcome.due_at - outcome.at
            kind = outcome.error_kind or ErrorKind.INTERNAL
            task = ready.task
            self._lane.wait(Due(now + wait_s, task.id, task.row_key, task.attempts + 2, kind, now))
        else:
            self._drained = False  # it went back to pending
        self._changed.set()

    # -- pausing by cause -------------------------------------------------------------------

    def _pause(self, kind: ErrorKind, message: str) -> None:
        self._cause = self._cause or (kind, message)
        self._changed.set()

    def _pause_because(self, error: BaseException) -> None:
        """A fault on our own side pauses the run; a bug is logged with its stack."""
        if isinstance(error, StorageFullError):
            self._pause(ErrorKind.STORAGE_FULL, str(error))
            return
        if not isinstance(error, UserError):
            _log.error("a bug paused run %s", self._journal.run_id, exc_info=error)
        self._pause(ErrorKind.INTERNAL, str(error) or type(error).__name__)

    # -- figures ----------------------------------------------------------------------------

    def _active_s(self, now: float) -> float:
        """How long the run has been running, all sessions together."""
        end = now if self._ended is None else self._ended
        return self._plan.active_s + max(0.0, end - self._started)

    def _count(self, before: TaskState, after: TaskState, how_many: int) -> None:
        self._standing.counts[before] -= how_many
        self._standing.counts[after] += how_many

    async def _tick(self) -> None:
        """Snapshots for the panels; one a second is kept."""
        number = 0
        while True:
            await asyncio.sleep(_SNAPSHOT_EVERY_S)
            self._emit_snapshot()
            number += 1
            if number % _TICK_EVERY == 0:
                try:
                    await self._keep_figures()
                except UserError as error:
                    self._pause_because(error)

    def _emit_snapshot(self) -> None:
        changed, self._standing.changed = tuple(self._standing.changed), []
        self._listener(SnapshotTaken(self.snapshot(), changed))

    async def _keep_figures(self) -> None:
        snapshot = self.snapshot()
        await self._journal.tick(
            active_s=snapshot.active_s, at=snapshot.at, figures=figures_of(snapshot)
        )
