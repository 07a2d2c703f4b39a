"""One decision about many tasks in one go: dead letters asked again, doubtful answers accepted.

Which tasks comes in; each gets a decision of its own in the history, as if it had been decided
about singly, and can be taken back singly. One statement per table, however many they are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.store.reviews import KEPT, STATE_AFTER, finish_again, take_back


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which tasks of a run; of those, only the ones in the state count.

    Attributes:
        task_ids: Only these; None for all.
        kinds: Only those whose last failure was of these kinds; None for all.
    """

    run_id: int
    state: TaskState
    task_ids: Collection[int] | None = None
    kinds: Collection[ErrorKind] | None = None

    def condition(self) -> tuple[str, list[Any]]:
        """SQL over ``task``, and its values."""
        parts: list[str] = ["task.run_id = ?", "task.state = ?"]
        values: list[Any] = [self.run_id, self.state]
        for column, members in (("id", self.task_ids), ("error_kind", self.kinds)):
            if members is not None:
                parts.append(f"task.{column} IN (SELECT value FROM json_each(?))")
                values.append(json.dumps(list(members)))
        return " AND ".join(parts), values


def _exactly(column: str) -> str:
    """SQL for a number as JSON with all its digits: SQLite's own JSON keeps fifteen."""
    return f"json(iif({column} IS NULL, 'null', printf('%!.17g', {column})))"


# What undoing needs of a task and its run, as ``reviews.decide`` keeps it.
_BEFORE = ", ".join(
    f"'{name}', {_exactly(f'task.{name}') if name == 'first_sent_s' else f'task.{name}'}"
    for name in KEPT
)
_BEFORE_TASK = f"json_object('finished_at', {_exactly('run.finished_at')}, {_BEFORE})"

# A note that a reviewer gave for the model stays: the row died of something else.
_AS_NEW = (
    ", content_try = content_try + 1, tries = 0, error_kind = NULL, error_message = NULL,"
    " first_sent_s = NULL, due_at = NULL"
)


def decide_many(
    connection: sqlite3.Connection,
    chosen: Chosen,
    decision: Decision,
    *,
    note: str | None,
    reviewer: str,
    at: float,
) -> list[int]:
    """Decide the same about every chosen task; returns the decisions' ids, in the tasks' order.

    For RERUN the tasks are as new, but for their attempts, and are asked again under a new
    idempotency key; a finished run is stopped, so that it can be resumed.

    Args:
        decision: Not EDITED: no two answers are corrected alike.
    """
    condition, values = chosen.condition()
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM review").fetchone()
    connection.execute(
        "INSERT INTO review (task_id, decision, before_state, before_result_id, before_task,"
        " after_result_id, note, reviewer, seconds, decided_at)"
        f" SELECT task.id, ?, task.state, task.result_id, {_BEFORE_TASK}, task.result_id, ?, ?, 0,"
        f" ? FROM task JOIN run ON run.id = task.run_id WHERE {condition} ORDER BY task.id",
        (decision, note, reviewer, at, *values),
    )
    connection.execute(
        f"UPDATE task SET state = ?{_AS_NEW if decision is Decision.RERUN else ''}"
        f" WHERE {condition}",
        (STATE_AFTER[decision], *values),
    )
    made = connection.execute("SELECT id FROM review WHERE id > ? ORDER BY id", (last,)).fetchall()
    if made and decision is Decision.RERUN:
        connection.execute(
            "UPDATE run SET state = ?, finished_at = NULL WHERE id = ? AND state = 'finished'",
            (RunState.STOPPED, chosen.run_id),
        )
    return [id_ for (id_,) in made]


def undo_many(connection: sqlite3.Connection, review_ids: Collection[int], at: float) -> list[int]:
    """Take decisions of one run back, the newest first; returns those that could be."""
    undone, task_id = [], None
    for review_id in sorted(review_ids, reverse=True):
        if (taken := take_back(connection, review_id, at)) is not None:
            undone.append(review_id)
            task_id = taken
    if task_id is not None:  # once for all: it looks at every decision of the run
        finish_again(connection, task_id)
    return undone
