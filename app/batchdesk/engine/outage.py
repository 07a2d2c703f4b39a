"""Keeps an outage from costing rows their tries: what fell into one is not counted, or given back.

While the breaker is open, failures that an outage explains are not counted; neither are those of
requests that were sent before it closed. Failures that were counted while the outage built up are
remembered as suspects, until ten good answers in a row clear them; when the breaker opens, the
suspects are handed out, and the project file gives their tries back.

The last rows of a run are too few for the breaker. Where all tries of a row failed so, and no
request that was sent after the first of them met a sign of life, nobody can tell whose fault it is:
that is *silence*, and it counts as an outage until the next sign of life. A row that fails for ever
must not keep a run from ending, so silence among few rows pauses the run in the end, and a row that
was tried very often is blamed all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

_CLEARED_BY = 10  # good answers in a row
_FEW_ROWS = 20  # as many as the breaker wants to see
_TOO_LONG_S = 900.0  # of the run's active time, without a sign of life
_SURELY_THE_ROW = 20  # attempts

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
_SAYS_NOTHING = frozenset(
    {
        ErrorKind.DEADLINE_EXCEEDED,
        ErrorKind.TEMPLATE_FAILED,
        ErrorKind.STORAGE_FULL,
        ErrorKind.INTERNAL,
        ErrorKind.NOT_AN_API,
    }
)


@dataclass(slots=True)
class _Suspect:
    """A task with the numbers of its suspect attempts, and its counted tries after the last.

    Attributes:
        since: When the first of them was sent, epoch seconds.
    """

    tries: int
    since: float
    numbers: list[int] = field(default_factory=list)


class Outages:
    """What one run knows of outages. Times are the loop's clock unless named otherwise."""

    def __init__(self) -> None:
        self._is_open = False
        self._is_silent = False
        self._closed_at = -math.inf
        self._alive_at = -math.inf  # when the last one was sent that met life, epoch seconds
        self._heard_at_s: float | None = None  # when one came last, or the first outcome at all
        self._good_in_a_row = 0
        self._fault_at = -math.inf  # when the last request was sent that failed, epoch seconds
        self._suspects: dict[int, _Suspect] = {}
        self._given_back: dict[int, int] = {}  # task → tries, until its next outcome

    @property
    def is_open(self) -> bool:
        """Whether the service is taken to be down."""
        return self._is_open or self._is_silent

    def excuses(self, kind: ErrorKind, sent_at: float) -> bool:
        """Whether an outage explains a failure of a request that was sent at a time."""
        return kind in OUTAGE_KINDS and (self.is_open or sent_at < self._closed_at)

    def tries(self, task: ClaimedTask) -> int:
        """A task's counted tries: it may have been read before some were given back."""
        return min(task.tries, self._given_back.get(task.id, task.tries))

    def decided(self, outcome: TaskOutcome, active_s: float) -> None:
        """An attempt's outcome is about to be written; ``active_s`` is the run's active time."""
        attempt = outcome.attempt
        if attempt is None:
            return
        self._listen(attempt, active_s)
        self._given_back.pop(outcome.task_id, None)
        is_fault = attempt.error_kind in OUTAGE_KINDS
        known = self._suspects.get(outcome.task_id)
        if known is not None:
            known.tries = outcome.tries
        if is_fault and attempt.counted:
            suspect = self._suspects.setdefault(
                outcome.task_id, _Suspect(outcome.tries, attempt.started_at)
            )
            suspect.numbers.append(attempt.number)
        elif not outcome.state.is_open and outcome.state is not TaskState.DEAD:
            self._suspects.pop(outcome.task_id, None)
        if is_fault:
            self._good_in_a_row = 0
            self._fault_at = max(self._fault_at, attempt.started_at)
        elif attempt.started_at < self._fault_at:
            return  # what was sent before says nothing of what came after
        elif attempt.error_kind is None or attempt.error_kind.is_of_answer:
            self._good_in_a_row += 1
            if self._good_in_a_row >= _CLEARED_BY:
                self._suspects.clear()

    def is_silence(self, outcome: TaskOutcome) -> bool:
        """Whether a row dies that cannot be blamed; from then on ``is_open`` until a sign of life.

        The outcome is one that was ``decided`` just now.
        """
        attempt, suspect = outcome.attempt, self._suspects.get(outcome.task_id)
        if outcome.state is not TaskState.DEAD or attempt is None or suspect is None:
            return False
        is_silence = (
            outcome.error_kind is not ErrorKind.DEADLINE_EXCEEDED
            and attempt.number == suspect.numbers[-1]
            and 1 < attempt.number < _SURELY_THE_ROW
            and len(suspect.numbers) == suspect.tries
            and self._alive_at <= suspect.since
        )
        self._is_silent = self._is_silent or is_silence
        return is_silence

    def lasts_too_long(self, rows_left: int, active_s: float) -> bool:
        """Whether only few rows are left and the service has been down for a long time."""
        if not self.is_open or self._heard_at_s is None:
            return False
        return rows_left < _FEW_ROWS and active_s - self._heard_at_s >= _TOO_LONG_S

    def _listen(self, attempt: Attempt, active_s: float) -> None:
        """Anything that the service itself said is a sign of life, refusals too."""
        kind = attempt.error_kind
        is_sign = kind not in OUTAGE_KINDS and kind not in _SAYS_NOTHING
        if is_sign:
            self._alive_at = max(self._alive_at, attempt.started_at)
            self._is_silent = False
        if is_sign or self._heard_at_s is None:
            self._heard_at_s = active_s

    def opened(self) -> Mapping[int, tuple[int, ...]]:
        """The breaker has opened; see ``hand_out``."""
        self._is_open = True
        return self.hand_out()

    def hand_out(self) -> Mapping[int, tuple[int, ...]]:
        """The attempts that are not to be counted, by task; they are suspects no longer."""
        suspects, self._suspects = self._suspects, {}
        for task_id, suspect in suspects.items():
            self._given_back[task_id] = max(0, suspect.tries - len(suspect.numbers))
        return {task_id: tuple(suspect.numbers) for task_id, suspect in suspects.items()}

    def closed(self, now: float) -> None:
        """The breaker has closed: requests sent from now on count."""
        self._is_open = False
        self._closed_at = now
