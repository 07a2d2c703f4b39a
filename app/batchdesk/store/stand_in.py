"""Lets the file of an older program be read as if it had the migrations that it lacks.

A connection for reading comes in; temporary tables and views stand in the file's place afterwards.
The file itself is not changed.
"""

from __future__ import annotations

import sqlite3

from batchdesk.store import schema

# What stands in for a migration, by its number, where an older file may only be read: temporary
# tables, and for columns that it adds temporary views of the same names, which SQLite finds before
# the file's own.
_MISSING_TABLES = {
    2: (
        """
        review (
            id INTEGER PRIMARY KEY, task_id, decision, before_state, before_result_id, before_task,
            after_result_id, note, reviewer, seconds, decided_at, undone_at
        )
        """,
    ),
    3: ("limit_change (id INTEGER PRIMARY KEY, run_id, at, what, old, new, reason)",),
    6: (
        "cleaned (run_id, row_id, cells, PRIMARY KEY (run_id, row_id))",
        "mask (token PRIMARY KEY, value)",
        """
        preview (
            id INTEGER PRIMARY KEY, first_run_id, second_run_id, chosen, forecast, created_at
        )
        """,
        "carried (row_id INTEGER PRIMARY KEY, origin_id)",
    ),
    7: ("agreed (address PRIMARY KEY, columns, masked, agreed_at)",),
}
_MISSING_COLUMNS = {
    2: {"task": "NULL AS note"},
    4: {"dataset": "NULL AS path, '{}' AS told"},
    6: {
        "task": "NULL AS skip_detail",
        "run": "NULL AS cleaning, NULL AS forecast, NULL AS pilot_run_id",
        "dataset": "NULL AS earlier_id",
    },
}


def stand_in(connection: sqlite3.Connection) -> None:
    """Let an older file be read as if it had the migrations it lacks; it is not changed."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    columns: dict[str, list[str]] = {}
    for number in range(found + 1, schema.version() + 1):
        for table in _MISSING_TABLES.get(number, ()):
            connection.execute(f"CREATE TEMP TABLE {table}")
        for table, added in _MISSING_COLUMNS.get(number, {}).items():
            columns.setdefault(table, []).append(added)
    for table, added_by in columns.items():
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT *, {', '.join(added_by)} FROM main.{table}"
        )
