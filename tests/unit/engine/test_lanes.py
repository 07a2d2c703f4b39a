from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.lanes import Due, Lane, Ready
from batchdesk.store.tasks import ClaimedTask


def ready(task_id):
    task = ClaimedTask(task_id, task_id, f"key-{task_id}", {}, 0, 0, 0, None, None, None)
    return Ready(task, batch_id=1, claimed_at=0.0)


def due(at, task_id):
    return Due(at, task_id, f"key-{task_id}", 2, ErrorKind.SERVER_ERROR, 0.0)


def taken(lane):
    order = []
    while lane.peek() is not None:
        order.append(lane.pop().task.id)
    return order


def test_that_first_tries_leave_in_the_order_of_the_table():
    lane = Lane(10)
    lane.add_first([ready(n) for n in (1, 2, 3)])
    lane.add_first([ready(4)])
    assert taken(lane) == [1, 2, 3, 4]


def test_that_every_tenth_send_is_a_retry_while_first_tries_are_there():
    lane = Lane(100)
    lane.add_first([ready(n) for n in range(1, 31)])
    lane.add_retries([ready(n) for n in (101, 102, 103, 104, 105)])
    assert taken(lane) == [
        *range(1, 10), 101, *range(10, 19), 102, *range(19, 28), 103, 28, 29, 30, 104, 105,
    ]  # fmt: skip


def test_that_a_retry_goes_at_once_when_nine_first_tries_went_before_it():
    lane = Lane(100)
    lane.add_first([ready(n) for n in range(1, 21)])
    for _ in range(9):
        lane.pop()
    lane.add_retries([ready(101)])
    assert lane.pop().task.id == 101


def test_that_retries_do_not_wait_for_first_tries_that_are_not_there():
    lane = Lane(100)
    lane.add_retries([ready(101), ready(102)])
    assert taken(lane) == [101, 102]


def test_that_pop_takes_what_peek_showed():
    lane = Lane(100)
    lane.add_first([ready(n) for n in range(1, 15)])
    lane.add_retries([ready(101), ready(102)])
    for _ in range(16):
        shown = lane.peek()
        assert lane.pop() is shown
    with pytest.raises(IndexError):
        lane.pop()


@pytest.mark.parametrize(
    ("capacity", "buffered", "wanted"),
    [(10, 0, 10), (10, 5, 5), (10, 6, 0), (10, 10, 0), (1, 0, 1), (1, 1, 0), (3, 1, 2), (3, 2, 0)],
)
def test_that_more_is_wanted_once_half_of_the_buffer_is_gone(capacity, buffered, wanted):
    lane = Lane(capacity)
    lane.add_first([ready(n) for n in range(buffered)])
    assert lane.wanted() == wanted


def test_that_retries_take_no_room_from_first_tries_and_have_their_own():
    lane = Lane(4)
    lane.add_retries([ready(n) for n in (1, 2, 3)])
    assert (lane.wanted(), lane.room_for_retries, lane.buffered) == (4, 1, 3)
    lane.add_retries([ready(4)])
    assert lane.room_for_retries == 0


def test_that_what_waits_comes_out_when_due_the_earliest_first():
    lane = Lane(10)
    for at, task_id in ((30.0, 1), (10.0, 2), (20.0, 3), (10.0, 4)):
        lane.wait(due(at, task_id))
    assert lane.next_due_at() == 10.0
    assert lane.take_due(9.99, 10) == []
    assert [one.task_id for one in lane.take_due(20.0, 10)] == [2, 4, 3]
    assert lane.next_due_at() == 30.0
    assert [one.task_id for one in lane.take_due(1e9, 10)] == [1]
    assert lane.next_due_at() is None


def test_that_no_more_come_out_than_asked_for():
    lane = Lane(10)
    for n in range(5):
        lane.wait(due(n, n))
    assert [one.task_id for one in lane.take_due(10.0, 2)] == [0, 1]
    assert lane.take_due(10.0, 0) == []
    assert len(lane.waiting) == 3


@given(st.lists(st.sampled_from(["first", "retry", "pop"]), max_size=200))
def test_that_nothing_is_lost_or_doubled_and_retries_get_their_share(steps):
    lane = Lane(1000)
    expected, out = set(), []
    first_in_a_row_with_retries_there = 0
    for number, step in enumerate(steps):
        if step == "first":
            lane.add_first([ready(number)])
            expected.add(number)
        elif step == "retry":
            lane.add_retries([ready(number + 1000)])
            expected.add(number + 1000)
        elif lane.peek() is not None:
            retries_there = lane.room_for_retries < 1000
            task_id = lane.pop().task.id
            out.append(task_id)
            is_first = task_id < 1000
            first_in_a_row_with_retries_there = (
                first_in_a_row_with_retries_there + 1 if is_first and retries_there else 0
            )
            assert first_in_a_row_with_retries_there <= 9
    out += taken(lane)
    assert len(out) == len(expected)
    assert set(out) == expected
    for kind in (range(1000), range(1000, 3000)):
        of_kind = [task_id for task_id in out if task_id in kind]
        assert of_kind == sorted(of_kind)
