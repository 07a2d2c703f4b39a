"""The runner over a real project file: the writer's thread, the read pool, a real clock."""

from __future__ import annotations

import asyncio
import json
import random
from functools import partial

import pytest
from tests.unit.engine.bench import Ends, FakeProvider, a_job, always
from tests.unit.store.files import add_tasks

from batchdesk.domain.task import ErrorKind, RunKind, RunState, TaskState
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.runner import Runner
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.quality.checks import Checker
from batchdesk.store import results, rows, runs
from batchdesk.store.journal import RunJournal
from batchdesk.store.project import Project

JOB = a_job(limits={"retry_wait_base_s": 0.01, "batch_size": 50})


def prepare_run(connection, count):
    dataset_id = rows.begin_dataset(connection, name="t", source="t.csv", key_column=None)
    cells = [(n, f"key-{n}", json.dumps({"text": f"text {n}"})) for n in range(1, count + 1)]
    rows.add_rows(connection, dataset_id, cells)
    job_id = runs.add_job(connection, JOB)
    run_id = runs.add_run(connection, job_id=job_id, dataset_id=dataset_id, kind=RunKind.FULL)
    page = rows.rows_after(connection, dataset_id, 0, count)
    add_tasks(connection, run_id, [(row.id, TaskState.PENDING, None) for row in page])
    runs.set_state(connection, run_id, RunState.READY)
    connection.execute("UPDATE dataset SET complete = 1")
    return run_id


@pytest.fixture
async def project(tmp_path):
    found = await Project.open(tmp_path / "p.batchdesk", create=True)
    yield found
    await found.close()


def runner_for(project, run_id, provider, in_flight=20):
    plan = RunPlan(
        project_uid=project.uid,
        limits=JOB.limits,
        builder=PromptBuilder(JOB, ["text"], model="m", echo_key=False),
        checker=Checker(JOB.stages[0], echo_key=False),
        max_tokens=50,
    )
    return Runner(
        plan=plan,
        journal=RunJournal(run_id, project.writer, project),
        provider=provider,
        gate=Gate(GateLimits(start=in_flight, pinned=in_flight)),
        rng=random.Random(1),
        listener=lambda _event: None,
    )


async def test_that_a_run_over_a_real_file_ends_with_every_answer_in_its_row(project):
    run_id = await project.writer.run(partial(prepare_run, count=400))
    dice = random.Random(5)

    def script(_request, number):
        faulty = dice.random() < 0.1 and number < 3
        return Ends(0.002, ErrorKind.SERVER_ERROR if faulty else None)

    provider = FakeProvider(script)
    assert await runner_for(project, run_id, provider).run() is RunState.FINISHED
    found = await project.read(partial(results.tasks_after, run_id=run_id, after_id=0, count=1000))
    assert [task.answer for task in found] == [{"echo": f"text {n}"} for n in range(1, 401)]
    totals = await project.read(partial(results.totals, run_id=run_id))
    assert totals.requests == len(provider.sent)
    assert totals.succeeded == 400


async def test_that_a_run_cut_off_at_any_moment_goes_on_in_a_file_opened_again(tmp_path):
    path = tmp_path / "p.batchdesk"
    project = await Project.open(path, create=True)
    run_id = await project.writer.run(partial(prepare_run, count=300))
    asked = []
    for _ in range(4):
        provider = FakeProvider(always(Ends(0.005)))
        running = asyncio.create_task(runner_for(project, run_id, provider, 10).run())
        await asyncio.sleep(0.06)
        running.cancel()  # nothing is released or said: as a crash leaves it
        with pytest.raises(asyncio.CancelledError):
            await running
        asked += [one.row for one in provider.sent]
        await project.close()
        project = await Project.open(path)
        counts = await project.read(partial(runs.counts, run_id=run_id))
        assert set(counts) <= {TaskState.PENDING, TaskState.PASSED}
        assert sum(counts.values()) == 300
    provider = FakeProvider(always(Ends(0.001)))
    assert await runner_for(project, run_id, provider).run() is RunState.FINISHED
    asked += [one.row for one in provider.sent]
    counts = await project.read(partial(runs.counts, run_id=run_id))
    assert counts == {TaskState.PASSED: 300}
    await project.close()
    assert set(asked) == {f"text {n}" for n in range(1, 301)}
    assert len(asked) - 300 <= 4 * 10  # asked again: at most what was in flight at each cut


async def test_that_the_project_closing_under_a_run_pauses_it(tmp_path):
    project = await Project.open(tmp_path / "p.batchdesk", create=True)
    run_id = await project.writer.run(partial(prepare_run, count=300))
    running = asyncio.create_task(
        runner_for(project, run_id, FakeProvider(always(Ends(0.01)))).run()
    )
    await asyncio.sleep(0.1)
    await asyncio.to_thread(project.writer.close)
    assert await asyncio.wait_for(running, 10) is RunState.PAUSED
    await project.close()
