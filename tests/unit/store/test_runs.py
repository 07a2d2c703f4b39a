from __future__ import annotations

import json

import pytest
from tests.unit.store.files import JOB, add_run, add_tasks, in_memory

from batchdesk.domain.job import Job
from batchdesk.domain.task import ErrorKind, RunKind, RunState, TaskState
from batchdesk.store import meters, runs


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


def changed(job: Job, user: str) -> Job:
    stage = job.stages[0].model_copy(update={"user": user})
    return job.model_copy(update={"stages": (stage,)})


def test_that_the_same_job_is_stored_once_and_a_changed_one_is_a_new_version(connection):
    first = runs.add_job(connection, JOB, now=1000.0)
    assert runs.add_job(connection, JOB, now=9000.0) == first
    second = runs.add_job(connection, changed(JOB, "other {{ text }}"), now=9000.0)
    third = runs.add_job(connection, JOB.model_copy(update={"name": "another"}), now=9000.0)
    assert len({first, second, third}) == 3
    # What the person has now is the newest version.
    back = runs.add_job(connection, JOB, now=9001.0)
    assert back not in (first, second, third)
    versions = [(job.name, job.version) for job in runs.jobs(connection)]
    assert versions == [("job", 3), ("another", 1), ("job", 2), ("job", 1)]
    assert runs.jobs(connection)[0].job == JOB


def test_that_edits_within_ten_minutes_are_one_version(connection):
    first = runs.add_job(connection, JOB, now=1000.0)
    assert runs.add_job(connection, changed(JOB, "a {{ text }}"), now=1300.0) == first
    assert runs.add_job(connection, changed(JOB, "b {{ text }}"), now=1599.0) == first
    [kept] = runs.jobs(connection)
    assert (kept.version, kept.created_at) == (1, 1000.0)
    assert kept.job == changed(JOB, "b {{ text }}")
    later = runs.add_job(connection, changed(JOB, "c {{ text }}"), now=1600.0)
    assert later != first
    assert [job.version for job in runs.jobs(connection)] == [2, 1]


def test_that_a_version_that_a_run_used_is_never_replaced(connection):
    run_id = add_run(connection, 1)
    runs.add_job(connection, changed(JOB, "edited at once {{ text }}"))
    run = runs.run(connection, run_id)
    assert run is not None
    assert run.job == JOB
    assert [job.version for job in runs.jobs(connection)] == [2, 1]


def test_that_a_run_comes_back_as_it_was_made(connection):
    run_id = add_run(connection, 2)
    run = runs.run(connection, run_id)
    assert run is not None
    assert (run.kind, run.state, run.job, run.active_s) == (RunKind.FULL, RunState.READY, JOB, 0.0)
    assert (run.cause, run.started_at, run.finished_at) == (None, None, None)
    assert runs.run(connection, 99) is None


def test_that_runs_come_the_newest_first(connection):
    ids = [add_run(connection, 1) for _ in range(3)]
    assert [run.id for run in runs.runs(connection)] == ids[::-1]


def test_that_the_first_start_is_remembered_and_the_end_only_while_finished(connection):
    run_id = add_run(connection, 1)

    def moved(state, **cause):
        runs.set_state(connection, run_id, state, **cause)
        run = runs.run(connection, run_id)
        assert run is not None
        return run

    started = moved(RunState.RUNNING).started_at
    assert started is not None
    paused = moved(RunState.PAUSED, cause=ErrorKind.AUTH, cause_message="no key")
    assert (paused.cause, paused.cause_message) == (ErrorKind.AUTH, "no key")
    again = moved(RunState.RUNNING)
    assert (again.started_at, again.cause, again.cause_message) == (started, None, None)
    assert moved(RunState.FINISHED).state is RunState.PAUSED  # a task is still pending
    connection.execute("UPDATE task SET state = 'passed' WHERE run_id = ?", (run_id,))
    assert moved(RunState.FINISHED).finished_at is not None
    assert moved(RunState.PAUSED).finished_at is None


def test_that_batch_ids_count_up_per_run(connection):
    first, second = add_run(connection, 1), add_run(connection, 1)
    assert [runs.next_batch(connection, first) for _ in range(3)] == [1, 2, 3]
    assert runs.next_batch(connection, second) == 1


def test_that_counts_leave_out_states_without_tasks(connection):
    run_id = add_run(connection, 3)
    connection.execute("UPDATE task SET state = 'passed'")
    assert runs.counts(connection, run_id) == {TaskState.PASSED: 3}
    assert runs.counts(connection, 99) == {}


def test_that_a_dropped_run_leaves_nothing_and_the_others_alone(connection):
    run_id = add_run(connection, 3, state=RunState.PREPARING)
    other = add_run(connection, 2)
    runs.drop_run(connection, run_id)
    assert [run.id for run in runs.runs(connection)] == [other]
    assert runs.counts(connection, run_id) == {}
    assert connection.execute("SELECT count(*) FROM task").fetchone() == (2,)


def test_that_a_row_has_at_most_one_task_per_run(connection):
    run_id = add_run(connection, 1)
    with pytest.raises(Exception, match="UNIQUE"):
        add_tasks(connection, run_id, [(1, TaskState.PENDING, None)])


def test_that_reasons_of_skipped_rows_are_kept(connection):
    run_id = add_run(connection, 0)
    connection.execute("INSERT INTO row VALUES (50, 1, 1, 'k', '{}')")
    add_tasks(connection, run_id, [(50, TaskState.SKIPPED, "empty")])
    assert connection.execute("SELECT state, reason FROM task").fetchall() == [("skipped", "empty")]


def test_that_active_time_and_figures_are_kept(connection):
    run_id = add_run(connection, 1)
    runs.set_active(connection, run_id, 12.5)
    run = runs.run(connection, run_id)
    assert run is not None
    assert run.active_s == 12.5
    meters.add(connection, run_id, 20.0, {"requests": 2, "counts": {"passed": 1}})
    meters.add(connection, run_id, 10.0, {"requests": 1})
    meters.add(connection, run_id, 20.0, {"requests": 3})  # the same moment: the later word counts
    assert meters.series(connection, run_id) == [(10.0, {"requests": 1}), (20.0, {"requests": 3})]
    assert meters.series(connection, 99) == []


# As version 0.1 wrote it: no `concurrency`, and a `concurrency_max` that may be null.
_OLDER_LIMITS = {
    "concurrency_max": None, "batch_size": 1000, "rpm": None, "tpm": None, "attempts_max": 5,
    "retry_wait_base_s": 1.0, "retry_wait_max_s": 60.0, "timeout_connect_s": 10.0,
    "timeout_read_s": None, "timeout_total_s": 120.0, "deadline_s": 3600.0,
}  # fmt: skip


def stored_by_an_older_program(connection, **changes):
    definition = {**JOB.model_dump(mode="json"), "limits": {**_OLDER_LIMITS, **changes}}
    return connection.execute(
        "INSERT INTO job (name, version, definition, content_hash, created_at)"
        " VALUES ('job', 1, ?, 'an older hash', 1000.0)",
        (json.dumps(definition),),
    ).lastrowid


def test_that_a_job_of_an_older_program_loads_and_is_no_new_version_when_saved(connection):
    job_id = stored_by_an_older_program(connection)
    [stored] = runs.jobs(connection)
    assert (stored.job.limits.concurrency, stored.job.limits.concurrency_max) == (None, 200)
    assert stored.job == JOB
    assert runs.add_job(connection, JOB, now=9000.0) == job_id
    assert runs.add_job(connection, changed(JOB, "other {{ text }}"), now=9000.0) != job_id


def test_that_the_fixed_limit_of_an_older_job_is_now_the_most_that_is_tried(connection):
    stored_by_an_older_program(connection, concurrency_max=7)
    [stored] = runs.jobs(connection)
    assert (stored.job.limits.concurrency, stored.job.limits.concurrency_max) == (None, 7)
