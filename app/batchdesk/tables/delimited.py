"""CSV and TSV: a reader that keeps every cell's text as it stands, and a writer for Excel.

Files come in and rows go out, or the other way round, streamed. The reader never fails on a bad
row: it mends what it must and notes a problem with the line where the record begins. The writer
writes UTF-8 with a byte order mark and CR LF, which every spreadsheet program reads rightly.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, Self

from batchdesk.errors import TableError
from batchdesk.tables.atomic import AtomicFile
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.cells import cell_text, harmless
from batchdesk.tables.columns import COLUMNS_MAX, name_columns, name_late_column
from batchdesk.tables.separator import guess_separator, separator_hint
from batchdesk.tables.source import LineSource, Probe, probe_file

CELL_CHARACTERS_MAX = 2**26  # beyond it, an open quote is the only sensible explanation
TAB_SUFFIXES = (".tsv", ".tab")
_BATCH_RECORDS = 512
_SWALLOWED_LINES = 20  # a record of so many lines is looked at more closely
_SWALLOWED_SHARE = 0.8  # of its lines have as many separators as a record should
_END = "\0"  # begins the line after the last; no NUL gets past the source, so no cell has one
_SURROGATE = re.compile("[\ud800-\udfff]")


class Lines(Protocol):
    """Gives lines in blocks, as ``LineSource`` does."""

    def blocks(self) -> Iterator[list[str]]:
        """Lists of whole lines in order, without NULs."""

    def progress(self) -> float:
        """Share given so far, 0 to 1."""

    def close(self) -> None:
        """Close what is open."""


class DelimitedReader:
    """Reads a table with one record per line and separators between cells; see ``base.Reader``.

    Args:
        path: The file.
        options: What is known of it; the rest is guessed.
        probe: What ``probe_file`` found, if it was asked already.
        source: Gives the lines, where they are not those of the file.

    Raises:
        TableError: the file cannot be opened, is no text, or has no header.
    """

    def __init__(
        self,
        path: Path,
        options: ReadOptions,
        probe: Probe | None = None,
        source: Lines | None = None,
    ) -> None:
        probe = probe or probe_file(path, options)
        separator = options.separator or _guess(path, probe)
        _check_separator(separator)
        csv.field_size_limit(CELL_CHARACTERS_MAX)
        self.path = path
        self.format = TableFormat(
            "tsv" if separator == "\t" else "csv",
            probe.encoding,
            separator,
            header_row=options.header_row,
        )
        self._separator = separator
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self.columns: list[str] = []
        self._width = 0  # of the header; ``columns`` may grow beyond it
        self._header_row = options.header_row or 1
        self._source = source or LineSource(path, probe.encoding, self._log)
        self._records = csv.reader(chain.from_iterable(self._lines()), delimiter=separator)
        try:
            if separator_hint(probe.head):
                next(self._records)
            self.columns = self._read_header()
        except BaseException:
            self.close()
            raise
        self._width = len(self.columns)

    def progress(self) -> float:
        """Share of the file read so far, 0 to 1."""
        return self._source.progress()

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        before, found = self._records.line_num, False
        try:
            while True:
                batch, error = self._next_records()
                for line_and_row in self._numbered(batch, before):
                    found = True
                    yield line_and_row
                if error is not None:
                    raise self._cell_too_long(before + sum(map(_lines_of, batch)) + 1) from error
                if not batch:
                    break
                before = self._records.line_num
        finally:
            self.close()
        if not found:
            raise TableError(
                "{name} has column names but no rows: check that it is the right file.",
                name=self.path.name,
            )

    def _next_records(self) -> tuple[list[list[str]], csv.Error | None]:
        """Some records, and the error that ended them: many at once cost half as much each."""
        batch: list[list[str]] = []
        try:
            batch.extend(islice(self._records, _BATCH_RECORDS))
        except csv.Error as error:
            return batch, error
        return batch, None

    def _numbered(self, batch: list[list[str]], before: int) -> Iterator[tuple[int, Row]]:
        """Records with their first lines, mended where they are not as they should be."""
        width = self._width
        is_plain = self._records.line_num - before == len(batch) and len(self.columns) == width
        if is_plain and set(map(len, batch)) == {width}:
            yield from enumerate(batch, before + 1)
            return
        line = before + 1
        for record in batch:
            after = line + _lines_of(record)
            is_open = bool(record) and _END in record[-1]
            end = self._records.line_num if is_open else after - 1
            row: Any = record  # list[str] or, after mending, Row | None
            if end != line or len(record) != width:
                row = self._mend(record, line, end)
            elif len(self.columns) > width:
                row = [*record, *[None] * (len(self.columns) - width)]
            if row is not None:
                yield line, row
            line = after

    def _lines(self) -> Iterator[list[str]]:
        yield from self._source.blocks()
        # A last line that shows whether a quote is still open. It is wider than any good record.
        yield [_END + self._separator * max(1, self._width)]

    def _read_header(self) -> list[str]:
        line = self._records.line_num + 1
        try:
            for cells in self._records:
                if cells and cells[0] == _END:
                    break
                if cells and _END in cells[-1]:
                    raise TableError(
                        "The quote in line {line} of {name} is never closed, so that the whole "
                        "file is one cell. Close it or remove it in a text editor.",
                        line=line,
                        name=self.path.name,
                    )
                filled = any(cell.strip() for cell in cells) or len(cells) > 1
                if line < self._header_row and filled:
                    self._log.add(ProblemKind.ABOVE_HEADER, line)
                elif filled:
                    self._check_width(len(cells), line)
                    return name_columns(cells, self._log, line)
                else:
                    self._log.add(ProblemKind.BLANK_LINE, line)
                line = self._records.line_num + 1
        except csv.Error as error:
            raise self._cell_too_long(line) from error
        raise TableError(
            "{name} has nothing but blank lines: check that it is the right file.",
            name=self.path.name,
        )

    def _mend(self, record: list[str], line: int, end: int) -> Row | None:
        """Whatever is not a one-line record as wide as the header. None: no row at all."""
        if not record:
            self._log.add(ProblemKind.BLANK_LINE, line)
            return None
        if record[0] == _END:
            return None
        if _END in record[-1]:
            record[-1] = record[-1].partition(_END)[0]
            self._log.add(ProblemKind.OPEN_QUOTE, line, lines=end - line)
        elif end - line >= _SWALLOWED_LINES and self._swallowed_records(record):
            self._log.add(ProblemKind.OPEN_QUOTE, line, lines=end - line + 1)
        if len(record) == 1 and self._width > 1 and not record[0].strip():
            self._log.add(ProblemKind.BLANK_LINE, line)
            return None
        return self._even(record, line)

    def _even(self, record: list[str], line: int) -> Row:
        """As long as ``columns``, which grows if need be."""
        cells = len(record)
        if cells < self._width:
            self._log.add(ProblemKind.RAGGED_SHORT, line, cells=cells, expected=self._width)
        elif cells > self._width:
            self._log.add(ProblemKind.RAGGED_LONG, line, cells=cells, expected=self._width)
            self._check_width(cells, line)
        while len(self.columns) < cells:
            name = f"column {len(self.columns) + 1}"
            self.columns.append(name_late_column(name, self.columns, self._log, line))
        return [*record, *[None] * (len(self.columns) - cells)]

    def _swallowed_records(self, record: Sequence[str]) -> bool:
        """Whether the lines inside the longest cell look like records of this table."""
        lines = max(record, key=len).splitlines()[1:-1]
        alike = sum(line.count(self._separator) == self._width - 1 for line in lines)
        return self._width > 1 and alike >= _SWALLOWED_SHARE * len(lines)

    def _check_width(self, cells: int, line: int) -> None:
        if cells > COLUMNS_MAX:
            raise TableError(
                "Line {line} of {name} has {cells} cells; at most {limit} are possible. Check the "
                "separator.",
                line=line,
                name=self.path.name,
                cells=cells,
                limit=COLUMNS_MAX,
            )

    def _cell_too_long(self, line: int) -> TableError:
        return TableError(
            "A cell of the record that begins in line {line} of {name} does not end after "
            "{limit} characters: most likely its quote is never closed. Close it or remove it.",
            line=line,
            name=self.path.name,
            limit=CELL_CHARACTERS_MAX,
        )


def _lines_of(record: list[str]) -> int:
    """How many lines of the file a record takes: its cells keep the line ends within them."""
    breaks = 0
    for cell in record:
        if "\n" in cell or "\r" in cell:
            breaks += cell.count("\n") + cell.count("\r") - cell.count("\r\n")
    return 1 + breaks


def _guess(path: Path, probe: Probe) -> str:
    default = "\t" if path.suffix.lower() in TAB_SUFFIXES else ","
    return guess_separator(probe.head, whole=probe.whole, default=default)


def _check_separator(separator: str) -> None:
    if len(separator) != 1 or separator in '"\r\n\0':
        raise TableError(
            "{separator} cannot separate cells: give one character, such as a comma, a semicolon "
            "or a tab.",
            separator=repr(separator),
        )


class DelimitedWriter:
    """Writes CSV or TSV for spreadsheet programs; see ``base.Writer``.

    UTF-8 with byte order mark, CR LF, quotes only where needed. Text that a spreadsheet would run
    as a formula gets an apostrophe before it, in the header too (see ``cells``). Halves of
    surrogate pairs, which UTF-8 cannot hold, become U+FFFD.

    Args:
        path: The target; replaced if it exists.
        columns: Names in order.
        separator: A comma, or a tab for TSV.

    Raises:
        TableError: from any method: no such folder, no permission, disk full, target in use.
    """

    def __init__(self, path: Path, columns: Sequence[str], separator: str = ",") -> None:
        self._columns = list(columns)
        self._names = set(columns)
        self._separator = separator
        self._file = AtomicFile(path)

    def __enter__(self) -> Self:
        self._file.__enter__()
        try:
            self._write_records([[harmless(name) for name in self._columns]], mark="\ufeff")
        except BaseException as error:
            self._file.__exit__(type(error))
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.__exit__(*exc)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows; a column that a row lacks is an empty cell.

        Raises:
            ValueError: a row has a column that was not announced.
        """
        for row in rows:
            if not row.keys() <= self._names:
                raise ValueError(f"unannounced columns: {sorted(row.keys() - self._names)}")
        self._write_records([[cell_text(row.get(name)) for name in self._columns] for row in rows])

    def _write_records(self, records: list[list[str]], mark: str = "") -> None:
        buffer = io.StringIO(mark, newline="")
        buffer.seek(len(mark))
        csv.writer(buffer, delimiter=self._separator, lineterminator="\r\n").writerows(records)
        text = buffer.getvalue()
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = _SURROGATE.sub("\ufffd", text).encode()
        self._file.write(data)
