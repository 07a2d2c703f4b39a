"""What single answers say in slow start, before a cohort is whole: which are slow, and a queue.

In come answers as they are heard; out come whether one may have queued, how many the service works
on at once when several running are slow, and how fast it answers while a queue of its own drains.
Pure; times are passed in. Used by ``knee`` alone.

Of uneven first answers the mean is no base: a service with one slot answers eight requests in one
to eight times the time of the first, which looks like times that vary. So the fastest quarter of
them counts. Simulation of ten slots, 1,000 rows, start 8: P95 1.0 instead of 1.96 of what is
possible; of two slots 1.9 instead of 3.9, of one 4 instead of 14.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from batchdesk.engine.cohort import Measured

EVEN = 0.1  # a spread of latency up to which nothing queued
_SLOW = 1.5  # an answer so many times the base lets nothing grow,
_SLOW_OF_LOW = 3.5  # nor does one so many times the fastest quarter
_FASTEST_SHARE = 4  # of the first answers a quarter
_LOW_LEAST = 0.25  # of the mean: an answer from a cache is no base
_QUEUED_EVEN = 4  # so many slow answers running are a queue where times are even,
_QUEUED = 5  # or so many where they are not
_KEPT = 3.0  # bases: answers are looked at for so long
_WINDOW = 0.8  # of the base: what is answered in so long are at most as many as it works on
_ABOVE_EVEN = 1.1  # so many times that, for the test shall see all it can do,
_ABOVE = 1.2  # or so many where a window tells less
_DRAIN_LEAST = 8  # of fewer answers no rate can be told
_DRAIN_SHARE = 0.9  # of the rate as measured: rather too low than a queue


class FirstAnswers:
    """Answers of slow start, one by one.

    Attributes:
        is_even: Whether the first answers took equally long, so that none of them queued.
    """

    def __init__(self) -> None:
        self.is_even = False
        self._before: list[float] = []  # latencies of the answers before the base was known
        self._low_s: float | None = None
        self._ends: deque[float] = deque()
        self._slow_running = 0

    def begin(self, first: Measured) -> None:
        """The first requests are answered: that is the base."""
        self.is_even = first.spread < EVEN
        self._low_s = first.mean_s
        if not self.is_even and self._before:
            fastest = sorted(self._before)[: max(1, len(self._before) // _FASTEST_SHARE)]
            low_s = sum(fastest) / len(fastest)
            self._low_s = min(first.mean_s, max(low_s, _LOW_LEAST * first.mean_s))
        self._before.clear()

    def low_s(self, base_s: float) -> float:
        """How long an answer surely takes at least without a queue; the base where it is sure."""
        return base_s if self._low_s is None else min(base_s, self._low_s)

    def is_slow(self, latency_s: float, base_s: float | None) -> bool:
        """Whether an answer may have queued."""
        if base_s is not None:
            return latency_s > min(_SLOW * base_s, _SLOW_OF_LOW * self.low_s(base_s))
        return bool(self._before) and latency_s > _SLOW_OF_LOW * min(self._before)

    def add(self, latency_s: float, now: float, base_s: float | None) -> None:
        """One more answer."""
        if base_s is None:
            self._before.append(latency_s)
        else:
            while self._ends and self._ends[0] < now - _KEPT * base_s:
                self._ends.popleft()
        self._ends.append(now)
        self._slow_running = self._slow_running + 1 if self.is_slow(latency_s, base_s) else 0

    def most_at_once(self, base_s: float) -> tuple[int, float] | None:
        """Most answers in any window and the window's seconds, if there is a queue."""
        if self._slow_running < (_QUEUED_EVEN if self.is_even else _QUEUED):
            return None
        window_s = _WINDOW * self.low_s(base_s)
        return _most_within(self._ends, window_s), window_s

    def above(self, most: int) -> float:
        """The limit to test first where it answers so many at once."""
        return most * (_ABOVE_EVEN if self.is_even else _ABOVE)

    def forget(self) -> None:
        """The limit has moved: what was answered before says nothing now."""
        self._ends.clear()
        self._slow_running = 0


class Drain:
    """A queue that drains after a cut: nothing is sent meanwhile, and the service is full.

    Args:
        count: So many answers until it is gone.
        now: When the limit was cut.
    """

    def __init__(self, count: int, now: float) -> None:
        self._count = count
        self._began = now
        self._answered = 0

    def answered(self, now: float) -> float | None:
        """One more answer; the rate per second with the last one, 0 if it cannot be told."""
        self._answered += 1
        if self._answered < self._count:
            return None
        took_s = now - self._began
        if self._count < _DRAIN_LEAST or took_s <= 0:
            return 0.0
        return _DRAIN_SHARE * self._count / took_s


def _most_within(ends: Iterable[float], window_s: float) -> int:
    """Most of the ascending times in any window that ends with one of them."""
    within: deque[float] = deque()
    most = 0
    for end in ends:
        within.append(end)
        while within[0] < end - window_s:
            within.popleft()
        most = max(most, len(within))
    return most
