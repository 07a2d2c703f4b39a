"""What a resumed run still knows of its service: the pace and the limit of when it stopped.

In come the last figures that were kept of the run, out goes what its gate may begin with. A run
never changes its service, so they are of the same one; after an hour they say too little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_FRESH_S = 3600.0


@dataclass(frozen=True, slots=True)
class Kept:
    """Requests per second and requests at once; None: nothing is known."""

    pace_per_s: float | None = None
    limit: int | None = None


def kept_of(figures: Mapping[str, Any], now: float) -> Kept:
    """What to begin with.

    A limit that was set by hand, or cut by an alarm, was not learned.

    Args:
        figures: As ``RunJournal.latest_figures`` has them.
        now: In epoch seconds. A clock that was set back makes nothing fresh.
    """
    if not 0 <= now - figures.get("at", float("-inf")) < _FRESH_S:
        return Kept()
    is_learned = not (figures.get("pinned") or figures.get("degraded"))
    pace_per_s, limit = figures.get("pace_per_s"), figures.get("limit")
    return Kept(pace_per_s or None, limit if is_learned and limit else None)
