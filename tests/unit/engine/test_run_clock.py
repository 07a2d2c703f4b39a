from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.engine.run_clock import RunClock


class Wall:
    def __init__(self):
        self.at = 1e9

    def __call__(self):
        return self.at


def a_clock(before_s=0.0):
    wall = Wall()
    clock = RunClock(before_s, wall)
    clock.begin(100.0)
    return clock, wall


def beats(clock, wall, *times, wall_offset=0.0):
    for at in times:
        wall.at = 1e9 + at - 100.0 + wall_offset
        clock.beat(at)


def test_that_active_time_goes_on_from_earlier_sessions_and_stands_still_at_the_end():
    clock, wall = a_clock(before_s=50.0)
    beats(clock, wall, 101.0, 125.0)
    assert clock.active_s(125.0) == 75.0
    wall.at += 5
    clock.end(130.0)
    assert clock.active_s(999.0) == 80.0


def test_that_a_gap_of_more_than_thirty_seconds_is_no_active_time():
    clock, wall = a_clock()
    beats(clock, wall, 110.0, 140.0)  # 30 s: a slow turn
    assert clock.active_s(140.0) == 40.0
    assert not clock.jumped_since(109.0)
    beats(clock, wall, 140.0 + 7200.0)
    assert clock.active_s(7340.0) == 40.0
    beats(clock, wall, 7345.0)
    assert clock.active_s(7345.0) == 45.0


def test_that_requests_under_way_during_a_gap_lived_through_it_and_later_ones_did_not():
    clock, wall = a_clock()
    beats(clock, wall, 110.0, 4000.0)
    assert clock.jumped_since(109.0)
    assert not clock.jumped_since(4000.0)
    assert clock.between_s(109.0, 4002.0) == 3.0  # 1 s before, 2 s after
    assert clock.active_s(109.0) == 9.0  # a time before the gap stays what it was


def test_that_a_computer_whose_clock_stands_still_in_sleep_is_known_by_the_time_of_day():
    clock, wall = a_clock()
    beats(clock, wall, 110.0)
    beats(clock, wall, 110.3, wall_offset=3600.0)
    assert clock.jumped_since(109.0)
    assert clock.active_s(110.3) == pytest.approx(10.3)


@pytest.mark.parametrize("offset", [-3600.0, -86400.0, 29.0])
def test_that_a_time_of_day_set_back_or_a_little_forward_is_no_sleep(offset):
    clock, wall = a_clock()
    beats(clock, wall, 110.0)
    beats(clock, wall, 110.3, wall_offset=offset)
    assert not clock.jumped_since(100.0)
    assert clock.active_s(110.3) == pytest.approx(10.3)


@given(st.lists(st.tuples(st.floats(0, 1e5), st.floats(-1e6, 1e6)), max_size=30))
def test_that_no_schedule_of_jumps_makes_active_time_run_back_or_ahead(jumps):
    clock, wall = a_clock()
    now, last = 100.0, 0.0
    for passed, turned in jumps:
        now += passed
        wall.at += passed + turned
        clock.beat(now)
        active = clock.active_s(now)
        assert last - 1e-6 <= active <= last + min(passed, 30.0) + 1e-6
        last = active
