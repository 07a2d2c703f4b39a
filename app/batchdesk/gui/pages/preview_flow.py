"""What the Preview page asks of the Session: previews made and read, pilots and what they left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from batchdesk.domain.job import Job
from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.session import Dataset, RunSummary, Session, StoredJob, TaskView
from batchdesk.session.pilot import Compared
from batchdesk.session.preview import Preview
from batchdesk.session.sampling import Choice

MOST_KINDS = 50  # values of a column that tried rows are spread over
_AT_REST = frozenset({RunState.PAUSED, RunState.STOPPED, RunState.FINISHED})


@dataclass(frozen=True, slots=True)
class Shown:
    """A preview with the tasks of both of its runs, and the job that was tried."""

    preview: Preview
    job: Job
    first: Sequence[TaskView]
    second: Sequence[TaskView]


async def begin(
    session: Session, *, job: Job, dataset: Dataset, choice: Choice
) -> tuple[int, StoredJob]:
    """Save the job, make a preview and start both of its runs; its id, and the job's version."""
    made = await session.make_preview(job, dataset, choice)
    stored = await session.save_job(job)
    await session.start(made.first_run_id)
    await session.start(made.second_run_id)
    return made.id, stored


async def read(session: Session, *, preview_id: int) -> Shown:
    """A preview as it stands now."""
    return await _shown(session, await session.preview(preview_id))


async def read_latest(session: Session, *, run_id: int) -> Shown | None:
    """The newest preview of the same job and table as a run's."""
    found = await session.latest_preview(run_id)
    return await _shown(session, found) if found is not None else None


async def refresh(session: Session, *, preview_id: int) -> Shown:
    """The same with a promise of what all rows will take now, after some were answered."""
    await session.refresh_promise(preview_id)
    return await read(session, preview_id=preview_id)


def answered_since(runs: Sequence[RunSummary], preview: Preview) -> tuple[tuple[int, int], ...]:
    """Runs made after a preview that are not going on, each with how many rows passed in it."""
    return tuple(
        (one.run.id, one.counts.get(TaskState.PASSED, 0))
        for one in runs
        if one.run.id > preview.second_run_id
        and one.run.kind is not RunKind.PREVIEW
        and one.run.state in _AT_REST
    )


async def few_values(session: Session, *, dataset_id: int) -> dict[str, int]:
    """Columns that tried rows can be spread over, with the number of their values."""
    return await session.few_values(dataset_id, MOST_KINDS)


async def _shown(session: Session, preview: Preview) -> Shown:
    run = await session.run(preview.first_run_id)
    tasks = await asyncio.gather(
        *(_tasks(session, run_id) for run_id in (preview.first_run_id, preview.second_run_id))
    )
    return Shown(preview, run.job, *tasks)


async def _tasks(session: Session, run_id: int) -> list[TaskView]:
    ids = await session.task_ids(run_id)
    found = {one.id: one for one in await session.task_page(ids)}
    return [found[id_] for id_ in ids if id_ in found]


async def start_pilot(session: Session, *, job: Job, dataset: Dataset) -> int:
    """Make a pilot of a tenth of the rows and start it; returns its run."""
    run_id = await session.make_pilot(job, dataset)
    await session.start(run_id)
    return run_id


async def release(session: Session, *, pilot_run_id: int) -> int:
    """Make and start the run of what a pilot left; returns it."""
    run_id = await session.release_pilot(pilot_run_id)
    await session.start(run_id)
    return run_id


async def compared(session: Session, *, pilot_run_id: int) -> list[Compared]:
    """A pilot's figures beside those of the preview before it."""
    return await session.pilot_against_preview(pilot_run_id)
