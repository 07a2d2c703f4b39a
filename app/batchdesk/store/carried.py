"""Tables that were imported again: which of their rows were there before, unchanged.

A carried row leads to its origin: the row of the first import that had it just so. Rows that were
carried again and again all lead to the same one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence


def carry(connection: sqlite3.Connection, pairs: Sequence[tuple[int, int]]) -> None:
    """Note unchanged rows as (row id now, row id in the import before)."""
    connection.executemany(
        "INSERT OR REPLACE INTO carried (row_id, origin_id) VALUES (?,"
        " coalesce((SELECT origin_id FROM carried WHERE row_id = ?), ?))",
        [(now, before, before) for now, before in pairs],
    )


def follow(connection: sqlite3.Connection, dataset_id: int, earlier_id: int) -> None:
    """A dataset is another one's file, imported again."""
    connection.execute("UPDATE dataset SET earlier_id = ? WHERE id = ?", (earlier_id, dataset_id))


def forget_rows(connection: sqlite3.Connection, row_ids: Collection[int]) -> None:
    """The rows go; their ids may be given to others."""
    ids = json.dumps(list(row_ids))
    connection.execute(
        "DELETE FROM carried WHERE row_id IN (SELECT value FROM json_each(?))", (ids,)
    )


def forget_dataset(connection: sqlite3.Connection, dataset_id: int) -> None:
    """The dataset goes: what followed it stands alone."""
    connection.execute(
        "DELETE FROM carried WHERE row_id IN (SELECT row.id FROM row JOIN dataset"
        " ON dataset.id = row.dataset_id WHERE dataset.earlier_id = ?)",
        (dataset_id,),
    )
    connection.execute("UPDATE dataset SET earlier_id = NULL WHERE earlier_id = ?", (dataset_id,))
