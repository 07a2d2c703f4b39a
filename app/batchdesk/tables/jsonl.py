"""JSONL: one JSON object a line, read as text cells and written with its types.

Files come in and rows go out, or the other way round, streamed. Numbers keep the digits they have
in the file and nested values become compact JSON text, so nothing is rounded or reordered. Bad
lines are noted and left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Self

from batchdesk.errors import TableError
from batchdesk.tables import batch
from batchdesk.tables.atomic import AtomicFile
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.cells import json_text
from batchdesk.tables.objects import (
    DECODER,
    NESTED_MAX,
    SURROGATE,
    Object,
    ObjectRows,
    Repeating,
)
from batchdesk.tables.source import LineSource, Probe, probe_file


class JsonlReader:
    """Reads one JSON object a line; see ``base.Reader``.

    Columns stand in order of first appearance: those of the first object are known once opened,
    later ones are appended. A key that one object names twice becomes ``key`` and ``key (2)``.
    A file of batch requests is recognised by its first line and unfolded (see ``batch``).

    Args:
        path: The file.
        options: What is known of it; the rest is guessed.
        probe: What ``probe_file`` found, if it was asked already.

    Raises:
        TableError: the file cannot be opened, is no text, or has no line with a JSON object.
    """

    def __init__(self, path: Path, options: ReadOptions, probe: Probe | None = None) -> None:
        probe = probe or probe_file(path, options)
        self.path = path
        self.format = TableFormat("jsonl", probe.encoding, flatten=options.flatten)
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._objects = ObjectRows(path, self._log, flatten=options.flatten)
        self.columns = self._objects.columns
        self._source = LineSource(path, probe.encoding, self._log)
        self._rows = self._read_rows()
        try:
            # The first row is made at once, since it names the columns.
            self._first = next(self._rows, None)
        except BaseException:
            self.close()
            raise
        if self._first is None:
            self.close()
            raise _no_object(path, probe)

    def progress(self) -> float:
        """Share of the file read so far, 0 to 1."""
        return self._source.progress()

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        try:
            if self._first is not None:
                first, self._first = self._first, None
                yield first
            yield from self._rows
        finally:
            self.close()

    def _read_rows(self) -> Iterator[tuple[int, Row]]:
        lines = chain.from_iterable(self._source.blocks())
        for number, line in enumerate(lines, start=1):
            pairs = self._parse(line, number)
            if pairs is None:
                continue
            if not self.columns and batch.is_request(pairs):
                self.format = replace(self.format, name="batch-input")
            if self.format.name == "batch-input":
                pairs = batch.unfolded(pairs)
            row = self._objects.row(pairs, number, has_escapes="\\u" in line)
            if row is not None:
                yield number, row

    def _parse(self, line: str, number: int) -> Object | None:
        try:
            value = DECODER.decode(line)
        except RecursionError:
            self._log.add(ProblemKind.NESTED_TOO_DEEPLY, number, limit=NESTED_MAX)
            return None
        except ValueError as error:
            if line.strip():
                self._log.add(ProblemKind.INVALID_JSON, number, message=str(error))
            else:
                self._log.add(ProblemKind.BLANK_LINE, number)
            return None
        if isinstance(value, (dict, Repeating)):
            return value
        self._log.add(ProblemKind.NOT_AN_OBJECT, number)
        return None


def _no_object(path: Path, probe: Probe) -> TableError:
    if not probe.head.strip():
        return TableError(
            "{name} has nothing but blank lines: check that it is the right file.", name=path.name
        )
    if probe.head.lstrip().startswith("["):
        return TableError(
            "{name} is one JSON list, not JSONL: give it the suffix .json.",
            name=path.name,
        )
    return TableError(
        "No line of {name} is a JSON object: check that it is JSONL, one object a line.",
        name=path.name,
    )


class JsonlWriter:
    """Writes one JSON object a line; see ``base.Writer``.

    UTF-8 without byte order mark, LF, every object with all columns in order (null where a row
    has no value). Values keep their types, nested ones too; only what JSON asks to be escaped is.

    Args:
        path: The target; replaced if it exists.
        columns: Names in order.

    Raises:
        TableError: from any method: no such folder, no permission, disk full, target in use.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._columns = list(columns)
        self._names = set(columns)
        self._file = AtomicFile(path)

    def __enter__(self) -> Self:
        self._file.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.__exit__(*exc)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows.

        Raises:
            ValueError: a row has a column that was not announced.
        """
        lines: list[bytes] = []
        for row in rows:
            if not row.keys() <= self._names:
                raise ValueError(f"unannounced columns: {sorted(row.keys() - self._names)}")
            lines.append(_line({name: row.get(name) for name in self._columns}))
        self._file.write(b"".join(lines))


def _line(row: dict[str, Any]) -> bytes:
    text = json_text(row) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape can hold it
        return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()
