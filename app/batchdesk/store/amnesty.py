"""Tries given back: attempts that fell into an outage do not count against their rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from batchdesk.domain.task import ErrorKind
from batchdesk.store.tasks import WaitingTask


def give_back(
    connection: sqlite3.Connection, attempts: Mapping[int, Sequence[int]], due_at: float
) -> list[WaitingTask]:
    """Uncount attempts; returns the dead letters that may be tried again, now waiting.

    Only a task whose last attempt is among them is revived: of another it died by itself.

    Args:
        attempts: Numbers of attempts by task.
        due_at: When the revived tasks may be sent, epoch seconds.
    """
    revived = []
    for task_id, numbers in attempts.items():
        uncounted = connection.execute(
            "UPDATE attempt SET counted = 0 WHERE task_id = ? AND counted = 1"
            " AND number IN (SELECT value FROM json_each(?))",
            (task_id, json.dumps(list(numbers))),
        ).rowcount
        connection.execute(
            "UPDATE task SET tries = max(0, tries - ?) WHERE id = ?", (uncounted, task_id)
        )
        # Its time starts anew: the outage may have used it up.
        revived += connection.execute(
            "UPDATE task SET state = 'waiting', due_at = ?, first_sent_s = NULL"
            " WHERE id = ? AND state = 'dead' AND attempts IN (SELECT value FROM json_each(?))"
            " RETURNING id, (SELECT key FROM row WHERE row.id = task.row_id), attempts, error_kind",
            (due_at, task_id, json.dumps(list(numbers))),
        ).fetchall()
    return [
        WaitingTask(task_id, key, due_at, attempts, ErrorKind(kind or ErrorKind.SERVER_ERROR))
        for task_id, key, attempts, kind in revived
    ]
