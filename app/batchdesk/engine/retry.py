"""The retry table: an error and an attempt number in, a decision out. A pure function.

Only tries that the row itself could be blamed for count toward ``attempts_max``; otherwise a storm
of refusals would kill rows. Backoff is exponential with full jitter (Brooker, "Timeouts, retries
and backoff with jitter", Amazon Builders' Library): uniform(0, min(cap, base x 2^(n-1))).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind

LONGEST_HINT_S = 900.0  # told to wait longer, the run pauses: a rate comes free within minutes


class Action(StrEnum):
    """What happens to a task after a failed attempt."""

    RETRY = "retry"  # wait, then send again
    REVIEW = "review"  # a person looks at what there is
    DEAD = "dead"  # dead letter
    PAUSE = "pause"  # the whole run pauses by cause; the task goes back to pending


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """A decision of the table.

    Attributes:
        wait_s: How long the task waits before it may be sent again.
        counted: Whether this attempt counts toward ``attempts_max``.
        asks_anew: Whether a different answer is wanted: a new idempotency key and a note.
        late: Dead because its time is used up, whatever the last error was.
    """

    action: Action
    wait_s: float = 0.0
    counted: bool = True
    asks_anew: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """What is known of the failed attempt and of the task so far.

    Attributes:
        tries: Counted attempts before this one.
        attempts: All attempts before this one.
        content_try: How often a different answer was already asked for.
        hint_s: The service's ``Retry-After``, if it gave one.
        can_lengthen: Whether ``max_tokens`` can be raised for one more try.
        lengthened: Whether it was raised for this try: an answer that was cut is there.
        answered: Whether the service has answered other rows of the run, so it can be reached.
        excused: Whether an outage or a suspended computer explains it: the row is not to blame.
        active_s: How long the task has been under way while the run was running, without the
            time that refusals cost.
    """

    kind: ErrorKind
    tries: int
    attempts: int
    content_try: int = 0
    hint_s: float | None = None
    can_lengthen: bool = False
    lengthened: bool = False
    answered: bool = False
    excused: bool = False
    active_s: float = 0.0


_PAUSES = frozenset(
    {
        ErrorKind.QUOTA_EXHAUSTED,
        ErrorKind.AUTH,
        ErrorKind.FORBIDDEN,
        ErrorKind.MODEL_NOT_FOUND,
        ErrorKind.NOT_AN_API,
        ErrorKind.STORAGE_FULL,
    }
)
# Once others were answered these may be one row's: a filter before the service, a passing page.
_PERHAPS_THE_ROWS = frozenset(
    {ErrorKind.FORBIDDEN, ErrorKind.MODEL_NOT_FOUND, ErrorKind.NOT_AN_API}
)
_BACKS_OFF = frozenset(
    {
        ErrorKind.SERVER_ERROR,
        ErrorKind.OVERLOADED,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
    }
)
# What a model says to more ``max_tokens`` than it can give.
_REFUSES_MORE_TOKENS = frozenset({ErrorKind.BAD_REQUEST, ErrorKind.CONTEXT_TOO_LONG})
_ASKS_ONCE_MORE = frozenset(
    {
        ErrorKind.TRUNCATED,
        ErrorKind.MALFORMED_OUTPUT,
        ErrorKind.EMPTY_OUTPUT,
        ErrorKind.MISALIGNED,
    }
)


def decide(failure: Failure, limits: Limits, rng: random.Random) -> RetryDecision:
    """What to do after a failed attempt."""
    kind = failure.kind
    is_the_rows = kind in _PERHAPS_THE_ROWS and failure.answered
    if kind in _PAUSES and not is_the_rows:
        return RetryDecision(Action.PAUSE, counted=False)
    if kind is ErrorKind.CONTENT_FILTERED or (failure.lengthened and kind in _REFUSES_MORE_TOKENS):
        return RetryDecision(Action.REVIEW)
    if kind in _ASKS_ONCE_MORE:
        if failure.content_try or (kind is ErrorKind.TRUNCATED and not failure.can_lengthen):
            return RetryDecision(Action.REVIEW)
        decision = _again(failure, limits, RetryDecision(Action.RETRY, asks_anew=True))
        # The answer that is there goes to a person rather than to the dead letters.
        return decision if decision.action is Action.RETRY else RetryDecision(Action.REVIEW)
    if _is_refusal(failure):
        if (failure.hint_s or 0.0) > LONGEST_HINT_S:
            return RetryDecision(Action.PAUSE, counted=False)
        # Neither tries nor the deadline: a row cannot help it that the service is busy.
        wait_s = max(failure.hint_s or 0.0, backoff_s(failure.attempts + 1, limits, rng))
        return RetryDecision(Action.RETRY, wait_s, counted=False)
    if kind in _BACKS_OFF or is_the_rows:
        wait_s = max(failure.hint_s or 0.0, backoff_s(failure.tries + 1, limits, rng))
        return _again(failure, limits, RetryDecision(Action.RETRY, wait_s))
    return RetryDecision(Action.DEAD)


def _is_refusal(failure: Failure) -> bool:
    """The service would not take it now, or could not be reached: never the row's fault."""
    if failure.excused or failure.kind in (ErrorKind.RATE_LIMITED, ErrorKind.CONNECT_FAILED):
        return True
    return failure.kind is ErrorKind.OVERLOADED and failure.hint_s is not None


def _again(failure: Failure, limits: Limits, decision: RetryDecision) -> RetryDecision:
    """The decision, unless the task's tries or its time are used up."""
    if decision.counted and failure.tries + 1 >= limits.attempts_max:
        return RetryDecision(Action.DEAD, counted=True)
    if failure.active_s + decision.wait_s > limits.deadline_s:
        return RetryDecision(Action.DEAD, counted=decision.counted, late=True)
    return decision


def backoff_s(number: int, limits: Limits, rng: random.Random) -> float:
    """Full jitter for the n-th wait (n from 1), seconds."""
    ceiling = min(limits.retry_wait_max_s, limits.retry_wait_base_s * 2 ** min(number - 1, 30))
    return rng.uniform(0.0, ceiling)
