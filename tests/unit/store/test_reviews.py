"""Decisions of people: what each does to its task and its run, and that undoing undoes all of it."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.store.files import add_run, add_table, failed, in_memory, passed, task_ids

from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.store import reviews, runs, tasks
from batchdesk.store.reviews import QueueFilter, ReviewProgress
from batchdesk.store.tasks import NewResult

REVIEW, DEAD, PENDING = TaskState.REVIEW, TaskState.DEAD, TaskState.PENDING
ACCEPTED, REJECTED = TaskState.ACCEPTED, TaskState.REJECTED


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


@pytest.fixture
def ids(connection):
    """Tasks of a finished run: three in review, one dead without an answer, one passed."""
    return made_run(connection)


def made_run(connection: sqlite3.Connection) -> list[int]:
    cells: list[dict[str, str | None]] = [
        {"text": text} for text in ("Straße “A”", "cold tea", "TEXT", None, "a\nb")
    ]
    run_id = add_run(connection, 5, dataset_id=add_table(connection, cells))
    found = task_ids(connection, run_id)
    doubts = [
        ("confidence", "low", 0.4),
        ("labels", "not_allowed", None),
        ("confidence", "low", 0.2),
    ]
    for task_id, (check, code, confidence) in zip(found, doubts, strict=False):
        checks = json.dumps([{"check": check, "code": code}, {"check": "other", "code": "x"}])
        result = NewResult("review", '{"label": "bad"}', confidence, repaired=False, checks=checks)
        tasks.record(connection, passed(task_id, None, state=REVIEW, result=result, content_try=1))
    tasks.record(
        connection,
        failed(found[3], ErrorKind.SERVER_ERROR, DEAD, tries=5, first_sent_s=2.5),
    )
    tasks.record(connection, passed(found[4], {"label": "good"}))
    runs.set_state(connection, run_id, RunState.FINISHED)
    connection.execute("UPDATE run SET finished_at = 1700000000.123456 WHERE id = ?", (run_id,))
    return found


def decide(connection, task_id, decision, **more):
    values = {"answer": None, "note": None, "reviewer": "Ana", "seconds": 4.0, "at": 2000.0}
    return reviews.decide(connection, task_id=task_id, decision=decision, **{**values, **more})


def task(connection, task_id):
    """(state, result_id, content_try, tries, note, error_kind, error_message, first_sent_s)."""
    return connection.execute(
        "SELECT state, result_id, content_try, tries, note, error_kind, error_message,"
        " first_sent_s FROM task WHERE id = ?",
        (task_id,),
    ).fetchone()


def run_row(connection):
    return connection.execute("SELECT state, finished_at FROM run").fetchone()


def everything(connection):
    """What decisions may change and undoing brings back."""
    return (
        connection.execute("SELECT * FROM task ORDER BY id").fetchall(),
        connection.execute("SELECT * FROM run").fetchall(),
        runs.counts(connection, 1),
    )


def answers(connection, task_id):
    """All answers that were ever kept of a task, the oldest first."""
    found = connection.execute(
        "SELECT answer FROM result WHERE task_id = ? ORDER BY id", (task_id,)
    )
    return [json.loads(answer) for (answer,) in found]


# -- each decision ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "state"), [(Decision.ACCEPTED, ACCEPTED), (Decision.REJECTED, REJECTED)]
)
def test_that_accepting_and_rejecting_move_the_task_and_nothing_else(
    connection, ids, decision, state
):
    before = task(connection, ids[0])
    assert decide(connection, ids[0], decision, note="why") == 1
    assert task(connection, ids[0]) == (state, *before[1:])
    assert run_row(connection) == ("finished", 1700000000.123456)


def test_that_an_edited_answer_stands_beside_the_one_of_the_model(connection, ids):
    model_result = task(connection, ids[0])[1]
    decide(connection, ids[0], Decision.EDITED, answer='{"label": "好"}')
    after = task(connection, ids[0])
    assert after[0] == ACCEPTED
    assert after[1] != model_result
    assert answers(connection, ids[0]) == [{"label": "bad"}, {"label": "好"}]
    (review,) = reviews.of_task(connection, ids[0])
    assert (review.before, review.after) == ({"label": "bad"}, {"label": "好"})
    assert connection.execute(
        "SELECT attempt_id, verdict, checks FROM result WHERE id = ?", (after[1],)
    ).fetchone() == (None, "passed", "[]")


def test_that_a_rerun_makes_the_task_as_new_with_a_note_and_pauses_the_finished_run(
    connection, ids
):
    result = task(connection, ids[0])[1]
    decide(connection, ids[0], Decision.RERUN, note="look at the tone")
    assert task(connection, ids[0]) == (
        *(PENDING, result, 2, 0, "look at the tone"),
        *(None, None, None),
    )
    assert run_row(connection) == ("paused", None)
    (claimed,) = tasks.claim_pending(connection, 1, 10)
    assert (claimed.id, claimed.note, claimed.content_try) == (ids[0], "look at the tone", 2)


def test_that_a_dead_letter_can_be_asked_again_or_answered_by_hand(connection, ids):
    decide(connection, ids[3], Decision.RERUN)
    assert task(connection, ids[3]) == (PENDING, None, 1, 0, None, None, None, None)
    reviews.undo(connection, 1, 2001.0)
    decide(connection, ids[3], Decision.EDITED, answer='{"label": "bad"}')
    assert task(connection, ids[3])[0] == ACCEPTED
    assert answers(connection, ids[3]) == [{"label": "bad"}]


@pytest.mark.parametrize("state", [RunState.RUNNING, RunState.STOPPED, RunState.READY])
def test_that_a_rerun_leaves_a_run_alone_that_has_not_finished(connection, ids, state):
    runs.set_state(connection, 1, state)
    review_id = decide(connection, ids[0], Decision.RERUN)
    assert run_row(connection)[0] == state
    reviews.undo(connection, review_id, 2001.0)
    assert run_row(connection)[0] == state


@pytest.mark.parametrize(
    "state",
    [TaskState.PENDING, TaskState.RUNNING, TaskState.WAITING, TaskState.SKIPPED, TaskState.BLOCKED],
)
def test_that_nothing_is_decided_about_a_task_that_waits_for_no_person(connection, ids, state):
    connection.execute("UPDATE task SET state = ? WHERE id = ?", (state, ids[0]))
    before = everything(connection)
    assert decide(connection, ids[0], Decision.ACCEPTED) is None
    assert decide(connection, 99, Decision.ACCEPTED) is None
    assert everything(connection) == before
    assert connection.execute("SELECT count(*) FROM review").fetchone() == (0,)


# -- undoing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("which", range(5))
def test_that_undoing_brings_the_task_and_its_run_back(connection, ids, decision, which):
    before = everything(connection)
    review_id = decide(connection, ids[which], decision, answer='{"label": "x"}', note="n")
    assert everything(connection) != before
    assert reviews.undo(connection, review_id, 2001.0)
    assert everything(connection) == before
    assert reviews.of_task(connection, ids[which])[0].undone


def test_that_a_decision_is_undone_once(connection, ids):
    review_id = decide(connection, ids[0], Decision.ACCEPTED)
    assert reviews.undo(connection, review_id, 2001.0)
    decide(connection, ids[0], Decision.ACCEPTED)
    assert not reviews.undo(connection, review_id, 2002.0)
    assert not reviews.undo(connection, 99, 2002.0)
    assert task(connection, ids[0])[0] == ACCEPTED


def test_that_an_earlier_decision_is_not_undone_under_a_later_one(connection, ids):
    first = decide(connection, ids[0], Decision.ACCEPTED)
    second = decide(connection, ids[0], Decision.ACCEPTED)
    assert not reviews.undo(connection, first, 2001.0)
    assert task(connection, ids[0])[0] == ACCEPTED
    assert reviews.undo(connection, second, 2002.0)
    assert task(connection, ids[0])[0] == ACCEPTED
    assert reviews.undo(connection, first, 2003.0)
    assert task(connection, ids[0])[0] == REVIEW


def test_that_the_latest_decision_is_the_newest_that_can_be_undone(connection, ids):
    assert reviews.latest(connection, 1) is None
    first = decide(connection, ids[0], Decision.EDITED, answer='{"label": "x"}')
    second = decide(connection, ids[1], Decision.REJECTED)
    decide(connection, ids[2], Decision.RERUN)
    tasks.claim_pending(connection, 1, 1)  # the row of the rerun is on its way
    found = reviews.latest(connection, 1)
    assert found is not None
    assert (found.id, found.task_id, found.decision) == (second, ids[1], Decision.REJECTED)
    assert reviews.undo(connection, second, 2001.0)
    found = reviews.latest(connection, 1)
    assert found is not None
    assert found.id == first
    assert reviews.latest(connection, 2) is None
    assert reviews.undo(connection, first, 2002.0)
    assert reviews.latest(connection, 1) is None


def test_that_a_rerun_is_not_undone_once_its_row_is_taken(connection, ids):
    review_id = decide(connection, ids[0], Decision.RERUN)
    tasks.claim_pending(connection, 1, 1)
    assert not reviews.undo(connection, review_id, 2001.0)
    tasks.release(connection, 1)  # it was stopped before anything came of it
    assert reviews.undo(connection, review_id, 2002.0)


def test_that_a_rerun_is_not_undone_once_its_row_was_sent(connection, ids):
    review_id = decide(connection, ids[0], Decision.RERUN)
    tasks.claim_pending(connection, 1, 1)
    # The key was refused: the run pauses, and the row may be sent again.
    tasks.record(connection, failed(ids[0], ErrorKind.AUTH, PENDING, number=2, content_try=2))
    assert not reviews.undo(connection, review_id, 2001.0)
    assert task(connection, ids[0])[0] == PENDING


def test_that_a_rerun_is_not_undone_once_a_new_answer_is_there(connection, ids):
    review_id = decide(connection, ids[0], Decision.RERUN)
    tasks.claim_pending(connection, 1, 1)
    tasks.record(connection, passed(ids[0], {"label": "new"}, number=2, content_try=2))
    assert not reviews.undo(connection, review_id, 2001.0)
    assert task(connection, ids[0])[0] == TaskState.PASSED
    assert [(r.undone, r.decision) for r in reviews.of_task(connection, ids[0])] == [
        (False, Decision.RERUN)
    ]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_that_a_run_has_finished_again_when_the_last_rerun_is_undone(connection, ids, order):
    made = [decide(connection, ids[n], Decision.RERUN) for n in (0, 3)]
    assert reviews.undo(connection, made[order[0]], 2001.0)
    assert run_row(connection) == ("paused", None)
    assert reviews.undo(connection, made[order[1]], 2002.0)
    assert run_row(connection) == ("finished", 1700000000.123456)


def test_that_undoing_a_rerun_leaves_a_run_paused_that_a_cause_has_paused(connection, ids):
    review_id = decide(connection, ids[0], Decision.RERUN)
    runs.set_state(connection, 1, RunState.PAUSED, cause=ErrorKind.AUTH, cause_message="no")
    assert reviews.undo(connection, review_id, 2001.0)
    assert run_row(connection) == ("paused", None)


_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("decide"), st.integers(0, 4), st.sampled_from(Decision)),
        st.tuples(st.just("undo"), st.integers(0, 4), st.none()),
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(_STEPS)
def test_that_decisions_undone_in_reverse_bring_back_the_first_state(steps):
    connection = in_memory()
    ids = made_run(connection)
    before = everything(connection)
    standing: list[int] = []
    for number, (step, which, decision) in enumerate(steps):
        if step == "decide":
            asked_again = task(connection, ids[which])[0] == PENDING
            more = {"answer": f'"{number}"', "note": str(number), "at": float(number)}
            review_id = decide(connection, ids[which], decision, **more)
            assert (review_id is None) == asked_again
            standing += [] if review_id is None else [review_id]
        elif standing:
            assert reviews.undo(connection, standing.pop(), 3000.0)
        recount = connection.execute("SELECT state, count(*) FROM task GROUP BY state")
        assert {str(s): n for s, n in runs.counts(connection, 1).items()} == dict(recount)
        is_open = connection.execute("SELECT 1 FROM task WHERE state = 'pending'").fetchone()
        assert run_row(connection)[0] == ("paused" if is_open else "finished")
    while standing:
        assert reviews.undo(connection, standing.pop(), 3000.0)
    assert everything(connection) == before
    assert answers(connection, ids[0])[0] == {"label": "bad"}
    connection.close()


# -- the queue ----------------------------------------------------------------------------------


def queue(connection, ids, **wanted):
    return [ids.index(id_) for id_ in reviews.queue(connection, 1, QueueFilter(**wanted))]


def test_that_the_queue_is_in_the_order_of_the_table_or_the_least_confident_first(connection, ids):
    assert queue(connection, ids) == [0, 1, 2]
    assert queue(connection, ids, by_confidence=True) == [2, 0, 1]  # the unmeasured one last
    assert list(reviews.queue(connection, 2, QueueFilter())) == []


def test_that_the_queue_shows_one_reason_or_the_dead_letters(connection, ids):
    assert queue(connection, ids, reason="confidence/low") == [0, 2]
    assert queue(connection, ids, reason="labels/not_allowed") == [1]
    assert queue(connection, ids, reason="other/x") == []  # the first finding is the reason
    assert queue(connection, ids, dead=True) == [3]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("COLD", [1]),
        ("K3", [2]),
        ("Straße “a”", [0]),
        ("text", [2]),  # a cell, not the column's name
        ('"', []),  # nor how cells are kept
        ("cold tea ", []),
        ("%", []),
    ],
)
def test_that_the_queue_is_searched_by_key_and_cells(connection, ids, text, found):
    assert queue(connection, ids, text=text) == found


def test_that_a_text_with_a_line_break_is_found(connection, ids):
    connection.execute("UPDATE task SET state = 'review' WHERE id = ?", (ids[4],))
    assert queue(connection, ids, text="a\nB") == [4]


def test_that_reasons_are_counted_among_those_that_wait(connection, ids):
    assert reviews.reasons(connection, 1) == [("confidence/low", 2), ("labels/not_allowed", 1)]
    decide(connection, ids[0], Decision.ACCEPTED)
    decide(connection, ids[2], Decision.REJECTED)
    assert reviews.reasons(connection, 1) == [("labels/not_allowed", 1)]


def test_that_an_answer_in_review_without_findings_waits_for_its_error(connection, ids):
    connection.execute("UPDATE result SET checks = '[]'")
    connection.execute("UPDATE task SET error_kind = 'truncated' WHERE id = ?", (ids[1],))
    assert reviews.reasons(connection, 1) == [("other/other", 2), ("error/truncated", 1)]
    assert queue(connection, ids, reason="error/truncated") == [1]


# -- progress and history -----------------------------------------------------------------------


def test_that_progress_counts_rows_by_their_latest_decision(connection, ids):
    assert reviews.progress(connection, 1) == ReviewProgress(3, 0, 0, 0, None)
    decide(connection, ids[0], Decision.ACCEPTED, seconds=2.0)
    decide(connection, ids[0], Decision.REJECTED, seconds=4.0)  # another thought
    decide(connection, ids[1], Decision.EDITED, answer="1", seconds=9.0)
    assert reviews.progress(connection, 1) == ReviewProgress(1, 2, 1, 1, 5.0)
    undone = decide(connection, ids[2], Decision.ACCEPTED, seconds=100.0)
    reviews.undo(connection, undone, 2001.0)
    assert reviews.progress(connection, 1) == ReviewProgress(1, 2, 1, 1, 5.0)


def test_that_a_row_that_was_asked_again_and_waits_again_is_not_decided(connection, ids):
    decide(connection, ids[0], Decision.RERUN, seconds=6.0)
    assert reviews.progress(connection, 1) == ReviewProgress(2, 1, 0, 0, 6.0)
    doubtful = NewResult("review", "1", 0.1, repaired=False, checks="[]")
    tasks.claim_pending(connection, 1, 1)
    tasks.record(connection, passed(ids[0], None, number=2, state=REVIEW, result=doubtful))
    assert reviews.progress(connection, 1) == ReviewProgress(3, 0, 0, 0, 6.0)


def test_that_the_history_of_a_task_is_whole_and_the_newest_first(connection, ids):
    first = decide(connection, ids[0], Decision.REJECTED, note="wrong tone", seconds=3.0)
    reviews.undo(connection, first, 2001.0)
    decide(connection, ids[0], Decision.EDITED, answer='"x"', reviewer="李", at=2002.0)
    decide(connection, ids[1], Decision.ACCEPTED)
    newest, oldest = reviews.of_task(connection, ids[0])
    assert (oldest.id, oldest.row_key, oldest.decision, oldest.note, oldest.seconds) == (
        *(1, "k1", Decision.REJECTED, "wrong tone"),
        3.0,
    )
    assert (oldest.undone, oldest.before, oldest.after) == (
        True,
        {"label": "bad"},
        {"label": "bad"},
    )
    assert (newest.decision, newest.reviewer, newest.decided_at) == (Decision.EDITED, "李", 2002.0)
    assert (newest.undone, newest.before, newest.after) == (False, {"label": "bad"}, "x")


def test_that_the_history_of_a_dead_letter_has_no_answer_before(connection, ids):
    decide(connection, ids[3], Decision.EDITED, answer="null")
    (review,) = reviews.of_task(connection, ids[3])
    assert (review.before, review.after) == (None, None)
