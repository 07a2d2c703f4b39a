"""Which keys were seen, in some twenty bytes each: a million of them as text would take 90 MB.

Keys go in, whether one was there comes out. Of a key only its 64-bit hash is kept, so one in some
ten million tables of a million rows would have a key taken for another's: it is then numbered and
reported as a duplicate, which is unneeded and harms nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_RECENT = 20_000  # kept as a set; more are put into the table
_SMALLEST = 2**16  # places of the table, a power of two


class KeySet:
    """A set that only grows."""

    def __init__(self) -> None:
        self._recent: set[int] = set()
        # Hashes, each at the next free place from where it belongs; 0: free.
        self._table: Any = None
        self._count = 0

    def add(self, key: str) -> None:
        """Put a key in."""
        self._recent.add(hash(key))

    def add_new(self, keys: Sequence[str]) -> bool:
        """Put keys in if each is new; else none of them."""
        hashes = set(map(hash, keys))
        is_new = len(hashes) == len(keys) and self._recent.isdisjoint(hashes)
        if not is_new or any(self.older(keys)):
            return False
        self._recent |= hashes
        return True

    def __contains__(self, key: str) -> bool:
        return hash(key) in self._recent or self._in_table([key])[0]

    def is_recent(self, key: str) -> bool:
        """Whether it was put in since ``older`` was asked, or not long before."""
        return hash(key) in self._recent

    def older(self, keys: Sequence[str]) -> Sequence[bool]:
        """For each key whether it was put in long ago: many are looked up at once."""
        if len(self._recent) >= _RECENT:
            self._put_away()
        return self._in_table(keys)

    def _in_table(self, keys: Sequence[str]) -> Sequence[bool]:
        if self._table is None:
            return [False] * len(keys)
        import numpy as np  # noqa: PLC0415 - not needed for a small table

        table, mask = self._table, len(self._table) - 1
        hashes = np.fromiter(map(hash, keys), np.int64, len(keys))
        places = hashes & mask
        there = table[places]
        while (others := (there != hashes) & (there != 0)).any():
            places[others] = (places[others] + 1) & mask
            there = table[places]
        known: list[bool] = (there == hashes).tolist()
        return known

    def _put_away(self) -> None:
        import numpy as np  # noqa: PLC0415 - not needed for a small table

        hashes = np.fromiter(self._recent, np.int64, len(self._recent))
        self._recent.clear()
        self._count += len(hashes)
        size = _SMALLEST if self._table is None else len(self._table)
        while size < 2 * self._count:
            size *= 2
        if self._table is None or size > len(self._table):
            old, self._table = self._table, np.zeros(size, np.int64)
            if old is not None:
                _put(self._table, old[old != 0])
        _put(self._table, hashes)


def _put(table: Any, hashes: Any) -> None:
    """Put hashes, all different and none in it, into a table with room for them."""
    mask = len(table) - 1
    places = hashes & mask
    while len(hashes):
        free = table[places] == 0
        table[places[free]] = hashes[free]  # of several for one place, one stays
        left = table[places] != hashes
        hashes, places = hashes[left], (places[left] + 1) & mask
