"""Small project files and what to put in them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.task import Attempt, ErrorKind, RunKind, RunState, TaskState
from batchdesk.store import rows, runs, schema
from batchdesk.store.tasks import NewResult, TaskOutcome

JOB = Job.model_validate(
    {"name": "job", "stages": [{"name": "s", "user": "{{ text }}", "answer_field": "label"}]}
)


def in_memory() -> sqlite3.Connection:
    """A project's tables in memory, in autocommit mode."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def add_table(connection: sqlite3.Connection, cells: Sequence[dict[str, str | None]]) -> int:
    """A whole dataset with keys k1, k2, …; returns its id."""
    dataset_id = rows.begin_dataset(connection, name="t", source="t.csv", key_column="id")
    rows.add_rows(
        connection, dataset_id, [(n, f"k{n}", json.dumps(c)) for n, c in enumerate(cells, 1)]
    )
    rows.finish_dataset(
        connection,
        dataset_id,
        table_format={"kind": "csv"},
        columns=["id", "text"],
        content_hash="hash",
        row_count=len(cells),
        problems=[],
        problem_counts={},
    )
    return dataset_id


def add_run(
    connection: sqlite3.Connection,
    count: int,
    *,
    states: Sequence[TaskState] | None = None,
    dataset_id: int | None = None,
    state: RunState = RunState.READY,
) -> int:
    """A run with ``count`` tasks over a table of its own unless one is given; returns its id."""
    if dataset_id is None:
        dataset_id = add_table(connection, [{"text": f"text {n}"} for n in range(1, count + 1)])
    job_id = runs.add_job(connection, JOB)
    run_id = runs.add_run(connection, job_id=job_id, dataset_id=dataset_id, kind=RunKind.FULL)
    page = rows.rows_after(connection, dataset_id, 0, count)
    of = states or [TaskState.PENDING] * count
    add_tasks(
        connection, run_id, [(row.id, of_row, None) for row, of_row in zip(page, of, strict=True)]
    )
    runs.set_state(connection, run_id, state)
    return run_id


def add_tasks(
    connection: sqlite3.Connection, run_id: int, tasks: Sequence[tuple[int, TaskState, str | None]]
) -> None:
    """One task of a run per (row id, state, reason)."""
    connection.executemany(
        "INSERT INTO task (run_id, row_id, state, reason) VALUES (?, ?, ?, ?)",
        [(run_id, *task) for task in tasks],
    )


def task_ids(connection: sqlite3.Connection, run_id: int) -> list[int]:
    found = connection.execute("SELECT id FROM task WHERE run_id = ? ORDER BY id", (run_id,))
    return [id_ for (id_,) in found]


def attempt(task_id: int, number: int = 1, **changes: Any) -> Attempt:
    values: dict[str, Any] = {
        "task_id": task_id, "number": number, "batch_id": 1, "trace_id": "t",
        "idempotency_key": "i", "started_at": 1000.0, "queue_s": 0.1, "service_s": 0.2,
        "first_token_s": None, "error_kind": None, "error_message": None, "http_status": 200,
        "counted": True, "input_tokens": 10, "output_tokens": 5, "cached_tokens": None,
        "reasoning_tokens": None, "request": "sent", "response": "got",
    }  # fmt: skip
    return Attempt(**{**values, **changes})


def passed(task_id: int, answer: object, *, number: int = 1, **changes: Any) -> TaskOutcome:
    """The outcome of a good answer."""
    return TaskOutcome(
        **{
            "task_id": task_id,
            "state": TaskState.PASSED,
            "at": 1001.0,
            "attempt": attempt(task_id, number),
            "result": NewResult("passed", json.dumps(answer), 0.9, repaired=False, checks="[]"),
            "tries": 1,
            "first_sent_s": 0.5,
            "input_version": f"version of {task_id}",
            **changes,
        }
    )


def failed(
    task_id: int, kind: ErrorKind, state: TaskState, *, number: int = 1, **changes: Any
) -> TaskOutcome:
    """The outcome of a failed request."""
    return TaskOutcome(
        **{
            "task_id": task_id,
            "state": state,
            "at": 1001.0,
            "attempt": attempt(
                task_id, number, error_kind=kind, error_message="no", http_status=500,
                input_tokens=None, output_tokens=None,
            ),
            "error_kind": kind,
            "error_message": "no",
            "due_at": 1011.0 if state is TaskState.WAITING else None,
            "tries": 1,
            **changes,
        }
    )  # fmt: skip
