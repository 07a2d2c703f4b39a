from __future__ import annotations

import asyncio
import logging
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.unit.engine.bench import (
    WALL_AT_ZERO,
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

from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.events import Event
from batchdesk.prepare.template import RenderError
from batchdesk.providers.base import ProviderError
from batchdesk.quality.checks import Checker


def disk_full():
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.AUTH,
        ErrorKind.FORBIDDEN,
        ErrorKind.QUOTA_EXHAUSTED,
        ErrorKind.MODEL_NOT_FOUND,
        ErrorKind.NOT_AN_API,
    ],
)
def test_that_a_wrong_key_or_an_empty_account_pauses_and_marks_no_row(kind):
    bench = Bench(texts(100))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.1, kind)))
    assert carry_out(bench, run_id, provider, in_flight=5) is RunState.PAUSED
    assert len(provider.sent) == 5
    assert bench.states(run_id) == {"pending": 100}
    assert bench.run_row(run_id) == ("paused", kind)
    assert sum(task["tries"] for task in bench.tasks(run_id).values()) == 0
    assert bench.moves()[-1].message == f"it said {kind}"
    bench.assert_whole(run_id)

    good = FakeProvider(always(Ends()))
    assert carry_out(bench, run_id, good) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 100}
    assert bench.run_row(run_id) == ("finished", None)


@pytest.mark.parametrize("kind", [ErrorKind.RATE_LIMITED, ErrorKind.OVERLOADED])
def test_that_a_service_that_asks_to_wait_for_hours_pauses_and_it_is_said_until_when(kind):
    bench = Bench(texts(100))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.1, kind, hint_s=3 * 86_400.0)))
    assert carry_out(bench, run_id, provider, in_flight=1) is RunState.PAUSED
    assert bench.states(run_id) == {"pending": 100}
    assert bench.run_row(run_id) == ("paused", "rate_limited")
    said = bench.moves()[-1].message
    assert said is not None
    until = datetime.fromtimestamp(WALL_AT_ZERO + 1000.1 + 3 * 86_400.0, UTC)
    assert said == f"{until.astimezone():%Y-%m-%d %H:%M} · it said {kind}"
    bench.assert_whole(run_id)


PERHAPS_A_ROWS = [ErrorKind.FORBIDDEN, ErrorKind.NOT_AN_API]


@pytest.mark.parametrize("kind", PERHAPS_A_ROWS)
def test_that_a_few_rows_that_are_refused_among_good_ones_do_not_stop_the_run(kind):
    bench = Bench(texts(60))
    run_id = bench.make_run()
    bad = {"text 20", "text 21", "text 59", "text 60"}  # the last ones too

    def script(request, _number):
        return Ends(0.1, kind) if row_of(request) in bad else Ends()

    assert carry_out(bench, run_id, FakeProvider(script), in_flight=3) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 56, "dead": 4}
    task = bench.tasks(run_id)["text 60"]
    assert (task["error_kind"], task["tries"]) == (kind, 5)
    bench.assert_whole(run_id)


@pytest.mark.parametrize("kind", PERHAPS_A_ROWS)
def test_that_a_service_that_begins_to_refuse_everything_pauses_and_kills_no_row(kind):
    bench = Bench(texts(60))
    run_id = bench.make_run()

    def script(_request, _number):
        return Ends() if len(provider.sent) <= 30 else Ends(0.1, kind)

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider, in_flight=1) is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", kind)
    assert bench.states(run_id) == {"passed": 30, "pending": 25, "waiting": 5}

    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 60}


def test_that_a_first_row_that_is_refused_pauses_one_session_and_not_every_one():
    bench = Bench(texts(60))
    run_id = bench.make_run()

    def script(request, _number):
        return Ends(0.1, ErrorKind.FORBIDDEN) if row_of(request) == "text 1" else Ends()

    assert carry_out(bench, run_id, FakeProvider(script)) is RunState.PAUSED
    assert bench.states(run_id) == {"passed": 19, "pending": 41}
    assert carry_out(bench, run_id, FakeProvider(script)) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 59, "dead": 1}
    bench.assert_whole(run_id)


def test_that_an_address_that_cannot_be_reached_pauses_after_three():
    bench = Bench(texts(100))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.1, ErrorKind.CONNECT_FAILED)))
    assert carry_out(bench, run_id, provider, in_flight=1) is RunState.PAUSED
    assert len(provider.sent) == 3
    assert bench.run_row(run_id) == ("paused", "connect_failed")
    assert bench.states(run_id).get("dead", 0) == 0
    bench.assert_whole(run_id)


def test_that_a_few_bad_requests_among_good_ones_do_not_pause():
    bench = Bench(texts(100))
    run_id = bench.make_run()

    def script(request, _number):
        nth = int(request.idempotency_key.rsplit("-", 2)[1])
        return Ends(0.1, ErrorKind.BAD_REQUEST) if nth % 3 == 0 else Ends()

    assert carry_out(bench, run_id, FakeProvider(script)) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 67, "dead": 33}


def test_that_a_full_disk_pauses_and_loses_nothing_committed():
    bench = Bench(texts(200))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.2)))

    async def main():
        runner = bench.runner(run_id, provider, in_flight=10)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(1.1)  # five rounds of ten
        bench.store.fail_with = disk_full()
        return await running

    assert simulate(main()) is RunState.PAUSED
    assert bench.moves()[-1].cause is ErrorKind.STORAGE_FULL
    assert bench.states(run_id)["passed"] == 50

    bench.store.fail_with = None
    assert carry_out(bench, run_id, FakeProvider(always(Ends()))) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 200}
    bench.assert_whole(run_id)


def test_that_a_disk_that_is_full_only_for_a_while_is_named_and_leaves_the_run_paused():
    bench = Bench(texts(200))
    run_id = bench.make_run()

    def script(request, _number):
        nth = int(request.idempotency_key.rsplit("-", 2)[1])
        return Ends(0.2 if nth <= 51 else 0.5)

    async def main():
        runner = bench.runner(run_id, FakeProvider(script), in_flight=10)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(1.1)
        bench.store.fail_with = disk_full()
        await asyncio.sleep(0.15)  # one answer meets it; the nine others come later
        bench.store.fail_with = None
        return await running

    assert simulate(main()) is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", "storage_full")
    assert bench.states(run_id) == {"passed": 59, "pending": 141}
    bench.assert_whole(run_id)


class _BrokenChecker:
    def assess(self, choices, row_key):
        raise ZeroDivisionError("a bug in a check")


def test_that_a_bug_that_every_row_meets_pauses_after_twenty(caplog):
    bench = Bench(texts(50))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends()))
    with caplog.at_level(logging.ERROR):
        state = carry_out(bench, run_id, provider, in_flight=4, checker=_BrokenChecker())
    assert state is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", "internal")
    assert bench.states(run_id) == {"dead": 20, "pending": 30}  # five rounds of four
    assert "ZeroDivisionError" in caplog.text
    bench.assert_whole(run_id)


class _PickyChecker:
    """Stumbles over the answers that say so."""

    def __init__(self, job):
        self._real = Checker(job.stages[0], echo_key=False)

    def assess(self, choices, row_key):
        if choices[0].text == "stumble":
            raise ZeroDivisionError("a bug in a check")
        return self._real.assess(choices, row_key)


def test_that_an_answer_that_a_check_stumbles_over_is_that_rows_dead_letter(caplog):
    bench = Bench(texts(200))
    run_id = bench.make_run()

    def script(request, _number):
        nth = int(request.idempotency_key.rsplit("-", 2)[1])
        return Ends(text="stumble") if nth % 4 == 0 else Ends()

    with caplog.at_level(logging.ERROR):
        state = carry_out(
            bench, run_id, FakeProvider(script), in_flight=1, checker=_PickyChecker(bench.job)
        )
    assert state is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 150, "dead": 50}
    task = bench.tasks(run_id)["text 4"]
    assert task["error_kind"] == "internal"
    assert "ZeroDivisionError" in task["error_message"]
    kept = bench.connection.execute("SELECT count(*) FROM exchange").fetchone()
    assert kept == (200,)
    assert "a bug in a check" in caplog.text
    bench.assert_whole(run_id)


@pytest.mark.parametrize("is_answer", [True, False])
def test_that_what_cannot_be_written_is_that_rows_dead_letter(is_answer, caplog):
    bench = Bench(texts(30))
    run_id = bench.make_run()

    class Odd(FakeProvider):
        async def chat(self, request):
            response = await super().chat(request)
            if len(self.sent) != 7:
                return response
            if is_answer:
                return replace(response, response_body="\ud800")
            raise ProviderError(ErrorKind.BAD_REQUEST, "\ud800")

    with caplog.at_level(logging.ERROR):
        assert carry_out(bench, run_id, Odd(always(Ends())), in_flight=1) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 29, "dead": 1}
    assert bench.tasks(run_id)["text 7"]["error_kind"] == "internal"
    bench.assert_whole(run_id)


def test_that_a_bug_in_a_provider_costs_the_row_and_not_the_run(caplog):
    bench = Bench(texts(50))
    run_id = bench.make_run()

    def script(_request, _number):
        first = len(provider.sent) == 1
        return Ends(0.1, bug=KeyError("choices")) if first else Ends(0.5)

    provider = FakeProvider(script)
    with caplog.at_level(logging.ERROR):
        assert carry_out(bench, run_id, provider, in_flight=4) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 49, "dead": 1}
    assert "KeyError" in caplog.text
    bench.assert_whole(run_id)


class _Builder:
    """Fails for some rows; stands for any builder with ``used`` columns that are there."""

    def __init__(self, bench, error, every):
        from batchdesk.prepare.prompt import PromptBuilder

        self._real = PromptBuilder(bench.job, ["text"], model="m", echo_key=False)
        self.used = self._real.used
        self._error = error
        self._every = every

    def input_version(self, cells):
        return self._real.input_version(cells)

    def sent_key(self, row_key, row_id):
        return self._real.sent_key(row_key, row_id)

    def build(self, **values):
        if int(values["row_key"].removeprefix("key-")) % self._every == 0:
            raise self._error
        return self._real.build(**values)


def test_that_a_bug_in_rendering_pauses_and_those_in_flight_land(caplog):
    bench = Bench(texts(20))
    run_id = bench.make_run()
    builder = _Builder(bench, IndexError("a bug in a template"), every=5)
    provider = FakeProvider(always(Ends()))
    with caplog.at_level(logging.ERROR):
        assert carry_out(bench, run_id, provider, builder=builder) is RunState.PAUSED
    assert bench.states(run_id) == {"passed": 4, "pending": 16}
    assert bench.run_row(run_id) == ("paused", "internal")
    bench.assert_whole(run_id)


def test_that_a_prompt_that_cannot_be_rendered_is_a_dead_letter_without_a_request():
    bench = Bench(texts(20))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends()))
    builder = _Builder(bench, RenderError("no such thing"), every=5)
    assert carry_out(bench, run_id, provider, builder=builder) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 16, "dead": 4}
    assert bench.tasks(run_id)["text 5"]["error_kind"] == "template_failed"
    assert len(provider.sent) == 16
    bench.assert_whole(run_id)


def test_that_a_run_of_nothing_but_unrenderable_prompts_finishes():
    bench = Bench(texts(30), a_job(limits={"batch_size": 4}))
    run_id = bench.make_run()
    builder = _Builder(bench, RenderError("no such thing"), every=1)
    assert carry_out(bench, run_id, FakeProvider(always(Ends())), builder=builder) is (
        RunState.FINISHED
    )
    assert bench.states(run_id) == {"dead": 30}


def test_that_a_bug_while_writing_an_unrenderable_row_pauses_and_keeps_it(caplog):
    bench = Bench(texts(3))
    run_id = bench.make_run()
    builder = _Builder(bench, RenderError("no such thing"), every=1)
    bench.connection.execute(
        "CREATE TRIGGER no_death BEFORE UPDATE OF state ON task WHEN new.state = 'dead'"
        " BEGIN SELECT raise(ABORT, 'refused'); END"
    )
    with caplog.at_level(logging.ERROR):
        state = carry_out(bench, run_id, FakeProvider(always(Ends())), builder=builder)
    assert state is RunState.PAUSED
    assert bench.states(run_id) == {"pending": 3}
    assert "refused" in caplog.text


def test_that_a_listener_that_raises_does_not_stop_the_run(caplog):
    bench = Bench(texts(30))
    run_id = bench.make_run()

    def listen(event: Event) -> None:
        bench.events.append(event)
        raise RuntimeError("a screen that failed")

    with caplog.at_level(logging.ERROR):
        state = carry_out(
            bench, run_id, FakeProvider(always(Ends(0.5))), in_flight=5, listener=listen
        )
    assert state is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 30}
    assert "a screen that failed" in caplog.text
    assert len(bench.events) > 10  # it is told again and again
    bench.assert_whole(run_id)


def test_that_a_refill_that_fails_pauses(caplog):
    bench = Bench(texts(30))
    run_id = bench.make_run()
    bench.connection.execute(
        "CREATE TRIGGER no_claim BEFORE UPDATE OF state ON task WHEN new.state = 'running'"
        " BEGIN SELECT raise(ABORT, 'refused'); END"
    )
    with caplog.at_level(logging.ERROR):
        state = carry_out(bench, run_id, FakeProvider(always(Ends())))
    assert state is RunState.PAUSED
    assert bench.run_row(run_id) == ("paused", "internal")
