"""From a job and a dataset to a run with its tasks: which rows are sent, which are skipped."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from functools import partial

from batchdesk.domain.job import Job, Stage
from batchdesk.domain.task import RunKind, RunState, SkipReason
from batchdesk.errors import JobFileError
from batchdesk.prepare.cleaning import CleanedRow, Cleaner, StepReport
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.prepare.template import RowFilter, is_blank
from batchdesk.providers.abilities import check_abilities
from batchdesk.providers.connect import ProviderChoice, check_ready, choose
from batchdesk.quality.checks import Checker
from batchdesk.session.cleaning import kept, make_cleaner
from batchdesk.session.keys import look_up_key
from batchdesk.session.minutes import MinuteOfTokens
from batchdesk.store import preparing, rows, runs
from batchdesk.store.preparing import Planned
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
    echo_key: bool


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
        echo_key=echo,
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


def reuses_answers(stage: Stage) -> bool:
    """Whether pilots and full runs may take an earlier answer to the same question."""
    return stage.temperature == 0 and stage.n == 1


@dataclass(frozen=True, slots=True)
class RowCount:
    """How many rows of a table a job sends, and how many it leaves out and why."""

    sent: int
    filtered: int
    empty: int
    duplicate: int = 0
    too_long: int = 0
    unchanged: int = 0  # answered before a newer file was read in, and alike since

    @property
    def total(self) -> int:
        """All rows that were looked at."""
        left_out = self.filtered + self.empty + self.duplicate + self.too_long + self.unchanged
        return self.sent + left_out


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row as a run would have it.

    Attributes:
        cells: As cleaning made them.
        size: Bytes of the columns that the prompt uses.
    """

    row: StoredRow
    cells: Mapping[str, str | None]
    plan: Planned
    size: int

    @property
    def is_sent(self) -> bool:
        """Whether the run sends it."""
        return self.plan.reason is None


class Planner:
    """Says of the rows of a table, in their order, which a run sends and as what. Blocks."""

    def __init__(self, job: Job, prepared: Prepared, cleaner: Cleaner | None) -> None:
        self.job = job
        self.prepared = prepared
        self._cleaner = cleaner

    def conclude(self) -> Sequence[StepReport]:
        """What the cleaning steps did, once all rows were planned; takes seconds."""
        return () if self._cleaner is None else self._cleaner.conclude()

    def plan(self, page: Sequence[StoredRow]) -> list[PlannedRow]:
        """What becomes of the next rows.

        Raises:
            UserError: the job's filter or a pattern of its masks fails for a row.
        """
        where = self.prepared.where
        wanted = [row for row in page if where is None or where.matches(row.cells)]
        cleaned = {row.id: row for row in self._cleaned(wanted)}
        return [self._planned(row, cleaned.get(row.id)) for row in page]

    def new_masks(self) -> dict[str, str]:
        """Token to value of what was masked for the first time since the last call."""
        masker = None if self._cleaner is None else self._cleaner.masker
        return {} if masker is None else masker.new()

    def _cleaned(self, rows: Sequence[StoredRow]) -> Iterable[CleanedRow]:
        if self._cleaner is None:
            return (CleanedRow(row.id, row.cells, {}) for row in rows)
        return self._cleaner.clean((row.id, row.cells) for row in rows)

    def _planned(self, row: StoredRow, cleaned: CleanedRow | None) -> PlannedRow:
        if cleaned is None:
            return PlannedRow(row, row.cells, Planned(row.id, SkipReason.FILTERED), 0)
        used = self.prepared.builder.used
        skip, reason, detail = cleaned.skip, None, None
        if skip is not None:
            reason, detail = SkipReason(skip.reason), skip.tokens if skip.of is None else skip.of
        elif is_blank(cleaned.cells, used):
            reason = SkipReason.EMPTY
        size = sum(len((cleaned.cells.get(name) or "").encode()) for name in used)
        plan = Planned(row.id, reason, detail, dict(cleaned.changed) or None)
        return PlannedRow(row, cleaned.cells, plan, size)


async def make_planner(project: Project, job: Job, dataset: Dataset) -> Planner:
    """A planner for one pass over the table.

    Raises:
        JobFileError: the job does not fit the table.
    """
    prepared = prepare(job, dataset.columns)
    model = prepared.choice.model
    cleaner = await make_cleaner(project, job, prepared.builder, dataset.columns, model=model)
    return Planner(job, prepared, cleaner)


async def planned_rows(
    project: Project, planner: Planner, dataset: Dataset
) -> AsyncIterator[list[PlannedRow]]:
    """All rows of a table by pages; leaving the loop early, or cancelling, stops the reading."""
    after = 0
    while page := await project.read(
        partial(rows.rows_after, dataset_id=dataset.id, after_id=after, count=_CHUNK_ROWS)
    ):
        after = page[-1].id
        yield await asyncio.to_thread(planner.plan, page)


async def count_rows(project: Project, job: Job, dataset: Dataset) -> RowCount:
    """Count what a full run would send; cancelling stops it after a few thousand rows.

    Raises:
        JobFileError: the job does not fit the table, or its filter fails for a row.
    """
    planner = await make_planner(project, job, dataset)
    return (await try_cleaning(project, planner, dataset))[0]


async def try_cleaning(
    project: Project, planner: Planner, dataset: Dataset, at_most: int | None = None
) -> tuple[RowCount, Sequence[StepReport]]:
    """Count rows and see what the cleaning steps do, without keeping anything.

    Args:
        at_most: Look at the first so many rows only.
    """
    found: Counter[SkipReason | None] = Counter()
    async for page in planned_rows(project, planner, dataset):
        left = None if at_most is None else at_most - found.total()
        plans = await without_answered(project, dataset, planner, page[:left], None)
        found.update(one.reason for one in plans)
        if at_most is not None and found.total() >= at_most:
            break
    count = RowCount(
        sent=found[None],
        filtered=found[SkipReason.FILTERED],
        empty=found[SkipReason.EMPTY],
        duplicate=found[SkipReason.DUPLICATE],
        too_long=found[SkipReason.TOO_LONG],
        unchanged=found[SkipReason.UNCHANGED],
    )
    return count, await asyncio.to_thread(planner.conclude)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows a run is made of, and what is kept with it.

    Attributes:
        limit: At most so many rows are sent (the first ones); later rows get no task.
        only: Only these rows, by id, of those that would be sent; others get no task.
        pilot_run_id: The pilot that the run goes on from; what it answered is not sent again.
    """

    limit: int | None = None
    only: Collection[int] | None = None
    pilot_run_id: int | None = None


ALL_ROWS = Wanted()


async def make_run(
    project: Project, job: Job, dataset: Dataset, *, kind: RunKind, wanted: Wanted = ALL_ROWS
) -> int:
    """A run with a task for every row; rows that are not sent are skipped with the reason.

    Raises:
        JobFileError: the job does not fit the table.
        UserError: the provider could not be asked: its key is missing, for example.
    """
    planner = await make_planner(project, job, dataset)

    async def add(run_id: int) -> None:
        over_minute = await _add_tasks(project, run_id, dataset, planner, wanted)
        reports = await asyncio.to_thread(planner.conclude)
        note = partial(
            runs.note,
            run_id=run_id,
            cleaning=kept(reports, over_minute),
            pilot_run_id=wanted.pilot_run_id,
        )
        await project.writer.run(note)

    return await _made(project, planner, dataset, kind, add)


async def make_run_of(
    project: Project,
    planner: Planner,
    dataset: Dataset,
    kind: RunKind,
    plans: Sequence[Planned],
    *,
    masks: Mapping[str, str],
) -> int:
    """A run of rows that were planned already; ``masks`` are new ones in them.

    Raises:
        UserError: the provider could not be asked.
    """

    async def add(run_id: int) -> None:
        write = partial(preparing.add_planned, run_id=run_id, planned=plans, masks=masks)
        await project.writer.run(write)

    return await _made(project, planner, dataset, kind, add)


async def _made(
    project: Project,
    planner: Planner,
    dataset: Dataset,
    kind: RunKind,
    add: Callable[[int], Awaitable[None]],
) -> int:
    """A run whose tasks are added by ``add``; nothing of it stays where that fails."""
    # Before, or a run would be left that never began.
    await check_ready(planner.prepared.choice, look_up_key)
    run_id = await project.writer.run(
        partial(runs.add_job_run, job=planner.job, dataset_id=dataset.id, kind=kind)
    )
    try:
        await add(run_id)
    except BaseException:
        await project.writer.run(partial(runs.drop_run, run_id=run_id))
        raise
    await project.writer.run(partial(runs.set_state, run_id=run_id, state=RunState.READY))
    return run_id


async def _add_tasks(
    project: Project,
    run_id: int,
    dataset: Dataset,
    planner: Planner,
    wanted: Wanted,
) -> int:
    """Add them; returns how many rows need more tokens than may be used in a minute."""
    room, over_minute = wanted.limit, 0
    minute = MinuteOfTokens(planner.job, planner.prepared.builder)
    async for page in planned_rows(project, planner, dataset):
        chosen = _within(page, room) if wanted.only is None else _only(page, wanted.only)
        if room is not None:
            room -= sum(one.is_sent for one in chosen)
        plans = await without_answered(project, dataset, planner, chosen, wanted.pilot_run_id)
        write = partial(
            preparing.add_planned, run_id=run_id, planned=plans, masks=planner.new_masks()
        )
        await project.writer.run(write)
        sent = (one.size for one, plan in zip(chosen, plans, strict=True) if plan.reason is None)
        over_minute += minute.larger(sent)
        if room == 0:
            break
    return over_minute


def _within(page: list[PlannedRow], room: int | None) -> list[PlannedRow]:
    """The rows up to the one that fills the room."""
    if room is None:
        return page
    sent = 0
    for index, one in enumerate(page):
        if sent == room:
            return page[:index]
        sent += one.is_sent
    return page


def _only(page: list[PlannedRow], ids: Collection[int]) -> list[PlannedRow]:
    return [one for one in page if one.is_sent and one.row.id in ids]


async def without_answered(
    project: Project,
    dataset: Dataset,
    planner: Planner,
    page: list[PlannedRow],
    pilot_run_id: int | None,
) -> list[Planned]:
    """The plans of a page, in which rows that were answered already are not sent.

    Those are rows that the pilot answered, and rows that did not change since an earlier import.
    """
    sent = [one for one in page if one.is_sent]
    builder = planner.prepared.builder
    answered: dict[int, tuple[SkipReason, int]] = {}
    if sent and dataset.earlier_id is not None:
        versions = {one.row.id: builder.input_version(one.cells) for one in sent}
        alike = await project.read(partial(preparing.answered_alike, versions=versions))
        answered |= {row: (SkipReason.UNCHANGED, task) for row, task in alike.items()}
    if sent and pilot_run_id is not None:
        ids = [one.row.id for one in sent]
        of_pilot = partial(preparing.answered_in, run_id=pilot_run_id, row_ids=ids)
        found = await project.read(of_pilot)
        answered |= {row: (SkipReason.PILOT, task) for row, task in found.items()}
    return [
        Planned(one.row.id, *answered[one.row.id]) if one.row.id in answered else one.plan
        for one in page
    ]
