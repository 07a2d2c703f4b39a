from __future__ import annotations

import pytest
from tests.unit.store.files import add_run, failed, in_memory, passed, task_ids

from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.store import meters, runs
from batchdesk.store.journal import RunJournal


class Inline:
    """Writer and reader over one connection."""

    def __init__(self, connection):
        self.connection = connection

    async def run(self, operation):
        return operation(self.connection)

    async def read(self, operation):
        return operation(self.connection)


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


@pytest.fixture
def journal(connection):
    run_id = add_run(connection, 4)
    inline = Inline(connection)
    return RunJournal(run_id, inline, inline)


async def test_that_each_claim_has_a_batch_id_of_its_own_and_an_empty_one_has_none(journal):
    assert [(batch, len(claimed)) for batch, claimed in [
        await journal.claim(3), await journal.claim(3), await journal.claim(3)
    ]] == [(1, 3), (2, 1), (0, 0)]  # fmt: skip
    assert await journal.claim_due([1, 2]) == (0, [])


async def test_that_a_task_goes_its_way_from_claim_to_answer(journal):
    _, (first, *_) = await journal.claim(4)
    await journal.record(failed(first.id, ErrorKind.RATE_LIMITED, TaskState.WAITING))
    (waiting,) = await journal.waiting()
    assert waiting.id == first.id
    batch, (again,) = await journal.claim_due([first.id])
    assert (batch, again.attempts) == (2, 1)
    await journal.record(passed(first.id, {"label": "x"}, number=2, input_version="v"))
    await journal.release()
    assert await journal.counts() == {TaskState.PASSED: 1, TaskState.PENDING: 3}
    assert (await journal.totals()).requests == 2
    assert await journal.reusable(["v", "w"]) == {"v": 1}
    await journal.record_reused([(first.id + 1, "v", 1)], 5.0)
    assert await journal.counts() == {TaskState.PASSED: 2, TaskState.PENDING: 2}


async def test_that_state_and_figures_are_those_of_its_run_only(connection, journal):
    other = add_run(connection, 1)
    await journal.set_state(RunState.PAUSED, cause=ErrorKind.AUTH, cause_message="no")
    await journal.tick(active_s=3.5, at=9.0, figures={"requests": 1})
    mine, its = runs.run(connection, journal.run_id), runs.run(connection, other)
    assert mine is not None
    assert its is not None
    assert (mine.state, mine.cause, mine.active_s) == (RunState.PAUSED, ErrorKind.AUTH, 3.5)
    assert (its.state, its.cause, its.active_s) == (RunState.READY, None, 0.0)
    assert meters.series(connection, journal.run_id) == [(9.0, {"requests": 1})]
    assert meters.series(connection, other) == []
    assert len(task_ids(connection, other)) == 1


async def test_that_changes_of_the_limits_are_kept_with_the_figures_in_their_order(
    connection, journal
):
    other = add_run(connection, 1)
    first = LimitChange(8.5, LimitKind.IN_FLIGHT, 20, 21, LimitReason.SLOW_START)
    second = LimitChange(8.25, LimitKind.PACE, None, 12.5, LimitReason.REFUSED)
    third = LimitChange(10.0, LimitKind.PACE, 12.5, None, LimitReason.PERSON)
    await journal.tick(active_s=1.0, at=9.0, figures={}, changes=[first, second])
    await journal.tick(active_s=2.0, at=10.0, figures={})
    await journal.tick(active_s=3.0, at=11.0, figures={}, changes=[third])
    assert meters.limit_changes(connection, journal.run_id) == [first, second, third]
    assert meters.limit_changes(connection, other) == []
    assert [at for at, _ in meters.series(connection, journal.run_id)] == [9.0, 10.0, 11.0]
