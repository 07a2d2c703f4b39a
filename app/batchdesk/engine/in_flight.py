"""How many requests may be under way at once, moved by latency alone.

In come requests as they are sent, heard of and settled; out goes a hold while the limit is
reached, and a report of each change. A refusal says "too often" and moves nothing here, unless its
words name a limit of requests at once. Faults pause growth and never cut: an outage is the
breaker's matter. Used by the gate alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.cohort import Cohort, Cohorts, Measured
from batchdesk.engine.concurrency_cap import ConcurrencyCap
from batchdesk.engine.knee import Knee
from batchdesk.engine.part import Cost, Ending, Hold, Ticket, is_answer, is_fault

_IN_USE = 0.8  # from this share of the limit on it is in use
_AGED_S = 2.0  # in flight for so long and not refused counts as an answer, for growth
_BASE_REQUESTS = 8
_APART_S = 0.05  # these go so long before the others
_PAUSE_ANSWERS = 5  # answers that a fault keeps from growing the limit


class InFlightLimit:
    """At most so many requests at once.

    Args:
        start: The limit at first.
        ceiling: The limit never goes above it.
    """

    def __init__(self, start: int, ceiling: int = 200) -> None:
        self.in_flight = 0
        self.ceiling = ceiling
        self._start = start

    @property
    def limit(self) -> int:
        """What counts now."""
        return max(1, min(self._start, self.ceiling))

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Full: until one ends."""
        del cost, now
        return Hold(HoldReason.IN_FLIGHT, None) if self.in_flight >= self.limit else None

    def take(self, ticket: Ticket) -> None:
        """One more under way."""
        del ticket
        self.in_flight += 1

    def hear(self, ending: Ending) -> None:
        """It keeps its slot until it is settled."""

    def settle(self, ticket: Ticket) -> None:
        """One fewer under way."""
        del ticket
        self.in_flight -= 1


class AdaptiveLimit(InFlightLimit):
    """The limit that finds the knee of a service by itself; see ``knee`` for how.

    Args:
        start: The limit at first.
        ceiling: The limit never goes above it.
        pinned: A limit set by hand, which does not move by itself and may pass the ceiling.
        on_change: Told each change of the limit and of the ceiling.
    """

    def __init__(
        self,
        start: int,
        ceiling: int = 200,
        pinned: int | None = None,
        on_change: Callable[[LimitChange], None] = lambda _change: None,
    ) -> None:
        super().__init__(start, ceiling)
        self.pinned = pinned
        self._on_change = on_change
        self._knee = Knee(start)
        self._cap = ConcurrencyCap()
        self._first = Cohort(_BASE_REQUESTS)
        self._others_at = -math.inf  # the first requests shall not queue behind the others
        self._cohorts = Cohorts()
        self._out: set[int] = set()  # not heard of yet
        self._young: dict[int, float] = {}  # number: sent at; not counted for growth yet
        self._newest = 0
        self._full_at = 0  # the newest request when the limit last held one back
        self._pauses = 0  # answers that grow nothing
        self._reported = self.limit

    @property
    def limit(self) -> int:
        """What counts now: from 1 to the ceiling, or as pinned; never above the service's cap."""
        wanted = self.pinned
        if wanted is None:
            wanted = min(round(self._knee.limit), self.ceiling)
        return max(1, wanted if self._cap.cap is None else min(wanted, self._cap.cap))

    def resume(self, limit: int) -> None:
        """Begin at a limit that was found a while ago, before anything is sent."""
        self._knee = Knee(max(1, min(limit, self.ceiling)))
        self._reported = self.limit

    def pin(self, limit: int | None, now: float) -> None:
        """Hold the limit where a person wants it, or (None) find it again from there."""
        if limit is None and self.pinned is not None:
            self._knee.restart(min(self.pinned, self.ceiling))
            self._cohorts.begin_anew()
        self.pinned = limit
        self._report(now, LimitReason.PERSON)

    def set_ceiling(self, ceiling: int, now: float) -> None:
        """The limit never goes above it."""
        if ceiling != self.ceiling:
            change = LimitChange(now, LimitKind.CEILING, self.ceiling, ceiling, LimitReason.PERSON)
            self.ceiling = ceiling
            self._on_change(change)
        self._knee.limit = min(self._knee.limit, float(ceiling))
        self._report(now, LimitReason.PERSON)

    def limits_are_known(self) -> None:
        """A pace keeps the service from being overrun: slow start may go to the ceiling."""
        self._knee.is_capped = False

    # -- a part of the gate ---------------------------------------------------------------------

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Full: until one ends, or until one is old enough to let the limit grow."""
        del cost
        self._count_aged(now)
        if now < self._cap.stops_until:
            return Hold(HoldReason.REFUSED, self._cap.stops_until)
        if now < self._others_at and self._first.is_sent and self.pinned is None:
            return Hold(HoldReason.IN_FLIGHT, self._others_at)
        if self.in_flight < self.limit:
            return None
        self._full_at = self._newest
        grows = self._young and self.pinned is None and self._knee.may_grow(self.ceiling)
        until = next(iter(self._young.values())) + _AGED_S if grows else None
        return Hold(HoldReason.IN_FLIGHT, until)

    def take(self, ticket: Ticket) -> None:
        """One more under way."""
        super().take(ticket)
        number = self._newest = ticket.number
        self._out.add(number)
        self._young[number] = ticket.sent_at
        if ticket.cost.is_long:
            return
        if self._knee.base_s is None:
            if self._others_at == -math.inf:
                self._others_at = ticket.sent_at + _APART_S
            self._first.sent(number, self.limit)
        self._cohorts.sent(number, self.limit, self._knee.cohort_size)

    def hear(self, ending: Ending) -> None:
        """Learn from an ending; the slot is kept until it is settled."""
        number, now = ending.ticket.number, ending.ended_at
        self._count_aged(now)
        self._out.discard(number)
        is_young = self._young.pop(number, None) is not None
        limits = ending.limits
        if limits.requests is not None or limits.tokens is not None:
            self.limits_are_known()
        if is_answer(ending):
            self._answered(ending, is_young=is_young)
            return
        self._first.dropped(number)
        self._cohorts.dropped(number)
        if is_fault(ending):
            self._pauses = min(self._pauses + _PAUSE_ANSWERS, 2 * self.limit)
        elif not ending.cancelled and self._cap.refused(ending, len(self._out), self._newest):
            self._report(now, LimitReason.TOLD)

    # -- learning -------------------------------------------------------------------------------

    def _answered(self, ending: Ending, *, is_young: bool) -> None:
        number, now = ending.ticket.number, ending.ended_at
        latency_s = now - ending.ticket.sent_at
        is_bound = self._is_bound(number)
        if is_bound and self._cap.answered(number):
            self._report(now, LimitReason.GROWTH)
        if self._knee.base_s is None:
            self._first.answered(number, latency_s, bound=True)
            base = self._first.measured(number)
            if base is not None:
                self._knee.begin(base)
        if (is_bound or self._knee.base_s is None) and self.pinned is None:
            self._moved(self._knee.see(latency_s, now), now)
        if is_young and is_bound:
            self._grow(now, latency_s)
        measured = self._cohorts.answered(number, latency_s, bound=is_bound)
        if measured is not None and measured.bound and self.pinned is None:
            self._learn(measured, now)

    def _learn(self, measured: Measured, now: float) -> None:
        self._moved(self._knee.learn(measured, now), now)

    def _moved(self, reason: LimitReason | None, now: float) -> None:
        self._knee.limit = min(self._knee.limit, float(self.ceiling))
        if reason is not None:
            self._cohorts.begin_anew()
            self._report(now, reason)

    def _is_bound(self, number: int) -> bool:
        """Whether the limit was in use while a request was under way."""
        return number <= self._full_at or self.in_flight >= _IN_USE * self.limit

    def _count_aged(self, now: float) -> None:
        """Requests that have been under way for long were not refused: they count as answered."""
        while self._young:
            number, sent_at = next(iter(self._young.items()))
            if sent_at + _AGED_S > now:
                return
            del self._young[number]
            if self._is_bound(number):
                self._grow(now)

    def _grow(self, now: float, latency_s: float = 0.0) -> None:
        if self._pauses > 0:
            self._pauses -= 1
        elif self.pinned is None:
            self._knee.grow(self.ceiling, latency_s)
            self._report(now, LimitReason.SLOW_START)

    def _report(self, now: float, reason: LimitReason) -> None:
        old, new = self._reported, self.limit
        if new != old:
            self._reported = new
            self._on_change(LimitChange(now, LimitKind.IN_FLIGHT, old, new, reason))
