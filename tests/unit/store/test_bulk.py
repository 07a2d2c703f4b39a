"""One decision about many tasks: the same history and the same way back as for single ones."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.store.files import add_run, failed, in_memory, passed, task_ids

from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.store import bulk, reviews, runs, tasks
from batchdesk.store.bulk import Chosen
from batchdesk.store.tasks import NewResult

DEAD, REVIEW, PENDING = TaskState.DEAD, TaskState.REVIEW, TaskState.PENDING
FINISHED_AT = 1700000000.1234567


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


def a_run(connection: sqlite3.Connection) -> list[int]:
    """A finished run: 1 and 2 dead of a server error, 3 of a filter, 4 and 5 in review, 6 good."""
    run_id = add_run(connection, 6)
    found = task_ids(connection, run_id)
    for task_id in found[:2]:
        died = failed(task_id, ErrorKind.SERVER_ERROR, DEAD, tries=5, first_sent_s=0.1 + 0.2)
        tasks.record(connection, died)
    tasks.record(
        connection,
        failed(found[2], ErrorKind.CONTENT_FILTERED, DEAD, tries=1, content_try=1),
    )
    connection.execute("UPDATE task SET note = 'mind the tone' WHERE id = ?", (found[2],))
    doubtful = NewResult("review", '{"label": "x"}', 0.3, repaired=False, checks="[]")
    for task_id in found[3:5]:
        tasks.record(connection, passed(task_id, None, state=REVIEW, result=doubtful))
    tasks.record(connection, passed(found[5], {"label": "y"}))
    runs.set_state(connection, run_id, RunState.FINISHED)
    connection.execute("UPDATE run SET finished_at = ? WHERE id = ?", (FINISHED_AT, run_id))
    return found


@pytest.fixture
def ids(connection):
    return a_run(connection)


def rerun(connection, run_id=1, **chosen):
    return bulk.decide_many(
        connection, Chosen(run_id, DEAD, **chosen), Decision.RERUN,
        note=None, reviewer="Ana", at=2000.0,
    )  # fmt: skip


def states(connection):
    return [state for (state,) in connection.execute("SELECT state FROM task ORDER BY id")]


def everything(connection):
    return (
        connection.execute("SELECT * FROM task ORDER BY id").fetchall(),
        connection.execute("SELECT * FROM run ORDER BY id").fetchall(),
        runs.counts(connection, 1),
    )


def test_that_all_dead_letters_are_as_new_with_their_attempts_kept_and_their_note(connection, ids):
    assert rerun(connection) == [1, 2, 3]
    assert states(connection) == ["pending", "pending", "pending", "review", "review", "passed"]
    columns = "tries, attempts, content_try, error_kind, error_message, first_sent_s, due_at, note"
    found = connection.execute(f"SELECT {columns} FROM task WHERE id <= 3 ORDER BY id").fetchall()
    assert found == [
        (0, 1, 1, None, None, None, None, None),
        (0, 1, 1, None, None, None, None, None),
        (0, 1, 2, None, None, None, None, "mind the tone"),
    ]
    assert connection.execute("SELECT count(*) FROM attempt").fetchone() == (6,)
    assert runs.counts(connection, 1) == {PENDING: 3, REVIEW: 2, TaskState.PASSED: 1}


def test_that_a_finished_run_can_be_resumed_after_a_rerun(connection, ids):
    rerun(connection)
    run = runs.run(connection, 1)
    assert run is not None
    assert (run.state, run.finished_at) == (RunState.STOPPED, None)
    claimed = tasks.claim_pending(connection, 1, 10)
    assert [(one.id, one.content_try, one.tries) for one in claimed] == [
        (ids[0], 1, 0), (ids[1], 1, 0), (ids[2], 2, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("state", [RunState.RUNNING, RunState.PAUSED, RunState.STOPPED])
def test_that_a_run_that_has_not_finished_stays_as_it_is(connection, ids, state):
    runs.set_state(connection, 1, state)
    assert len(rerun(connection)) == 3
    run = runs.run(connection, 1)
    assert run is not None
    assert run.state is state


@pytest.mark.parametrize(
    ("chosen", "moved"),
    [
        ({"kinds": [ErrorKind.SERVER_ERROR]}, [1, 2]),
        ({"kinds": [ErrorKind.AUTH]}, []),
        ({"kinds": []}, []),
        ({"task_ids": [3]}, [3]),
        ({"task_ids": [2, 3, 4, 6, 99]}, [2, 3]),  # only dead letters
        ({"task_ids": []}, []),
        ({"task_ids": [1, 3], "kinds": [ErrorKind.CONTENT_FILTERED]}, [3]),
    ],
)
def test_that_only_what_was_chosen_is_asked_again(connection, ids, chosen, moved):
    before = everything(connection)
    assert len(rerun(connection, **chosen)) == len(moved)
    pending = connection.execute("SELECT id FROM task WHERE state = 'pending' ORDER BY id")
    assert [id_ for (id_,) in pending] == moved
    assert moved or everything(connection) == before


def test_that_other_runs_are_left_alone(connection, ids):
    other = add_run(connection, 2, states=[DEAD, DEAD], state=RunState.FINISHED)
    rerun(connection, task_ids=[1, *task_ids(connection, other)])
    assert runs.counts(connection, other) == {DEAD: 2}
    run = runs.run(connection, other)
    assert run is not None
    assert run.state is RunState.FINISHED


def test_that_each_rerun_is_in_the_history_of_its_row_like_a_single_one(connection, ids):
    single = add_run(connection, 1)
    (task_id,) = task_ids(connection, single)
    died = failed(task_id, ErrorKind.SERVER_ERROR, DEAD, tries=5, first_sent_s=0.1 + 0.2)
    tasks.record(connection, died)
    runs.set_state(connection, single, RunState.FINISHED)
    connection.execute("UPDATE run SET finished_at = ? WHERE id = ?", (FINISHED_AT, single))
    reviews.decide(
        connection, task_id=task_id, decision=Decision.RERUN, answer=None, note=None,
        reviewer="Ana", seconds=0.0, at=2000.0,
    )  # fmt: skip
    rerun(connection, task_ids=[ids[0]])
    columns = (
        "decision, before_state, before_result_id, after_result_id, note, reviewer, seconds,"
        " decided_at, undone_at"
    )
    one, many = connection.execute(f"SELECT {columns} FROM review ORDER BY id").fetchall()
    assert one == many
    kept_of_one, kept_of_many = (
        json.loads(text)
        for (text,) in connection.execute("SELECT before_task FROM review ORDER BY id")
    )
    assert kept_of_one == kept_of_many
    assert kept_of_many["finished_at"] == FINISHED_AT
    assert kept_of_many["first_sent_s"] == 0.1 + 0.2


def test_that_undoing_all_of_a_rerun_brings_everything_back(connection, ids):
    before = everything(connection)
    made = rerun(connection)
    assert bulk.undo_many(connection, made, 2001.0) == made[::-1]
    assert everything(connection) == before
    assert bulk.undo_many(connection, made, 2002.0) == []


def test_that_a_row_that_was_sent_since_is_not_taken_back(connection, ids):
    made = rerun(connection)
    tasks.claim_pending(connection, 1, 1)
    assert bulk.undo_many(connection, made, 2001.0) == made[:0:-1]
    assert states(connection)[:3] == ["running", "dead", "dead"]


@pytest.mark.parametrize(
    ("decision", "state"),
    [(Decision.ACCEPTED, TaskState.ACCEPTED), (Decision.REJECTED, TaskState.REJECTED)],
)
def test_that_many_doubtful_answers_are_decided_alike_and_the_others_stay(
    connection, ids, decision, state
):
    before = everything(connection)
    made = bulk.decide_many(
        connection, Chosen(1, REVIEW, task_ids=ids), decision, note="why", reviewer="B", at=5.0
    )
    assert states(connection) == ["dead", "dead", "dead", state, state, "passed"]
    assert [
        (one.note, one.reviewer, one.before) for one in reviews.of_task(connection, ids[3])
    ] == [("why", "B", {"label": "x"})]
    assert bulk.undo_many(connection, made, 6.0) == made[::-1]
    assert everything(connection) == before


def test_that_decisions_about_many_change_no_figure_of_the_time_for_one(connection, ids):
    rerun(connection)
    found = reviews.progress(connection, 1)
    assert (found.waiting, found.decided, found.mean_seconds) == (2, 0, None)
    reviews.decide(
        connection, task_id=ids[3], decision=Decision.ACCEPTED, answer=None, note=None,
        reviewer="", seconds=4.0, at=1.0,
    )  # fmt: skip
    bulk.decide_many(
        connection, Chosen(1, REVIEW), Decision.REJECTED, note=None, reviewer="", at=5.0
    )
    found = reviews.progress(connection, 1)
    assert (found.waiting, found.decided, found.mean_seconds) == (0, 2, 4.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["rerun", "undo", "die"]), st.sets(st.integers(1, 6)))))
def test_that_any_order_of_reruns_deaths_and_undoings_keeps_the_counters_and_the_run_true(steps):
    connection = in_memory()
    a_run(connection)
    made: list[int] = []
    for what, some in steps:
        if what == "rerun":
            made += rerun(connection, task_ids=sorted(some))
        elif what == "undo":
            bulk.undo_many(connection, made, 1.0)
            made.clear()
        else:
            for claimed in tasks.claim_pending(connection, 1, len(some)):
                again = failed(
                    claimed.id, ErrorKind.AUTH, DEAD, number=claimed.attempts + 1,
                    content_try=claimed.content_try,
                )  # fmt: skip
                tasks.record(connection, again)
        recount = dict(connection.execute("SELECT state, count(*) FROM task GROUP BY state"))
        assert {str(s): n for s, n in runs.counts(connection, 1).items()} == recount
        run = runs.run(connection, 1)
        assert run is not None
        assert run.state is not RunState.FINISHED or not recount.get("pending")
    connection.close()
