"""Whether a run's queue grows without end: more rows come into it than leave it for good.

The queue is what the run has taken from the table and not finished. Refills come in bursts, so one
look says nothing; the queue must have grown in each quarter of the last minute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

_LOOK_EVERY_S = 15.0
_LOOKS = 5  # the ends of four quarters of a minute
_ROWS = 20  # fewer are no queue to speak of
_MORE = 1.1  # times as many in as out


def is_growing(depths: Sequence[int], fill_per_s: float, drain_per_s: float) -> bool:
    """The rule, over depths at the ends of the last quarters of a minute, the oldest first."""
    return (
        len(depths) >= _LOOKS
        and depths[-1] - depths[0] >= _ROWS
        and all(later > earlier for earlier, later in pairwise(depths))
        and fill_per_s > _MORE * drain_per_s
    )


class Growth:
    """Looks at a queue's depth four times a minute."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque(maxlen=_LOOKS)

    @property
    def depths(self) -> list[int]:
        """At the last looks, the oldest first."""
        return [depth for _, depth in self._looks]

    def see(self, now: float, depth: int) -> None:
        """The depth now; may be called at any rate."""
        if self._looks:
            since_s = now - self._looks[-1][0]
            if 0 <= since_s < _LOOK_EVERY_S:
                return
            if not 0 <= since_s < 2 * _LOOK_EVERY_S:
                self._looks.clear()  # nobody looked for a while: a minute must pass anew
        self._looks.append((now, depth))
