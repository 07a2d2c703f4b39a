from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason, Percentiles
from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.engine.meters import Latency, Meters, Rate
from batchdesk.store.results import Totals


def test_that_a_rate_is_taken_over_the_time_since_the_first_event():
    rate = Rate()
    for tenth in range(100):  # ten a second for ten seconds
        rate.add(100 + tenth / 10)
    assert rate.per_second(110.0) == 10.0
    assert rate.per_second(120.0) == 5.0


def test_that_the_first_second_counts_as_a_whole_one():
    rate = Rate()
    rate.add(100.0)
    rate.add(100.1)
    assert rate.per_second(100.2) == 2.0


def test_that_a_rate_forgets_what_is_older_than_a_minute():
    rate = Rate()
    rate.add(100.0, 600)
    rate.add(130.0, 120)
    assert rate.per_second(159.9) == pytest.approx(720 / 59.9)
    assert rate.per_second(160.0) == 2.0  # 120 in 60 s
    assert rate.per_second(190.0) == 0.0
    assert rate.per_second(500.0) == 0.0


def test_that_a_rate_without_events_is_zero():
    assert Rate().per_second(5.0) == 0.0


@given(
    st.lists(st.floats(0, 300), max_size=60),
    st.floats(0, 100),
)
def test_that_a_rate_holds_the_events_of_the_last_minute_to_a_second(times, later):
    rate = Rate()
    for at in sorted(times):
        rate.add(at)
    now = max(times, default=0.0) + later
    span = max(1.0, min(60.0, now - min(times, default=0.0)))
    surely = sum(at >= now - 59 for at in times)
    at_most = sum(at > now - 60 for at in times)
    counted = rate.per_second(now) * span
    assert surely - 1e-6 <= counted <= at_most + 1e-6


def latency_of(values, at=0.0):
    latency = Latency()
    for value in values:
        latency.add(at, value)
    return latency


def test_that_percentiles_are_by_nearest_rank():
    # 20 values: P50 the 10th, P95 the 19th, P99 the 20th (0.99 x 20 = 19.8, so rank 20)
    latency = latency_of(range(1, 21))
    assert latency.recent(1.0) == Percentiles(10, 19, 20)
    # 5 values: P50 the 3rd (2.5), P95 the 5th (4.75), P99 the 5th (4.95)
    assert latency_of([15, 20, 35, 40, 50]).recent(1.0) == Percentiles(35, 50, 50)
    # 100 values: the 50th, 95th and 99th
    assert latency_of(range(100, 0, -1)).recent(1.0) == Percentiles(50, 95, 99)
    assert latency_of([7]).recent(1.0) == Percentiles(7, 7, 7)


def test_that_there_are_no_percentiles_without_values():
    assert Latency().recent(0.0) == Percentiles(None, None, None)
    assert Latency().run() == Percentiles(None, None, None)


def test_that_recent_percentiles_look_back_a_minute_and_those_of_the_run_do_not():
    latency = latency_of([1.0] * 10, at=0.0)
    latency.add(59.0, 5.0)
    assert latency.recent(59.9).p50 == 1.0
    assert latency.recent(60.0) == Percentiles(5.0, 5.0, 5.0)
    assert latency.run().p50 == pytest.approx(1.0, rel=0.02)


@given(st.lists(st.floats(0.001, 5000), min_size=1, max_size=200))
def test_that_the_run_s_percentiles_are_within_two_percent(values):
    found = latency_of(values).run()
    ordered = sorted(values)
    for share, value in ((0.50, found.p50), (0.95, found.p95), (0.99, found.p99)):
        exact = ordered[math.ceil(share * len(ordered)) - 1]
        assert value is not None
        assert exact * (1 - 1e-9) <= value <= exact * 1.02 * (1 + 1e-9)


def test_that_times_below_a_millisecond_count_as_one():
    assert latency_of([0.0, 0.0001]).run().p50 == 0.001


def test_that_answers_and_failures_are_counted_apart():
    meters = Meters()
    for _ in range(3):
        meters.sent(10.0, 0.5)
    meters.answered(11.0, service_s=0.5, first_token_s=0.1, tokens=(100, 20))
    meters.answered(12.0, service_s=1.5, first_token_s=None, tokens=(50, 10))
    meters.failed(0.0, ErrorKind.SERVER_ERROR, "it broke")
    assert (meters.requests, meters.succeeded) == (3, 2)
    assert (meters.input_tokens, meters.output_tokens) == (150, 30)
    assert dict(meters.failures) == {ErrorKind.SERVER_ERROR: 1}
    assert meters.last_failure == "it broke"
    assert meters.latency.recent(12.0).p50 == 0.5
    assert meters.first_token.recent(12.0).p99 == 0.1
    assert meters.token_rate.per_second(12.0) == 180.0
    assert meters.request_rate.per_second(13.0) == 1.0


def test_that_totals_of_earlier_sessions_are_gone_on_from():
    meters = Meters()
    figures = {"in_flight": 3, "phases": {"service_s": 12.5, "queueing_s": 1.5, "gone_s": 9}}
    meters.start_from(Totals(10, 8, 3, 1000, 200, {ErrorKind.READ_TIMEOUT: 2}), figures, 0.0)
    meters.sent(0.0, 0.5)
    meters.failed(0.0, ErrorKind.READ_TIMEOUT, "late")
    assert (meters.requests, meters.succeeded, meters.reused) == (11, 8, 3)
    assert (meters.input_tokens, meters.output_tokens) == (1000, 200)
    assert meters.failures == {ErrorKind.READ_TIMEOUT: 3}
    assert (meters.service_s, meters.queueing_s, meters.writing_s) == (12.5, 2.0, 0.0)


def test_that_a_wait_for_a_limit_is_told_apart_from_one_for_a_slot():
    meters = Meters()
    meters.holds_begin(10.0, HoldReason.REQUESTS_PER_MINUTE)
    assert meters.held_s(12.0) == 2.0  # a row that is claimed in the midst of it begins here
    meters.holds_end(14.0)
    meters.holds_begin(14.0, HoldReason.IN_FLIGHT)
    meters.holds_end(20.0)
    assert meters.held_s(20.0) == 4.0
    meters.sent(20.0, 8.0, limit_s=meters.held_s(20.0) - 2.0)
    assert (meters.limit_s, meters.queueing_s) == (2.0, 6.0)


def test_that_what_was_sent_under_another_limit_is_no_part_of_what_is_used_of_the_new_one():
    meters = Meters()
    for second in range(60):
        meters.request_rate.add(100.0 + second, 16)
    told = LimitChange(160.0, LimitKind.PACE, 16.0, 5.0, LimitReason.TOLD)
    meters.limit_changed(told, 160.0)
    assert meters.request_rate.per_second(160.0) == 0.0
    for second in range(4):
        meters.request_rate.add(160.0 + second, 5)
    assert meters.request_rate.per_second(164.0) == 5.0


def test_that_rows_count_from_the_start_of_a_run_and_not_from_the_first_answer():
    meters = Meters()
    meters.start_from(Totals(0, 0, 0, 0, 0, {}), {}, 100.0)
    for _ in range(100):
        meters.finished(120.0, TaskState.PASSED)
    assert meters.finished_rate.per_second(120.0) == 5.0


def test_that_what_is_sent_lately_is_of_the_last_ten_seconds_and_since_the_last_restart():
    rate = Rate()
    for second in range(60):
        rate.add(100.0 + second, 40 if second < 50 else 10)
    assert rate.lately_per_second(160.0) == 10.0
    rate.restart(160.0)
    for second in range(4):
        rate.add(160.0 + second, 7)
    assert rate.lately_per_second(164.0) == 7.0
    assert Rate().lately_per_second(164.0) == 0.0


def test_that_what_was_answered_before_the_first_pace_is_no_part_of_what_the_pace_brings():
    meters = Meters()
    reopened = LimitChange(110.0, LimitKind.PACE, 0.0, 10.0, LimitReason.REOPENED)
    for second in range(40):
        meters.answered_rate.add(100.0 + second, 100 if second < 10 else 10)
        if second == 9:
            meters.limit_changed(reopened, 110.0)
    assert meters.answered_rate.per_second(140.0) == 10.0
    meters.limit_changed(reopened, 140.0)  # a later cut: the minute counts on
    assert meters.answered_rate.per_second(140.0) == 10.0
