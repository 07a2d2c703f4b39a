"""How much work a run over a table would be, row by row, without making it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from batchdesk.domain.task import SkipReason
from batchdesk.session.forecast import Work
from batchdesk.session.minutes import MinuteOfTokens
from batchdesk.session.planning import (
    PlannedRow,
    Planner,
    planned_rows,
    reuses_answers,
    without_answered,
)
from batchdesk.store import tasks
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset

Progress = Callable[[float], None]


async def survey(
    project: Project,
    planner: Planner,
    dataset: Dataset,
    *,
    see: Callable[[PlannedRow, bool], None],
    on_progress: Progress,
) -> Work:
    """Look at every row; cancelling stops it after a few thousand.

    Args:
        see: Called with each row that would be sent, and whether an earlier answer to the same
            question would be taken for it.

    Raises:
        UserError: the job's filter or a pattern of its masks fails for a row.
    """
    rows = size = reused = too_long = over_minute = looked_at = 0
    minute = MinuteOfTokens(planner.job, planner.prepared.builder)
    async for page in planned_rows(project, planner, dataset):
        plans = await without_answered(project, dataset, planner, page, None)
        sent = [one for one, plan in zip(page, plans, strict=True) if plan.reason is None]
        known = await _reusable(project, planner, sent)
        for one in sent:
            see(one, one.row.id in known)
        rows += len(sent)
        size += sum(one.size for one in sent)
        over_minute += minute.larger(one.size for one in sent)
        reused += len(known)
        too_long += sum(one.plan.reason is SkipReason.TOO_LONG for one in page)
        looked_at += len(page)
        on_progress(looked_at / max(1, dataset.row_count))
    return Work(rows, size, reused, too_long, over_minute)


async def _reusable(project: Project, planner: Planner, sent: list[PlannedRow]) -> frozenset[int]:
    """Ids of rows that an earlier answer would be taken for."""
    if not sent or not reuses_answers(planner.job.stages[0]):
        return frozenset()
    version = planner.prepared.builder.input_version
    versions = {one.row.id: version(one.cells) for one in sent}
    known = await project.read(partial(tasks.reusable, versions=list(versions.values())))
    return frozenset(row_id for row_id, found in versions.items() if found in known)
