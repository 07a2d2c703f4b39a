"""Previews: the two runs of each, and what came of a run's tasks for judging and forecasting."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.chat import Usage
from batchdesk.domain.task import ErrorKind, TaskState


@dataclass(frozen=True, slots=True)
class StoredPreview:
    """The same rows run twice.

    Attributes:
        chosen: How they were chosen, and how much work the whole table is.
        forecast: What was promised of the whole table; None before it was made.
    """

    id: int
    first_run_id: int
    second_run_id: int
    chosen: Mapping[str, Any]
    forecast: Mapping[str, Any] | None
    created_at: float


@dataclass(frozen=True, slots=True)
class Tried:
    """A task that was sent, with all its attempts together.

    Attributes:
        cells: As they were sent.
        kind: Why it has no usable answer, or what is wrong with the one it has.
        answer: None where there is none.
        answered: Attempts that the service answered, ``misaligned`` those that named another row.
        input_tokens: Over all attempts; None where the service told none. The others likewise.
        service_s: Seconds, summed over the answered attempts.
    """

    row_id: int
    row_key: str
    cells: Mapping[str, str | None]
    state: TaskState
    kind: ErrorKind | None
    answer: Any
    confidence: float | None
    attempts: int
    answered: int
    misaligned: int
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    service_s: float


_SELECT = "SELECT id, first_run_id, second_run_id, chosen, forecast, created_at FROM preview"
_OF_ANSWER = ", ".join(f"'{kind}'" for kind in ErrorKind if kind.is_of_answer)


def add(
    connection: sqlite3.Connection, first_run_id: int, second_run_id: int, chosen: Mapping[str, Any]
) -> int:
    """Note a preview; returns its id."""
    return int(
        connection.execute(
            "INSERT INTO preview (first_run_id, second_run_id, chosen, created_at)"
            " VALUES (?, ?, ?, ?)",
            (first_run_id, second_run_id, json.dumps(chosen, ensure_ascii=False), time.time()),
        ).lastrowid
        or 0
    )


def promise(connection: sqlite3.Connection, preview_id: int, forecast: Mapping[str, Any]) -> None:
    """Keep what a preview promises."""
    connection.execute(
        "UPDATE preview SET forecast = ? WHERE id = ?", (json.dumps(forecast), preview_id)
    )


def preview(connection: sqlite3.Connection, preview_id: int) -> StoredPreview | None:
    """One preview by id."""
    found = connection.execute(f"{_SELECT} WHERE id = ?", (preview_id,)).fetchone()
    return _preview(found) if found else None


def latest(connection: sqlite3.Connection, job_id: int, dataset_id: int) -> StoredPreview | None:
    """The newest preview of a job version over a table."""
    found = connection.execute(
        f"{_SELECT} WHERE first_run_id IN (SELECT id FROM run WHERE job_id = ? AND dataset_id = ?)"
        " ORDER BY id DESC LIMIT 1",
        (job_id, dataset_id),
    ).fetchone()
    return _preview(found) if found else None


def _preview(found: tuple[Any, ...]) -> StoredPreview:
    id_, first, second, chosen, forecast, created = found
    promised = json.loads(forecast) if forecast else None
    return StoredPreview(id_, first, second, json.loads(chosen), promised, created)


def asked(connection: sqlite3.Connection, run_id: int) -> int:
    """Rows of a run that a request was sent for."""
    (count,) = connection.execute(
        "SELECT count(*) FROM task WHERE run_id = ? AND attempts > 0", (run_id,)
    ).fetchone()
    return int(count)


def tried(connection: sqlite3.Connection, run_id: int, at_most: int = 5000) -> list[Tried]:
    """The run's tasks that were sent and have an outcome; of more, some spread over the table."""
    (count,) = connection.execute(
        "SELECT count(*) FROM task WHERE run_id = ? AND attempts > 0", (run_id,)
    ).fetchone()
    step = max(1, -(-count // at_most))
    found = connection.execute(
        "SELECT task.row_id, row.key, row.cells, cleaned.cells, task.state, task.error_kind,"
        " result.answer, result.confidence, count(attempt.id),"
        " sum(attempt.error_kind IS NULL OR attempt.error_kind IN (" + _OF_ANSWER + ")),"
        " coalesce(sum(attempt.error_kind = 'misaligned'), 0), sum(attempt.input_tokens),"
        " sum(attempt.output_tokens), sum(attempt.cached_tokens), sum(attempt.reasoning_tokens),"
        " coalesce(sum(CASE WHEN attempt.error_kind IS NULL OR attempt.error_kind IN ("
        + _OF_ANSWER
        + ") THEN attempt.service_s END), 0.0)"
        " FROM task JOIN row ON row.id = task.row_id JOIN attempt ON attempt.task_id = task.id"
        " LEFT JOIN result ON result.id = task.result_id"
        " LEFT JOIN cleaned ON cleaned.run_id = task.run_id AND cleaned.row_id = task.row_id"
        " WHERE task.run_id = ? AND task.id % ? = 0"
        " AND task.state IN ('passed', 'review', 'accepted', 'rejected', 'dead')"
        " GROUP BY task.id ORDER BY task.id",
        (run_id, step),
    )
    return [_tried(row) for row in found]


def usage(connection: sqlite3.Connection, run_id: int) -> tuple[Usage, int]:
    """Tokens of all attempts of a run together, and how many there were."""
    requests, *tokens = connection.execute(
        "SELECT count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens),"
        " sum(reasoning_tokens) FROM attempt JOIN task ON task.id = attempt.task_id"
        " WHERE task.run_id = ?",
        (run_id,),
    ).fetchone()
    return Usage(*tokens), int(requests)


def _tried(row: tuple[Any, ...]) -> Tried:
    row_id, key, cells, cleaned, state, kind, answer, confidence, *sums = row
    attempts, answered, misaligned, input_, output, cached, reasoning, service_s = sums
    return Tried(
        row_id=row_id,
        row_key=key,
        cells=json.loads(cells) | (json.loads(cleaned) if cleaned else {}),
        state=TaskState(state),
        kind=ErrorKind(kind) if kind else None,
        answer=None if answer is None else json.loads(answer),
        confidence=confidence,
        attempts=attempts,
        answered=answered,
        misaligned=misaligned,
        input_tokens=input_,
        output_tokens=output,
        cached_tokens=cached,
        reasoning_tokens=reasoning,
        service_s=service_s,
    )
