"""From a run to a table: the original columns, the answers, and what became of each row."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from batchdesk import tables
from batchdesk.domain.job import Job
from batchdesk.domain.task import SkipReason, TaskState
from batchdesk.errors import ProjectError, TableError
from batchdesk.prepare.masking import tokens_in, unmask_value
from batchdesk.session.costs import RowCosts
from batchdesk.session.importing import is_source_of
from batchdesk.store import preparing, results, rows
from batchdesk.store.project import Project
from batchdesk.store.results import TaskView
from batchdesk.store.rows import Dataset
from batchdesk.tables.typed import ColumnTypes, has_types

Page = list[tuple[int, dict[str, Any]]]  # number of the row, values by column

# Fixed names: the user's own columns never begin like these (the import sees to it).
_OWN_COLUMNS = (
    "batchdesk.row",
    "batchdesk.state",
    "batchdesk.reason",
    "batchdesk.decision",
    "batchdesk.attempts",
    "batchdesk.input_tokens",
    "batchdesk.output_tokens",
    "batchdesk.cost",
)
_HAS_ANSWER = frozenset({TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED})
_CHUNK_ROWS = 1000


def export_run(
    project: Project,
    run_id: int,
    job: Job,
    dataset: Dataset,
    target: Path,
    *,
    overwrite: bool,
    costs: RowCosts,
    unmask: bool = True,
) -> int:
    """Write a run's rows to a file; blocks, so call it in a thread. Returns how many rows.

    Works while the run goes on: it reads one state of the project file. A row that was skipped as
    a duplicate, as unchanged or as part of the pilot has the answer of the task that stands for it.

    Args:
        costs: What the run's rows cost.
        unmask: Whether what was masked stands in the answers again.

    Raises:
        TableError: the format is unknown, the file cannot be written, it is the table that the
            run's rows were read from, or it exists and is not to be overwritten.
        ProjectError: the target is the project file itself.
    """
    check_target(project, dataset, target, overwrite=overwrite)
    with project.frozen() as connection:
        columns, pages = exported_rows(connection, run_id, job, costs=costs, unmask=unmask)
        types = _types(connection, dataset, target)
        count = 0
        with tables.open_writer(target, [*dataset.columns, *columns]) as writer:
            for page in pages:
                written = [row for _, row in page]
                writer.write(written if types is None else [types.typed(row) for row in written])
                count += len(page)
        return count


def _types(connection: Any, dataset: Dataset, target: Path) -> ColumnTypes | None:
    """The types of the table's own columns, if it came from a file that had some."""
    if not has_types(str(dataset.format.get("name")), target):
        return None
    types = ColumnTypes(target, dataset.columns)
    after = 0
    while page := rows.rows_after(connection, dataset.id, after, _CHUNK_ROWS):
        after = page[-1].id
        for row in page:
            types.see(row.cells)
    return types


def exported_rows(
    connection: Any, run_id: int, job: Job, *, costs: RowCosts, unmask: bool
) -> tuple[list[str], Iterator[Page]]:
    """The columns that an export adds to the table's, and its rows in pages.

    A row is its number in the table and its values by column, the table's own among them.
    """
    whole = _whole_column(job)
    fields = _fields(connection, run_id, job, whole)

    def pages() -> Iterator[Page]:
        for page in _pages(connection, run_id):
            views = filled_in(connection, run_id, page)
            cost = costs.of(connection, [view.id for view in views])
            written = [_row(view, fields, whole, cost[view.id]) for view in views]
            if unmask:
                written = _unmasked(connection, written, fields)
            yield list(zip((view.row_number for view in views), written, strict=True))

    return [*(f"answer.{field}" for field in fields), *_OWN_COLUMNS], pages()


def _fields(connection: Any, run_id: int, job: Job, whole: str) -> list[str]:
    """The names of the answers' columns."""
    run_ids = results.runs_answering(connection, run_id)
    found = [name for one in run_ids for name in results.answer_fields(connection, one)]
    fields = _answer_fields(job, list(dict.fromkeys(found)))
    if whole not in fields and _may_lack_fields(job):
        views = (view for one in run_ids for page in _pages(connection, one) for view in page)
        if not fields or any(_is_whole(view) for view in views):
            fields.append(whole)
    return fields


def filled_in(connection: Any, run_id: int, page: list[TaskView]) -> list[TaskView]:
    """Skipped rows with the answer of the task that stands for them; they stay skipped.

    ``page`` has tasks of one run.
    """
    if not any(view.skip_detail is not None for view in page):
        return page
    elsewhere = results.answered_elsewhere(connection, run_id, page)
    return [
        replace(
            view,
            answer=other.answer,
            decision=other.decision,
            confidence=other.confidence,
            repaired=other.repaired,
        )
        if (other := elsewhere.get(view.id)) is not None and other.state in _HAS_ANSWER
        else view
        for view in page
    ]


def _unmasked(
    connection: Any, written: list[dict[str, Any]], fields: Sequence[str]
) -> list[dict[str, Any]]:
    """The answers with what their masks stand for."""
    names = [f"answer.{field}" for field in fields]
    tokens = tokens_in(json.dumps([[row.get(name) for name in names] for row in written]))
    if not tokens:
        return written
    known = preparing.masks(connection, tokens)
    return [
        {**row, **{name: unmask_value(row[name], known) for name in names if name in row}}
        for row in written
    ]


def check_target(project: Project, dataset: Dataset, target: Path, *, overwrite: bool) -> None:
    """Refuse a target whose writing would destroy something.

    Raises:
        TableError: it is the table that the rows were read from, or it exists and is not to be
            overwritten.
        ProjectError: it is the project file itself.
    """
    real = Path(os.path.realpath(target))  # what a link leads to is what would be replaced
    if _is_same_file(real, project.path):
        raise ProjectError("The export would overwrite the project file. Choose another name.")
    if is_source_of(target, dataset) or is_source_of(real, dataset):
        raise TableError(
            "{name} is the table that the rows were read from. Choose another name for the export.",
            name=target.name,
        )
    if not overwrite and target.exists():
        raise TableError(
            "{path} exists already. Choose another name, or add --force to overwrite it.",
            path=target,
        )


def _is_same_file(path: Path, other: Path) -> bool:
    """Whether both names lead to one file, in whatever spelling."""
    try:
        return path.samefile(other)
    except OSError:
        return False  # there is none yet


def _pages(connection: Any, run_id: int) -> Iterator[list[TaskView]]:
    after = 0
    while page := results.tasks_after(connection, run_id, after, _CHUNK_ROWS):
        yield page
        after = page[-1].id


def _answer_fields(job: Job, found: Sequence[str]) -> list[str]:
    """The schema's fields in its order, then any others that answers have."""
    known = list((job.stages[0].output or {}).get("properties", {}))
    return known + [field for field in found if field not in known]


def _whole_column(job: Job) -> str:
    """Where an answer goes that has no fields: plain text, or a JSON value that is no object."""
    return "text" if job.stages[0].output is None else "value"


def _may_lack_fields(job: Job) -> bool:
    schema = job.stages[0].output
    return schema is None or schema.get("type") != "object"


def _is_whole(view: TaskView) -> bool:
    return view.state in _HAS_ANSWER and not isinstance(view.answer, Mapping)


def _row(view: TaskView, fields: Sequence[str], whole: str, cost: float | None) -> dict[str, Any]:
    has_answer = view.state in _HAS_ANSWER or view.state is TaskState.SKIPPED
    answer = view.answer if has_answer else None
    if isinstance(answer, Mapping):
        answers = {f"answer.{field}": answer.get(field) for field in fields}
    else:
        answers = {f"answer.{whole}": answer} if whole in fields else {}
    return {
        **view.cells,
        **answers,
        "batchdesk.row": view.row_number,
        "batchdesk.state": view.state.value,
        "batchdesk.reason": reason_of(view),
        "batchdesk.decision": view.decision.value if view.decision else None,
        "batchdesk.attempts": view.attempts,
        "batchdesk.input_tokens": view.input_tokens,
        "batchdesk.output_tokens": view.output_tokens,
        "batchdesk.cost": cost,
    }


def reason_of(view: TaskView) -> str | None:
    """Why a row is where it is, in stable codes: ``confidence low: sentiment 0.41 < 0.6``.

    A rejection has the person's note, and an answer that a person accepted the findings it had.
    """
    if view.state is TaskState.SKIPPED:
        return _skip_reason(view)
    if view.state in (TaskState.DEAD, TaskState.WAITING) and view.error_kind is not None:
        return f"{view.error_kind}: {view.error_message or ''}".rstrip(": ")
    if view.state is TaskState.REJECTED:
        return f"rejected: {view.note}" if view.note else "rejected"
    found = "; ".join(_finding(check) for check in view.checks)
    if view.state is TaskState.ACCEPTED and found:
        return f"accepted despite {found}"
    if view.state is TaskState.REVIEW:
        return found or (view.error_kind.value if view.error_kind else None)
    return None


def _skip_reason(view: TaskView) -> str | None:
    """``duplicate of 17``, ``too long: 12345 tokens``; the others are the reason alone."""
    if view.reason == SkipReason.DUPLICATE and view.same_as is not None:
        return f"{view.reason} of {view.same_as}"
    if view.reason == SkipReason.TOO_LONG and view.skip_detail is not None:
        return f"too long: {view.skip_detail} tokens"
    return view.reason


def _finding(check: Mapping[str, Any]) -> str:
    detail = check.get("detail") or {}
    parts = [f"{check['check']} {check['code']}"]
    if check.get("path"):
        parts.append(str(check["path"]))
    if "at_least" in detail:
        parts.append(f"{detail['value']} < {detail['at_least']}")
    elif detail:
        parts.append(json.dumps(detail, ensure_ascii=False))
    return parts[0] + (": " + " ".join(parts[1:]) if len(parts) > 1 else "")
