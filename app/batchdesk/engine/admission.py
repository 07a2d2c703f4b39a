"""The one gate before every request: "go", or "wait because …" with a reason and a time.

The gate is a list of small parts, each pure over the time that is passed in: the in-flight limit,
limits told and read from headers, the learned pace, the breaker. A part may hold a request back,
takes its share when the request goes, and is told how the request ended. What a part is, and the
names it shares with the gate, are in ``part``.

One gate serves all runs on one provider and account; each run is a client of it, and ``turns``
gives them equal shares. What concerns one run alone (its retries, its alarm, its lanes) is asked
before the gate, in that run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.snapshot import LimitChange
from batchdesk.engine.breaker import Breaker
from batchdesk.engine.header_level import HeaderRequests, HeaderTokens
from batchdesk.engine.in_flight import AdaptiveLimit
from batchdesk.engine.kept import Kept
from batchdesk.engine.pace import LearnedPace
from batchdesk.engine.part import Cost, Ending, Hold, Part, Ticket
from batchdesk.engine.told import ToldRequests, ToldTokens
from batchdesk.engine.turns import Turns

__all__ = ["Cost", "Ending", "Gate", "GateFigures", "GateLimits", "Hold", "Part", "Ticket"]


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What is known of an account when its gate is made.

    Attributes:
        start: Requests at once, at first.
        ceiling: Most requests at once, ever.
        pinned: Requests at once as a person wants it; it does not move by itself then.
        rpm: Requests per minute as told; None: not told.
        tpm: Tokens per minute as told; None: not told.
    """

    start: int
    ceiling: int = 200
    pinned: int | None = None
    rpm: float | None = None
    tpm: float | None = None


@dataclass(frozen=True, slots=True)
class GateFigures:
    """What the gate permits at this moment; None where there is no such limit."""

    in_flight: int
    limit: int
    ceiling: int
    pinned: bool = False
    pace_per_s: float | None = None
    permitted_requests_per_s: float | None = None
    permitted_tokens_per_s: float | None = None
    breaker_probe_s: float | None = None


class Gate:
    """All parts together. Every method is called from one thread, with times that do not fall.

    Attributes:
        in_flight: How many at once.
        pace: What refusals taught.
        breaker: Whether the service is down.
    """

    def __init__(self, limits: GateLimits) -> None:
        self.in_flight = AdaptiveLimit(limits.start, limits.ceiling, limits.pinned, self._tell)
        self.pace = LearnedPace(self._tell, self._known_requests_per_s)
        self.breaker = Breaker(self._tell)
        self._told = (ToldRequests(limits.rpm, self._tell), ToldTokens(limits.tpm, self._tell))
        self._headers = (HeaderRequests(self._tell), HeaderTokens(self._tell))
        self._parts: tuple[Part, ...] = (
            self.in_flight,
            *self._told,
            *self._headers,
            self.pace,
            self.breaker,
        )
        self._turns = Turns()
        self._number = 0
        self._unheard: set[int] = set()
        self._unsettled: set[int] = set()
        self._now = float("-inf")
        self._has_changed = False
        self._has_sent = False
        self._lift_cap()

    # -- clients --------------------------------------------------------------------------------

    def join(
        self, wake: Callable[[], None], on_change: Callable[[LimitChange], None] | None = None
    ) -> int:
        """A run comes; returns which client it is.

        Args:
            wake: Called when asking again may be worth it.
            on_change: Called with each change of the gate's numbers; ``at`` is of the gate's clock.
        """
        self._number += 1
        self._turns.join(self._number, wake, on_change)
        return self._number

    def leave(self, client: int) -> None:
        """A run has ended. What it still has under way is settled all the same."""
        self._turns.leave(client)

    def resume(self, kept: Kept, now: float) -> None:
        """Begin where a run on this account stood a while ago; not once this gate knows better."""
        if self._has_sent or self.pace.per_second is not None:
            return
        if kept.pace_per_s is not None:
            self.pace.resume(kept.pace_per_s, now)
        if kept.limit is not None:
            self.in_flight.resume(kept.limit)
            self._lift_cap()

    # -- a person -------------------------------------------------------------------------------

    def pin(self, limit: int | None, now: float) -> None:
        """A person sets how many go at once, or (None) lets the gate find it again."""
        self.in_flight.pin(limit, now)
        self._turns.wake_all()

    def set_ceiling(self, ceiling: int, now: float) -> None:
        """A person moves the most requests that may go at once."""
        self.in_flight.set_ceiling(ceiling, now)
        self._turns.wake_all()

    def set_told(self, rpm: float | None, tpm: float | None, now: float) -> None:
        """A person sets the limits per minute; None: not told."""
        for part, per_minute in zip(self._told, (rpm, tpm), strict=True):
            part.set(per_minute, now)
        self._lift_cap()
        self._turns.wake_all()

    # -- requests -------------------------------------------------------------------------------

    def ask(self, cost: Cost, now: float, client: int) -> Ticket | Hold:
        """A ticket: admitted. A hold: why and until when not.

        Of several reasons the one that lasts longest is given.
        """
        self._now = max(self._now, now)
        self._turns.asks(client, now)
        hold = self._longest_hold(cost, now) or self._turns.other_first(client, now)
        if hold is not None:
            self._turns.held(client, hold)
            return hold
        self._number += 1
        self._has_sent = True
        ticket = Ticket(self._number, client, cost, now)
        self._unheard.add(ticket.number)
        self._unsettled.add(ticket.number)
        for part in self._parts:
            part.take(ticket)
        self._turns.sent(client, now)
        return ticket

    def hear(self, ending: Ending) -> None:
        """A request has ended; at most once for each ticket, before it is settled.

        Raises:
            ValueError: it was heard of before, or is none of this gate's.
        """
        if ending.ticket.number not in self._unheard:
            raise ValueError(f"request {ending.ticket.number} is heard of twice")
        self._unheard.remove(ending.ticket.number)
        self._now = max(self._now, ending.ended_at)
        self._has_changed = False
        for part in self._parts:
            part.hear(ending)
        if self._has_changed:
            self._lift_cap()
            self._turns.wake_waiting(self._now)

    def settle(self, ticket: Ticket) -> None:
        """What came of a request is on disk, or nothing will: exactly once for each ticket.

        Raises:
            ValueError: it was settled before, or is none of this gate's.
        """
        if ticket.number not in self._unsettled:
            raise ValueError(f"request {ticket.number} is settled twice")
        if ticket.number in self._unheard:  # nobody knows how it ended
            self.hear(Ending(ticket, self._now, cancelled=True))
        self._unsettled.remove(ticket.number)
        for part in self._parts:
            part.settle(ticket)
        self._turns.wake_waiting(self._now)

    # -- figures --------------------------------------------------------------------------------

    def figures(self, now: float) -> GateFigures:
        """What is permitted now."""
        requests, tokens = (
            _permitted(told, header) for told, header in zip(self._told, self._headers, strict=True)
        )
        return GateFigures(
            in_flight=self.in_flight.in_flight,
            limit=self.in_flight.limit,
            ceiling=self.in_flight.ceiling,
            pinned=self.in_flight.pinned is not None,
            pace_per_s=self.pace.per_second,
            permitted_requests_per_s=requests,
            permitted_tokens_per_s=tokens,
            breaker_probe_s=self.breaker.probe_in_s(now),
        )

    def _longest_hold(self, cost: Cost, now: float) -> Hold | None:
        longest: Hold | None = None
        for part in self._parts:
            hold = part.hold(cost, now)
            if hold is not None and _lasts_longer(hold, longest):
                longest = hold
        return longest

    def _known_requests_per_s(self) -> float | None:
        """The limit of requests as told or as headers state it; None: not known."""
        known = (self._told[0].limit_per_second, self._headers[0].limit_per_second)
        return min((limit for limit in known if limit is not None), default=None)

    def _lift_cap(self) -> None:
        """Once a limit is known, it keeps the service from being overrun."""
        if any(part.per_second is not None for part in (*self._told, *self._headers)):
            self.in_flight.limits_are_known()

    def _tell(self, change: LimitChange) -> None:
        self._has_changed = True
        self._turns.tell(change)


def _permitted(told: ToldRequests, header: HeaderRequests) -> float | None:
    """What a limit permits per second, as told or as headers state it."""
    rates = (told.per_second, header.per_second)
    return min((rate for rate in rates if rate is not None), default=None)


def _lasts_longer(hold: Hold, than: Hold | None) -> bool:
    if than is None:
        return True
    if than.until is None:
        return False
    return hold.until is None or hold.until > than.until
