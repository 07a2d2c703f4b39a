"""How many requests may be under way at once: the limit, its ceiling, and a limit set by hand.

In come requests as they are sent, heard of and settled; out goes a hold while the limit is
reached. Used by the gate alone.
"""

from __future__ import annotations

from batchdesk.domain.snapshot import HoldReason
from batchdesk.engine.part import Cost, Ending, Hold, Ticket


class InFlightLimit:
    """At most so many requests at once.

    Args:
        start: The limit at first.
        ceiling: The limit never goes above it.
        pinned: A limit set by hand, which does not move by itself; None: not set.
    """

    def __init__(self, start: int, ceiling: int = 200, pinned: int | None = None) -> None:
        self.in_flight = 0
        self.ceiling = ceiling
        self.pinned = pinned
        self._own = start

    @property
    def limit(self) -> int:
        """What counts now: from 1 to the ceiling, which a limit set by hand may pass."""
        if self.pinned is not None:
            return self.pinned
        return max(1, min(self._own, self.ceiling))

    def pin(self, limit: int | None, now: float) -> None:
        """Hold the limit where a person wants it, or (None) let go of it."""
        del now
        self.pinned = limit

    def set_ceiling(self, ceiling: int, now: float) -> None:
        """The limit never goes above it."""
        del now
        self.ceiling = ceiling

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Full: until one ends."""
        del cost, now
        return Hold(HoldReason.IN_FLIGHT, None) if self.in_flight >= self.limit else None

    def take(self, ticket: Ticket) -> None:
        """One more under way."""
        del ticket
        self.in_flight += 1

    def hear(self, ending: Ending) -> None:
        """It keeps its slot until it is settled."""

    def settle(self, ticket: Ticket) -> None:
        """One fewer under way."""
        del ticket
        self.in_flight -= 1
