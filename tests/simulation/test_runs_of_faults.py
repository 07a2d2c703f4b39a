"""What befalls a run: outages, an empty account, a revoked key, a computer that sleeps."""

from __future__ import annotations

import asyncio
import itertools
import math

import pytest
from tests.simulation.run_bed import Down, SimulatedProvider, sleep_computer
from tests.simulation.services import Fault, Faulty, Outage, Service, Unlimited, fixed, quota_gone
from tests.unit.engine.bench import WALL_AT_ZERO, Bench, a_job, row_of, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.snapshot import LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.engine.events import SnapshotTaken
from batchdesk.providers.base import ProviderError

STARTS_AT = 1000.0  # of the simulated loop's clock
MANY = GateLimits(start=20, ceiling=40)


def carried_out(bench, run_id, provider, limits=MANY, meanwhile=None, **options):
    """Carry out a run; ``meanwhile`` may do something to it."""

    async def main():
        runner = bench.runner(run_id, provider, gate=Gate(limits), **options)
        running = asyncio.create_task(runner.run())
        if meanwhile is not None:
            await meanwhile(runner)
        return await running

    return simulate(main())


def changes(bench):
    shown = [event.snapshot for event in bench.events if isinstance(event, SnapshotTaken)]
    return [change for snapshot in shown for change in snapshot.limit_changes]


DOWN_FROM, DOWN_TO = STARTS_AT + 15, STARTS_AT + 315
OUTAGES: dict[str, Fault] = {
    "503": Outage(DOWN_FROM, DOWN_TO, ErrorKind.OVERLOADED),
    "no connection": Outage(DOWN_FROM, DOWN_TO, ErrorKind.CONNECT_FAILED),
    "hanging": Outage(DOWN_FROM, DOWN_TO, ErrorKind.READ_TIMEOUT, after_s=math.inf),
    "everything": Down(DOWN_FROM, DOWN_TO),
}


@pytest.mark.parametrize("name", OUTAGES)
def test_that_an_outage_of_five_minutes_costs_no_row_a_try(name):
    bench = Bench(texts(2500), a_job(limits={"timeout_total_s": 20, "attempts_max": 1}))
    run_id = bench.make_run()
    provider = SimulatedProvider(Service(Unlimited(fixed(0.2)), faults=(OUTAGES[name],)))
    state = carried_out(bench, run_id, provider, GateLimits(start=10, ceiling=10))
    assert state is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 2500}  # with a single try each
    assert max(task["tries"] for task in bench.tasks(run_id).values()) == 1
    bench.assert_whole(run_id)
    opened = next(change for change in changes(bench) if change.what is LimitKind.BREAKER)
    opened_at = opened.at - WALL_AT_ZERO
    assert opened.reason is LimitReason.OUTAGE
    # While it lasts: one probe after 5, 10, 20, 30, 30 … s.
    probes = [call.at for call in provider.between(opened_at + 1, DOWN_TO)]
    assert (6 if name == "hanging" else 9) <= len(probes) <= 13
    gaps = [later - earlier for earlier, later in itertools.pairwise(probes)]
    assert min(gaps) >= 5.0
    # The next probe finds it back within 30 s, or 50 where one hung; from then on at full speed.
    back_at = next(call.ended_at for call in provider.calls if call.at >= DOWN_TO)
    before = len(provider.between(DOWN_FROM - 10, DOWN_FROM))
    assert len(provider.between(back_at + 10, back_at + 20)) >= 0.95 * before


def test_that_who_died_while_an_outage_built_up_is_revived():
    # With a single try each, every failure before the breaker opens is a dead letter.
    bench = Bench(texts(3000), a_job(limits={"attempts_max": 1}))
    run_id = bench.make_run()
    service = Service(Unlimited(fixed(0.2)), faults=(Down(STARTS_AT + 5, STARTS_AT + 65),))
    provider = SimulatedProvider(service)
    assert carried_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 3000}
    assert sum(one["counted"] for one in bench.attempts(run_id)) == 3000
    bench.assert_whole(run_id)


@pytest.mark.parametrize("rows", [1, 2, 3, 12])
@pytest.mark.parametrize("before", [0, 40])
def test_that_no_outage_is_too_small_to_be_recognised(rows, before):
    # Too few requests for the breaker: the whole run, or what is left of it.
    kinds = (ErrorKind.SERVER_ERROR, ErrorKind.READ_TIMEOUT, ErrorKind.CONNECTION_RESET)
    bench = Bench(texts(before + rows))
    run_id = bench.make_run()
    down_from = STARTS_AT + (0.15 if before else 0.0)
    service = Service(Unlimited(fixed(0.2)), faults=(Down(down_from, STARTS_AT + 300, kinds),))
    provider = SimulatedProvider(service)
    limits = GateLimits(start=before or rows, ceiling=before or rows)
    assert carried_out(bench, run_id, provider, limits) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": before + rows}
    assert provider.calls[-1].at < STARTS_AT + 365  # the next try is never later than a minute
    bench.assert_whole(run_id)


def test_that_a_last_row_that_fails_for_ever_pauses_the_run_and_is_given_up_after_resuming():
    bench = Bench(texts(1))
    run_id = bench.make_run()

    def provider():
        return SimulatedProvider(
            Service(Unlimited(fixed(0.2)), faults=(Down(0.0, math.inf, (ErrorKind.SERVER_ERROR,)),))
        )

    first = provider()
    assert carried_out(bench, run_id, first) is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", "server_error")
    assert bench.states(run_id) == {"waiting": 1}
    assert 900 <= first.calls[-1].at - STARTS_AT < 1000
    assert carried_out(bench, run_id, provider()) is RunState.FINISHED
    assert bench.states(run_id) == {"dead": 1}
    bench.assert_whole(run_id)


def test_that_a_row_that_fails_among_others_that_do_not_is_given_up():
    bench = Bench(texts(200))
    run_id = bench.make_run()

    class Poison(SimulatedProvider):
        async def chat(self, request):
            if row_of(request) == "text 150":
                raise ProviderError(ErrorKind.SERVER_ERROR, "it said server_error")
            return await super().chat(request)

    assert carried_out(bench, run_id, Poison(Service(Unlimited(fixed(0.5))))) is RunState.FINISHED
    assert bench.states(run_id) == {"dead": 1, "passed": 199}
    bench.assert_whole(run_id)


def test_that_a_few_rows_that_fail_for_ever_do_not_keep_a_run_from_ending():
    bench = Bench(texts(231))
    run_id = bench.make_run()
    bad = {f"text {number}" for number in range(15, 226, 21)}
    assert len(bad) == 11

    class Poison(SimulatedProvider):
        async def chat(self, request):
            if row_of(request) in bad:
                await asyncio.sleep(0.2)
                raise ProviderError(ErrorKind.SERVER_ERROR, "it said server_error")
            return await super().chat(request)

    provider = Poison(Service(Unlimited(fixed(0.2))))
    assert carried_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"dead": 11, "passed": 220}
    attempts = {text: task["attempts"] for text, task in bench.tasks(run_id).items()}
    assert {attempts[text] for text in bad} == {5}
    assert bench.last_snapshot().snapshot.active_s < 60
    shown = [event.snapshot for event in bench.events if isinstance(event, SnapshotTaken)]
    dead = [snapshot.counts.get(TaskState.DEAD, 0) for snapshot in shown]
    assert dead == sorted(dead)
    bench.assert_whole(run_id)


@pytest.mark.parametrize("share", [0.2, 0.35])
def test_that_failures_at_random_are_no_outage(share):
    bench = Bench(texts(1000))
    run_id = bench.make_run()
    faults = Faulty(share, after_s=0.2)
    provider = SimulatedProvider(Service(Unlimited(fixed(0.2)), faults=(faults,)))
    assert carried_out(bench, run_id, provider) is RunState.FINISHED
    assert all(change.what is not LimitKind.BREAKER for change in changes(bench))
    assert bench.states(run_id).get("dead", 0) <= 3
    assert bench.last_snapshot().snapshot.active_s < 120  # it was up to 1,015
    bench.assert_whole(run_id)


CAUSES = {
    ErrorKind.QUOTA_EXHAUSTED: quota_gone(STARTS_AT + 3),
    ErrorKind.AUTH: Outage(STARTS_AT + 3, math.inf, ErrorKind.AUTH),
}


@pytest.mark.parametrize("kind", CAUSES)
def test_that_an_empty_account_or_a_revoked_key_pauses_within_the_requests_in_flight(kind):
    bench = Bench(texts(2000))
    run_id = bench.make_run()
    provider = SimulatedProvider(Service(Unlimited(fixed(0.2)), faults=(CAUSES[kind],)))
    assert carried_out(bench, run_id, provider) is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", kind)
    assert bench.moves()[-1].message == f"it said {kind}"
    first_refused_at = next(call.ended_at for call in provider.calls if call.kind is kind)
    assert provider.between(first_refused_at + 1e-9, math.inf) == []
    assert set(bench.states(run_id)) == {"passed", "pending"}
    assert (
        sum(task["tries"] for task in bench.tasks(run_id).values())
        == (bench.states(run_id)["passed"])
    )
    bench.assert_whole(run_id)

    good = SimulatedProvider(Service(Unlimited(fixed(0.2))))
    assert carried_out(bench, run_id, good) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 2000}
    bench.assert_whole(run_id)


@pytest.mark.parametrize("dies", [True, False])
def test_that_a_computer_that_sleeps_costs_no_row_a_try_and_no_time(dies):
    limits = {"deadline_s": 60, "timeout_total_s": 30, "attempts_max": 1}
    bench = Bench(texts(1500), a_job(limits=limits))
    run_id = bench.make_run()
    slept_s = 4 * 3600.0
    # What was under way breaks (or is answered all the same) when the computer wakes.
    fault = Outage(STARTS_AT + 4.9, STARTS_AT + 5.1, ErrorKind.CONNECTION_RESET, after_s=0.4)
    provider = SimulatedProvider(
        Service(Unlimited(fixed(0.4)), faults=(fault,) if dies else ()),
    )

    async def sleeps(_runner):
        await asyncio.sleep(5.2)
        sleep_computer(slept_s)

    assert carried_out(bench, run_id, provider, meanwhile=sleeps) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 1500}
    bench.assert_whole(run_id)
    snapshot = bench.last_snapshot().snapshot
    assert snapshot.active_s < 60
    assert snapshot.latency_run.p99 is not None
    assert snapshot.latency_run.p99 < 1.0
    assert all(change.what is not LimitKind.BREAKER for change in changes(bench))


@pytest.mark.parametrize("turned_s", [-86_400.0, -3600.0, 3600.0, 86_400.0])
def test_that_a_time_of_day_that_is_turned_hurts_no_row(turned_s):
    bench = Bench(texts(1500), a_job(limits={"deadline_s": 60}))
    run_id = bench.make_run()
    fault = Outage(STARTS_AT + 1, STARTS_AT + 1.5, ErrorKind.RATE_LIMITED)
    provider = SimulatedProvider(
        Service(Unlimited(fixed(0.4)), faults=(fault,), hint=lambda _wait: 5.0)
    )
    turned = 0.0

    async def turns(_runner):
        nonlocal turned
        await asyncio.sleep(2.0)
        turned = turned_s

    async def main():
        loop = asyncio.get_running_loop()
        runner = bench.runner(
            run_id,
            provider,
            gate=Gate(MANY),
            wall=lambda: WALL_AT_ZERO + loop.time() + turned,
        )
        running = asyncio.create_task(runner.run())
        await turns(runner)
        began = loop.time()
        state = await running
        return state, loop.time() - began

    state, took_s = simulate(main())
    assert state is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 1500}
    assert took_s < 120
    bench.assert_whole(run_id)


class _Unwell:
    """For 20 s one request in eight fails: no outage, but far more than one in twenty."""

    def reply(self, now, rng):
        is_bad = STARTS_AT + 10 <= now < STARTS_AT + 30
        return Faulty(0.12, after_s=0.5).reply(now, rng) if is_bad else None


def test_that_a_wave_of_dead_letters_is_an_alarm_that_ends_by_itself():
    bench = Bench(texts(4000), a_job(limits={"attempts_max": 1}))
    run_id = bench.make_run()
    provider = SimulatedProvider(Service(Unlimited(fixed(0.5)), faults=(_Unwell(),)))
    assert carried_out(bench, run_id, provider, GateLimits(start=10, ceiling=10)) is (
        RunState.FINISHED
    )
    alarms = [change for change in changes(bench) if change.what is LimitKind.ALARM]
    assert [change.new for change in alarms] == [1.0, 0.0]
    on_at, off_at = (change.at - WALL_AT_ZERO for change in alarms)
    assert STARTS_AT + 10 < on_at < STARTS_AT + 20
    assert STARTS_AT + 60 < off_at < STARTS_AT + 95
    ten_s = [len(provider.between(at, at + 10)) for at in (STARTS_AT, on_at + 2, off_at + 2)]
    assert ten_s[1] == pytest.approx(ten_s[0] / 2, rel=0.1)
    assert ten_s[2] == pytest.approx(ten_s[0], rel=0.05)
    degraded = [
        event.snapshot.at - WALL_AT_ZERO
        for event in bench.events
        if isinstance(event, SnapshotTaken) and event.snapshot.degraded
    ]
    assert on_at <= degraded[0] <= on_at + 0.3
    assert off_at - 0.3 <= degraded[-1] <= off_at
    bench.assert_whole(run_id)
