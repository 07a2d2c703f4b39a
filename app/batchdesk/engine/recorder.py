"""Writes what came of a task; only after the commit are counts, rates and the lanes told of it.

In comes an outcome, out goes a transaction of the journal and the run's figures after it. A streak
of one fault that everybody meets is noticed here and handed on as the cause of a pause.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.engine.alarm import PROVIDERS_REASONS
from batchdesk.engine.attempt_log import AttemptLog
from batchdesk.engine.lanes import Due, Lanes, Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.outcome import Ended
from batchdesk.engine.snapshots import Standing
from batchdesk.engine.streak import SameFaultStreak
from batchdesk.errors import UserError
from batchdesk.store.journal import RunJournal
from batchdesk.store.tasks import TaskOutcome


class Recorder:
    """Records the outcomes of one run.

    Args:
        instead: The outcome of a task whose own could not be written.
        on_finished: Is told of a row that has its outcome: (when, whether it died for the
            provider's reasons).
        on_cause: Is told of a fault that every request meets.
    """

    def __init__(
        self,
        *,
        journal: RunJournal,
        standing: Standing,
        meters: Meters,
        lanes: Lanes,
        streak: SameFaultStreak,
        log: AttemptLog,
        instead: Callable[[Ended, Exception], TaskOutcome],
        on_finished: Callable[[float, bool], None],
        on_cause: Callable[[ErrorKind, str], None],
    ) -> None:
        self._journal = journal
        self._standing = standing
        self._meters = meters
        self._lanes = lanes
        self._streak = streak
        self._log = log
        self._instead = instead
        self._on_finished = on_finished
        self._on_cause = on_cause

    async def record(self, outcome: TaskOutcome, ready: Ready, ended: Ended | None = None) -> None:
        """Write an outcome; only after its commit does anybody hear of it."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        outcome = await self._written(outcome, ended)
        self._notice(outcome)
        now = loop.time()
        self._meters.writing_s += now - began
        self._meters.written += 1
        self._log.add(outcome, now - began)
        self._standing.move(TaskState.RUNNING, outcome.state, 1)
        self._standing.changed.append(outcome.task_id)
        if not outcome.state.is_open:
            self._meters.finished(now, outcome.state)
            self._on_finished(now, died_for_the_providers_reasons(outcome))
        elif outcome.state is TaskState.WAITING and outcome.due_at is not None:
            wait_s = outcome.due_at - outcome.at
            attempt, task = outcome.attempt, ready.task
            kind = attempt.error_kind if attempt and attempt.error_kind else ErrorKind.INTERNAL
            due_at, attempts = now + wait_s, task.attempts + 2
            self._lanes.wait(
                Due(due_at, task.id, task.row_key, attempts, kind, now, slow=ready.slow)
            )

    async def give_back(self, attempts: Mapping[int, Sequence[int]], due_at: float) -> None:
        """Uncount attempts that fell into an outage; who died of them waits for another try.

        Args:
            attempts: Numbers of attempts by task.
            due_at: When the revived tasks may be sent, epoch seconds.
        """
        revived = await self._journal.give_back(attempts, due_at)
        now = asyncio.get_running_loop().time()
        for task in revived:
            self._standing.move(TaskState.DEAD, TaskState.WAITING, 1)
            self._standing.changed.append(task.id)
            self._lanes.wait(Due(now, task.id, task.row_key, task.attempts + 1, task.kind, now))

    async def _written(self, outcome: TaskOutcome, ended: Ended | None) -> TaskOutcome:
        """What was written: the outcome, or the one that stands for it."""
        try:
            await self._journal.record(outcome)
        except UserError:
            raise
        except Exception as error:
            if ended is None:
                raise
            # Perhaps what came cannot be written: then without it. If that fails too, we pause.
            outcome = self._instead(ended, error)
            await self._journal.record(outcome)
        return outcome

    def _notice(self, outcome: TaskOutcome) -> None:
        """Count a failure, and pause when the same one hits every request."""
        attempt = outcome.attempt
        if attempt is None:
            return
        kind, message = attempt.error_kind, attempt.error_message or ""
        if kind is not None:
            now = asyncio.get_running_loop().time()
            self._meters.failed(now, kind, message)
        others = len(self._standing.flights) - 1
        if self._streak.sees(kind, others, outcome.task_id) and kind is not None:
            self._on_cause(kind, message)


def died_for_the_providers_reasons(outcome: TaskOutcome) -> bool:
    """Whether a row is a dead letter that is not its own fault."""
    attempt = outcome.attempt
    return (
        outcome.state is TaskState.DEAD
        and attempt is not None
        and attempt.error_kind in PROVIDERS_REASONS
    )
