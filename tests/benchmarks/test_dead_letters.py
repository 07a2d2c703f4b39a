"""Asking many dead letters again: time of the one commit, on disk, with all their attempts."""

from __future__ import annotations

import time
from functools import partial

import pytest
from tests.unit.store.files import add_run, failed

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.session import Session
from batchdesk.store import runs, tasks

DEAD_ROWS = 10_000

pytestmark = pytest.mark.benchmark


def dead_run(connection):
    """A run of so many rows, each of which died after five attempts; returns its id."""
    run_id = add_run(connection, DEAD_ROWS)
    for claimed in tasks.claim_pending(connection, run_id, DEAD_ROWS):
        for number in range(1, 6):
            kind = ErrorKind.SERVER_ERROR if claimed.id % 3 else ErrorKind.READ_TIMEOUT
            died = failed(claimed.id, kind, TaskState.DEAD, number=number, first_sent_s=1.5)
            tasks.record(connection, died)
    return run_id


async def test_that_ten_thousand_dead_letters_are_asked_again_in_a_second(tmp_path):
    session = await Session.open(tmp_path / "p.batchdesk", create=True)
    write = session._project.writer.run
    run_id = await write(dead_run)

    async def timed(name, work):
        began = time.perf_counter()
        done = await work
        took_s = time.perf_counter() - began
        print(f"{name}: {took_s:.3f} s")
        return done, took_s

    kinds, looking_s = await timed("dead letters by kind", session.dead_letters(run_id))
    assert sum(one.count for one in kinds.values()) == DEAD_ROWS
    count, rerun_s = await timed("10,000 asked again", session.rerun(run_id))
    assert count == DEAD_ROWS
    assert await session._project.read(partial(runs.counts, run_id=run_id)) == {
        TaskState.PENDING: DEAD_ROWS
    }
    made = await session._project.read(
        lambda c: [id_ for (id_,) in c.execute("SELECT id FROM review")]
    )
    undone, undo_s = await timed("10,000 taken back", session.review.undo_many(made))
    assert undone == DEAD_ROWS
    count, export_s = await timed(
        "10,000 exported", session.export_dead(run_id, tmp_path / "dead.csv")
    )
    assert count == DEAD_ROWS
    ids = [letter.task_id for letter in await session.dead_page(run_id, count=DEAD_ROWS)]
    count, chosen_s = await timed(
        "10,000 asked again by their ids", session.rerun(run_id, task_ids=ids)
    )
    assert count == DEAD_ROWS
    await session.close()
    assert rerun_s < 1
    assert chosen_s < 1
    assert looking_s < 1
    assert undo_s < 5
    assert export_s < 5
