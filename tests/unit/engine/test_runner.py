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
    texts,
)
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import RunState, TaskState
from batchdesk.engine.events import Event, SnapshotTaken


def test_that_every_row_is_answered_once_by_its_own_answer():
    bench = Bench(texts(2500))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.2)))

    assert carry_out(bench, run_id, provider, in_flight=50) is RunState.FINISHED

    assert bench.states(run_id) == {"passed": 2500}
    assert len(provider.sent) == 2500
    assert provider.most_in_flight == 50
    bench.assert_whole(run_id)
    assert bench.run_row(run_id) == ("finished", None)


def test_that_rows_are_sent_in_the_order_of_the_table():
    bench = Bench(texts(2300))
    provider = FakeProvider(always(Ends(0.2)))
    carry_out(bench, bench.make_run(), provider, in_flight=7)
    assert [one.row for one in provider.sent] == texts(2300)


def test_that_a_slot_is_free_only_after_the_commit():
    bench = Bench(texts(100))
    bench.store.commit_s = 0.5
    provider = FakeProvider(always(Ends(0.5)))
    run_id = bench.make_run()

    async def main():
        began = asyncio.get_running_loop().time()
        await bench.runner(run_id, provider, in_flight=10).run()
        return asyncio.get_running_loop().time() - began

    # 100 rows in tens: each takes 0.5 s of service and 0.5 s of writing. Reading adds a little.
    assert 10 <= simulate(main()) <= 10 + 5
    assert provider.most_in_flight == 10


@pytest.mark.parametrize("in_flight", [1, 2, 200])
def test_that_any_limit_of_requests_in_flight_works(in_flight):
    bench = Bench(texts(25))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.2)))
    assert carry_out(bench, run_id, provider, in_flight=in_flight) is RunState.FINISHED
    assert provider.most_in_flight == min(in_flight, 25)
    assert bench.states(run_id) == {"passed": 25}


@pytest.mark.parametrize("batch_size", [1, 2, 3, 10, 11])
def test_that_any_batch_size_works(batch_size):
    bench = Bench(texts(10), a_job(limits={"batch_size": batch_size}))
    run_id = bench.make_run()
    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 10}
    bench.assert_whole(run_id)


def test_that_a_run_without_tasks_finishes_at_once():
    bench = Bench([])
    run_id = bench.make_run()
    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED
    assert bench.run_row(run_id) == ("finished", None)


def test_that_a_run_whose_rows_are_all_skipped_finishes_at_once():
    bench = Bench(texts(5))
    run_id = bench.make_run(lambda _number: TaskState.SKIPPED)
    provider = FakeProvider(always(Ends()))
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    assert provider.sent == []
    assert bench.states(run_id) == {"skipped": 5}


def test_that_the_listener_hears_of_a_task_only_once_it_is_on_disk():
    bench = Bench(texts(300))
    run_id = bench.make_run()
    told: list[int] = []

    def listen(event: Event) -> None:
        bench.events.append(event)
        if isinstance(event, SnapshotTaken):
            for task_id in event.changed:
                (state,) = bench.connection.execute(
                    "SELECT state FROM task WHERE id = ?", (task_id,)
                ).fetchone()
                assert state == "passed"
            told.extend(event.changed)

    carry_out(bench, run_id, FakeProvider(always(Ends(0.3))), listener=listen)
    assert sorted(told) == sorted(task["id"] for task in bench.tasks(run_id).values())
    assert [move.state for move in bench.moves()] == [RunState.RUNNING, RunState.FINISHED]


def test_that_figures_are_kept_once_a_second_and_at_the_end():
    bench = Bench(texts(10))
    run_id = bench.make_run()
    carry_out(bench, run_id, FakeProvider(always(Ends(1.0))), in_flight=2)  # 5 s
    (count,) = bench.connection.execute("SELECT count(*) FROM meter").fetchone()
    (active_s,) = bench.connection.execute("SELECT active_s FROM run").fetchone()
    assert count in (5, 6)
    assert active_s == pytest.approx(5.0)


def test_that_a_told_limit_of_50_per_second_is_used_to_98_percent():
    bench = Bench(texts(3000))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.2)))
    carry_out(bench, run_id, provider, in_flight=50, rpm=3000)
    took_s = provider.sent[-1].at - provider.sent[0].at
    used = 2999 / took_s / 50
    assert 0.98 <= used <= 0.991
    bench.assert_whole(run_id)
    phases = bench.last_snapshot().snapshot.phases  # of a row's wait nearly all is for the limit
    assert phases.limit_s > 0.95 * (phases.limit_s + phases.queueing_s)


def test_that_a_wait_for_a_free_slot_is_none_for_a_limit():
    bench = Bench(texts(300))
    run_id = bench.make_run()
    carry_out(bench, run_id, FakeProvider(always(Ends(0.2))), in_flight=5)
    phases = bench.last_snapshot().snapshot.phases
    assert phases.limit_s == 0.0
    assert phases.queueing_s > 100.0
