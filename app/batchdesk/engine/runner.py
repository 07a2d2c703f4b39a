"""The loop that every task goes through: claim, render, admit, call, check, record.

One coroutine dispatches; each request is a task of its own. The runner ends when no open task is
left, when it is told to pause or stop, or when a cause pauses it. It never blocks the loop: SQL
runs in the writer thread. An attempt's slot is free again once its outcome is on disk, so what a
kill can cost is never more than the requests in flight.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from enum import Enum, auto
from functools import partial

from batchdesk.domain.chat import ChatRequest
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, Snapshot
from batchdesk.domain.task import RunState, TaskState
from batchdesk.engine.admission import Ending, Gate, Hold, Ticket
from batchdesk.engine.attempt import Courier, Delivery
from batchdesk.engine.attempt_log import AttemptLog
from batchdesk.engine.cause import PauseCause
from batchdesk.engine.changes import ChangeLog
from batchdesk.engine.duration import ExpectedDuration, overhead_tokens
from batchdesk.engine.events import Listener
from batchdesk.engine.kept import kept_of
from batchdesk.engine.lanes import Lanes, Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.outage import Outages
from batchdesk.engine.outcome import unsendable
from batchdesk.engine.picker import Picker
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.recorder import Recorder
from batchdesk.engine.refill import Refill
from batchdesk.engine.reporter import Reporter
from batchdesk.engine.run_clock import RunClock
from batchdesk.engine.run_gate import RunGate
from batchdesk.engine.snapshots import Flight, Standing, take_snapshot
from batchdesk.engine.streak import SameFaultStreak
from batchdesk.engine.watchdog import Watch
from batchdesk.providers.base import Provider
from batchdesk.store.journal import RunJournal

_ANSWERED = (TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED, TaskState.REJECTED)


class Halt(Enum):
    """Why no more requests are sent."""

    PAUSE = auto()  # those in flight finish
    STOP = auto()  # those in flight are cancelled


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
        self._changed = asyncio.Event()
        self._cause = PauseCause(journal.run_id, self._changed.set)
        self._changes = ChangeLog()
        self._gate = RunGate(gate, plan.limits, self._limit_changed)
        self._clock = RunClock(plan.active_s, wall)
        self._outages = Outages()
        self._wall = wall
        self._meters = Meters()
        self._standing = Standing(journal.run_id)
        self._lanes = Lanes(plan.limits.batch_size, plan.limits.slow_share)
        expected = ExpectedDuration(
            plan.builder.used, overhead_tokens(plan.builder), plan.limits.timeout_total_s
        )
        self._refill = Refill(
            journal=journal,
            lanes=self._lanes,
            standing=self._standing,
            meters=self._meters,
            builder=plan.builder if plan.reuses else None,
            wall=wall,
            expected=expected,
            on_end=self._refilled,
        )
        log = AttemptLog(journal.run_id)
        self._reporter = Reporter(
            journal=journal,
            listener=listener,
            standing=self._standing,
            changes=self._changes,
            log=log,
            take=self.snapshot,
            on_error=self._cause.met_error,
        )
        self._watch = Watch(
            standing=self._standing,
            meters=self._meters,
            limits=plan.limits,
            on_stall=self._reporter.stalled,
        )
        self._streak = SameFaultStreak()
        # Else the first row that a filter refuses would pause every session anew.
        self._answered_before = False
        self._courier = Courier(
            run_id=journal.run_id,
            plan=plan,
            provider=provider,
            meters=self._meters,
            rng=rng,
            expected=expected,
            wall=wall,
            clock=self._clock,
            outages=self._outages,
            answered=lambda: self._streak.answered or self._answered_before,
            on_cause=self._cause.met,
        )
        self._recorder = Recorder(
            journal=journal,
            standing=self._standing,
            meters=self._meters,
            lanes=self._lanes,
            streak=self._streak,
            log=log,
            instead=self._courier.unwritable,
            on_finished=self._gate.finished,
            on_cause=self._cause.met,
        )
        self._picker = Picker(
            lanes=self._lanes,
            refill=self._refill,
            gate=self._gate,
            courier=self._courier,
            standing=self._standing,
            on_unsendable=self._bury,
        )
        self._halt: Halt | None = None
        self._tasks: set[asyncio.Task[None]] = set()  # attempts, and burials of unsendable tasks

    # -- commands ---------------------------------------------------------------------------

    def pause(self) -> None:
        """Send no more; those in flight finish."""
        self._halt = self._halt or Halt.PAUSE
        self._changed.set()

    def stop(self) -> None:
        """Send no more; those in flight are cancelled and may be sent again later.

        An answer that has come already is written all the same: it is paid for.
        """
        self._halt = Halt.STOP
        for flight in self._standing.flights.values():
            if flight.task is not None and flight.doing == "service":
                flight.task.cancel()
        self._changed.set()

    @property
    def is_halting(self) -> bool:
        """Whether no more requests are sent: it will end soon."""
        return self._halt is not None or self._cause.first is not None

    def moved(self, before: TaskState, after: TaskState) -> None:
        """A reviewer moved a task of this run; one that is pending again is looked for."""
        self.moved_many(before, after, 1)

    def moved_many(self, before: TaskState, after: TaskState, how_many: int) -> None:
        """A person moved several tasks of this run at once."""
        self._standing.move(before, after, how_many)
        if after is TaskState.PENDING:
            self._refill.look_again()
            self._changed.set()

    def snapshot(self) -> Snapshot:
        """The figures of this moment."""
        now = asyncio.get_running_loop().time()
        self._clock.beat(now)
        self._gate.look(now)
        snapshot = take_snapshot(
            self._standing,
            self._meters,
            self._lanes,
            self._gate.figures(now),
            now=now,
            at=self._wall(),
            active_s=self._clock.active_s(now),
        )
        return replace(snapshot, degraded=self._gate.is_degraded)

    # -- the run ----------------------------------------------------------------------------

    async def run(self) -> RunState:
        """Carry out the run until it ends or halts; returns where it stands then.

        A bug or a full disk on the way pauses the run by cause; everything committed is safe.

        Raises:
            UserError: the run could not even begin; it stands where it stood.
        """
        self._gate.join(self._changed.set)  # first: what a person changes now is heard
        try:
            await self._begin()
        except BaseException:
            self._gate.leave()
            raise
        if self._gate.is_broken(asyncio.get_running_loop().time()):
            self._outages.opened()  # another run on the account has met it
        helpers = [
            asyncio.create_task(self._reporter.tick()),
            asyncio.create_task(self._watch.watch()),
        ]
        try:
            try:
                await self._dispatch()
            except Exception as error:  # noqa: BLE001 - requests in flight shall still land
                self._cause.met_error(error)
            while self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            self._gate.leave()
            await self._end(helpers)
        return await self._finish()

    async def _begin(self) -> None:
        """Counts and totals from the file, and the tasks that wait for their next try."""
        now = asyncio.get_running_loop().time()
        self._clock.begin(now)
        await self._journal.release()  # what a runner held that could not finish
        figures = await self._journal.latest_figures()
        self._meters.start_from(await self._journal.totals(), figures, now)
        self._gate.resume(kept_of(figures, self._wall()), now)
        self._standing.counts = counts = Counter(await self._journal.counts())
        self._answered_before = any(counts[state] for state in _ANSWERED)
        await self._refill.take_waiting(now, self._plan.limits.retry_wait_max_s)
        await self._journal.set_state(RunState.RUNNING)
        self._standing.state = RunState.RUNNING
        self._reporter.moved(RunState.RUNNING, None, None)

    async def _end(self, helpers: list[asyncio.Task[None]]) -> None:
        """End every helper task of this run, whatever happened."""
        helpers = [*helpers, *self._tasks]
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        await self._refill.end()

    async def _finish(self) -> RunState:
        """Give back what was not finished and say where the run stands."""
        self._clock.end(asyncio.get_running_loop().time())
        try:
            await self._journal.release()
            self._standing.counts = Counter(await self._journal.counts())
            state = self._end_state()
            kind, message = self._cause.first or (None, None)
            self._standing.state, self._standing.cause = state, kind
            await self._reporter.keep()
            await self._journal.set_state(state, cause=kind, cause_message=message)
        except Exception as error:  # noqa: BLE001 - the run ends in any case
            # The file goes on saying "running"; opening it or starting again puts that right.
            state = RunState.PAUSED
            kind, message = self._cause.of(error)
            self._standing.state, self._standing.cause = state, kind
        self._reporter.show()
        self._reporter.moved(state, kind, message)
        return state

    def _end_state(self) -> RunState:
        if self._cause.first is not None:
            return RunState.PAUSED
        if not any(self._standing.counts[state] for state in TaskState if state.is_open):
            return RunState.FINISHED
        return RunState.STOPPED if self._halt is Halt.STOP else RunState.PAUSED

    # -- dispatching ------------------------------------------------------------------------

    async def _dispatch(self) -> None:
        """Send what is ready as the gate allows, until nothing is left or the run halts."""
        loop = asyncio.get_running_loop()
        while not self.is_halting:
            self._changed.clear()
            now = loop.time()
            self._clock.beat(now)
            self._refill.ask(now)
            limit, barred = self._gate.limit(), self._gate.barred(now)
            prepared = self._picker.next(limit, barred)
            if prepared is None:
                if self._picker.is_empty and not self._tasks:
                    return
                hold = self._picker.idle(now, limit, barred)
                await self._wait(hold)
                continue
            admitted = self._gate.ask(prepared.ready, prepared.cost, now)
            if not isinstance(admitted, Hold):
                self._picker.take(prepared)
                self._launch(prepared.ready, prepared.request, admitted)
                continue
            await self._wait(admitted)

    def _bury(self, ready: Ready, message: str) -> None:
        """A task whose prompt cannot be rendered is a dead letter without a request."""
        self._own(self._recorder.record(unsendable(ready, message, self._wall()), ready))

    def _launch(self, ready: Ready, request: ChatRequest, ticket: Ticket) -> None:
        now = ticket.sent_at
        flight = Flight(ready, ticket)
        self._standing.flights[ready.task.id] = flight
        self._standing.hold = HoldReason.NOTHING
        self._meters.sent(
            now, now - ready.claimed_at, limit_s=self._meters.held_s(now) - ready.held_s
        )
        flight.task = self._own(self._attempt(flight, request))
        # A callback, since a task that is cancelled before its first step never runs at all.
        flight.task.add_done_callback(partial(self._landed, flight))

    def _landed(self, flight: Flight, _task: asyncio.Task[None]) -> None:
        """However an attempt ended, the gate is settled once."""
        self._standing.flights.pop(flight.ready.task.id, None)
        if flight.doing == "service":  # cancelled, or a bug: nothing was heard of it
            now = asyncio.get_running_loop().time()
            self._gate.hear(Ending(flight.ticket, now, cancelled=True))
        self._lanes.landed(flight.ready)
        self._gate.settle(flight.ticket)

    def _own(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Start a task and keep hold of it; its end may be the end of the run."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._disown)
        return task

    def _disown(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._cause.met_error(error)
        self._changed.set()

    def _refilled(self, error: BaseException | None) -> None:
        if error is not None:
            self._cause.met_error(error)
        self._changed.set()

    async def _wait(self, hold: Hold) -> None:
        """Sleep until something changes or the hold's time is reached."""
        loop = asyncio.get_running_loop()
        timer = None if hold.until is None else loop.call_at(hold.until, self._changed.set)
        self._standing.hold, self._standing.wakes_at = hold.reason, hold.until
        self._meters.holds_begin(loop.time(), hold.reason)
        try:
            await self._changed.wait()
        finally:
            self._meters.holds_end(loop.time())
            if timer is not None:
                timer.cancel()

    # -- one attempt ------------------------------------------------------------------------

    async def _attempt(self, flight: Flight, request: ChatRequest) -> None:
        delivery = await self._courier.carry(flight, request)
        flight.doing = "writing"
        if self._gate.hear(delivery.ending):
            self._lanes.release_early(delivery.ending.ended_at)
        self._look_for_silence(delivery)
        await self._recorder.record(delivery.outcome, flight.ready, delivery.ended)

    def _look_for_silence(self, delivery: Delivery) -> None:
        """An outage at the end of a run shows in too few requests for the breaker."""
        if self._outages.is_silence(delivery.outcome):
            self._own(self._recorder.give_back(self._outages.hand_out(), self._wall()))
        attempt = delivery.outcome.attempt
        if attempt is None or attempt.error_kind is None or self._lanes.has_untried:
            return
        left = sum(n for state, n in self._standing.counts.items() if state.is_open)
        if self._outages.lasts_too_long(left, delivery.ended.active_s):
            self._cause.met(attempt.error_kind, attempt.error_message or "")

    def _limit_changed(self, change: LimitChange) -> None:
        """One of the gate's numbers has changed; an outage is no row's fault."""
        now = asyncio.get_running_loop().time()
        self._changes.add(replace(change, at=self._wall() - (now - change.at)))
        self._meters.limit_changed(change, now)
        if change.what is LimitKind.BREAKER and change.new:
            self._outages.closed(now)
        elif change.what is LimitKind.BREAKER and (attempts := self._outages.opened()):
            self._own(self._recorder.give_back(attempts, self._wall()))
