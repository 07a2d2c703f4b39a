from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.bench import Bench, Ends, FakeProvider, a_job, always, halted_after, texts
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.snapshot import HoldReason
from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.events import Stalled
from batchdesk.engine.runner import Runner
from batchdesk.engine.watchdog import Look, Watchdog, stacks

STILL = Look("same", has_work=True, hold=HoldReason.NOTHING, wakes_in_s=None, service_left_s=0.0)


def told(looks):
    """(second, stillness) of each stall that is told."""
    dog, found = Watchdog(), []
    for second, look in enumerate(looks):
        if (still_s := dog.see(look)) is not None:
            found.append((second, still_s))
    return found


def test_that_a_minute_without_progress_or_reason_is_told_once():
    assert told([STILL] * 500) == [(60, 60.0)]


def test_that_progress_begins_a_new_minute_and_a_new_stall_is_told_again():
    moved = replace(STILL, moved="moved")
    assert told([STILL] * 60 + [moved] * 100 + [STILL] * 100) == [(120, 60.0), (220, 60.0)]


def test_that_a_run_without_work_is_not_stalled():
    assert told([replace(STILL, has_work=False)] * 500) == []


def test_that_a_request_within_its_time_is_a_reason_and_one_beyond_it_is_not():
    looks = [replace(STILL, service_left_s=max(0.0, 150.0 - second)) for second in range(500)]
    assert told(looks) == [(149 + 60, 209.0)]


def test_that_an_announced_wait_is_a_reason_until_a_minute_after_its_end():
    hold = HoldReason.REQUESTS_PER_MINUTE
    looks = [replace(STILL, hold=hold, wakes_in_s=600.0 - second) for second in range(601)]
    assert told(looks) == []
    late = [replace(STILL, hold=hold, wakes_in_s=-1.0)] * 100
    assert told(looks + late) == [(660, 660.0)]


def test_that_a_wait_that_is_put_off_again_and_again_is_no_reason():
    look = replace(STILL, hold=HoldReason.PACE, wakes_in_s=5.0)
    assert told([look] * 200) == [(66, 66.0)]


def test_that_one_reason_after_another_is_reason_enough():
    looks = [replace(STILL, hold=HoldReason.RETRY_WAIT, wakes_in_s=50.0 - n) for n in range(50)]
    looks += [
        replace(STILL, hold=HoldReason.TOKENS_PER_MINUTE, wakes_in_s=100.0 - n) for n in range(100)
    ]
    assert told([*looks, replace(STILL, moved="sent")]) == []


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.booleans(),
            st.sampled_from(HoldReason),
            st.none() | st.floats(-10, 400),
            st.floats(0, 50),
        ),
        max_size=300,
    )
)
def test_that_every_stall_lasted_a_minute_at_least_and_is_told_once(looks):
    dog, since, is_told = Watchdog(), 0, False
    before = None
    for second, values in enumerate(looks):
        look = Look(*values)
        if look.moved != before or not look.has_work:
            since, is_told = second, False
        before = look.moved
        if dog.see(look) is not None:
            assert second - since >= 60
            assert look.service_left_s == 0
            assert not is_told
            is_told = True


# -- a whole run --------------------------------------------------------------------------------


def stalls(bench):
    return [event for event in bench.events if isinstance(event, Stalled)]


def test_that_a_refill_that_never_comes_back_is_told_with_the_place_where_it_waits(
    caplog, monkeypatch
):
    bench = Bench(texts(5))
    run_id = bench.make_run()

    async def never_comes_back(*_counts):
        await asyncio.get_running_loop().create_future()

    async def main():
        runner = bench.runner(run_id, FakeProvider(always(Ends())))
        monkeypatch.setattr(runner._journal, "claim", never_comes_back)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(300)
        runner.pause()
        return await running

    with caplog.at_level(logging.ERROR):
        assert simulate(main()) is RunState.PAUSED
    (stall,) = stalls(bench)
    assert (stall.run_id, stall.hold) == (run_id, HoldReason.PREPARING)
    assert 60 <= stall.for_s <= 62
    assert "never_comes_back" in caplog.text
    assert "runner.py" in caplog.text


@pytest.mark.parametrize(
    ("limits", "ends"),
    [
        ({"rpm": 0.5}, Ends(0.2)),  # one request every two minutes
        ({}, Ends(110.0)),  # answers that take nearly as long as they may
        ({}, Ends(0.2, ErrorKind.RATE_LIMITED, 900.0)),  # told to wait a quarter of an hour
        ({}, Ends(0.2, ErrorKind.SERVER_ERROR)),  # an outage
        ({"attempts_max": 100}, Ends(100.0, ErrorKind.READ_TIMEOUT)),  # one that hangs
    ],
)
def test_that_slow_services_limits_and_outages_are_no_stall(limits, ends):
    bench = Bench(texts(4), a_job(limits=limits))
    rpm = limits.get("rpm")
    halted_after(bench, bench.make_run(), FakeProvider(always(ends)), 1200, Runner.stop, rpm=rpm)
    assert stalls(bench) == []


def test_that_stacks_name_every_place_on_the_way_and_no_values():
    async def inner(secret):
        await asyncio.sleep(1000, secret)

    async def outer():
        await inner("a row's text")

    async def main():
        task = asyncio.create_task(outer(), name="the task")
        await asyncio.sleep(0.1)
        lines = list(stacks({task}))
        task.cancel()
        return lines

    lines = simulate(main())
    assert lines[0] == "the task:"
    assert [line.rsplit(" ", 1)[1] for line in lines[1:]] == ["outer", "inner", "sleep"]
    assert lines[1].startswith("  test_watchdog.py:")
    assert "a row's text" not in "".join(lines)
