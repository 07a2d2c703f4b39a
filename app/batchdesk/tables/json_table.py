"""JSON: a list of objects, or an object that holds one, read item by item.

A file comes in and rows go out. Only the item at hand is in memory, so the file may be larger than
it. What follows a mistake in the file cannot be read reliably: the reader stops there with a
sentence that names the line, instead of guessing. ``lists_of`` names the lists of an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from batchdesk.errors import TableError
from batchdesk.tables.base import Part, ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.objects import DECODER, NESTED_MAX, ObjectRows, Repeating
from batchdesk.tables.source import LineSource, Probe, probe_file

ITEM_CHARACTERS_MAX = 2**26  # of one object of the list
_NO_END = "Unterminated string"
_SPACE = re.compile(r"[ \t\r\n]*")


class _Text:
    """The text of a file with a place in it; grows at the end and forgets what was passed."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._buffer = ""
        self._at = 0
        self._ended = False
        self.line = 1

    def peek(self) -> str:
        """The next character that is no white space, or an empty string at the end."""
        while True:
            match = _SPACE.match(self._buffer, self._at)
            if match is not None:
                self._pass(match.end())
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._grow():
                return ""

    def take(self, expected: str) -> bool:
        """Go past the next character if it is one of these."""
        char = self.peek()
        if not char or char not in expected:
            return False
        self._pass(self._at + 1)
        return True

    def expect_end(self) -> None:
        """Refuse anything but white space.

        Raises:
            ValueError: there is more.
        """
        if self.peek():
            raise ValueError("there is more after the end of the JSON value")

    def value(self) -> Any:
        """Go past the next JSON value and return it.

        Raises:
            ValueError: it is no JSON, or too long.
            RecursionError: it is nested too deeply.
        """
        self.peek()
        wanted = 0
        before: tuple[str, int] | None = None
        while True:
            try:
                value, end = DECODER.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                mistake = (error.msg, error.pos - self._at)
                # The same mistake with more text is one; but a string's end may be far away.
                if self._ended or (mistake == before and not error.msg.startswith(_NO_END)):
                    self.line += self._buffer.count("\n", self._at, error.pos)
                    raise
                before = mistake
            else:
                if end < len(self._buffer) or self._ended:  # a number might go on
                    self._pass(end)
                    return value
            wanted = max(wanted, len(self._buffer) - self._at) * 2  # parsed again: twice in all
            while len(self._buffer) - self._at < wanted and self._grow():
                pass
            if len(self._buffer) - self._at > ITEM_CHARACTERS_MAX:
                raise ValueError(f"an item is longer than {ITEM_CHARACTERS_MAX} characters")

    def pass_list(self) -> bool:
        """Go past the list that begins here, keeping none of it; whether its items are objects.

        Raises:
            ValueError, RecursionError: as for ``value``.
        """
        self.take("[")
        has_objects = self.peek() == "{"
        while not self.take("]"):
            self.value()
            if self.peek() != "]" and not self.take(","):
                raise ValueError("a comma or the end of the list is missing")
        return has_objects

    def key(self) -> str:
        """Go past a name and its colon.

        Raises:
            ValueError: there is none.
        """
        key = self.value()
        if not isinstance(key, str) or not self.take(":"):
            raise ValueError("a name and a colon are missing")
        return str(key)

    def _grow(self) -> bool:
        piece = next(self._pieces, None)
        if piece is None:
            self._ended = True
            return False
        self._buffer = self._buffer[self._at :] + piece
        self._at = 0
        return True

    def _pass(self, end: int) -> None:
        self.line += self._buffer.count("\n", self._at, end)
        self._at = end


class JsonReader:
    """Reads the objects of one list; see ``base.Reader``. A row's line is where its object begins.

    The file is such a list, or an object with such a list as a value: the one that
    ``options.table`` names, else the first. Further lists are noted. An object without a list of
    objects is one row.

    Args:
        path: The file.
        options: What is known of it; the rest is guessed.
        probe: What ``probe_file`` found, if it was asked already.

    Raises:
        TableError: the file cannot be opened, is no text or no JSON, or has no object.
    """

    def __init__(self, path: Path, options: ReadOptions, probe: Probe | None = None) -> None:
        probe = probe or probe_file(path, options)
        self.path = path
        self._table = options.table
        self.format = TableFormat("json", probe.encoding, flatten=options.flatten)
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._objects = ObjectRows(path, self._log, flatten=options.flatten)
        self.columns = self._objects.columns
        self._source = LineSource(path, probe.encoding, self._log)
        self._text = _Text(self._source.texts())
        self._rows = self._read_rows()
        try:
            self._first = next(self._rows, None)
        except BaseException:
            self.close()
            raise
        if self._first is None:
            self.close()
            raise self._no_object()

    def progress(self) -> float:
        """Share of the file read so far, 0 to 1."""
        return self._source.progress()

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        try:
            yield from chain([self._first] if self._first else [], self._rows)
            self._first = None
        finally:
            self.close()

    def _read_rows(self) -> Iterator[tuple[int, Row]]:
        with _in_words(self.path, self._text):
            if self._text.peek() == "[":
                yield from self._items()
            elif self._text.peek() == "{":
                yield from self._members()
            else:
                raise self._no_object()
            self._text.expect_end()

    def _items(self) -> Iterator[tuple[int, Row]]:
        """The rows of the list that begins here."""
        text = self._text
        text.take("[")
        if text.take("]"):
            return
        yield from self._rest_of_items()

    def _rest_of_items(self) -> Iterator[tuple[int, Row]]:
        """From the first item of a list, which has one, to its end."""
        text = self._text
        while True:
            text.peek()
            line = text.line
            value = text.value()
            if isinstance(value, (dict, Repeating)):
                row = self._objects.row(value, line)
                if row is not None:
                    yield line, row
            else:
                self._log.add(ProblemKind.NOT_AN_OBJECT, line)
            if text.take("]"):
                return
            if not text.take(","):
                raise ValueError("a comma or the end of the list is missing")

    def _members(self) -> Iterator[tuple[int, Row]]:
        """The rows of the object's list, or the object itself as a row."""
        text = self._text
        text.take("{")
        line, found, plain = text.line, False, []
        closed = text.take("}")
        while not closed:
            key = text.key()
            if text.peek() != "[":
                plain.append((key, text.value()))
            elif self._table is not None and key != self._table:
                text.pass_list()
            elif found:
                if text.pass_list():
                    self._log.add(ProblemKind.OTHER_TABLE, text.line, name=key)
            else:
                for item in self._list(key, plain):
                    found = True
                    yield item
            closed = text.take("}")
            if not closed and not text.take(","):
                raise ValueError("a comma or the end of the object is missing")
        if not found:
            yield from self._single(line, plain)

    def _list(self, key: str, plain: list[tuple[str, Any]]) -> Iterator[tuple[int, Row]]:
        """Rows of a list of objects; another list is put with the plain members."""
        text = self._text
        text.take("[")
        if text.peek() != "{":
            rest: list[Any] = []
            while not text.take("]"):
                rest.append(text.value())
                if text.peek() != "]" and not text.take(","):
                    raise ValueError("a comma or the end of the list is missing")
            plain.append((key, rest))
            return
        self.format = TableFormat(
            "json", self.format.encoding, table=key, flatten=self.format.flatten
        )
        yield from self._rest_of_items()

    def _single(self, line: int, plain: list[tuple[str, Any]]) -> Iterator[tuple[int, Row]]:
        if self._table is not None:
            raise TableError(
                "{name} has no list {table!r} of objects: choose another, or none.",
                name=self.path.name,
                table=self._table,
            )
        row = self._objects.row(Repeating(plain), line) if plain else None
        if row is not None:
            yield line, row

    def _no_object(self) -> TableError:
        return TableError(
            "{name} holds no list of objects, so it has no rows: check that it is the right file.",
            name=self.path.name,
        )


@contextmanager
def _in_words(path: Path, text: _Text) -> Iterator[None]:
    """Mistakes in a file as sentences."""
    try:
        yield
    except RecursionError as error:
        raise TableError(
            "{name} has a value at line {line} that is nested deeper than {limit} levels, "
            "which is more than can be read. Have the program that wrote it write it flatter.",
            name=path.name,
            line=text.line,
            limit=NESTED_MAX,
        ) from error
    except ValueError as error:
        raise TableError(
            "{name} is not JSON from line {line} on: {reason}. Mend it there, or have the "
            "program that wrote it write it again.",
            name=path.name,
            line=text.line,
            reason=getattr(error, "msg", str(error)),
        ) from error


def lists_of(path: Path) -> list[Part]:
    """The lists of objects in a file that is one object, in its order; reads all of it.

    Empty for a file that is a list itself, which is not read further.

    Raises:
        TableError: it cannot be read.
    """
    source = LineSource(path, probe_file(path, ReadOptions()).encoding, ProblemLog())
    text, found = _Text(source.texts()), []
    try:
        with _in_words(path, text):
            closed = not text.take("{") or text.take("}")
            while not closed:
                key = text.key()
                if text.peek() != "[":
                    text.value()
                elif text.pass_list():
                    found.append(Part(key, "list"))
                closed = text.take("}")
                if not closed and not text.take(","):
                    raise ValueError("a comma or the end of the object is missing")
    finally:
        source.close()
    return found
