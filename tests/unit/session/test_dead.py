"""Dead letters through the session: counted, asked again during a run and after it, exported."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
from functools import partial

import pytest
from tests.unit.session.tables import a_job, a_table, until

from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import ProjectError, TableError
from batchdesk.session import DeadKind, TaskFilter
from batchdesk.store import meters

ROWS = b"id,text\n1,one\n2,two\n3,three\n"
SERVER_ERROR = ErrorKind.SERVER_ERROR


async def dead_run(session, folder, content=ROWS):
    """A finished run all of whose rows are dead letters; returns its id and the tasks."""
    table = await a_table(session, folder, content)
    job = a_job(practice={"faults": {"500": 1.0}}, limits={"attempts_max": 1})
    run_id = await session.make_run(job, table)
    await session.start(run_id)
    assert await session.wait(run_id) is RunState.FINISHED
    return run_id, list(await session.task_ids(run_id, TaskFilter(frozenset({TaskState.DEAD}))))


def keys_of(session, task_id):
    """The idempotency keys under which a task was sent."""
    connection = sqlite3.connect(session.path)
    try:
        found = connection.execute(
            "SELECT idempotency_key FROM attempt WHERE task_id = ? ORDER BY id", (task_id,)
        )
        return [key for (key,) in found]
    finally:
        connection.close()


async def test_that_dead_letters_are_told_by_kind_and_read_in_pages(session, tmp_path):
    run_id, ids = await dead_run(session, tmp_path)
    ((kind, told),) = (await session.dead_letters(run_id)).items()
    assert (kind, told.count) == (SERVER_ERROR, 3)
    assert isinstance(told, DeadKind)
    assert told.last_message
    first = await session.dead_page(run_id, count=2)
    rest = await session.dead_page(run_id, after_id=first[-1].task_id, count=2)
    assert [letter.task_id for letter in first + rest] == ids
    assert await session.dead_page(run_id, kind=ErrorKind.AUTH) == []


async def test_that_dead_letters_of_a_finished_run_are_sent_again_under_a_new_key(
    session, tmp_path
):
    run_id, ids = await dead_run(session, tmp_path)
    assert await session.rerun(run_id, kind=ErrorKind.AUTH) == 0
    assert (await session.run(run_id)).state is RunState.FINISHED
    assert await session.rerun(run_id, task_ids=ids[:1]) == 1
    assert (await session.run(run_id)).state is RunState.STOPPED
    await session.start(run_id)

    async def is_sent_again():
        return len(keys_of(session, ids[0])) > 1

    await until(is_sent_again)
    session.stop(run_id)  # nothing answers: it would be tried for a while
    assert await session.wait(run_id) is RunState.STOPPED
    first, second, *_ = keys_of(session, ids[0])
    assert first != second
    assert len(keys_of(session, ids[1])) == 1
    assert [one.number for one in await session.attempts(ids[0])][-2:] == [2, 1]
    assert await session.rerun(run_id, kind=SERVER_ERROR) == 2


async def test_that_dead_letters_asked_again_during_a_run_are_sent_before_it_ends(
    session, tmp_path
):
    table = await a_table(session, tmp_path, ROWS)
    job = a_job(
        practice={"faults": {"500": 1.0}},
        limits={"attempts_max": 1, "concurrency": 1, "batch_size": 1, "rpm": 150},
    )
    run_id = await session.make_run(job, table)
    await session.start(run_id)
    await until(partial(session.dead_letters, run_id))
    letter = (await session.dead_page(run_id))[0]
    assert await session.rerun(run_id, task_ids=[letter.task_id]) == 1
    assert session.snapshot(run_id) is not None, "the run had ended before the row was put back"
    assert await session.wait(run_id) is RunState.FINISHED
    assert len(keys_of(session, letter.task_id)) == 2
    assert (await session.summary(run_id)).counts == {TaskState.DEAD: 3}


async def test_that_a_rerun_that_was_not_sent_yet_is_undone_like_any_decision(session, tmp_path):
    run_id, ids = await dead_run(session, tmp_path)
    await session.rerun(run_id, task_ids=ids[:1], reviewer="Ana")
    latest = await session.review.latest(run_id)
    assert (latest.task_id, latest.decision, latest.reviewer) == (ids[0], Decision.RERUN, "Ana")
    await session.review.undo(latest.id)
    assert (await session.run(run_id)).state is RunState.FINISHED
    assert (await session.dead_letters(run_id))[SERVER_ERROR].count == 3


async def test_that_a_run_that_is_not_there_is_told(session):
    with pytest.raises(ProjectError, match="There is no run 7"):
        await session.rerun(7)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
async def test_that_dead_letters_are_exported_with_what_came_back(session, tmp_path, suffix):
    run_id, _ = await dead_run(session, tmp_path)
    target = tmp_path / f"dead.{suffix}"
    assert await session.export_dead(run_id, target, kind=ErrorKind.AUTH) == 0
    assert await session.export_dead(run_id, target) == 3
    text = target.read_text("utf-8-sig")
    if suffix == "jsonl":
        found = [json.loads(line) for line in text.splitlines()]
    else:
        separator = "," if suffix == "csv" else "\t"
        found = list(csv.DictReader(text.splitlines(), delimiter=separator))
    assert list(found[0]) == [
        "id", "text", "batchdesk.row", "batchdesk.error_kind", "batchdesk.error_message", "batchdesk.attempts",
        "batchdesk.response",
    ]  # fmt: skip
    assert [row["text"] for row in found] == ["one", "two", "three"]
    assert {(row["batchdesk.error_kind"], str(row["batchdesk.attempts"])) for row in found} == {
        ("server_error", "1")
    }
    assert json.loads(found[0]["batchdesk.response"])["error"]


async def test_that_an_export_of_dead_letters_replaces_neither_table_nor_project(session, tmp_path):
    run_id, _ = await dead_run(session, tmp_path)
    with pytest.raises(TableError, match="is the table that the rows were read from"):
        await session.export_dead(run_id, tmp_path / "reviews.csv")
    with pytest.raises(ProjectError, match="would overwrite the project file"):
        await session.export_dead(run_id, session.path)
    (tmp_path / "there.csv").write_text("x")
    with pytest.raises(TableError, match="exists already"):
        await session.export_dead(run_id, tmp_path / "there.csv", overwrite=False)


async def test_that_the_changes_of_a_run_s_limits_are_read_in_order(session, tmp_path):
    run_id, _ = await dead_run(session, tmp_path)
    kept = await session.limit_changes(run_id)
    change = LimitChange(9e9, LimitKind.CEILING, 200, 50, LimitReason.PERSON)
    await session._project.writer.run(
        partial(meters.add_limit_changes, run_id=run_id, changes=[change])
    )
    assert await session.limit_changes(run_id) == [*kept, change]


async def test_that_many_answers_are_decided_about_at_once_and_taken_back(session, tmp_path):
    doubtful = {"checks": [{"kind": "labels", "field": "label", "allowed": ["negative"]}]}
    table = await a_table(session, tmp_path, b"id,text\n1,I love it\n2,I love that\n3,I love you\n")
    run_id = await session.make_run(a_job(stage=doubtful), table)
    await session.start(run_id)
    await session.wait(run_id)
    queue = list(await session.review.queue(run_id))
    assert len(queue) == 3
    made = await session.review.decide_many(run_id, queue[:2], Decision.REJECTED, note="no")
    assert len(made) == 2
    assert list(await session.review.queue(run_id)) == queue[2:]
    assert await session.review.decide_many(run_id, queue, Decision.ACCEPTED) == [made[-1] + 1]
    progress = await session.review.progress(run_id)
    assert (progress.waiting, progress.accepted, progress.rejected) == (0, 1, 2)
    assert await session.review.undo_many(made) == 2
    assert list(await session.review.queue(run_id)) == queue[:2]


async def test_that_a_rerun_and_the_end_of_its_run_may_come_at_once(session, tmp_path):
    table = await a_table(session, tmp_path, ROWS)
    job = a_job(practice={"faults": {"500": 1.0}}, limits={"attempts_max": 1})
    run_id = await session.make_run(job, table)
    await session.start(run_id)
    moved = 0
    while session.snapshot(run_id) is not None:
        moved += await session.rerun(run_id) if moved < 6 else 0  # many more would be an outage
        await asyncio.sleep(0.001)
    counts = (await session.summary(run_id)).counts
    assert sum(counts.values()) == 3
    is_open = any(state.is_open for state in counts)
    assert ((await session.run(run_id)).state is RunState.FINISHED) is not is_open
