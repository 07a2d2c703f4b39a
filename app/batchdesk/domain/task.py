"""Tasks, attempts and the kinds of failure.

A task is one row at one stage in one run: the unit of state. An attempt is one request sent for
it. The retry table of the engine turns an ErrorKind into a decision; nothing else does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TaskState(StrEnum):
    """Where a task stands. Every task is in exactly one of these."""

    BLOCKED = "blocked"  # waits for an earlier stage
    PENDING = "pending"  # may be sent
    RUNNING = "running"  # taken from the project file by the engine
    WAITING = "waiting"  # to be tried again, not before a time
    PASSED = "passed"  # answered, every check ok
    REVIEW = "review"  # answered, doubtful: for a person
    ACCEPTED = "accepted"  # a person accepted or edited the answer
    REJECTED = "rejected"  # a person rejected the answer
    DEAD = "dead"  # dead letter: given up, with its ErrorKind
    SKIPPED = "skipped"  # not sent: empty, duplicate, filtered or unchanged, with the reason

    @property
    def is_open(self) -> bool:
        """Whether the run still has work with this task."""
        return self in OPEN_STATES


OPEN_STATES = frozenset(
    {TaskState.BLOCKED, TaskState.PENDING, TaskState.RUNNING, TaskState.WAITING}
)


class ErrorKind(StrEnum):
    """Why an attempt did not give a usable answer."""

    RATE_LIMITED = "rate_limited"  # 429: too often
    QUOTA_EXHAUSTED = "quota_exhausted"  # no credit left, or a daily quota used up
    OVERLOADED = "overloaded"  # 503, 529: too busy now
    SERVER_ERROR = "server_error"  # 500, 502, 504 and their like
    CONNECT_TIMEOUT = "connect_timeout"  # no connection in time
    CONNECT_FAILED = "connect_failed"  # refused, unknown host, or TLS not trusted
    READ_TIMEOUT = "read_timeout"  # connected, but the answer did not come in time
    CONNECTION_RESET = "connection_reset"  # the connection broke in the middle
    DEADLINE_EXCEEDED = "deadline_exceeded"  # the task's total time over all attempts is used up
    AUTH = "auth"  # 401: the key is wrong
    FORBIDDEN = "forbidden"  # 403: the key may not do this
    MODEL_NOT_FOUND = "model_not_found"  # 404: no such model, or no such address
    NOT_AN_API = "not_an_api"  # a web page or other text where a model service should answer
    BAD_REQUEST = "bad_request"  # 400, 422: the request itself is refused
    CONTEXT_TOO_LONG = "context_too_long"  # more tokens than the model's window
    PAYLOAD_TOO_LARGE = "payload_too_large"  # 413: more bytes than the service takes
    CONTENT_FILTERED = "content_filtered"  # the service's filter refused the text or the answer
    TRUNCATED = "truncated"  # the answer stopped at max_tokens
    MALFORMED_OUTPUT = "malformed_output"  # answered, but not in the asked form
    EMPTY_OUTPUT = "empty_output"  # answered with nothing
    MISALIGNED = "misaligned"  # the answer names another row
    TEMPLATE_FAILED = "template_failed"  # the prompt could not be rendered for this row
    STORAGE_FULL = "storage_full"  # the project file cannot grow; pauses a run, never blames a row
    INTERNAL = "internal"  # a fault of Batchdesk itself; the row is kept, the run goes on

    @property
    def is_of_answer(self) -> bool:
        """Whether the service did answer, only not usably: not a failed request."""
        return self in _OF_ANSWER


_OF_ANSWER = frozenset(
    {
        ErrorKind.CONTENT_FILTERED,
        ErrorKind.TRUNCATED,
        ErrorKind.MALFORMED_OUTPUT,
        ErrorKind.EMPTY_OUTPUT,
        ErrorKind.MISALIGNED,
    }
)


class SkipReason(StrEnum):
    """Why a task was not sent at all."""

    EMPTY = "empty"  # every column that the prompt uses is blank
    DUPLICATE = "duplicate"  # of a row that is sent for all that equal it
    FILTERED = "filtered"
    UNCHANGED = "unchanged"  # since an earlier import, and answered usably then
    TOO_LONG = "too_long"  # for the model's window
    PILOT = "pilot"  # answered in the pilot that this run goes on from


class Priority(StrEnum):
    """In which order tasks of one lane are sent; what stands behind still gets its share."""

    FRESH = "fresh"  # never tried
    BACKFILL = "backfill"  # done before, and asked for again by a person
    RETRY = "retry"  # tried without success


class RunKind(StrEnum):
    """What a run is for."""

    PREVIEW = "preview"
    PILOT = "pilot"
    FULL = "full"
    BASELINE = "baseline"
    CAPACITY = "capacity"


class RunState(StrEnum):
    """Where a run stands."""

    PREPARING = "preparing"  # its tasks are being made; a crash meanwhile leaves nothing of it
    READY = "ready"  # made, not started
    RUNNING = "running"
    PAUSED = "paused"  # by the person, or by a cause that is kept beside it
    STOPPED = "stopped"  # by the person; may be resumed
    FINISHED = "finished"  # no open task left


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that was sent for one task, as it is recorded.

    Times are seconds; ``started_at`` is seconds since the epoch (UTC).
    """

    task_id: int
    number: int  # 1 for the first
    batch_id: int  # which refill of the buffer the task came with
    trace_id: str
    idempotency_key: str
    started_at: float
    queue_s: float  # taken from the project file until sent
    service_s: float  # sent until the whole answer was here
    first_token_s: float | None  # only when streaming
    error_kind: ErrorKind | None
    error_message: str | None
    http_status: int | None
    counted: bool  # whether the row itself could be blamed (counts toward attempts_max)
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    request: str | None  # raw request body; no headers, so no key
    response: str | None  # raw response body
