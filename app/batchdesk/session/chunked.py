"""Long texts cut as a table is read: one row per chunk, each saying where it stands in its text.

A file and its options come in, a Reader goes out, as from ``tables``: with chunks it is a
ChunkedReader, which cuts one row of the file at a time. Everything here opens files by it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from batchdesk import tables
from batchdesk.domain.job import Job
from batchdesk.errors import Phrase, TableError
from batchdesk.prepare.chunking import Chunk, Positions, check_sizes, chunks_of, positions_of
from batchdesk.prepare.tokens import TokenCounter, encoding_for
from batchdesk.store.rows import Dataset
from batchdesk.tables.base import (
    Chunked,
    ChunkOptions,
    Problem,
    ProblemKind,
    Reader,
    ReadOptions,
    Row,
)
from batchdesk.tables.columns import free_name
from batchdesk.tables.keys import KeyAssigner

TOKENS = 2000
_OVERLAP_PART = 20  # of a chunk is repeated, unless told
_PLACES = ("number", "of", "start", "end", "paragraphs", "pages")
_POSITIONS = "positions"  # the column of documents that says where pages and paragraphs begin
_DOCUMENTS = frozenset({"folder", "document"})


def open_table(path: Path, options: ReadOptions | None = None) -> Reader:
    """Open a table, with its long texts cut if the options say so; see ``tables.open_reader``.

    Raises:
        TableError: the file cannot be read, or has no such column to cut.
        JobFileError: chunks of this size cannot be made.
    """
    reader = tables.open_reader(path, options)
    if options is None or options.chunks is None:
        return reader
    try:
        return ChunkedReader(reader, options.chunks)
    except BaseException:
        reader.close()
        raise


class ChunkedReader:
    """Another reader's rows, those with a long text as several; see ``base.Reader``.

    A chunk has its row's line and cells, and in new columns its number, of how many, the
    characters from 0 (the end exclusive), and paragraphs and pages from 1. The new columns follow
    those that the table has when it is opened. The column ``positions`` of documents becomes the
    chunk's own.

    Raises:
        TableError: the table has no such column.
        JobFileError: chunks of this size cannot be made.
    """

    def __init__(self, inner: Reader, options: ChunkOptions) -> None:
        check_sizes(options.tokens, options.overlap)
        if options.column not in inner.columns:
            raise TableError(
                "{name} has no column {column!r} whose long texts could be cut. {hint}",
                name=inner.path.name,
                column=options.column,
                hint=columns_hint(options.column, inner.columns),
            )
        self._inner, self._options = inner, options
        # The parts that are tried rarely come twice.
        self._count = TokenCounter(options.encoding, remembered=0).count
        self._text = inner.columns.index(options.column)
        self._known = len(inner.columns)
        self._positions = inner.columns.index(_POSITIONS) if _POSITIONS in inner.columns else None
        added = tuple(free_name(f"chunk.{name}", inner.columns) for name in _PLACES)
        self.first_added = self._known
        self.path = inner.path
        self.columns = [*inner.columns, *added]
        self.problems, self.problem_counts = inner.problems, inner.problem_counts
        self._cut = Chunked(options, added)
        self.format = replace(inner.format, chunks=self._cut)

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        count = 0
        for line, row in self._inner.rows():
            count += 1
            self._take_late_columns(line)
            for piece in self._pieces(row):
                yield line, piece
        self.format = replace(self.format, chunks=replace(self._cut, rows=count))

    def progress(self) -> float:
        """Share of the file read so far, 0 to 1."""
        return self._inner.progress()

    def close(self) -> None:
        """Close the file."""
        self._inner.close()

    def _take_late_columns(self, line: int) -> None:
        for name in self._inner.columns[self._known :]:
            new = free_name(name, self.columns)
            if new != name:
                kind = ProblemKind.DUPLICATE_COLUMN
                self.problems.append(Problem(kind, line, {"name": name, "column": new}))
                self.problem_counts[kind] = self.problem_counts.get(kind, 0) + 1
            self.columns.append(new)
        self._known = len(self._inner.columns)

    def _pieces(self, row: Row) -> Iterator[Row]:
        text = row[self._text] or ""
        where = positions_of(text, None if self._positions is None else row[self._positions])
        chunks = chunks_of(
            text,
            size=self._options.tokens,
            overlap=self._options.overlap,
            count=self._count,
            positions=where,
        )
        if len(chunks) <= 1:
            yield self._with(row, _places(chunks, 0) if chunks else _NO_TEXT)
            return
        for at, chunk in enumerate(chunks):
            yield self._with(self._part(row, chunk, where), _places(chunks, at))

    def _part(self, row: Row, chunk: Chunk, where: Positions) -> Row:
        """The row with the chunk for its text."""
        part = list(row)
        part[self._text] = chunk.text
        if self._positions is not None and self.format.name in ("folder", "document"):
            own = where.within(chunk.start, chunk.end)
            places = {"pages": own.pages, "paragraphs": own.paragraphs}
            part[self._positions] = json.dumps(places, separators=(",", ":"))
        return part

    def _with(self, row: Row, places: Row) -> Row:
        return [*row[: self.first_added], *places, *row[self.first_added :]]


_NO_TEXT: Row = ["1", "1", "0", "0", None, None]


def _places(chunks: Sequence[Chunk], at: int) -> Row:
    one = chunks[at]
    figures = (one.number, len(chunks), one.start, one.end)
    pages = None if one.pages is None else _range(*one.pages)
    return [*map(str, figures), _range(*one.paragraphs), pages]


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


class PartNames:
    """Numbers and keys of the rows of a ChunkedReader: the file's own, then ``A-7#1``, ``A-7#2``.

    Args:
        key: The place of the id column; None for row numbers.
    """

    def __init__(self, reader: ChunkedReader, key: int | None, keys: KeyAssigner) -> None:
        self._at, self._id, self._keys = reader.first_added, key, keys
        self._number, self._key = 0, ""

    def of(self, rows: Sequence[tuple[int, Row]]) -> tuple[list[int], list[str]]:
        """Number and key of each of the next rows."""
        numbers, keys = [], []
        for line, row in rows:
            part, count = int(row[self._at] or 1), row[self._at + 1]
            if part == 1:
                self._number += 1
                value = None if self._id is None else row[self._id]
                (self._key,) = self._keys.assign([(line, value)])
            numbers.append(self._number)
            keys.append(self._key if count == "1" else self._keys.part(line, self._key, part))
        return numbers, keys


def chunk_options(
    column: str, model: str, *, tokens: int | None = None, overlap: int | None = None
) -> ChunkOptions:
    """How a column's texts are to be cut for a model.

    Args:
        tokens: None: 2,000.
        overlap: None: a twentieth of a chunk.
    """
    tokens = TOKENS if tokens is None else tokens
    encoding = encoding_for(model)
    return ChunkOptions(
        column,
        tokens,
        tokens // _OVERLAP_PART if overlap is None else overlap,
        encoding.name if encoding.is_exact else "",
    )


def chunks_of_job(job: Job) -> ChunkOptions | None:
    """How a job wants its table's long texts cut; None: not at all."""
    data = job.data
    if data.chunk_column is None:
        return None
    return chunk_options(
        data.chunk_column,
        job.provider.model,
        tokens=data.chunk_tokens,
        overlap=data.chunk_overlap,
    )


def chunked(dataset: Dataset) -> Chunked | None:
    """How a dataset's long texts were cut; None: they were not."""
    found = dataset.format.get("chunks")
    if not found:
        return None
    return Chunked(ChunkOptions(**found["options"]), tuple(found["added"]), found["rows"])


def columns_hint(name: str, columns: Sequence[str]) -> Phrase:
    """The column that may have been meant, else those that there are."""
    near = difflib.get_close_matches(name, columns, 1, 0.5)
    if near:
        return Phrase("Did you mean {near}?", near=repr(near[0]))
    return Phrase("It has: {known}.", known=", ".join(columns[:12]))
