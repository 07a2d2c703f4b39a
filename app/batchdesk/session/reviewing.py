"""The review of a run's doubtful answers: the queue, decisions, and taking them back."""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.verdict import CheckResult, Decision
from batchdesk.errors import ProjectError
from batchdesk.quality.checks import Checker
from batchdesk.store import reviews
from batchdesk.store.project import Project
from batchdesk.store.reviews import Move, QueueFilter, Review, ReviewProgress
from batchdesk.store.writer import Connection


class Reviewing:
    """Decisions about the answers of one project; each is on disk before its call returns.

    Args:
        on_move: Told of every task that a decision moved: a run under way counts it anew, and
            looks for it if it was put back.
    """

    def __init__(self, project: Project, on_move: Callable[[Move], None]) -> None:
        self._project = project
        self._on_move = on_move

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

    async def latest(self, run_id: int) -> Review | None:
        """The newest decision of a run that can be undone, of this sitting or an earlier one."""
        return await self._project.read(partial(reviews.latest, run_id=run_id))

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
        model is told. A rerun is sent at once by a run under way, else when its
        run is resumed.

        Raises:
            ProjectError: the task no longer waits for a person.
        """
        decide = partial(
            reviews.decide,
            task_id=task_id,
            decision=decision,
            answer=json.dumps(answer, ensure_ascii=False),
            note=note or None,
            reviewer=reviewer,
            seconds=seconds,
            at=time.time(),
        )

        def operation(connection: Connection) -> tuple[int, Move] | None:
            review_id = decide(connection)
            return (
                None if review_id is None else (review_id, reviews.move_of(connection, review_id))
            )

        decided = await self._project.writer.run(operation)
        if decided is None:
            raise ProjectError("This row no longer waits for a decision; it was sent again.")
        review_id, move = decided
        self._on_move(move)
        return review_id

    async def undo(self, review_id: int) -> None:
        """Take a decision back.

        Raises:
            ProjectError: the row has moved on since.
        """
        at = time.time()

        def operation(connection: Connection) -> Move | None:
            undone = reviews.undo(connection, review_id, at)
            return reviews.move_of(connection, review_id) if undone else None

        move = await self._project.writer.run(operation)
        if move is None:
            raise ProjectError("This decision cannot be undone: the row has moved on since.")
        self._on_move(replace(move, before=move.after, after=move.before))
