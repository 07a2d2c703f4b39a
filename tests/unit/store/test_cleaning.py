"""What was abandoned goes in small steps, between the writes of others, now or next time."""

from __future__ import annotations

import asyncio
import sqlite3
from functools import partial
from itertools import pairwise

import pytest
from tests.unit.store.files import add_run

from batchdesk.domain.task import TaskState
from batchdesk.errors import StorageFullError
from batchdesk.store import cleaning, rows
from batchdesk.store.project import Project


def abandoned(connection, count):
    dataset_id = rows.begin_dataset(connection, name="h", source="h.csv", key_column=None)
    rows.add_rows(connection, dataset_id, [(n, f"k{n}", "{}") for n in range(1, count + 1)])
    rows.abandon_dataset(connection, dataset_id)
    return dataset_id


def left(connection):
    return connection.execute(
        "SELECT (SELECT count(*) FROM dataset), (SELECT count(*) FROM row)"
    ).fetchone()


@pytest.fixture
async def project(tmp_path, monkeypatch):
    monkeypatch.setattr(cleaning, "STEP_ROWS", 10)
    opened = await Project.open(tmp_path / "p.batchdesk", create=True)
    yield opened
    await opened.close()


async def test_that_other_writes_go_between_the_steps(project):
    await project.writer.run(partial(abandoned, count=100))
    project.clean()
    seen: list[tuple[int, int]] = []
    while not seen or seen[-1] != (0, 0):
        seen.append(await project.writer.run(left))
    assert len(seen) >= 5
    assert all(a[1] - b[1] <= 20 for a, b in pairwise(seen))


async def test_that_what_is_abandoned_while_it_cleans_goes_too(project):
    for _ in range(5):
        await project.writer.run(partial(abandoned, count=15))
        project.clean()
        await asyncio.sleep(0)
    await project.cleaned()
    assert await project.read(left) == (0, 0)


async def test_that_closing_leaves_the_rest_for_the_next_opening(project):
    await project.writer.run(partial(abandoned, count=2000))
    project.clean()
    await project.writer.run(left)
    await project.close()
    again = await Project.open(project.path)
    assert again.unclean
    assert await again.read(rows.datasets) == []
    await again.cleaned()
    assert await again.read(left) == (0, 0)
    await again.close()
    last = await Project.open(project.path)
    assert not last.unclean
    await last.close()


async def test_that_an_id_is_not_given_again_while_its_rows_are_there(project):
    gone = await project.writer.run(partial(abandoned, count=5))
    begin = partial(rows.begin_dataset, name="n", source="n.csv", key_column=None)
    assert await project.writer.run(begin) != gone


async def test_that_a_full_disk_ends_the_cleaning_without_a_word(project, monkeypatch):
    await project.writer.run(partial(abandoned, count=5))

    def full(_connection, at_most):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(rows, "clear_abandoned", full)
    monkeypatch.setattr("batchdesk.store.writer.told", lambda _error: StorageFullError("full"))
    project.clean()
    await project.cleaned()
    assert (await project.read(left))[0] == 1


async def test_that_a_step_does_not_search_the_tasks_for_each_row(project):
    tasks = [TaskState.PASSED] * 500
    await project.writer.run(partial(add_run, count=500, states=tasks))
    await project.writer.run(partial(abandoned, count=200))
    steps = []

    def counted(connection):
        connection.set_progress_handler(lambda: steps.append(1), 100)
        try:
            return rows.clear_abandoned(connection, 200)
        finally:
            connection.set_progress_handler(None, 0)

    await project.writer.upkeep(counted)
    assert len(steps) < 200  # of 100 instructions each; a search of 500 tasks for each row: 5000
