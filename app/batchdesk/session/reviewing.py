"""The review of a run's doubtful answers: the queue, decisions, and taking them back."""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable
from functools import partial
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.verdict import CheckResult, Decision
from batchdesk.errors import ProjectError
from batchdesk.quality.checks import Checker
from batchdesk.store import reviews
from batchdesk.store.project import Project
from batchdesk.store.reviews import QueueFilter, Review, ReviewProgress


class Reviewing:
    """Decisions about the answers of one project; each is on disk before its call returns.

    Args:
        on_rerun: Called when a row was put back: a run under way must look for it.
    """

    def __init__(self, project: Project, on_rerun: Callable[[], None]) -> None:
        self._project = project
        self._on_rerun = on_rerun

    async def queue(self, run_id: int, wanted: QueueFilter | None = None) -> array[int]:
        """Ids of the tasks that wait for a person."""
        return await self._project.read(
            partial(reviews.queue, run_id=run_id, wanted=wanted or QueueFilter())
        )

    async def reasons(self, run_id: int) -> list[tuple[str, int]]:
        """(``check/code``, how many wait for it), the most frequent first."""
        return await self._project.read(partial(reviews.reasons, run_id=run_id))

    async def progress(self, run_id: int) -> ReviewProgress:
        """How many wait and how many are decided."""
        return await self._project.read(partial(reviews.progress, run_id=run_id))

    async def history(self, task_id: int) -> list[Review]:
        """All decisions about one task, the newest first."""
        return await self._project.read(partial(reviews.of_task, task_id=task_id))

    def check(self, job: Job, answer: Any) -> tuple[CheckResult, ...]:
        """What the job's checks find in an edited answer; empty if it is fine."""
        return Checker(job.stages[0], echo_key=False).recheck(answer)

    async def decide(
        self,
        task_id: int,
        decision: Decision,
        *,
        answer: Any = None,
        note: str | None = None,
        reviewer: str = "",
        seconds: float = 0.0,
    ) -> int:
        """Write a decision; returns its id, by which it can be undone.

        ``answer`` is the edited answer, only for EDITED. ``note`` says why, or for RERUN what the
        model is told. A rerun is sent at once by a run under way,
        else when its run is resumed.

        Raises:
            ProjectError: the task no longer waits for a person.
        """
        review_id = await self._project.writer.run(
            partial(
                reviews.decide,
                task_id=task_id,
                decision=decision,
                answer=json.dumps(answer, ensure_ascii=False),
                note=note or None,
                reviewer=reviewer,
                seconds=seconds,
                at=time.time(),
            )
        )
        if review_id is None:
            raise ProjectError("This row no longer waits for a decision; it was sent again.")
        if decision is Decision.RERUN:
            self._on_rerun()
        return review_id

    async def undo(self, review_id: int) -> None:
        """Take a decision back.

        Raises:
            ProjectError: the row has moved on since.
        """
        undone = await self._project.writer.run(
            partial(reviews.undo, review_id=review_id, at=time.time())
        )
        if not undone:
            raise ProjectError("This decision cannot be undone: the row has moved on since.")
