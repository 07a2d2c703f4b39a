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
    halted_after,
    texts,
)
from tests.unit.engine.simulated_loop import simulate

from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.runner import Runner


def test_that_pause_lets_those_in_flight_finish():
    bench = Bench(texts(100))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))
    state = halted_after(bench, run_id, provider, 2.5, Runner.pause, in_flight=10)
    assert state is RunState.PAUSED
    assert len(provider.sent) == 30
    assert provider.cancelled == 0
    assert bench.states(run_id) == {"passed": 30, "pending": 70}
    assert bench.run_row(run_id) == ("paused", None)
    bench.assert_whole(run_id)


def test_that_stop_cancels_those_in_flight_and_they_are_pending_again():
    bench = Bench(texts(100))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))
    state = halted_after(bench, run_id, provider, 2.5, Runner.stop, in_flight=10)
    assert state is RunState.STOPPED
    assert provider.cancelled == 10
    assert bench.states(run_id) == {"passed": 20, "pending": 80}
    assert bench.run_row(run_id) == ("stopped", None)
    bench.assert_whole(run_id)


def test_that_stop_after_pause_does_not_wait_for_those_in_flight():
    bench = Bench(texts(10))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1000.0)))

    async def main():
        loop = asyncio.get_running_loop()
        runner = bench.runner(run_id, provider, in_flight=3)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(1)
        runner.pause()
        await asyncio.sleep(1)
        assert not running.done()
        runner.stop()
        began = loop.time()
        return await running, loop.time() - began

    assert simulate(main()) == (RunState.STOPPED, 0.0)
    assert bench.states(run_id) == {"pending": 10}


def test_that_stop_keeps_an_answer_that_is_being_written():
    bench = Bench(texts(10))
    bench.store.commit_s = 1.0
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))
    # release, running, claim: 3 s; the answers come at 4 s and are on disk at 5 s.
    state = halted_after(bench, run_id, provider, 4.5, Runner.stop, in_flight=3)
    assert state is RunState.STOPPED
    assert bench.states(run_id) == {"passed": 3, "pending": 7}
    assert provider.cancelled == 0
    assert sorted(bench.told()) == [1, 2, 3]  # and the screen hears of them
    bench.assert_whole(run_id)


@pytest.mark.parametrize(
    ("command", "expected"), [(Runner.pause, RunState.PAUSED), (Runner.stop, RunState.STOPPED)]
)
def test_that_a_halt_before_the_first_request_sends_nothing(command, expected):
    bench = Bench(texts(10))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends()))

    async def main():
        runner = bench.runner(run_id, provider)
        command(runner)
        return await runner.run()

    assert simulate(main()) is expected
    assert provider.sent == []
    assert bench.states(run_id) == {"pending": 10}


@pytest.mark.parametrize("command", [Runner.pause, Runner.stop])
def test_that_a_halt_while_a_refill_is_under_way_gives_the_claimed_rows_back(command):
    bench = Bench(texts(10))
    bench.store.commit_s = 1.0
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends()))
    # The first claim is carried out at 2 s and answers at 3 s.
    halted_after(bench, run_id, provider, 2.5, command)
    assert provider.sent == []
    assert bench.states(run_id) == {"pending": 10}
    bench.assert_whole(run_id)


def test_that_a_stop_right_after_the_launch_leaves_no_slot_taken(monkeypatch):
    # The requests are launched, but none has taken its first step when the stop comes.
    bench = Bench(texts(10))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))

    async def main():
        runner = bench.runner(run_id, provider, in_flight=4)
        launch = runner._launch

        def launch_and_stop(*prepared):
            launch(*prepared)
            runner.stop()

        monkeypatch.setattr(runner, "_launch", launch_and_stop)
        return await runner.run()

    assert simulate(main()) is RunState.STOPPED
    assert provider.sent == []
    assert bench.states(run_id) == {"pending": 10}
    bench.assert_whole(run_id)


def test_that_a_pause_after_the_last_row_leaves_the_run_finished():
    bench = Bench(texts(4))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))
    state = halted_after(bench, run_id, provider, 0.5, Runner.pause, in_flight=4)
    assert state is RunState.FINISHED
    assert bench.run_row(run_id) == ("finished", None)


def test_that_a_run_goes_on_after_a_pause_without_asking_anything_twice():
    bench = Bench(texts(100))
    run_id = bench.make_run()
    first, second = FakeProvider(always(Ends(1.0))), FakeProvider(always(Ends(1.0)))
    halted_after(bench, run_id, first, 2.5, Runner.pause, in_flight=10)
    assert carry_out(bench, run_id, second, in_flight=10) is RunState.FINISHED
    asked = [one.row for one in first.sent + second.sent]
    assert sorted(asked) == sorted(texts(100))
    snapshot = bench.last_snapshot().snapshot
    assert (snapshot.requests, snapshot.succeeded, snapshot.done) == (100, 100, 100)
    assert (snapshot.input_tokens, snapshot.output_tokens) == (1000, 500)
    assert snapshot.active_s == pytest.approx(10.0, abs=0.01)
    bench.assert_whole(run_id)


def test_that_rows_that_wait_survive_a_restart():
    bench = Bench(texts(3))
    run_id = bench.make_run()
    first = FakeProvider(always(Ends(0.1, ErrorKind.RATE_LIMITED, 50.0)))
    assert halted_after(bench, run_id, first, 5.0, Runner.pause) is RunState.PAUSED
    assert bench.states(run_id) == {"waiting": 3}
    due = bench.tasks(run_id)["text 1"]["due_at"]
    assert due == pytest.approx(1_700_000_000 + 1000 + 0.1 + 50)

    second = FakeProvider(always(Ends()))
    assert carry_out(bench, run_id, second) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 3}
    # The new clock starts at 1000 again: all of the 50.1 s are still to be waited.
    assert [one.at for one in second.sent] == [pytest.approx(1050.1)] * 3
    assert first.sent[0].request.idempotency_key == second.sent[0].request.idempotency_key
    assert [one["number"] for one in bench.attempts(run_id)] == [1, 1, 1, 2, 2, 2]


def test_that_rows_left_running_by_a_runner_that_was_cut_off_are_sent_again():
    bench = Bench(texts(10))
    run_id = bench.make_run()
    first = FakeProvider(always(Ends(10.0)))

    async def main():
        running = asyncio.create_task(bench.runner(run_id, first, in_flight=3).run())
        await asyncio.sleep(1)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    simulate(main())
    assert bench.states(run_id) == {"running": 10}
    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 10}
    bench.assert_whole(run_id)


def test_that_a_row_made_pending_during_the_run_is_sent_when_the_runner_looks_again():
    bench = Bench(texts(5))
    run_id = bench.make_run(lambda number: TaskState.REVIEW if number == 1 else TaskState.PENDING)
    provider = FakeProvider(always(Ends(5.0)))

    def rerun(runner):
        bench.connection.execute("UPDATE task SET state = 'pending' WHERE state = 'review'")
        runner.moved(TaskState.REVIEW, TaskState.PENDING)

    assert halted_after(bench, run_id, provider, 1.0, rerun) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 5}


def test_that_a_run_with_rows_pending_behind_its_back_is_never_called_finished():
    bench = Bench(texts(5))
    run_id = bench.make_run(lambda number: TaskState.REVIEW if number == 1 else TaskState.PENDING)

    def rerun(_runner):
        bench.connection.execute("UPDATE task SET state = 'pending' WHERE state = 'review'")

    provider = FakeProvider(always(Ends(5.0)))
    assert halted_after(bench, run_id, provider, 1.0, rerun) is RunState.PAUSED
    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED


def test_that_earlier_answers_are_reused_and_counted_as_such():
    bench = Bench(texts(40))
    first_run = bench.make_run()
    carry_out(bench, first_run, FakeProvider(always(Ends())))
    second_run = bench.make_run()
    provider = FakeProvider(always(Ends()))
    assert carry_out(bench, second_run, provider, reuses=True) is RunState.FINISHED
    assert provider.sent == []
    assert bench.states(second_run) == {"passed": 40}
    snapshot = bench.last_snapshot().snapshot
    assert (snapshot.reused, snapshot.requests) == (40, 0)
    bench.assert_whole(second_run)


def test_that_a_batch_of_nothing_but_reused_answers_does_not_end_the_run_early():
    bench = Bench(texts(30), a_job(limits={"batch_size": 10}))
    first_run = bench.make_run()
    carry_out(bench, first_run, FakeProvider(always(Ends())))
    bench.connection.execute(  # the last five have no good answer yet
        "UPDATE task SET state = 'review' WHERE run_id = ? AND id > 25", (first_run,)
    )
    second_run = bench.make_run()
    provider = FakeProvider(always(Ends()))
    assert carry_out(bench, second_run, provider, reuses=True) is RunState.FINISHED
    assert [one.row for one in provider.sent] == texts(30)[25:]
    assert bench.last_snapshot().snapshot.reused == 25
    bench.assert_whole(second_run)


def test_that_nothing_is_reused_unless_the_plan_says_so():
    bench = Bench(texts(5))
    carry_out(bench, bench.make_run(), FakeProvider(always(Ends())))
    provider = FakeProvider(always(Ends()))
    carry_out(bench, bench.make_run(), provider)
    assert len(provider.sent) == 5


def test_that_a_row_that_is_asked_anew_takes_no_earlier_answer():
    bench = Bench(texts(3))
    run_id = bench.make_run()
    carry_out(bench, run_id, FakeProvider(always(Ends())))
    again = bench.make_run()
    bench.connection.execute(
        "UPDATE task SET content_try = 1 WHERE run_id = ? AND row_id = 2", (again,)
    )
    provider = FakeProvider(always(Ends()))
    assert carry_out(bench, again, provider, reuses=True) is RunState.FINISHED
    assert [one.row for one in provider.sent] == ["text 2"]
    assert bench.states(again) == {"passed": 3}


def test_that_the_phases_of_a_resumed_run_go_on_from_those_of_the_file():
    bench = Bench(texts(40))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(1.0)))
    halted_after(bench, run_id, provider, 1.5, Runner.pause, in_flight=10)
    assert bench.last_snapshot().snapshot.phases.service_s == pytest.approx(20.0)
    carry_out(bench, run_id, provider, in_flight=10)
    assert bench.last_snapshot().snapshot.phases.service_s == pytest.approx(40.0)
