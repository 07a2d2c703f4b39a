"""Reading what came out of a run: pages for the screen, rows for the export, totals, evaluation."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from batchdesk.domain.chat import Usage
from batchdesk.domain.labels import folded_label
from batchdesk.domain.task import ErrorKind, SkipReason, TaskState
from batchdesk.domain.verdict import Decision


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Which tasks of a run; empty means all.

    Attributes:
        text: Part of the row's key or cells, without regard to case (ASCII letters).
        label: (column, value) that the row has; compared like an evaluation does.
        answer: (field, value) that the current answer has; value None: no answer.
    """

    states: frozenset[TaskState] = frozenset()
    error_kinds: frozenset[ErrorKind] = frozenset()
    text: str = ""
    label: tuple[str, str] | None = None
    answer: tuple[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task with its row and its current answer. Tokens are summed over all attempts.

    Attributes:
        skip_detail: As in ``store.preparing.Planned.detail``.
        same_as: The key of the row that a duplicate equals.
    """

    id: int
    row_number: int
    row_key: str
    cells: Mapping[str, str | None]
    state: TaskState
    reason: str | None
    error_kind: ErrorKind | None
    error_message: str | None
    attempts: int
    answer: Any  # None where there is none
    confidence: float | None
    repaired: bool
    checks: Sequence[Mapping[str, Any]]
    input_tokens: int | None
    output_tokens: int | None
    decision: Decision | None = None  # the latest that was not undone
    note: str | None = None  # what the person wrote with that decision
    skip_detail: int | None = None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run has used so far, all sessions together.

    Attributes:
        succeeded: Requests that the service answered, usably or not.
        failures: Attempts without a usable answer, by kind.
    """

    requests: int = 0
    succeeded: int = 0
    reused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    failures: Mapping[ErrorKind, int] = field(default_factory=dict)


def task_ids(connection: sqlite3.Connection, run_id: int, wanted: TaskFilter) -> array[int]:
    """Ids of the run's tasks that match, in the order of the table."""
    values: list[Any] = []
    compared = []
    for document, pair in (("row.cells", wanted.label), ("result.answer", wanted.answer)):
        compared.append(_value_of(document) if pair is not None else "NULL")
        values += [pair[0]] if pair is not None else []
    conditions: list[str] = ["task.run_id = ?"]
    values.append(run_id)
    for column, members in (("state", wanted.states), ("error_kind", wanted.error_kinds)):
        if members:
            conditions.append(f"task.{column} IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(sorted(members)))
    if wanted.text:
        conditions.append("(instr(lower(row.key), lower(?)) OR instr(lower(row.cells), lower(?)))")
        values += [wanted.text, wanted.text]
    found = connection.execute(
        # LEFT: SQLite leaves out a joined table that nothing needs.
        f"SELECT task.id, {', '.join(compared)}"
        " FROM task LEFT JOIN row ON row.id = task.row_id"
        " LEFT JOIN result ON result.id = task.result_id"
        f" WHERE {' AND '.join(conditions)} ORDER BY task.id",
        values,
    )
    if wanted.label is None and wanted.answer is None:
        return array("q", (id_ for id_, _, _ in found))
    # Compared here, since SQLite folds the case of ASCII letters only.
    label = _folded(wanted.label[1]) if wanted.label else None
    answer = _folded(wanted.answer[1]) if wanted.answer else None
    return array(
        "q", (id_ for id_, has, said in found if (_folded(has), _folded(said)) == (label, answer))
    )


def _value_of(document: str) -> str:
    """SQL for the value of a named key (a parameter) of a JSON document.

    json_each gives true and false as 1 and 0, which an answer may also be; here they are words.
    """
    return (
        "(SELECT CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE value END"
        f" FROM json_each({document}) WHERE key = ?)"
    )


def _folded(value: Any) -> str | None:
    return None if value is None else folded_label(str(value))


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One attempt of a task with its raw exchange; ``started_at`` in epoch seconds."""

    number: int
    started_at: float
    queue_s: float
    service_s: float
    first_token_s: float | None
    error_kind: ErrorKind | None
    error_message: str | None
    http_status: int | None
    counted: bool
    input_tokens: int | None
    output_tokens: int | None
    request: str | None
    response: str | None


def attempts(connection: sqlite3.Connection, task_id: int) -> list[AttemptView]:
    """All attempts of a task, the newest first."""
    found = connection.execute(
        "SELECT number, started_at, queue_s, service_s, first_token_s, error_kind, error_message,"
        " http_status, counted, input_tokens, output_tokens, request, response"
        " FROM attempt LEFT JOIN exchange ON exchange.attempt_id = attempt.id"
        " WHERE task_id = ? ORDER BY attempt.id DESC",
        (task_id,),
    )
    return [
        AttemptView(
            number=number,
            started_at=started_at,
            queue_s=queue_s,
            service_s=service_s,
            first_token_s=first_token_s,
            error_kind=ErrorKind(kind) if kind else None,
            error_message=message,
            http_status=status,
            counted=bool(counted),
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            request=request,
            response=response,
        )
        for (number, started_at, queue_s, service_s, first_token_s, kind, message, status, counted,
             tokens_in, tokens_out, request, response) in found
    ]  # fmt: skip


_VIEW = (
    "SELECT task.id, row.number, row.key, row.cells, task.state, task.reason, task.error_kind,"
    " task.error_message, task.attempts, result.answer, result.confidence,"
    " coalesce(result.repaired, 0), coalesce(result.checks, '[]'),"
    " (SELECT sum(input_tokens) FROM attempt WHERE task_id = task.id),"
    " (SELECT sum(output_tokens) FROM attempt WHERE task_id = task.id),"
    " review.decision, review.note, task.skip_detail,"
    " CASE task.reason WHEN 'duplicate'"
    "  THEN (SELECT same.key FROM row AS same WHERE same.id = task.skip_detail) END"
    " FROM task JOIN row ON row.id = task.row_id LEFT JOIN result ON result.id = task.result_id"
    " LEFT JOIN review ON review.id ="
    "  (SELECT max(id) FROM review WHERE task_id = task.id AND undone_at IS NULL)"
)


def task_page(connection: sqlite3.Connection, ids: Sequence[int]) -> list[TaskView]:
    """The tasks with these ids, in the order of the ids; unknown ids are left out."""
    found = connection.execute(
        f"{_VIEW} WHERE task.id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
    )
    by_id = {row[0]: _view(row) for row in found}
    return [by_id[id_] for id_ in ids if id_ in by_id]


def tasks_after(
    connection: sqlite3.Connection, run_id: int, after_id: int, count: int
) -> list[TaskView]:
    """The run's next tasks by id, for reading all of them in order."""
    found = connection.execute(
        f"{_VIEW} WHERE task.run_id = ? AND task.id > ? ORDER BY task.id LIMIT ?",
        (run_id, after_id, count),
    )
    return [_view(row) for row in found]


def _view(row: tuple[Any, ...]) -> TaskView:
    (id_, number, key, cells, state, reason, kind, message, attempts, answer, confidence, repaired,
     checks, input_tokens, output_tokens, decision, note, skip_detail, same_as) = row  # fmt: skip
    return TaskView(
        id=id_,
        row_number=number,
        row_key=key,
        cells=json.loads(cells),
        state=TaskState(state),
        reason=reason,
        error_kind=ErrorKind(kind) if kind else None,
        error_message=message,
        attempts=attempts,
        answer=None if answer is None else json.loads(answer),
        confidence=confidence,
        repaired=bool(repaired),
        checks=json.loads(checks),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        decision=Decision(decision) if decision else None,
        note=note,
        skip_detail=skip_detail,
        same_as=same_as,
    )


@dataclass(frozen=True, slots=True)
class Spent:
    """What one attempt used; ``started_at`` in epoch seconds."""

    task_id: int
    started_at: float
    was_answered: bool
    usage: Usage


def spent(connection: sqlite3.Connection, task_ids: Sequence[int]) -> list[Spent]:
    """What every attempt of these tasks used."""
    found = connection.execute(
        "SELECT task_id, started_at, error_kind, input_tokens, output_tokens, cached_tokens,"
        " reasoning_tokens FROM attempt WHERE task_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(task_ids)),),
    )
    return [
        Spent(task_id, started_at, kind is None or ErrorKind(kind).is_of_answer, Usage(*tokens))
        for task_id, started_at, kind, *tokens in found
    ]


def answered_elsewhere(
    connection: sqlite3.Connection, run_id: int, views: Sequence[TaskView]
) -> dict[int, TaskView]:
    """Id of a skipped task → the task that has its answer, as it is now.

    A duplicate takes it from the row it equals, which may itself have been answered in the pilot
    or before the file was imported again.
    """
    wanted = {
        view.id: view.skip_detail
        for view in views
        if view.reason == SkipReason.DUPLICATE and view.skip_detail is not None
    }
    equal = {
        row_id: (task_id, reason, detail)
        for row_id, task_id, reason, detail in connection.execute(
            "SELECT row_id, id, reason, skip_detail FROM task WHERE run_id = ?"
            " AND row_id IN (SELECT value FROM json_each(?))",
            (run_id, json.dumps(sorted(set(wanted.values())))),
        )
    }
    found: dict[int, int] = {}
    for view in views:
        task_id, reason, detail = view.id, view.reason, view.skip_detail
        if view.id in wanted and wanted[view.id] in equal:
            task_id, reason, detail = equal[wanted[view.id]]
        if reason in (SkipReason.UNCHANGED, SkipReason.PILOT) and detail is not None:
            task_id = detail
        if task_id != view.id:
            found[view.id] = task_id
    by_id = {view.id: view for view in task_page(connection, sorted(set(found.values())))}
    return {id_: by_id[task_id] for id_, task_id in found.items() if task_id in by_id}


def runs_answering(connection: sqlite3.Connection, run_id: int) -> list[int]:
    """The run, and those that its unchanged rows and those of its pilot have their answers from."""
    found = connection.execute(
        "SELECT DISTINCT other.run_id FROM task JOIN task AS other ON other.id = task.skip_detail"
        " WHERE task.run_id = ? AND task.state = 'skipped'"
        " AND task.reason IN ('unchanged', 'pilot')",
        (run_id,),
    )
    return [run_id, *(int(id_) for (id_,) in found)]


def answer_fields(connection: sqlite3.Connection, run_id: int) -> list[str]:
    """The names of all fields that the run's current answers have, sorted."""
    found = connection.execute(
        "SELECT DISTINCT field.key FROM task JOIN result ON result.id = task.result_id"
        " JOIN json_each(result.answer) AS field"
        " WHERE task.run_id = ? AND task.state IN ('passed', 'review', 'accepted')"
        " AND json_type(result.answer) = 'object' ORDER BY 1",
        (run_id,),
    )
    return [str(key) for (key,) in found]


def totals(connection: sqlite3.Connection, run_id: int) -> Totals:
    """Requests, tokens and failures of a run, from the attempts themselves."""
    requests = succeeded = input_tokens = output_tokens = 0
    failures: dict[ErrorKind, int] = {}
    for kind, count, tokens_in, tokens_out in connection.execute(
        "SELECT attempt.error_kind, count(*), sum(input_tokens), sum(output_tokens)"
        " FROM attempt JOIN task ON task.id = attempt.task_id WHERE task.run_id = ?"
        " GROUP BY attempt.error_kind",
        (run_id,),
    ):
        requests += count
        input_tokens += tokens_in or 0
        output_tokens += tokens_out or 0
        if kind is None or ErrorKind(kind).is_of_answer:
            succeeded += count
        if kind is not None:
            failures[ErrorKind(kind)] = count
    (reused,) = connection.execute(
        "SELECT count(*) FROM task JOIN result ON result.id = task.result_id"
        " WHERE task.run_id = ? AND result.reused_result_id IS NOT NULL",
        (run_id,),
    ).fetchone()
    return Totals(requests, succeeded, reused, input_tokens, output_tokens, failures)


def dead_kinds(connection: sqlite3.Connection, run_id: int) -> dict[ErrorKind, int]:
    """Dead letters of a run by the kind of their last failure."""
    found = connection.execute(
        "SELECT error_kind, count(*) FROM task WHERE run_id = ? AND state = 'dead'"
        " GROUP BY error_kind",
        (run_id,),
    )
    return {ErrorKind(kind): count for kind, count in found}


def skip_reasons(connection: sqlite3.Connection, run_id: int) -> dict[SkipReason, int]:
    """Rows of a run that are not sent, by the reason."""
    found = connection.execute(
        "SELECT reason, count(*) FROM task WHERE run_id = ? AND state = 'skipped' GROUP BY reason",
        (run_id,),
    )
    return {SkipReason(reason): count for reason, count in found}


def waiting_elsewhere(connection: sqlite3.Connection, run_id: int) -> dict[int, int]:
    """Run id → how many unchanged rows, or rows of the pilot, wait there for review."""
    found = connection.execute(
        "SELECT other.run_id, count(*) FROM task JOIN task AS other ON other.id = task.skip_detail"
        " WHERE task.run_id = ? AND task.state = 'skipped'"
        " AND task.reason IN ('unchanged', 'pilot') AND other.state = 'review'"
        " GROUP BY other.run_id ORDER BY 1",
        (run_id,),
    )
    return {int(id_): count for id_, count in found}


def confusion(
    connection: sqlite3.Connection, run_id: int, *, label_column: str, answer_field: str
) -> dict[tuple[str, str | None, TaskState], int]:
    """How often each (label, answer, state) occurs among tasks that were not skipped.

    The answer is None where there is none. Names are compared as JSON keys, so any name works.
    """
    found = connection.execute(
        f"SELECT {_value_of('row.cells')}, {_value_of('result.answer')}, task.state, count(*)"
        " FROM task JOIN row ON row.id = task.row_id LEFT JOIN result ON result.id = task.result_id"
        " WHERE task.run_id = ? AND task.state <> 'skipped' GROUP BY 1, 2, 3",
        (label_column, answer_field, run_id),
    )
    return {
        (str(label or ""), None if answer is None else str(answer), TaskState(state)): count
        for label, answer, state, count in found
    }
