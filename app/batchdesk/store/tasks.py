"""Tasks on their way: claiming them for the engine and recording what came of each attempt."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchdesk.domain.task import Attempt, ErrorKind, TaskState


@dataclass(frozen=True, slots=True)
class ClaimedTask:
    """A task that the engine holds, with the row it is about.

    Attributes:
        cells: As cleaning made them for this run.
        tries: Attempts so far that the row could be blamed for.
        attempts: All attempts so far.
        content_try: How often a different answer was asked for; part of the idempotency key.
        last_error: What was wrong with the last answer, when a different one is asked for; else
            why the last attempt failed, when this is a retry.
        first_sent_s: The run's active time when the task was first sent; None before.
    """

    id: int
    row_id: int
    row_key: str
    cells: Mapping[str, str | None]
    tries: int
    attempts: int
    content_try: int
    last_error: ErrorKind | None
    last_message: str | None
    first_sent_s: float | None
    note: str | None = None  # what a reviewer tells the model


@dataclass(frozen=True, slots=True)
class NewResult:
    """An answer with its verdict. ``answer`` and ``checks`` are JSON text."""

    verdict: str
    answer: str
    confidence: float | None
    repaired: bool
    checks: str


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """Where a task goes after one attempt, and what is recorded with it in one transaction.

    Attributes:
        attempt: None when the task ended without a request (its prompt could not be rendered).
        due_at: Epoch seconds before which a waiting task may not be sent.
    """

    task_id: int
    state: TaskState
    at: float
    attempt: Attempt | None = None
    result: NewResult | None = None
    reason: str | None = None
    error_kind: ErrorKind | None = None
    error_message: str | None = None
    due_at: float | None = None
    tries: int = 0
    content_try: int = 0
    first_sent_s: float | None = None
    input_version: str | None = None


_MOST_TOKENS = 2**40  # a thousand billion, far beyond any request; millions of them fit in a sum

_COLUMNS = (
    "SELECT task.id, row.id, row.key, row.cells, cleaned.cells, task.tries, task.attempts,"
    " task.content_try, task.error_kind, task.error_message, task.first_sent_s, task.note"
    " FROM task"
)
_ROWS = (
    "JOIN row ON row.id = task.row_id"
    " LEFT JOIN cleaned ON cleaned.run_id = task.run_id AND cleaned.row_id = task.row_id"
)
_CLAIMED = f"{_COLUMNS} {_ROWS}"
_NEW = f"{_CLAIMED} WHERE task.content_try = 0"
# By its own index: else every claim would look at all pending rows to find that there is none.
_AGAIN = f"{_COLUMNS} INDEXED BY task_asked_again {_ROWS} WHERE task.content_try > 0"


def claim_pending(
    connection: sqlite3.Connection, run_id: int, count: int, again: int | None = None
) -> list[ClaimedTask]:
    """Take pending tasks and mark them running, new ones and those asked for again in their order.

    Args:
        again: At most so many of those that were asked for again while there are new ones, and
            no more than a tenth; None: a tenth.
    """
    tenth = max(1, count // 10)
    asked = _pending(connection, run_id, tenth if again is None else min(tenth, again), _AGAIN)
    new = _pending(connection, run_id, count - len(asked), _NEW)
    if len(new) + len(asked) < count:
        asked = _pending(connection, run_id, count - len(new), _AGAIN)
    return _claimed(connection, new + asked)


def _pending(connection: sqlite3.Connection, run_id: int, count: int, chosen: str) -> list[tuple]:  # type: ignore[type-arg] # columns as in _CLAIMED
    if count <= 0:
        return []
    return connection.execute(
        f"{chosen} AND task.run_id = ? AND task.state = 'pending' ORDER BY task.id LIMIT ?",
        (run_id, count),
    ).fetchall()


def claim_waiting(connection: sqlite3.Connection, task_ids: Sequence[int]) -> list[ClaimedTask]:
    """Take these waiting tasks, whose time has come, and mark them running."""
    found = connection.execute(
        f"{_CLAIMED} WHERE task.id IN (SELECT value FROM json_each(?)) AND task.state = 'waiting'"
        " ORDER BY task.due_at, task.id",
        (json.dumps(list(task_ids)),),
    ).fetchall()
    return _claimed(connection, found)


def claimed(connection: sqlite3.Connection, task_ids: Sequence[int]) -> list[ClaimedTask]:
    """Read tasks that are marked running already, in the order of the table."""
    return _tasks(
        connection.execute(
            f"{_CLAIMED} WHERE task.id IN (SELECT value FROM json_each(?))"
            " AND task.state = 'running' ORDER BY task.id",
            (json.dumps(list(task_ids)),),
        ).fetchall()
    )


def _claimed(connection: sqlite3.Connection, found: list[tuple]) -> list[ClaimedTask]:  # type: ignore[type-arg] # columns as in _CLAIMED
    connection.executemany(
        "UPDATE task SET state = 'running' WHERE id = ?", [(row[0],) for row in found]
    )
    return _tasks(found)


def _tasks(found: list[tuple]) -> list[ClaimedTask]:  # type: ignore[type-arg] # columns as in _CLAIMED
    return [
        ClaimedTask(
            id=id_,
            row_id=row_id,
            row_key=key,
            cells=json.loads(cells) if cleaned is None else json.loads(cells) | json.loads(cleaned),
            tries=tries,
            attempts=attempts,
            content_try=content_try,
            last_error=ErrorKind(error_kind) if error_kind else None,
            last_message=error_message,
            first_sent_s=first_sent_s,
            note=note,
        )
        for (id_, row_id, key, cells, cleaned, tries, attempts, content_try, error_kind,
             error_message, first_sent_s, note) in found
    ]  # fmt: skip


def release(connection: sqlite3.Connection, run_id: int) -> None:
    """Give back what was taken and not finished: it may be sent again."""
    connection.execute(
        "UPDATE task SET state = 'pending' WHERE run_id = ? AND state = 'running'", (run_id,)
    )


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """A task that waits for its next try; ``due_at`` in epoch seconds."""

    id: int
    row_key: str
    due_at: float
    attempts: int
    kind: ErrorKind


def waiting(connection: sqlite3.Connection, run_id: int) -> list[WaitingTask]:
    """Every task of the run that waits for its next try."""
    return [
        WaitingTask(task_id, key, due_at or 0.0, attempts, ErrorKind(kind))
        for task_id, key, due_at, attempts, kind in connection.execute(
            "SELECT task.id, row.key, task.due_at, task.attempts,"
            " coalesce(task.error_kind, 'internal')"
            " FROM task JOIN row ON row.id = task.row_id"
            " WHERE task.run_id = ? AND task.state = 'waiting'",
            (run_id,),
        )
    ]


def record(connection: sqlite3.Connection, outcome: TaskOutcome) -> None:
    """Write the attempt, its raw exchange, the result and the task's new state."""
    attempt_id = _add_attempt(connection, outcome.attempt) if outcome.attempt else None
    result_id = None
    if outcome.result is not None:
        result = outcome.result
        result_id = connection.execute(
            "INSERT INTO result (task_id, attempt_id, verdict, answer, confidence, repaired,"
            " checks, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (outcome.task_id, attempt_id, result.verdict, result.answer, result.confidence,
             result.repaired, result.checks, outcome.at),
        ).lastrowid  # fmt: skip
    connection.execute(
        "UPDATE task SET state = ?, reason = ?, error_kind = ?, error_message = ?, due_at = ?,"
        " tries = ?, attempts = attempts + ?, content_try = ?, first_sent_s = ?, input_version = ?,"
        " result_id = coalesce(?, result_id) WHERE id = ?",
        (outcome.state, outcome.reason, outcome.error_kind, outcome.error_message, outcome.due_at,
         outcome.tries, 0 if attempt_id is None else 1, outcome.content_try, outcome.first_sent_s,
         outcome.input_version, result_id, outcome.task_id),
    )  # fmt: skip


def _add_attempt(connection: sqlite3.Connection, attempt: Attempt) -> int | None:
    a = attempt
    attempt_id = connection.execute(
        "INSERT INTO attempt (task_id, number, batch_id, trace_id, idempotency_key, started_at,"
        " queue_s, service_s, first_token_s, error_kind, error_message, http_status, counted,"
        " input_tokens, output_tokens, cached_tokens, reasoning_tokens)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (a.task_id, a.number, a.batch_id, a.trace_id, a.idempotency_key, a.started_at, a.queue_s,
         a.service_s, a.first_token_s, a.error_kind, a.error_message, a.http_status, a.counted,
         *map(_believable, (a.input_tokens, a.output_tokens, a.cached_tokens,
                            a.reasoning_tokens))),
    ).lastrowid  # fmt: skip
    connection.execute(
        "INSERT INTO exchange (attempt_id, request, response) VALUES (?, ?, ?)",
        (attempt_id, a.request, a.response),
    )
    return attempt_id


def _believable(tokens: int | None) -> int | None:
    """A count as a service reported it, or None where it cannot be one: sums must not overflow."""
    return tokens if tokens is not None and 0 <= tokens <= _MOST_TOKENS else None


def reusable(connection: sqlite3.Connection, versions: Sequence[str]) -> dict[str, int]:
    """Input version → result id, for those that an earlier task answered well."""
    return dict(
        connection.execute(
            "SELECT input_version, max(result_id) FROM task"
            " WHERE input_version IN (SELECT value FROM json_each(?))"
            " AND state IN ('passed', 'accepted') AND result_id IS NOT NULL GROUP BY input_version",
            (json.dumps(list(versions)),),
        )
    )


def record_reused(
    connection: sqlite3.Connection, reused: Sequence[tuple[int, str, int]], at: float
) -> None:
    """Give tasks an earlier result: (task id, input version, result id). Nothing was sent."""
    for task_id, version, result_id in reused:
        copy_id = connection.execute(
            "INSERT INTO result"
            " (task_id, attempt_id, reused_result_id, verdict, answer, confidence, repaired,"
            " checks, created_at) SELECT ?, NULL, id, 'passed', answer, confidence,"
            " repaired, checks, ? FROM result WHERE id = ?",
            (task_id, at, result_id),
        ).lastrowid
        connection.execute(
            "UPDATE task SET state = 'passed', reason = NULL, error_kind = NULL,"
            " error_message = NULL, due_at = NULL, input_version = ?, result_id = ? WHERE id = ?",
            (version, copy_id, task_id),
        )
