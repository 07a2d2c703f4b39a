"""XLSX: a writer that keeps types, runs nothing, and loses no text silently.

Rows come in, streamed; a workbook goes out. Text is text, whatever it looks like, so ``00123``
stays and ``=1+1`` is no formula. A cell holds at most 32,767 characters: longer text is cut, and a
second sheet names every cell that was. Rows beyond what a sheet can hold go on in further sheets.
Columns are as wide as their name and the first rows ask for, and the names stay in sight.
"""

from __future__ import annotations

import contextlib
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from batchdesk.errors import TableError
from batchdesk.tables.cells import json_text
from batchdesk.tables.scratch import ScratchWriter
from batchdesk.tables.xlsx import COLUMNS_OF_SHEET, column_letters
from batchdesk.tables.xlsx_parts import escaped

CELL_UNITS_MAX = 32_767  # UTF-16 code units, as spreadsheets count characters
ROWS_OF_SHEET = 1_048_576
ROWS_SHEET, CUT_SHEET = "rows", "cut cells"
EXACT_INTEGERS = 10**15  # beyond it, a spreadsheet rounds
WIDEST, NARROWEST = 60, 6  # of a column, in characters
_ROWS_MEASURED = 300
_PADDING = 2  # characters, for the margins and a bold name
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


class XlsxWriter(ScratchWriter):
    """One sheet ``rows``, and ``cut cells`` where text was too long; see ``ScratchWriter``.

    Raises:
        TableError: also for more than 16,384 columns.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        if len(columns) > COLUMNS_OF_SHEET:
            raise TableError(
                "A sheet has at most {limit} columns, and the table has {cells}: export it as CSV "
                "or Parquet.",
                limit=COLUMNS_OF_SHEET,
                cells=len(columns),
            )
        super().__init__(path, columns)
        self._book: Any = None
        self._sheet: Any = None
        self._sheets = 0
        self._next = 0  # row of the sheet, from 0
        self._cut: list[tuple[str, str, str, int]] = []
        self._widths = [text_width(name) for name in columns]
        self._measured = 0

    def _begin(self, path: Path) -> None:
        import xlsxwriter  # noqa: PLC0415 - only who writes a workbook pays for the import

        self._book = xlsxwriter.Workbook(str(path), _OPTIONS)
        self._bold = self._book.add_format({"bold": True})
        self._dates = self._book.add_format({"num_format": "yyyy-mm-dd"})
        self._moments = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._begin_sheet()

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            if self._next == ROWS_OF_SHEET:
                self._begin_sheet()
            for column, name in enumerate(self._columns):
                self._put(column, row.get(name))
            if self._measured < _ROWS_MEASURED:
                self._measure(row)
            self._next += 1

    def _measure(self, row: Mapping[str, Any]) -> None:
        self._measured += 1
        for column, name in enumerate(self._columns):
            if (value := row.get(name)) is not None:
                self._widths[column] = max(self._widths[column], text_width(_shown(value)))

    def _end(self) -> None:
        for sheet in self._book.worksheets():  # the library writes widths when it closes the book
            for column, width in enumerate(self._widths):
                sheet.set_column(column, column, max(NARROWEST, min(WIDEST, width + _PADDING)))
        if self._cut:
            self._name_cut_cells()
        self._book.close()
        self._book = None

    def _begin_sheet(self) -> None:
        self._sheets += 1
        name = ROWS_SHEET if self._sheets == 1 else f"{ROWS_SHEET} ({self._sheets})"
        self._sheet = self._book.add_worksheet(name, _worksheet_class())
        self._sheet.freeze_panes(1, 0)
        self._next = 0
        for column, text in enumerate(self._columns):
            self._sheet.write_string(0, column, self._fitting(column, text), self._bold)
        self._next = 1

    def _put(self, column: int, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(self._next, column, value)
        elif is_exact_number(value):
            self._sheet.write_number(self._next, column, value)
        elif isinstance(value, date):
            look = self._moments if isinstance(value, datetime) else self._dates
            self._sheet.write_datetime(self._next, column, value, look)
        else:
            text = _shown(value)
            self._sheet.write_string(self._next, column, self._fitting(column, text))

    def _fitting(self, column: int, text: str) -> str:
        """The text as a cell can hold it."""
        text = _NOT_IN_XML.sub("\ufffd", text)
        short = cut(text)
        if len(short) < len(text):
            cell = f"{column_letters(column)}{self._next + 1}"
            self._cut.append((self._sheet.get_name(), cell, self._columns[column], len(text)))
        return short

    def _name_cut_cells(self) -> None:
        sheet = self._book.add_worksheet(CUT_SHEET, _worksheet_class())
        sheet.freeze_panes(1, 0)
        sheet.set_column(2, 2, WIDEST / 2)
        for place, head in enumerate(("sheet", "cell", "column", "characters", "kept")):
            sheet.write_string(0, place, head, self._bold)
        for number, (name, cell, column, length) in enumerate(self._cut[: ROWS_OF_SHEET - 1], 1):
            for place, text in enumerate((name, cell, cut(_NOT_IN_XML.sub("\ufffd", column)))):
                sheet.write_string(number, place, text)
            sheet.write_number(number, 3, length)
            sheet.write_number(number, 4, CELL_UNITS_MAX)

    def _put_away(self) -> None:
        book, self._book = self._book, None
        if book is not None:
            for sheet in book.worksheets():  # its temporary files, without writing a workbook
                with contextlib.suppress(OSError, AttributeError):  # gone already
                    sheet.row_data_fh.close()
                    Path(sheet.row_data_filename).unlink(missing_ok=True)
            book.fileclosed = True

    def _faults(self) -> tuple[type[Exception], ...]:
        import xlsxwriter.exceptions  # noqa: PLC0415 - as in _begin

        return (OSError, xlsxwriter.exceptions.XlsxWriterException)


@cache
def _worksheet_class() -> type:
    """The library's worksheet, but for how it escapes: it overlooks a second ``_x000D_`` in a row.

    Made when needed, since the library is imported then.
    """
    from xlsxwriter.worksheet import Worksheet  # noqa: PLC0415 - as in XlsxWriter

    class ExactWorksheet(Worksheet):  # type: ignore[misc] # the library has no types
        @staticmethod
        def _escape_control_characters(data: Any) -> Any:
            return escaped(data) if isinstance(data, str) else data

    return ExactWorksheet


def _shown(value: Any) -> str:
    if isinstance(value, date):
        return str(value)
    return value if isinstance(value, str) else json_text(value)


def text_width(text: str) -> int:
    """Characters of the widest line of a text; those of East Asian scripts count twice.

    What is wider than a column can be is not looked at.
    """
    if len(text) <= WIDEST and text.isascii() and "\n" not in text:
        return len(text)
    lines = text[: 50 * WIDEST].split("\n")
    return max(
        sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line[:WIDEST])
        for line in lines
    )


def is_exact_number(value: Any) -> bool:
    """Whether a spreadsheet keeps all of a number; otherwise it is written as text."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return abs(value) < EXACT_INTEGERS
    return isinstance(value, float) and math.isfinite(value)


def cut(text: str) -> str:
    """As much of a text as a cell can hold."""
    if len(text) * 2 <= CELL_UNITS_MAX:
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * CELL_UNITS_MAX:
        return text
    return units[: 2 * CELL_UNITS_MAX].decode("utf-16-le", "ignore")
