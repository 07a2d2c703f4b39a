"""What every table format offers: a Reader that streams rows in, a Writer that streams rows out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self

Row = list[str | None]


PROBLEMS_KEPT = 10_000


class ProblemKind(StrEnum):
    """What was wrong in a file; the row is kept unless the name says otherwise."""

    RAGGED_SHORT = "ragged_short"  # fewer cells than the header: the missing ones are empty
    RAGGED_LONG = "ragged_long"  # more cells than the header: kept in extra columns
    NUL_BYTES = "nul_bytes"  # NUL characters were removed
    UNDECODABLE = "undecodable"  # bytes that are not of the encoding became U+FFFD
    DUPLICATE_COLUMN = "duplicate_column"  # a second column of one name was renamed
    EMPTY_COLUMN_NAME = "empty_column_name"  # a column without a name was given one
    DUPLICATE_KEY = "duplicate_key"  # a second row of one key got a new key
    EMPTY_KEY = "empty_key"  # a row without a key got its row number
    NOT_AN_OBJECT = "not_an_object"  # a JSONL line that is no object: the row is not kept
    INVALID_JSON = "invalid_json"  # a JSONL line that is not JSON: the row is not kept
    NESTED_TOO_DEEPLY = "nested_too_deeply"  # an object of more levels than can be read: no row
    BLANK_LINE = "blank_line"  # a line with nothing in it: the row is not kept
    OPEN_QUOTE = "open_quote"  # a quote that is not closed where it should be swallowed lines
    MOVED_COLUMN = "moved_column"  # a column whose name Batchdesk needs for its own was renamed
    ABOVE_HEADER = "above_header"  # a row above the column names: the row is not kept
    CELL_ERROR = "cell_error"  # a cell that holds an error such as #N/A, kept as this text
    NO_CACHED_VALUE = "no_cached_value"  # a formula whose result was not saved: the cell is empty
    BAD_CELL = "bad_cell"  # a cell that cannot be read: kept as empty
    BINARY_CELL = "binary_cell"  # a cell of bytes that are no text, kept as their hexadecimal form
    HIDDEN_SHEET = "hidden_sheet"  # a sheet that is hidden and was not read
    OTHER_TABLE = "other_table"  # a further table of the file that was not read
    UNREADABLE_FILE = "unreadable_file"  # a file of the folder that cannot be read: no row
    NO_TEXT = "no_text"  # a document without text, such as a scan: the text is empty


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at one line (1-based, as an editor counts) or column of a file.

    In a workbook the line is the row's number in the sheet, in a database, a Parquet file or a
    folder the number of the row or file. A cell is in ``detail`` where it is known.
    """

    kind: ProblemKind
    line: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


class ProblemLog:
    """Gathers problems: all are counted, the first 10,000 are kept whole."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.counts: dict[ProblemKind, int] = {}

    def add(self, kind: ProblemKind, line: int | None = None, **detail: Any) -> None:
        """Note one problem."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(Problem(kind, line, detail))


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """Long texts become one row per chunk.

    Attributes:
        column: Holds the texts.
        tokens: Of a chunk at most; a text with no more stays whole.
        overlap: Tokens at most that a chunk repeats of the one before.
        encoding: What tokens are counted with, such as o200k_base; empty for an estimate.
    """

    column: str
    tokens: int = 2000
    overlap: int = 100
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class Chunked:
    """How long texts were cut: ``added`` are the new columns, ``rows`` those of the file."""

    options: ChunkOptions
    added: tuple[str, ...]
    rows: int = 0


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a file; None means: guess."""

    encoding: str | None = None  # of text files: a Python codec name
    separator: str | None = None  # of CSV: one character
    sheet: str | None = None  # of a workbook: the sheet's name; the first visible one unless told
    header_row: int | None = None  # of CSV and workbooks: the row of the column names, from 1
    table: str | None = None  # of SQLite: the table or view; of JSON: the key of the list
    flatten: bool = False  # of JSON and JSONL: nested objects become columns such as ``a.b``
    chunks: ChunkOptions | None = None  # of any table; its readers leave this to who opens them


@dataclass(frozen=True, slots=True)
class TableFormat:
    """How a file is being read, guessed or told: for show, and for reading it so again."""

    name: str  # csv, tsv, jsonl, json, batch-input, xlsx, xls, parquet, sqlite or folder
    encoding: str  # a Python codec name
    separator: str | None = None
    sheet: str | None = None
    header_row: int | None = None
    table: str | None = None
    flatten: bool = False
    chunks: Chunked | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a file that can be read as a table of its own."""

    name: str
    kind: str  # sheet, table, view or list
    is_hidden: bool = False


class Reader(Protocol):
    """Streams a table once. ``columns`` is known once opened; ``problems`` grows with the rows."""

    path: Path
    format: TableFormat
    columns: list[str]
    problems: list[Problem]  # the first 10,000; the rest are only counted
    problem_counts: dict[ProblemKind, int]

    def rows(self) -> Iterator[tuple[int, Row]]:
        """(line in the file, cells as text in the order of ``columns``; None: no value).

        Rows are all as long as ``columns`` is at the moment. Ragged rows may append columns, so
        read ``columns`` again at the end. To read the rows again, open the file again.

        Raises:
            TableError: the file cannot be read on, or holds no row at all.
        """

    def progress(self) -> float:
        """Share of the file read so far, 0 to 1."""

    def close(self) -> None:
        """Close the file."""


class Writer(Protocol):
    """Streams a table out. The target appears under its name only when it is whole."""

    def __enter__(self) -> Self:
        """Open a temporary file beside the target."""

    def __exit__(self, *exc: object) -> None:
        """Put the file in place, or remove the temporary one if an exception came."""

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows: column name to text, number, JSON value or None.

        Raises:
            TableError: the disk is full, or the target is held open by another program.
        """
