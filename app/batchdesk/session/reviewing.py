"""The review of a run's doubtful answers: the queue, decisions, and taking them back."""

from __future__ import annotations

import json
import time
from array import array
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.task import TaskState
from batchdesk.domain.verdict import CheckResult, Decision
from batchdesk.errors import ProjectError
from batchdesk.quality.checks import Checker
from batchdesk.store import bulk, reviews
from batchdesk.store.bulk import Chosen
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

    async def decide_many(
        self,
        run_id: int,
        task_ids: Collection[int],
        decision: Decision,
        *,
        note: str | None = None,
        reviewer: str = "",
    ) -> list[int]:
        """Accept, reject or ask again several doubtful answers in one commit.

        Those that no longer wait are left alone. Returns the decisions' ids.
        """
        decide = partial(
            bulk.decide_many,
            chosen=Chosen(run_id, TaskState.REVIEW, task_ids=task_ids),
            decision=decision,
            note=note or None,
            reviewer=reviewer,
            at=time.time(),
        )
        made = await self._project.writer.run(decide)
        if made:
            self._on_move(Move(run_id, TaskState.REVIEW, reviews.STATE_AFTER[decision], len(made)))
        return made

    async def undo_many(self, review_ids: Collection[int]) -> int:
        """Take several decisions back in one commit; returns how many could be."""
        at = time.time()

        def operation(connection: Connection) -> Counter[Move]:
            undone = bulk.undo_many(connection, review_ids, at)
            return Counter(reviews.move_of(connection, review_id) for review_id in undone)

        moves = await self._project.writer.run(operation)
        for move, count in moves.items():
            self._on_move(Move(move.run_id, move.after, move.before, count))
        return moves.total()

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
