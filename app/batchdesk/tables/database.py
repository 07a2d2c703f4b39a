"""SQLite: the rows of a table or view, and a table to write rows to.

The file is opened for reading only and nothing in it is changed. A value goes out as its text;
bytes that are no text as hexadecimal digits. A view that never ends is given up. The written file
has one table, ``rows``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from batchdesk.errors import TableError
from batchdesk.tables.base import Part, ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.cells import json_text
from batchdesk.tables.columns import COLUMNS_MAX, name_columns
from batchdesk.tables.scratch import ScratchWriter
from batchdesk.tables.source import open_file
from batchdesk.tables.sqlite_watch import Ended, Watch

WRITTEN_TABLE = "rows"
_SYSTEM = "sqlite_"
_DAMAGE = (sqlite3.Error, UnicodeError)  # the library trusts the names in a file to be text
_SQLITE_INTEGER = 2**63
PATIENCE_S = 20.0  # until the next row comes
VIEW_ROWS_MAX = 10_000_000  # a view with more may go on for ever
_COUNTING_S = 1.0
_HIDDEN = 1  # in table_xinfo: a column that SELECT * leaves out


class SqliteReader:
    """Reads one table; see ``base.Reader``. A row's line is its number in the table.

    Args:
        path: The file.
        options: ``table``; may be left out where there is one only.

    Raises:
        TableError: the file is no SQLite database, or it is not clear which table is meant.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._done, self._count = 0, 1
        self._connection = _connect(path)
        self._watch = Watch(self._connection)
        try:
            part = self._choose(options.table)
            self._table, self._is_view = part.name, part.kind == "view"
            header = self._header()
            self._count = 1 if self._is_view else max(1, self._rough_count())
        except _DAMAGE as error:
            self.close()
            raise _damaged(path, error) from error
        except BaseException:
            self.close()
            raise
        self.columns = name_columns(header, self._log)
        self.format = TableFormat("sqlite", "utf-8", table=self._table)

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        try:
            for number, values in enumerate(self._values(), start=1):
                self._done = number
                if self._is_view and number > VIEW_ROWS_MAX:
                    raise self._endless_rows()
                yield number, [self._text(value, number) for value in values]
        except _DAMAGE as error:
            raise self._fault(error) from error
        finally:
            self.close()
        if not self._done:
            raise TableError(
                "The table {table} in {name} has no rows: choose another one.",
                table=self._table,
                name=self.path.name,
            )

    def progress(self) -> float:
        """Share of the rows read so far, 0 to 1."""
        return min(1.0, self._done / self._count)

    def close(self) -> None:
        """Close the file, also while rows are read on another thread."""
        self._watch.close()

    def _values(self) -> Iterator[tuple[Any, ...]]:
        query = f"SELECT * FROM {_quoted(self._table)}"  # noqa: S608 - a name that the file itself lists, quoted
        cursor = self._watch.run(lambda: self._connection.execute(query), PATIENCE_S)
        while (values := self._watch.run(cursor.fetchone, PATIENCE_S)) is not None:
            yield values

    def _fault(self, error: Exception) -> BaseException:
        """What ended the reading."""
        if self._watch.ended is Ended.CTRL_C:
            return KeyboardInterrupt()
        if self._watch.ended is Ended.TOO_LONG:
            return TableError(
                "{table} in {name} gave no row for {seconds} seconds, so it was given up: a view "
                "may go on for ever. Save its rows as a table of the database, and read that.",
                table=self._table,
                name=self.path.name,
                seconds=round(PATIENCE_S),
            )
        return _damaged(self.path, error)

    def _endless_rows(self) -> TableError:
        return TableError(
            "The view {table} in {name} gave {limit} rows and has more: it may go on for ever. "
            "Save the rows that you need as a table of the database, and read that.",
            table=self._table,
            name=self.path.name,
            limit=VIEW_ROWS_MAX,
        )

    def _choose(self, wanted: str | None) -> Part:
        parts = _parts(self._connection)
        if wanted is not None:
            for part in parts:
                if part.name.casefold() == wanted.casefold():
                    return part
            raise TableError(
                "{name} has no table {table!r}. It has: {known}.",
                name=self.path.name,
                table=wanted,
                known=", ".join(part.name for part in parts[:12]),
            )
        tables = [part for part in parts if part.kind == "table"]
        if len(tables) == 1:
            return tables[0]
        if not tables:
            raise TableError("{name} has no table in it.", name=self.path.name)
        raise TableError(
            "{name} has several tables: {known}. Say which one to read.",
            name=self.path.name,
            known=", ".join(part.name for part in tables[:12]),
        )

    def _header(self) -> list[str]:
        # Not from a SELECT: that would run a view already.
        found = self._connection.execute(f"PRAGMA table_xinfo({_quoted(self._table)})")
        header = [bytes(row[1]).decode("utf-8", "replace") for row in found if row[6] != _HIDDEN]
        if len(header) > COLUMNS_MAX:
            raise TableError(
                "The table {table} in {name} has {cells} columns; at most {limit} are possible.",
                table=self._table,
                name=self.path.name,
                cells=len(header),
                limit=COLUMNS_MAX,
            )
        return header

    def _rough_count(self) -> int:
        """As many rows as there were if none was ever deleted; exact counting reads it all."""
        query = f"SELECT max(rowid) FROM {_quoted(self._table)}"  # noqa: S608 - as in _values
        try:
            found = self._watch.run(lambda: self._connection.execute(query).fetchone(), _COUNTING_S)
        except _DAMAGE:  # a table without such numbers, or too slow
            return 1
        return found[0] if found and isinstance(found[0], int) else 1

    def _text(self, value: Any, line: int) -> str | None:
        if isinstance(value, bytes):
            return self._of_bytes(value, line)
        return value if value is None or isinstance(value, str) else repr(value)

    def _of_bytes(self, value: bytes, line: int) -> str:
        """Text as it is stored, or a blob."""
        try:
            text = value.decode()
        except UnicodeDecodeError:
            self._log.add(ProblemKind.BINARY_CELL, line, bytes=len(value))
            return value.hex()
        if count := text.count("\0"):
            self._log.add(ProblemKind.NUL_BYTES, line, count=count)
            text = text.replace("\0", "")
        return text


def tables_of(path: Path) -> list[Part]:
    """The tables and views of a database, by name.

    Raises:
        TableError: it cannot be read.
    """
    with closing(_connect(path)) as connection:
        try:
            return _parts(connection)
        except _DAMAGE as error:
            raise _damaged(path, error) from error


def _parts(connection: sqlite3.Connection) -> list[Part]:
    found = connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    )
    named = [(bytes(name).decode("utf-8", "replace"), bytes(kind).decode()) for name, kind in found]
    return [Part(name, kind) for name, kind in named if not name.startswith(_SYSTEM)]


def _connect(path: Path) -> sqlite3.Connection:
    open_file(path).close()  # for its sentences
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    except _DAMAGE as error:
        raise _damaged(path, error) from error
    try:
        connection.text_factory = bytes
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except _DAMAGE as error:
        connection.close()
        raise _damaged(path, error) from error
    return connection


def _damaged(path: Path, error: Exception) -> TableError:
    return TableError(
        "{name} cannot be read as a SQLite database: {reason}. Check that it is one, and that no "
        "other program is writing to it.",
        name=path.name,
        reason=str(error),
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class SqliteWriter(ScratchWriter):
    """Writes one table named ``rows``; see ``ScratchWriter``.

    Numbers keep their types, text stays text, nested values become compact JSON.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._connection: sqlite3.Connection | None = None

    def _begin(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        names = ", ".join(map(_quoted, _apart(self._columns)))
        self._connection.execute(f"CREATE TABLE {WRITTEN_TABLE} ({names})")

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        places = ", ".join("?" * len(self._columns))
        self._opened().executemany(
            f"INSERT INTO {WRITTEN_TABLE} VALUES ({places})",  # noqa: S608 - a constant and places
            [[_stored(row.get(name)) for name in self._columns] for row in rows],
        )

    def _end(self) -> None:
        self._opened().commit()
        self._put_away()

    def _put_away(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _faults(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error, OSError)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("write outside of the with block")
        return self._connection


def _apart(columns: Sequence[str]) -> list[str]:
    """Names that differ in more than their case, as SQLite asks."""
    seen: set[str] = set()
    apart: list[str] = []
    for name in columns:
        text, number = _text(name), 1
        while text.lower() in seen:
            number += 1
            text = f"{_text(name)} ({number})"
        seen.add(text.lower())
        apart.append(text)
    return apart


def _stored(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, float):
        return value
    if isinstance(value, int):
        return int(value) if -_SQLITE_INTEGER <= value < _SQLITE_INTEGER else str(value)
    return _text(json_text(value))


def _text(value: str) -> str:
    return value.encode("utf-8", "replace").decode()
