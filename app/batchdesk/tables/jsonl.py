"""JSONL: one JSON object a line, read as text cells and written with its types.

Files come in and rows go out, or the other way round, streamed. Numbers keep the digits they have
in the file and nested values become compact JSON text, so nothing is rounded or reordered. Bad
lines are noted and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Self

from batchdesk.errors import TableError
from batchdesk.tables.atomic import AtomicFile
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.cells import json_text
from batchdesk.tables.columns import COLUMNS_MAX, free_name, name_late_column
from batchdesk.tables.source import LineSource, Probe, probe_file

_SURROGATE = re.compile("[\ud800-\udfff]")


class _Number(str):
    """A number as its digits stand in the file."""

    __slots__ = ()


class _Repeating(list[tuple[str, Any]]):
    """Pairs of an object that names a key twice; a dict would lose one of them."""

    __slots__ = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Repeating:
    unique = dict(pairs)
    return unique if len(unique) == len(pairs) else _Repeating(pairs)


# Not strict: a raw tab or line separator inside a string does no harm.
_DECODER = json.JSONDecoder(
    parse_int=_Number,
    parse_float=_Number,
    parse_constant=_Number,
    object_pairs_hook=_object,
    strict=False,
)


class JsonlReader:
    """Reads one JSON object a line; see ``base.Reader``.

    Columns stand in order of first appearance: those of the first object are known once opened,
    later ones are appended. A key that one object names twice becomes ``key`` and ``key (2)``.

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
        self.format = TableFormat("jsonl", probe.encoding)
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self.columns: list[str] = []
        self._places: dict[str, int] = {}  # key in the file to place in ``columns``
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
            if pairs is not None:
                row = self._cells(pairs, number)
                if "\\u" in line:
                    row = [self._mend(cell, number) for cell in row]
                yield number, row

    def _parse(self, line: str, number: int) -> dict[str, Any] | _Repeating | None:
        try:
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            if line.strip():
                self._log.add(ProblemKind.INVALID_JSON, number, message=str(error))
            else:
                self._log.add(ProblemKind.BLANK_LINE, number)
            return None
        if isinstance(value, (dict, _Repeating)):
            return value
        self._log.add(ProblemKind.NOT_AN_OBJECT, number)
        return None

    def _cells(self, pairs: dict[str, Any] | _Repeating, line: int) -> Row:
        places = self._places
        row: Row = [None] * len(self.columns)
        for key, value in self._without_repeats(pairs, line):
            text = value if type(value) is str else _text(value)
            place = places.get(key)
            if place is None:
                self._add_column(key, line)
                row.append(text)
            else:
                row[place] = text
        return row

    def _without_repeats(
        self, pairs: dict[str, Any] | _Repeating, line: int
    ) -> Iterable[tuple[str, Any]]:
        if isinstance(pairs, dict):
            return pairs.items()
        unique: dict[str, Any] = {}
        for key, value in pairs:
            name = free_name(key, unique)
            if name != key:
                self._log.add(ProblemKind.DUPLICATE_COLUMN, line, name=key, column=name)
            unique[name] = value
        return unique.items()

    def _add_column(self, key: str, line: int) -> None:
        if len(self.columns) == COLUMNS_MAX:
            raise TableError(
                "{name} has more than {limit} different keys by line {line}. Keys should be "
                "column names, the same in every line.",
                name=self.path.name,
                limit=COLUMNS_MAX,
                line=line,
            )
        name = self._mend(key, line) or ""
        self._places[key] = len(self.columns)
        self.columns.append(name_late_column(name, self.columns, self._log, line))

    def _mend(self, text: str | None, line: int) -> str | None:
        r"""Without NULs and surrogate halves, which ``\u`` escapes can bring in."""
        if text is None or (text.isascii() and "\0" not in text):
            return text
        if nuls := text.count("\0"):
            self._log.add(ProblemKind.NUL_BYTES, line, count=nuls)
        text, halves = _SURROGATE.subn("\ufffd", text.replace("\0", ""))
        if halves:
            self._log.add(ProblemKind.UNDECODABLE, line, count=halves)
        return text


def _no_object(path: Path, probe: Probe) -> TableError:
    if not probe.head.strip():
        return TableError(
            "{name} has nothing but blank lines: check that it is the right file.", name=path.name
        )
    if probe.head.lstrip().startswith("["):
        return TableError(
            "{name} is one JSON list, not JSONL: write each object of it on a line of its own.",
            name=path.name,
        )
    return TableError(
        "No line of {name} is a JSON object: check that it is JSONL, one object a line.",
        name=path.name,
    )


def _text(value: Any) -> str | None:
    """A JSON value as the text of a cell."""
    if value is None:
        return None
    if isinstance(value, str):
        return str(value)
    return _raw_json(value)


def _raw_json(value: Any) -> str:
    """Compact JSON in which numbers keep their digits and objects their repeated keys."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, _Repeating):
        return _raw_object(value)
    if isinstance(value, dict):
        return _raw_object(value.items())
    if isinstance(value, list):
        return "[" + ",".join(map(_raw_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _raw_object(pairs: Iterable[tuple[str, Any]]) -> str:
    return "{" + ",".join(f"{_raw_json(key)}:{_raw_json(value)}" for key, value in pairs) + "}"


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
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()
