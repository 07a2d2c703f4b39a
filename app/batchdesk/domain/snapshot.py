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
    PACE = "pace"  # a pace learned from refusals
    REFUSED = "refused"  # stopped for a moment after a refusal, or one probe is out
    OUTAGE = "outage"  # the service is down: one probe now and then
    SHARED = "shared"  # another run on the same account has its turn
    RETRY_BUDGET = "retry_budget"  # only retries are ready, and they have had their share
    DEGRADED = "degraded"  # too many failures: earlier rows wait, new rows go on
    LATENCY_MARK = "latency_mark"  # slower than the person allows
    RETRY_WAIT = "retry_wait"  # everything left waits for its next try
    NO_WORK = "no_work"  # everything left is already under way
    PREPARING = "preparing"  # the buffer is empty while the project file has more


class LimitKind(StrEnum):
    """Which of the gate's numbers changed."""

    IN_FLIGHT = "in_flight"  # requests at once
    CEILING = "ceiling"  # most requests at once
    PACE = "pace"  # requests per second; None: none
    TOKENS = "tokens"  # tokens per second; None: none
    BREAKER = "breaker"  # 1 closed, 0 open
    ALARM = "alarm"  # 1 on, 0 off


class LimitReason(StrEnum):
    """Why one of the gate's numbers changed."""

    SLOW_START = "slow_start"  # answers come cleanly: more at once
    QUEUEING = "queueing"  # answers got slower: more at once would only queue
    TESTING = "testing"  # fewer at once for a moment, to see how fast the service can be
    CONFIRMED = "confirmed"  # the test is over: held where nothing queues
    FASTER = "faster"  # answers are as fast as with one alone: more at once
    REFUSED = "refused"  # 429: the pace is cut
    REOPENED = "reopened"  # a probe went through after a refusal
    GROWTH = "growth"  # all of the pace was used without a refusal
    HEADERS = "headers"  # the service's headers state it
    TOLD = "told"  # the job or the words of a refusal state it
    OUTAGE = "outage"  # nothing comes through any more
    PROBE_ANSWERED = "probe_answered"  # the service is back
    PERSON = "person"  # pinned or moved by hand
    FAILURES = "failures"  # too many rows failed in the last minute
    RECOVERED = "recovered"  # failures are rare again
    LATENCY_MARK = "latency_mark"  # answers are slower than the person allows


@dataclass(frozen=True, slots=True)
class LimitChange:
    """One change of the gate. ``at``: seconds since the epoch; None: no such limit."""

    at: float
    what: LimitKind
    old: float | None
    new: float | None
    reason: LimitReason


class AdviceCode(StrEnum):
    """What decides how fast or how dear a run is, and so what would help."""

    PREPARING = "preparing"  # the queue is often empty: preparing is the bottleneck
    REQUESTS_LIMIT = "requests_limit"  # requests per minute: more at once would not help
    TOKENS_LIMIT = "tokens_limit"  # tokens per minute: shorter prompts would help
    LEARNED_PACE = "learned_pace"  # the service refuses more: more at once would not help
    SERVICE_QUEUES = "service_queues"  # the limit is at the service's knee
    CEILING = "ceiling"  # the limit is at its ceiling: a higher one might be faster
    PINNED = "pinned"  # the limit is pinned: let it move, or pin it higher
    RETRIES = "retries"  # a good part of the requests gives no usable answer
    WRITING = "writing"  # writing into the project file is slow: the disk
    INSTRUCTIONS = "instructions"  # the instructions are longer than the data


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice with its figures.

    Attributes:
        params: ``share``, 0 to 1, of the time, the requests or the tokens that it concerns;
            by code also ``requests_per_s``, ``tokens_per_s``, ``limit`` or ``tokens``.
    """

    code: AdviceCode
    params: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LaneDepth:
    """How full one lane is. Of the rows that are still in the file only the sum is known.

    Attributes:
        buffered: Ready to be sent.
        waiting: Wait for their next try.
        oldest_wait_s: How long the oldest of both has waited.
    """

    buffered: int = 0
    waiting: int = 0
    in_flight: int = 0
    oldest_wait_s: float = 0.0


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
    slow: bool = False  # in the slow lane


@dataclass(frozen=True, slots=True)
class Waiting:
    """One task that waits for its next try."""

    task_id: int
    row_key: str
    attempt: int
    due_s: float  # from now; 0 when due
    error_kind: ErrorKind
    slow: bool = False  # in the slow lane


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
    ceiling: int = 0  # the limit never goes above it
    pinned: bool = False  # the person set the limit; it does not move by itself
    pace_per_s: float | None = None  # learned from refusals; None: none
    breaker_probe_s: float | None = None  # outage: seconds to the next probe; None: closed
    degraded: bool = False  # alarm: too many failures, sending slowed down
    fast: LaneDepth = LaneDepth()
    slow: LaneDepth = LaneDepth()
    fill_per_s: float = 0.0  # rows that came into the queue
    drain_per_s: float = 0.0  # rows that left it for good
    growing: bool = False  # the queue grows without end
    last_failures: Mapping[ErrorKind, str] = field(default_factory=dict)  # last words by kind
    limit_changes: tuple[LimitChange, ...] = ()  # since the snapshot before
    queue_wait_p50_s: float | None = None  # our own queue, not part of latency
    accepted_per_s: float = 0.0  # rows that passed every check
    advice: tuple[Advice, ...] = ()  # the weightiest first

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
