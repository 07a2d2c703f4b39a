"""One run's own view of the gate that all runs on an account share.

What concerns this run alone is asked first: its retry budget, its alarm and its latency mark. Then
the gate is asked. Out come tickets or reasons to wait, which priorities may not go now, and the
changes of every limit in epoch seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import Priority
from batchdesk.engine.admission import Cost, Ending, Gate, GateFigures, Hold, Ticket
from batchdesk.engine.alarm import Alarm, LatencyMark
from batchdesk.engine.early_release import EarlyRelease
from batchdesk.engine.kept import Kept
from batchdesk.engine.lanes import Ready
from batchdesk.engine.retry_budget import RetryBudget

_NONE_BARRED: frozenset[Priority] = frozenset()


class RunGate:
    """The gate as one run sees it.

    Args:
        on_change: Is told of each change of a limit; its ``at`` is the loop's clock.
    """

    def __init__(
        self, gate: Gate, limits: Limits, on_change: Callable[[LimitChange], None]
    ) -> None:
        self._gate = gate
        self._on_change = on_change
        self._budget = RetryBudget(limits.retry_share)
        self._alarm = Alarm(limits.alarm_share)
        self._mark = LatencyMark(limits.latency_p95_max_s)
        self._early = EarlyRelease()
        self._client = 0
        self._in_flight: dict[int, Ready] = {}  # by the ticket's number

    # -- the run comes and goes -------------------------------------------------------------

    def join(self, wake: Callable[[], None]) -> None:
        """The run begins; ``wake`` is called when asking again may be worth it."""
        self._client = self._gate.join(wake, self._on_change)

    def resume(self, kept: Kept, now: float) -> None:
        """Begin with what an earlier session of the run had learned."""
        self._gate.resume(kept, now)

    def leave(self) -> None:
        """The run has ended."""
        self._gate.leave(self._client)

    # -- asking -----------------------------------------------------------------------------

    def limit(self) -> int:
        """How many requests this run may have in flight."""
        return self._cap(self._gate.in_flight.limit)

    def barred(self, now: float) -> frozenset[Priority]:
        """Which priorities may not go now."""
        self.look(now)
        barred = _NONE_BARRED
        if not self._budget.has_room(now):
            barred |= {Priority.RETRY}
        if self._alarm.is_on and self._has_backfill_in_flight():
            barred |= {Priority.BACKFILL}
        return barred

    def barred_hold(self, priority: Priority, now: float) -> Hold:
        """Why a task of a priority that is barred waits."""
        if priority is Priority.RETRY:
            return Hold(HoldReason.RETRY_BUDGET, self._budget.free_at(now))
        return Hold(HoldReason.DEGRADED, None)

    def ask(self, ready: Ready, cost: Cost, now: float) -> Ticket | Hold:
        """A ticket: admitted. A hold: why and until when not."""
        in_flight = len(self._in_flight)
        if self._alarm.cap is not None and in_flight >= self._alarm.cap:
            return Hold(HoldReason.DEGRADED, None)
        if self._mark.cap is not None and in_flight >= self._mark.cap:
            return Hold(HoldReason.LATENCY_MARK, None)
        admitted = self._gate.ask(cost, now, self._client)
        if not isinstance(admitted, Hold):
            self._in_flight[admitted.number] = ready
            self._budget.sent(now, is_retry=_is_retry(ready))
        return admitted

    # -- what came of it --------------------------------------------------------------------

    def hear(self, ending: Ending) -> bool:
        """A request has ended; True when rows that were refused may go before their time."""
        ready = self._in_flight.get(ending.ticket.number)
        is_answer = not ending.cancelled and (ending.kind is None or ending.kind.is_of_answer)
        if is_answer:
            sent_at = ending.ticket.sent_at
            if ready is not None and _is_retry(ready):
                self._budget.answered(sent_at)
            if ready is not None and not ready.slow:  # long rows take long by nature
                self._measure(ending.ended_at, sent_at)
        self._gate.hear(ending)
        return self._early.hear(ending)

    def _measure(self, now: float, sent_at: float) -> None:
        """Hold an answer against the latency mark, and tell when its ceiling moves."""
        limit, before = self._gate.in_flight.limit, self._mark.cap
        self._mark.answered(now, sent_at=sent_at, service_s=now - sent_at, limit=limit)
        if self._mark.cap == before:
            return
        old, new = (limit if cap is None else cap for cap in (before, self._mark.cap))
        reason = LimitReason.LATENCY_MARK if new < old else LimitReason.FASTER
        self._on_change(LimitChange(now, LimitKind.CEILING, old, new, reason))

    def settle(self, ticket: Ticket) -> None:
        """What came of a request is on disk, or nothing will."""
        self._in_flight.pop(ticket.number, None)
        self._gate.settle(ticket)

    def finished(self, now: float, failed: bool) -> None:  # noqa: FBT001 - a callback
        """A row has its outcome; ``failed``: dead for the provider's reasons."""
        self._alarm.finished(now, failed=failed)
        self.look(now)

    def look(self, now: float) -> None:
        """Let the alarm go on or off with the time."""
        before = self._ceiling()
        if self._alarm.look(now, self._gate.in_flight.limit):
            on = self._alarm.is_on
            reason = LimitReason.FAILURES if on else LimitReason.RECOVERED
            old, new = (0.0, 1.0) if on else (1.0, 0.0)
            self._on_change(LimitChange(now, LimitKind.ALARM, old, new, reason))
            self._on_change(LimitChange(now, LimitKind.CEILING, before, self._ceiling(), reason))

    # -- figures ----------------------------------------------------------------------------

    def is_broken(self, now: float) -> bool:
        """Whether the service is known to be down."""
        return self._gate.figures(now).breaker_probe_s is not None

    @property
    def is_degraded(self) -> bool:
        """Whether the alarm is on."""
        return self._alarm.is_on

    def figures(self, now: float) -> GateFigures:
        """What is permitted now; the limit is this run's."""
        figures = self._gate.figures(now)
        return replace(figures, limit=self._cap(figures.limit))

    def _ceiling(self) -> int:
        """The most requests that this run may have in flight, as things stand."""
        shared = self._gate.in_flight
        most = shared.ceiling if shared.pinned is None else shared.pinned
        return most if self._alarm.cap is None else min(most, self._alarm.cap)

    def _cap(self, limit: int) -> int:
        return min(cap for cap in (limit, self._alarm.cap, self._mark.cap) if cap is not None)

    def _has_backfill_in_flight(self) -> bool:
        return any(one.priority is Priority.BACKFILL for one in self._in_flight.values())


def _is_retry(ready: Ready) -> bool:
    return ready.priority is Priority.RETRY
