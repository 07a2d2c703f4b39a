from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from tests.unit.engine.bench import Bench, Ends, FakeProvider, always, carry_out

from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.engine.attempt_log import AttemptLog, line_of
from batchdesk.logs import open_logs
from batchdesk.store.tasks import TaskOutcome

ATTEMPT = Attempt(
    task_id=7,
    number=2,
    batch_id=3,
    trace_id="00ff",
    idempotency_key="batchdesk-uid-7-0",
    started_at=1_700_000_000.12345,
    queue_s=0.5,
    service_s=1.23456,
    first_token_s=None,
    error_kind=ErrorKind.RATE_LIMITED,
    error_message="You asked about: a row's text",
    http_status=429,
    counted=False,
    input_tokens=None,
    output_tokens=None,
    cached_tokens=None,
    reasoning_tokens=None,
    request="a row's text",
    response="a row's text",
)
OUTCOME = TaskOutcome(7, TaskState.WAITING, 1_700_000_002.0, ATTEMPT, due_at=1_700_000_032.5)


def test_that_a_line_holds_ids_kinds_and_times_and_nothing_of_a_row():
    assert json.loads(line_of(5, OUTCOME, 0.0123)) == {
        "at": 1_700_000_000.123,
        "run": 5,
        "batch": 3,
        "task": 7,
        "trace": "00ff",
        "attempt": 2,
        "error": "rate_limited",
        "http": 429,
        "counted": False,
        "state": "waiting",
        "queue_s": 0.5,
        "service_s": 1.235,
        "first_token_s": None,
        "writing_s": 0.012,
        "wait_s": 30.5,
        "input_tokens": None,
        "output_tokens": None,
    }


def test_that_a_task_that_was_never_sent_has_no_line():
    with pytest.raises(ValueError, match="task 7"):
        line_of(5, replace(OUTCOME, attempt=None), 0.0)


def test_that_lines_are_handed_over_together_and_once(caplog):
    log = AttemptLog(5)
    with caplog.at_level(logging.INFO, logger="batchdesk.attempts"):
        log.flush()
        log.add(OUTCOME, 0.0123)
        log.add(replace(OUTCOME, attempt=None), 0.0)  # never sent
        log.add(OUTCOME, 0.5)
        assert caplog.records == []
        log.flush()
        log.flush()
    [record] = caplog.records
    lines = [json.loads(line) for line in record.getMessage().splitlines()]
    assert [line["writing_s"] for line in lines] == [0.012, 0.5]


def test_that_a_run_logs_each_attempt_once_and_no_text(tmp_path):
    bench = Bench(["secret one", "secret two", "secret three"])
    run_id = bench.make_run()

    def script(request, number):
        return Ends(0.2, ErrorKind.SERVER_ERROR if number == 1 else None)

    with open_logs(tmp_path):
        carry_out(bench, run_id, FakeProvider(script))
    text = (tmp_path / "attempts.jsonl").read_text(encoding="utf-8")
    assert "secret" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert sorted((line["task"], line["attempt"], line["error"]) for line in lines) == [
        (1, 1, "server_error"), (1, 2, None), (2, 1, "server_error"), (2, 2, None),
        (3, 1, "server_error"), (3, 2, None),
    ]  # fmt: skip
    recorded = {(one["task_id"], one["number"]): one["trace_id"] for one in bench.attempts(run_id)}
    assert {(line["task"], line["attempt"]): line["trace"] for line in lines} == recorded


def test_that_nothing_is_made_where_no_log_is_open(caplog):
    bench = Bench(["one"])
    with caplog.at_level(logging.WARNING):
        carry_out(bench, bench.make_run(), FakeProvider(always(Ends())))
    assert caplog.records == []
