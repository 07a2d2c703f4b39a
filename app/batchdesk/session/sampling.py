"""Which rows of a table are tried first: the first, random, one of each kind in turn, the longest.

Rows come in one after the other, ids come out at the end; memory does not grow with the table.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from enum import StrEnum

_MOST_STRATA = 1000  # further values of the column count as one


class How(StrEnum):
    """How rows are chosen."""

    FIRST = "first"
    RANDOM = "random"
    STRATIFIED = "stratified"  # as many of each value of a column, as far as there are
    LONGEST = "longest"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rows.

    Attributes:
        column: For ``STRATIFIED`` the column whose values take turns.
        seed: The same seed chooses the same rows.
    """

    how: How = How.FIRST
    count: int = 20
    column: str | None = None
    seed: int = 0


class Chooser:
    """Chooses among rows as they come."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._rng = random.Random(choice.seed)  # noqa: S311 - a sample, no secret
        self._seen: dict[str, int] = {}
        self._kept: dict[str, list[int]] = {}
        self._longest: list[tuple[int, int]] = []  # (size, minus the id): the first of equals stays

    def see(self, row_id: int, size: int, stratum: str) -> list[int]:
        """The next row that would be sent: its size in bytes, its value in the chosen column.

        Returns:
            The rows that will not be chosen: another one that was kept so far, or this one.
        """
        if self._choice.how is How.LONGEST:
            heapq.heappush(self._longest, (size, -row_id))
            if len(self._longest) <= self._choice.count:
                return []
            return [-heapq.heappop(self._longest)[1]]
        value = stratum if self._choice.how is How.STRATIFIED else ""
        if value not in self._kept and len(self._kept) >= _MOST_STRATA:
            value = ""
        kept = self._kept.setdefault(value, [])
        seen = self._seen[value] = self._seen.get(value, 0) + 1
        if len(kept) < self._choice.count:
            kept.append(row_id)
            return []
        # Each of the rows seen so far is kept as probably as any other.
        at = self._rng.randrange(seen) if self._choice.how is not How.FIRST else seen
        if at >= len(kept):
            return [row_id]
        dropped, kept[at] = kept[at], row_id
        return [dropped]

    def chosen(self) -> list[int]:
        """Ids in the order of the table; each call chooses the same."""
        if self._choice.how is How.LONGEST:
            return sorted(-negative for _, negative in self._longest)
        rng = random.Random(self._choice.seed)  # noqa: S311 - a sample, no secret
        strata = [rng.sample(kept, len(kept)) for _, kept in sorted(self._kept.items())]
        if self._choice.how is How.FIRST:
            strata = list(self._kept.values())
        turns = [kept[n] for n in range(self._choice.count) for kept in strata if n < len(kept)]
        return sorted(turns[: self._choice.count])
