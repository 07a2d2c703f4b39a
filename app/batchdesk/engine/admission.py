"""The one gate before every request: "go", or "wait because …" with a reason and a time.

The gate is a list of small parts, each pure over the time that is passed in. A part may hold a
request back, takes its share when the request goes, and is told how the request ended. What a part
is, and the names it shares with the gate, are in ``part``.

One gate serves all runs on one provider and account; each run is a client of it. What concerns one
run alone (its retries, its alarm, its lanes) is asked before the gate, in that run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.snapshot import USED_OF_TOLD, HoldReason, LimitChange
from batchdesk.engine.in_flight import InFlightLimit
from batchdesk.engine.part import Cost, Ending, Hold, Part, Ticket

__all__ = ["Cost", "Ending", "Gate", "GateFigures", "GateLimits", "Hold", "Part", "Ticket"]

_CATCH_UP_S = 0.02  # late sends may catch up by this much (gate.md: tol_s)


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


class ToldRequests:
    """A told limit of requests per minute: sent evenly at 0.99 of it, without an initial burst."""

    reason = HoldReason.REQUESTS_PER_MINUTE

    def __init__(self, per_minute: float) -> None:
        self.per_second = per_minute / 60 * USED_OF_TOLD
        self._free_at = float("-inf")  # when all that was sent so far is paid off

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Until what was sent before is paid off."""
        del cost
        return Hold(self.reason, self._free_at) if now < self._free_at else None

    def take(self, ticket: Ticket) -> None:
        """Pay for one request."""
        self._pay(1.0, ticket.sent_at)

    def hear(self, ending: Ending) -> None:
        """A request is a request, however it ended."""

    def settle(self, ticket: Ticket) -> None:
        """Nothing was held for it."""

    def _pay(self, amount: float, now: float) -> None:
        """The catch-up keeps a late timer from costing throughput."""
        start = max(self._free_at, now - _CATCH_UP_S)
        self._free_at = start + amount / self.per_second


class ToldTokens(ToldRequests):
    """A told limit of tokens per minute: reserved as estimated, settled on the answer.

    A request larger than a whole minute goes alone: it pays for itself afterwards.
    """

    reason = HoldReason.TOKENS_PER_MINUTE

    def take(self, ticket: Ticket) -> None:
        """Reserve what the request is expected to use."""
        self._pay(ticket.cost.tokens, ticket.sent_at)

    def hear(self, ending: Ending) -> None:
        """Give back what was reserved too much, or pay what was used beyond it."""
        if ending.tokens is not None:
            self._free_at += (ending.tokens - ending.ticket.cost.tokens) / self.per_second


class Gate:
    """All parts together. Every method is called from one thread, with times that do not fall."""

    def __init__(self, limits: GateLimits) -> None:
        self.in_flight = InFlightLimit(limits.start, limits.ceiling, limits.pinned)
        self._requests: ToldRequests | None = None
        self._tokens: ToldTokens | None = None
        self._clients: dict[int, Callable[[], None]] = {}
        self._number = 0
        self._unheard: dict[int, Ticket] = {}
        self._unsettled: dict[int, Ticket] = {}
        self._now = float("-inf")
        self.set_told(limits.rpm, limits.tpm, self._now)

    def join(
        self, wake: Callable[[], None], on_change: Callable[[LimitChange], None] | None = None
    ) -> int:
        """A run comes; returns which client it is.

        Args:
            wake: Called when asking again may be worth it.
            on_change: Called with each change of the gate's numbers; ``at`` is of the gate's clock.
        """
        del on_change
        self._number += 1
        self._clients[self._number] = wake
        return self._number

    def leave(self, client: int) -> None:
        """A run has ended."""
        del self._clients[client]

    def pin(self, limit: int | None, now: float) -> None:
        """A person sets how many go at once, or (None) lets the gate find it again."""
        self.in_flight.pin(limit, now)
        self._wake_all()

    def set_ceiling(self, ceiling: int, now: float) -> None:
        """A person moves the most requests that may go at once."""
        self.in_flight.set_ceiling(ceiling, now)
        self._wake_all()

    def set_told(self, rpm: float | None, tpm: float | None, now: float) -> None:
        """A person sets the limits per minute; None: not told."""
        del now
        self._requests = ToldRequests(rpm) if rpm is not None else None
        self._tokens = ToldTokens(tpm) if tpm is not None else None
        self._wake_all()

    def ask(self, cost: Cost, now: float, client: int) -> Ticket | Hold:
        """A ticket: admitted. A hold: why and until when not.

        Of several reasons the one that lasts longest is given.
        """
        self._now = max(self._now, now)
        longest: Hold | None = None
        for part in self._parts():
            hold = part.hold(cost, now)
            if hold is not None and _lasts_longer(hold, longest):
                longest = hold
        if longest is not None:
            return longest
        self._number += 1
        ticket = Ticket(self._number, client, cost, now)
        self._unheard[ticket.number] = self._unsettled[ticket.number] = ticket
        for part in self._parts():
            part.take(ticket)
        return ticket

    def hear(self, ending: Ending) -> None:
        """A request has ended; at most once for each ticket, before it is settled.

        Raises:
            ValueError: it was heard of before, or is none of this gate's.
        """
        if self._unheard.pop(ending.ticket.number, None) is None:
            raise ValueError(f"request {ending.ticket.number} is heard of twice")
        self._now = max(self._now, ending.ended_at)
        for part in self._parts():
            part.hear(ending)

    def settle(self, ticket: Ticket) -> None:
        """What came of a request is on disk, or nothing will: exactly once for each ticket.

        Raises:
            ValueError: it was settled before, or is none of this gate's.
        """
        if self._unsettled.pop(ticket.number, None) is None:
            raise ValueError(f"request {ticket.number} is settled twice")
        if ticket.number in self._unheard:  # nobody knows how it ended
            self.hear(Ending(ticket, self._now, cancelled=True))
        for part in self._parts():
            part.settle(ticket)
        self._wake_all()

    def figures(self, now: float) -> GateFigures:
        """What is permitted now."""
        del now
        return GateFigures(
            in_flight=self.in_flight.in_flight,
            limit=self.in_flight.limit,
            ceiling=self.in_flight.ceiling,
            pinned=self.in_flight.pinned is not None,
            permitted_requests_per_s=self._requests.per_second if self._requests else None,
            permitted_tokens_per_s=self._tokens.per_second if self._tokens else None,
        )

    def _parts(self) -> tuple[Part, ...]:
        told = (part for part in (self._requests, self._tokens) if part is not None)
        return (self.in_flight, *told)

    def _wake_all(self) -> None:
        for wake in list(self._clients.values()):
            wake()


def _lasts_longer(hold: Hold, than: Hold | None) -> bool:
    if than is None:
        return True
    if than.until is None:
        return False
    return hold.until is None or hold.until > than.until
