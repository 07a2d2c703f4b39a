"""Even spacing: a rate, and when all that was sent so far is paid off.

The told limits, the limits of the headers and the learned pace all send evenly by it. In come
amounts (requests or tokens) with times of one monotonic clock, out goes the time of the next.
"""

from __future__ import annotations

import math

from batchdesk.domain.snapshot import HoldReason
from batchdesk.engine.part import Hold

_CATCH_UP_S = 0.02  # late sends may catch up by this much (gate.md: tol_s)


class Spacing:
    """So much per second, evenly, without an initial burst.

    Attributes:
        per_second: The rate; None: no limit.
        free_at: When the next may go.
    """

    def __init__(self, per_second: float | None = None) -> None:
        self.per_second = per_second
        self.free_at = -math.inf

    def set_rate(self, per_second: float | None, now: float) -> None:
        """Another rate from now on. What is still to be paid off is paid at the new rate."""
        if self.per_second is None or per_second is None:
            self.free_at = min(self.free_at, now)
        elif self.free_at > now:
            self.free_at = now + (self.free_at - now) * self.per_second / per_second
        self.per_second = per_second

    def hold(self, reason: HoldReason, now: float) -> Hold | None:
        """Until what was sent before is paid off."""
        if self.per_second is None or now >= self.free_at:
            return None
        return Hold(reason, self.free_at)

    def pay(self, amount: float, now: float) -> None:
        """It goes now. The catch-up keeps a late timer from costing throughput."""
        if self.per_second is not None:
            start = max(self.free_at, now - _CATCH_UP_S)
            self.free_at = start + amount / self.per_second

    def correct(self, amount: float) -> None:
        """So much more (or, negative, less) than was paid for turned out to be used."""
        if self.per_second is not None:
            self.free_at += amount / self.per_second
