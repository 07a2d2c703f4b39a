"""What is in a table, in figures: blank cells, distinct values, the longest cell, per column.

Rows come in, one after the other; figures go out at the end. Distinct values are counted exactly
up to a limit, so that a table of any size fits into the memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

DISTINCT_MAX = 1_000_000  # over all columns together
VALUES_KEPT = 20  # of a column with more different values than these, the values are not listed


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """Figures of one column."""

    name: str
    filled: int  # cells with something but white space
    blank: int
    distinct: int  # different filled cells; at least so many if it is not exact
    is_exact: bool
    longest: int  # characters
    values: tuple[tuple[str, int], ...]  # how often each is there, most often first; () if many


class TableFigures:
    """Gathers figures; ``add`` every row, then ask for ``columns``."""

    def __init__(self) -> None:
        self.rows = 0
        self._columns: list[_Column] = []
        self._left = DISTINCT_MAX

    def add(self, row: Sequence[str | None]) -> None:
        """Count one row. Later rows may be longer than earlier ones."""
        while len(self._columns) < len(row):
            self._columns.append(_Column())
        self.rows += 1
        for column, cell in zip(self._columns, row, strict=False):
            if cell and not cell.isspace():
                self._left -= column.add(cell, self._left)

    def columns(self, names: Sequence[str]) -> list[ColumnFigures]:
        """The figures of each column.

        Args:
            names: The reader's columns, once all rows are read.
        """
        empty = [_Column() for _ in range(len(names) - len(self._columns))]
        return [
            column.figures(name, self.rows)
            for name, column in zip(names, [*self._columns, *empty], strict=True)
        ]


class _Column:
    __slots__ = ("_counts", "_filled", "_is_exact", "_longest", "_seen")

    def __init__(self) -> None:
        self._filled = self._longest = 0
        self._seen: set[int] = set()  # hashes, which are smaller than texts
        self._counts: Counter[str] | None = Counter()
        self._is_exact = True

    def add(self, cell: str, left: int) -> int:
        """Count a filled cell; returns how many new values it takes of what is ``left``."""
        self._filled += 1
        self._longest = max(self._longest, len(cell))
        if self._counts is not None:
            self._counts[cell] += 1
            if len(self._counts) > VALUES_KEPT:
                self._counts = None
        key = hash(cell)
        if key in self._seen:
            return 0
        if left <= 0:
            self._is_exact = False
            return 0
        self._seen.add(key)
        return 1

    def figures(self, name: str, rows: int) -> ColumnFigures:
        return ColumnFigures(
            name=name,
            filled=self._filled,
            blank=rows - self._filled,
            distinct=len(self._seen),
            is_exact=self._is_exact,
            longest=self._longest,
            values=tuple(self._counts.most_common()) if self._counts else (),
        )
