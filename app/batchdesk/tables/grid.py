"""From the cells of a sheet to a table: where the names stand, merged cells, blank rows.

Numbered rows of cells come in, as a workbook has them; columns and even rows go out. A sheet may
begin with a title or notes: the row of the names is guessed, or told. A merged cell counts for
every cell it covers, as a person sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from batchdesk.errors import TableError
from batchdesk.tables.base import ProblemKind, ProblemLog, Row
from batchdesk.tables.columns import COLUMNS_MAX, name_columns, name_late_column

_LOOKED_AT = 50  # rows in which the names are looked for
_WIDE_ENOUGH = 0.5  # share of the widest row's cells that the row of the names has
SHEET_ROWS = 21  # filled rows by which a sheet is judged; a cover sheet has fewer

Numbered = tuple[int, Row]  # row number in the sheet from 1, cells from column A


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged cell: rows from 1, columns from 0, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


class Grid:
    """A table within a sheet; ``columns`` is known at once, ``rows`` streams.

    Args:
        path: The file, for what is told of it.
        rows: The rows of the sheet in order.
        merges: Its merged cells.
        header_row: The row of the names; guessed unless given.
        log: Takes what was wrong.

    Raises:
        TableError: the sheet is empty, or has no such row, or too many columns.
    """

    def __init__(
        self,
        path: Path,
        rows: Iterator[Numbered],
        merges: Sequence[Merge],
        header_row: int | None,
        log: ProblemLog,
    ) -> None:
        self._path = path
        self._log = log
        self._merges = _Merges(merges)
        self._blanks: list[int] = []
        filled = self._without_blanks(rows)
        if header_row is None:
            head = list(islice(filled, _LOOKED_AT))
            place = _guess_header(head)
        else:
            head = self._up_to(filled, header_row)
            place = len(head) - 1
        if not head:
            raise TableError(
                "The sheet that was read of {name} is empty: choose another one.", name=path.name
            )
        for line, _ in head[:place]:
            log.add(ProblemKind.ABOVE_HEADER, line)
        for line, cells in head[:place]:
            self._merges.fill(line, cells)
        self.header_row, names = head[place]
        names = self._merges.fill(self.header_row, names)
        while names and not (names[-1] or "").strip():
            names.pop()
        self._check_width(len(names))
        self.columns = name_columns([name or "" for name in names], log, self.header_row)
        self._merges.forget_above(self.header_row)
        self._rows = chain(head[place + 1 :], filled)

    def rows(self) -> Iterator[Numbered]:
        """(row number in the sheet, cells in the order of ``columns``).

        Raises:
            TableError: there is no row below the names, or too many columns.
        """
        found = False
        for line, cells in self._rows:
            row = self._merges.fill(line, cells)
            if len(row) > len(self.columns):
                row = self._widen(line, row)
            found = True
            yield line, row + [None] * (len(self.columns) - len(row))
        if not found:
            raise TableError(
                "{name} has column names but no rows: check that it is the right file.",
                name=self._path.name,
            )

    def _without_blanks(self, rows: Iterator[Numbered]) -> Iterator[Numbered]:
        """Rows with something in them. Blank ones before such a row are noted, those after not."""
        for line, cells in rows:
            if not any(cells):
                self._blanks.append(line)
                continue
            for blank in self._blanks:
                self._log.add(ProblemKind.BLANK_LINE, blank)
            self._blanks.clear()
            yield line, cells

    def _up_to(self, rows: Iterator[Numbered], header_row: int) -> list[Numbered]:
        head: list[Numbered] = []
        for numbered in rows:
            head.append(numbered)
            if numbered[0] >= header_row:
                break
        if not head or head[-1][0] != header_row:
            raise TableError(
                "Row {row} of the sheet in {name} is empty, so that the column names cannot stand "
                "in it. Choose another row.",
                row=header_row,
                name=self._path.name,
            )
        return head

    def _widen(self, line: int, row: Row) -> Row:
        """Columns for cells beyond the names; without those of them that hold nothing."""
        end = len(row)
        while end > len(self.columns) and not row[end - 1]:
            end -= 1
        self._check_width(end)
        while len(self.columns) < end:
            position = len(self.columns) + 1
            name = name_late_column(f"column {position}", self.columns, self._log, line)
            self.columns.append(name)
            self._log.add(
                ProblemKind.EMPTY_COLUMN_NAME, line, name="", column=name, position=position
            )
        return row[:end]

    def _check_width(self, width: int) -> None:
        if width > COLUMNS_MAX:
            raise TableError(
                "The sheet that was read of {name} has {cells} columns; at most {limit} are "
                "possible.",
                name=self._path.name,
                cells=width,
                limit=COLUMNS_MAX,
            )


def looks_like_table(widths: Sequence[int]) -> bool:
    """Whether a sheet is a table rather than a cover sheet: several columns, or very many rows.

    Args:
        widths: Filled cells of each of its first ``SHEET_ROWS`` filled rows.
    """
    if len(widths) >= SHEET_ROWS:
        return True
    wide = sum(width > 1 for width in widths)
    is_pairs = max(widths, default=0) == 2 and widths[0] == 1  # noqa: PLR2004 - "Author | Li Na" below a title
    return wide > 1 and 2 * wide >= len(widths) and not is_pairs


class _Merges:
    """Fills the cells that merged cells cover, from top to bottom."""

    def __init__(self, merges: Sequence[Merge]) -> None:
        self._coming = sorted(merges, key=lambda merge: merge.top, reverse=True)
        self._active: list[tuple[Merge, str | None]] = []

    def fill(self, line: int, cells: Row) -> Row:
        """The row with covered cells filled."""
        if not self._coming and not self._active:
            return cells
        self._active = [(merge, value) for merge, value in self._active if merge.bottom >= line]
        while self._coming and self._coming[-1].top <= line:
            merge = self._coming.pop()
            inside = merge.top == line and merge.left < len(cells)
            self._active.append((merge, cells[merge.left] if inside else None))
        row = list(cells)
        for merge, value in self._active:
            if not value or merge.right >= COLUMNS_MAX:
                continue
            row.extend([None] * (merge.right + 1 - len(row)))
            for column in range(merge.left, merge.right + 1):
                row[column] = row[column] or value
        return row

    def forget_above(self, line: int) -> None:
        """A merged name is no value of the rows below it."""
        self._active = [(merge, value) for merge, value in self._active if merge.top > line]


def _guess_header(head: Sequence[Numbered]) -> int:
    """The first row that is about as wide as the table; titles and notes are narrower."""
    widths = [sum(bool(cell) for cell in cells) for _, cells in head]
    wanted = max(widths, default=0)
    enough = 1 if wanted == 1 else max(2, wanted * _WIDE_ENOUGH)
    return next((place for place, width in enumerate(widths) if width >= enough), 0)
