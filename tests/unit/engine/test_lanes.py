from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from batchdesk.domain.snapshot import LaneDepth
from batchdesk.domain.task import ErrorKind, Priority
from batchdesk.engine.lanes import Due, Lanes, Ready, priority_of
from batchdesk.store.tasks import ClaimedTask

FRESH, BACKFILL, RETRY = Priority


def a_task(task_id, *, tries=0, attempts=0, content_try=0):
    return ClaimedTask(
        task_id, task_id, f"key-{task_id}", {}, tries, attempts, content_try, None, None, None
    )


def ready(task_id, priority=FRESH, *, slow=False, claimed_at=0.0):
    return Ready(a_task(task_id), 1, claimed_at, priority, slow)


def due(at, task_id, *, kind=ErrorKind.SERVER_ERROR, since=0.0, slow=False):
    return Due(at, task_id, f"key-{task_id}", 2, kind, since, slow)


def sent(lanes, count=None, *, limit=20, barred=frozenset(), landing=True):
    """Ids in the order of sending; ``landing``: every answer comes before the next is sent."""
    order: list[int] = []
    while (one := lanes.peek(limit, barred)) is not None and (count is None or len(order) < count):
        lanes.pop(one)
        if landing:
            lanes.landed(one)
        order.append(one.task.id)
    return order


@pytest.mark.parametrize(
    ("tries", "attempts", "content_try", "priority"),
    [(0, 0, 0, FRESH), (0, 3, 0, FRESH), (1, 1, 0, RETRY), (2, 2, 1, RETRY), (0, 4, 1, BACKFILL)],
)
def test_that_a_pending_task_is_new_tried_or_asked_for_again(
    tries, attempts, content_try, priority
):
    task = a_task(1, tries=tries, attempts=attempts, content_try=content_try)
    assert priority_of(task) is priority


def test_that_first_tries_leave_in_the_order_of_the_table():
    lanes = Lanes(10)
    lanes.add_first([ready(n) for n in (1, 2, 3)])
    lanes.add_first([ready(4)])
    assert sent(lanes) == [1, 2, 3, 4]


def test_that_every_tenth_send_is_a_retry_while_first_tries_are_there():
    lanes = Lanes(100)
    lanes.add_first([ready(n) for n in range(1, 31)])
    lanes.add_retries([ready(n) for n in (101, 102, 103, 104, 105)])
    assert sent(lanes) == [
        *range(1, 10), 101, *range(10, 19), 102, *range(19, 28), 103, 28, 29, 30, 104, 105,
    ]  # fmt: skip


def test_that_a_retry_goes_at_once_when_nine_first_tries_went_before_it():
    lanes = Lanes(100)
    lanes.add_first([ready(n) for n in range(1, 21)])
    sent(lanes, 9)
    lanes.add_retries([ready(101)])
    assert sent(lanes, 1) == [101]


def test_that_rows_asked_for_again_go_behind_new_ones_and_before_retries_with_a_share_of_each():
    lanes = Lanes(100)
    lanes.add_first([ready(n, BACKFILL) for n in range(201, 204)])
    lanes.add_first([ready(n) for n in range(1, 20)])
    lanes.add_retries([ready(101), ready(102)])
    assert sent(lanes) == [
        *range(1, 10), 101, 201, *range(10, 18), 102, 202, 18, 19, 203,
    ]  # fmt: skip


def test_that_what_is_barred_stays_and_the_rest_goes_on():
    lanes = Lanes(100)
    lanes.add_first([ready(1), ready(2, BACKFILL)])
    lanes.add_retries([ready(3)])
    assert sent(lanes, barred=frozenset({BACKFILL, RETRY})) == [1]
    assert sent(lanes, barred=frozenset({BACKFILL})) == [3]
    assert sent(lanes) == [2]


def test_that_a_barred_lane_does_not_hold_the_other():
    lanes = Lanes(100)
    lanes.add_first([ready(1), ready(2), ready(9, BACKFILL, slow=True)])
    assert sent(lanes, limit=1, barred=frozenset({BACKFILL})) == [1, 2]


def test_that_only_what_is_at_the_head_can_be_taken():
    lanes = Lanes(100)
    first, second = ready(1), ready(2)
    lanes.add_first([first, second])
    with pytest.raises(ValueError, match="task 2"):
        lanes.pop(second)
    lanes.pop(first)
    with pytest.raises(ValueError, match="task 1"):
        lanes.pop(first)


# -- fast and slow ------------------------------------------------------------------------------


def test_that_the_slow_lane_gets_a_fifth_of_the_slots_and_no_more():
    lanes = Lanes(100)
    lanes.add_first([ready(n) for n in range(1, 61)])
    lanes.add_first([ready(n, slow=True) for n in range(101, 111)])
    assert sent(lanes, 40, limit=20, landing=False) == [
        1, 2, 3, 4, 101, 5, 6, 7, 8, 102, 9, 10, 11, 12, 103, 13, 14, 15, 16, 104, *range(17, 37),
    ]  # fmt: skip
    lanes.landed(ready(103, slow=True))
    assert sent(lanes, 2, limit=20, landing=False) == [105, 37]


def test_that_a_pace_gives_long_rows_a_fifth_of_the_sends_though_slots_are_free():
    lanes = Lanes(100)
    lanes.add_first([ready(n) for n in range(1, 61)])
    lanes.add_first([ready(n, slow=True) for n in range(101, 161)])
    order = sent(lanes, 50, limit=200, landing=False)
    assert sum(task_id > 100 for task_id in order) == 10


def test_that_long_rows_follow_a_climbing_limit_only_as_they_land():
    lanes = Lanes(1000)
    lanes.add_first([ready(n) for n in range(1, 301)])
    lanes.add_first([ready(n, slow=True) for n in range(1001, 1101)])

    def long_ones(limit):
        return [n for n in sent(lanes, 60, limit=limit, landing=False) if n > 1000]

    assert long_ones(20) == [1001, 1002, 1003, 1004]
    assert long_ones(100) == []
    for n in (1001, 1002, 1003):  # three slots are free, and three come to them
        lanes.landed(ready(n, slow=True))
    assert long_ones(100) == [1005, 1006, 1007, 1008, 1009, 1010]
    assert long_ones(20) == []


def test_that_an_idle_lane_lends_its_slots():
    lanes = Lanes(100)
    lanes.add_first([ready(n, slow=True) for n in range(101, 111)])
    assert sent(lanes, 8, limit=10, landing=False) == list(range(101, 109))
    lanes.add_first([ready(n) for n in range(1, 4)])
    assert sent(lanes, limit=10, landing=False) == [1, 2, 3, 109, 110]


def test_that_the_lanes_alternate_at_a_limit_of_one():
    lanes = Lanes(100)
    lanes.add_first([ready(n) for n in range(1, 5)])
    lanes.add_first([ready(n, slow=True) for n in range(101, 104)])
    assert sent(lanes, limit=1) == [1, 101, 2, 102, 3, 103, 4]


@pytest.mark.parametrize(
    ("limit", "share", "most_slow"), [(2, 0.2, 1), (4, 0.2, 1), (10, 0.2, 2), (10, 0.5, 5)]
)
def test_that_the_share_is_of_the_limit_and_at_least_one_slot(limit, share, most_slow):
    lanes = Lanes(100, share)
    lanes.add_first([ready(n) for n in range(1, 61)])
    lanes.add_first([ready(n, slow=True) for n in range(101, 131)])
    order = sent(lanes, 50, limit=limit, landing=False)
    assert sum(task_id > 100 for task_id in order) == most_slow


# -- filling ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capacity", "buffered", "wanted"),
    [(10, 0, 10), (10, 5, 5), (10, 6, 0), (10, 10, 0), (1, 0, 1), (1, 1, 0), (3, 1, 2), (3, 2, 0)],
)
def test_that_more_is_wanted_once_half_of_the_fast_lane_is_gone(capacity, buffered, wanted):
    lanes = Lanes(capacity)
    lanes.add_first([ready(n) for n in range(buffered)])
    lanes.add_first([ready(100 + n, slow=True) for n in range(capacity)])
    assert lanes.wanted() == wanted


def test_that_long_rows_beyond_the_capacity_are_only_noted_and_come_back_in_order():
    lanes = Lanes(4)
    lanes.add_first([ready(n, slow=True, claimed_at=float(n)) for n in range(1, 8)])
    assert (lanes.buffered, lanes.take_spilled()) == (7, [])
    assert sent(lanes, 2) == [1, 2]
    noted = lanes.take_spilled()
    assert [(one.task_id, one.claimed_at) for one in noted] == [(5, 5.0), (6, 6.0)]
    lanes.add_again([ready(one.task_id, slow=True) for one in noted])
    lanes.add_first([ready(8, slow=True)])  # must not overtake number 7
    assert sent(lanes) == [3, 4, 5, 6]
    noted = lanes.take_spilled()
    assert [one.task_id for one in noted] == [7, 8]
    lanes.add_again([ready(one.task_id, slow=True) for one in noted])
    assert sent(lanes) == [7, 8]
    assert lanes.buffered == 0


def test_that_the_search_for_short_rows_goes_four_capacities_past_long_ones():
    lanes, claimed = Lanes(10), 0
    while wanted := lanes.wanted():
        lanes.add_first([ready(claimed + n, slow=True) for n in range(wanted)])
        claimed += wanted
    assert claimed == 10 + 4 * 10


def test_that_retries_take_no_room_from_first_tries_and_have_their_own():
    lanes = Lanes(4)
    lanes.add_retries([ready(n) for n in (1, 2, 3)])
    assert (lanes.wanted(), lanes.room_for_retries, lanes.buffered) == (4, 5, 3)
    lanes.add_retries([ready(4)])
    assert lanes.room_for_retries == 4  # of the slow lane
    for n in range(10, 20):
        lanes.wait(due(1.0, n))
    lanes.wait(due(2.0, 20, slow=True))
    assert lanes.next_due_at() == 2.0
    assert [one.task_id for one in lanes.take_due(5.0, 100)] == [20]


# -- waiting ------------------------------------------------------------------------------------


def test_that_what_waits_comes_out_when_due_the_earliest_first():
    lanes = Lanes(10)
    for at, task_id in ((30.0, 1), (10.0, 2), (20.0, 3), (10.0, 4)):
        lanes.wait(due(at, task_id))
    assert lanes.next_due_at() == 10.0
    assert lanes.take_due(9.99, 10) == []
    assert [one.task_id for one in lanes.take_due(20.0, 10)] == [2, 4, 3]
    assert lanes.next_due_at() == 30.0
    assert [one.task_id for one in lanes.take_due(1e9, 10)] == [1]
    assert lanes.next_due_at() is None
    assert not lanes.waiting


def test_that_no_more_come_out_than_asked_for():
    lanes = Lanes(10)
    for n in range(5):
        lanes.wait(due(n, n, slow=n % 2 == 0))
    assert [one.task_id for one in lanes.take_due(10.0, 3)] == [1, 3, 0]
    assert lanes.take_due(10.0, 0) == []
    assert sorted(one.task_id for one in lanes.waiting) == [2, 4]


def test_that_refused_rows_may_go_early_and_others_may_not():
    lanes = Lanes(10)
    lanes.wait(due(60.0, 1, kind=ErrorKind.RATE_LIMITED))
    lanes.wait(due(30.0, 2, kind=ErrorKind.SERVER_ERROR))
    lanes.wait(due(90.0, 3, kind=ErrorKind.OVERLOADED, slow=True))
    lanes.wait(due(5.0, 4, kind=ErrorKind.RATE_LIMITED))
    assert lanes.release_early(10.0) == 2
    assert [one.task_id for one in lanes.take_due(10.0, 10)] == [4, 1, 3]
    assert [one.task_id for one in lanes.waiting] == [2]
    assert lanes.next_due_at() == 30.0


def test_that_depths_tell_what_is_ready_waits_and_is_under_way_by_lane():
    lanes = Lanes(2)
    lanes.add_first([ready(1, claimed_at=90.0), ready(2, claimed_at=90.0)])
    lanes.add_first([ready(n, slow=True, claimed_at=70.0 + n) for n in (11, 12, 13)])
    lanes.wait(due(130.0, 6, since=85.0))
    lanes.wait(due(120.0, 7, since=88.0))
    for one in (ready(1), ready(11, slow=True)):
        found = lanes.peek(1)
        assert found is not None
        assert found.task.id == one.task.id
        lanes.pop(found)
    assert lanes.depths(100.0) == (LaneDepth(1, 2, 1, 15.0), LaneDepth(2, 0, 1, 18.0))
    assert Lanes(2).depths(100.0) == (LaneDepth(), LaneDepth())


# -- every schedule -----------------------------------------------------------------------------


class AllSchedules(RuleBasedStateMachine):
    """A refill and a runner that do whatever the lanes allow, in any order."""

    capacity = 6

    def __init__(self):
        super().__init__()
        self.lanes = Lanes(self.capacity)
        self.now = 0.0
        self.inside = set()  # buffered or noted
        self.waiting = {}
        self.flying = {}
        self.number = 0
        self.passed_over = {}  # (lane, priority) → sends of its lane while it was ready
        self.slow_passed_over = 0

    def new(self, priority, slow):
        self.number += 1
        self.inside.add(self.number)
        return ready(self.number, priority, slow=slow, claimed_at=self.now)

    @rule(kinds=st.lists(st.tuples(st.sampled_from(Priority), st.booleans()), max_size=10))
    def refill(self, kinds):
        kinds = kinds[: self.lanes.wanted()]
        self.lanes.add_first([self.new(priority, slow) for priority, slow in kinds])

    @rule()
    def refill_from_the_noted(self):
        noted = self.lanes.take_spilled()
        self.lanes.add_again(
            [ready(one.task_id, one.priority, slow=True, claimed_at=0.0) for one in noted]
        )

    @rule(shift=st.booleans())
    def refill_from_the_waiting(self, shift):
        for one in self.lanes.take_due(self.now, self.lanes.room_for_retries):
            assert self.waiting.pop(one.task_id) <= self.now
            self.inside.add(one.task_id)
            slow = one.slow != shift  # a row's lane is decided anew each time
            self.lanes.add_retries([ready(one.task_id, RETRY, slow=slow, claimed_at=self.now)])

    @rule(limit=st.sampled_from([1, 2, 5, 20]), barred=st.sets(st.sampled_from(Priority)))
    def send(self, limit, barred):
        one = self.lanes.peek(limit, frozenset(barred))
        there = [lane.peek(frozenset()) for lane in (self.lanes._fast, self.lanes._slow)]
        if one is None:
            # Nothing of an allowed priority may be ready in any lane.
            assert all(lane.peek(barred) is None for lane in (self.lanes._fast, self.lanes._slow))
            return
        assert one.priority not in barred
        self.lanes.pop(one)
        self.flying[one.task.id] = one
        self.inside.remove(one.task.id)
        if barred:
            self.passed_over.clear()
            self.slow_passed_over = 0
            return
        self.check_shares(one, there, limit)

    def check_shares(self, one, there, limit):
        lane = self.lanes._slow if one.slow else self.lanes._fast
        for priority, queue in lane._queues.items():
            key = (one.slow, priority)
            if priority is one.priority or not queue:
                self.passed_over[key] = 0
            elif priority is not FRESH:
                self.passed_over[key] = self.passed_over.get(key, 0) + 1
                assert self.passed_over[key] <= (9 if priority is RETRY else 10)
        slots = max(1, round(0.2 * limit))
        full = self.lanes._slow.in_flight >= max(1, self.lanes._slots) and limit > 1
        self.slow_passed_over = (
            0 if one.slow or None in there or full else (self.slow_passed_over + 1)
        )
        assert self.slow_passed_over <= 4
        if one.slow and None not in there and limit > 1:
            assert self.lanes._slow.in_flight <= slots

    @precondition(lambda self: self.flying)
    @rule(data=st.data(), again=st.booleans(), refused=st.booleans())
    def end(self, data, again, refused):
        one = self.flying.pop(data.draw(st.sampled_from(sorted(self.flying))))
        self.lanes.landed(one)
        if again:
            kind = ErrorKind.RATE_LIMITED if refused else ErrorKind.SERVER_ERROR
            at = self.now + data.draw(st.floats(0, 60))
            self.waiting[one.task.id] = at
            self.lanes.wait(due(at, one.task.id, kind=kind, since=self.now, slow=one.slow))

    @rule(seconds=st.floats(0, 100))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def accepted_again(self):
        self.lanes.release_early(self.now)
        for one in self.lanes.waiting:
            if one.kind is ErrorKind.RATE_LIMITED:
                assert one.at <= self.now
                self.waiting[one.task_id] = one.at

    @invariant()
    def nothing_is_lost_or_doubled(self):
        assert self.lanes.buffered == len(self.inside)
        assert {one.task_id: one.at for one in self.lanes.waiting} == self.waiting
        assert len(self.lanes.waiting) == len(self.waiting)
        fast, slow = self.lanes.depths(self.now)
        assert fast.in_flight + slow.in_flight == len(self.flying)
        assert min(fast.in_flight, slow.in_flight) >= 0

    @invariant()
    def memory_is_bounded(self):
        held = self.lanes._fast.buffered + self.lanes._slow.buffered
        assert held <= 6 * self.capacity
        assert len(self.lanes._spilled) <= 4 * self.capacity

    def teardown(self):
        """Whatever happened, everything goes out in the end, each once."""
        while self.inside or self.waiting:
            self.now += 200
            self.refill_from_the_waiting(shift=False)
            self.refill_from_the_noted()
            before = len(self.inside)
            while (one := self.lanes.peek(20)) is not None:
                self.lanes.pop(one)
                self.inside.remove(one.task.id)
            assert len(self.inside) < before


AllSchedules.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
TestAllSchedules = AllSchedules.TestCase
