from __future__ import annotations

import asyncio
import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.engine.bench import (
    Bench,
    Ends,
    FakeProvider,
    a_job,
    always,
    carry_out,
    texts,
)
from tests.unit.engine.simulated_loop import IdleForeverError, simulate

from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.runner import Runner
from batchdesk.store import runs


def test_that_thousands_of_rows_survive_a_bad_day():
    bench = Bench(texts(2000))
    run_id = bench.make_run()
    dice = random.Random(3)

    def script(request, _number):
        roll = dice.random()
        if roll < 0.05:
            return Ends(0.05, ErrorKind.RATE_LIMITED, dice.choice([None, 1.0, 5.0]))
        if roll < 0.12:
            return Ends(0.1, ErrorKind.SERVER_ERROR)
        if roll < 0.13:
            return Ends(0.1, ErrorKind.CONNECTION_RESET)
        if roll < 0.135:
            return Ends(60.0, ErrorKind.READ_TIMEOUT)
        if roll < 0.145:
            return Ends(text="Sorry")
        return Ends(dice.lognormvariate(-1.6, 0.5))

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider, in_flight=50) is RunState.FINISHED
    states = bench.states(run_id)
    assert states["passed"] >= 1995
    assert set(states) <= {"passed", "review"}
    snapshot = bench.last_snapshot().snapshot
    recorded = Counter(one["error_kind"] for one in bench.attempts(run_id))
    assert snapshot.requests == len(provider.sent) == recorded.total()
    assert {str(k): n for k, n in snapshot.failures.items()} == {
        kind: n for kind, n in recorded.items() if kind
    }
    bench.assert_whole(run_id)


_KINDS = st.sampled_from(
    [None, None, *(kind for kind in ErrorKind if kind is not ErrorKind.TEMPLATE_FAILED)]
)
_ENDS = st.builds(
    Ends,
    after_s=st.sampled_from([0.0, 0.01, 0.2, 3.0]),
    kind=_KINDS,
    hint_s=st.sampled_from([None, 0.0, 2.0, 90.0]),
    text=st.sampled_from([None, None, None, "", "no JSON", '{"other": 1}']),
    finish_reason=st.sampled_from(["stop", "stop", "stop", "length", "content_filter"]),
)
_HALTS = st.sampled_from([None, Runner.pause, Runner.stop])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_that_no_schedule_of_faults_and_halts_loses_or_doubles_a_row(data):
    count = data.draw(st.integers(0, 12), label="rows")
    bench = Bench(
        texts(count),
        a_job(limits={"batch_size": data.draw(st.integers(1, 8)), "attempts_max": 3}),
    )
    bench.store.commit_s = data.draw(st.sampled_from([0.0, 0.01, 0.5]), label="commit_s")
    run_id = bench.make_run()
    providers = []

    def session(script, halt, after_s):
        provider = FakeProvider(script)
        providers.append(provider)

        async def main():
            runner = bench.runner(
                run_id,
                provider,
                in_flight=data.draw(st.integers(1, 6), label="in_flight"),
                rpm=data.draw(st.sampled_from([None, 120.0]), label="rpm"),
            )
            running = asyncio.create_task(runner.run())
            if halt is not None:
                await asyncio.sleep(after_s)
                halt(runner)
            return await running

        state = simulate(main())
        bench.assert_whole(run_id)
        assert sum(bench.states(run_id).values()) == count
        return state

    for _ in range(data.draw(st.integers(0, 3), label="sessions")):
        session(
            lambda _request, _number: data.draw(_ENDS),
            data.draw(_HALTS),
            data.draw(st.sampled_from([0.0, 0.01, 0.21, 1.0, 70.0])),
        )
    assert session(always(Ends()), None, 0) is RunState.FINISHED

    assert set(bench.states(run_id)) <= {"passed", "review", "dead"}
    asked = sum(len(provider.sent) for provider in providers)
    assert asked == len(bench.attempts(run_id)) + sum(p.cancelled for p in providers)
    for task in bench.tasks(run_id).values():
        assert task["tries"] <= 3
        if task["state"] == "passed":
            assert json.loads(task["answer"]) == {"echo": f"text {task['row_id']}"}
    keys: dict[str, set[object]] = {}
    for provider in providers:
        for one in provider.sent:
            question = (one.request.messages, one.request.max_tokens)
            keys.setdefault(one.request.idempotency_key, set()).add(question)
    assert all(len(questions) == 1 for questions in keys.values())  # one key, one question


def test_that_the_simulated_loop_notices_a_wait_that_would_never_end():
    async def main():
        await asyncio.Event().wait()

    with pytest.raises(IdleForeverError):
        simulate(main())


def test_that_the_run_is_marked_running_while_it_runs():
    bench = Bench(texts(5))
    run_id = bench.make_run()
    seen = []

    async def main():
        running = asyncio.create_task(
            bench.runner(run_id, FakeProvider(always(Ends(1.0))), in_flight=2).run()
        )
        await asyncio.sleep(0.5)
        stored = runs.run(bench.connection, run_id)
        assert stored is not None
        seen.append((stored.state, bench.states(run_id)))
        return await running

    simulate(main())
    assert seen == [(RunState.RUNNING, {"running": 5})]
