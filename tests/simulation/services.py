"""Simulated services: how long an answer takes, when it fails, what its headers say.

A ``Service`` is put together from limiters, a time of answering and faults; ``reply`` says at
once how a request that arrives now will end. All randomness comes from the generator passed in.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from tests.simulation.limiters import ConcurrencyCap, Limiter

from batchdesk.domain.chat import NO_LIMITS, LimitState, RateLimits
from batchdesk.domain.task import ErrorKind

Draw = Callable[[random.Random], float]
Headers = Callable[[LimitState], LimitState | None]


@dataclass(frozen=True, slots=True)
class Reply:
    """How a request ends; ``after_s`` is infinite for one that hangs."""

    after_s: float
    kind: ErrorKind | None = None
    hint_s: float | None = None
    limits: RateLimits = NO_LIMITS


# -- how long an answer takes -----------------------------------------------------------------


def fixed(seconds: float) -> Draw:
    return lambda _rng: seconds


def lognormal(mean_s: float, sigma: float) -> Draw:
    mu = math.log(mean_s) - sigma * sigma / 2
    return lambda rng: rng.lognormvariate(mu, sigma)


class Unlimited:
    """Every request is worked on at once."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def ends_at(self, now: float, rng: random.Random) -> float:
        return now + self.draw(rng)


class Slots:
    """A queueing server: so many are worked on, the others wait in the order of arrival."""

    def __init__(self, slots: int, draw: Draw) -> None:
        self.draw = draw
        self._free_at = [0.0] * slots

    def ends_at(self, now: float, rng: random.Random) -> float:
        end = max(now, heapq.heappop(self._free_at)) + self.draw(rng)
        heapq.heappush(self._free_at, end)
        return end


# -- faults -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outage:
    """Between two times everything fails (503, reset, …) or hangs (``after_s`` infinite)."""

    start: float
    end: float
    kind: ErrorKind = ErrorKind.OVERLOADED
    after_s: float = 0.05

    def reply(self, now: float, rng: random.Random) -> Reply | None:
        del rng
        return Reply(self.after_s, self.kind) if self.start <= now < self.end else None


@dataclass(frozen=True, slots=True)
class Flapping:
    """Down for ``down_s`` at the end of each ``period_s``."""

    period_s: float
    down_s: float
    kind: ErrorKind = ErrorKind.OVERLOADED

    def reply(self, now: float, rng: random.Random) -> Reply | None:
        del rng
        is_down = now % self.period_s >= self.period_s - self.down_s
        return Reply(0.05, self.kind) if is_down else None


@dataclass(frozen=True, slots=True)
class Faulty:
    """A share of all requests fails."""

    share: float
    kind: ErrorKind = ErrorKind.SERVER_ERROR
    after_s: float = 0.1

    def reply(self, now: float, rng: random.Random) -> Reply | None:
        del now
        return Reply(self.after_s, self.kind) if rng.random() < self.share else None


class Fault(Protocol):
    """A reason for which a request fails, asked when it arrives."""

    def reply(self, now: float, rng: random.Random) -> Reply | None:
        """How it fails; None: it does not."""


def quota_gone(at: float) -> Outage:
    """From that time on there is no credit left."""
    return Outage(at, math.inf, ErrorKind.QUOTA_EXHAUSTED)


# -- headers ----------------------------------------------------------------------------------


def honest(state: LimitState) -> LimitState | None:
    return state


def no_headers(_state: LimitState) -> LimitState | None:
    return None


def without_remaining(state: LimitState) -> LimitState | None:
    return dataclasses.replace(state, remaining=None, reset_s=None)


def doubled(state: LimitState) -> LimitState | None:
    """They promise twice as much as there is."""
    return dataclasses.replace(state, limit=state.limit * 2, remaining=state.limit * 2)


def nothing_left(state: LimitState) -> LimitState | None:
    """They always say that nothing remains."""
    return dataclasses.replace(state, remaining=0.0)


def of_the_bucket(burst: float) -> Headers:
    """What remains is counted in the small bucket, the limit is the minute's."""
    return lambda s: dataclasses.replace(s, remaining=(s.remaining or 0.0) / s.limit * burst)


# -- the whole --------------------------------------------------------------------------------


@dataclass
class Service:
    """See the module.

    Attributes:
        counts_refused: Whether refused requests count against the limits.
        hint: Seconds in a refusal's Retry-After by the seconds it would really take; None: none.
        words: What a refusal's text names, if anything.
    """

    work: Unlimited | Slots
    requests: Limiter | None = None
    tokens: Limiter | None = None
    cap: ConcurrencyCap | None = None
    faults: tuple[Fault, ...] = ()
    headers: Headers = no_headers
    counts_refused: bool = False
    refusal: Draw = field(default_factory=lambda: fixed(0.05))
    hint: Callable[[float], float | None] = lambda _wait_s: None
    words: RateLimits = NO_LIMITS

    def reply(self, tokens: float, now: float, rng: random.Random) -> Reply:
        """How a request that arrives now ends."""
        for fault in self.faults:
            broken = fault.reply(now, rng)
            if broken is not None:
                return broken
        limits = self._limiters(tokens)
        wait_s = max((limiter.wait_s(amount, now) for limiter, amount in limits), default=0.0)
        full = self.cap is not None and self.cap.is_full(now)
        refused = wait_s > 0 or full
        if not refused or self.counts_refused:
            for limiter, amount in limits:
                limiter.charge(amount, now)
        if refused:
            after_s = self.refusal(rng)
            said = self._said(now, refused=True)
            return Reply(after_s, ErrorKind.RATE_LIMITED, self.hint(wait_s), said)
        end = self.work.ends_at(now, rng)
        if self.cap is not None:
            self.cap.begin(end)
        return Reply(end - now, limits=self._said(now, refused=False))

    def _limiters(self, tokens: float) -> list[tuple[Limiter, float]]:
        pairs = ((self.requests, 1.0), (self.tokens, tokens))
        return [(limiter, amount) for limiter, amount in pairs if limiter is not None]

    def _said(self, now: float, *, refused: bool) -> RateLimits:
        if self.headers is no_headers and self.words is NO_LIMITS:
            return NO_LIMITS
        requests = self.headers(self.requests.state(now)) if self.requests else None
        tokens = self.headers(self.tokens.state(now)) if self.tokens else None
        return dataclasses.replace(
            self.words if refused else NO_LIMITS, requests=requests, tokens=tokens
        )
