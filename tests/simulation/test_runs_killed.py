"""A run that is killed at any moment and opened again: nothing lost, nothing doubled.

A kill leaves the project file as its last commit left it: from then on no operation of the store
returns or changes anything, and no clean-up of the run is carried out. It falls on a moment of time
or on an operation of the store, before its commit or after it.
"""

from __future__ import annotations

import asyncio
import random

import pytest
from tests.simulation.run_bed import SimulatedProvider
from tests.simulation.services import Faulty, Service, Unlimited, lognormal
from tests.unit.engine.bench import Bench, a_job, texts
from tests.unit.engine.simulated_loop import InlineStore, simulate

from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.admission import Gate, GateLimits

ROWS = 60
AT_ONCE = 6


class MortalStore(InlineStore):
    """A store whose process may be killed.

    Attributes:
        dies_at: Which operation kills; None: none.
        commits_first: Whether that operation is still committed.
    """

    def __init__(self, connection, dies_at=None, *, commits_first=False):
        super().__init__(connection)
        self.commit_s = 0.01
        self.dies_at = dies_at
        self.commits_first = commits_first
        self.operations = 0
        self.dead = asyncio.Event()

    async def run(self, operation):
        await asyncio.sleep(0.01)  # in the writer's queue
        self.operations += 1
        dies = self.operations == self.dies_at
        if dies and self.commits_first and not self.dead.is_set():
            await super().run(operation)
        if dies:
            self.dead.set()
        if self.dead.is_set():
            await asyncio.Event().wait()  # a dead process hears of nothing any more
        return await super().run(operation)

    async def read(self, operation):
        if self.dead.is_set():
            await asyncio.Event().wait()
        return await super().read(operation)


def a_service():
    return Service(
        Unlimited(lognormal(0.3, 0.6)),
        faults=(
            Faulty(0.04, ErrorKind.SERVER_ERROR),
            Faulty(0.02, ErrorKind.MALFORMED_OUTPUT),
            Faulty(0.01, ErrorKind.CONNECTION_RESET),
        ),
    )


def killed(bench, run_id, provider, dice):
    """Carry out a run until it is killed or ends; returns its requests under way then.

    None if it ended before.
    """

    async def main():
        by_time = dice.random() < 0.5
        store = MortalStore(
            bench.connection,
            None if by_time else dice.randrange(1, 40),
            commits_first=dice.random() < 0.5,
        )
        bench.store = store
        runner = bench.runner(run_id, provider, gate=Gate(GateLimits(AT_ONCE, AT_ONCE)))
        running = asyncio.create_task(runner.run())
        dead = asyncio.create_task(store.dead.wait())
        limit_s = dice.uniform(0.0, 0.8) if by_time else None
        await asyncio.wait({running, dead}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        under_way = len(runner._standing.flights)
        store.dead.set()
        return None if running.done() else under_way

    return simulate(main())


def finished(bench, run_id, provider):
    async def main():
        bench.store = MortalStore(bench.connection)
        runner = bench.runner(run_id, provider, gate=Gate(GateLimits(AT_ONCE, AT_ONCE)))
        return await runner.run()

    return simulate(main())


def assert_nothing_is_lost_or_doubled(seed, kills):
    dice = random.Random(seed)
    bench = Bench(texts(ROWS), a_job(limits={"batch_size": 8, "attempts_max": 9}))
    run_id = bench.make_run()
    provider = SimulatedProvider(a_service(), seed)
    killed_with = [killed(bench, run_id, provider, dice) for _ in range(kills)]
    met = [count for count in killed_with if count is not None]
    under_way = sum(met)
    was_unfinished = bench.run_row(run_id)[0] != RunState.FINISHED  # else: killed after that
    if was_unfinished:
        assert finished(bench, run_id, provider) is RunState.FINISHED
    bench.assert_whole(run_id, was_shown=was_unfinished)
    assert sum(bench.states(run_id).values()) == ROWS
    assert set(bench.states(run_id)) <= {"passed", "review"}
    results = bench.connection.execute("SELECT task_id, count(*) FROM result GROUP BY 1").fetchall()
    assert len(results) == ROWS
    kept = [one["error_kind"] for one in bench.attempts(run_id)]
    assert provider.ends.total() - len(kept) <= under_way  # asked again for want of a record
    answered = provider.ends[None]
    assert kept.count(None) == bench.states(run_id).get("passed", 0)
    assert answered - kept.count(None) <= under_way
    return len(met)


@pytest.mark.parametrize("block", range(5))
def test_that_no_kill_loses_or_doubles_a_row(block):
    seeds = range(1000 * block, 1000 * block + 50)  # five kills in each of fifty runs
    assert sum(assert_nothing_is_lost_or_doubled(seed, 5) for seed in seeds) >= 200


@pytest.mark.benchmark
@pytest.mark.timeout(1800)
def test_that_no_kill_of_many_loses_or_doubles_a_row():
    seeds = range(100_000, 101_000)
    kills = sum(assert_nothing_is_lost_or_doubled(seed, 10) for seed in seeds)
    print(f"\n{kills} kills in {len(seeds)} runs of {ROWS} rows")
    assert kills >= 4000
