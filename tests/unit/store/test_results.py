from __future__ import annotations

import json

import pytest
from tests.unit.store.files import add_run, add_table, attempt, failed, in_memory, passed, task_ids

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.quality.evaluation import evaluate
from batchdesk.store import results, tasks
from batchdesk.store.results import TaskFilter
from batchdesk.store.tasks import NewResult

PASSED, REVIEW, DEAD = TaskState.PASSED, TaskState.REVIEW, TaskState.DEAD


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


@pytest.fixture
def run_id(connection):
    """Six rows: passed good, passed bad, in review, dead, waiting, pending."""
    cells: list[dict[str, str | None]] = [
        {"text": f"text {n}", "label": label}
        for n, label in enumerate(["good", "good", "bad", "bad", "good", None], 1)
    ]
    run_id = add_run(connection, 6, dataset_id=add_table(connection, cells))
    one, two, three, four, five, _ = task_ids(connection, run_id)
    tasks.record(connection, passed(one, {"label": "good", "why": "x"}))
    tasks.record(connection, passed(two, {"label": "bad"}))
    findings = json.dumps([{"check": "confidence", "code": "low"}])
    doubtful = NewResult("review", '{"label": "bad"}', 0.3, repaired=True, checks=findings)
    tasks.record(connection, passed(three, None, state=REVIEW, result=doubtful))
    for number in (1, 2):
        outcome = failed(four, ErrorKind.SERVER_ERROR, DEAD, number=number)
        tasks.record(connection, outcome)
    malformed = attempt(five, error_kind=ErrorKind.MALFORMED_OUTPUT)
    tasks.record(
        connection,
        failed(five, ErrorKind.MALFORMED_OUTPUT, TaskState.WAITING, attempt=malformed),
    )
    return run_id


def ids(connection, run_id, **wanted):
    return [n - 1 for n in results.task_ids(connection, run_id, TaskFilter(**wanted))]


def test_that_tasks_are_filtered_by_state_and_kind(connection, run_id):
    assert ids(connection, run_id) == [0, 1, 2, 3, 4, 5]
    assert ids(connection, run_id, states=frozenset({PASSED, DEAD})) == [0, 1, 3]
    kinds = frozenset({ErrorKind.SERVER_ERROR, ErrorKind.MALFORMED_OUTPUT})
    assert ids(connection, run_id, error_kinds=kinds) == [3, 4]
    assert ids(connection, run_id, states=frozenset({DEAD}), error_kinds=kinds) == [3]
    assert ids(connection, 99) == []


def test_that_tasks_are_filtered_by_text_label_and_answer(connection, run_id):
    assert ids(connection, run_id, text="TEXT 3") == [2]
    assert ids(connection, run_id, text="k4") == [3]
    assert ids(connection, run_id, text="100%") == []
    assert ids(connection, run_id, label=("label", "Good ")) == [0, 1, 4]
    assert ids(connection, run_id, answer=("label", "bad")) == [1, 2]
    assert ids(connection, run_id, label=("label", "good"), answer=("label", "bad")) == [1]


def test_that_a_page_shows_rows_with_their_answers_in_the_order_asked_for(connection, run_id):
    first, second = results.task_page(connection, [3, 99, 1])
    assert (first.id, first.row_number, first.row_key, first.state) == (3, 3, "k3", REVIEW)
    assert (first.answer, first.confidence, first.repaired) == ({"label": "bad"}, 0.3, True)
    assert first.checks == [{"check": "confidence", "code": "low"}]
    assert (first.input_tokens, first.output_tokens, first.attempts) == (10, 5, 1)
    assert second.answer == {"label": "good", "why": "x"}
    assert second.cells == {"text": "text 1", "label": "good"}


def test_that_a_task_without_an_answer_shows_none(connection, run_id):
    dead, pending = results.task_page(connection, [4, 6])
    assert (dead.answer, dead.error_kind, dead.error_message) == (
        None, ErrorKind.SERVER_ERROR, "no",
    )  # fmt: skip
    assert (dead.attempts, dead.input_tokens) == (2, None)
    assert (pending.answer, pending.attempts, pending.checks) == (None, 0, [])


def test_that_all_tasks_can_be_read_in_order(connection, run_id):
    first = results.tasks_after(connection, run_id, 0, 4)
    rest = results.tasks_after(connection, run_id, first[-1].id, 4)
    assert [task.row_key for task in first + rest] == ["k1", "k2", "k3", "k4", "k5", "k6"]


def test_that_totals_are_summed_over_all_attempts(connection, run_id):
    totals = results.totals(connection, run_id)
    # Answered: three results and the malformed one. Failed requests: two. 10 and 5 tokens each.
    assert (totals.requests, totals.succeeded, totals.reused) == (6, 4, 0)
    assert (totals.input_tokens, totals.output_tokens) == (40, 20)
    assert totals.failures == {ErrorKind.SERVER_ERROR: 2, ErrorKind.MALFORMED_OUTPUT: 1}


def test_that_reused_answers_are_counted_but_not_as_requests(connection, run_id):
    again = add_run(connection, 6, dataset_id=1)
    (first, *_) = task_ids(connection, again)
    tasks.record_reused(connection, [(first, "v", 1)], 5.0)
    totals = results.totals(connection, again)
    assert (totals.requests, totals.reused, totals.input_tokens) == (0, 1, 0)


def test_that_dead_letters_are_counted_by_kind(connection, run_id):
    assert results.dead_kinds(connection, run_id) == {ErrorKind.SERVER_ERROR: 1}
    assert results.dead_kinds(connection, 99) == {}


def test_that_answer_fields_are_those_of_usable_answers(connection, run_id):
    assert results.answer_fields(connection, run_id) == ["label", "why"]


def test_that_plain_text_answers_have_no_fields(connection):
    run_id = add_run(connection, 1)
    tasks.record(connection, passed(task_ids(connection, run_id)[0], "just text"))
    assert results.answer_fields(connection, run_id) == []
    (view,) = results.tasks_after(connection, run_id, 0, 1)
    assert view.answer == "just text"


def test_that_labels_are_set_against_answers(connection, run_id):
    counted = results.confusion(connection, run_id, label_column="label", answer_field="label")
    assert counted == {
        ("good", "good", PASSED): 1,
        ("good", "bad", PASSED): 1,
        ("bad", "bad", REVIEW): 1,
        ("bad", None, DEAD): 1,
        ("good", None, TaskState.WAITING): 1,
        ("", None, TaskState.PENDING): 1,
    }


@pytest.mark.parametrize("name", ["a.b", 'a"b', "$", "[0]", "标签", "a'b", " "])
def test_that_any_column_and_field_name_can_be_compared(connection, name):
    run_id = add_run(connection, 1, dataset_id=add_table(connection, [{name: "x"}]))
    tasks.record(connection, passed(task_ids(connection, run_id)[0], {name: "y"}))
    counted = results.confusion(connection, run_id, label_column=name, answer_field=name)
    assert counted == {("x", "y", PASSED): 1}


def test_that_a_yes_or_no_answer_meets_its_label_and_is_told_from_one_and_zero(connection):
    cells: list[dict[str, str | None]] = [{"ok": "True"}, {"ok": "false"}, {"ok": "1"}, {"ok": "0"}]
    run_id = add_run(connection, 4, dataset_id=add_table(connection, cells))
    for task_id, answer in zip(task_ids(connection, run_id), [True, False, 1, 0], strict=True):
        tasks.record(connection, passed(task_id, {"ok": answer}))
    counted = results.confusion(connection, run_id, label_column="ok", answer_field="ok")
    assert counted == {
        ("True", "true", PASSED): 1,
        ("false", "false", PASSED): 1,
        ("1", "1", PASSED): 1,
        ("0", "0", PASSED): 1,
    }
    assert ids(connection, run_id, answer=("ok", "true")) == [0]
    assert ids(connection, run_id, answer=("ok", "1")) == [2]


ANSWERED = frozenset({PASSED, REVIEW, TaskState.ACCEPTED})


def test_that_a_cell_of_the_matrix_opens_the_rows_that_were_counted_in_it(connection):
    pairs: list[tuple[str | None, object]] = [
        ("4", 4.0), ("4.0", 4), ("4", "4.00"), ("5", 4.0), ("5.5", 5.5),
        ("STRASSE", "straße"), ("Äpfel ", "äPFEL"), ("\u00a0好", "好"), ("好", "坏"),
        ("Да", "да"), ("true", True), ("1", True), ("x", None), (None, "x"), ("", "x"),
    ]  # fmt: skip
    run_id = add_run(
        connection, len(pairs) + 1, dataset_id=add_table(connection, [
            *({"label": label} for label, _ in pairs), {"label": "4"},
        ]),
    )  # fmt: skip
    *answered, rejected = task_ids(connection, run_id)
    for task_id, (_, answer) in zip(answered, pairs, strict=True):
        tasks.record(connection, passed(task_id, {"label": answer}))
    tasks.record(connection, passed(rejected, {"label": 4}, state=TaskState.REJECTED))
    counted = results.confusion(connection, run_id, label_column="label", answer_field="label")
    found = evaluate(counted)
    assert found is not None
    assert found.confusion["4", "4"] == 3
    opened = {
        cell: ids(
            connection, run_id,
            states=ANSWERED, label=("label", cell[0]), answer=("label", cell[1]),
        )
        for cell in found.confusion
    }  # fmt: skip
    assert {cell: len(rows) for cell, rows in opened.items()} == found.confusion
    assert sorted(n for rows in opened.values() for n in rows) == list(range(12))
    assert opened["4", "4"] == [0, 1, 2]


def test_that_rows_without_an_answer_are_found(connection, run_id):
    assert ids(connection, run_id, answer=("label", None)) == [3, 4, 5]


def test_that_all_attempts_of_a_task_come_with_their_exchanges_the_newest_first(connection, run_id):
    found = results.attempts(connection, 4)
    assert [one.number for one in found] == [2, 1]
    assert (found[0].request, found[0].response) == ("sent", "got")
    assert (found[0].error_kind, found[0].http_status) == (ErrorKind.SERVER_ERROR, 500)
    assert results.attempts(connection, 6) == []
