from __future__ import annotations

import json
from typing import TypeVar

import pytest
from tests.unit.store.files import add_run, add_table, attempt, in_memory, passed, task_ids

from batchdesk.domain.task import ErrorKind, RunKind, SkipReason, TaskState
from batchdesk.store import carried, preparing, previews, results, rows, runs, tasks
from batchdesk.store.preparing import Planned
from batchdesk.store.results import TaskFilter
from batchdesk.store.tasks import NewResult, TaskOutcome


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


T = TypeVar("T")


def the(found: T | None) -> T:
    """What was looked for, which must be there."""
    assert found is not None
    return found


def empty_run(connection, dataset_id):
    job_id = connection.execute("SELECT max(id) FROM job").fetchone()[0]
    return runs.add_run(connection, job_id=job_id, dataset_id=dataset_id, kind=RunKind.FULL)


def test_that_a_row_is_claimed_as_cleaned_and_shown_as_the_file_has_it(connection):
    run_id = add_run(connection, 0)
    table = add_table(connection, [{"id": "1", "text": "a  b"}, {"id": "2", "text": "c"}])
    first, second = rows.row_ids(connection, table)
    run_id = empty_run(connection, table)
    plans = [
        Planned(first, cleaned={"text": "a b"}),
        Planned(second, SkipReason.DUPLICATE, first, {"text": "a b"}),
    ]
    preparing.add_planned(connection, run_id, plans, {"[PHONE_1]": "12 34"})
    [claimed] = tasks.claim_pending(connection, run_id, 10)
    assert claimed.cells == {"id": "1", "text": "a b"}
    assert preparing.cleaned(connection, run_id, [first, second]) == {first: {"text": "a b"}}
    views = results.task_page(connection, results.task_ids(connection, run_id, TaskFilter()))
    assert [(view.cells["text"], view.reason, view.same_as) for view in views] == [
        ("a  b", None, None),
        ("c", "duplicate", "k1"),
    ]
    assert results.skip_reasons(connection, run_id) == {SkipReason.DUPLICATE: 1}
    assert preparing.masks(connection, ["[PHONE_1]", "[PHONE_2]"]) == {"[PHONE_1]": "12 34"}
    assert preparing.masks(connection) == {"[PHONE_1]": "12 34"}
    runs.drop_run(connection, run_id)
    assert connection.execute("SELECT count(*) FROM cleaned").fetchone() == (0,)


def test_that_a_duplicate_follows_the_row_it_equals_into_the_pilot(connection):
    table = add_table(connection, [{"text": "x"}, {"text": "x"}, {"text": "y"}])
    pilot = add_run(connection, 3, dataset_id=table)
    ids = list(rows.row_ids(connection, table))
    answered = task_ids(connection, pilot)[0]
    tasks.record(connection, passed(answered, {"label": "a"}))
    assert preparing.answered_in(connection, pilot, ids) == {ids[0]: answered}
    rest = empty_run(connection, table)
    plans = [
        Planned(ids[0], SkipReason.PILOT, answered),
        Planned(ids[1], SkipReason.DUPLICATE, ids[0]),
        Planned(ids[2]),
    ]
    preparing.add_planned(connection, rest, plans, {})
    views = results.tasks_after(connection, rest, 0, 10)
    found = results.answered_elsewhere(connection, rest, views)
    assert {id_: view.id for id_, view in found.items()} == {
        views[0].id: answered,
        views[1].id: answered,
    }
    assert results.runs_answering(connection, rest) == [rest, pilot]


def test_that_carried_rows_lead_to_the_first_import(connection):
    carried.carry(connection, [(10, 1), (11, 2)])
    carried.carry(connection, [(20, 10), (21, 5)])
    assert connection.execute("SELECT * FROM carried ORDER BY 1").fetchall() == [
        (10, 1), (11, 2), (20, 1), (21, 5),
    ]  # fmt: skip
    carried.forget_rows(connection, [10, 21])
    assert connection.execute("SELECT row_id FROM carried ORDER BY 1").fetchall() == [(11,), (20,)]


def test_that_an_answer_is_found_for_the_same_question_about_the_same_row_only(connection):
    table = add_table(connection, [{"text": "x"}, {"text": "x"}])
    run_id = add_run(connection, 2, dataset_id=table)
    first, second = task_ids(connection, run_id)
    one, two = rows.row_ids(connection, table)
    for task_id, version in ((first, "v1"), (second, "v2")):
        tasks.record(connection, passed(task_id, {"label": "a"}))
        connection.execute("UPDATE task SET input_version = ? WHERE id = ?", (version, task_id))
    later = add_table(connection, [{"text": "x"}, {"text": "x"}, {"text": "new"}])
    now_one, now_two, new = rows.row_ids(connection, later)
    carried.carry(connection, [(now_one, one), (now_two, two)])
    carried.follow(connection, later, table)
    asked = {now_one: "v1", now_two: "v1", new: "v1"}
    assert preparing.answered_alike(connection, asked) == {now_one: first}
    assert the(rows.dataset(connection, later)).earlier_id == table
    carried.forget_dataset(connection, table)
    assert preparing.answered_alike(connection, asked) == {}
    assert the(rows.dataset(connection, later)).earlier_id is None


def _in_review(task_id, check, code, *, outcome="bad", path="", number=1):
    checks = json.dumps([{"check": check, "outcome": outcome, "code": code, "path": path}])
    result = NewResult("review", '"text"', None, repaired=False, checks=checks)
    return passed(task_id, "", state=TaskState.REVIEW, result=result, number=number)


@pytest.mark.parametrize(
    ("check", "code", "path", "is_usable"),
    [
        ("parsable", "not_json", "", False),
        ("parsable", "empty", "", False),
        ("complete", "truncated", "", False),
        ("filtered", "content_filtered", "", False),
        ("misaligned", "other_row", "", False),
        ("schema", "type", "", False),
        ("schema", "type", "label", True),
        ("labels", "not_allowed", "label", True),
    ],
)
def test_that_an_answer_for_review_counts_only_where_it_could_be_read(
    connection, check, code, path, is_usable
):
    table = add_table(connection, [{"text": "x"}])
    run_id = add_run(connection, 1, dataset_id=table)
    [task_id], [row_id] = task_ids(connection, run_id), rows.row_ids(connection, table)
    tasks.record(connection, _in_review(task_id, check, code, path=path))
    expected = {row_id: task_id} if is_usable else {}
    assert preparing.answered_in(connection, run_id, [row_id]) == expected
    connection.execute("UPDATE task SET state = 'accepted'")
    assert preparing.answered_in(connection, run_id, [row_id]) == {row_id: task_id}


def test_that_a_repaired_answer_for_review_was_read(connection):
    table = add_table(connection, [{"text": "x"}])
    run_id = add_run(connection, 1, dataset_id=table)
    [task_id], [row_id] = task_ids(connection, run_id), rows.row_ids(connection, table)
    tasks.record(connection, _in_review(task_id, "parsable", "repaired", outcome="doubtful"))
    assert preparing.answered_in(connection, run_id, [row_id]) == {row_id: task_id}


def test_that_the_newest_task_decides_whether_an_unchanged_row_is_asked_again(connection):
    table = add_table(connection, [{"text": "x"}])
    [row_id] = rows.row_ids(connection, table)
    older, newer = (task_ids(connection, add_run(connection, 1, dataset_id=table))[0] for _ in "ab")
    for task_id in (older, newer):
        tasks.record(connection, passed(task_id, {"label": "a"}, input_version="v"))
    later = add_table(connection, [{"text": "x"}])
    [now] = rows.row_ids(connection, later)
    carried.carry(connection, [(now, row_id)])
    asked = {now: "v"}
    assert preparing.answered_alike(connection, asked) == {now: newer}
    for state in ("rejected", "dead", "pending", "waiting"):
        connection.execute("UPDATE task SET state = ? WHERE id = ?", (state, newer))
        assert preparing.answered_alike(connection, asked) == {}


def test_that_rows_that_wait_for_review_in_an_earlier_run_are_counted_there(connection):
    table = add_table(connection, [{"text": "x"}, {"text": "y"}, {"text": "z"}])
    pilot = add_run(connection, 3, dataset_id=table)
    of_pilot, ids = task_ids(connection, pilot), list(rows.row_ids(connection, table))
    tasks.record(connection, passed(of_pilot[0], {"label": "a"}))
    for task_id in of_pilot[1:]:
        tasks.record(connection, _in_review(task_id, "labels", "not_allowed"))
    rest = empty_run(connection, table)
    plans = [Planned(row, SkipReason.PILOT, id_) for row, id_ in zip(ids, of_pilot, strict=True)]
    preparing.add_planned(connection, rest, plans, {})
    assert results.waiting_elsewhere(connection, rest) == {pilot: 2}
    assert results.waiting_elsewhere(connection, pilot) == {}


def test_that_all_attempts_of_a_row_are_taken_together(connection):
    run_id = add_run(connection, 3)
    first, second, _ = task_ids(connection, run_id)
    wrong = attempt(first, 1, error_kind=ErrorKind.MISALIGNED, service_s=0.3)
    waiting = TaskOutcome(first, TaskState.WAITING, 1.0, attempt=wrong, due_at=2.0)
    tasks.record(connection, waiting)
    result = NewResult("passed", '{"label": "a"}', 0.9, repaired=False, checks="[]")
    good = attempt(first, 2, service_s=0.2, cached_tokens=4)
    tasks.record(connection, TaskOutcome(first, TaskState.PASSED, 3.0, good, result))
    refused = attempt(second, 1, error_kind=ErrorKind.OVERLOADED, input_tokens=None,
                      output_tokens=None)  # fmt: skip
    dead = TaskOutcome(second, TaskState.DEAD, 4.0, refused, error_kind=ErrorKind.OVERLOADED)
    tasks.record(connection, dead)
    one, two = previews.tried(connection, run_id)
    assert (one.attempts, one.answered, one.misaligned, one.service_s) == (2, 2, 1, 0.5)
    assert (one.input_tokens, one.output_tokens, one.cached_tokens) == (20, 10, 4)
    assert (one.answer, one.confidence, one.state) == ({"label": "a"}, 0.9, TaskState.PASSED)
    assert (two.attempts, two.answered, two.kind) == (1, 0, ErrorKind.OVERLOADED)
    usage, requests = previews.usage(connection, run_id)
    assert (requests, usage.input_tokens, usage.output_tokens) == (3, 20, 10)


def test_that_the_newest_preview_of_a_job_version_over_a_table_is_found(connection):
    table = add_table(connection, [{"text": "x"}])
    first, second = (add_run(connection, 1, dataset_id=table) for _ in range(2))
    job_id = the(runs.run(connection, first)).job_id
    older = previews.add(connection, first, second, {"choice": {}})
    newer = previews.add(connection, first, second, {"choice": {}})
    previews.promise(connection, newer, {"rows": 1})
    assert the(previews.latest(connection, job_id, table)).id == newer
    assert previews.latest(connection, job_id, table + 1) is None
    assert the(previews.preview(connection, older)).forecast is None
    assert the(previews.preview(connection, newer)).forecast == {"rows": 1}
    runs.note(connection, first, forecast={"rows": 2})
    runs.note(connection, first, cleaning={"steps": []}, pilot_run_id=second)
    kept = the(runs.run(connection, first))
    assert (kept.forecast, kept.cleaning, kept.pilot_run_id) == ({"rows": 2}, {"steps": []}, second)
