"""The one gate before every request: "go", or "wait because …" with a reason and a time.

The gate is a list of small parts, each pure over the time that is passed in. A part may hold a
request back, takes its share when the request goes, and is told how the request ended. Today: a
fixed in-flight limit and told limits per minute. The learned pace, the adaptive limit, the retry
budget and the breaker are further parts of the same kind.

One gate serves all runs on one provider and account.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from batchdesk.domain.snapshot import USED_OF_TOLD, HoldReason
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
class Ending:
    """How an admitted request ended.

    Attributes:
        cost: What it was admitted with.
        tokens: What it really used; None where nobody said.
        kind: None for an answer.
    """

    sent_at: float
    ended_at: float
    cost: Cost
    tokens: float | None
    kind: ErrorKind | None


class Part(Protocol):
    """One reason to wait. Times are seconds of one monotonic clock."""

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Why a request of this cost may not go now, or None."""

    def take(self, cost: Cost, now: float) -> None:
        """A request goes now."""

    def settle(self, ending: Ending) -> None:
        """A request has ended."""


class InFlightLimit:
    """At most so many requests at once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.in_flight = 0

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Full: until one ends."""
        del cost, now
        return Hold(HoldReason.IN_FLIGHT, None) if self.in_flight >= self.limit else None

    def take(self, cost: Cost, now: float) -> None:
        """One more under way."""
        del cost, now
        self.in_flight += 1

    def settle(self, ending: Ending) -> None:
        """One fewer under way."""
        del ending
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

    def take(self, cost: Cost, now: float) -> None:
        """Pay for one request."""
        del cost
        self._pay(1.0, now)

    def settle(self, ending: Ending) -> None:
        """A request is a request, however it ended."""

    def _pay(self, amount: float, now: float) -> None:
        """The catch-up keeps a late timer from costing throughput."""
        start = max(self._free_at, now - _CATCH_UP_S)
        self._free_at = start + amount / self.per_second


class ToldTokens(ToldRequests):
    """A told limit of tokens per minute: reserved as estimated, settled on the answer.

    A request larger than a whole minute goes alone: it pays for itself afterwards.
    """

    reason = HoldReason.TOKENS_PER_MINUTE

    def take(self, cost: Cost, now: float) -> None:
        """Reserve what the request is expected to use."""
        self._pay(cost.tokens, now)

    def settle(self, ending: Ending) -> None:
        """Give back what was reserved too much, or pay what was used beyond it."""
        if ending.tokens is not None:
            self._free_at += (ending.tokens - ending.cost.tokens) / self.per_second


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
        self._listeners: list[Callable[[], None]] = []

    def ask(self, cost: Cost, now: float) -> Hold | None:
        """None: the request is admitted and must be settled once. Else why and until when not.

        Of several reasons the one that lasts longest is given.
        """
        longest: Hold | None = None
        for part in self._parts:
            hold = part.hold(cost, now)
            if hold is not None and _lasts_longer(hold, longest):
                longest = hold
        if longest is None:
            for part in self._parts:
                part.take(cost, now)
        return longest

    def settle(self, ending: Ending) -> None:
        """An admitted request has ended, however it ended."""
        for part in self._parts:
            part.settle(ending)
        for listener in self._listeners:
            listener()

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Be told when asking again may be worth it."""
        self._listeners.append(listener)

    def unsubscribe(self, listener: Callable[[], None]) -> None:
        """Be told no more."""
        self._listeners.remove(listener)


def _lasts_longer(hold: Hold, than: Hold | None) -> bool:
    if than is None:
        return True
    if than.until is None:
        return False
    return hold.until is None or hold.until > than.until
