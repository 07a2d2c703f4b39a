"""A service that caps how many requests run at once and says so when it refuses.

Such a refusal looks like a rate limit but says "too many at once": it sets a cap just below what
was in flight, which grows again by one after more and more answers without one. Such refusals are
this cap's alone: the learned pace ignores every refusal whose ``limits.told_concurrency`` is set.
In come endings; out come the cap and, after a refusal, the time before which nothing shall be
sent. Pure.
"""

from __future__ import annotations

from batchdesk.engine.part import Ending

_PATIENCE = 50  # answers before one more is tried; doubled by each refusal, up to the most
_PATIENCE_MOST = 1000
_STOP_S = 0.1  # no sends for so long after a refusal; doubled while nothing is answered
_STOP_MOST_S = 5.0


class ConcurrencyCap:
    """No cap until a refusal names one.

    Attributes:
        cap: At most so many at once; None: none known.
        stops_until: Nothing shall be sent before that.
    """

    def __init__(self) -> None:
        self.cap: int | None = None
        self.stops_until = float("-inf")
        self._told: int | None = None
        self._patience = _PATIENCE
        self._answers = 0
        self._stop_s = _STOP_S
        self._cut_after = 0  # requests up to this number were sent before the last cut

    def refused(self, ending: Ending, others: int, newest: int) -> bool:
        """A request was refused while so many others were out; whether that names the cap.

        Args:
            newest: The number of the newest request sent.
        """
        told = ending.limits.told_concurrency
        if told is None:
            return False
        if told > 0:
            self._told = told
        if ending.ticket.number > self._cut_after:  # not one of the same burst
            if self.cap is not None:
                self._patience = min(2 * self._patience, _PATIENCE_MOST)
            self.stops_until = ending.ended_at + self._stop_s
            self._stop_s = min(2 * self._stop_s, _STOP_MOST_S)
        known = (self.cap, self._told, max(1, others))
        self.cap = min(cap for cap in known if cap is not None)
        self._cut_after = newest
        self._answers = 0
        return True

    def answered(self, number: int) -> bool:
        """A request was answered while the cap bound; whether the cap grew."""
        self._stop_s = _STOP_S
        if self.cap is None or number <= self._cut_after:
            return False
        if self._told is not None and self.cap >= self._told:
            return False
        self._answers += 1
        if self._answers < self._patience:
            return False
        self._answers = 0
        self.cap += 1
        return True
