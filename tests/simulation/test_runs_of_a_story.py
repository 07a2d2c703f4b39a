"""The story of 49 minutes: what a person gains over a loop, and over so many workers.

3,000 rows of about 0.8 s, one in twenty ten times longer, at a service that works on 20 requests
at once, lets the others queue, and refuses beyond a limit of requests that it does not tell.
"""

from __future__ import annotations

import asyncio
import random

from tests.simulation.limiters import TokenBucket
from tests.simulation.run_bed import SimulatedProvider
from tests.simulation.services import Service, Slots
from tests.unit.engine.bench import Bench, a_job, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.providers.base import ProviderError

ROWS = 3000
SLOTS = 20
USUAL_S = 0.8
LONG_SHARE = 0.05
PER_S = 14.0  # requests that it takes; 20 slots could do 17 a second


def took_s(rng: random.Random) -> float:
    usual_s = USUAL_S * rng.uniform(0.7, 1.3)
    return usual_s * (10 if rng.random() < LONG_SHARE else 1)


def a_service() -> Service:
    return Service(Slots(SLOTS, took_s), requests=TokenBucket(PER_S, PER_S))


def workers(count: int) -> tuple[float, SimulatedProvider]:
    """So many loops, each of which sleeps a second when it is refused; (seconds, service)."""
    provider = SimulatedProvider(a_service(), 7)

    async def work(rows: list[str]) -> None:
        while rows:
            row = rows.pop()
            request = ChatRequest("m", (Message("user", f"Row {row}"),), row, row)
            while True:
                try:
                    await provider.chat(request)
                    break
                except ProviderError:
                    await asyncio.sleep(1.0)

    async def main() -> float:
        began, rows = asyncio.get_running_loop().time(), texts(ROWS)
        await asyncio.gather(*(work(rows) for _ in range(count)))
        return asyncio.get_running_loop().time() - began

    return simulate(main()), provider


def batchdesk() -> tuple[float, SimulatedProvider]:
    bench, provider = Bench(texts(ROWS), a_job()), SimulatedProvider(a_service(), 7)
    run_id = bench.make_run()

    async def main() -> float:
        began = asyncio.get_running_loop().time()
        runner = bench.runner(run_id, provider, gate=Gate(GateLimits(start=20)))
        assert await runner.run() is RunState.FINISHED
        return asyncio.get_running_loop().time() - began

    seconds = simulate(main())
    assert bench.states(run_id) == {"passed": ROWS}
    bench.assert_whole(run_id)
    return seconds, provider


def refused(provider: SimulatedProvider) -> float:
    return provider.ends[ErrorKind.RATE_LIMITED] / provider.ends.total()


def test_that_a_job_of_most_of_an_hour_takes_four_minutes():
    serial_s, _ = workers(1)
    ten_s, _ = workers(10)
    twenty_s, twenty = workers(20)
    ours_s, ours = batchdesk()
    print(
        f"serial {serial_s / 60:.1f} min, 10 workers {ten_s / 60:.1f}, 20 workers"
        f" {twenty_s / 60:.1f} ({refused(twenty):.1%} refused), Batchdesk {ours_s / 60:.1f}"
        f" ({refused(ours):.1%} refused); possible {ROWS / PER_S / 60:.1f}"
    )
    assert serial_s > 45 * 60
    assert ours_s <= ROWS / PER_S / 0.85
    assert ours_s <= 0.75 * ten_s
    assert ours_s <= twenty_s
    assert refused(ours) <= 0.03
