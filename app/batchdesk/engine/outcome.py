"""What becomes of a task after one attempt. Pure: an ending in, a record to be written out.

The runner measures and acts; here it is decided which state follows, what is recorded of the
attempt, and when the task may be sent again.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass

from batchdesk.domain.chat import ChatRequest, ChatResponse
from batchdesk.domain.job import Limits
from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.domain.verdict import Assessment, Verdict
from batchdesk.engine.lanes import Ready
from batchdesk.engine.retry import Action, Failure, RetryDecision, decide
from batchdesk.providers.base import ProviderError
from batchdesk.store.tasks import NewResult, TaskOutcome

_STATE_AFTER = {
    Action.RETRY: TaskState.WAITING,
    Action.REVIEW: TaskState.REVIEW,
    Action.DEAD: TaskState.DEAD,
    Action.PAUSE: TaskState.PENDING,
}
_MESSAGE_LENGTH = 1000  # of a service's own words; the raw response is kept beside


@dataclass(frozen=True, slots=True)
class Ended:
    """One request that has ended, as the runner measured it.

    Attributes:
        started_at: When it was sent, epoch seconds.
        ended_at: When it ended, epoch seconds.
        queue_s: From claimed to sent.
        service_s: From sent to ended.
        first_sent_s: The run's active time when the task was first sent, and what cost time since
            then through no fault of the row: refusals, and the wait in our own queue.
        active_s: The run's active time now.
    """

    ready: Ready
    request: ChatRequest
    started_at: float
    ended_at: float
    queue_s: float
    service_s: float
    first_sent_s: float
    active_s: float
    input_version: str


def after_answer(
    ended: Ended, response: ChatResponse, assessment: Assessment, limits: Limits, rng: random.Random
) -> TaskOutcome:
    """An answer that passed or is doubtful is a result; a bad one may earn one more try."""
    kind = assessment.error_kind
    result = _result(assessment)
    usage = response.usage
    if kind is None:
        decision = RetryDecision(Action.REVIEW)
        passed = assessment.verdict is Verdict.PASSED
        state = TaskState.PASSED if passed else TaskState.REVIEW
        message = None
    else:
        can_lengthen = ended.request.max_tokens is not None
        decision = decide(_failure(ended, kind, can_lengthen=can_lengthen), limits, rng)
        state = _STATE_AFTER[decision.action]
        message = finding_text(assessment)
    attempt = _attempt(
        ended,
        kind=kind,
        message=message,
        counted=decision.counted,
        first_token_s=response.first_token_s,
        http_status=response.http_status,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        request=response.request_body,
        response=response.response_body,
    )
    return _outcome(ended, state, decision, attempt, result=result)


def after_failure(
    ended: Ended,
    error: ProviderError,
    limits: Limits,
    rng: random.Random,
    *,
    answered: bool = False,
    excused: bool = False,
) -> tuple[TaskOutcome, bool]:
    """A request that failed: (what is recorded, whether the whole run must pause).

    Args:
        answered: Whether the service has answered other rows of the run.
        excused: Whether something other than the row explains the failure.
    """
    failure = _failure(
        ended, error.kind, hint_s=error.retry_after_s, answered=answered, excused=excused
    )
    decision = decide(failure, limits, rng)
    attempt = _attempt(
        ended,
        kind=error.kind,
        message=error.message[:_MESSAGE_LENGTH],
        counted=decision.counted,
        http_status=error.http_status,
        request=error.request_body,
        response=error.response_body,
    )
    state = _STATE_AFTER[decision.action]
    outcome = _outcome(ended, state, decision, attempt, result=None)
    return outcome, decision.action is Action.PAUSE


def unsendable(ready: Ready, message: str, at: float) -> TaskOutcome:
    """A task whose prompt cannot be rendered: a dead letter without a request."""
    task = ready.task
    return TaskOutcome(
        task_id=task.id,
        state=TaskState.DEAD,
        at=at,
        error_kind=ErrorKind.TEMPLATE_FAILED,
        error_message=message,
        tries=task.tries,
        content_try=task.content_try,
        first_sent_s=task.first_sent_s,
    )


def finding_text(assessment: Assessment) -> str:
    """The findings as one line of codes, for the log and for the note of the next try."""
    parts = []
    for result in assessment.results:
        where = f" at {result.path}" if result.path else ""
        what = result.detail.get("message", result.code)
        parts.append(f"{result.check}{where}: {what}")
    return "; ".join(parts)[:_MESSAGE_LENGTH]


def _failure(
    ended: Ended,
    kind: ErrorKind,
    *,
    hint_s: float | None = None,
    can_lengthen: bool = False,
    answered: bool = False,
    excused: bool = False,
) -> Failure:
    task = ended.ready.task
    return Failure(
        kind,
        tries=task.tries,
        attempts=task.attempts,
        content_try=task.content_try,
        hint_s=hint_s,
        can_lengthen=can_lengthen,
        lengthened=bool(task.content_try) and task.last_error is ErrorKind.TRUNCATED,
        answered=answered,
        excused=excused,
        active_s=ended.active_s - ended.first_sent_s,
    )


def _attempt(
    ended: Ended,
    *,
    kind: ErrorKind | None,
    message: str | None,
    counted: bool,
    http_status: int | None,
    request: str | None,
    response: str | None,
    first_token_s: float | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
    cached_tokens: int | None = None,
    reasoning_tokens: int | None = None,
) -> Attempt:
    task = ended.ready.task
    return Attempt(
        task_id=task.id,
        number=task.attempts + 1,
        batch_id=ended.ready.batch_id,
        trace_id=ended.request.trace_id,
        idempotency_key=ended.request.idempotency_key,
        started_at=ended.started_at,
        queue_s=ended.queue_s,
        service_s=ended.service_s,
        first_token_s=first_token_s,
        error_kind=kind,
        error_message=message,
        http_status=http_status,
        counted=counted,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cached_tokens=cached_tokens,
        reasoning_tokens=reasoning_tokens,
        request=request,
        response=response,
    )


def _outcome(
    ended: Ended,
    state: TaskState,
    decision: RetryDecision,
    attempt: Attempt,
    *,
    result: NewResult | None,
) -> TaskOutcome:
    task = ended.ready.task
    waits = state is TaskState.WAITING
    kind = ErrorKind.DEADLINE_EXCEEDED if decision.late else attempt.error_kind
    message = attempt.error_message
    if state.is_open and task.content_try and task.last_error and task.last_error.is_of_answer:
        # The next try repeats the question that mends this fault: same key, same words.
        kind, message = task.last_error, task.last_message
    return TaskOutcome(
        task_id=task.id,
        state=state,
        at=ended.ended_at,
        attempt=attempt,
        result=result,
        error_kind=kind,
        error_message=message,
        due_at=ended.ended_at + decision.wait_s if waits else None,
        tries=task.tries + (1 if decision.counted else 0),
        content_try=task.content_try + (1 if decision.asks_anew else 0),
        first_sent_s=ended.first_sent_s + _not_the_rows_s(ended, state, decision),
        input_version=ended.input_version,
    )


def _not_the_rows_s(ended: Ended, state: TaskState, decision: RetryDecision) -> float:
    """What a refusal cost, its wait included: the row's deadline moves by so much."""
    if state is not TaskState.WAITING or decision.counted:
        return 0.0
    return ended.service_s + decision.wait_s


def _result(assessment: Assessment) -> NewResult:
    return NewResult(
        verdict=assessment.verdict,
        answer=json.dumps(assessment.answer, ensure_ascii=False),
        confidence=assessment.confidence,
        repaired=assessment.repaired,
        checks=json.dumps([asdict(r) for r in assessment.results], ensure_ascii=False, default=str),
    )
