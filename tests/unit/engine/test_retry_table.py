"""The retry table of the engine's design, one line per row of the table.

A line says what a service does once (or always) to one row among good ones, and what becomes of
the row: its state, how many requests it took, how many of them counted, whether they shared one
idempotency key, and whether the run paused.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.unit.engine.bench import Bench, Ends, FakeProvider, a_job, carry_out, row_of, texts

from batchdesk.domain.task import ErrorKind, RunState

ROWS = 30
BAD = "text 15"


@dataclass(frozen=True)
class Line:
    """What happens to one row: ``times`` failures (0: always), and what must come of it."""

    kind: ErrorKind
    times: int
    state: str
    attempts: int
    tries: int
    keys: int = 1
    paused: bool = False
    hint_s: float | None = None
    waits_s: float = 0.0  # at least, before the next request
    text: str | None = None
    finish_reason: str = "stop"


K = ErrorKind
TABLE = [
    # the row waits as told and is asked again, and no refusal counts
    Line(K.RATE_LIMITED, 1, "passed", 2, 1),
    Line(K.RATE_LIMITED, 1, "passed", 2, 1, hint_s=3.0, waits_s=3.0),
    Line(K.RATE_LIMITED, 7, "passed", 8, 1),
    # more than a rate: the run pauses, the row is as it was
    Line(K.RATE_LIMITED, 0, "pending", 1, 0, hint_s=86_400.0, paused=True),
    Line(K.QUOTA_EXHAUSTED, 0, "pending", 1, 0, paused=True),
    # backoff; the fifth try is the last; with a hint a 503 is a refusal
    Line(K.OVERLOADED, 1, "passed", 2, 2),
    Line(K.OVERLOADED, 7, "passed", 8, 1, hint_s=1.0, waits_s=1.0),
    Line(K.OVERLOADED, 0, "dead", 5, 5),
    Line(K.SERVER_ERROR, 4, "passed", 5, 5),
    Line(K.SERVER_ERROR, 0, "dead", 5, 5),
    # backoff under the same idempotency key
    Line(K.CONNECT_TIMEOUT, 2, "passed", 3, 3),
    Line(K.READ_TIMEOUT, 2, "passed", 3, 3),
    Line(K.READ_TIMEOUT, 0, "dead", 5, 5),
    Line(K.CONNECTION_RESET, 2, "passed", 3, 3),
    Line(K.CONNECTION_RESET, 0, "dead", 5, 5),
    # could not even be reached: never the row's fault
    Line(K.CONNECT_FAILED, 7, "passed", 8, 1),
    # the time of the task is used up
    Line(K.SERVER_ERROR, 0, "dead", 1, 1, hint_s=4000.0),
    # the account, the model, the address
    Line(K.AUTH, 0, "pending", 1, 0, paused=True),
    # … once others were answered these may be one row's alone
    Line(K.FORBIDDEN, 0, "dead", 5, 5),
    Line(K.MODEL_NOT_FOUND, 0, "dead", 5, 5),
    Line(K.NOT_AN_API, 1, "passed", 2, 2),
    # the request itself
    Line(K.BAD_REQUEST, 0, "dead", 1, 1),
    Line(K.CONTEXT_TOO_LONG, 0, "dead", 1, 1),
    Line(K.PAYLOAD_TOO_LARGE, 0, "dead", 1, 1),
    # the answer
    Line(K.CONTENT_FILTERED, 0, "review", 1, 1),
    Line(K.CONTENT_FILTERED, 0, "review", 1, 1, text="", finish_reason="content_filter"),
    Line(K.TRUNCATED, 1, "passed", 2, 2, keys=2, text='{"ec', finish_reason="length"),
    Line(K.TRUNCATED, 0, "review", 2, 2, keys=2, text='{"ec', finish_reason="length"),
    Line(K.MALFORMED_OUTPUT, 1, "passed", 2, 2, keys=2, text="no JSON at all"),
    Line(K.MALFORMED_OUTPUT, 0, "review", 2, 2, keys=2, text="no JSON at all"),
    Line(K.EMPTY_OUTPUT, 1, "passed", 2, 2, keys=2, text=" "),
    Line(K.EMPTY_OUTPUT, 0, "review", 2, 2, keys=2, text=" "),
]  # fmt: skip


def named(line):
    often = f"{line.times} times" if line.times else "always"
    return f"{line.kind} {often} hint {line.hint_s} {line.finish_reason}"


@pytest.mark.parametrize("line", TABLE, ids=named)
def test_that_each_row_of_the_table_is_carried_out(line):
    bench = Bench(texts(ROWS))
    run_id = bench.make_run()

    def script(request, number):
        if row_of(request) != BAD or (line.times and number > line.times):
            return Ends(0.2)
        if line.text is not None:
            return Ends(0.1, text=line.text, finish_reason=line.finish_reason)
        return Ends(0.1, line.kind, line.hint_s)

    provider = FakeProvider(script)
    state = carry_out(bench, run_id, provider, in_flight=4)
    task = bench.tasks(run_id)[BAD]
    sent = provider.by_row()[BAD]
    assert state is (RunState.PAUSED if line.paused else RunState.FINISHED)
    assert (task["state"], task["attempts"], task["tries"]) == (
        line.state,
        line.attempts,
        line.tries,
    )
    assert len({one.request.idempotency_key for one in sent}) == line.keys
    kinds = [one["error_kind"] for one in bench.attempts(run_id) if one["task_id"] == task["id"]]
    failures = line.attempts if line.state != "passed" else line.attempts - 1
    assert kinds[:failures] == [line.kind] * failures
    if line.waits_s:
        assert sent[1].at - sent[0].at >= line.waits_s
    if line.paused:
        assert bench.run_row(run_id) == ("paused", line.kind)
    else:
        others = {"passed": ROWS} if line.state == "passed" else {"passed": ROWS - 1, line.state: 1}
        assert bench.states(run_id) == others
    bench.assert_whole(run_id)


def test_that_an_answer_that_names_another_row_is_asked_for_once_more_and_then_reviewed():
    job = a_job(stage={"echo_key": True})
    for times, state, attempts in ((1, "passed", 2), (0, "review", 2)):
        bench = Bench(texts(10), job)
        run_id = bench.make_run()

        def script(request, number, times=times):
            key = f"key-{row_of(request).removeprefix('text ')}"
            is_bad = row_of(request) == "text 5" and (not times or number <= times)
            named = "key-1" if is_bad else key
            return Ends(text=f'{{"row_key": "{named}", "echo": "{row_of(request)}"}}')

        assert carry_out(bench, run_id, FakeProvider(script)) is RunState.FINISHED
        task = bench.tasks(run_id)["text 5"]
        assert (task["state"], task["attempts"]) == (state, attempts)
        first = next(one for one in bench.attempts(run_id) if one["task_id"] == task["id"])
        assert first["error_kind"] == "misaligned"


def test_that_an_answer_that_was_cut_is_kept_when_the_model_refuses_a_longer_one():
    bench = Bench(texts(10))
    run_id = bench.make_run()

    def script(request, number):
        if row_of(request) != "text 5":
            return Ends()
        if number > 1:
            assert request.max_tokens == 200  # four times the 50 of the job
            return Ends(0.1, K.BAD_REQUEST)
        return Ends(0.1, text='{"ec', finish_reason="length")

    assert carry_out(bench, run_id, FakeProvider(script)) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 9, "review": 1}
    task = bench.tasks(run_id)["text 5"]
    assert (task["error_kind"], task["attempts"]) == ("bad_request", 2)
    assert task["result_id"] is not None
    bench.assert_whole(run_id)


def test_that_every_kind_that_a_request_can_end_with_has_its_line():
    of_no_request = {K.TEMPLATE_FAILED, K.STORAGE_FULL, K.DEADLINE_EXCEEDED, K.INTERNAL}
    assert {line.kind for line in TABLE} | of_no_request | {K.MISALIGNED} == set(ErrorKind)
