"""The session as a front end uses it: jobs, runs on the practice server, copies, figures."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from tests.unit.session.tables import REVIEWS, a_job, a_table, until

from batchdesk.domain.snapshot import LimitKind, LimitReason
from batchdesk.domain.task import RunState, SkipReason, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import JobFileError, ProjectError, TableError, UserError
from batchdesk.session import ReadOptions, Session


async def finished(session, run_id):
    await session.start(run_id)
    return await session.wait(run_id)


# -- jobs ---------------------------------------------------------------------------------------


async def test_that_a_changed_job_is_a_new_version_and_an_equal_one_is_not(session, tmp_path):
    dataset = await a_table(session, tmp_path)
    first = await session.save_job(a_job())
    await session.make_run(a_job(), dataset)  # from now on the version is never replaced
    second = await session.save_job(a_job(stage={"system": "Judge."}))
    again = await session.save_job(a_job(stage={"system": "Judge."}))
    await session.make_run(second.job, dataset)
    back = await session.save_job(a_job())
    other = await session.save_job(a_job(name="another"))
    assert [(job.name, job.version) for job in (first, second, again, back, other)] == [
        ("reviews", 1),
        ("reviews", 2),
        ("reviews", 2),
        ("reviews", 3),
        ("another", 1),
    ]
    assert again == second
    assert [job.id for job in await session.jobs()] == [4, 3, 2, 1]
    assert second.job.stages[0].system == "Judge."


async def test_that_closing_saves_the_draft(tmp_path):
    path = tmp_path / "p.batchdesk"
    session = await Session.open(path, create=True)
    session.keep_draft(a_job(name="drafted"))
    await session.close()
    session = await Session.open(path, read_only=True)
    assert [job.name for job in await session.jobs()] == ["drafted"]
    await session.close()


async def test_that_a_row_is_rendered_as_it_would_be_sent(session):
    job = a_job(stage={"system": "Judge.", "echo_key": True})
    messages = session.render(job, ["id", "text"], {"id": "7", "text": "好"}, "7")
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[0].content.startswith("Judge.")
    assert messages[1].content.startswith("好\n")
    assert "7" in messages[1].content
    with pytest.raises(JobFileError):
        session.render(a_job(), ["id"], {"id": "7"}, "7")
    bad = a_job(stage={"user": "{{ 1 / (text | int) }}"})
    with pytest.raises(UserError, match="cannot be filled in"):
        session.render(bad, ["text"], {"text": "0"}, "7")


# -- runs ---------------------------------------------------------------------------------------


async def test_that_a_run_ends_with_its_figures_and_an_evaluation(session, tmp_path):
    table = await a_table(session, tmp_path)
    run_id = await session.make_run(a_job(data={"label": "label"}), table)
    assert await finished(session, run_id) is RunState.FINISHED
    summary = await session.summary(run_id)
    assert summary.counts == {TaskState.PASSED: 3, TaskState.SKIPPED: 1}
    assert (summary.tasks, summary.requests, summary.succeeded, summary.reused) == (4, 3, 3, 0)
    assert summary.input_tokens > 0
    assert summary.skip_reasons == {SkipReason.EMPTY: 1}
    assert replace(summary, run=replace(summary.run, active_s=90)).accepted_per_min == 2
    assert replace(summary, run=replace(summary.run, active_s=0.9)).accepted_per_min == 0
    evaluation = summary.evaluation
    assert evaluation is not None
    assert evaluation.answered.of == evaluation.end_to_end.of == 3  # the blank row has no label
    page = await session.task_page(await session.task_ids(run_id))
    right = sum(
        view.answer is not None and view.answer["label"] == view.cells["label"] for view in page
    )
    assert evaluation.answered.right == right
    assert sum(evaluation.confusion.values()) == 3


async def test_that_there_is_no_evaluation_without_labels_or_before_the_first_answer(
    session, tmp_path
):
    table = await a_table(session, tmp_path)
    labelled = await session.make_run(a_job(data={"label": "label"}), table)
    assert (await session.summary(labelled)).evaluation is None
    assert (await session.summary(labelled)).accepted_per_min == 0
    plain = await session.make_run(a_job(), table)
    await finished(session, plain)
    assert (await session.summary(plain)).evaluation is None


async def test_that_limits_set_by_hand_right_after_the_start_are_in_the_history(session, tmp_path):
    run_id = await session.make_run(a_job(), await a_table(session, tmp_path))
    await session.start(run_id)
    session.pin(run_id, 3)
    session.set_ceiling(run_id, 7)
    session.set_told(run_id, 6000.0, 600_000.0)
    await session.wait(run_id)
    kept = [
        (one.what, one.new)
        for one in await session.limit_changes(run_id)
        if one.reason is LimitReason.PERSON
    ]
    assert kept == [
        (LimitKind.IN_FLIGHT, 3),
        (LimitKind.CEILING, 7),
        (LimitKind.PACE, pytest.approx(99)),  # 0.99 of 100 a second
        (LimitKind.TOKENS, pytest.approx(9900)),
    ]


async def test_that_a_finished_run_and_an_unknown_one_are_not_started(session, tmp_path):
    run_id = await session.make_run(a_job(), await a_table(session, tmp_path))
    await finished(session, run_id)
    with pytest.raises(ProjectError, match="Run 1 has finished"):
        await session.start(run_id)
    with pytest.raises(ProjectError, match=r"There is no run 9 in this project\. It has: 1\."):
        await session.run(9)
    with pytest.raises(ProjectError, match="There is no dataset 9"):
        await session.dataset(9)


@pytest.mark.parametrize("options", [ReadOptions(), ReadOptions("latin-1"), ReadOptions(None, ",")])
async def test_that_an_export_never_replaces_the_table_it_came_from(session, tmp_path, options):
    source = tmp_path / "reviews.csv"
    source.write_bytes(REVIEWS)
    table = await session.import_table(source, key_column="id", options=options)
    run_id = await session.make_run(a_job(), table)
    with pytest.raises(TableError, match=r"reviews\.csv is the table that the rows were read from"):
        await session.export(run_id, source)
    assert source.read_bytes() == REVIEWS
    source.write_bytes(b"another table")
    assert await session.export(run_id, source) == 4


async def test_that_a_run_is_not_made_without_the_key_that_its_job_names(session, tmp_path):
    table = await a_table(session, tmp_path)
    provider = {"preset": "openai", "model": "m", "api_key_env": "BATCHDESK_TEST_NO_KEY"}
    with pytest.raises(UserError, match="BATCHDESK_TEST_NO_KEY"):
        await session.make_run(a_job(provider=provider), table)
    assert await session.runs() == []


async def test_that_an_export_has_the_note_of_a_rejection(session, tmp_path):
    run_id = await session.make_run(a_job(), await a_table(session, tmp_path))
    await finished(session, run_id)
    first, second, *_ = await session.task_ids(run_id)
    undone = await session.review.decide(second, Decision.REJECTED, note="too short")
    await session.review.undo(undone)
    await session.review.decide(first, Decision.REJECTED, note="wrong")
    await session.export(run_id, tmp_path / "out.csv")
    found = read_csv(tmp_path / "out.csv")
    assert [(row["batchdesk.state"], row["batchdesk.reason"]) for row in found[:2]] == [
        ("rejected", "rejected: wrong"),
        ("passed", ""),
    ]


def read_csv(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


async def test_that_a_copy_made_during_a_run_opens_as_a_project(session, tmp_path):
    content = b"id,text\n" + b"".join(b"%d,I love number %d\n" % (n, n) for n in range(60))
    table = await a_table(session, tmp_path, content)
    job = a_job(practice={"latency_s": 0.2}, limits={"concurrency_max": 4})
    run_id = await session.make_run(job, table)
    await session.start(run_id)

    async def four_passed():
        return (await session.summary(run_id)).counts.get(TaskState.PASSED, 0) >= 4

    await until(four_passed)
    await session.save_copy(tmp_path / "copy.batchdesk")
    assert session.snapshot(run_id) is not None, "the run had ended before it was copied"
    session.stop(run_id)
    assert await session.wait(run_id) is RunState.STOPPED
    assert session.snapshot(run_id) is None

    copy = await Session.open(tmp_path / "copy.batchdesk")
    summary = await copy.summary(run_id)
    assert summary.run.state is RunState.PAUSED  # what was under way may be resumed
    assert summary.tasks == 60
    assert summary.counts[TaskState.PASSED] >= 4
    assert set(summary.counts) == {TaskState.PASSED, TaskState.PENDING}
    assert await copy.row_ids(table.id) == await session.row_ids(table.id)
    await copy.close()


async def test_that_a_copy_that_cannot_be_written_is_told(session, tmp_path):
    with pytest.raises(ProjectError, match="cannot be written"):
        await session.save_copy(tmp_path / "none" / "copy.batchdesk")


async def test_that_closing_stops_a_run_and_it_can_be_resumed(tmp_path):
    path = tmp_path / "p.batchdesk"
    session = await Session.open(path, create=True)
    job = a_job(practice={"latency_s": 30})
    run_id = await session.make_run(job, await a_table(session, tmp_path))
    await session.start(run_id)
    await session.start(run_id)  # running already is fine
    await session.close()
    session = await Session.open(path)
    summary = await session.summary(run_id)
    assert summary.run.state is RunState.STOPPED
    assert summary.counts == {TaskState.PENDING: 3, TaskState.SKIPPED: 1}
    await session.close()


async def test_that_chinese_columns_in_gb18030_go_through_a_whole_run(session, tmp_path):
    path = tmp_path / "评论.csv"
    path.write_bytes(
        "编号,评论,情感 标签\n甲,很喜欢,positive\n乙,太差了,negative\n".encode("gb18030")
    )
    table = await session.import_table(path, key_column="编号")
    assert table.columns == ("编号", "评论", "情感 标签")
    job = a_job(
        data={"label": "情感 标签", "where": 'row["情感 标签"] != "neutral"'},
        stage={"user": "评论：{{ 评论 }}"},
    )
    run_id = await session.make_run(job, table)
    assert await finished(session, run_id) is RunState.FINISHED
    page = await session.task_page(await session.task_ids(run_id))
    assert [(view.row_key, view.state, view.answer["label"]) for view in page] == [
        ("甲", TaskState.PASSED, "positive"),
        ("乙", TaskState.PASSED, "negative"),
    ]
    (attempt,) = await session.attempts(page[0].id)
    assert "评论：很喜欢" in attempt.request
    assert (await session.summary(run_id)).evaluation.answered.right == 2
    await session.export(run_id, tmp_path / "out.csv")
    header, first, *_ = (tmp_path / "out.csv").read_text("utf-8-sig").splitlines()
    assert header.startswith("编号,评论,情感 标签,answer.label,")
    assert first.startswith("甲,很喜欢,positive,positive,1,passed,")
