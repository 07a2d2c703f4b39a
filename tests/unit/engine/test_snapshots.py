from __future__ import annotations

import json
from collections import Counter

import pytest

from batchdesk.domain.snapshot import (
    Advice,
    AdviceCode,
    HoldReason,
    InFlight,
    LaneDepth,
    LimitReason,
    Percentiles,
    Waiting,
)
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.admission import Cost, GateFigures, Ticket
from batchdesk.engine.lanes import Due, Lanes, Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.snapshots import Flight, Standing, figures_of, take_snapshot
from batchdesk.store.tasks import ClaimedTask


def ready(task_id, attempts=0, *, slow=False, claimed_at=0.0):
    task = ClaimedTask(task_id, task_id, f"k{task_id}", {}, 0, attempts, 0, None, None, None)
    return Ready(task, 1, claimed_at, slow=slow)


def flight(task_id, sent_at, *, attempts=0, slow=False, doing="service"):
    ticket = Ticket(task_id, 1, Cost(), sent_at)
    return Flight(ready(task_id, attempts, slow=slow), ticket, doing)


def snapshot(standing, *, meters=None, lanes=None, gate=None, now=100.0):
    return take_snapshot(
        standing,
        meters or Meters(),
        lanes or Lanes(10),
        gate or GateFigures(0, 20, 200),
        now=now,
        at=1_700_000_000.0,
        active_s=42.0,
    )


def test_that_counts_are_those_of_the_standing_without_zeros():
    standing = Standing(5, RunState.RUNNING)
    standing.counts = Counter({TaskState.PENDING: 6, TaskState.PASSED: 3, TaskState.DEAD: 0})
    standing.move(TaskState.PENDING, TaskState.RUNNING, 2)
    taken = snapshot(standing)
    assert taken.counts == {TaskState.PENDING: 4, TaskState.RUNNING: 2, TaskState.PASSED: 3}
    assert (taken.total, taken.done, taken.run_id, taken.active_s) == (9, 3, 5, 42.0)


def test_that_the_time_left_is_open_tasks_by_the_rate_they_finish_at():
    standing = Standing(1)
    standing.counts = Counter(
        {TaskState.PENDING: 10, TaskState.WAITING: 5, TaskState.RUNNING: 5, TaskState.PASSED: 80}
    )
    meters = Meters()
    meters.finished_rate.add(60.0, 80)  # 80 in 40 s: 2 a second
    taken = snapshot(standing, meters=meters)
    assert (taken.finished_per_s, taken.eta_s) == (2.0, 10.0)
    assert snapshot(standing).eta_s is None


def test_that_the_time_left_is_no_less_than_the_longest_request_needs_and_the_last_wait_takes():
    standing, meters, lanes = Standing(1), Meters(), Lanes(10)
    standing.counts = Counter({TaskState.RUNNING: 2, TaskState.PASSED: 80})
    meters.finished_rate.add(60.0, 80)  # 2 a second: one second by that
    standing.flights = {3: flight(3, 99.0), 4: flight(4, 90.0, doing="writing")}
    standing.flights[3].expected_s = 30.0
    assert snapshot(standing, meters=meters).eta_s == 29.0
    standing.flights[3] = flight(3, 60.0)
    standing.flights[3].expected_s = 30.0  # overdue, and nothing else is known
    assert snapshot(standing, meters=meters).eta_s == 4.0
    lanes.wait(Due(130.0, 6, "k6", 2, ErrorKind.SERVER_ERROR, 90.0))
    assert snapshot(standing, meters=meters, lanes=lanes).eta_s == 30.0


def test_that_what_is_in_flight_and_what_waits_is_listed():
    standing = Standing(1)
    standing.flights[3] = flight(3, 99.0)
    standing.flights[4] = flight(4, 98.0, attempts=2, slow=True, doing="writing")
    lanes = Lanes(10)
    lanes.wait(Due(95.0, 5, "k5", 3, ErrorKind.SERVER_ERROR, 80.0, slow=True))
    lanes.wait(Due(130.0, 6, "k6", 2, ErrorKind.RATE_LIMITED, 90.0))
    taken = snapshot(standing, lanes=lanes)
    assert taken.tasks == (
        InFlight(3, "k3", 1, 1.0, "service"),
        InFlight(4, "k4", 3, 2.0, "writing", slow=True),
        Waiting(5, "k5", 3, 0.0, ErrorKind.SERVER_ERROR, slow=True),
        Waiting(6, "k6", 2, 30.0, ErrorKind.RATE_LIMITED),
    )
    assert (taken.in_flight, taken.uncommitted, taken.oldest_wait_s) == (2, 1, 20.0)


def test_that_the_list_is_cut_at_200_of_each_the_earliest_due_first():
    standing = Standing(1)
    lanes = Lanes(10)
    for n in range(300):
        standing.flights[n] = flight(n, 99.0)
        lanes.wait(Due(1000.0 - n, n, f"k{n}", 2, ErrorKind.RATE_LIMITED, 90.0))
    tasks = snapshot(standing, lanes=lanes).tasks
    assert len(tasks) == 400
    assert [task.task_id for task in tasks[:3]] == [0, 1, 2]
    assert [task.task_id for task in tasks[200:203]] == [299, 298, 297]
    assert snapshot(standing).in_flight == 300


def test_that_limits_and_hold_are_shown():
    standing = Standing(1)
    standing.hold = HoldReason.REQUESTS_PER_MINUTE
    gate = GateFigures(
        3,
        7,
        150,
        pinned=True,
        pace_per_s=4.5,
        permitted_requests_per_s=9.9,
        permitted_tokens_per_s=990.0,
        breaker_probe_s=12.0,
    )
    taken = snapshot(standing, gate=gate)
    assert (taken.limit, taken.ceiling, taken.pinned) == (7, 150, True)
    assert taken.hold is HoldReason.REQUESTS_PER_MINUTE
    assert (taken.pace_per_s, taken.breaker_probe_s) == (4.5, 12.0)
    assert (taken.permitted_requests_per_s, taken.permitted_tokens_per_s) == (9.9, 990.0)
    bare = snapshot(standing)
    assert (bare.permitted_requests_per_s, bare.permitted_tokens_per_s) == (None, None)


def test_that_lanes_are_shown_apart_with_the_oldest_wait():
    lanes = Lanes(10)
    lanes.add_first([ready(1, claimed_at=70.0), ready(2, slow=True, claimed_at=60.0)])
    lanes.wait(Due(130.0, 6, "k6", 2, ErrorKind.RATE_LIMITED, 90.0))
    taken = snapshot(Standing(1), lanes=lanes)
    assert taken.fast == LaneDepth(buffered=1, waiting=1, in_flight=0, oldest_wait_s=30.0)
    assert taken.slow == LaneDepth(buffered=1, waiting=0, in_flight=0, oldest_wait_s=40.0)
    assert (taken.buffered, taken.oldest_wait_s) == (2, 40.0)


def test_that_the_wait_in_our_own_queue_is_apart_from_latency():
    meters = Meters()
    for waited_s in (0.5, 3.0, 40.0):
        meters.sent(99.0, waited_s)
    meters.answered(99.5, service_s=0.2, first_token_s=None, tokens=(7, 2))
    taken = snapshot(Standing(1), meters=meters)
    assert (taken.queue_wait_p50_s, taken.latency_recent.p50) == (3.0, 0.2)
    assert taken.phases.queueing_s == 43.5


def test_that_rows_in_and_out_of_the_queue_and_good_ones_are_counted():
    meters = Meters()
    meters.taken(60.0, 100)
    for state in (TaskState.PASSED, TaskState.REVIEW, TaskState.DEAD, TaskState.PASSED):
        meters.finished(60.0, state, 10)
    taken = snapshot(Standing(1), meters=meters)  # 40 s later
    assert (taken.fill_per_s, taken.drain_per_s, taken.accepted_per_s) == (2.5, 1.0, 0.5)


def test_that_a_queue_that_more_goes_into_than_comes_out_of_is_said_to_grow():
    meters, lanes = Meters(), Lanes(1000)
    shown = []
    for second in range(100, 190):
        meters.taken(second, 2)
        meters.finished(second, TaskState.PASSED)
        lanes.wait(Due(1e9, second, "k", 2, ErrorKind.SERVER_ERROR, float(second)))
        shown.append(snapshot(Standing(1), meters=meters, lanes=lanes, now=float(second)).growing)
    assert shown == [False] * 60 + [True] * 30


def test_that_the_last_words_of_each_kind_of_failure_are_kept():
    meters = Meters()
    meters.failed(90.0, ErrorKind.SERVER_ERROR, "first")
    meters.failed(90.0, ErrorKind.AUTH, "no such key")
    meters.failed(90.0, ErrorKind.SERVER_ERROR, "second")
    taken = snapshot(Standing(1), meters=meters)
    assert taken.last_failures == {
        ErrorKind.SERVER_ERROR: "second",
        ErrorKind.AUTH: "no such key",
    }
    assert taken.last_failure == "second"


def test_that_kept_figures_are_plain_json():
    standing = Standing(1)
    standing.counts = Counter({TaskState.PASSED: 3})
    meters = Meters()
    meters.answered(100.0, service_s=0.5, first_token_s=None, tokens=(7, 2))
    meters.failed(90.0, ErrorKind.SERVER_ERROR, "x")
    meters.sent(100.0, 0.25)
    meters.checking_s = 1.23456
    lanes = Lanes(10)
    lanes.add_first([ready(2, slow=True, claimed_at=60.0)])
    gate = GateFigures(0, 20, 200, pace_per_s=1 / 3)
    taken = snapshot(standing, meters=meters, lanes=lanes, gate=gate)
    kept = json.loads(json.dumps(figures_of(taken)))
    assert kept["counts"] == {"passed": 3}
    assert kept["failures"] == {"server_error": 1}
    assert (kept["p50_s"], kept["first_token_p50_s"]) == (0.5, None)
    assert kept["run_p50_s"] == pytest.approx(0.5, rel=0.02)  # from a histogram
    assert (kept["input_tokens"], kept["output_tokens"]) == (7, 2)
    empty = {"buffered": 0, "waiting": 0, "in_flight": 0, "oldest_wait_s": 0.0}
    assert kept["fast"] == empty
    assert kept["slow"] == {**empty, "buffered": 1, "oldest_wait_s": 40.0}
    assert (kept["limit"], kept["ceiling"], kept["pace_per_s"]) == (20, 200, 0.3333)
    assert (kept["oldest_wait_s"], kept["queue_wait_p50_s"]) == (40.0, 0.25)
    assert kept["phases"]["checking_s"] == 1.235
    assert kept["permitted_requests_per_s"] is None


def test_that_percentiles_are_unknown_before_the_first_answer():
    assert snapshot(Standing(1)).latency_recent == Percentiles(None, None, None)


def test_that_advice_is_taken_from_what_held_the_run_back():
    standing, meters = Standing(1), Meters()
    standing.hold, standing.limit_reason = HoldReason.IN_FLIGHT, LimitReason.CONFIRMED
    meters.instructions_tokens, meters.row_tokens = 900.0, 100.0
    meters.service_s, meters.writing_s, meters.written = 30.0, 10.0, 500
    shown = [snapshot(standing, meters=meters, now=100.0 + n / 4).advice for n in range(4 * 16)]
    assert shown[0] == ()
    assert shown[-1] == (
        Advice(AdviceCode.SERVICE_QUEUES, {"share": 1.0, "limit": 20}),
        Advice(AdviceCode.WRITING, {"share": 0.25}),
        Advice(AdviceCode.INSTRUCTIONS, {"share": 0.9, "tokens": 900.0}),
    )


@pytest.mark.parametrize(("answers", "advised"), [(0, []), (8, [0.5])])
def test_that_a_learned_pace_counts_answers_and_not_what_was_sent(answers, advised):
    standing, meters = Standing(1), Meters()
    standing.hold = HoldReason.REFUSED
    for second in range(16):
        meters.sent(100.0 + second, 0.0)
        if second < answers:
            meters.answered(100.0 + second, service_s=0.1, first_token_s=None, tokens=(1, 1))
        shown = snapshot(standing, meters=meters, now=100.0 + second).advice
    shown = snapshot(standing, meters=meters, now=116.0).advice
    paces = [one for one in shown if one.code is AdviceCode.LEARNED_PACE]
    assert [one.params["requests_per_s"] for one in paces] == advised


def test_that_the_time_left_is_no_less_than_the_limits_permit():
    standing, meters = Standing(1), Meters()
    standing.counts = Counter({TaskState.PENDING: 11_900, TaskState.PASSED: 700})
    meters.finished_rate.add(90.0, 700)  # a first burst of 70 a second: 170 s by that
    meters.succeeded, meters.input_tokens, meters.output_tokens = 700, 28_000, 7_000
    assert snapshot(standing, meters=meters).eta_s == 170.0
    paced = GateFigures(0, 20, 200, pace_per_s=10.0)
    assert snapshot(standing, meters=meters, gate=paced).eta_s == 1190.0
    told = GateFigures(0, 20, 200, pace_per_s=10.0, permitted_requests_per_s=5.0)
    assert snapshot(standing, meters=meters, gate=told).eta_s == 2380.0
    tokens = GateFigures(0, 20, 200, permitted_tokens_per_s=100.0)  # 50 a request: two a second
    assert snapshot(standing, meters=meters, gate=tokens).eta_s == 5950.0
    meters.reused = 6300  # only one row in ten is asked
    assert snapshot(standing, meters=meters, gate=paced).eta_s == 170.0


def test_that_what_is_used_of_a_learned_pace_is_of_the_same_span():
    meters = Meters()
    for second in range(20):
        for _ in range(50 if second < 10 else 10):
            meters.sent(80.0 + second, 0.0)
    assert snapshot(Standing(1), meters=meters).requests_per_s == 30.0
    learned = GateFigures(0, 20, 200, pace_per_s=10.0)
    assert snapshot(Standing(1), meters=meters, gate=learned).requests_per_s == 10.0
    told = GateFigures(0, 20, 200, pace_per_s=10.0, permitted_requests_per_s=9.9)
    assert snapshot(Standing(1), meters=meters, gate=told).requests_per_s == 30.0
