"""Cleaning in a run: what is sent, what is skipped, what stands in the export."""

from __future__ import annotations

import csv
import json

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.clean import LengthStep
from batchdesk.domain.task import RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import JobFileError
from batchdesk.session.cleaning import budget_of

CALLS = (
    b"id,text,phone\n"
    b"1,I  love it,+44 20 7946 0958\n"
    b"2,I love it,+44 20 7946 0958\n"
    b"3,,\n"
    b"4,It broke\x07 at once,+44 20 7946 0000\n"
    b"5,I love it,+44 20 7946 0000\n"
)
STEPS = [{"step": "normalise"}, {"step": "duplicates"}]
MASK = {"step": "mask", "kinds": ["phone"], "regions": ["GB"]}


async def answered(session, folder, content=CALLS, **job):
    """A finished run over the table, and its tasks."""
    run_id = await session.make_run(a_job(**job), await a_table(session, folder, content))
    await session.start(run_id)
    assert await session.wait(run_id) is RunState.FINISHED
    return run_id, await session.task_page(await session.task_ids(run_id))


async def sent_texts(session, tasks):
    """The user message of each task that was sent."""
    requests = [one.request for task in tasks for one in await session.attempts(task.id)]
    return [json.loads(one)["messages"][-1]["content"].split("\n")[0] for one in requests]


async def exported(session, folder, run_id, **options):
    target = folder / "out.csv"
    await session.export(run_id, target, **options)
    with target.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


async def test_that_rows_are_sent_as_cleaned_while_the_file_keeps_its_text(session, tmp_path):
    run_id, tasks = await answered(session, tmp_path, clean=STEPS)
    assert await sent_texts(session, tasks) == ["I love it", "It broke at once"]
    assert [task.cells["text"] for task in tasks] == [
        "I  love it", "I love it", "", "It broke\x07 at once", "I love it",
    ]  # fmt: skip
    assert [(task.state, task.reason, task.same_as) for task in tasks] == [
        (TaskState.PASSED, None, None),
        (TaskState.SKIPPED, "duplicate", "1"),
        (TaskState.SKIPPED, "empty", None),
        (TaskState.PASSED, None, None),
        (TaskState.SKIPPED, "duplicate", "1"),
    ]
    steps = (await session.run(run_id)).cleaning["steps"]
    assert [(one["step"], one["rows"], one["changed"], one["skipped"]) for one in steps] == [
        ("normalise", 5, 2, 0),
        ("duplicates", 5, 0, 2),
    ]
    assert steps[0]["samples"][0]["before"] == "I  love it"
    assert steps[0]["samples"][0]["after"] == "I love it"


async def test_that_duplicates_have_the_answer_of_the_row_they_equal_in_the_export(
    session, tmp_path
):
    run_id, _ = await answered(session, tmp_path, clean=STEPS)
    rows = await exported(session, tmp_path, run_id)
    assert [(row["id"], row["batchdesk.state"], row["batchdesk.reason"]) for row in rows] == [
        ("1", "passed", ""),
        ("2", "skipped", "duplicate of 1"),
        ("3", "skipped", "empty"),
        ("4", "passed", ""),
        ("5", "skipped", "duplicate of 1"),
    ]
    answers = [row["answer.label"] for row in rows]
    assert answers[0] == answers[1] == answers[4] == "positive"
    assert answers[2] == ""


async def test_that_masked_text_leaves_only_as_tokens_and_comes_back_in_the_export(
    session, tmp_path
):
    stage = {"user": "{{ phone }}", "output": None, "answer_field": None}
    run_id, tasks = await answered(session, tmp_path, clean=[MASK], stage=stage)
    sent = await sent_texts(session, tasks)
    assert sent == ["[PHONE_1]", "[PHONE_1]", "[PHONE_2]", "[PHONE_2]"]
    for task in tasks:
        for attempt in await session.attempts(task.id):
            assert "7946" not in attempt.request
    edited = "Call [PHONE_2], not [PHONE_9]."
    await session.review.decide(tasks[3].id, Decision.EDITED, answer=edited)
    assert await session.unmasked({"call": ["[PHONE_1]", 7]}) == {"call": ["+44 20 7946 0958", 7]}
    rows = await exported(session, tmp_path, run_id)
    assert rows[3]["answer.text"] == "Call +44 20 7946 0000, not [PHONE_9]."
    masked = await exported(session, tmp_path, run_id, unmask=False)
    assert masked[3]["answer.text"] == "Call [PHONE_2], not [PHONE_9]."


async def test_that_a_value_has_the_same_token_in_every_run(session, tmp_path):
    stage = {"user": "{{ phone }}", "temperature": 1}
    await answered(session, tmp_path, CALLS, clean=[MASK], stage=stage)
    later = b"id,text,phone\n8,x,+44 20 7946 0123\n9,y,+44 20 7946 0000\n"
    _, tasks = await answered(session, tmp_path, later, clean=[MASK], stage=stage)
    assert await sent_texts(session, tasks) == ["[PHONE_3]", "[PHONE_2]"]


async def test_that_a_row_that_is_too_long_is_skipped_with_its_tokens(session, tmp_path):
    content = b"id,text\n1,short\n2," + b"word " * 300 + b"\n"
    steps = [{"step": "length", "window": 200, "reserve": 50}]
    run_id, tasks = await answered(session, tmp_path, content, clean=steps)
    assert [(task.state, task.reason) for task in tasks] == [
        (TaskState.PASSED, None),
        (TaskState.SKIPPED, "too_long"),
    ]
    assert 300 <= tasks[1].skip_detail <= 420  # an estimate, for the practice server is no model
    rows = await exported(session, tmp_path, run_id)
    assert rows[1]["batchdesk.reason"] == f"too long: {tasks[1].skip_detail} tokens"


async def test_that_a_run_refuses_to_cut_rows(session, tmp_path):
    table = await a_table(session, tmp_path)
    job = a_job(clean=[{"step": "length", "window": 200, "over": "chunk"}])
    with pytest.raises(JobFileError, match="sends each row whole"):
        await session.make_run(job, table)
    assert await session.runs() == []


async def test_that_cleaning_is_tried_without_keeping_anything(session, tmp_path):
    table = await a_table(session, tmp_path, CALLS)
    job = a_job(clean=[*STEPS, MASK], stage={"user": "{{ text }} {{ phone }}"})
    count, reports = await session.try_cleaning(job, table)
    assert (count.sent, count.duplicate, count.empty, count.filtered) == (3, 1, 1, 0)
    assert [report.step for report in reports] == ["normalise", "duplicates", "mask"]
    assert reports[2].details == {"PHONE": 3}
    first, _ = await session.try_cleaning(job, table, at_most=2)
    assert (first.sent, first.duplicate) == (1, 1)
    assert await session.runs() == []
    run_id = await session.make_run(job, table)
    assert (await session.run(run_id)).cleaning["steps"][2]["details"] == {"PHONE": 3}


async def test_that_rows_left_out_by_the_filter_stand_for_no_duplicate(session, tmp_path):
    content = b"id,text,label\n1,same,no\n2,same,yes\n3,same,yes\n"
    job = {"clean": STEPS, "data": {"where": "label == 'yes'"}}
    _, tasks = await answered(session, tmp_path, content, **job)
    assert [(task.reason, task.same_as) for task in tasks] == [
        ("filtered", None),
        (None, None),
        ("duplicate", "2"),
    ]


@pytest.mark.parametrize(
    ("step", "stage", "budget"),
    [
        ({"window": 300}, {}, 150),
        ({"window": 301}, {}, 151),
        ({"window": 4000}, {}, 3000),
        ({"window": 300}, {"max_tokens": 100}, 200),
        ({"window": 300}, {"max_tokens": 900}, 150),
        ({"window": 300, "reserve": 299}, {}, 1),
    ],
)
def test_that_a_short_window_keeps_half_for_the_answer_at_most(step, stage, budget):
    job = a_job(clean=[{"step": "length", **step}], stage=stage)
    [length] = job.clean
    assert isinstance(length, LengthStep)
    assert budget_of(job, length) == budget


def test_that_a_reserve_as_large_as_the_window_is_refused_in_words():
    job = a_job(clean=[{"step": "length", "window": 300, "reserve": 300}])
    [length] = job.clean
    assert isinstance(length, LengthStep)
    with pytest.raises(JobFileError, match=r"keeps 300 tokens .* window has 300"):
        budget_of(job, length)
