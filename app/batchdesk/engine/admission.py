"""The one gate before every request: "go", or "wait because …" with a reason and a time.

The gate is a list of small parts, each pure over the time that is passed in. A part may hold a
request back, takes its share when the request goes, and is told how the request ended. Today: a
fixed in-flight limit and told limits per minute. The learned pace, the adaptive limit and the
breaker are further parts of the same kind.

One gate serves all runs on one provider and account; each run is a client of it. What concerns one
run alone (its retries, its alarm, its lanes) is asked before the gate, in that run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from batchdesk.domain.chat import NO_LIMITS, RateLimits
from batchdesk.domain.snapshot import USED_OF_TOLD, HoldReason, LimitChange
from batchdesk.domain.task import ErrorKind

_CATCH_UP_S = 0.02  # late sends may catch up by this much (gate.md: tol_s)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request is expected to use. Tokens: input and expected output."""

    tokens: float = 0.0


@dataclass(frozen=True, slots=True)
class Hold:
    """Not now: why, and when to ask again (None: when something ends)."""

    reason: HoldReason
    until: float | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """An admitted request: heard of at most once, settled exactly once.

    Attributes:
        number: Ascending in the order of sending.
        client: Whose request it is.
    """

    number: int
    client: int
    cost: Cost
    sent_at: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How an admitted request ended, as soon as that is known.

    Attributes:
        tokens: What it really used; None where nobody said.
        kind: None for an answer.
        hint_s: The service's hint of how long to wait.
        limits: What the response says of the account's limits.
        cancelled: We gave it up ourselves: it says nothing about the service.
    """

    ticket: Ticket
    ended_at: float
    tokens: float | None = None
    kind: ErrorKind | None = None
    hint_s: float | None = None
    limits: RateLimits = NO_LIMITS
    cancelled: bool = False


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


class Part(Protocol):
    """One reason to wait. Times are seconds of one monotonic clock."""

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Why a request of this cost may not go now, or None."""

    def take(self, ticket: Ticket) -> None:
        """A request goes now."""

    def hear(self, ending: Ending) -> None:
        """A request has ended; what came is not on disk yet."""

    def settle(self, ticket: Ticket) -> None:
        """All that came of a request is on disk: its slot is free."""


class InFlightLimit:
    """At most so many requests at once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.in_flight = 0

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
    """All parts together.

    Args:
        in_flight: How many at once.
        requests: The told limit of requests per minute, if there is one.
        tokens: The told limit of tokens per minute, if there is one.
    """

    def __init__(
        self,
        in_flight: InFlightLimit,
        requests: ToldRequests | None = None,
        tokens: ToldTokens | None = None,
    ) -> None:
        self.in_flight = in_flight
        self.requests = requests
        self.tokens = tokens
        told = (part for part in (requests, tokens) if part is not None)
        self._parts: tuple[Part, ...] = (in_flight, *told)
        self._clients: dict[int, Callable[[], None]] = {}
        self._number = 0

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

    def ask(self, cost: Cost, now: float, client: int) -> Ticket | Hold:
        """A ticket: admitted. A hold: why and until when not.

        Of several reasons the one that lasts longest is given.
        """
        longest: Hold | None = None
        for part in self._parts:
            hold = part.hold(cost, now)
            if hold is not None and _lasts_longer(hold, longest):
                longest = hold
        if longest is not None:
            return longest
        self._number += 1
        ticket = Ticket(self._number, client, cost, now)
        for part in self._parts:
            part.take(ticket)
        return ticket

    def hear(self, ending: Ending) -> None:
        """A request has ended; at most once for each ticket, before it is settled."""
        for part in self._parts:
            part.hear(ending)

    def settle(self, ticket: Ticket) -> None:
        """What came of a request is on disk, or nothing will: exactly once for each ticket."""
        for part in self._parts:
            part.settle(ticket)
        for wake in self._clients.values():
            wake()

    def figures(self, now: float) -> GateFigures:
        """What is permitted now."""
        del now
        limit = self.in_flight.limit
        return GateFigures(
            in_flight=self.in_flight.in_flight,
            limit=limit,
            ceiling=limit,
            permitted_requests_per_s=self.requests.per_second if self.requests else None,
            permitted_tokens_per_s=self.tokens.per_second if self.tokens else None,
        )


def _lasts_longer(hold: Hold, than: Hold | None) -> bool:
    if than is None:
        return True
    if than.until is None:
        return False
    return hold.until is None or hold.until > than.until
