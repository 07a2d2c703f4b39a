"""Which rows a run sends and which it skips, and that a run that cannot be made leaves nothing."""

from __future__ import annotations

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.errors import JobFileError
from batchdesk.session import planning

PENDING, SKIPPED = TaskState.PENDING, TaskState.SKIPPED


async def planned(session, run_id):
    """(key, state, reason) of every task."""
    page = await session.task_page(await session.task_ids(run_id))
    return [(view.row_key, view.state, view.reason) for view in page]


async def made(session, folder, *, limit=None, **job):
    run_id = await session.make_run(
        a_job(**job), await a_table(session, folder), limit=limit, kind=RunKind.PILOT
    )
    return await planned(session, run_id)


async def test_that_every_row_gets_a_task_and_blank_ones_are_skipped(session, tmp_path):
    assert await made(session, tmp_path) == [
        ("1", PENDING, None),
        ("2", PENDING, None),
        ("3", SKIPPED, "empty"),
        ("4", PENDING, None),
    ]
    run = await session.run(1)
    assert (run.state, run.kind) == (RunState.READY, RunKind.PILOT)


async def test_that_a_row_is_blank_only_if_all_columns_of_the_prompt_are(session, tmp_path):
    found = await made(session, tmp_path, stage={"user": "{{ id }}: {{ text }}"})
    assert [state for _, state, _ in found] == [PENDING] * 4


async def test_that_filtered_rows_are_skipped_with_that_reason(session, tmp_path):
    assert await made(session, tmp_path, data={"where": "label == 'positive'"}) == [
        ("1", PENDING, None),
        ("2", SKIPPED, "filtered"),
        ("3", SKIPPED, "filtered"),
        ("4", PENDING, None),
    ]


@pytest.mark.parametrize(
    ("limit", "keys"), [(1, ["1"]), (2, ["1", "2"]), (3, ["1", "2", "3", "4"]), (9, list("1234"))]
)
async def test_that_a_limit_counts_the_rows_that_are_sent(
    session, tmp_path, monkeypatch, limit, keys
):
    monkeypatch.setattr(planning, "_CHUNK_ROWS", 2)  # also across the edge of a page
    found = await made(session, tmp_path, limit=limit)
    assert [key for key, _, _ in found] == keys


async def test_that_a_filter_that_fails_for_a_row_leaves_no_run(session, tmp_path):
    table = await a_table(session, tmp_path)
    with pytest.raises(JobFileError, match="cannot be decided for a row"):
        await session.make_run(a_job(data={"where": "1 / (4 - id | int) > 0"}), table)
    assert await session.runs() == []
    assert await session.make_run(a_job(), table) == 1  # nothing of the first is in the way


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"data": {"label": "lable"}}, "The table has no column 'lable'"),
        ({"stage": {"user": "{{ txt }}"}}, "Did you mean 'text'"),
        ({"stage": {"output": None, "echo_key": True}}, "needs an output of type object"),
        ({"data": {"where": "id ="}}, "is not a valid condition"),
    ],
)
async def test_that_a_job_that_does_not_fit_is_told_before_anything_is_kept(
    session, tmp_path, changes, sentence
):
    table = await a_table(session, tmp_path)
    job = a_job(**changes)
    with pytest.raises(JobFileError, match=sentence):
        await session.make_run(job, table)
    assert await session.runs() == []
    assert await session.jobs() == []


@pytest.mark.parametrize(
    ("where", "counts"),
    [("", (3, 0, 1)), ("label == 'positive'", (2, 2, 0)), ("id == '3'", (0, 3, 1))],
)
async def test_that_rows_are_counted_as_a_full_run_would_send_them(
    session, tmp_path, monkeypatch, where, counts
):
    monkeypatch.setattr(planning, "_CHUNK_ROWS", 3)
    table = await a_table(session, tmp_path)
    found = await session.count_rows(a_job(data={"where": where}), table)
    assert (found.sent, found.filtered, found.empty) == counts


async def test_that_a_filter_that_fails_for_a_row_cannot_be_counted(session, tmp_path):
    table = await a_table(session, tmp_path)
    with pytest.raises(JobFileError, match="cannot be decided for a row"):
        await session.count_rows(a_job(data={"where": "1 / (4 - id | int) > 0"}), table)


async def test_that_rows_larger_than_a_minute_of_tokens_are_counted(session, tmp_path):
    dataset = await a_table(session, tmp_path)
    for tpm, count in ((1, 3), (100_000, 0), (None, 0)):
        run_id = await session.make_run(a_job(limits={"tpm": tpm}), dataset)
        kept = (await session.run(run_id)).cleaning or {}
        assert kept.get("over_minute", 0) == count
