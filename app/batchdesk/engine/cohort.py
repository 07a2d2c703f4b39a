"""Consecutive requests seen as one measurement: how long they took at which limit.

A single latency says little. A cohort is so many requests sent one after another; once nine in ten
of them are answered it gives their mean, so that a request that hangs cannot hold it up. Requests
that were refused, failed or were given up are replaced by the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_HEARD_SHARE = 0.9  # the mean is of the first so many of it
_LEAST_S = 1e-6  # a clock that stands still must not make a mean of nothing


@dataclass(frozen=True, slots=True)
class Measured:
    """What a whole cohort says.

    Attributes:
        mean_s: Mean latency of those answered first.
        limit: Mean of the in-flight limit when they were sent.
        bound: Whether the limit was what held sending back for at least half of them.
    """

    mean_s: float
    limit: float
    bound: bool


@dataclass(slots=True)
class Cohort:
    """The next ``size`` requests that are sent."""

    size: int
    _out: dict[int, float] = field(default_factory=dict)  # number: limit when sent
    _sent: int = 0
    _limits: float = 0.0
    _heard: int = 0
    _total_s: float = 0.0
    _bound: int = 0

    def sent(self, number: int, limit: float) -> None:
        """A request goes; it is one of the cohort unless that is whole."""
        if self._sent < self.size:
            self._sent += 1
            self._limits += limit
            self._out[number] = limit

    def dropped(self, number: int) -> None:
        """A request ended without an answer: the next one takes its place."""
        limit = self._out.pop(number, None)
        if limit is not None:
            self._sent -= 1
            self._limits -= limit

    def answered(self, number: int, latency_s: float, *, bound: bool) -> Measured | None:
        """A request was answered; the measurement, if that made it whole.

        Args:
            bound: Whether the limit held sending back while it was under way.
        """
        if self._out.pop(number, None) is None:
            return None
        self._heard += 1
        self._total_s += max(0.0, latency_s)
        self._bound += bound
        if self._heard < _HEARD_SHARE * self.size or self._sent < self.size:
            return None
        return Measured(
            mean_s=max(self._total_s / self._heard, _LEAST_S),
            limit=self._limits / self._sent,
            bound=2 * self._bound >= self._heard,
        )
