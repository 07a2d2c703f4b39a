"""One attempt: the request for a task, the call, and what is made of its end.

A Courier builds requests, sends them through the provider and turns each ending into the outcome
that is to be written and the Ending that the gate hears. It writes nothing itself.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from batchdesk.domain.chat import ChatRequest, ChatResponse
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Cost, Ending
from batchdesk.engine.cause import told_to_wait
from batchdesk.engine.duration import ExpectedDuration, slow_timeouts
from batchdesk.engine.early_release import REFUSALS
from batchdesk.engine.estimate import TokenEstimate
from batchdesk.engine.lanes import Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.outage import OUTAGE_KINDS, Outages
from batchdesk.engine.outcome import Ended, after_answer, after_failure
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.run_clock import RunClock
from batchdesk.engine.snapshots import Flight
from batchdesk.errors import UserError
from batchdesk.providers.base import Provider, ProviderError
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What came of one attempt: to be written, to be heard by the gate, and as measured."""

    outcome: TaskOutcome
    ending: Ending
    ended: Ended


class Courier:
    """Carries the requests of one run.

    Args:
        expected: Learns how long rows take.
        clock: The run's active time.
        outages: Which failures are no row's fault.
        answered: Whether the service has answered any row of the run.
        on_cause: Is told of a failure that pauses the whole run.
        wall: The time of day in epoch seconds.
    """

    def __init__(
        self,
        *,
        run_id: int,
        plan: RunPlan,
        provider: Provider,
        meters: Meters,
        rng: random.Random,
        expected: ExpectedDuration,
        wall: Callable[[], float],
        clock: RunClock,
        outages: Outages,
        answered: Callable[[], bool],
        on_cause: Callable[[ErrorKind, str], None],
    ) -> None:
        self._run_id = run_id
        self._plan = plan
        self._provider = provider
        self._meters = meters
        self._rng = rng
        self._expected = expected
        self._wall = wall
        self._clock = clock
        self._outages = outages
        self._answered = answered
        self._on_cause = on_cause
        self._estimate = TokenEstimate(plan.max_tokens)

    def request(self, ready: Ready) -> ChatRequest:
        """The request for a task; one in the slow lane has that lane's time.

        Raises:
            RenderError: the prompt cannot be rendered for this row.
        """
        began, task = time.perf_counter(), ready.task
        request = self._plan.builder.build(
            row_key=self._sent_key(task),
            cells=task.cells,
            idempotency_key=self._key(ready),
            trace_id=f"{self._rng.getrandbits(64):016x}",
            content_try=task.content_try,
            fault=task.last_error,
            fault_detail=task.last_message or "",
            reviewer_note=task.note,
            is_slow=ready.slow,
        )
        if ready.slow:
            read_s, total_s = slow_timeouts(self._plan.limits, stream=request.stream)
            request = replace(request, timeout_read_s=read_s, timeout_total_s=total_s)
        self._meters.preparing_s += time.perf_counter() - began
        return request

    def _key(self, ready: Ready) -> str:
        """One key for every transport retry of one question, after a kill too."""
        key = f"batchdesk-{self._plan.project_uid}-{ready.task.id}-{ready.task.content_try}"
        return f"{key}-slow" if ready.slow and self._plan.builder.has_slow_note else key

    def _sent_key(self, task: ClaimedTask) -> str:
        return self._plan.builder.sent_key(task.row_key, task.row_id)

    def cost(self, ready: Ready, request: ChatRequest) -> Cost:
        """What a request is expected to use."""
        return Cost(self._estimate.tokens(request), is_long=ready.slow)

    async def carry(self, flight: Flight, request: ChatRequest) -> Delivery:
        """Call, check, decide. A bug on the way costs this row, not the run.

        Raises:
            UserError: a fault on our own side that stops the run.
        """
        started_at = self._wall()
        flight.expected_s = self._expected.seconds(flight.ready.task)
        answer: ChatResponse | ProviderError
        try:
            answer = await self._provider.chat(request)
        except ProviderError as error:
            answer = error
        except UserError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a service made us stumble over
            answer = self._bug(error)
        now = asyncio.get_running_loop().time()
        self._clock.beat(now)
        ended = self._ended(flight, request, started_at, now)
        outcome = self._outcome(flight, ended, answer)
        self._outages.decided(outcome, ended.active_s)
        failure = answer if isinstance(answer, ProviderError) else None
        ending = Ending(
            flight.ticket,
            now,
            tokens=flight.tokens,
            kind=outcome.attempt.error_kind if outcome.attempt else None,
            hint_s=failure.retry_after_s if failure else None,
            limits=answer.limits,
            # How long it took says nothing of the service if the computer slept meanwhile.
            cancelled=self._clock.jumped_since(flight.ticket.sent_at),
            blames_row=self._outages.blames(outcome.task_id),
        )
        return Delivery(outcome, ending, ended)

    def unwritable(self, ended: Ended, error: Exception) -> TaskOutcome:
        """The outcome of a task whose own outcome could not be written."""
        outcome = self._failed(ended, self._bug(error), ended.ended_at)
        self._outages.decided(outcome, ended.active_s)
        return outcome

    def _outcome(
        self, flight: Flight, ended: Ended, answer: ChatResponse | ProviderError
    ) -> TaskOutcome:
        if isinstance(answer, ProviderError):
            return self._failed(ended, answer, flight.ticket.sent_at)
        try:
            flight.tokens = self._meter_answer(ended, answer)
            return self._judge(ended, answer)
        except Exception as error:  # noqa: BLE001 - an answer that a check stumbles over
            bug = self._bug(error)
            bug.request_body, bug.response_body = answer.request_body, answer.response_body
            return self._failed(ended, bug, flight.ticket.sent_at)

    def _bug(self, error: Exception) -> ProviderError:
        """A fault of our own on one row's way, as that row's failure; its stack is logged."""
        _log.error("a bug on a row's way in run %s", self._run_id, exc_info=error)
        return ProviderError(
            ErrorKind.INTERNAL,
            f"Batchdesk itself failed on this row ({type(error).__name__}); the log says where",
        )

    def _ended(self, flight: Flight, request: ChatRequest, started_at: float, now: float) -> Ended:
        sent, ready = flight.ticket.sent_at, flight.ready
        # Tries may have been given back since the task was read.
        task, tries = ready.task, self._outages.tries(ready.task)
        if tries != task.tries:
            ready = replace(ready, task=replace(task, tries=tries))
        service_s = self._clock.between_s(sent, now)
        self._meters.service_s += service_s
        queue_s = self._clock.between_s(ready.claimed_at, sent)
        first_sent_s = self._clock.active_s(sent)
        if task.first_sent_s is not None:  # a slow pace must not use up the time of a row
            first_sent_s = min(first_sent_s, task.first_sent_s + queue_s)
        return Ended(
            ready=ready,
            request=request,
            started_at=started_at,
            ended_at=self._wall(),
            queue_s=queue_s,
            service_s=service_s,
            first_sent_s=first_sent_s,
            active_s=self._clock.active_s(now),
            input_version=self._plan.builder.input_version(task.cells),
        )

    def _meter_answer(self, ended: Ended, response: ChatResponse) -> float | None:
        """Count an answer; returns the tokens it used, None if the service did not say."""
        usage = response.usage
        self._expected.learn(ended.ready.task, ended.service_s)
        self._meters.answered(
            asyncio.get_running_loop().time(),
            service_s=ended.service_s,
            first_token_s=response.first_token_s,
            tokens=(usage.input_tokens or 0, usage.output_tokens or 0),
        )
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        self._estimate.learn(ended.request, usage.input_tokens, usage.output_tokens)
        return float(usage.input_tokens + usage.output_tokens)

    def _judge(self, ended: Ended, response: ChatResponse) -> TaskOutcome:
        began = time.perf_counter()
        key = self._sent_key(ended.ready.task)
        assessment = self._plan.checker.assess(response.choices, key)
        self._meters.checking_s += time.perf_counter() - began
        return after_answer(ended, response, assessment, self._plan.limits, self._rng)

    def _cause(self, error: ProviderError) -> tuple[ErrorKind, str]:
        """Refusals pause a run only with a long wait: its end is what a person wants to know."""
        if error.kind not in REFUSALS or error.retry_after_s is None:
            return error.kind, error.message
        now = self._wall()
        message = told_to_wait(now + error.retry_after_s, now, error.message)
        return ErrorKind.RATE_LIMITED, message

    def _failed(self, ended: Ended, error: ProviderError, sent_at: float) -> TaskOutcome:
        slept = error.kind in OUTAGE_KINDS and self._clock.jumped_since(sent_at)
        outcome, pauses = after_failure(
            ended,
            error,
            self._plan.limits,
            self._rng,
            answered=self._answered(),
            excused=slept or self._outages.excuses(error.kind, ended.ready.task, sent_at),
        )
        if pauses:
            self._on_cause(*self._cause(error))
        return outcome
