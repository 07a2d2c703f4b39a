"""Folds the state of a run into one Snapshot, four times a second.

In comes what the runner, the meters, the lanes and the gate know; out go plain figures, and of
these the ones that are kept for looking at the run afterwards.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice

from batchdesk.domain.snapshot import (
    HoldReason,
    InFlight,
    LaneDepth,
    LimitReason,
    Percentiles,
    Phases,
    Snapshot,
    Waiting,
)
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.admission import GateFigures, Ticket
from batchdesk.engine.advice import Facts, advise
from batchdesk.engine.growth import is_growing
from batchdesk.engine.lanes import Lanes, Ready
from batchdesk.engine.meters import Meters

_MOST_SHOWN = 200  # tasks in flight or waiting that the list shows


@dataclass(slots=True)
class Flight:
    """One request under way.

    Attributes:
        doing: ``service``, then ``writing``.
        tokens: What it really used; None where nobody said.
        expected_s: How long it was expected to take when it was sent; None: nothing was known.
        task: Carries it out.
    """

    ready: Ready
    ticket: Ticket
    doing: str = "service"
    tokens: float | None = None
    expected_s: float | None = None
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Standing:
    """Where a run stands, as the runner keeps it.

    Attributes:
        changed: Tasks that moved since the screen was told.
        limit_reason: Why the in-flight limit changed last.
        wakes_at: When what holds the next request back is looked at again, on the loop's clock;
            None: when something ends.
    """

    run_id: int
    state: RunState = RunState.READY
    cause: ErrorKind | None = None
    counts: Counter[TaskState] = field(default_factory=Counter)
    changed: list[int] = field(default_factory=list)
    hold: HoldReason = HoldReason.NOTHING
    wakes_at: float | None = None
    limit_reason: LimitReason | None = None
    flights: dict[int, Flight] = field(default_factory=dict)

    def move(self, before: TaskState, after: TaskState, how_many: int) -> None:
        """So many tasks went from one state to another."""
        self.counts[before] -= how_many
        self.counts[after] += how_many


def take_snapshot(
    standing: Standing,
    meters: Meters,
    lanes: Lanes,
    gate: GateFigures,
    *,
    now: float,
    at: float,
    active_s: float,
) -> Snapshot:
    """The run at this moment. ``now`` is the loop's clock, ``at`` the time of day."""
    rate = meters.finished_rate.per_second(now)
    fast, slow = lanes.depths(now)
    fill_rate = meters.fill_rate.per_second(now)
    meters.growth.see(now, sum(one.buffered + one.waiting + one.in_flight for one in (fast, slow)))
    latency_run = meters.latency.run()
    return Snapshot(
        run_id=standing.run_id,
        at=at,
        state=standing.state,
        cause=standing.cause,
        active_s=active_s,
        counts={state: n for state, n in standing.counts.items() if n},
        in_flight=len(standing.flights),
        limit=gate.limit,
        buffered=lanes.buffered,
        uncommitted=sum(flight.doing == "writing" for flight in standing.flights.values()),
        hold=standing.hold,
        requests=meters.requests,
        succeeded=meters.succeeded,
        reused=meters.reused,
        failures=dict(meters.failures),
        last_failure=meters.last_failure,
        input_tokens=meters.input_tokens,
        output_tokens=meters.output_tokens,
        finished_per_s=rate,
        requests_per_s=_requests_per_s(meters, gate, now),
        tokens_per_s=meters.token_rate.per_second(now),
        permitted_requests_per_s=gate.permitted_requests_per_s,
        permitted_tokens_per_s=gate.permitted_tokens_per_s,
        latency_recent=meters.latency.recent(now),
        latency_run=latency_run,
        first_token=meters.first_token.recent(now),
        phases=_phases(meters),
        eta_s=_eta_s(standing, meters, lanes, gate, now),
        oldest_wait_s=max(fast.oldest_wait_s, slow.oldest_wait_s),
        ceiling=gate.ceiling,
        pinned=gate.pinned,
        pace_per_s=gate.pace_per_s,
        breaker_probe_s=gate.breaker_probe_s,
        fast=fast,
        slow=slow,
        fill_per_s=fill_rate,
        drain_per_s=rate,
        growing=is_growing(meters.growth.depths, fill_rate, rate),
        last_failures=dict(meters.last_failures),
        queue_wait_p50_s=meters.queue_wait.recent(now).p50,
        accepted_per_s=meters.accepted_rate.per_second(now),
        advice=advise(_facts(standing, meters, gate, now)),
        tasks=(*_in_flight(standing.flights, now), *_waiting(lanes, now)),
    )


def _requests_per_s(meters: Meters, gate: GateFigures, now: float) -> float:
    """What is sent. Of a learned pace, which moves all the time: lately, since its last cut."""
    pace, told = gate.pace_per_s, gate.permitted_requests_per_s
    if pace is None or (told is not None and told <= pace):
        return meters.request_rate.per_second(now)
    return meters.paced_rate.lately_per_second(now)


def _eta_s(
    standing: Standing, meters: Meters, lanes: Lanes, gate: GateFigures, now: float
) -> float | None:
    """Seconds until the end: at the rate of now, but not faster than the limits permit.

    Nor before the longest that is under way, or before the last of the rows that wait may be sent.
    """
    rate, latency = meters.finished_rate.per_second(now), meters.latency.run()
    if rate <= 0:
        return None
    open_tasks = sum(n for state, n in standing.counts.items() if state.is_open)
    rate = min(rate, _permitted_rows_per_s(meters, gate))
    under_way = [_still_s(flight, latency, now) for flight in standing.flights.values()]
    waiting = [due.at - now for due in lanes.waiting]
    return max([open_tasks / rate, *under_way, *waiting])


def _permitted_rows_per_s(meters: Meters, gate: GateFigures) -> float:
    """Rows that may finish per second by the limits; rows that take earlier answers need none."""
    tokens = (meters.input_tokens + meters.output_tokens) / max(1, meters.succeeded)
    permitted = [
        per_s
        for per_s in (gate.pace_per_s, gate.permitted_requests_per_s)
        if per_s is not None and per_s > 0
    ]
    if gate.permitted_tokens_per_s and tokens:
        permitted.append(gate.permitted_tokens_per_s / tokens)
    asked = meters.succeeded / max(1, meters.succeeded + meters.reused)
    return min(permitted, default=math.inf) / asked if asked else math.inf


def _still_s(flight: Flight, latency: Percentiles, now: float) -> float:
    """How long a request is expected to need still; one that is overdue, a tenth of its time."""
    if flight.doing != "service":
        return 0.0
    took_s = now - flight.ticket.sent_at
    for seconds in (flight.expected_s, latency.p50, latency.p95, latency.p99):
        if seconds is not None and seconds > took_s:
            return seconds - took_s
    return took_s / 10


def figures_of(snapshot: Snapshot) -> dict[str, object]:
    """What is kept of a snapshot: all that the charts of a run need to be drawn again.

    Plain JSON; durations in seconds, rates per second, ``None`` where there was no such figure.
    """
    latency, whole = snapshot.latency_recent, snapshot.latency_run
    return {
        "counts": dict(snapshot.counts),
        "fast": _kept_depth(snapshot.fast),
        "slow": _kept_depth(snapshot.slow),
        "oldest_wait_s": round(snapshot.oldest_wait_s, 1),
        "in_flight": snapshot.in_flight,
        "limit": snapshot.limit,
        "ceiling": snapshot.ceiling,
        "pinned": snapshot.pinned,
        "pace_per_s": _rounded(snapshot.pace_per_s),
        "degraded": snapshot.degraded,
        "growing": snapshot.growing,
        "buffered": snapshot.buffered,
        "hold": snapshot.hold,
        "requests": snapshot.requests,
        "failures": dict(snapshot.failures),
        "finished_per_s": round(snapshot.finished_per_s, 3),
        "accepted_per_s": round(snapshot.accepted_per_s, 3),
        "fill_per_s": round(snapshot.fill_per_s, 3),
        "requests_per_s": round(snapshot.requests_per_s, 3),
        "tokens_per_s": round(snapshot.tokens_per_s, 1),
        "permitted_requests_per_s": _rounded(snapshot.permitted_requests_per_s),
        "permitted_tokens_per_s": _rounded(snapshot.permitted_tokens_per_s),
        "p50_s": _rounded(latency.p50),
        "p95_s": _rounded(latency.p95),
        "p99_s": _rounded(latency.p99),
        "run_p50_s": _rounded(whole.p50),
        "run_p95_s": _rounded(whole.p95),
        "run_p99_s": _rounded(whole.p99),
        "first_token_p50_s": _rounded(snapshot.first_token.p50),
        "queue_wait_p50_s": _rounded(snapshot.queue_wait_p50_s),
        "input_tokens": snapshot.input_tokens,
        "output_tokens": snapshot.output_tokens,
        "phases": {name: round(value, 3) for name, value in asdict(snapshot.phases).items()},
    }


def _kept_depth(lane: LaneDepth) -> dict[str, float]:
    return {
        "buffered": lane.buffered,
        "waiting": lane.waiting,
        "in_flight": lane.in_flight,
        "oldest_wait_s": round(lane.oldest_wait_s, 1),
    }


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)


def _facts(standing: Standing, meters: Meters, gate: GateFigures, now: float) -> Facts:
    meters.holds.see(now, standing.hold)
    requests_per_s = meters.request_rate.per_second(now)
    failed_per_s = meters.failed_rate.per_second(now)
    taken_s = meters.service_s + meters.writing_s
    return Facts(
        holds=meters.holds.shares(),
        limit=gate.limit,
        ceiling=gate.ceiling,
        pinned=gate.pinned,
        limit_reason=standing.limit_reason,
        requests_per_s=requests_per_s,
        answered_per_s=meters.answered_rate.per_second(now),
        tokens_per_s=meters.token_rate.per_second(now),
        failed_share=min(1.0, failed_per_s / requests_per_s) if requests_per_s else 0.0,
        writing_share=meters.writing_s / taken_s if taken_s else 0.0,
        written=meters.written,
        instructions_tokens=meters.instructions_tokens,
        row_tokens=meters.row_tokens,
    )


def _phases(meters: Meters) -> Phases:
    return Phases(
        preparing_s=meters.preparing_s,
        queueing_s=meters.queueing_s,
        limit_s=meters.limit_s,
        service_s=meters.service_s,
        checking_s=meters.checking_s,
        writing_s=meters.writing_s,
    )


def _in_flight(flights: Mapping[int, Flight], now: float) -> list[InFlight]:
    return [
        InFlight(
            task_id=task_id,
            row_key=flight.ready.task.row_key,
            attempt=flight.ready.task.attempts + 1,
            since_s=now - flight.ticket.sent_at,
            doing=flight.doing,
            slow=flight.ready.slow,
        )
        for task_id, flight in islice(flights.items(), _MOST_SHOWN)
    ]


def _waiting(lanes: Lanes, now: float) -> list[Waiting]:
    return [
        Waiting(due.task_id, due.row_key, due.attempt, max(0.0, due.at - now), due.kind, due.slow)
        for due in heapq.nsmallest(_MOST_SHOWN, lanes.waiting, key=lambda due: due.at)
    ]
