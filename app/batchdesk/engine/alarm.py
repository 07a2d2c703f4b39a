"""When a run slows itself down: too many rows fail, or answers take longer than the person allows.

Both give a ceiling of this run's own on requests in flight, apart from the shared gate, and take it
away again by themselves. In come rows that finished and answers that came; out go a ceiling and,
for the alarm, whether it is on.
"""

from __future__ import annotations

import math
from collections import deque

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.minute import MinuteShare

_FAILED_LEAST = 2  # one dead letter is no alarm, however few rows have finished
_ANSWERS_LEAST = 20  # of which a 95th percentile can be told

# A row that died of one of these died for the provider's reasons, not its own.
PROVIDERS_REASONS = frozenset(
    {
        ErrorKind.RATE_LIMITED,
        ErrorKind.OVERLOADED,
        ErrorKind.SERVER_ERROR,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.CONNECT_FAILED,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
        ErrorKind.DEADLINE_EXCEEDED,
        ErrorKind.FORBIDDEN,
        ErrorKind.MODEL_NOT_FOUND,
        ErrorKind.NOT_AN_API,
    }
)


class Alarm:
    """On while too many of the rows that finished in the last minute failed.

    Args:
        share: More than this share is too many; half of it and the alarm is over.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._finished = MinuteShare()
        self.cap: int | None = None  # most requests in flight while it is on

    @property
    def is_on(self) -> bool:
        """Whether the run is degraded."""
        return self.cap is not None

    def finished(self, now: float, *, failed: bool) -> None:
        """A row has its outcome; ``failed``: dead for the provider's reasons."""
        self._finished.add(now, is_some=failed)

    def look(self, now: float, limit: int) -> bool:
        """Look at the last minute; True when the alarm went on or off.

        Args:
            limit: How many requests may be in flight now: half of it is the ceiling.
        """
        self._finished.look(now)
        failed, of_all = self._finished.some, self._finished.all
        if not self.is_on and failed >= _FAILED_LEAST and failed > self._share * of_all:
            self.cap = max(1, limit // 2)
            return True
        if self.is_on and failed <= self._share / 2 * of_all:
            self.cap = None
            return True
        return False


class LatencyMark:
    """Fewer at once while the 95th percentile of the answers is above a mark.

    Halves the ceiling at each look at twenty answers that are too slow, and lifts it by a tenth
    where they are not, until it does not bind any more. Only answers to requests that were sent
    after a change tell of it.

    Args:
        mark_s: None: never slows down.
    """

    def __init__(self, mark_s: float | None) -> None:
        self._mark_s = mark_s
        self._services: deque[float] = deque(maxlen=_ANSWERS_LEAST)
        self._changed_at = -math.inf
        self.cap: int | None = None

    def answered(self, now: float, *, sent_at: float, service_s: float, limit: int) -> None:
        """An answer came.

        Args:
            limit: How many requests the gate allows in flight.
        """
        if self._mark_s is None or sent_at < self._changed_at:
            return
        self._services.append(service_s)
        if len(self._services) < _ANSWERS_LEAST:
            return
        ordered = sorted(self._services)
        p95 = ordered[math.ceil(0.95 * len(ordered)) - 1]
        before = limit if self.cap is None else min(self.cap, limit)
        if p95 > self._mark_s:
            self._change(now, max(1, before // 2))
        elif self.cap is not None:
            lifted = max(before + 1, before * 11 // 10)
            self._change(now, lifted if lifted < limit else None)

    def _change(self, now: float, cap: int | None) -> None:
        self.cap = cap
        self._changed_at = now
        self._services.clear()
