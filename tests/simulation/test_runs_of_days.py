"""A day of a run at about two requests a second, with limits that change and all kinds of faults.

Memory stays flat, the counters are those of the rows, and every task is in exactly one state.
"""

from __future__ import annotations

import asyncio
import gc
import sys

import psutil
import pytest
from tests.simulation.limiters import TokenBucket
from tests.simulation.run_bed import Down, SimulatedProvider
from tests.simulation.services import Faulty, Flapping, Service, Unlimited, lognormal
from tests.unit.engine.bench import Bench, a_job, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine import reporter
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.engine.events import SnapshotTaken

HOUR_S = 3600.0
PER_S = 2.0


def changing(now):
    """The limit halves for ten minutes of every hour and is higher in the next ten."""
    minute = now % HOUR_S / 60
    return 0.5 if 20 <= minute < 30 else 1.3 if 30 <= minute < 40 else 1.0


def a_service():
    return Service(
        Unlimited(lognormal(2.0, 0.6)),
        requests=TokenBucket(PER_S, 10, changing),
        faults=(
            Down(1000.0 + 0.7 * HOUR_S, 1000.0 + 0.75 * HOUR_S),
            Flapping(4 * HOUR_S, 120.0),
            Faulty(0.01, ErrorKind.SERVER_ERROR),
            Faulty(0.005, ErrorKind.CONNECTION_RESET),
            Faulty(0.002, ErrorKind.READ_TIMEOUT, after_s=60.0),
            Faulty(0.01, ErrorKind.MALFORMED_OUTPUT),
            Faulty(0.001, ErrorKind.BAD_REQUEST),
        ),
        counts_refused=True,
        hint=lambda wait_s: wait_s,
    )


class Watch:
    """Listens like a window does, keeping nothing but the last snapshot; measures memory."""

    def __init__(self, looks_at, rows):
        self.looks_at = list(looks_at)  # times since the start
        self.blocks: list[int] = []  # of memory in use, as Python counts them
        self.mb: list[float] = []  # of the process
        self.last: SnapshotTaken | None = None
        self.named = bytearray(rows + 1)

    def __call__(self, event):
        if not isinstance(event, SnapshotTaken):
            return
        self.last = event
        for task_id in event.changed:
            self.named[task_id] = 1
        if self.looks_at and asyncio.get_running_loop().time() - 1000.0 >= self.looks_at[0]:
            self.looks_at.pop(0)
            gc.collect()
            self.blocks.append(sys.getallocatedblocks())
            self.mb.append(psutil.Process().memory_info().rss / 2**20)


def a_run_of(hours, looks_at_hours, path):
    rows = int(hours * HOUR_S * PER_S * 0.9)
    bench = Bench(texts(rows), a_job(limits={"batch_size": 200}), path=path)
    run_id = bench.make_run()
    provider = SimulatedProvider(a_service(), keeps=False)
    watch = Watch((at * HOUR_S for at in looks_at_hours), rows)

    async def main():
        runner = bench.runner(run_id, provider, gate=Gate(GateLimits(start=20)), listener=watch)
        state = await runner.run()
        return state, asyncio.get_running_loop().time() - 1000.0

    state, took_s = simulate(main())
    assert state is RunState.FINISHED
    assert watch.last is not None
    bench.events.append(watch.last)
    bench.assert_whole(run_id)
    states = bench.states(run_id)
    assert sum(states.values()) == rows
    assert set(states) <= {"passed", "review", "dead"}
    assert {
        task["error_kind"] for task in bench.tasks(run_id).values() if task["state"] == "dead"
    } <= {"bad_request"}
    assert sum(watch.named) == rows
    snapshot = watch.last.snapshot
    assert snapshot.requests == provider.ends.total() == len(bench.attempts(run_id))
    assert_no_task_is_stuck(bench, run_id)
    megabytes = [round(mb) for mb in watch.mb]
    print(
        f"\n{hours} h: took {took_s / HOUR_S:.2f} h; {states}; at {looks_at_hours} h blocks of memory "
        f"{watch.blocks}, MB {megabytes}; requests ended {dict(provider.ends)}"
    )
    return took_s, watch, provider


def assert_no_task_is_stuck(bench, run_id):
    """Nobody waited for an hour from one attempt to the next, nor in our own queue."""
    ((longest_s,),) = bench.connection.execute(
        "SELECT max(later.started_at - earlier.started_at) FROM attempt AS later"
        " JOIN attempt AS earlier ON earlier.task_id = later.task_id"
        " AND earlier.number = later.number - 1"
    )
    ((queued_s,),) = bench.connection.execute("SELECT max(queue_s) FROM attempt")
    print(f"longest from one attempt to the next {longest_s:.0f} s, in the queue {queued_s:.0f} s")
    assert longest_s < HOUR_S
    assert queued_s < HOUR_S


@pytest.mark.timeout(400)
def test_that_an_hour_of_changing_limits_and_faults_leaves_nothing_behind(tmp_path):
    took_s, watch, provider = a_run_of(1.0, (0.3, 0.95), tmp_path / "hour.batchdesk")
    assert watch.blocks[1] <= watch.blocks[0] + 5_000
    assert provider.ends[ErrorKind.RATE_LIMITED] <= 0.06 * provider.ends.total()
    assert took_s <= 1.25 * HOUR_S


@pytest.mark.benchmark
@pytest.mark.timeout(3600)
def test_that_a_day_of_changing_limits_and_faults_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(reporter, "_SNAPSHOT_EVERY_S", 2.0)  # else most of the work is figures
    looks_at = (1.0, 6.0, 12.0, 18.0, 24.0)
    took_s, watch, provider = a_run_of(24.0, looks_at, tmp_path / "day.batchdesk")
    assert len(watch.blocks) == len(looks_at)
    assert max(watch.blocks) <= watch.blocks[0] + 10_000
    assert max(watch.mb) <= watch.mb[0] + 25
    assert provider.ends[ErrorKind.RATE_LIMITED] <= 0.06 * provider.ends.total()
    assert took_s <= 28 * HOUR_S
