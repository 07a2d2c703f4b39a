"""Two counts over the last minute, in buckets of one second: so many of so many."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

WINDOW_S = 60.0


@dataclass(slots=True)
class _Second:
    start: int
    all: int = 0
    some: int = 0


class MinuteShare:
    """Counts events and a part of them. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._seconds: deque[_Second] = deque()
        self.all = 0  # as of the last look
        self.some = 0

    def add(self, now: float, *, is_some: bool) -> None:
        """One event; ``is_some``: it is one of the part."""
        second = int(now)
        # A clock that steps back counts into the newest second there is.
        if not self._seconds or self._seconds[-1].start < second:
            self._seconds.append(_Second(second))
        newest = self._seconds[-1]
        newest.all += 1
        newest.some += is_some
        self.all += 1
        self.some += is_some

    def take_back(self, at: float) -> None:
        """An event that was counted at a time is not one of the part after all."""
        for second in self._seconds:
            if second.start >= int(at) and second.some:
                second.some -= 1
                self.some -= 1
                return

    def look(self, now: float) -> None:
        """Forget what is older than a minute."""
        while self._seconds and self._seconds[0].start <= now - WINDOW_S - 1:
            gone = self._seconds.popleft()
            self.all -= gone.all
            self.some -= gone.some

    def next_leaves_at(self) -> float | None:
        """When the oldest of the part will be forgotten; None if there is none."""
        return next((one.start + WINDOW_S + 1 for one in self._seconds if one.some), None)
