"""What the gate and its parts speak of: a request's cost, a hold, a ticket, an ending; and a part.

Every part of the gate imports from here and from nothing else of the gate, so that each can be
read and tested alone. Users of the gate find the same names in ``admission``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from batchdesk.domain.chat import NO_LIMITS, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange
from batchdesk.domain.task import ErrorKind


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request is expected to use.

    Attributes:
        tokens: Input and expected output.
        is_long: Expected to take far longer than most: its latency says nothing of the service.
    """

    tokens: float = 0.0
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Not now: why, and when to ask again (None: when something ends)."""

    reason: HoldReason
    until: float | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """An admitted request: heard of at most once, settled exactly once.

    Attributes:
        number: Ascending in the order of sending.
        client: Whose request it is.
    """

    number: int
    client: int
    cost: Cost
    sent_at: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How an admitted request ended, as soon as that is known.

    Attributes:
        tokens: What it really used; None where nobody said.
        kind: None for an answer.
        hint_s: The service's hint of how long to wait.
        limits: What the response says of the account's limits.
        cancelled: We gave it up ourselves: it says nothing about the service.
        blames_row: Its row failed before while the service answered others: a fault is likely the
            row's, and no sign of an outage.
    """

    ticket: Ticket
    ended_at: float
    tokens: float | None = None
    kind: ErrorKind | None = None
    hint_s: float | None = None
    limits: RateLimits = NO_LIMITS
    cancelled: bool = False
    blames_row: bool = False


_SIGNS_OF_OUTAGE = frozenset(
    {
        ErrorKind.OVERLOADED,
        ErrorKind.SERVER_ERROR,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.CONNECT_FAILED,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
    }
)


def is_answer(ending: Ending) -> bool:
    """Whether the service did its work, usable or not: its latency counts."""
    return not ending.cancelled and (ending.kind is None or ending.kind.is_of_answer)


def is_fault(ending: Ending) -> bool:
    """Whether the service or the way to it failed. Refusals and faults of our own do not count."""
    return not ending.cancelled and ending.kind in _SIGNS_OF_OUTAGE


class Part(Protocol):
    """One reason to wait. Times are seconds of one monotonic clock.

    For each ticket: ``take``, then ``hear`` exactly once (the gate hears a request that nobody
    reported as cancelled), then ``settle`` exactly once.
    """

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Why a request of this cost may not go now, or None. Asking in vain costs nothing."""

    def take(self, ticket: Ticket) -> None:
        """A request goes now."""

    def hear(self, ending: Ending) -> None:
        """A request has ended; what came is not on disk yet."""

    def settle(self, ticket: Ticket) -> None:
        """All that came of a request is on disk: its slot is free."""


def no_report(change: LimitChange) -> None:
    """For a part whose changes nobody wants to know."""
    del change
