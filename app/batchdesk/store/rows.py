"""Datasets and their rows."""

from __future__ import annotations

import json
import sqlite3
import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from batchdesk.errors import ProjectError
from batchdesk.store import carried


@dataclass(frozen=True, slots=True)
class Dataset:
    """An imported table.

    ``path`` is where it was read from, None where an older program did not keep it; ``told`` are
    the options that were given, None for one that was guessed.
    ``earlier_id`` is the dataset that it replaces, where a changed file was imported again.
    """

    id: int
    name: str
    source: str
    format: Mapping[str, Any]
    columns: tuple[str, ...]
    key_column: str | None
    content_hash: str
    row_count: int
    problem_counts: Mapping[str, int]
    path: str | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    earlier_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row: its key and its cells by column name (text, or None where there was no cell)."""

    id: int
    number: int
    key: str
    cells: Mapping[str, str | None]


# In the column ``complete``: 0 while it is imported, 1 once it counts, and this while its rows go.
# It keeps its id until then, so that no later import can be given the id of rows that remain.
_GOING = -1

# One statement with the values of many rows: Python's lock is taken once, not for each row, so that
# another thread reads on meanwhile. Every SQLite takes 999 values.
_ROWS_AT_ONCE = 300

_COLUMNS = (
    "id, name, source, format, columns, key_column, content_hash, row_count, problem_counts, path,"
    " told, earlier_id"
)


def begin_dataset(
    connection: sqlite3.Connection,
    *,
    name: str,
    source: str,
    key_column: str | None,
    path: str | None = None,
    told: Mapping[str, Any] | None = None,
) -> int:
    """A dataset that is being imported; it counts only once ``finish_dataset`` was called."""
    return int(
        connection.execute(
            "INSERT INTO dataset"
            " (name, source, format, columns, key_column, content_hash, imported_at, path, told)"
            " VALUES (?, ?, '{}', '[]', ?, '', ?, ?, ?)",
            (name, source, key_column, time.time(), path, _json(dict(told or {}))),
        ).lastrowid
        or 0
    )


def add_rows(
    connection: sqlite3.Connection, dataset_id: int, rows: Sequence[tuple[int, str, str | bytes]]
) -> None:
    """Append rows given as (number, key, cells as JSON: text, or its bytes in UTF-8)."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[first : first + _ROWS_AT_ONCE]
        places = ", ".join([f"({dataset_id:d}, ?, ?, CAST(? AS TEXT))"] * len(some))
        connection.execute(
            f"INSERT INTO row (dataset_id, number, key, cells) VALUES {places}",
            list(chain.from_iterable(some)),
        )


def finish_dataset(
    connection: sqlite3.Connection,
    dataset_id: int,
    *,
    table_format: Mapping[str, Any],
    columns: Sequence[str],
    content_hash: str,
    row_count: int,
    problems: Sequence[tuple[str, int | None, Mapping[str, Any]]],
    problem_counts: Mapping[str, int],
) -> None:
    """The import is whole: from now on the dataset counts. ``problems``: (kind, line, detail)."""
    connection.executemany(
        "INSERT INTO dataset_problem (dataset_id, kind, line, detail) VALUES (?, ?, ?, ?)",
        [(dataset_id, kind, line, _json(dict(detail))) for kind, line, detail in problems],
    )
    connection.execute(
        "UPDATE dataset SET format = ?, columns = ?, content_hash = ?, row_count = ?,"
        " problem_counts = ?, complete = 1 WHERE id = ?",
        (
            _json(dict(table_format)),
            _json(list(columns)),
            content_hash,
            row_count,
            _json(dict(problem_counts)),
            dataset_id,
        ),
    )


def place_dataset(
    connection: sqlite3.Connection,
    dataset_id: int,
    *,
    path: str | None,
    told: Mapping[str, Any],
) -> None:
    """The same content was found elsewhere, or by other options."""
    connection.execute(
        "UPDATE dataset SET path = ?, told = ? WHERE id = ?", (path, _json(dict(told)), dataset_id)
    )


def remove_dataset(connection: sqlite3.Connection, dataset_id: int) -> None:
    """Take a table out of the project; as with an import that is called off, its rows go later.

    Raises:
        ProjectError: a run was made over it.
    """
    used = connection.execute("SELECT 1 FROM run WHERE dataset_id = ?", (dataset_id,)).fetchone()
    if used:
        raise ProjectError(
            "A run was made over this table, so it stays: its answers need the rows."
        )
    carried.forget_dataset(connection, dataset_id)
    abandon_dataset(connection, dataset_id)


def abandon_dataset(connection: sqlite3.Connection, dataset_id: int) -> None:
    """Forget an import that was called off or failed: at once for readers, rows go by and by."""
    connection.execute(f"UPDATE dataset SET complete = {_GOING:d} WHERE id = ?", (dataset_id,))


def abandon_halves(connection: sqlite3.Connection) -> None:
    """The same for imports that a crash interrupted."""
    connection.execute(f"UPDATE dataset SET complete = {_GOING:d} WHERE complete = 0")


def has_abandoned(connection: sqlite3.Connection) -> bool:
    """Whether rows are left to be removed."""
    return _abandoned(connection) is not None


def clear_abandoned(connection: sqlite3.Connection, at_most: int) -> bool:
    """Remove so many rows of an abandoned dataset; with the last ones the dataset itself.

    Quick only without foreign keys (see ``Writer.upkeep``): SQLite would look for each row in the
    whole table of tasks. Nothing refers to these rows, for no run can be made over them.

    Returns:
        Whether more is left.
    """
    dataset_id = _abandoned(connection)
    if dataset_id is None:
        return False
    going = [
        row_id
        for (row_id,) in connection.execute(
            "DELETE FROM row WHERE id IN (SELECT id FROM row WHERE dataset_id = ? LIMIT ?)"
            " RETURNING id",
            (dataset_id, at_most),
        )
    ]
    carried.forget_rows(connection, going)
    if len(going) < at_most:
        connection.execute("DELETE FROM dataset_problem WHERE dataset_id = ?", (dataset_id,))
        connection.execute("DELETE FROM dataset WHERE id = ?", (dataset_id,))
    return has_abandoned(connection)


def _abandoned(connection: sqlite3.Connection) -> int | None:
    found = connection.execute(
        f"SELECT id FROM dataset WHERE complete = {_GOING:d}"
        " AND id NOT IN (SELECT dataset_id FROM run) LIMIT 1"
    ).fetchone()
    return int(found[0]) if found else None


def dataset(connection: sqlite3.Connection, dataset_id: int) -> Dataset | None:
    """One dataset by id."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM dataset WHERE id = ? AND complete = 1",
        (dataset_id,),
    ).fetchone()
    return _dataset(found) if found else None


def same_dataset(
    connection: sqlite3.Connection, content_hash: str, key_column: str | None
) -> Dataset | None:
    """The latest dataset with this content and key column, if the file was imported before."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM dataset"
        " WHERE content_hash = ? AND key_column IS ? AND complete = 1 ORDER BY id DESC",
        (content_hash, key_column),
    ).fetchone()
    return _dataset(found) if found else None


def problems(connection: sqlite3.Connection, dataset_id: int) -> list[tuple[str, int | None, str]]:
    """(kind, line, detail as JSON) of a dataset's problems, in the order of the file."""
    return connection.execute(
        "SELECT kind, line, detail FROM dataset_problem WHERE dataset_id = ? ORDER BY id",
        (dataset_id,),
    ).fetchall()


def datasets(connection: sqlite3.Connection) -> list[Dataset]:
    """All datasets, the newest first."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM dataset WHERE complete = 1 ORDER BY id DESC"
    )
    return [_dataset(row) for row in found]


def row_ids(connection: sqlite3.Connection, dataset_id: int) -> array[int]:
    """Ids of all rows in the order of the table."""
    found = connection.execute("SELECT id FROM row WHERE dataset_id = ? ORDER BY id", (dataset_id,))
    return array("q", (id_ for (id_,) in found))


def place_of(connection: sqlite3.Connection, dataset_id: int, number: int) -> int:
    """The place, from 0, of the first row with this number, or with the next one that there is."""
    found = connection.execute(
        "SELECT count(*) FROM row WHERE dataset_id = ? AND number < ?", (dataset_id, number)
    )
    return int(found.fetchone()[0])


def row_page(connection: sqlite3.Connection, ids: Sequence[int]) -> list[StoredRow]:
    """The rows with these ids, in the order of the ids; unknown ids are left out."""
    found = connection.execute(
        "SELECT id, number, key, cells FROM row WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    by_id = {
        id_: StoredRow(id_, number, key, json.loads(cells)) for id_, number, key, cells in found
    }
    return [by_id[id_] for id_ in ids if id_ in by_id]


def rows_after(
    connection: sqlite3.Connection, dataset_id: int, after_id: int, count: int
) -> list[StoredRow]:
    """The next rows by id."""
    found = connection.execute(
        "SELECT id, number, key, cells FROM row WHERE dataset_id = ? AND id > ?"
        " ORDER BY id LIMIT ?",
        (dataset_id, after_id, count),
    ).fetchall()
    return [StoredRow(id_, number, key, json.loads(cells)) for id_, number, key, cells in found]


def _dataset(found: tuple[Any, ...]) -> Dataset:
    id_, name, source, format_, columns, key_column, content_hash, row_count, counts, *where = found
    path, told, earlier_id = where
    return Dataset(
        id=id_,
        name=name,
        source=source,
        format=json.loads(format_),
        columns=tuple(json.loads(columns)),
        key_column=key_column,
        content_hash=content_hash,
        row_count=row_count,
        problem_counts=json.loads(counts),
        path=path,
        told=json.loads(told),
        earlier_id=earlier_id,
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
