"""Two runs on one account share its gate: equal shares, and no more refusals than one alone."""

from __future__ import annotations

import asyncio

import pytest
from tests.simulation.limiters import TokenBucket
from tests.simulation.run_bed import SimulatedProvider
from tests.simulation.services import Service, Slots, Unlimited, fixed, lognormal
from tests.unit.engine.bench import Bench, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Gate, GateLimits

STARTS_AT = 1000.0


def limited():
    return Service(Unlimited(fixed(0.2)), requests=TokenBucket(50, 50), counts_refused=True)


def queueing():
    return Service(Slots(10, lognormal(0.5, 0.3)))


def together(service, *counts):
    """Runs of so many rows at one gate; returns each one's calls, in the order of the runs."""
    gate = Gate(GateLimits(start=20))
    benches = [Bench(texts(count)) for count in counts]
    providers = [SimulatedProvider(service, seed) for seed in range(len(counts))]

    async def main():
        run_ids = [bench.make_run() for bench in benches]
        await asyncio.gather(
            *(
                bench.runner(run_id, provider, gate=gate).run()
                for bench, run_id, provider in zip(benches, run_ids, providers, strict=True)
            )
        )
        return run_ids

    for bench, run_id in zip(benches, simulate(main()), strict=True):
        assert set(bench.states(run_id)) == {"passed"}
        bench.assert_whole(run_id)
    return [provider.calls for provider in providers]


@pytest.mark.parametrize("service", [limited, queueing])
def test_that_two_runs_with_work_have_equal_shares(service):
    one, other = together(service(), 1500, 1500)
    end = min(one[-1].at, other[-1].at)
    shares = [sum(call.at < end for call in calls) for calls in (one, other)]
    assert 0.45 <= shares[0] / sum(shares) <= 0.55


def test_that_two_runs_together_are_refused_no_more_often_than_one_alone():
    def refused_share(runs):
        calls = [call for calls in runs for call in calls]
        return sum(call.kind is ErrorKind.RATE_LIMITED for call in calls) / len(calls)

    alone = refused_share(together(limited(), 3000))
    both = refused_share(together(limited(), 1500, 1500))
    assert both <= alone + 0.005
    assert both <= 0.02


def test_that_what_one_run_does_not_need_the_other_has():
    # The short run is done after 10 s at the latest; from then on the other has all 50 a second.
    one, _other = together(limited(), 2000, 200)
    later = [call for call in one if 15 <= call.at - STARTS_AT < 35]
    assert sum(call.kind is None for call in later) >= 0.93 * 50 * 20
