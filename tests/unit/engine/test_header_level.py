"""Limits from headers: even sending, what remains as a measure, limits of a day left alone."""

from __future__ import annotations

import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.unit.engine.gate_parts import Driver, until

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.header_level import HeaderRequests, HeaderTokens
from batchdesk.engine.part import Ticket


def says(limit: float, remaining: float | None = None, reset_s: float | None = None) -> RateLimits:
    return RateLimits(requests=LimitState(limit, remaining, reset_s))


def says_tokens(limit: float, remaining: float) -> RateLimits:
    return RateLimits(tokens=LimitState(limit, remaining))


def test_that_without_headers_nothing_is_held_back():
    driver = Driver(HeaderRequests())

    assert len([driver.send(1000.0) for _ in range(500)]) == 500


def test_that_a_stated_limit_is_sent_evenly_at_985_of_it():
    changes: list[LimitChange] = []
    part = HeaderRequests(changes.append)
    driver = Driver(part)

    driver.answer(driver.send(1000.0), 1000.2, limits=says(6000, 5999, 1))

    assert part.per_second == pytest.approx(98.5)
    assert part.limit_per_second == pytest.approx(100)
    assert changes == [LimitChange(1000.2, LimitKind.PACE, None, 98.5, LimitReason.HEADERS)]
    assert len(driver.send_all(until=1010.2, since=1000.2)) == pytest.approx(985, abs=3)


def test_that_a_full_bucket_is_no_leave_to_burst():
    driver = Driver(HeaderRequests())
    driver.answer(driver.send(1000.0), 1000.2, limits=says(60, 60, 0))

    driver.send(1000.2)
    hold = driver.hold(1000.2)

    assert hold is not None
    assert hold.reason is HoldReason.REQUESTS_PER_MINUTE
    assert until(hold) == pytest.approx(1000.2 - 0.02 + 1 / 0.985)


def test_that_nothing_left_means_waiting_until_one_has_come_in():
    driver = Driver(HeaderRequests())

    driver.answer(driver.send(1000.0), 1000.25, limits=says(60, 0))

    # a quarter has come in since it was sent, three quarters are missing at one a second
    assert until(driver.hold(1000.25)) == pytest.approx(1001.0)


def test_that_what_was_sent_since_is_taken_off_what_remains():
    driver = Driver(HeaderRequests())
    first = driver.send(1000.0)
    for _ in range(3):
        driver.send(1000.1)

    driver.answer(first, 1000.5, limits=says(60, 3))

    # 3 + 0.5 - 3 remain: half a request is missing
    assert until(driver.hold(1000.5)) == pytest.approx(1001.0)


def test_that_the_newest_sent_answer_counts_not_the_newest_that_came():
    part = HeaderRequests()
    driver = Driver(part)
    first, second = driver.send(1000.0), driver.send(1000.1)

    driver.answer(second, 1000.2, limits=says(60, 40))
    driver.answer(first, 1000.3, limits=says(60, 0))

    assert driver.hold(1000.3) is None
    assert part.level(1000.3) == pytest.approx(40.2)


@pytest.mark.parametrize(("reset_s", "paced"), [(61.0, True), (61.5, False), (86400.0, False)])
def test_that_a_limit_that_is_whole_again_later_than_a_minute_sets_no_pace(reset_s, paced):
    part = HeaderRequests()
    driver = Driver(part)

    driver.answer(driver.send(1000.0), 1000.2, limits=says(200, 0, reset_s))

    assert (part.per_second is not None) is paced
    assert (driver.hold(1000.2) is not None) is paced


def test_that_a_limit_of_a_day_takes_back_what_looked_like_one_of_a_minute():
    changes: list[LimitChange] = []
    driver = Driver(HeaderRequests(changes.append))

    driver.answer(driver.send(1000.0), 1000.2, limits=says(600, 500, 30))
    driver.answer(driver.send(1060.0), 1060.2, limits=says(600, 500, 86400))

    assert [(c.old, c.new) for c in changes] == [(None, 9.85), (9.85, None)]


def test_that_headers_without_what_remains_set_the_pace_alone():
    part = HeaderRequests()
    driver = Driver(part)

    driver.answer(driver.send(1000.0), 1000.2, limits=says(60))

    assert part.per_second == pytest.approx(0.985)
    assert driver.hold(1000.2) is None


def test_that_a_limit_that_is_none_is_ignored():
    part = HeaderRequests()
    driver = Driver(part)

    for limit in (0.0, -1.0, math.inf, math.nan):
        driver.answer(driver.send(1000.0), 1000.2, limits=says(limit, 0))

    assert part.per_second is None


def test_that_headers_that_vanish_leave_the_pace_and_never_block():
    part = HeaderRequests()
    driver = Driver(part)
    driver.answer(driver.send(1000.0), 1000.1, limits=says(60, 0))

    times = driver.send_all(until=1600.0, since=1000.1, answer_s=0.2)

    assert len(times) == pytest.approx(0.985 * 600, rel=0.01)


def test_that_a_headers_level_survives_a_suspended_computer():
    part = HeaderRequests()
    driver = Driver(part)
    ticket = driver.send(1000.0)

    driver.answer(ticket, 1000.0 + 8 * 3600, limits=says(60, 0))

    assert part.level(1000.0 + 8 * 3600) == 60  # at most the limit
    assert driver.hold(1000.0 + 8 * 3600) is None


def test_that_tokens_are_measured_by_what_requests_cost():
    driver = Driver(HeaderTokens())
    first = driver.send(1000.0, tokens=500)
    driver.send(1000.0, tokens=400)

    driver.answer(first, 1000.2, tokens=500, limits=says_tokens(60_000, 600))

    # 600 + 0.2 s of 1,000 a second - 400 sent since = 400; 600 are missing: 0.6 s
    assert driver.hold(1000.2, tokens=400) is None
    assert until(driver.hold(1000.2, tokens=1000)) == pytest.approx(1000.8)


def test_that_a_request_above_the_whole_limit_of_tokens_waits_for_a_full_minute_and_goes():
    driver = Driver(HeaderTokens())
    driver.answer(driver.send(1000.0), 1000.0, tokens=0, limits=says_tokens(6000, 0))

    assert until(driver.hold(1000.0, tokens=50_000)) == pytest.approx(1060.0)
    driver.send(1060.0, tokens=50_000)
    assert until(driver.hold(1060.0, tokens=1)) == pytest.approx(1059.98 + 50_000 / 98.5)


def test_that_tokens_that_were_not_used_are_given_back():
    part = HeaderTokens()
    driver = Driver(part)
    driver.answer(driver.send(1000.0), 1000.0, tokens=0, limits=says_tokens(60_000, 60_000))
    ticket = driver.send(1000.0, tokens=4000)
    assert part.level(1000.0) == pytest.approx(56_000)

    driver.answer(ticket, 1000.5, tokens=300)

    assert part.level(1000.5) == pytest.approx(60_000)  # 56,000 + 500 + 3,700: never above it
    assert until(driver.hold(1000.0)) == pytest.approx(1000.0 - 0.02 + 300 / 985)


class AnySchedule(RuleBasedStateMachine):
    """Requests of tokens, answers in any order, headers that lie, a clock that jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.part = HeaderTokens()
        self.driver = Driver(self.part)
        self.now = 1000.0
        self.out: list[Ticket] = []

    @initialize(limit=st.floats(1, 1e6))
    def begin(self, limit: float) -> None:
        self.limit = limit

    @rule(tokens=st.floats(0, 1e5))
    def send(self, tokens: float) -> None:
        hold = self.driver.hold(self.now, tokens)
        if hold is None:
            self.out.append(self.driver.force(self.now, tokens))

    @precondition(lambda self: self.out)
    @rule(
        data=st.data(),
        real=st.none() | st.floats(0, 1e5),
        remaining=st.none() | st.floats(-1e6, 1e9),
        reset_s=st.sampled_from([None, 0.0, 1.0, 60.0, 86400.0]),
        lie=st.floats(0.01, 100),
    )
    def answer(self, data, real, remaining, reset_s, lie) -> None:
        ticket = self.out.pop(data.draw(st.integers(0, len(self.out) - 1)))
        state = LimitState(self.limit * lie, remaining, reset_s)
        limits = RateLimits(tokens=state) if data.draw(st.booleans()) else RateLimits()
        self.driver.answer(ticket, self.now, tokens=real, limits=limits)

    @precondition(lambda self: self.out)
    @rule()
    def cancel(self) -> None:
        self.driver.cancel(self.out.pop(), self.now)

    @rule(seconds=st.sampled_from([0.0, 1e-6, 0.1, 5.0, 60.0, 86400.0]))
    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    @invariant()
    def what_remains_is_never_negative_nor_above_the_limit(self) -> None:
        level, limit = self.part.level(self.now), self.part.limit_per_second
        assert level >= 0
        assert limit is None or level <= limit * 60 * (1 + 1e-9)

    @invariant()
    def the_time_that_a_hold_names_is_enough(self) -> None:
        hold = self.driver.hold(self.now, 10.0)
        if hold is not None:
            assert until(hold) > self.now
            assert self.driver.hold(until(hold) + 1e-3 * (1 + until(hold) - self.now), 10.0) is None


TestAnySchedule = AnySchedule.TestCase
TestAnySchedule.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
