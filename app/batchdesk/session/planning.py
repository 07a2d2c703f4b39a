"""From a job and a dataset to a run with its tasks: which rows are sent, which are skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from batchdesk.domain.job import Job
from batchdesk.domain.task import RunKind, RunState, SkipReason, TaskState
from batchdesk.errors import JobFileError
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.prepare.template import RowFilter, is_blank
from batchdesk.providers.abilities import check_abilities
from batchdesk.providers.connect import ProviderChoice, check_ready, choose
from batchdesk.quality.checks import Checker
from batchdesk.session.keys import look_up_key
from batchdesk.store import rows, runs
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset, StoredRow

_CHUNK_ROWS = 5000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A job that fits a table: its parts, made and checked before anything is sent."""

    choice: ProviderChoice
    builder: PromptBuilder
    checker: Checker
    where: RowFilter | None


def prepare(job: Job, columns: Sequence[str]) -> Prepared:
    """Check a job against a table's columns.

    Raises:
        JobFileError: a template, filter, label, schema, check or provider that cannot be used.
    """
    stage = job.stages[0]
    choice = choose(job.provider)
    check_abilities(stage, choice.preset.title, choice.capabilities)
    echo = _echoes_key(job, choice)
    if job.data.label is not None and job.data.label not in columns:
        raise JobFileError(
            "The table has no column {label!r} to compare answers with. It has: {columns}.",
            label=job.data.label,
            columns=", ".join(columns[:12]),
        )
    return Prepared(
        choice=choice,
        builder=PromptBuilder(job, columns, model=choice.model, echo_key=echo),
        checker=Checker(stage, echo_key=echo),
        where=RowFilter(job.data.where, columns) if job.data.where.strip() else None,
    )


def _echoes_key(job: Job, choice: ProviderChoice) -> bool:
    """Whether answers name their row: as the stage says, else where it works."""
    stage = job.stages[0]
    is_object = stage.output is not None and stage.output.get("type", "object") == "object"
    if stage.echo_key is None:
        return is_object and choice.capabilities.echo_key
    if stage.echo_key and not is_object:
        raise JobFileError(
            "Stage {stage!r} wants echo_key, which needs an output of type object.",
            stage=stage.name,
        )
    return stage.echo_key


@dataclass(frozen=True, slots=True)
class RowCount:
    """How many rows of a table a job sends, and how many it leaves out and why."""

    sent: int
    filtered: int
    empty: int


async def count_rows(project: Project, job: Job, dataset: Dataset) -> RowCount:
    """Count what a full run would send; cancelling stops it after a few thousand rows.

    Raises:
        JobFileError: the job does not fit the table, or its filter fails for a row.
    """
    prepared = prepare(job, dataset.columns)
    after, found = 0, Counter[SkipReason | None]()
    while True:
        count = partial(
            rows.tally_after,
            dataset_id=dataset.id,
            after_id=after,
            count=_CHUNK_ROWS,
            kind=lambda row: _skip_reason(row, prepared),
        )
        last, reasons = await project.read(count)
        if last is None:
            break
        after = last
        found.update(reasons)
    return RowCount(found[None], found[SkipReason.FILTERED], found[SkipReason.EMPTY])


async def make_run(
    project: Project, job: Job, dataset: Dataset, *, kind: RunKind, limit: int | None
) -> int:
    """A run with a task for every row; rows that are not sent are skipped with the reason.

    Args:
        limit: At most so many rows are sent (the first ones); later rows get no task.

    Raises:
        JobFileError: the job does not fit the table.
        UserError: the provider could not be asked: its key is missing, for example.
    """
    prepared = prepare(job, dataset.columns)
    await check_ready(prepared.choice, look_up_key)  # or a run would be left that never began
    run_id = await project.writer.run(
        partial(runs.add_job_run, job=job, dataset_id=dataset.id, kind=kind)
    )
    try:
        await _add_tasks(project, run_id, dataset.id, prepared, limit)
    except BaseException:
        await project.writer.run(partial(runs.drop_run, run_id=run_id))
        raise
    await project.writer.run(partial(runs.set_state, run_id=run_id, state=RunState.READY))
    return run_id


async def _add_tasks(
    project: Project, run_id: int, dataset_id: int, prepared: Prepared, limit: int | None
) -> None:
    after, room = 0, limit
    while room is None or room > 0:
        page = await project.read(
            partial(rows.rows_after, dataset_id=dataset_id, after_id=after, count=_CHUNK_ROWS)
        )
        if not page:
            return
        after = page[-1].id
        planned = []
        for row in page:
            if room == 0:
                break
            reason = _skip_reason(row, prepared)
            state = TaskState.PENDING if reason is None else TaskState.SKIPPED
            planned.append((row.id, state, reason))
            if room is not None and reason is None:
                room -= 1
        await project.writer.run(partial(runs.add_tasks, run_id=run_id, tasks=planned))


def _skip_reason(row: StoredRow, prepared: Prepared) -> SkipReason | None:
    if prepared.where is not None and not prepared.where.matches(row.cells):
        return SkipReason.FILTERED
    return SkipReason.EMPTY if is_blank(row.cells, prepared.builder.used) else None
