"""XLS, the workbooks of Excel 97 to 2003: the rows of one sheet, as a person sees them.

A workbook comes in and rows go out. The format can only be read as a whole, so the file is in
memory while it is open, up to a limit; a sheet has at most 65,536 rows of 256 cells.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from batchdesk.errors import Phrase, TableError
from batchdesk.tables.base import Part, ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.grid import SHEET_ROWS, Grid, Merge, Numbered, looks_like_table
from batchdesk.tables.number_format import GENERAL, Formats, plain_number
from batchdesk.tables.source import open_file
from batchdesk.tables.xlsx import column_letters

FILE_BYTES_MAX = 2**28
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5
_VISIBLE = 0


class XlsReader:
    """Reads one sheet; see ``base.Reader``. A row's line is its number in the sheet.

    Args:
        path: The file.
        options: ``sheet`` and ``header_row``; the first visible sheet that looks like a
            table unless told.

    Raises:
        TableError: the file is no such workbook, or has no such sheet, or the sheet is empty.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._book = _open(path)
        self._formats = Formats(from_1904=self._book.datemode == 1)
        self._sheet = self._choose(options.sheet)
        self._done = 0
        merges = [
            Merge(top + 1, left, bottom, right - 1)
            for top, bottom, left, right in self._sheet.merged_cells
        ]
        self._grid = Grid(path, self._stream(), merges, options.header_row, self._log)
        self.columns = self._grid.columns
        self.format = TableFormat(
            "xls",
            self._book.encoding or "cp1252",
            sheet=self._sheet.name,
            header_row=self._grid.header_row,
        )

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        yield from self._grid.rows()

    def progress(self) -> float:
        """Share of the sheet read so far, 0 to 1."""
        return min(1.0, self._done / max(1, int(self._sheet.nrows)))

    def close(self) -> None:
        """Nothing is open: the file is in memory."""

    def _choose(self, wanted: str | None) -> Any:
        sheets = self._book.sheets()
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
        full = [sheet for sheet in sheets if sheet.nrows]
        if not full:
            raise TableError("No sheet of {name} has a cell in it.", name=self.path.name)
        seen = [sheet for sheet in full if sheet.visibility == _VISIBLE] or full
        tables = (sheet for sheet in seen if looks_like_table(_row_widths(sheet)))
        with_rows = (sheet for sheet in seen if sheet.nrows > 1)
        chosen = next(tables, None) or next(with_rows, seen[0])
        for sheet in full:
            if sheet is not chosen:
                hidden = sheet.visibility != _VISIBLE
                kind = ProblemKind.HIDDEN_SHEET if hidden else ProblemKind.OTHER_TABLE
                self._log.add(kind, name=sheet.name)
        return chosen

    def _stream(self) -> Iterator[Numbered]:
        for index in range(self._sheet.nrows):
            self._done = index + 1
            cells = self._sheet.row(index)
            yield index + 1, [self._text(cell, index, place) for place, cell in enumerate(cells)]

    def _text(self, cell: Any, row: int, column: int) -> str | None:
        if cell.ctype == _TEXT:
            return str(cell.value).replace("\0", "")
        if cell.ctype in (_NUMBER, _DATE):
            code = self._code(cell.xf_index)
            return (
                plain_number(cell.value)
                if code == GENERAL
                else self._formats.text(float(cell.value), code)
            )
        if cell.ctype == _BOOLEAN:
            return "TRUE" if cell.value else "FALSE"
        if cell.ctype == _ERROR:
            return self._error(cell.value, f"{column_letters(column)}{row + 1}", row + 1)
        return None

    def _code(self, style: int | None) -> str:
        try:
            key = self._book.xf_list[style].format_key
            return str(self._book.format_map[key].format_str)
        except (IndexError, KeyError, TypeError):
            return GENERAL

    def _error(self, code: int, cell: str, row: int) -> str:
        import xlrd  # noqa: PLC0415 - as in _open

        text = str(xlrd.error_text_from_code.get(code, "#N/A"))
        self._log.add(ProblemKind.CELL_ERROR, row, cell=cell, value=text)
        return text


def _row_widths(sheet: Any) -> list[int]:
    """How many cells have something in them, of the first rows that have any."""
    counts = (sum(bool(str(cell.value).strip()) for cell in row) for row in sheet.get_rows())
    return list(islice(filter(None, counts), SHEET_ROWS))


def is_xls(path: Path) -> bool:
    """Whether a file begins as the old workbooks do, whatever its name says.

    Raises:
        TableError: it cannot be opened.
    """
    with open_file(path) as file:
        return file.read(len(OLE)) == OLE


def _open(path: Path) -> Any:
    import xlrd  # noqa: PLC0415 - only who reads such a file pays for the import

    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > FILE_BYTES_MAX:
            raise TableError(
                "{name} is too large for a workbook of this old kind. Save the sheet as CSV "
                "(UTF-8) and read that file.",
                name=path.name,
            )
        data = file.read()
    if not data.startswith((OLE, b"\x09\x00", b"\x09\x02", b"\x09\x04", b"\x09\x08")):
        raise _other_content(path, data)
    with Path(os.devnull).open("w") as silent:
        try:
            return xlrd.open_workbook(
                file_contents=data, formatting_info=True, logfile=silent, ragged_rows=True
            )
        except Exception as error:
            raise _refusal(path, str(error)) from error


def _refusal(path: Path, reason: str) -> TableError:
    if "encrypted" in reason or "find workbook in OLE2" in reason:
        return TableError(
            "{name} is protected by a password, or no workbook: open it, save it without one, and "
            "read that file.",
            name=path.name,
        )
    return TableError(
        "{name} is damaged or not {what}: open it in the program that wrote it, save it again, and "
        "read that file.",
        name=path.name,
        what=Phrase("an Excel workbook"),
    )


def _other_content(path: Path, data: bytes) -> TableError:
    """Many programs give web pages and text files the suffix of a workbook."""
    if not data:
        return TableError("{name} is empty: it has not a single byte.", name=path.name)
    if data.lstrip()[:1] == b"<":
        return TableError(
            "{name} is a web page or XML under the name of a workbook: open it in a spreadsheet "
            "program, save it as XLSX, and read that file.",
            name=path.name,
        )
    return TableError(
        "{name} is no Excel workbook: if it is text, give it the suffix .csv and read it so.",
        name=path.name,
    )


def sheets_of(path: Path) -> list[Part]:
    """The sheets of a workbook, in its order.

    Raises:
        TableError: it cannot be read.
    """
    return [
        Part(sheet.name, "sheet", sheet.visibility != _VISIBLE) for sheet in _open(path).sheets()
    ]
