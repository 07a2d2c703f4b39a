"""XLSX and XLSM: the rows of one sheet, with every cell as a person sees it.

A workbook comes in and rows go out, streamed from the sheet; only the texts that its cells share
are in memory, up to a limit. Numbers are shown by their formats, formulas count with the result
that was saved with them, and nothing in the workbook is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from batchdesk.errors import Phrase, TableError
from batchdesk.tables.archive import Archive, Attributes, XmlEvents
from batchdesk.tables.base import Part, ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.grid import SHEET_ROWS, Grid, Numbered, looks_like_table
from batchdesk.tables.number_format import GENERAL, Formats, plain_number
from batchdesk.tables.xlsx_parts import (
    SheetPart,
    column_number,
    has_cells,
    read_formats,
    read_merges,
    read_shared_texts,
    read_workbook,
    row_widths,
    unescaped,
)

WORKBOOK = Phrase("an Excel workbook")
COLUMNS_OF_SHEET = 16_384
_REMEMBERED = 50_000
_LETTERS = re.compile("([A-Z]{1,3})[0-9]+")
_WHOLE = re.compile("-?[1-9][0-9]{0,10}|0")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REFERENCE_SHOWN = 20  # characters of a broken one


class XlsxReader:
    """Reads one sheet; see ``base.Reader``. A row's line is its number in the sheet.

    Args:
        path: The file.
        options: ``sheet`` and ``header_row``; the first visible sheet that looks like a
            table unless told.

    Raises:
        TableError: the file is no workbook, or has no such sheet, or the sheet is empty.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._archive = Archive(path, WORKBOOK)
        self._read = 0
        try:
            workbook = read_workbook(self._archive)
            sheet = self._choose(workbook.sheets, options.sheet)
            self._size = max(1, self._archive.size(sheet.part))
            merges = read_merges(self._archive, sheet.part)
            cells = _Cells(
                read_shared_texts(self._archive),
                read_formats(self._archive),
                Formats(from_1904=workbook.from_1904),
                self._log,
            )
            rows = self._stream(sheet.part, cells)
            self._grid = Grid(path, rows, merges, options.header_row, self._log)
        except BaseException:
            self.close()
            raise
        self.columns = self._grid.columns
        self.format = TableFormat(
            path.suffix.lower().lstrip(".") or "xlsx",
            "utf-8",
            sheet=sheet.name,
            header_row=self._grid.header_row,
        )

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        try:
            yield from self._grid.rows()
        finally:
            self.close()

    def progress(self) -> float:
        """Share of the sheet read so far, 0 to 1."""
        return min(1.0, self._read / self._size)

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def _choose(self, sheets: Sequence[SheetPart], wanted: str | None) -> SheetPart:
        if wanted is not None:
            for sheet in sheets:
                if sheet.name == wanted:
                    return sheet
            raise TableError(
                "{name} has no sheet {sheet!r}. It has: {known}.",
                name=self.path.name,
                sheet=wanted,
                known=", ".join(sheet.name for sheet in sheets[:12]),
            )
        full = [sheet for sheet in sheets if has_cells(self._archive, sheet.part)]
        if not full:
            raise TableError("No sheet of {name} has a cell in it.", name=self.path.name)
        seen = [sheet for sheet in full if not sheet.is_hidden] or full
        chosen = seen[0] if len(seen) == 1 else self._likely(seen)
        for sheet in full:
            if sheet is not chosen:
                kind = ProblemKind.HIDDEN_SHEET if sheet.is_hidden else ProblemKind.OTHER_TABLE
                self._log.add(kind, name=sheet.name)
        return chosen

    def _likely(self, sheets: Sequence[SheetPart]) -> SheetPart:
        """The first that looks like a table, else the first with two rows."""
        with_rows = None
        for sheet in sheets:
            widths = row_widths(self._archive, sheet.part, SHEET_ROWS)
            if looks_like_table(widths):
                return sheet
            if with_rows is None and len(widths) > 1:
                with_rows = sheet
        return with_rows or sheets[0]

    def _stream(self, part: str, cells: _Cells) -> Iterator[Numbered]:
        events = XmlEvents(self._archive, cells.start, cells.end, cells.text)
        for block in self._archive.blocks(part):
            self._read += len(block)
            events.feed(block)
            yield from cells.finished()
        events.feed(b"", final=True)
        yield from cells.finished()


class _Cells:
    """Makes rows of the events of a sheet's XML."""

    def __init__(
        self,
        shared: Sequence[str],
        styles: Sequence[str],
        formats: Formats,
        log: ProblemLog,
    ) -> None:
        self._shared, self._styles, self._formats, self._log = shared, styles, formats, log
        self._columns: dict[str, int] = {}
        self._known: dict[tuple[str, str], str] = {}  # dates and round numbers come again
        self._rows: list[Numbered] = []
        self._row: Row = []
        self._number = 0
        self._column = -1
        self._misplaced: str | None = None  # the reference of a cell that no sheet has
        self._style = self._kind = ""
        self._value: list[str] = []
        self._has_value = self._has_formula = self._takes = self._phonetic = False

    def finished(self) -> list[Numbered]:
        """The rows since it was last asked."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            self._start_cell(attributes)
        elif name == "v" or (name == "t" and not self._phonetic):
            self._takes = self._has_value = True
        elif name == "row":
            told = attributes.get("r", "")
            following = self._number + 1
            self._number = max(following, int(told)) if told.isdecimal() else following
            self._row, self._column = [], -1
        elif name == "f":
            self._has_formula = True
        elif name == "rPh":
            self._phonetic = True

    def end(self, name: str) -> None:
        if name in ("v", "t"):
            self._takes = False
        elif name == "c":
            self._end_cell()
        elif name == "row":
            self._rows.append((self._number, self._row))
        elif name == "rPh":
            self._phonetic = False

    def text(self, data: str) -> None:
        if self._takes:
            self._value.append(data)

    def _start_cell(self, attributes: Attributes) -> None:
        self._column = self._place(attributes.get("r"))
        self._style = attributes.get("s", "")
        self._kind = attributes.get("t", "n")
        self._value = []
        self._has_value = self._has_formula = False

    def _place(self, reference: str | None) -> int:
        """The cell's column; where its reference is none, the cell before keeps its own."""
        self._misplaced = None
        if reference is None:
            return self._column + 1
        letters = reference.rstrip("0123456789")
        known = self._columns.get(letters)
        if known is None:
            match = _LETTERS.fullmatch(reference)
            if match is None:
                self._misplaced = reference[:_REFERENCE_SHOWN]
                return self._column
            known = self._columns[letters] = column_number(match[1])
        return known

    def _end_cell(self) -> None:
        if not self._has_value:
            if self._has_formula:
                self._note(ProblemKind.NO_CACHED_VALUE)
            return
        if self._misplaced is not None or self._column >= COLUMNS_OF_SHEET:
            self._note(ProblemKind.BAD_CELL)
            return
        value = self._read("".join(self._value))
        row = self._row
        if len(row) <= self._column:
            row.extend([None] * (self._column + 1 - len(row)))
        row[self._column] = value

    def _read(self, raw: str) -> str | None:
        kind = self._kind
        if kind == "s":
            index = int(raw) if raw.isdecimal() and len(raw) < 10 else -1  # noqa: PLR2004 - digits
            if 0 <= index < len(self._shared):
                return self._clean(self._shared[index])
            self._note(ProblemKind.BAD_CELL)
            return None
        if kind == "n":
            return self._number_text(raw)
        if kind == "b":
            return "TRUE" if raw.strip() in ("1", "true") else "FALSE"
        if kind == "e":
            self._note(ProblemKind.CELL_ERROR, value=raw)
        return self._clean(unescaped(raw))

    def _number_text(self, raw: str) -> str | None:
        code = GENERAL
        if self._style.isdecimal() and len(self._style) < 7:  # noqa: PLR2004 - digits
            style = int(self._style)
            code = self._styles[style] if style < len(self._styles) else GENERAL
        raw = raw.strip()
        if code == GENERAL and _WHOLE.fullmatch(raw):
            return raw
        known = self._known.get((raw, code))
        if known is not None:
            return known
        try:
            value = float(raw)
        except ValueError:
            if raw or not self._has_formula:
                self._note(ProblemKind.BAD_CELL)
            else:
                self._note(ProblemKind.NO_CACHED_VALUE)
            return None
        text = plain_number(value) if code == GENERAL else self._formats.text(value, code)
        if len(self._known) < _REMEMBERED:
            self._known[raw, code] = text
        return text

    def _clean(self, text: str) -> str:
        if text.isascii() and "\0" not in text:
            return text
        if count := text.count("\0"):
            self._log.add(ProblemKind.NUL_BYTES, self._number, count=count)
        text, halves = _SURROGATE.subn("\ufffd", text.replace("\0", ""))
        if halves:
            self._log.add(ProblemKind.UNDECODABLE, self._number, count=halves)
        return text

    def _note(self, kind: ProblemKind, **detail: str) -> None:
        cell = self._misplaced or f"{column_letters(self._column)}{self._number}"
        self._log.add(kind, self._number, cell=cell, **detail)


def column_letters(number: int) -> str:
    """0 is ``A``, 26 is ``AA``."""
    letters = ""
    number += 1
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def sheets_of(path: Path) -> list[Part]:
    """The sheets of a workbook, in its order.

    Raises:
        TableError: it cannot be read.
    """
    with Archive(path, WORKBOOK) as archive:
        sheets = read_workbook(archive).sheets
    return [Part(sheet.name, "sheet", sheet.is_hidden) for sheet in sheets]
