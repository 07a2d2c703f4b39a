"""When rows that were refused may go before their hint is over.

A false "come back in 60 s" would cost a tail of 60 s. A row honours its hint, but once requests
that were sent after the last refusal have been accepted for 5 s, the service takes requests again.
"""

from __future__ import annotations

import math

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Ending

_ACCEPTED_S = 5.0
REFUSALS = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.OVERLOADED})


class EarlyRelease:
    """Pure over the endings that it hears."""

    def __init__(self) -> None:
        self._refused_at: float | None = None
        self._accepted_since = math.inf

    def hear(self, ending: Ending) -> bool:
        """Take note of an ending; True when rows that were refused may go now."""
        if ending.cancelled:
            return False
        if ending.kind in REFUSALS:
            self._refused_at = ending.ended_at
            self._accepted_since = math.inf
            return False
        is_answer = ending.kind is None or ending.kind.is_of_answer
        if self._refused_at is None or not is_answer or ending.ticket.sent_at < self._refused_at:
            return False
        self._accepted_since = min(self._accepted_since, ending.ended_at)
        if ending.ended_at - self._accepted_since < _ACCEPTED_S:
            return False
        self._refused_at = None
        self._accepted_since = math.inf
        return True
