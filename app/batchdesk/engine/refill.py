"""Keeps the lanes filled from the project file: first tries as they come, retries when due.

A run that begins takes up here what waited for its next try. At most one refill is under way, so
the order of the table is kept. Earlier answers to the same question are taken here, where the job
allows it; what goes into the lanes must be asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from batchdesk.domain.task import Priority, TaskState
from batchdesk.engine.duration import ExpectedDuration
from batchdesk.engine.early_release import REFUSALS
from batchdesk.engine.lanes import Due, Lanes, Ready, Spilled, priority_of
from batchdesk.engine.meters import Meters
from batchdesk.engine.retry import LONGEST_HINT_S
from batchdesk.engine.snapshots import Standing
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.store.journal import RunJournal
from batchdesk.store.tasks import ClaimedTask

_FIRST_LOOK = 100  # tasks buffered while nothing is known of how long rows take


class Refill:
    """Fills the lanes of one run.

    Args:
        builder: Tells equal questions apart from others; None if no earlier answer may be taken.
        expected: Tells which tasks take so long that they belong into the slow lane.
        on_end: Called on the loop after every refill, with its error if it failed.
    """

    def __init__(
        self,
        *,
        journal: RunJournal,
        lanes: Lanes,
        standing: Standing,
        meters: Meters,
        builder: PromptBuilder | None,
        wall: Callable[[], float],
        expected: ExpectedDuration,
        on_end: Callable[[BaseException | None], None],
    ) -> None:
        self._journal = journal
        self._lanes = lanes
        self._standing = standing
        self._meters = meters
        self._builder = builder
        self._wall = wall
        self._expected = expected
        self._on_end = on_end
        self._task: asyncio.Task[None] | None = None
        self._drained = False  # the file has no pending task beyond those taken

    @property
    def under_way(self) -> bool:
        """Whether tasks may still come from the refill that was started last."""
        return self._task is not None

    @property
    def is_drained(self) -> bool:
        """Whether the file has no more first tries and none are on their way."""
        return self._drained and self._task is None

    def look_again(self) -> None:
        """Tasks were given back to the file: it has more than the last refill saw."""
        self._drained = False

    async def take_waiting(self, now: float, backoff_max_s: float) -> None:
        """Let the tasks wait on that waited for their next try when the run was left.

        Args:
            now: By the loop's clock.
            backoff_max_s: The longest wait after a failure that is no refusal.
        """
        for task in await self._journal.waiting():
            # A clock that was set back must not make a row wait for hours.
            refused = task.kind in REFUSALS
            longest_s = max(backoff_max_s, LONGEST_HINT_S) if refused else backoff_max_s
            wait_s = min(max(0.0, task.due_at - self._wall()), longest_s)
            self._lanes.wait(
                Due(now + wait_s, task.id, task.row_key, task.attempts + 1, task.kind, now)
            )

    def ask(self, now: float) -> None:
        """Start one refill if a lane has room or a waiting task is due."""
        if self._task is not None:
            return
        due = self._lanes.take_due(now, self._lanes.room_for_retries)
        spilled = self._lanes.take_spilled()
        wanted = 0 if self._drained else self._wanted()
        if due or spilled or wanted:
            self._task = asyncio.get_running_loop().create_task(self._fill(due, spilled, wanted))
            self._task.add_done_callback(self._filled)

    def _wanted(self) -> int:
        """How many pending tasks to claim; few until answers tell which rows take long."""
        wanted = self._lanes.wanted()
        if self._expected.is_learned:
            return wanted
        room = _FIRST_LOOK - self._lanes.buffered
        return min(wanted, room) if room * 2 >= _FIRST_LOOK else 0

    async def end(self) -> None:
        """Give up what is under way; what it has claimed is released with the rest."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _filled(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._on_end(None if task.cancelled() else task.exception())

    async def _fill(self, due: list[Due], spilled: list[Spilled], wanted: int) -> None:
        loop = asyncio.get_running_loop()
        if due:
            batch_id, claimed = await self._journal.claim_due([one.task_id for one in due])
            self._standing.move(TaskState.WAITING, TaskState.RUNNING, len(claimed))
            slow = self._expected.sort_again(claimed)
            now = loop.time()
            held_s = self._meters.held_s(now)
            self._lanes.add_retries(
                [
                    Ready(task, batch_id, now, Priority.RETRY, is_slow, held_s)
                    for task, is_slow in zip(claimed, slow, strict=True)
                ]
            )
        if spilled:
            ids = [one.task_id for one in spilled]
            read = {task.id: task for task in await self._journal.claimed(ids)}
            self._lanes.add_again(
                [_as_noted(read[one.task_id], one) for one in spilled if one.task_id in read]
            )
        if wanted:
            # Before the claim: what is given back while it is under way must be looked for again.
            self._drained = True
            batch_id, claimed = await self._journal.claim(wanted, self._lanes.wanted_again)
            if len(claimed) == wanted:
                self._drained = False
            self._standing.move(TaskState.PENDING, TaskState.RUNNING, len(claimed))
            self._meters.taken(loop.time(), len(claimed))
            asked = await self._without_reused(claimed)
            slow = self._expected.sort(asked)
            self._meters.instructions_tokens = self._expected.overhead
            self._meters.row_tokens = self._expected.median_tokens
            now = loop.time()
            held_s = self._meters.held_s(now)
            self._lanes.add_first(
                [
                    Ready(task, batch_id, now, priority_of(task), is_slow, held_s)
                    for task, is_slow in zip(asked, slow, strict=True)
                ]
            )

    async def _without_reused(self, claimed: list[ClaimedTask]) -> list[ClaimedTask]:
        """Take earlier answers to the same questions; the rest must be asked."""
        if self._builder is None or not claimed:
            return claimed
        versions = {task.id: self._builder.input_version(task.cells) for task in claimed}
        known = await self._journal.reusable(list(versions.values()))
        reused = [
            (task.id, versions[task.id], known[versions[task.id]])
            for task in claimed
            # A task that asks anew wants another answer than the one that is there.
            if versions[task.id] in known and not task.content_try
        ]
        if not reused:
            return claimed
        await self._journal.record_reused(reused, self._wall())
        self._meters.reused += len(reused)
        now = asyncio.get_running_loop().time()
        self._meters.finished(now, TaskState.PASSED, len(reused))
        self._standing.move(TaskState.RUNNING, TaskState.PASSED, len(reused))
        taken = {task_id for task_id, _, _ in reused}
        self._standing.changed.extend(taken)
        return [task for task in claimed if task.id not in taken]


def _as_noted(task: ClaimedTask, noted: Spilled) -> Ready:
    return Ready(
        task, noted.batch_id, noted.claimed_at, noted.priority, slow=True, held_s=noted.held_s
    )
