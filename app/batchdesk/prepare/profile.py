"""Figures about a table for the Data page: blanks, distinct values, longest rows, lengths.

Rows stream through a Profiler once, in batches; what it keeps is bounded whatever the table is.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from batchdesk.prepare.template import Cells

DISTINCT_KEPT = 10_000  # values of a column; with more, it is only said that there are more
LONGEST_KEPT = 20
COMMON_KEPT = 20
_VALUE_SHOWN = 200  # characters; longer values are counted, but not shown as common ones
_BATCH = 1000

CountMany = Callable[[Sequence[str]], Sequence[int]]


def _edges(most: int) -> tuple[int, ...]:
    """0, 1, 2, 3, 4, 6, 8, 12, 16, 24, …: two bins for each doubling, all whole numbers."""
    edges = [0, 1, 2, 3]
    while edges[-1] < most:
        edges.append(edges[-2] * 2)
    return tuple(edges)


_EDGES = _edges(2**40)


@dataclass(frozen=True, slots=True)
class Bin:
    """``count`` rows have ``least`` to ``most`` tokens or characters, both included."""

    least: int
    most: int
    count: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long things are.

    Attributes:
        bins: On a logarithmic scale, without gaps, from the shortest to the longest.
        total: The sum of all lengths.
        longest: (row id, length), the longest first.
        over: How many are longer than the limit that was given.
    """

    bins: tuple[Bin, ...] = ()
    total: int = 0
    longest: tuple[tuple[int, int], ...] = ()
    over: int = 0


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """About one column.

    Attributes:
        blanks: Cells that are empty or hold nothing but spaces.
        distinct: How many different values, blank ones left out; never more than 10,000.
        has_more: Whether there are more than that.
        common: (value, rows), the most frequent first; empty where ``has_more``.
        characters: Lengths of the cells that are not blank.
    """

    name: str
    blanks: int
    distinct: int
    has_more: bool
    common: tuple[tuple[str, int], ...]
    characters: Lengths


@dataclass(frozen=True, slots=True)
class TableFigures:
    """About a table.

    Attributes:
        tokens: Lengths of rows (the columns that were counted, together) in tokens; None where
            nothing was counted.
    """

    rows: int
    columns: tuple[ColumnFigures, ...]
    tokens: Lengths | None


@dataclass(slots=True)
class _LengthTally:
    limit: int | None = None
    counts: dict[int, int] = field(default_factory=dict)
    total: int = 0
    over: int = 0
    longest: list[tuple[int, int]] = field(default_factory=list)  # a heap of (length, -row)

    def add(self, row: int, length: int) -> None:
        place = bisect_right(_EDGES, length) - 1
        self.counts[place] = self.counts.get(place, 0) + 1
        self.total += length
        if self.limit is not None and length > self.limit:
            self.over += 1
        if len(self.longest) < LONGEST_KEPT:
            heapq.heappush(self.longest, (length, -row))
        elif (length, -row) > self.longest[0]:
            heapq.heapreplace(self.longest, (length, -row))

    def result(self) -> Lengths:
        if not self.counts:
            return Lengths()
        places = range(min(self.counts), max(self.counts) + 1)
        bins = tuple(
            Bin(_EDGES[place], _EDGES[place + 1] - 1, self.counts.get(place, 0)) for place in places
        )
        longest = tuple((-row, length) for length, row in sorted(self.longest, reverse=True))
        return Lengths(bins, self.total, longest, self.over)


@dataclass(slots=True)
class _ColumnTally:
    blanks: int = 0
    values: dict[str | int, int] = field(default_factory=dict)
    has_more: bool = False
    lengths: _LengthTally = field(default_factory=_LengthTally)

    def add(self, row: int, cell: str | None) -> None:
        if cell is None or not cell.strip():
            self.blanks += 1
            return
        self.lengths.add(row, len(cell))
        if self.has_more:
            return
        key = cell if len(cell) <= _VALUE_SHOWN else hash(cell)
        if key in self.values or len(self.values) < DISTINCT_KEPT:
            self.values[key] = self.values.get(key, 0) + 1
        else:
            self.has_more = True

    def result(self, name: str) -> ColumnFigures:
        shown = ((value, n) for value, n in self.values.items() if isinstance(value, str))
        common = (
            () if self.has_more else heapq.nsmallest(COMMON_KEPT, shown, key=lambda one: -one[1])
        )
        return ColumnFigures(
            name, self.blanks, len(self.values), self.has_more, tuple(common), self.lengths.result()
        )


class Profiler:
    """Counts rows as they stream by.

    Args:
        columns: All columns of the table.
        counted: Columns whose texts are counted in tokens, together for each row.
        count_many: Tokens of texts, such as ``TokenCounter.count_many``; None: none are counted.
        limit: Tokens from which a row is over the window; None: no limit is known.
    """

    def __init__(
        self,
        columns: Sequence[str],
        *,
        counted: Iterable[str] = (),
        count_many: CountMany | None = None,
        limit: int | None = None,
    ) -> None:
        self._columns = {name: _ColumnTally() for name in columns}
        self._counted = tuple(counted)
        self._count_many = count_many if self._counted else None
        self._tokens = _LengthTally(limit)
        self._rows = 0

    def add(self, rows: Iterable[tuple[int, Cells]]) -> None:
        """Count more rows: (row id, cells)."""
        coming = iter(rows)
        while batch := list(islice(coming, _BATCH)):
            self._rows += len(batch)
            for name, tally in self._columns.items():
                for row, cells in batch:
                    tally.add(row, cells.get(name))
            if self._count_many is not None:
                self._add_tokens(batch, self._count_many)

    def result(self) -> TableFigures:
        """The figures of all rows so far."""
        columns = tuple(tally.result(name) for name, tally in self._columns.items())
        tokens = self._tokens.result() if self._count_many is not None else None
        return TableFigures(self._rows, columns, tokens)

    def _add_tokens(self, batch: Sequence[tuple[int, Cells]], count: CountMany) -> None:
        texts = [cells.get(name) or "" for _, cells in batch for name in self._counted]
        counts = count(texts)
        width = len(self._counted)
        for at, (row, _) in enumerate(batch):
            self._tokens.add(row, sum(counts[at * width : (at + 1) * width]))
