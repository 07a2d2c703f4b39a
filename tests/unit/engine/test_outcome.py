from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice, Message, Usage
from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.domain.verdict import Assessment, CheckOutcome, CheckResult
from batchdesk.engine.lanes import Ready
from batchdesk.engine.outcome import Ended, after_answer, after_failure, finding_text, unsendable
from batchdesk.providers.base import ProviderError
from batchdesk.store.tasks import ClaimedTask

RNG = random.Random(1)
FRESH = ClaimedTask(7, 70, "row-70", {"text": "hello"}, 0, 0, 0, None, None, None)
REQUEST = ChatRequest(
    "m", (Message("user", "hello"),), idempotency_key="key-0", trace_id="trace", max_tokens=50
)
RESPONSE = ChatResponse(
    (Choice("{}"),), Usage(100, 20, 30, 4), 200, "sent body", "received body", first_token_s=0.4
)


def ended(task=FRESH, *, request=REQUEST, active_s=12.0, first_sent_s=10.0):
    return Ended(
        ready=Ready(task, batch_id=3, claimed_at=0.0),
        request=request,
        started_at=1000.0,
        ended_at=1002.0,
        queue_s=0.5,
        service_s=2.0,
        first_sent_s=first_sent_s,
        active_s=active_s,
        input_version="version",
    )


def answered(assessment, task=FRESH, **changes):
    return after_answer(ended(task, **changes), RESPONSE, assessment, Limits(), RNG)


def failed(kind, task=FRESH, *, hint_s=None, **changes):
    error = ProviderError(
        kind, "it broke " * 300, http_status=503, retry_after_s=hint_s, request_body="sent",
        response_body="got",
    )  # fmt: skip
    return after_failure(ended(task, **changes), error, Limits(), RNG)


def test_that_a_good_answer_passes_and_everything_about_it_is_recorded():
    outcome = answered(Assessment({"a": "é"}, (), confidence=0.9))
    assert (outcome.task_id, outcome.state, outcome.at) == (7, TaskState.PASSED, 1002.0)
    assert outcome.result is not None
    assert outcome.result.answer == '{"a": "é"}'
    assert (outcome.result.verdict, outcome.result.confidence) == ("passed", 0.9)
    assert outcome.result.checks == "[]"
    attempt = outcome.attempt
    assert attempt is not None
    assert (attempt.number, attempt.batch_id, attempt.trace_id) == (1, 3, "trace")
    assert attempt.idempotency_key == "key-0"
    assert (attempt.started_at, attempt.queue_s, attempt.service_s) == (1000.0, 0.5, 2.0)
    assert (attempt.first_token_s, attempt.http_status) == (0.4, 200)
    assert (attempt.input_tokens, attempt.output_tokens) == (100, 20)
    assert (attempt.cached_tokens, attempt.reasoning_tokens) == (30, 4)
    assert (attempt.request, attempt.response) == ("sent body", "received body")
    assert (outcome.error_kind, outcome.due_at) == (None, None)
    assert (outcome.first_sent_s, outcome.input_version) == (10.0, "version")


def test_that_a_doubtful_answer_goes_to_a_person_with_its_findings():
    doubt = CheckResult("confidence", CheckOutcome.DOUBTFUL, "low", detail={"value": 0.3})
    outcome = answered(Assessment({"a": 1}, (doubt,)))
    assert outcome.state is TaskState.REVIEW
    assert outcome.error_kind is None
    assert outcome.result is not None
    assert json.loads(outcome.result.checks) == [
        {"check": "confidence", "outcome": "doubtful", "code": "low", "path": "",
         "detail": {"value": 0.3}}
    ]  # fmt: skip


BAD = Assessment(
    "Sorry", (CheckResult("parsable", CheckOutcome.BAD, "no_json"),), ErrorKind.MALFORMED_OUTPUT
)


def test_that_a_malformed_answer_waits_for_one_more_try_with_a_new_key():
    outcome = answered(BAD)
    assert (outcome.state, outcome.due_at) == (TaskState.WAITING, 1002.0)
    assert (outcome.content_try, outcome.tries) == (1, 1)
    assert outcome.error_kind is ErrorKind.MALFORMED_OUTPUT
    assert outcome.error_message == "parsable: no_json"
    assert outcome.result is not None  # what came is kept, in case nothing better does


def test_that_a_second_malformed_answer_goes_to_a_person():
    again = replace(FRESH, tries=1, attempts=1, content_try=1)
    outcome = answered(BAD, again)
    assert (outcome.state, outcome.content_try, outcome.tries) == (TaskState.REVIEW, 1, 2)
    assert outcome.attempt is not None
    assert outcome.attempt.number == 2


@pytest.mark.parametrize(("max_tokens", "state"), [(50, "waiting"), (None, "review")])
def test_that_an_answer_cut_off_is_tried_longer_only_where_there_is_a_limit(max_tokens, state):
    cut = Assessment("{", (), ErrorKind.TRUNCATED)
    assert answered(cut, request=replace(REQUEST, max_tokens=max_tokens)).state == state


def test_that_a_failure_that_passes_waits_with_the_same_content_try():
    outcome, pauses = failed(ErrorKind.SERVER_ERROR, hint_s=9.0)
    assert pauses is False
    assert (outcome.state, outcome.due_at) == (TaskState.WAITING, 1011.0)
    assert (outcome.tries, outcome.content_try, outcome.result) == (1, 0, None)
    attempt = outcome.attempt
    assert attempt is not None
    assert (attempt.error_kind, attempt.http_status, attempt.counted) == ("server_error", 503, True)
    assert attempt.error_message == ("it broke " * 300)[:1000]
    assert (attempt.request, attempt.response) == ("sent", "got")
    assert attempt.input_tokens is None


def test_that_a_refusal_does_not_count():
    outcome, _ = failed(ErrorKind.RATE_LIMITED)
    assert outcome.tries == 0
    assert outcome.attempt is not None
    assert outcome.attempt.counted is False


def test_that_a_cause_for_everybody_pauses_and_gives_the_row_back():
    outcome, pauses = failed(ErrorKind.AUTH)
    assert pauses is True
    assert (outcome.state, outcome.due_at, outcome.tries) == (TaskState.PENDING, None, 0)


def test_that_the_last_try_is_a_dead_letter_with_its_kind():
    outcome, pauses = failed(ErrorKind.READ_TIMEOUT, replace(FRESH, tries=4, attempts=9))
    assert (outcome.state, outcome.error_kind) == (TaskState.DEAD, ErrorKind.READ_TIMEOUT)
    assert (outcome.tries, pauses) == (5, False)
    assert outcome.attempt is not None
    assert outcome.attempt.number == 10


def test_that_a_row_out_of_time_says_so_and_its_attempt_says_what_happened():
    outcome, _ = failed(ErrorKind.SERVER_ERROR, active_s=3610.1, first_sent_s=10.0)
    assert (outcome.state, outcome.error_kind) == (TaskState.DEAD, ErrorKind.DEADLINE_EXCEEDED)
    assert outcome.attempt is not None
    assert outcome.attempt.error_kind is ErrorKind.SERVER_ERROR


def test_that_a_refusal_moves_the_deadline_by_what_it_cost():
    outcome, _ = failed(ErrorKind.RATE_LIMITED, active_s=3610.1, first_sent_s=10.0, hint_s=30.0)
    assert (outcome.state, outcome.due_at) == (TaskState.WAITING, 1032.0)
    assert outcome.first_sent_s == 42.0  # 2 s of service and 30 s of waiting later
    blamed, _ = failed(ErrorKind.SERVER_ERROR, first_sent_s=10.0, hint_s=30.0)
    assert blamed.first_sent_s == 10.0


@pytest.mark.parametrize("kind", [ErrorKind.SERVER_ERROR, ErrorKind.AUTH, ErrorKind.RATE_LIMITED])
def test_that_a_fault_to_be_mended_is_remembered_over_failures_in_between(kind):
    asked_anew = replace(
        FRESH, tries=1, attempts=1, content_try=1,
        last_error=ErrorKind.TRUNCATED, last_message="cut off",
    )  # fmt: skip
    outcome, _ = failed(kind, asked_anew)
    assert (outcome.error_kind, outcome.error_message) == (ErrorKind.TRUNCATED, "cut off")
    assert outcome.attempt is not None
    assert outcome.attempt.error_kind is kind


def test_that_a_dead_letter_is_named_by_its_last_failure():
    asked_anew = replace(FRESH, tries=4, attempts=4, content_try=1, last_error=ErrorKind.TRUNCATED)
    outcome, _ = failed(ErrorKind.SERVER_ERROR, asked_anew)
    assert (outcome.state, outcome.error_kind) == (TaskState.DEAD, ErrorKind.SERVER_ERROR)


def test_that_a_prompt_that_cannot_be_rendered_is_dead_without_an_attempt():
    task = replace(FRESH, tries=2, content_try=1, first_sent_s=4.0)
    outcome = unsendable(Ready(task, 1, 0.0), "no column x", 99.0)
    assert (outcome.state, outcome.error_kind) == (TaskState.DEAD, ErrorKind.TEMPLATE_FAILED)
    assert (outcome.attempt, outcome.result, outcome.at) == (None, None, 99.0)
    assert (outcome.tries, outcome.content_try, outcome.first_sent_s) == (2, 1, 4.0)


def test_that_findings_become_one_line():
    results = (
        CheckResult("schema", CheckOutcome.BAD, "type", "items/0", {"message": "3 is not text"}),
        CheckResult("required", CheckOutcome.BAD, "blank", "name"),
    )
    text = finding_text(Assessment({}, results))
    assert text == "schema at items/0: 3 is not text; required at name: blank"
