from __future__ import annotations

import json

import pytest
from tests.unit.store.files import add_run, add_table, attempt, failed, in_memory, passed, task_ids

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.store import results, runs, tasks
from batchdesk.store.tasks import NewResult, TaskOutcome

PENDING, RUNNING, WAITING = TaskState.PENDING, TaskState.RUNNING, TaskState.WAITING


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


def one(connection, task_id, *columns):
    found = connection.execute(
        f"SELECT {', '.join(columns)} FROM task WHERE id = ?", (task_id,)
    ).fetchone()
    return found if len(columns) > 1 else found[0]


def test_that_pending_tasks_are_claimed_once_in_the_order_of_the_table(connection):
    run_id = add_run(connection, 5)
    first = tasks.claim_pending(connection, run_id, 3)
    second = tasks.claim_pending(connection, run_id, 3)
    assert [task.row_key for task in first] == ["k1", "k2", "k3"]
    assert [task.row_key for task in second] == ["k4", "k5"]
    assert tasks.claim_pending(connection, run_id, 3) == []
    assert first[0].cells == {"text": "text 1"}
    assert (first[0].tries, first[0].attempts, first[0].content_try) == (0, 0, 0)
    assert (first[0].last_error, first[0].first_sent_s) == (None, None)
    assert runs.counts(connection, run_id) == {RUNNING: 5}


def test_that_only_pending_tasks_of_the_run_are_claimed(connection):
    states = [TaskState.PASSED, PENDING, WAITING, TaskState.DEAD, TaskState.SKIPPED, RUNNING]
    run_id = add_run(connection, 6, states=states)
    other = add_run(connection, 2)
    assert [task.row_key for task in tasks.claim_pending(connection, run_id, 10)] == ["k2"]
    assert runs.counts(connection, other) == {PENDING: 2}


def asked_again(connection, run_id, last):
    """The first so many rows of a run are asked for again."""
    connection.execute(
        "UPDATE task SET content_try = 1 WHERE run_id = ? AND id IN"
        " (SELECT id FROM task WHERE run_id = ? ORDER BY id LIMIT ?)",
        (run_id, run_id, last),
    )


@pytest.mark.parametrize(
    ("count", "again", "keys"),
    [
        (20, None, [*range(51, 69), 1, 2]),
        (20, 1, [*range(51, 70), 1]),
        (20, 0, [*range(51, 71)]),
        (5, 10, [51, 52, 53, 54, 1]),
        (70, 0, [*range(51, 101), *range(1, 21)]),  # no more new ones
    ],
)
def test_that_rows_asked_for_again_do_not_stand_before_new_ones(connection, count, again, keys):
    run_id = add_run(connection, 100)
    asked_again(connection, run_id, 50)
    claimed = tasks.claim_pending(connection, run_id, count, again)
    assert [task.row_key for task in claimed] == [f"k{n}" for n in keys]


def test_that_every_row_is_claimed_once_whatever_is_asked_again(connection):
    run_id, taken = add_run(connection, 100), []
    asked_again(connection, run_id, 30)
    while claimed := tasks.claim_pending(connection, run_id, 7):
        taken += [task.row_key for task in claimed]
    assert len(taken) == 100
    assert set(taken) == {f"k{n}" for n in range(1, 101)}


def test_that_running_tasks_are_read_again_and_others_are_not(connection):
    run_id = add_run(connection, 5)
    first, second, third = task_ids(connection, run_id)[:3]
    tasks.claim_pending(connection, run_id, 2)
    read = tasks.claimed(connection, [third, second, first])
    assert [task.id for task in read] == [first, second]
    assert read[0].cells == {"text": "text 1"}
    assert runs.counts(connection, run_id) == {RUNNING: 2, PENDING: 3}


def test_that_waiting_tasks_are_claimed_by_id_the_earliest_due_first(connection):
    run_id = add_run(connection, 4)
    ids = task_ids(connection, run_id)
    for task_id, due_at in zip(ids, (30.0, 10.0, 20.0), strict=False):
        outcome = failed(task_id, ErrorKind.SERVER_ERROR, WAITING, due_at=due_at)
        tasks.record(connection, outcome)
    claimed = tasks.claim_waiting(connection, ids)  # the fourth is pending, not waiting
    assert [task.row_key for task in claimed] == ["k2", "k3", "k1"]
    assert {task.last_error for task in claimed} == {ErrorKind.SERVER_ERROR}
    assert (claimed[0].tries, claimed[0].attempts, claimed[0].last_message) == (1, 1, "no")
    assert tasks.claim_waiting(connection, ids) == []


def test_that_release_gives_back_what_is_running_and_nothing_else(connection):
    run_id = add_run(connection, 4, states=[RUNNING, TaskState.PASSED, RUNNING, WAITING])
    other = add_run(connection, 1, states=[RUNNING])
    tasks.release(connection, run_id)
    assert runs.counts(connection, run_id) == {PENDING: 2, TaskState.PASSED: 1, WAITING: 1}
    assert runs.counts(connection, other) == {RUNNING: 1}


def test_that_a_good_answer_is_recorded_with_attempt_exchange_and_result(connection):
    run_id = add_run(connection, 1)
    (task_id,) = task_ids(connection, run_id)
    tasks.record(connection, passed(task_id, {"label": "好"}))
    assert one(connection, task_id, "state", "tries", "attempts", "first_sent_s") == (
        "passed", 1, 1, 0.5,
    )  # fmt: skip
    result_id = one(connection, task_id, "result_id")
    assert connection.execute(
        "SELECT task_id, attempt_id, verdict, answer, confidence, repaired FROM result"
        " WHERE id = ?", (result_id,)
    ).fetchone() == (task_id, 1, "passed", json.dumps({"label": "好"}), 0.9, 0)  # fmt: skip
    assert connection.execute("SELECT request, response FROM exchange").fetchall() == [
        ("sent", "got")
    ]
    assert connection.execute(
        "SELECT number, batch_id, trace_id, idempotency_key, started_at, queue_s, service_s,"
        " http_status, counted, input_tokens, output_tokens FROM attempt"
    ).fetchall() == [(1, 1, "t", "i", 1000.0, 0.1, 0.2, 200, 1, 10, 5)]


def test_that_a_failure_keeps_an_earlier_answer_and_a_success_clears_the_error(connection):
    run_id = add_run(connection, 1)
    (task_id,) = task_ids(connection, run_id)
    bad = NewResult("review", '"Sorry"', None, repaired=False, checks="[]")
    tasks.record(
        connection,
        failed(task_id, ErrorKind.MALFORMED_OUTPUT, WAITING, result=bad, content_try=1),
    )
    tasks.record(connection, failed(task_id, ErrorKind.SERVER_ERROR, WAITING, number=2))
    assert one(connection, task_id, "result_id", "error_kind", "attempts") == (
        1, "server_error", 2,
    )  # fmt: skip
    tasks.record(connection, passed(task_id, {"label": "x"}, number=3))
    assert one(connection, task_id, "result_id", "error_kind", "error_message", "due_at") == (
        2, None, None, None,
    )  # fmt: skip
    assert connection.execute("SELECT count(*) FROM result").fetchone() == (2,)


def test_that_a_task_may_end_without_an_attempt(connection):
    run_id = add_run(connection, 1)
    (task_id,) = task_ids(connection, run_id)
    tasks.record(
        connection,
        TaskOutcome(task_id, TaskState.DEAD, 5.0, error_kind=ErrorKind.TEMPLATE_FAILED),
    )
    assert one(connection, task_id, "state", "attempts") == ("dead", 0)
    assert connection.execute("SELECT count(*) FROM attempt").fetchone() == (0,)


def test_that_an_answer_for_a_task_that_is_not_there_is_refused_whole(connection):
    connection.execute("BEGIN")
    with pytest.raises(Exception, match="FOREIGN KEY"):
        tasks.record(connection, passed(99, {"label": "x"}))
    connection.execute("ROLLBACK")
    assert connection.execute("SELECT count(*) FROM result").fetchone() == (0,)


def test_that_what_waits_is_listed_with_its_time_and_kind(connection):
    run_id = add_run(connection, 3)
    first, second, _ = task_ids(connection, run_id)
    tasks.record(connection, failed(first, ErrorKind.RATE_LIMITED, WAITING, due_at=50.0))
    tasks.record(connection, failed(second, ErrorKind.READ_TIMEOUT, TaskState.DEAD))
    (found,) = tasks.waiting(connection, run_id)
    assert (found.id, found.row_key, found.due_at) == (first, "k1", 50.0)
    assert (found.attempts, found.kind) == (1, ErrorKind.RATE_LIMITED)


def test_that_only_good_answers_are_reusable_and_the_latest_of_them(connection):
    table = add_table(connection, [{"text": "a"}, {"text": "b"}, {"text": "c"}])
    first = add_run(connection, 3, dataset_id=table)
    second = add_run(connection, 3, dataset_id=table)
    for run_id in (first, second):
        one_, two, three = task_ids(connection, run_id)
        tasks.record(connection, passed(one_, {"label": "x"}, input_version="v1"))
        tasks.record(
            connection, passed(two, {"label": "y"}, input_version="v2", state=TaskState.REVIEW)
        )
        tasks.record(
            connection, passed(three, {"label": "z"}, input_version="v3", state=TaskState.ACCEPTED)
        )
    assert tasks.reusable(connection, ["v1", "v2", "v3", "v4"]) == {"v1": 4, "v3": 6}
    assert tasks.reusable(connection, []) == {}


def test_that_a_reused_answer_is_a_copy_that_names_its_origin(connection):
    table = add_table(connection, [{"text": "a"}])
    (old,) = task_ids(connection, add_run(connection, 1, dataset_id=table))
    tasks.record(connection, passed(old, {"label": "x"}, input_version="v1"))
    (new,) = task_ids(connection, add_run(connection, 1, dataset_id=table))
    tasks.record(connection, failed(new, ErrorKind.AUTH, PENDING))  # a pause by cause before
    tasks.record_reused(connection, [(new, "v1", 1)], 77.0)
    assert one(connection, new, "state", "input_version", "result_id", "error_kind") == (
        "passed", "v1", 2, None,
    )  # fmt: skip
    assert connection.execute(
        "SELECT task_id, attempt_id, reused_result_id, verdict, answer, created_at FROM result"
        " WHERE id = 2"
    ).fetchone() == (new, None, 1, "passed", '{"label": "x"}', 77.0)


def test_that_keys_and_cells_of_any_script_come_back_as_they_were(connection):
    cells = {"text": "评论 'x' \"y\" \\ \u2028", "empty": "", "none": None}
    run_id = add_run(connection, 1, dataset_id=add_table(connection, [cells]))
    (claimed,) = tasks.claim_pending(connection, run_id, 1)
    assert claimed.cells == cells


def test_that_attempts_are_numbered_as_given(connection):
    run_id = add_run(connection, 1)
    (task_id,) = task_ids(connection, run_id)
    for number in (1, 2):
        outcome = passed(task_id, {"label": "x"}, attempt=attempt(task_id, number))
        tasks.record(connection, outcome)
    assert connection.execute("SELECT number FROM attempt").fetchall() == [(1,), (2,)]
    assert one(connection, task_id, "attempts") == 2


def test_that_token_counts_that_cannot_be_are_left_out_and_the_sums_hold(connection):
    run_id = add_run(connection, 4)
    for task_id, tokens in zip(task_ids(connection, run_id), (2**62, 2**62, -1, 7), strict=True):
        counts = {"input_tokens": tokens, "output_tokens": 2**70 if tokens != 7 else 3}
        outcome = passed(task_id, "x", attempt=attempt(task_id, **counts))
        tasks.record(connection, outcome)
    totals = results.totals(connection, run_id)
    assert (totals.requests, totals.input_tokens, totals.output_tokens) == (4, 7, 3)
