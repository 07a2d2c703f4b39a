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

A row that failed before a request was sent that the service answered has itself to blame: its
failures are no sign of an outage, and silence does not excuse it. Else a run of good rows and a few
that fail for ever would end in silence, each time. But where more than a fifth of the rows fail at
their first try, the service is *unwell*: a failure says little of the row, so only every second one
counts and no row has itself to blame.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

_CLEARED_BY = 10  # good answers in a row
_FEW_ROWS = 20  # as many as the breaker wants to see
_TOO_LONG_S = 900.0  # of the run's active time, without a sign of life
_SURELY_THE_ROW = 20  # attempts
_FIRST_TRIES = 40  # the newest, of which it is told whether the service is unwell
_FIRST_TRIES_LEAST = 20
_UNWELL = 0.2  # of them failed

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
    """A task with its suspect attempts, and its counted tries after the last.

    Attributes:
        sent_at: By the attempt's number, epoch seconds.
    """

    tries: int
    sent_at: dict[int, float] = field(default_factory=dict)


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
        self._failed_at: dict[int, float] = {}  # task → its first fault, of a service that is well
        self._first_tries: deque[bool] = deque(maxlen=_FIRST_TRIES)  # whether they failed

    @property
    def is_open(self) -> bool:
        """Whether the service is taken to be down."""
        return self._is_open or self._is_silent

    @property
    def is_unwell(self) -> bool:
        """Whether so many rows fail at their first try that it says little of them."""
        seen = len(self._first_tries)
        return seen >= _FIRST_TRIES_LEAST and sum(self._first_tries) > _UNWELL * seen

    def excuses(self, kind: ErrorKind, task: ClaimedTask, sent_at: float) -> bool:
        """Whether a failure of a request about a task, sent at a time, is not the row's fault."""
        if kind not in OUTAGE_KINDS:
            return False
        if self._is_open or sent_at < self._closed_at:
            return True
        if self._is_silent and not self.blames(task.id):
            return True
        # The attempt that fails now is number attempts + 1: the even ones count.
        return self.is_unwell and task.attempts % 2 == 0 and task.attempts < _SURELY_THE_ROW

    def blames(self, task_id: int) -> bool:
        """Whether a task failed before something was sent that the service answered."""
        return self._failed_at.get(task_id, math.inf) < self._alive_at

    def tries(self, task: ClaimedTask) -> int:
        """A task's counted tries: it may have been read before some were given back."""
        return min(task.tries, self._given_back.get(task.id, task.tries))

    def decided(self, outcome: TaskOutcome, active_s: float) -> None:
        """An attempt's outcome is about to be written; ``active_s`` is the run's active time."""
        attempt = outcome.attempt
        if attempt is None:
            return
        self._listen(attempt, active_s)
        self._note_first(outcome, attempt)
        self._given_back.pop(outcome.task_id, None)
        is_fault = attempt.error_kind in OUTAGE_KINDS
        known = self._suspects.get(outcome.task_id)
        if known is not None:
            known.tries = outcome.tries
        if is_fault and attempt.counted:
            suspect = self._suspects.setdefault(outcome.task_id, _Suspect(outcome.tries))
            suspect.sent_at[attempt.number] = attempt.started_at
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
        numbers = list(suspect.sent_at)
        is_silence = (
            not self.blames(outcome.task_id)
            and outcome.error_kind is not ErrorKind.DEADLINE_EXCEEDED
            and attempt.number == numbers[-1]
            and 1 < attempt.number < _SURELY_THE_ROW
            and len(numbers) == suspect.tries
            and self._alive_at <= suspect.sent_at[numbers[0]]
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
        found = {}
        for task_id, suspect in suspects.items():
            if self.blames(task_id):
                # By itself it failed only while others were answered.
                numbers = self._after_the_last_sign(suspect) if self._is_open else ()
            else:
                self._failed_at.pop(task_id, None)
                numbers = tuple(suspect.sent_at)
            if numbers:
                self._given_back[task_id] = max(0, suspect.tries - len(numbers))
                found[task_id] = numbers
        return found

    def _after_the_last_sign(self, suspect: _Suspect) -> tuple[int, ...]:
        return tuple(n for n, sent_at in suspect.sent_at.items() if sent_at > self._alive_at)

    def _note_first(self, outcome: TaskOutcome, attempt: Attempt) -> None:
        """Note first tries, and what a row did wrong by itself."""
        is_fault = attempt.error_kind in OUTAGE_KINDS
        says_nothing = attempt.error_kind in _SAYS_NOTHING
        if attempt.number == 1 and not self.is_open and not says_nothing:
            self._first_tries.append(is_fault)
        if is_fault and attempt.counted and not self.is_unwell:
            self._failed_at.setdefault(outcome.task_id, attempt.started_at)
        elif not outcome.state.is_open and outcome.state is not TaskState.DEAD:
            self._failed_at.pop(outcome.task_id, None)

    def closed(self, now: float) -> None:
        """The breaker has closed: requests sent from now on count."""
        self._is_open = False
        self._closed_at = now
