"""Words for what holds a run back, and for every change of its limits."""

from __future__ import annotations

from collections.abc import Callable

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason, Snapshot
from batchdesk.domain.task import TaskState

LIMIT_REASONS = {
    LimitReason.SLOW_START: "answers came cleanly",
    LimitReason.QUEUEING: "answers got slower, so that more would only queue",
    LimitReason.TESTING: "testing how fast the service is with fewer",
    LimitReason.CONFIRMED: "the test is over and nothing queues",
    LimitReason.FASTER: "answers are as fast as with few at once",
    LimitReason.REFUSED: "the service refused",
    LimitReason.REOPENED: "a probe went through after a refusal",
    LimitReason.GROWTH: "all was used without a refusal",
    LimitReason.HEADERS: "the service states it with its answers",
    LimitReason.TOLD: "the job or the service names it",
    LimitReason.OUTAGE: "nothing came through any more",
    LimitReason.PROBE_ANSWERED: "the service answers again",
    LimitReason.PERSON: "set by hand",
    LimitReason.FAILURES: "too many rows failed in the last minute",
    LimitReason.RECOVERED: "failures are rare again",
    LimitReason.LATENCY_MARK: "answers are slower than the job allows",
}


def hold_words(snapshot: Snapshot) -> str:
    """What holds the run back, in a few words; empty if nothing does.

    An outage, an alarm and a queue that grows without end are told whatever else holds it back.
    """
    parts = [_HOLDS[snapshot.hold](snapshot)]
    if snapshot.breaker_probe_s is not None and snapshot.hold is not HoldReason.OUTAGE:
        parts.append(_outage(snapshot))
    if snapshot.degraded and snapshot.hold is not HoldReason.DEGRADED:
        parts.append("alarm: too many rows fail, sending is slowed down")
    if snapshot.growing:
        parts.append("the queue grows without end: it fills faster than it empties")
    return " · ".join(part for part in parts if part)


def _in_flight(snapshot: Snapshot) -> str:
    by_hand = ", set by hand" if snapshot.pinned else ""
    return f"limited by {snapshot.limit} requests in flight{by_hand}"


def _requests(snapshot: Snapshot) -> str:
    used = _used(snapshot.requests_per_s, snapshot.permitted_requests_per_s)
    return f"limited by requests per minute ({used})"


def _tokens(snapshot: Snapshot) -> str:
    used = _used(snapshot.tokens_per_s, snapshot.permitted_tokens_per_s)
    return f"limited by tokens per minute ({used})"


def _pace(snapshot: Snapshot) -> str:
    pace = snapshot.pace_per_s
    known = "" if pace is None else f" ({pace * 60:,.0f} requests a minute)"
    return f"limited by the pace that the service accepts{known}"


def _outage(snapshot: Snapshot) -> str:
    probe_s = snapshot.breaker_probe_s
    soon = probe_s is None or probe_s < 1
    return f"the service does not answer: next try {'now' if soon else f'in {probe_s:.0f} s'}"


def _retry_wait(snapshot: Snapshot) -> str:
    return f"waiting to try {snapshot.counts.get(TaskState.WAITING, 0):,} again"


_HOLDS: dict[HoldReason, Callable[[Snapshot], str]] = {
    HoldReason.NOTHING: lambda _: "",
    HoldReason.IN_FLIGHT: _in_flight,
    HoldReason.REQUESTS_PER_MINUTE: _requests,
    HoldReason.TOKENS_PER_MINUTE: _tokens,
    HoldReason.PACE: _pace,
    HoldReason.REFUSED: lambda _: "refused by the service: stopped for a moment",
    HoldReason.OUTAGE: _outage,
    HoldReason.SHARED: lambda _: "another run on the same account has its turn",
    HoldReason.RETRY_BUDGET: lambda _: "only retries are ready, and they have had their share",
    HoldReason.DEGRADED: lambda _: "too many rows fail: earlier rows wait, new ones go on",
    HoldReason.LATENCY_MARK: lambda _: "answers are slower than the job allows: sending less",
    HoldReason.RETRY_WAIT: _retry_wait,
    HoldReason.NO_WORK: lambda snapshot: "all are under way" if snapshot.in_flight else "",
    HoldReason.PREPARING: lambda _: "reading rows",
}


def _used(rate: float, permitted: float | None) -> str:
    return f"{rate / permitted if permitted else 0.0:.0%} used"


def stalled_words(for_s: float) -> str:
    """A run in which nothing moves, though nothing that is known holds it back."""
    return (
        f"Nothing has moved for {for_s:.0f} s though rows are left, and no reason is known: a "
        "fault of Batchdesk. Ctrl+C pauses; what was saved is safe, and resume goes on."
    )


def change_words(change: LimitChange) -> str:
    """One change: ``requests at once 40 → 24: answers got slower, …``."""
    return f"{_CHANGES[change.what](change)}: {LIMIT_REASONS[change.reason]}"


def _step(name: str, factor: float = 1.0) -> Callable[[LimitChange], str]:
    def tell(change: LimitChange) -> str:
        old, new = (
            "none" if value is None else f"{value * factor:,.1f}".removesuffix(".0")
            for value in (change.old, change.new)
        )
        return f"{name} {old} → {new}"

    return tell


_CHANGES: dict[LimitKind, Callable[[LimitChange], str]] = {
    LimitKind.IN_FLIGHT: _step("requests at once"),
    LimitKind.CEILING: _step("most requests at once"),
    LimitKind.PACE: _step("requests per minute", 60),
    LimitKind.TOKENS: _step("tokens per minute", 60),
    LimitKind.BREAKER: lambda change: "sending again" if change.new else "stopped sending",
    LimitKind.ALARM: lambda change: "alarm" if change.new else "end of the alarm",
}
