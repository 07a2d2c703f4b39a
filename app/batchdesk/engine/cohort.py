"""Consecutive requests seen as one measurement: how long they took at which limit.

A single latency says little. A cohort is so many requests sent one after another; once they are
answered it gives their mean. A tenth of them may lag behind, so that one that hangs cannot hold it
up. Requests that were refused, failed or were given up are replaced by the next ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

_HEARD_SHARE = 0.9  # the others may lag behind
_COHORTS_MOST = 4  # of which some requests may hang
_LEAST_S = 1e-6  # a clock that stands still must not make a mean of nothing


@dataclass(frozen=True, slots=True)
class Measured:
    """What a whole cohort says.

    Attributes:
        mean_s: Mean latency of those answered first.
        limit: Mean of the in-flight limit when they were sent.
        bound: Whether the limit was what held sending back for at least half of them.
        spread: Standard deviation of the latencies ÷ their mean.
    """

    mean_s: float
    limit: float
    bound: bool
    spread: float = 0.0


@dataclass(slots=True)
class Cohort:
    """The next ``size`` requests that are sent."""

    size: int
    _out: dict[int, float] = field(default_factory=dict)  # number: limit when sent
    _sent: int = 0
    _last: int = 0
    _limits: float = 0.0
    _heard: int = 0
    _total_s: float = 0.0
    _squares: float = 0.0
    _bound: int = 0

    def sent(self, number: int, limit: float) -> None:
        """A request goes; it is one of the cohort unless that is whole."""
        if self._sent < self.size:
            self._sent += 1
            self._limits += limit
            self._out[number] = limit
            self._last = number

    @property
    def is_sent(self) -> bool:
        """Whether all of it is under way or answered."""
        return self._sent >= self.size

    def dropped(self, number: int) -> None:
        """A request ended without an answer: the next one takes its place."""
        limit = self._out.pop(number, None)
        if limit is not None:
            self._sent -= 1
            self._limits -= limit

    def answered(self, number: int, latency_s: float, *, bound: bool) -> None:
        """A request was answered.

        Args:
            bound: Whether the limit held sending back while it was under way.
        """
        if self._out.pop(number, None) is not None:
            latency_s = max(0.0, latency_s)
            self._heard += 1
            self._total_s += latency_s
            self._squares += latency_s * latency_s
            self._bound += bound

    def measured(self, newest_answered: int) -> Measured | None:
        """What it says, once it is whole: all is answered, or what is not lags a round behind."""
        lags = newest_answered - self._last >= self.size
        least = _HEARD_SHARE * self.size if lags else self.size
        if not self.is_sent or self._heard < least:
            return None
        mean_s = max(self._total_s / self._heard, _LEAST_S)
        variance = max(0.0, self._squares / self._heard - mean_s * mean_s)
        return Measured(
            mean_s=mean_s,
            limit=self._limits / self._sent,
            bound=2 * self._bound >= self._heard,
            spread=math.sqrt(variance) / mean_s,
        )


class Cohorts:
    """One cohort after the other; the next begins when the one before is sent."""

    def __init__(self) -> None:
        self._under_way: list[Cohort] = []  # oldest first

    def begin_anew(self) -> None:
        """Whatever is under way was sent under other conditions: forget it."""
        self._under_way.clear()

    def sent(self, number: int, limit: float, size: int) -> None:
        """A request goes; a cohort that begins with it is to have this size."""
        if not self._under_way or self._under_way[-1].is_sent:
            self._under_way.append(Cohort(size))
            del self._under_way[:-_COHORTS_MOST]
        self._under_way[-1].sent(number, limit)

    def dropped(self, number: int) -> None:
        """A request ended without an answer."""
        for cohort in self._under_way:
            cohort.dropped(number)

    def answered(self, number: int, latency_s: float, *, bound: bool) -> Measured | None:
        """A request was answered; the measurement, if that made a cohort whole."""
        for cohort in self._under_way:
            cohort.answered(number, latency_s, bound=bound)
        for cohort in self._under_way:
            measured = cohort.measured(number)
            if measured is not None:
                self._under_way.remove(cohort)
                return measured
        return None
