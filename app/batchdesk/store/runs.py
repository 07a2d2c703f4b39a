"""Job versions and runs."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.task import ErrorKind, RunKind, RunState, TaskState


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as the project file has it. Times are seconds since the epoch."""

    id: int
    job_id: int
    dataset_id: int
    kind: RunKind
    state: RunState
    cause: ErrorKind | None
    cause_message: str | None
    created_at: float
    started_at: float | None
    finished_at: float | None
    active_s: float
    job: Job
    cleaning: Mapping[str, Any] | None = None  # what its cleaning steps did, as they counted it
    forecast: Mapping[str, Any] | None = None  # what a preview promised of it
    pilot_run_id: int | None = None  # the pilot that it goes on from


_SELECT = (
    "SELECT run.id, run.job_id, run.dataset_id, run.kind, run.state, run.cause, run.cause_message,"
    " run.created_at, run.started_at, run.finished_at, run.active_s, job.definition,"
    " run.cleaning, run.forecast, run.pilot_run_id"
    " FROM run JOIN job ON job.id = run.job_id"
)


REPLACED_WITHIN_S = 600.0


def add_job(connection: sqlite3.Connection, job: Job, *, now: float | None = None) -> int:
    """The job's id: the newest version of that name if it has this very content, or another one.

    A newest version that no run used and that began less than ``REPLACED_WITHIN_S`` ago becomes
    this job, so that edits within minutes are one version; otherwise a new version is made. Going
    back to an earlier content is a new version too: the newest is what the person has now.

    Args:
        now: Epoch seconds; the clock's if None.
    """
    moment = time.time() if now is None else now
    content_hash, definition = job.content_hash(), job.model_dump_json()
    found = connection.execute(
        "SELECT id, content_hash, definition FROM job WHERE name = ? ORDER BY version DESC LIMIT 1",
        (job.name,),
    ).fetchone()
    # An older program's hash lacks the settings that it did not know; the job is the same.
    if found and (found[1] == content_hash or Job.model_validate_json(found[2]) == job):
        return int(found[0])
    if found and _may_be_replaced(connection, found[0], moment):
        connection.execute(
            "UPDATE job SET definition = ?, content_hash = ? WHERE id = ?",
            (definition, content_hash, found[0]),
        )
        return int(found[0])
    return int(
        connection.execute(
            "INSERT INTO job (name, version, definition, content_hash, created_at)"
            " SELECT ?, coalesce(max(version), 0) + 1, ?, ?, ? FROM job WHERE name = ?",
            (job.name, definition, content_hash, moment, job.name),
        ).lastrowid
        or 0
    )


def _may_be_replaced(connection: sqlite3.Connection, job_id: int, now: float) -> bool:
    """Whether a version is the newest of all jobs, young, and of no run."""
    found = connection.execute(
        "SELECT created_at FROM job WHERE id = ? AND id = (SELECT max(id) FROM job)"
        " AND NOT EXISTS (SELECT 1 FROM run WHERE job_id = job.id)",
        (job_id,),
    ).fetchone()
    return found is not None and 0 <= now - found[0] < REPLACED_WITHIN_S


@dataclass(frozen=True, slots=True)
class StoredJob:
    """One version of a job; ``created_at`` in epoch seconds."""

    id: int
    name: str
    version: int
    created_at: float
    job: Job


def jobs(connection: sqlite3.Connection) -> list[StoredJob]:
    """All job versions, the newest first."""
    found = connection.execute(
        "SELECT id, name, version, created_at, definition FROM job ORDER BY id DESC"
    )
    return [
        StoredJob(id_, name, version, created_at, Job.model_validate_json(definition))
        for id_, name, version, created_at, definition in found
    ]


def add_run(connection: sqlite3.Connection, *, job_id: int, dataset_id: int, kind: RunKind) -> int:
    """A new run without tasks, in state ``preparing`` until all of them are there."""
    return int(
        connection.execute(
            "INSERT INTO run (job_id, dataset_id, kind, state, created_at) VALUES (?, ?, ?, ?, ?)",
            (job_id, dataset_id, kind, RunState.PREPARING, time.time()),
        ).lastrowid
        or 0
    )


def add_job_run(connection: sqlite3.Connection, *, job: Job, dataset_id: int, kind: RunKind) -> int:
    """A new run of a job; in one step, so that no edit replaces the job's version in between."""
    job_id = add_job(connection, job)
    return add_run(connection, job_id=job_id, dataset_id=dataset_id, kind=kind)


def drop_run(connection: sqlite3.Connection, run_id: int) -> None:
    """Forget a run whose tasks could not all be made."""
    connection.execute("DELETE FROM cleaned WHERE run_id = ?", (run_id,))
    connection.execute("DELETE FROM task WHERE run_id = ?", (run_id,))
    connection.execute("DELETE FROM task_count WHERE run_id = ?", (run_id,))
    connection.execute("DELETE FROM run WHERE id = ?", (run_id,))


def run(connection: sqlite3.Connection, run_id: int) -> StoredRun | None:
    """One run by id."""
    found = connection.execute(f"{_SELECT} WHERE run.id = ?", (run_id,)).fetchone()
    return _run(found) if found else None


def runs(connection: sqlite3.Connection) -> list[StoredRun]:
    """All runs, the newest first."""
    return [_run(found) for found in connection.execute(f"{_SELECT} ORDER BY run.id DESC")]


def set_state(
    connection: sqlite3.Connection,
    run_id: int,
    state: RunState,
    *,
    cause: ErrorKind | None = None,
    cause_message: str | None = None,
) -> None:
    """Move a run to a state; the first start and the end are remembered with their times.

    A run does not end while it has open tasks: one that a reviewer put back in the last moment
    leaves it paused, to be resumed.
    """
    now = time.time()
    if state is RunState.FINISHED and any(s.is_open for s in counts(connection, run_id)):
        state = RunState.PAUSED
    connection.execute(
        "UPDATE run SET state = ?, cause = ?, cause_message = ?,"
        " started_at = CASE WHEN ? = 'running' THEN coalesce(started_at, ?) ELSE started_at END,"
        " finished_at = CASE WHEN ? = 'finished' THEN ? ELSE NULL END WHERE id = ?",
        (state, cause, cause_message, state, now, state, now, run_id),
    )


def note(
    connection: sqlite3.Connection,
    run_id: int,
    *,
    cleaning: Mapping[str, Any] | None = None,
    forecast: Mapping[str, Any] | None = None,
    pilot_run_id: int | None = None,
) -> None:
    """Keep with a run what was counted and promised when it was made; None: as it is."""
    values = [json.dumps(one, ensure_ascii=False) if one else None for one in (cleaning, forecast)]
    connection.execute(
        "UPDATE run SET cleaning = coalesce(?, cleaning), forecast = coalesce(?, forecast),"
        " pilot_run_id = coalesce(?, pilot_run_id) WHERE id = ?",
        (*values, pilot_run_id, run_id),
    )


def set_active(connection: sqlite3.Connection, run_id: int, active_s: float) -> None:
    """How long the run has been running, all sessions together."""
    connection.execute("UPDATE run SET active_s = ? WHERE id = ?", (active_s, run_id))


def next_batch(connection: sqlite3.Connection, run_id: int) -> int:
    """A new batch id for one refill of the buffer."""
    return int(
        connection.execute(
            "UPDATE run SET batches = batches + 1 WHERE id = ? RETURNING batches", (run_id,)
        ).fetchone()[0]
    )


def counts(connection: sqlite3.Connection, run_id: int) -> dict[TaskState, int]:
    """Tasks by state, from the counters."""
    found = connection.execute(
        "SELECT state, count FROM task_count WHERE run_id = ? AND count > 0", (run_id,)
    )
    return {TaskState(state): count for state, count in found}


def _run(found: tuple[Any, ...]) -> StoredRun:
    (id_, job_id, dataset_id, kind, state, cause, message, created, started, finished, active,
     definition, cleaning, forecast, pilot_run_id) = found  # fmt: skip
    return StoredRun(
        id=id_,
        job_id=job_id,
        dataset_id=dataset_id,
        kind=RunKind(kind),
        state=RunState(state),
        cause=ErrorKind(cause) if cause else None,
        cause_message=message,
        created_at=created,
        started_at=started,
        finished_at=finished,
        active_s=active,
        job=Job.model_validate_json(definition),
        cleaning=json.loads(cleaning) if cleaning else None,
        forecast=json.loads(forecast) if forecast else None,
        pilot_run_id=pilot_run_id,
    )
