"""What the live panels show, four times a second: plain figures, no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from batchdesk.domain import progress
from batchdesk.domain.task import ErrorKind, RunState, TaskState

USED_OF_TOLD = 0.99  # a told limit is used to this share, evenly


class HoldReason(StrEnum):
    """What holds the next request back."""

    NOTHING = "nothing"
    IN_FLIGHT = "in_flight"  # as many requests under way as allowed
    REQUESTS_PER_MINUTE = "requests_per_minute"
    TOKENS_PER_MINUTE = "tokens_per_minute"
    RETRY_WAIT = "retry_wait"  # everything left waits for its next try
    NO_WORK = "no_work"  # everything left is already under way
    PREPARING = "preparing"  # the buffer is empty while the project file has more


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Latency of successful requests, seconds; None before the first."""

    p50: float | None = None
    p95: float | None = None
    p99: float | None = None


@dataclass(frozen=True, slots=True)
class Phases:
    """How the run's task time divides, seconds summed over tasks."""

    preparing_s: float = 0.0
    queueing_s: float = 0.0
    limit_s: float = 0.0
    service_s: float = 0.0  # network and provider
    checking_s: float = 0.0
    writing_s: float = 0.0


@dataclass(frozen=True, slots=True)
class InFlight:
    """One request under way, and what its task waits for."""

    task_id: int
    row_key: str
    attempt: int
    since_s: float
    doing: str  # "service" or "writing"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One task that waits for its next try."""

    task_id: int
    row_key: str
    attempt: int
    due_s: float  # from now; 0 when due
    error_kind: ErrorKind


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run at one moment. Rates are per second over the last 60 s unless named otherwise."""

    run_id: int
    at: float  # seconds since the epoch
    state: RunState
    cause: ErrorKind | None
    active_s: float  # time the run was running, all sessions
    counts: Mapping[TaskState, int]
    in_flight: int
    limit: int
    buffered: int  # taken from the project file, not yet sent
    uncommitted: int  # answered, not yet on disk
    hold: HoldReason
    requests: int  # all attempts of this run
    succeeded: int
    reused: int
    failures: Mapping[ErrorKind, int]
    last_failure: str
    input_tokens: int
    output_tokens: int
    finished_per_s: float
    requests_per_s: float
    tokens_per_s: float
    permitted_requests_per_s: float | None
    permitted_tokens_per_s: float | None
    latency_recent: Percentiles
    latency_run: Percentiles
    first_token: Percentiles
    phases: Phases
    eta_s: float | None
    oldest_wait_s: float
    tasks: tuple[InFlight | Waiting, ...] = field(default=())

    @property
    def told_requests_per_s(self) -> float | None:
        """The limit as the person or the service told it; None: not told."""
        permitted = self.permitted_requests_per_s
        return None if permitted is None else permitted / USED_OF_TOLD

    @property
    def told_tokens_per_s(self) -> float | None:
        """The limit as the person or the service told it; None: not told."""
        permitted = self.permitted_tokens_per_s
        return None if permitted is None else permitted / USED_OF_TOLD

    @property
    def total(self) -> int:
        """Tasks to do: all of the run but the skipped ones."""
        return progress.to_do(self.counts)

    @property
    def done(self) -> int:
        """Tasks to do that have an outcome."""
        return progress.done(self.counts)
