"""The test bed: a real gate between simulated runs and a simulated service, without asyncio.

A heap of events replaces the clock, so ten thousand requests take a fraction of a second, the
same every time for the same seed. A run here does with the gate what the real one does: it asks,
hears of each ending, settles, waits until the time that a hold names or until it is woken; a
refused request waits max(hint, full-jitter backoff) and comes back behind first tries.
"""

from __future__ import annotations

import heapq
import math
import random
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tests.simulation.services import Reply, Service

from batchdesk.domain.snapshot import LimitChange
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.part import Cost, Ending, Hold, Part, Ticket

STARTS_AT = 1000.0
_BACKOFF_MAX_S = 60.0
_RELEASED_AFTER_S = 5.0  # refused rows may go once later requests were accepted for so long
_RETRY_EVERY = 10  # of so many sends one may be a due retry before first tries

Draw = Callable[[random.Random], float]


class AnyGate(Protocol):
    """What the bed needs of a gate."""

    def join(
        self, wake: Callable[[], None], on_change: Callable[[LimitChange], None] | None = None
    ) -> int: ...
    def ask(self, cost: Cost, now: float, client: int) -> Ticket | Hold: ...
    def hear(self, ending: Ending) -> None: ...
    def settle(self, ticket: Ticket) -> None: ...


class GateOfParts:
    """The smallest gate: one client, the parts that a test wants to see alone."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self._number = 0
        self._wake: Callable[[], None] = lambda: None

    def join(
        self, wake: Callable[[], None], on_change: Callable[[LimitChange], None] | None = None
    ) -> int:
        del on_change
        self._wake = wake
        return 1

    def ask(self, cost: Cost, now: float, client: int) -> Ticket | Hold:
        holds = [hold for part in self.parts if (hold := part.hold(cost, now)) is not None]
        if holds:
            return max(holds, key=lambda hold: math.inf if hold.until is None else hold.until)
        self._number += 1
        ticket = Ticket(self._number, client, cost, now)
        for part in self.parts:
            part.take(ticket)
        return ticket

    def hear(self, ending: Ending) -> None:
        for part in self.parts:
            part.hear(ending)

    def settle(self, ticket: Ticket) -> None:
        for part in self.parts:
            part.settle(ticket)
        self._wake()


@dataclass(frozen=True, slots=True)
class Load:
    """What one run brings.

    Attributes:
        rows: How many rows; None: more than it can do.
        starts_s: When it comes, seconds after the start.
        tokens: What a request really uses.
        estimate: What it is expected to use, by what it really uses.
    """

    rows: int | None = None
    starts_s: float = 0.0
    tokens: Draw = lambda _rng: 0.0
    estimate: Callable[[float], float] = lambda real: real


@dataclass
class Tally:
    """What happened. Times are seconds after the start, ascending."""

    sent: list[float] = field(default_factory=list)
    accepted: list[float] = field(default_factory=list)  # when the answer came
    latencies: list[float] = field(default_factory=list)  # of the accepted, in the same order
    used_tokens: list[float] = field(default_factory=list)  # likewise
    refused: list[float] = field(default_factory=list)
    failed: list[float] = field(default_factory=list)  # everything else that went wrong
    sent_by_client: dict[int, int] = field(default_factory=dict)
    accepted_by_client: dict[int, int] = field(default_factory=dict)
    changes: list[LimitChange] = field(default_factory=list)
    most_in_flight: int = 0
    ended_s: float = 0.0

    @property
    def refused_share(self) -> float:
        return len(self.refused) / max(1, len(self.sent))

    def accepted_between(self, start_s: float, end_s: float) -> int:
        return bisect_left(self.accepted, end_s) - bisect_left(self.accepted, start_s)

    def per_second(self, start_s: float, end_s: float) -> float:
        return self.accepted_between(start_s, end_s) / (end_s - start_s)

    def p95_s(self, start_s: float = 0.0) -> float:
        """95th percentile of the latency of what was answered after a time."""
        latencies = sorted(self.latencies[bisect_right(self.accepted, start_s) :])
        return latencies[int(len(latencies) * 0.95)]

    def recovery_s(self, at_s: float, possible_per_s: float, window_s: float = 5.0) -> float:
        """Seconds from ``at_s`` until 95 % of what is possible is reached, and kept for a window."""
        enough = 0.95 * possible_per_s
        step = 0.25
        for n in range(int((self.ended_s - at_s - window_s) / step)):
            start = at_s + n * step
            spans = (1.0, window_s)
            if all(self.per_second(start, start + span) >= enough for span in spans):
                return n * step
        return math.inf


@dataclass
class _Run:
    """One client: its rows, its retries by due time, and the time at which it will ask again."""

    load: Load
    client: int = 0
    left: int | None = None
    retries: list[tuple[float, int, int, float]] = field(default_factory=list)
    due: deque[tuple[int, float]] = field(default_factory=deque)
    sends: int = 0
    asks_at: float = math.inf
    woken: bool = False
    next_tokens: float | None = None
    accepted: int = 0

    def take_due(self, now: float) -> None:
        while self.retries and self.retries[0][0] <= now:
            _, _, tries, tokens = heapq.heappop(self.retries)
            self.due.append((tries, tokens))

    def release(self) -> None:
        self.due.extend((tries, tokens) for _, _, tries, tokens in sorted(self.retries))
        self.retries.clear()


class Bed:
    """Carries out runs through a gate against a service.

    Args:
        late_s: How much later than asked a timer may go off, at most.
        travel: Seconds from the gate to the service, drawn for each request.
        commit_s: From an answer until it is settled.
    """

    def __init__(
        self,
        gate: AnyGate,
        service: Service,
        seed: int,
        *,
        loads: tuple[Load, ...] = (Load(),),
        timeout_s: float = 120.0,
        late_s: float = 0.002,
        travel: Draw | None = None,
        commit_s: float = 0.0,
    ) -> None:
        self.gate, self.service = gate, service
        self.tally = Tally()
        self.now = STARTS_AT
        self._rng = random.Random(seed)
        self._timeout_s, self._late_s, self._commit_s = timeout_s, late_s, commit_s
        self._travel = travel
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._sequence = 0
        self._in_flight = 0
        self._accepting_since: float | None = None
        self._runs = [_Run(load, left=load.rows) for load in loads]
        for run in self._runs:
            self._at(STARTS_AT + run.load.starts_s, partial(self._begin, run))

    def run(self, for_s: float = math.inf, events_max: int = 5_000_000) -> Tally:
        """Until every row is answered, or for so long."""
        end = STARTS_AT + for_s
        for _ in range(events_max):
            if not self._events or self._events[0][0] > end:
                break
            self.now, _, event = heapq.heappop(self._events)
            event()
            for run in self._runs:
                if run.woken:
                    run.woken = False
                    self._pump(run)
        else:
            raise AssertionError("the simulation does not come to an end")
        self.tally.ended_s = (self.now if math.isinf(for_s) else end) - STARTS_AT
        return self.tally

    @property
    def is_done(self) -> bool:
        """Whether every row has been answered."""
        return all(run.load.rows is None or run.accepted >= run.load.rows for run in self._runs)

    def _at(self, when: float, event: Callable[[], None]) -> None:
        self._sequence += 1
        heapq.heappush(self._events, (when, self._sequence, event))

    def _begin(self, run: _Run) -> None:
        def wake() -> None:
            run.woken = True

        run.client = self.gate.join(wake, self.tally.changes.append)
        self._pump(run)

    # -- sending --------------------------------------------------------------------------------

    def _pump(self, run: _Run) -> None:
        run.asks_at = math.inf
        while True:
            run.take_due(self.now)
            tokens = self._next_tokens(run)
            if tokens is None:
                if run.retries:
                    self._ask_at(run, run.retries[0][0])
                return
            answer = self.gate.ask(Cost(run.load.estimate(tokens)), self.now, run.client)
            if isinstance(answer, Hold):
                if answer.until is not None:
                    self._ask_at(run, answer.until + self._rng.uniform(0, self._late_s))
                return
            self._send(run, answer, tokens)

    def _ask_at(self, run: _Run, when: float) -> None:
        when = max(when, self.now + 1e-6)
        if when < run.asks_at:
            run.asks_at = when
            self._at(when, lambda: self._ask_again(run, when))

    def _ask_again(self, run: _Run, when: float) -> None:
        if run.asks_at == when:
            self._pump(run)

    def _next_tokens(self, run: _Run) -> float | None:
        """What the next request will use; None: nothing is ready."""
        if self._is_retrys_turn(run):
            return run.due[0][1]
        if run.left == 0:
            return None
        if run.next_tokens is None:
            run.next_tokens = run.load.tokens(self._rng)
        return run.next_tokens

    def _is_retrys_turn(self, run: _Run) -> bool:
        return bool(run.due) and (run.left == 0 or run.sends % _RETRY_EVERY == 0)

    def _send(self, run: _Run, ticket: Ticket, tokens: float) -> None:
        tries = 1
        if self._is_retrys_turn(run):
            tries = run.due.popleft()[0] + 1
        else:
            run.next_tokens = None
            if run.left is not None:
                run.left -= 1
        run.sends += 1
        tally = self.tally
        tally.sent.append(self.now - STARTS_AT)
        tally.sent_by_client[run.client] = tally.sent_by_client.get(run.client, 0) + 1
        self._in_flight += 1
        tally.most_in_flight = max(tally.most_in_flight, self._in_flight)
        travel_s = self._travel(self._rng) if self._travel else 0.0
        if travel_s > 0:
            arrives = self.now + travel_s
            self._at(arrives, lambda: self._arrive(run, ticket, tokens, tries))
        else:
            self._arrive(run, ticket, tokens, tries)

    # -- answers --------------------------------------------------------------------------------

    def _arrive(self, run: _Run, ticket: Ticket, tokens: float, tries: int) -> None:
        reply = self.service.reply(tokens, self.now, self._rng)
        ends_at = self.now + reply.after_s
        if ends_at - ticket.sent_at > self._timeout_s:
            ends_at = ticket.sent_at + self._timeout_s
            reply = Reply(self._timeout_s, ErrorKind.READ_TIMEOUT)
        self._at(ends_at, lambda: self._end(run, ticket, tokens, tries, reply))

    def _end(self, run: _Run, ticket: Ticket, tokens: float, tries: int, reply: Reply) -> None:
        at = self.now - STARTS_AT
        used = tokens if reply.kind is None else None
        self.gate.hear(Ending(ticket, self.now, used, reply.kind, reply.hint_s, reply.limits))
        if reply.kind is None:
            self._count_answer(run, at, self.now - ticket.sent_at, tokens)
        else:
            refused = reply.kind is ErrorKind.RATE_LIMITED
            (self.tally.refused if refused else self.tally.failed).append(at)
            self._accepting_since = None
            backoff = self._rng.uniform(0, min(_BACKOFF_MAX_S, 2.0 ** min(tries - 1, 10)))
            due = self.now + max(reply.hint_s or 0.0, backoff)
            self._sequence += 1
            heapq.heappush(run.retries, (due, self._sequence, tries, tokens))
        self._at(self.now + self._commit_s, lambda: self._settle(run, ticket))

    def _count_answer(self, run: _Run, at: float, latency_s: float, tokens: float) -> None:
        tally = self.tally
        tally.accepted.append(at)
        tally.latencies.append(latency_s)
        tally.used_tokens.append(tokens)
        tally.accepted_by_client[run.client] = tally.accepted_by_client.get(run.client, 0) + 1
        run.accepted += 1
        if self._accepting_since is None:
            self._accepting_since = self.now
        elif self.now - self._accepting_since >= _RELEASED_AFTER_S:
            for each in self._runs:
                each.release()

    def _settle(self, run: _Run, ticket: Ticket) -> None:
        self._in_flight -= 1
        self.gate.settle(ticket)
        run.woken = True
