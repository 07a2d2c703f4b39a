"""How a simulated service limits requests or tokens: buckets, windows, sliding minutes, a cap.

Each limiter is asked ``lacks`` (how much is missing for an amount) and is then told to ``charge``.
Times are seconds of the bed's clock. Nothing here knows of the gate.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from typing import Protocol

from batchdesk.domain.chat import LimitState

Factor = Callable[[float], float]


def steady(_now: float) -> float:
    """A limit that never changes."""
    return 1.0


def halved_between(start: float, end: float) -> Factor:
    """A limit that is half as high for a while."""
    return lambda now: 0.5 if start <= now < end else 1.0


class Limiter(Protocol):
    """One limit of a service."""

    def wait_s(self, amount: float, now: float) -> float:
        """0: it fits. Otherwise seconds until it would."""

    def charge(self, amount: float, now: float) -> None:
        """An accepted request of this amount, or a refused one where those count."""

    def state(self, now: float) -> LimitState:
        """As honest headers would tell it."""


class TokenBucket:
    """``per_s`` flows in, ``burst`` fits in. Counted refusals may bring it down to minus a burst."""

    def __init__(self, per_s: float, burst: float, factor: Factor = steady) -> None:
        self.per_s, self.burst, self.factor = per_s, burst, factor
        self.level = burst
        self._at: float | None = None

    def _fill(self, now: float) -> None:
        if self._at is not None:
            rate = self.per_s * self.factor(now)
            self.level = min(self.burst, self.level + (now - self._at) * rate)
        self._at = now

    def wait_s(self, amount: float, now: float) -> float:
        self._fill(now)
        needed = min(amount, self.burst)
        if self.level >= needed - 1e-9:
            return 0.0
        return (needed - self.level) / (self.per_s * self.factor(now))

    def charge(self, amount: float, now: float) -> None:
        self._fill(now)
        self.level = max(-self.burst, self.level - amount)

    def state(self, now: float) -> LimitState:
        """The share of the bucket that is full, shown as a share of the minute's figure."""
        self._fill(now)
        limit = self.per_s * self.factor(now) * 60
        share = max(0.0, self.level / self.burst)
        return LimitState(limit, math.floor(limit * share), (1 - share) * self.burst / self.per_s)


class FixedWindow:
    """So much in each window of a clock: a minute, or a second (a quantum)."""

    def __init__(
        self, limit: float, window_s: float, phase_s: float = 0.0, factor: Factor = steady
    ) -> None:
        self.limit, self.window_s, self.phase_s, self.factor = limit, window_s, phase_s, factor
        self._window, self._used = -1, 0.0

    def _turn(self, now: float) -> None:
        window = math.floor((now - self.phase_s) / self.window_s)
        if window != self._window:
            self._window, self._used = window, 0.0

    def _ends_in(self, now: float) -> float:
        return self.window_s - (now - self.phase_s) % self.window_s

    def wait_s(self, amount: float, now: float) -> float:
        self._turn(now)
        fits = self._used == 0 or self._used + amount <= self.limit * self.factor(now) + 1e-9
        return 0.0 if fits else self._ends_in(now)

    def charge(self, amount: float, now: float) -> None:
        self._turn(now)
        self._used += amount

    def state(self, now: float) -> LimitState:
        """Told per minute, whatever the window."""
        self._turn(now)
        limit = self.limit * self.factor(now)
        scale = 60 / self.window_s
        return LimitState(limit * scale, max(0.0, limit - self._used) * scale, self._ends_in(now))


class SlidingWindow:
    """So much in any 60 s."""

    def __init__(self, limit: float, window_s: float = 60.0) -> None:
        self.limit, self.window_s = limit, window_s
        self._entries: deque[tuple[float, float]] = deque()
        self._used = 0.0

    def _drop(self, now: float) -> None:
        while self._entries and self._entries[0][0] <= now - self.window_s:
            self._used -= self._entries.popleft()[1]

    def wait_s(self, amount: float, now: float) -> float:
        self._drop(now)
        if not self._entries or self._used + amount <= self.limit + 1e-9:
            return 0.0
        return self._entries[0][0] + self.window_s - now

    def charge(self, amount: float, now: float) -> None:
        self._drop(now)
        self._entries.append((now, amount))
        self._used += amount

    def state(self, now: float) -> LimitState:
        self._drop(now)
        left = max(0.0, self.limit - self._used)
        wait = self._entries[0][0] + self.window_s - now if self._entries else 0.0
        return LimitState(self.limit * 60 / self.window_s, left, wait)


class ConcurrencyCap:
    """At most so many at once; the surplus is refused with 429."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._ends: list[float] = []

    def is_full(self, now: float) -> bool:
        while self._ends and self._ends[0] <= now:
            heapq.heappop(self._ends)
        return len(self._ends) >= self.cap

    def begin(self, ends_at: float) -> None:
        heapq.heappush(self._ends, ends_at)
