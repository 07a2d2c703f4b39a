"""Long rows among short ones: a whole run with both lanes against a service that queues.

The service does 20 requests at once and lets the others queue. A row takes 0.2 of the usual time
whatever its length, and the rest by its length; one row in twenty is ten times longer.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from dataclasses import dataclass
from statistics import fmean

import pytest
from tests.unit.engine.bench import Bench, Ends, FakeProvider, always, row_of
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.chat import ChatResponse, Choice, Usage
from batchdesk.domain.task import RunState
from batchdesk.engine.admission import Gate, GateLimits

SLOTS = 20
USUAL_S = 0.8
JITTER = 0.3  # sigma of the lognormal factor


class QueueingService(FakeProvider):
    """Keeps how long each request took, its time in the service's own queue included."""

    def __init__(self, seed: int) -> None:
        super().__init__(always(Ends()))
        self._slots: asyncio.Semaphore | None = None
        self._rng = random.Random(seed)
        self.took_s: dict[str, float] = {}

    async def chat(self, request):
        loop = asyncio.get_running_loop()
        self._slots = self._slots or asyncio.Semaphore(SLOTS)
        began, row = loop.time(), row_of(request)
        async with self._slots:
            await asyncio.sleep(service_s(row, self._rng))
        self.took_s[row] = loop.time() - began
        choice = Choice(json.dumps({"echo": row}), "stop")
        return ChatResponse((choice,), Usage(len(row) // 4, 5), 200, "request", "response")


def service_s(row: str, rng: random.Random) -> float:
    jitter = rng.lognormvariate(-(JITTER**2) / 2, JITTER)
    return USUAL_S * (0.2 + 0.8 * len(row) / 107) * jitter


def table(count: int, long_share: float, seed: int) -> list[str]:
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        is_long = rng.random() < long_share
        words = round(20 * (rng.uniform(8, 12) if is_long else rng.uniform(0.5, 1.5)))
        rows.append(f"{'long' if is_long else 'short'} {number} " + "word " * words)
    return rows


@dataclass(frozen=True)
class Took:
    fast_p95_s: float
    total_s: float
    possible_s: float


def carried_out(count: int, long_share: float, seed: int, pinned: int | None) -> Took:
    rows = table(count, long_share, seed)
    bench, service = Bench(rows), QueueingService(seed)
    run_id = bench.make_run()

    async def main() -> float:
        gate = Gate(GateLimits(start=20, pinned=pinned))
        runner = bench.runner(run_id, service, gate=gate)
        began = asyncio.get_running_loop().time()
        assert await runner.run() is RunState.FINISHED
        return asyncio.get_running_loop().time() - began

    total_s = simulate(main())
    assert bench.states(run_id) == {"passed": count}
    bench.assert_whole(run_id)
    short = sorted(took for row, took in service.took_s.items() if row.startswith("short"))
    rng = random.Random(seed)
    possible_s = sum(service_s(row, rng) for row in rows) / SLOTS
    return Took(short[math.ceil(0.95 * len(short)) - 1], total_s, possible_s)


def test_that_long_rows_do_not_slow_short_ones_at_a_fixed_limit():
    alone, mixed = (carried_out(1000, share, 100, pinned=SLOTS) for share in (0.0, 0.05))
    assert mixed.fast_p95_s <= 1.05 * alone.fast_p95_s


def test_that_long_rows_do_not_slow_short_ones_while_the_limit_finds_itself():
    ratios = []
    for seed in (101, 102):
        alone, mixed = (carried_out(3000, share, seed, pinned=None) for share in (0.0, 0.05))
        ratios.append(mixed.fast_p95_s / alone.fast_p95_s)
    assert fmean(ratios) <= 1.10


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_that_many_long_rows_do_not_make_the_limit_collapse(share):
    took = carried_out(1000, share, 103, pinned=None)
    assert took.total_s <= 1.4 * took.possible_s
