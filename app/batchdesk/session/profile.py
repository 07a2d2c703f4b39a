"""Figures about a table for the Data page, and where its rows get too long for a job.

A table, and a job if there is one, come in; counts go out, with the two lines that the histogram
of lengths shows: what fits in the model's window, and from where rows go into the slow lane.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from batchdesk.domain.clean import LengthStep
from batchdesk.domain.job import Job
from batchdesk.engine.duration import SLOW_MEDIANS
from batchdesk.prepare.profile import Lengths, Profiler, TableFigures
from batchdesk.prepare.tokens import TokenCounter
from batchdesk.session.cleaning import Measure, budget_of
from batchdesk.session.planning import prepare
from batchdesk.store import rows
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset

Progress = Callable[[float], None]

_CHUNK_ROWS = 5000
_LOOKED_AT = 20_000  # rows in which values are counted


@dataclass(frozen=True, slots=True)
class TableProfile:
    """Figures about a table.

    Attributes:
        figures: Columns and lengths; ``tokens`` over the columns that the prompt uses, all of them
            without a job.
        off_by: Share by which token counts may be off: 0 where the model's encoding is known.
        instructions: Tokens of a request beside its row; 0 without a job.
        room: Tokens that a row may have to fit in the window; None: the window is not known.
        slow_from: Rows with more tokens go into the slow lane, until answers tell better.
    """

    figures: TableFigures
    off_by: float
    instructions: int = 0
    room: int | None = None
    slow_from: int | None = None


async def profile_table(
    project: Project, dataset: Dataset, job: Job | None, *, on_progress: Progress
) -> TableProfile:
    """Look at every row; a million take about a minute. Cancelling stops it.

    Raises:
        JobFileError: the job does not fit the table.
    """
    counted, instructions, room, counter = await asyncio.to_thread(_job_parts, job, dataset)
    profiler = Profiler(dataset.columns, counted=counted, count_many=counter.count_many, limit=room)
    after = looked_at = 0
    while page := await project.read(
        partial(rows.rows_after, dataset_id=dataset.id, after_id=after, count=_CHUNK_ROWS)
    ):
        after = page[-1].id
        await asyncio.to_thread(profiler.add, [(row.id, row.cells) for row in page])
        looked_at += len(page)
        on_progress(looked_at / max(1, dataset.row_count))
    figures = profiler.result()
    return TableProfile(
        figures=figures,
        off_by=counter.encoding.error,
        instructions=instructions,
        room=room,
        slow_from=_slow_from(figures.tokens, instructions) if figures.tokens else None,
    )


async def few_values(project: Project, dataset: Dataset, at_most: int) -> dict[str, int]:
    """Columns with two different values or more, up to a number, and how many each has.

    Looks at the first 20,000 rows. A blank cell is a value of its own.
    """
    seen: dict[str, set[str]] = {name: set() for name in dataset.columns}
    after = looked_at = 0
    while seen and looked_at < _LOOKED_AT:
        page = await project.read(
            partial(rows.rows_after, dataset_id=dataset.id, after_id=after, count=_CHUNK_ROWS)
        )
        if not page:
            break
        after = page[-1].id
        looked_at += len(page)
        for name, values in list(seen.items()):
            values.update((row.cells.get(name) or "").strip() for row in page)
            if len(values) > at_most:
                del seen[name]
    return {name: len(values) for name, values in seen.items() if len(values) > 1}


def _job_parts(
    job: Job | None, dataset: Dataset
) -> tuple[list[str], int, int | None, TokenCounter]:
    """(columns to count, tokens of the instructions, room for a row, counter)."""
    if job is None:
        return list(dataset.columns), 0, None, TokenCounter("")
    prepared = prepare(job, dataset.columns)
    builder, model = prepared.builder, prepared.choice.model
    used = [name for name in dataset.columns if name in builder.used]
    (instructions,) = Measure(builder, model)([dict.fromkeys(used, "")])
    steps = [one for one in job.clean if isinstance(one, LengthStep)]
    step = (steps[0] if steps else LengthStep(step="length")).model_copy(update={"over": "skip"})
    budget = budget_of(job, step)
    room = None if budget is None else max(0, budget - instructions)
    return used, instructions, room, TokenCounter(model)


def _slow_from(lengths: Lengths, instructions: int) -> int | None:
    """As the engine sorts rows into lanes while no answer has come."""
    count = sum(one.count for one in lengths.bins)
    if not count:
        return None
    passed = 0
    median = 0.0
    for one in lengths.bins:
        if passed + one.count >= count / 2:
            share = (count / 2 - passed) / one.count
            median = one.least + share * (one.most - one.least)
            break
        passed += one.count
    return round(SLOW_MEDIANS * (instructions + median) - instructions)
