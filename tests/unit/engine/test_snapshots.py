from __future__ import annotations

import json
from collections import Counter

import pytest

from batchdesk.domain.snapshot import HoldReason, InFlight, Percentiles, Waiting
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.engine.admission import Cost, Gate, InFlightLimit, ToldRequests, ToldTokens
from batchdesk.engine.lanes import Due, Lane, Ready
from batchdesk.engine.meters import Meters
from batchdesk.engine.snapshots import Flight, Standing, figures_of, take_snapshot
from batchdesk.store.tasks import ClaimedTask


def ready(task_id, attempts=0):
    task = ClaimedTask(task_id, task_id, f"k{task_id}", {}, 0, attempts, 0, None, None, None)
    return Ready(task, 1, 0.0)


def snapshot(standing, *, meters=None, lane=None, gate=None, now=100.0):
    return take_snapshot(
        standing,
        meters or Meters(),
        lane or Lane(10),
        gate or Gate(InFlightLimit(20)),
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


def test_that_what_is_in_flight_and_what_waits_is_listed():
    standing = Standing(1)
    standing.flights[3] = Flight(ready(3), 99.0, Cost())
    standing.flights[4] = Flight(ready(4, attempts=2), 98.0, Cost(), doing="writing")
    lane = Lane(10)
    lane.wait(Due(130.0, 6, "k6", 2, ErrorKind.RATE_LIMITED, 90.0))
    lane.wait(Due(95.0, 5, "k5", 3, ErrorKind.SERVER_ERROR, 80.0))
    taken = snapshot(standing, lane=lane)
    assert taken.tasks == (
        InFlight(3, "k3", 1, 1.0, "service"),
        InFlight(4, "k4", 3, 2.0, "writing"),
        Waiting(5, "k5", 3, 0.0, ErrorKind.SERVER_ERROR),
        Waiting(6, "k6", 2, 30.0, ErrorKind.RATE_LIMITED),
    )
    assert (taken.in_flight, taken.uncommitted, taken.oldest_wait_s) == (2, 1, 20.0)


def test_that_the_list_is_cut_at_200_of_each_the_earliest_due_first():
    standing = Standing(1)
    lane = Lane(10)
    for n in range(300):
        standing.flights[n] = Flight(ready(n), 99.0, Cost())
        lane.wait(Due(1000.0 - n, n, f"k{n}", 2, ErrorKind.RATE_LIMITED, 90.0))
    tasks = snapshot(standing, lane=lane).tasks
    assert len(tasks) == 400
    assert [task.task_id for task in tasks[:3]] == [0, 1, 2]
    assert [task.task_id for task in tasks[200:203]] == [299, 298, 297]
    assert snapshot(standing).in_flight == 300


def test_that_limits_and_hold_are_shown():
    standing = Standing(1)
    standing.hold = HoldReason.REQUESTS_PER_MINUTE
    gate = Gate(InFlightLimit(7), ToldRequests(600), ToldTokens(60_000))
    taken = snapshot(standing, gate=gate)
    assert (taken.limit, taken.hold) == (7, HoldReason.REQUESTS_PER_MINUTE)
    assert taken.permitted_requests_per_s == pytest.approx(9.9)
    assert taken.permitted_tokens_per_s == pytest.approx(990)
    bare = snapshot(standing)
    assert (bare.permitted_requests_per_s, bare.permitted_tokens_per_s) == (None, None)


def test_that_kept_figures_are_plain_json():
    standing = Standing(1)
    standing.counts = Counter({TaskState.PASSED: 3})
    meters = Meters()
    meters.answered(100.0, service_s=0.5, first_token_s=None, tokens=(7, 2))
    meters.failed(ErrorKind.SERVER_ERROR, "x")
    kept = json.loads(json.dumps(figures_of(snapshot(standing, meters=meters))))
    assert kept["counts"] == {"passed": 3}
    assert kept["failures"] == {"server_error": 1}
    assert (kept["p50_s"], kept["first_token_p50_s"]) == (0.5, None)
    assert (kept["input_tokens"], kept["output_tokens"]) == (7, 2)


def test_that_percentiles_are_unknown_before_the_first_answer():
    assert snapshot(Standing(1)).latency_recent == Percentiles(None, None, None)
