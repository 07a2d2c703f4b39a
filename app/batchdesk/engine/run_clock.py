"""A run's active time, without the hours in which the computer slept or its clock jumped.

Every turn of the run passes the time in. The figures tick four times a second, so a gap of more
than 30 s between two turns is a suspended computer: it is no row's time, and what it broke is no
row's fault. Where the loop's clock stands still in sleep, the time of day tells of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

_GAP_S = 30.0


class RunClock:
    """All times are the loop's clock unless named otherwise.

    Args:
        before_s: How long the run was active in earlier sessions.
        wall: The time of day in epoch seconds.
    """

    def __init__(self, before_s: float, wall: Callable[[], float]) -> None:
        self._before_s = before_s
        self._wall = wall
        self._began_at = 0.0
        self._ended_at: float | None = None
        self._beat: tuple[float, float] | None = None  # loop's clock, time of day
        self._gaps: list[tuple[float, float]] = []  # (when it was noticed, seconds lost)
        self._jumped_at = -math.inf

    def begin(self, now: float) -> None:
        """The run begins."""
        self._began_at = now
        self._beat = (now, self._wall())

    def end(self, now: float) -> None:
        """The run is over: its active time stands still."""
        self.beat(now)
        self._ended_at = now

    def beat(self, now: float) -> None:
        """One turn of the run."""
        if self._beat is None:
            return
        wall = self._wall()
        passed_s = now - self._beat[0]
        if passed_s > _GAP_S:
            self._gaps.append((now, passed_s))
        if passed_s > _GAP_S or wall - self._beat[1] > passed_s + _GAP_S:
            self._jumped_at = now
        self._beat = (now, wall)

    def jumped_since(self, at: float) -> bool:
        """Whether the computer slept after that time."""
        return self._jumped_at > at

    def between_s(self, start: float, end: float) -> float:
        """Seconds from one time to another, without those that were lost."""
        return max(0.0, end - start - (self._lost_s(end) - self._lost_s(start)))

    def active_s(self, now: float) -> float:
        """How long the run has been running at that time, all sessions together."""
        end = now if self._ended_at is None else min(now, self._ended_at)
        return self._before_s + self.between_s(self._began_at, end)

    def _lost_s(self, until: float) -> float:
        return sum(lost_s for at, lost_s in self._gaps if at <= until)
