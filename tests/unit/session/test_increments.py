"""A changed file imported again: shown first, then only what is new or changed is sent."""

from __future__ import annotations

import csv

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.task import TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import TableError
from batchdesk.session.matching import Change

BEFORE = b"id,text,note\n1,I love it,a\n2,It broke at once,b\n3,Fine,c\n4,Gone,d\n"
AFTER = b"note,id,text,more\nb,2,It broke at once,m\na,1,I love it so,m\nc,3,Fine,m\ne,5,New,m\n"


def counts(comparison):
    return {change.value: count for change, count in comparison.counts.items()}


async def done(session, job, table):
    run_id = await session.make_run(job, table)
    await session.start(run_id)
    await session.wait(run_id)
    return run_id, await session.task_page(await session.task_ids(run_id))


async def test_that_changes_are_shown_before_anything_is_written(session, tmp_path):
    table = await a_table(session, tmp_path, BEFORE)
    (tmp_path / "later.csv").write_bytes(AFTER)
    found = await session.compare_table(table.id, tmp_path / "later.csv")
    assert counts(found) == {"new": 1, "changed": 1, "unchanged": 2, "vanished": 1}
    assert (found.by_key, found.added, found.gone) == (True, ("more",), ())
    [changed] = found.samples[Change.CHANGED]
    assert (changed.key, changed.before["text"], changed.after["text"]) == (
        "1", "I love it", "I love it so",
    )  # fmt: skip
    [gone] = found.samples[Change.VANISHED]
    assert (gone.key, gone.before["text"], gone.after) == ("4", "Gone", None)
    [new] = found.samples[Change.NEW]
    assert (new.key, new.before, new.after["text"]) == ("5", None, "New")
    assert len(await session.datasets()) == 1
    same = await session.compare_table(table.id, tmp_path / "reviews.csv")
    assert same.is_same
    assert not found.is_same


async def test_that_without_an_id_column_rows_are_matched_by_content(session, tmp_path):
    table = await a_table(session, tmp_path, b"text\nsame\nsame\nother\n", key_column=None)
    (tmp_path / "later.csv").write_bytes(b"text\nfirst\nsame\nother\nsame\nsame\n")
    found = await session.compare_table(table.id, tmp_path / "later.csv")
    assert counts(found) == {"new": 2, "changed": 0, "unchanged": 3, "vanished": 0}
    assert found.by_key is False


async def test_that_a_file_without_the_id_column_is_refused(session, tmp_path):
    table = await a_table(session, tmp_path, BEFORE)
    (tmp_path / "later.csv").write_bytes(b"ident,text\n1,x\n")
    with pytest.raises(TableError, match="no column 'id'"):
        await session.compare_table(table.id, tmp_path / "later.csv")


async def test_that_only_new_and_changed_rows_are_sent_and_results_are_kept(session, tmp_path):
    job = a_job(stage={"temperature": 1, "user": "{{ text }}"})
    table = await a_table(session, tmp_path, BEFORE)
    first, tasks = await done(session, job, table)
    await session.review.decide(tasks[1].id, Decision.EDITED, answer={"label": "negative"})
    (tmp_path / "later.csv").write_bytes(AFTER)
    later = (await session.import_again(table.id, tmp_path / "later.csv")).dataset
    assert (later.earlier_id, later.row_count) == (table.id, 4)
    counted = await session.count_rows(job, later)
    assert (counted.sent, counted.unchanged, counted.total) == (2, 2, 4)
    run_id, tasks = await done(session, job, later)
    assert [(task.row_key, task.state, task.reason) for task in tasks] == [
        ("2", TaskState.SKIPPED, "unchanged"),
        ("1", TaskState.PASSED, None),
        ("3", TaskState.SKIPPED, "unchanged"),
        ("5", TaskState.PASSED, None),
    ]
    assert (await session.summary(run_id)).requests == 2
    await session.export(run_id, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows["2"]["answer.label"] == "negative"
    assert rows["2"]["batchdesk.decision"] == "edited"
    assert rows["2"]["batchdesk.reason"] == "unchanged"
    assert all(row["answer.label"] for row in rows.values())
    assert len((await session.summary(first)).counts) > 0  # the earlier run stays


async def test_that_unchanged_rows_without_a_usable_answer_are_asked_again(session, tmp_path):
    job = a_job(stage={"temperature": 1})
    table = await a_table(session, tmp_path, b"id,text\n1,one\n2,two\n3,three\n4,four\n")
    faulty = a_job(
        stage={"temperature": 1},
        practice={"faults": {"malformed": 1.0}},
        limits={"attempts_max": 1},
    )
    _, tasks = await done(session, faulty, table)
    assert {task.state for task in tasks} == {TaskState.REVIEW}
    await session.review.decide(tasks[0].id, Decision.EDITED, answer={"label": "negative"})
    (tmp_path / "later.csv").write_bytes(b"id,text\n1,one\n2,two\n3,three\n")
    later = (await session.import_again(table.id, tmp_path / "later.csv")).dataset
    run_id, tasks = await done(session, job, later)
    assert [task.reason for task in tasks] == ["unchanged", None, None]
    assert [task.state for task in tasks[1:]] == [TaskState.PASSED, TaskState.PASSED]
    await session.review.decide(tasks[2].id, Decision.REJECTED)
    await session.export(run_id, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [bool(row["answer.label"]) for row in csv.DictReader(file)] == [True, True, False]
    (tmp_path / "third.csv").write_bytes(b"id,text\n1,one\n2,two\n3,three\n5,five\n")
    third = (await session.import_again(later.id, tmp_path / "third.csv")).dataset
    _, tasks = await done(session, job, third)
    assert [task.reason for task in tasks] == ["unchanged", "unchanged", None, None]


async def test_that_a_third_import_still_finds_the_first_ones_answers(session, tmp_path):
    job = a_job(stage={"temperature": 1})
    table = await a_table(session, tmp_path, b"id,text\n1,one\n2,two\n")
    await done(session, job, table)
    (tmp_path / "b.csv").write_bytes(b"id,text\n1,one\n2,two\n3,three\n")
    second = (await session.import_again(table.id, tmp_path / "b.csv")).dataset
    _, tasks = await done(session, job, second)
    assert [task.reason for task in tasks] == ["unchanged", "unchanged", None]
    (tmp_path / "c.csv").write_bytes(b"id,text\n3,three\n1,one\n4,four\n")
    third = (await session.import_again(second.id, tmp_path / "c.csv")).dataset
    _, tasks = await done(session, job, third)
    assert [task.reason for task in tasks] == ["unchanged", "unchanged", None]


async def test_that_another_question_is_asked_about_unchanged_rows_too(session, tmp_path):
    table = await a_table(session, tmp_path, BEFORE)
    await done(session, a_job(stage={"temperature": 1}), table)
    (tmp_path / "later.csv").write_bytes(AFTER)
    later = (await session.import_again(table.id, tmp_path / "later.csv")).dataset
    other = a_job(stage={"temperature": 1, "system": "Judge."})
    _, tasks = await done(session, other, later)
    assert [task.reason for task in tasks] == [None] * 4


async def test_that_the_same_content_is_the_same_table(session, tmp_path):
    table = await a_table(session, tmp_path, BEFORE)
    again = (await session.import_again(table.id, tmp_path / "reviews.csv")).dataset
    assert (again.id, again.earlier_id) == (table.id, None)


async def test_that_a_table_whose_earlier_one_is_removed_stands_alone(session, tmp_path):
    table = await a_table(session, tmp_path, BEFORE)
    (tmp_path / "later.csv").write_bytes(AFTER)
    later = (await session.import_again(table.id, tmp_path / "later.csv")).dataset
    await session.remove_dataset(table.id)
    assert (await session.dataset(later.id)).earlier_id is None
    run_id = await session.make_run(a_job(), later)
    assert (await session.summary(run_id)).counts == {TaskState.PENDING: 4}
