"""Keeps an outage from costing rows their tries: what fell into one is not counted, or given back.

While the breaker is open, failures that an outage explains are not counted; neither are those of
requests that were sent before it closed. Failures that were counted while the outage built up are
remembered as suspects, until ten good answers in a row clear them; when the breaker opens, the
suspects are handed out, and the project file gives their tries back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

_CLEARED_BY = 10  # good answers in a row

OUTAGE_KINDS = frozenset(
    {
        ErrorKind.SERVER_ERROR,
        ErrorKind.OVERLOADED,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.CONNECT_FAILED,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
    }
)


@dataclass(slots=True)
class _Suspect:
    """A task with the numbers of its suspect attempts, and its counted tries after the last."""

    tries: int
    numbers: list[int] = field(default_factory=list)


class Outages:
    """What one run knows of outages. Times are the loop's clock."""

    def __init__(self) -> None:
        self._is_open = False
        self._closed_at = -math.inf
        self._good_in_a_row = 0
        self._suspects: dict[int, _Suspect] = {}
        self._given_back: dict[int, int] = {}  # task → tries, until its next outcome

    @property
    def is_open(self) -> bool:
        """Whether the service is known to be down."""
        return self._is_open

    def excuses(self, kind: ErrorKind, sent_at: float) -> bool:
        """Whether an outage explains a failure of a request that was sent at a time."""
        return kind in OUTAGE_KINDS and (self._is_open or sent_at < self._closed_at)

    def tries(self, task: ClaimedTask) -> int:
        """A task's counted tries: it may have been read before some were given back."""
        return min(task.tries, self._given_back.get(task.id, task.tries))

    def decided(self, outcome: TaskOutcome) -> None:
        """An attempt's outcome is about to be written."""
        attempt = outcome.attempt
        if attempt is None:
            return
        self._given_back.pop(outcome.task_id, None)
        is_fault = attempt.error_kind in OUTAGE_KINDS
        known = self._suspects.get(outcome.task_id)
        if known is not None:
            known.tries = outcome.tries
        if is_fault and attempt.counted:
            suspect = self._suspects.setdefault(outcome.task_id, _Suspect(outcome.tries))
            suspect.numbers.append(attempt.number)
        elif not outcome.state.is_open and outcome.state is not TaskState.DEAD:
            self._suspects.pop(outcome.task_id, None)
        if is_fault:
            self._good_in_a_row = 0
        elif attempt.error_kind is None or attempt.error_kind.is_of_answer:
            self._good_in_a_row += 1
            if self._good_in_a_row >= _CLEARED_BY:
                self._suspects.clear()

    def opened(self) -> Mapping[int, tuple[int, ...]]:
        """The breaker has opened; returns the attempts that are not to be counted, by task."""
        self._is_open = True
        suspects, self._suspects = self._suspects, {}
        for task_id, suspect in suspects.items():
            self._given_back[task_id] = max(0, suspect.tries - len(suspect.numbers))
        return {task_id: tuple(suspect.numbers) for task_id, suspect in suspects.items()}

    def closed(self, now: float) -> None:
        """The breaker has closed: requests sent from now on count."""
        self._is_open = False
        self._closed_at = now
