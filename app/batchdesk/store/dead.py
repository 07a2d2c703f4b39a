"""Dead letters of a run: how many of which kind, and each with what the service said last."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.store.bulk import Chosen


@dataclass(frozen=True, slots=True)
class DeadKind:
    """The dead letters of one kind, and what was said about the one that was sent last."""

    count: int
    last_message: str


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One row that was given up.

    Attributes:
        message: What was said about its last failure.
        attempts: How often it was sent.
        response: The last raw response body that came; None if none ever came.
    """

    task_id: int
    row_number: int
    row_key: str
    cells: Mapping[str, str | None]
    kind: ErrorKind
    message: str
    attempts: int
    response: str | None


def kinds(connection: sqlite3.Connection, run_id: int) -> dict[ErrorKind, DeadKind]:
    """Dead letters by kind, the most frequent first."""
    found = connection.execute(
        # With max(), SQLite takes the other columns from the row that has the largest.
        "SELECT error_kind, count(*), error_message,"
        " max(coalesce((SELECT max(id) FROM attempt WHERE task_id = task.id), 0))"
        " FROM task WHERE run_id = ? AND state = 'dead' GROUP BY error_kind ORDER BY 2 DESC, 1",
        (run_id,),
    )
    return {ErrorKind(kind): DeadKind(count, message or "") for kind, count, message, _ in found}


def letters_after(
    connection: sqlite3.Connection, run_id: int, kind: ErrorKind | None, after_id: int, count: int
) -> list[DeadLetter]:
    """The run's next dead letters by task id, for reading all of them in order."""
    condition, values = Chosen(
        run_id, TaskState.DEAD, kinds=None if kind is None else [kind]
    ).condition()
    found = connection.execute(
        "SELECT task.id, row.number, row.key, row.cells, task.error_kind, task.error_message,"
        " task.attempts,"
        " (SELECT response FROM attempt JOIN exchange ON exchange.attempt_id = attempt.id"
        "  WHERE attempt.task_id = task.id AND response IS NOT NULL"
        "  ORDER BY attempt.id DESC LIMIT 1)"
        " FROM task JOIN row ON row.id = task.row_id"
        f" WHERE {condition} AND task.id > ? ORDER BY task.id LIMIT ?",
        (*values, after_id, count),
    )
    return [
        DeadLetter(
            task_id=task_id,
            row_number=number,
            row_key=key,
            cells=json.loads(cells),
            kind=ErrorKind(kind_of),
            message=message or "",
            attempts=attempts,
            response=response,
        )
        for task_id, number, key, cells, kind_of, message, attempts, response in found
    ]
