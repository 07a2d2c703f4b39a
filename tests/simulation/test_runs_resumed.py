"""A run that is resumed by a new process: it begins with the pace and the limit that were learned."""

from __future__ import annotations

import asyncio

import pytest
from tests.simulation.limiters import Limiter, TokenBucket
from tests.simulation.run_bed import SimulatedProvider
from tests.simulation.services import Service, Unlimited, fixed
from tests.unit.engine.bench import Bench, a_job, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Gate, GateLimits

SESSION_S = 90.0


def refusals(calls):
    return sum(call.kind is ErrorKind.RATE_LIMITED for call in calls)


def two_sessions(first: Limiter, second: Limiter, *, apart_s: float = 30.0):
    """The calls of each session of a run, the second one with a gate that knows nothing."""
    bench = Bench(texts(8000), a_job())
    run_id = bench.make_run()
    service = Service(Unlimited(fixed(0.2)), requests=first)
    provider = SimulatedProvider(service)

    async def session():
        runner = bench.runner(run_id, provider, gate=Gate(GateLimits(start=20)))
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(SESSION_S)
        runner.pause()
        await running

    async def main():
        await session()
        service.requests = second
        before = len(provider.calls)
        await asyncio.sleep(apart_s)
        at = asyncio.get_running_loop().time()
        await session()
        return provider.calls[:before], provider.calls[before:], at

    return simulate(main())


@pytest.mark.parametrize("burst", [1, 10, 60])
def test_that_the_pace_of_the_last_session_is_begun_with(burst):
    limit = TokenBucket(10.0, burst)
    before, after, at = two_sessions(limit, limit)
    assert refusals(before) > 15  # the price of learning it
    start = [call for call in after if call.at < at + 30.0]
    usual = [call for call in before if call.at >= before[-1].at - 30.0]
    assert refusals(start) <= 5
    assert len(start) - refusals(start) >= 0.97 * (len(usual) - refusals(usual))


def test_that_after_an_hour_it_is_learned_anew():
    limit = TokenBucket(10.0, 10)
    _, after, _ = two_sessions(limit, limit, apart_s=3600.0)
    assert refusals(after) > 15


def test_that_a_limit_that_was_lifted_meanwhile_is_found_again():
    _, after, at = two_sessions(TokenBucket(10.0, 10), TokenBucket(20.0, 20))
    late = [call for call in after if at + 40.0 <= call.at < at + 60.0]
    assert len(late) - refusals(late) >= 0.9 * 400


def test_that_a_limit_that_was_lowered_meanwhile_is_met_within_seconds():
    _, after, at = two_sessions(TokenBucket(50.0, 50), TokenBucket(10.0, 10))
    late = [call for call in after if at + 15.0 <= call.at < at + 35.0]
    assert len(late) - refusals(late) >= 0.9 * 200
    assert refusals(late) <= 0.05 * len(late)
