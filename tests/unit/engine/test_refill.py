from __future__ import annotations

import asyncio

import pytest
from tests.unit.engine.bench import (
    Bench,
    Ends,
    FakeProvider,
    a_job,
    always,
    carry_out,
    row_of,
    texts,
)
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import RunState
from batchdesk.engine.runner import Runner


def long_and_short(count, every):
    """Every so many rows one is fifty times longer."""
    return [f"row {n} " + "word " * (500 if n % every == 0 else 10) for n in range(1, count + 1)]


def by_length(request, _number):
    return Ends(5.0 if len(row_of(request)) > 500 else 0.2)


@pytest.mark.parametrize(("every", "batch_size"), [(2, 10), (3, 5), (1, 10), (2, 1)])
def test_that_long_rows_beyond_the_buffer_are_only_noted_and_all_are_sent_once(every, batch_size):
    rows = long_and_short(200, every)
    bench = Bench(rows, a_job(limits={"batch_size": batch_size}))
    run_id, provider = bench.make_run(), FakeProvider(by_length)
    most = []

    async def main():
        runner = bench.runner(run_id, provider, in_flight=5)
        running = asyncio.create_task(runner.run())
        while not running.done():
            most.append(runner._lanes._fast.buffered + runner._lanes._slow.buffered)
            await asyncio.sleep(0.1)
        return await running

    assert simulate(main()) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 200}
    assert sorted(one.row for one in provider.sent) == sorted(rows)
    assert max(most) <= 2 * batch_size
    bench.assert_whole(run_id)


def test_that_short_rows_are_found_behind_long_ones():
    rows = long_and_short(60, 1000)
    rows += [f"row {n} " + "word " * 500 for n in range(61, 106)]  # many long ones in a row
    rows += [f"short {n} " + "word " * 10 for n in range(106, 116)]
    bench = Bench(rows, a_job(limits={"batch_size": 10}))
    provider = FakeProvider(by_length)
    carry_out(bench, bench.make_run(), provider, in_flight=5)
    sent = [one.row.split(" ", 2)[:2] for one in provider.sent]
    short = [place for place, (word, _) in enumerate(sent) if word == "short"]
    assert max(short) < 90  # of 114: not behind all the long ones that stand before them


@pytest.mark.parametrize("command", [Runner.pause, Runner.stop])
def test_that_noted_rows_are_given_back_and_sent_after_the_run_is_resumed(command):
    rows = long_and_short(120, 2)
    bench = Bench(rows, a_job(limits={"batch_size": 5}))
    run_id, provider = bench.make_run(), FakeProvider(by_length)

    async def interrupted():
        runner = bench.runner(run_id, provider, in_flight=5)
        running = asyncio.create_task(runner.run())
        while not runner._lanes._spilled:
            await asyncio.sleep(0.1)
        command(runner)
        return await running

    simulate(interrupted())
    assert bench.states(run_id)["pending"] > 20
    bench.assert_whole(run_id)
    assert carry_out(bench, run_id, provider, in_flight=5) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 120}
    bench.assert_whole(run_id)


def test_that_few_rows_are_taken_until_answers_tell_how_long_rows_take():
    bench = Bench(texts(1000))
    seen = []

    async def main():
        runner = bench.runner(bench.make_run(), FakeProvider(always(Ends(1.0))), in_flight=10)
        running = asyncio.create_task(runner.run())
        for _ in range(4):
            await asyncio.sleep(0.75)
            seen.append(bench.states(1)["running"])
        runner.stop()
        await running

    simulate(main())
    assert seen[0] <= 110
    assert seen[3] > 800


def test_that_rows_asked_for_again_go_behind_new_ones_and_with_them():
    bench = Bench(texts(300), a_job(limits={"batch_size": 40}))
    run_id = bench.make_run()
    bench.connection.execute("UPDATE task SET content_try = 1 WHERE id <= 100")
    provider = FakeProvider(always(Ends(0.2)))
    assert carry_out(bench, run_id, provider, in_flight=4) is RunState.FINISHED
    again = [place for place, one in enumerate(provider.sent) if int(one.row[5:]) <= 100]
    assert len(again) == 100
    # A tenth of the sends while there are new ones, and all that is left afterwards.
    assert 10 <= sum(place < 150 for place in again) <= 22
    assert [int(one.row[5:]) for one in provider.sent if int(one.row[5:]) <= 100] == list(
        range(1, 101)
    )
