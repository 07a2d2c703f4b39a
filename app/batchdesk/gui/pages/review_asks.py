"""What Review asks of the Session: coroutines that are carried out on the Session's own loop."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.verdict import CheckResult, Decision
from batchdesk.gui.pages.review_queue import QueueCounts
from batchdesk.session import AttemptView, QueueFilter, Review, Session, StoredRun


@dataclass(frozen=True, slots=True)
class QueueRead:
    """The queue of a run as it was read."""

    run: StoredRun
    ids: array[int]
    counts: QueueCounts


async def read_queue(session: Session, *, run_id: int, wanted: QueueFilter) -> QueueRead:
    """The run, the tasks that match the filter, and what waits in all."""
    return QueueRead(
        run=await session.run(run_id),
        ids=await session.review.queue(run_id, wanted),
        counts=await read_counts(session, run_id=run_id),
    )


async def read_counts(session: Session, *, run_id: int) -> QueueCounts:
    """What waits in a run, by reason."""
    return QueueCounts(
        progress=await session.review.progress(run_id),
        reasons=await session.review.reasons(run_id),
        dead=len(await session.review.queue(run_id, QueueFilter(dead=True))),
        latest=await session.review.latest(run_id),
    )


async def read_item(
    session: Session, *, task_id: int
) -> tuple[Sequence[AttemptView], Sequence[Review]]:
    """A task's attempts and the decisions about it, the newest first."""
    return await session.attempts(task_id), await session.review.history(task_id)


async def check(session: Session, *, job: Job, answer: Any) -> tuple[CheckResult, ...]:
    """What the job's checks say of an edited answer; labels in it get their usual spelling."""
    return session.review.check(job, answer)


async def decide(session: Session, *, task_id: int, decision: Decision, **details: Any) -> int:
    """Writes a decision; see ``Reviewing.decide``."""
    return await session.review.decide(task_id, decision, **details)


async def undo(session: Session, *, review_id: int, run_id: int) -> Review | None:
    """Takes a decision back; returns the one before it, which can be taken back next."""
    await session.review.undo(review_id)
    return await session.review.latest(run_id)
