from __future__ import annotations

from collections import Counter

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

from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.engine.events import SnapshotTaken


def fails_first(times, kind, hint_s=None, after_s=0.1):
    def script(_request, number):
        return Ends(after_s, kind, hint_s) if number <= times else Ends()

    return script


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.RATE_LIMITED,
        ErrorKind.OVERLOADED,
        ErrorKind.SERVER_ERROR,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
    ],
)
def test_that_a_transport_fault_is_retried_with_the_same_idempotency_key(kind):
    bench = Bench(texts(10))
    run_id = bench.make_run()

    def script(request, number):
        return fails_first(3, kind)(request, number) if "text 1" in str(request) else Ends(0.01)

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 10}
    for row in ("text 1", "text 10"):
        sent = provider.by_row()[row]
        assert [one.number for one in sent] == [1, 2, 3, 4]
        assert len({one.request.idempotency_key for one in sent}) == 1
        assert len({one.request.trace_id for one in sent}) == 4
        assert len({one.request.messages for one in sent}) == 1
    bench.assert_whole(run_id)


def test_that_five_server_errors_make_a_dead_letter_with_all_its_attempts():
    bench = Bench(texts(20))
    run_id = bench.make_run()

    def script(request, _number):
        return Ends(0.1, ErrorKind.SERVER_ERROR if row_of(request) == "text 1" else None)

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider, in_flight=2) is RunState.FINISHED
    assert bench.states(run_id) == {"dead": 1, "passed": 19}
    assert len(provider.sent) == 24
    task = bench.tasks(run_id)["text 1"]
    assert (task["error_kind"], task["tries"], task["attempts"]) == ("server_error", 5, 5)
    bench.assert_whole(run_id)


def test_that_refusals_never_kill_a_row():
    bench = Bench(texts(4))
    run_id = bench.make_run()
    provider = FakeProvider(fails_first(12, ErrorKind.RATE_LIMITED))
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 4}
    task = bench.tasks(run_id)["text 1"]
    assert (task["tries"], task["attempts"]) == (1, 13)  # only the answer itself is a try


def test_that_a_row_waits_at_least_as_long_as_it_was_told():
    bench = Bench(texts(20))
    provider = FakeProvider(fails_first(1, ErrorKind.RATE_LIMITED, hint_s=30.0))
    carry_out(bench, bench.make_run(), provider)
    for first, second in provider.by_row().values():
        assert second.at - (first.at + 0.1) >= 30.0 - 1e-6


def test_that_a_waiting_row_does_not_hold_a_slot():
    bench = Bench(texts(20))

    def script(request, number):
        slow = request.messages[-1].content.startswith("Row text 1\n") or (
            request.messages[-1].content == "Row text 1"
        )
        return Ends(0.1, ErrorKind.RATE_LIMITED, 40.0) if slow and number == 1 else Ends(0.1)

    provider = FakeProvider(script)
    carry_out(bench, bench.make_run(), provider, in_flight=1)
    assert [one.row for one in provider.sent] == [*texts(20), "text 1"]


def test_that_a_refused_row_goes_early_once_later_requests_have_been_accepted_for_5_s():
    bench = Bench(texts(100))

    def script(request, number):
        is_first = row_of(request) == "text 1" and number == 1
        return Ends(0.1, ErrorKind.RATE_LIMITED, 600.0) if is_first else Ends(0.1)

    provider = FakeProvider(script)
    carry_out(bench, bench.make_run(), provider, in_flight=1)
    first, second = provider.by_row()["text 1"]
    assert 5.0 <= second.at - first.at <= 7.0  # at once, and then one of every ten sends is its own


def test_that_a_row_out_of_time_is_dead_for_that_reason():
    bench = Bench(texts(2), a_job(limits={"deadline_s": 100}))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(0.1, ErrorKind.SERVER_ERROR, 30.0)))
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    task = bench.tasks(run_id)["text 1"]
    assert (task["state"], task["error_kind"]) == ("dead", "deadline_exceeded")
    assert 2 <= task["attempts"] <= 4  # waits of 30 to 60 s within 100 s
    bench.assert_whole(run_id)


def test_that_the_time_that_refusals_cost_is_not_the_rows():
    bench = Bench(texts(2), a_job(limits={"deadline_s": 100}))
    run_id = bench.make_run()

    def script(_request, number):
        if number <= 20:  # ten minutes and more of "not now"
            return Ends(0.1, ErrorKind.RATE_LIMITED, 30.0)
        return Ends(0.1, ErrorKind.SERVER_ERROR) if number == 21 else Ends()

    assert carry_out(bench, run_id, FakeProvider(script)) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 2}
    bench.assert_whole(run_id)


def test_that_a_malformed_answer_is_asked_for_once_more_under_a_new_key():
    bench = Bench(texts(6))
    run_id = bench.make_run()

    def script(_request, number):
        return Ends(text="no JSON at all") if number == 1 else Ends()

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"passed": 6}
    for first, second in provider.by_row().values():
        assert first.request.idempotency_key != second.request.idempotency_key
        assert first.request.messages[-1].content in second.request.messages[-1].content
        assert "previous answer" in second.request.messages[-1].content
    bench.assert_whole(run_id)


def test_that_a_second_malformed_answer_goes_to_a_person():
    bench = Bench(texts(3))
    run_id = bench.make_run()
    provider = FakeProvider(always(Ends(text="no JSON at all")))
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    assert bench.states(run_id) == {"review": 3}
    assert len(provider.sent) == 6


def test_that_a_transport_retry_repeats_the_question_that_mends_the_answer():
    # 1: cut off; 2: the longer one meets a 500; 3: must be the longer one again, under its key.
    bench = Bench(texts(5))
    run_id = bench.make_run()

    def script(_request, number):
        if number == 1:
            return Ends(text='{"ec', finish_reason="length")
        return Ends(kind=ErrorKind.SERVER_ERROR) if number == 2 else Ends()

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    for sent in provider.by_row().values():
        assert [one.request.max_tokens for one in sent] == [50, 200, 200]
        keys = [one.request.idempotency_key for one in sent]
        assert keys[0] != keys[1] == keys[2]
        assert sent[1].request.messages == sent[2].request.messages
    kinds = Counter(attempt["error_kind"] for attempt in bench.attempts(run_id))
    assert kinds == {"truncated": 5, "server_error": 5, None: 5}
    assert bench.states(run_id) == {"passed": 5}


def test_that_retries_come_behind_first_tries_but_get_one_send_in_ten():
    bench = Bench(texts(400))

    def script(request, number):
        early = request.idempotency_key.rsplit("-", 2)[1] in {str(n) for n in range(1, 21)}
        return Ends(0.01, ErrorKind.SERVER_ERROR) if early and number == 1 else Ends(1.0)

    provider = FakeProvider(script)
    carry_out(bench, bench.make_run(), provider, in_flight=10)
    # All 20 are due after 1 s at the latest; from then on every tenth send is one of them.
    late = [one.number for one in provider.sent[40:]]
    first_tries_after = late[: max(i for i, number in enumerate(late) if number == 2) + 1]
    assert first_tries_after.count(2) * 10 >= len(first_tries_after) - 10
    assert max(
        len(piece) for piece in "".join(map(str, first_tries_after)).split("2")
    ) <= 9  # fmt: skip


def test_that_the_wait_for_our_own_slow_pace_uses_up_no_rows_time():
    # One request in ten seconds, and the retries go behind 39 other rows.
    bench = Bench(texts(40), a_job(limits={"deadline_s": 100}))
    run_id = bench.make_run()
    provider = FakeProvider(fails_first(2, ErrorKind.SERVER_ERROR))
    assert carry_out(bench, run_id, provider, rpm=6) is RunState.FINISHED
    waited_s = [second.at - first.at for first, second, _ in provider.by_row().values()]
    assert max(waited_s) > 300
    assert bench.states(run_id) == {"passed": 40}


def test_that_a_storm_of_retries_does_not_fill_the_memory_with_rows():
    bench = Bench(texts(60), a_job(limits={"batch_size": 4}))
    run_id = bench.make_run()

    def script(_request, number):
        return Ends(0.01, ErrorKind.RATE_LIMITED, 30.0) if number == 1 else Ends(1.0)

    assert carry_out(bench, run_id, FakeProvider(script), in_flight=1) is RunState.FINISHED
    shown = [event.snapshot for event in bench.events if isinstance(event, SnapshotTaken)]
    assert max(snapshot.buffered for snapshot in shown) <= 4 + 4
    assert bench.states(run_id) == {"passed": 60}


def test_that_a_row_that_moves_to_the_slow_lane_asks_with_its_note_under_another_key():
    bench = Bench(texts(1), a_job(stage={"slow_note": "Be brief."}))
    run_id = bench.make_run()

    def script(_request, number):
        return Ends(1.0, ErrorKind.READ_TIMEOUT) if number < 3 else Ends()

    provider = FakeProvider(script)
    assert carry_out(bench, run_id, provider) is RunState.FINISHED
    first, second, third = (one.request for one in provider.sent)
    assert first.idempotency_key == second.idempotency_key
    assert third.idempotency_key == f"{first.idempotency_key}-slow"
    assert third.messages[-1].content == f"{first.messages[-1].content}\n\nBe brief."
    bench.assert_whole(run_id)
