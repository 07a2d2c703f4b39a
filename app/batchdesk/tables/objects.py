"""From JSON objects to the rows of a table, for every format that is made of objects.

The decoder and decoded objects come in; rows of text cells go out. Numbers keep the digits they
have in the file, nested values become compact JSON text or columns of their own, columns stand in
order of first appearance, and keys that one object names twice are kept under a second name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from batchdesk.errors import TableError
from batchdesk.tables.base import ProblemKind, ProblemLog, Row
from batchdesk.tables.columns import COLUMNS_MAX, free_name, name_late_column

SURROGATE = re.compile("[\ud800-\udfff]")
NESTED_MAX = 200  # levels that are read for certain; how many more depends on the machine


class Number(str):
    """A number as its digits stand in the file."""

    __slots__ = ()


class Repeating(list[tuple[str, Any]]):
    """Pairs of an object that names a key twice; a dict would lose one of them."""

    __slots__ = ()


Object = dict[str, Any] | Repeating


def _object(pairs: list[tuple[str, Any]]) -> Object:
    unique = dict(pairs)
    return unique if len(unique) == len(pairs) else Repeating(pairs)


# Not strict: a raw tab or line separator inside a string does no harm.
DECODER = json.JSONDecoder(
    parse_int=Number,
    parse_float=Number,
    parse_constant=Number,
    object_pairs_hook=_object,
    strict=False,
)


class ObjectRows:
    """Makes rows of objects and keeps the columns.

    Args:
        path: The file, for what is told of it.
        log: Takes what was wrong.
        flatten: Whether nested objects become columns such as ``a.b``.
    """

    def __init__(self, path: Path, log: ProblemLog, *, flatten: bool = False) -> None:
        self.columns: list[str] = []
        self._path = path
        self._log = log
        self._flatten = flatten
        self._places: dict[str, int] = {}  # key in the file to place in ``columns``

    def row(self, value: Object, line: int, *, has_escapes: bool = True) -> Row | None:
        r"""The cells of one object; None, with a problem noted, if it is nested too deeply.

        Args:
            value: The object.
            line: Where it stands.
            has_escapes: Whether ``\u`` may have brought in NULs and halves of characters.

        Raises:
            TableError: there are too many different keys.
        """
        try:
            row = self._cells(value, line)
        except RecursionError:
            self._log.add(ProblemKind.NESTED_TOO_DEEPLY, line, limit=NESTED_MAX)
            return None
        if has_escapes:
            return [self._mend(cell, line) for cell in row]
        return row

    def _cells(self, value: Object, line: int) -> Row:
        places = self._places
        texts = [
            (key, item if type(item) is str else as_text(item))
            for key, item in self._without_repeats(self._pairs(value), line)
        ]
        row: Row = [None] * len(self.columns)
        for key, text in texts:
            place = places.get(key)
            if place is None:
                self._add_column(key, line)
                row.append(text)
            else:
                row[place] = text
        return row

    def _pairs(self, value: Object) -> Object:
        if not self._flatten:
            return value
        flat = list(_flattened("", value))
        return _object(flat)

    def _without_repeats(self, pairs: Object, line: int) -> Iterable[tuple[str, Any]]:
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
                name=self._path.name,
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
        text, halves = SURROGATE.subn("\ufffd", text.replace("\0", ""))
        if halves:
            self._log.add(ProblemKind.UNDECODABLE, line, count=halves)
        return text


def _flattened(prefix: str, value: Object) -> Iterator[tuple[str, Any]]:
    """Pairs with the keys of nested objects joined by dots; lists and empty objects stay whole."""
    for key, item in value.items() if isinstance(value, dict) else value:
        if isinstance(item, (dict, Repeating)) and item:
            yield from _flattened(f"{prefix}{key}.", item)
        else:
            yield prefix + key, item


def as_text(value: Any) -> str | None:
    """A JSON value as the text of a cell."""
    if value is None:
        return None
    if isinstance(value, str):
        return str(value)
    return raw_json(value)


def raw_json(value: Any) -> str:
    """Compact JSON in which numbers keep their digits and objects their repeated keys."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Repeating):
        return _raw_object(value)
    if isinstance(value, dict):
        return _raw_object(value.items())
    if isinstance(value, list):
        return "[" + ",".join(map(raw_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _raw_object(pairs: Iterable[tuple[str, Any]]) -> str:
    return "{" + ",".join(f"{raw_json(key)}:{raw_json(value)}" for key, value in pairs) + "}"
