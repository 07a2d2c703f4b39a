"""Decisions of people about answers. Each is a row of its own; the model's answer stays."""

from __future__ import annotations

import json
import sqlite3
from array import array
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.task import RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.store.runs import counts

STATE_AFTER = {
    Decision.ACCEPTED: TaskState.ACCEPTED,
    Decision.EDITED: TaskState.ACCEPTED,
    Decision.REJECTED: TaskState.REJECTED,
    Decision.RERUN: TaskState.PENDING,
}


@dataclass(frozen=True, slots=True)
class Review:
    """One decision that stands or was undone.

    Attributes:
        seconds: How long the person had the item before them.
        decided_at: Epoch seconds.
        before: The answer that was decided about; None if there was none.
        after: The answer as it is now.
    """

    id: int
    task_id: int
    row_key: str
    decision: Decision
    note: str | None
    reviewer: str
    seconds: float
    decided_at: float
    undone: bool
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How far the review of a run is, in rows; each counts by its latest decision that stands.

    Attributes:
        decided: Rows with a decision that do not wait (again); dead letters that are asked again
            never waited for a review.
        mean_seconds: Per decision about a single row; None before the first.
    """

    waiting: int
    decided: int
    accepted: int
    rejected: int
    mean_seconds: float | None


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which tasks the queue shows.

    Attributes:
        reason: ``check/code`` of the first finding, such as ``confidence/low``; None for all.
        dead: Dead letters instead of doubtful answers.
        text: Part of the row's key or cells, without regard to case (ASCII letters).
        by_confidence: The least confident first instead of the order of the table.
    """

    reason: str | None = None
    dead: bool = False
    text: str = ""
    by_confidence: bool = False


def queue(connection: sqlite3.Connection, run_id: int, wanted: QueueFilter) -> array[int]:
    """Ids of the tasks that wait for a person."""
    conditions = ["task.run_id = ?", "task.state = ?"]
    values: list[Any] = [run_id, TaskState.DEAD if wanted.dead else TaskState.REVIEW]
    if wanted.reason is not None:
        conditions.append(f"{_REASON} = ?")
        values.append(wanted.reason)
    if wanted.text:
        conditions.append(_HAS_TEXT)
        values += [wanted.text, wanted.text]
    order = "result.confidence IS NULL, result.confidence, task.id"
    found = connection.execute(
        "SELECT task.id FROM task JOIN row ON row.id = task.row_id"
        " LEFT JOIN result ON result.id = task.result_id"
        f" WHERE {' AND '.join(conditions)}"
        f" ORDER BY {order if wanted.by_confidence else 'task.id'}",
        values,
    )
    return array("q", (id_ for (id_,) in found))


# In the cells one by one: their JSON also has the names of the columns, and escapes.
_HAS_TEXT = (
    "(instr(lower(row.key), lower(?)) OR EXISTS (SELECT 1 FROM json_each(row.cells) AS cell"
    " WHERE instr(lower(cell.value), lower(?))))"
)
# Why a task waits: its first finding, else the kind of its last error.
_REASON = (
    "coalesce(json_extract(result.checks, '$[0].check') || '/' ||"
    " json_extract(result.checks, '$[0].code'), 'error/' || task.error_kind, 'other/other')"
)


def reasons(connection: sqlite3.Connection, run_id: int) -> list[tuple[str, int]]:
    """(``check/code``, how many wait for it), the most frequent first."""
    return connection.execute(
        f"SELECT {_REASON}, count(*) FROM task LEFT JOIN result ON result.id = task.result_id"
        " WHERE task.run_id = ? AND task.state = 'review' GROUP BY 1 ORDER BY 2 DESC, 1",
        (run_id,),
    ).fetchall()


# What a rerun changes of a task, for undoing it; ``attempts`` tells whether it was sent since.
KEPT = (
    *("content_try", "tries", "note", "error_kind", "error_message", "first_sent_s"),
    "attempts",
)


def decide(
    connection: sqlite3.Connection,
    *,
    task_id: int,
    decision: Decision,
    answer: str | None,
    note: str | None,
    reviewer: str,
    seconds: float,
    at: float,
) -> int | None:
    """Write a decision and move the task; returns its id, None if the task no longer waits.

    Args:
        answer: The edited answer as JSON; only for EDITED.
        note: Why it was rejected, or what the model is told when it is asked again.
    """
    found = connection.execute(
        f"SELECT run_id, task.state, result_id, finished_at, {', '.join(KEPT)}"
        " FROM task JOIN run ON run.id = run_id WHERE task.id = ?"
        " AND task.state IN ('review', 'dead', 'passed', 'accepted', 'rejected')",
        (task_id,),
    ).fetchone()
    if found is None:
        return None
    run_id, state, result_id, finished_at, *kept = found
    before = json.dumps({"finished_at": finished_at, **dict(zip(KEPT, kept, strict=True))})
    after_result_id = result_id
    if decision is Decision.EDITED:
        after_result_id = connection.execute(
            "INSERT INTO result (task_id, attempt_id, verdict, answer, confidence, repaired,"
            " checks, created_at) VALUES (?, NULL, 'passed', ?, NULL, 0, '[]', ?)",
            (task_id, answer, at),
        ).lastrowid
    review_id = connection.execute(
        "INSERT INTO review (task_id, decision, before_state, before_result_id, before_task,"
        " after_result_id, note, reviewer, seconds, decided_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (task_id, decision, state, result_id, before, after_result_id, note, reviewer, seconds, at),
    ).lastrowid  # fmt: skip
    connection.execute(
        "UPDATE task SET state = ?, result_id = ? WHERE id = ?",
        (STATE_AFTER[decision], after_result_id, task_id),
    )
    if decision is Decision.RERUN:
        connection.execute(
            "UPDATE task SET content_try = content_try + 1, tries = 0, note = ?,"
            " error_kind = NULL, error_message = NULL, first_sent_s = NULL WHERE id = ?",
            (note, task_id),
        )
        connection.execute(
            "UPDATE run SET state = ?, finished_at = NULL WHERE id = ? AND state = 'finished'",
            (RunState.PAUSED, run_id),
        )
    return review_id


def undo(connection: sqlite3.Connection, review_id: int, at: float) -> bool:
    """Take a decision back, with what it did to the task and to its run.

    Returns False if the task has moved on since: it was sent again, or decided about again.
    """
    taken = take_back(connection, review_id, at)
    if taken is not None:
        finish_again(connection, taken)
    return taken is not None


def take_back(connection: sqlite3.Connection, review_id: int, at: float) -> int | None:
    """``undo`` but for the run, see ``finish_again``; returns the task's id, or None."""
    found = connection.execute(
        "SELECT task_id, decision, before_state, before_result_id, before_task, after_result_id"
        " FROM review WHERE id = ? AND undone_at IS NULL AND NOT EXISTS (SELECT 1 FROM review"
        " AS later WHERE later.task_id = review.task_id AND later.id > review.id"
        " AND later.undone_at IS NULL)",
        (review_id,),
    ).fetchone()
    if found is None:
        return None
    task_id, decision, before_state, before_result_id, before_task, after_result_id = found
    before = json.loads(before_task)
    moved = connection.execute(
        "UPDATE task SET state = ?, result_id = ?, content_try = ?, tries = ?, note = ?,"
        " error_kind = ?, error_message = ?, first_sent_s = ?"
        " WHERE id = ? AND state = ? AND result_id IS ? AND attempts = ?",
        (before_state, before_result_id, before["content_try"], before["tries"], before["note"],
         before["error_kind"], before["error_message"], before["first_sent_s"],
         task_id, STATE_AFTER[Decision(decision)], after_result_id, before["attempts"]),
    ).rowcount  # fmt: skip
    if not moved:
        return None
    connection.execute("UPDATE review SET undone_at = ? WHERE id = ?", (at, review_id))
    return int(task_id)


def finish_again(connection: sqlite3.Connection, task_id: int) -> None:
    """The run that reruns opened again has finished after all, if nothing of it is open."""
    (run_id,) = connection.execute("SELECT run_id FROM task WHERE id = ?", (task_id,)).fetchone()
    if any(state.is_open for state in counts(connection, run_id)):
        return
    (finished_at,) = connection.execute(
        "SELECT max(json_extract(before_task, '$.finished_at')) FROM review"
        " JOIN task ON task.id = review.task_id WHERE task.run_id = ?",
        (run_id,),
    ).fetchone()
    if finished_at is not None:
        connection.execute(
            "UPDATE run SET state = 'finished', finished_at = ?"
            " WHERE id = ? AND state IN ('paused', 'stopped') AND cause IS NULL",
            (finished_at, run_id),
        )


@dataclass(frozen=True, slots=True)
class Move:
    """A task of a run, or several at once, went from one state to another by a decision."""

    run_id: int
    before: TaskState
    after: TaskState
    count: int = 1


def move_of(connection: sqlite3.Connection, review_id: int) -> Move:
    """What a decision did to its task's state."""
    run_id, before, decision = connection.execute(
        "SELECT run_id, before_state, decision FROM review JOIN task ON task.id = review.task_id"
        " WHERE review.id = ?",
        (review_id,),
    ).fetchone()
    return Move(run_id, TaskState(before), STATE_AFTER[Decision(decision)])


def of_task(connection: sqlite3.Connection, task_id: int) -> list[Review]:
    """All decisions about one task, the newest first."""
    return _reviews(connection, "review.task_id = ? ORDER BY review.id DESC", task_id)


def latest(connection: sqlite3.Connection, run_id: int) -> Review | None:
    """The newest decision of a run that can be taken back, by whomever; None if there is none."""
    found = _reviews(connection, f"{_CAN_BE_UNDONE} ORDER BY review.id DESC LIMIT 1", run_id)
    return found[0] if found else None


# It stands, and its task is still as the decision left it.
_CAN_BE_UNDONE = (
    "task.run_id = ? AND undone_at IS NULL AND task.result_id IS after_result_id"
    " AND task.attempts = json_extract(before_task, '$.attempts') AND task.state ="
    " CASE decision WHEN 'rejected' THEN 'rejected' WHEN 'rerun' THEN 'pending' ELSE 'accepted' END"
)


def _reviews(connection: sqlite3.Connection, condition: str, value: int) -> list[Review]:
    found = connection.execute(
        "SELECT review.id, review.task_id, row.key, decision, review.note, reviewer, seconds,"
        " decided_at, undone_at IS NOT NULL, b.answer, a.answer FROM review"
        " JOIN task ON task.id = review.task_id JOIN row ON row.id = task.row_id"
        " LEFT JOIN result AS b ON b.id = before_result_id"
        " LEFT JOIN result AS a ON a.id = after_result_id"
        f" WHERE {condition}",
        (value,),
    )
    return [
        Review(
            id=id_,
            task_id=task,
            row_key=key,
            decision=Decision(decision),
            note=note,
            reviewer=reviewer,
            seconds=seconds,
            decided_at=at,
            undone=bool(undone),
            before=None if before is None else json.loads(before),
            after=None if after is None else json.loads(after),
        )
        for id_, task, key, decision, note, reviewer, seconds, at, undone, before, after in found
    ]


def progress(connection: sqlite3.Connection, run_id: int) -> ReviewProgress:
    """How many wait and how many are decided (undone decisions do not count)."""
    (waiting,) = connection.execute(
        "SELECT coalesce(sum(count), 0) FROM task_count WHERE run_id = ? AND state = 'review'",
        (run_id,),
    ).fetchone()
    decided, accepted, rejected = connection.execute(
        "SELECT count(*), coalesce(sum(decision IN ('accepted', 'edited')), 0),"
        " coalesce(sum(decision = 'rejected'), 0)"
        f" FROM review {_OF_RUN} AND task.state <> 'review'"
        " AND NOT (decision = 'rerun' AND before_state = 'dead') AND review.id ="
        " (SELECT max(id) FROM review WHERE task_id = task.id AND undone_at IS NULL)",
        (run_id,),
    ).fetchone()
    (mean,) = connection.execute(  # a decision about many at once has no time of its own
        f"SELECT avg(nullif(seconds, 0)) FROM review {_OF_RUN}", (run_id,)
    ).fetchone()
    return ReviewProgress(waiting, decided, accepted, rejected, mean)


# The run's decisions that stand.
_OF_RUN = "JOIN task ON task.id = review.task_id WHERE task.run_id = ? AND undone_at IS NULL"
