from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from batchdesk.domain.snapshot import HoldReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import (
    Cost,
    Ending,
    Gate,
    Hold,
    InFlightLimit,
    ToldRequests,
    ToldTokens,
)


def settle(gate, cost=None, *, sent_at=0.0, ended_at=0.0, tokens=None, kind=None):
    gate.settle(Ending(sent_at, ended_at, cost or Cost(), tokens, kind))


def held_for_tokens(gate, tokens, now):
    """Until when a request is held, by the tokens per minute."""
    hold = gate.ask(Cost(tokens), now)
    assert hold is not None
    assert hold.reason is HoldReason.TOKENS_PER_MINUTE
    return hold.until


def sends(gate, until, *, cost=None, starts=0.0, settles=True):
    """When requests go if each is sent as soon as it may."""
    now, times = starts, []
    cost = cost or Cost()
    while now < until:
        hold = gate.ask(cost, now)
        if hold is None:
            times.append(now)
            if settles:
                settle(gate, cost, sent_at=now, ended_at=now, tokens=cost.tokens)
            continue
        assert hold.until is not None
        assert hold.until > now
        now = hold.until
    return times


def test_that_no_more_than_the_limit_are_in_flight():
    gate = Gate(InFlightLimit(2))
    assert gate.ask(Cost(), 0.0) is None
    assert gate.ask(Cost(), 0.0) is None
    assert gate.ask(Cost(), 0.0) == Hold(HoldReason.IN_FLIGHT, None)
    settle(gate)
    assert gate.ask(Cost(), 0.0) is None


def test_that_a_limit_raised_meanwhile_counts_at_once_and_a_lowered_one_as_they_end():
    gate = Gate(InFlightLimit(1))
    gate.ask(Cost(), 0.0)
    gate.in_flight.limit = 3
    assert gate.ask(Cost(), 0.0) is None
    gate.in_flight.limit = 1
    settle(gate)
    assert gate.ask(Cost(), 0.0) is not None
    settle(gate)
    assert gate.ask(Cost(), 0.0) is None


def test_that_a_held_request_takes_no_share():
    # Two parts hold in turn; asking in vain must not cost anything.
    gate = Gate(InFlightLimit(1), ToldRequests(600), ToldTokens(6000))
    assert gate.ask(Cost(10), 0.0) is None
    for _ in range(100):
        assert gate.ask(Cost(10), 5.0) is not None
    settle(gate, Cost(10), tokens=10)
    assert gate.ask(Cost(10), 5.0) is None
    assert gate.in_flight.in_flight == 1


def test_that_requests_are_sent_evenly_from_the_start():
    # 600 a minute, 0.99 of it used: one every 1/9.9 s = 0.10101 s; no initial burst. The first may
    # be late by the catch-up of 0.02 s, so the second comes that much sooner.
    times = sends(Gate(InFlightLimit(9), ToldRequests(600)), 10.0)
    assert times[0] == 0.0
    assert times[1] == pytest.approx(1 / 9.9 - 0.02)
    gaps = [b - a for a, b in itertools.pairwise(times[1:])]
    assert all(gap == pytest.approx(1 / 9.9) for gap in gaps)
    assert len(times) == 100


def test_that_waiting_earns_no_burst():
    gate = Gate(InFlightLimit(99), ToldRequests(600))
    gate.ask(Cost(), 0.0)
    gate.ask(Cost(), 100.0)  # a long pause lies between
    hold = gate.ask(Cost(), 100.0)
    assert hold is not None
    assert hold.reason is HoldReason.REQUESTS_PER_MINUTE
    assert hold.until == pytest.approx(100 - 0.02 + 1 / 9.9)


def test_that_tokens_are_settled_with_what_was_really_used():
    # 6000 a minute, 0.99 of it: 99 a second.
    gate = Gate(InFlightLimit(9), tokens=ToldTokens(6000))
    assert gate.ask(Cost(990), 0.0) is None  # reserves 10 s
    assert held_for_tokens(gate, 1, 1.0) == pytest.approx(9.98)
    settle(gate, Cost(990), tokens=198)  # really 2 s
    assert held_for_tokens(gate, 1, 1.0) == pytest.approx(1.98)
    assert gate.ask(Cost(990), 1.981) is None
    settle(gate, Cost(990), tokens=1980)  # really 20 s
    assert held_for_tokens(gate, 1, 2.0) == pytest.approx(21.98)


def test_that_what_nobody_counted_stays_as_reserved():
    gate = Gate(InFlightLimit(9), tokens=ToldTokens(6000))
    gate.ask(Cost(990), 0.0)
    settle(gate, Cost(990), tokens=None, kind=ErrorKind.READ_TIMEOUT)
    assert held_for_tokens(gate, 1, 1.0) == pytest.approx(9.98)


def test_that_a_request_larger_than_a_minute_goes_alone():
    gate = Gate(InFlightLimit(9), tokens=ToldTokens(6000))
    assert gate.ask(Cost(11_880), 0.0) is None  # two minutes' worth at 99 a second
    assert held_for_tokens(gate, 1, 119.9) == pytest.approx(119.98)
    assert gate.ask(Cost(1), 119.99) is None


def test_that_of_several_reasons_the_longest_is_given():
    gate = Gate(InFlightLimit(2), ToldRequests(60), ToldTokens(6000))
    gate.ask(Cost(9900), 0.0)  # tokens: 100 s; requests: about 1 s
    hold = gate.ask(Cost(1), 0.5)
    assert hold is not None
    assert hold.reason is HoldReason.TOKENS_PER_MINUTE
    assert hold.until == pytest.approx(99.98)
    settle(gate, Cost(9900), tokens=0)
    hold = gate.ask(Cost(1), 0.5)
    assert hold is not None
    assert hold.reason is HoldReason.REQUESTS_PER_MINUTE
    gate.ask(Cost(9900), 2.0)
    gate.ask(Cost(9900), 200.0)
    hold = gate.ask(Cost(1), 200.5)
    assert hold == Hold(HoldReason.IN_FLIGHT, None)  # until one ends: nobody knows when


def test_that_listeners_hear_of_every_ending_until_they_leave():
    gate = Gate(InFlightLimit(2))
    heard = []
    first, second = (lambda: heard.append(1)), (lambda: heard.append(2))
    gate.subscribe(first)
    gate.subscribe(second)
    gate.ask(Cost(), 0.0)
    gate.ask(Cost(), 0.0)
    settle(gate)
    gate.unsubscribe(first)
    settle(gate)
    assert heard == [1, 2, 2]


@settings(max_examples=60, deadline=None)
@given(
    per_minute=st.floats(6, 60_000),
    delays=st.lists(st.floats(0, 3), min_size=1, max_size=150),
)
def test_that_no_window_holds_more_than_the_told_limit_and_the_catch_up(per_minute, delays):
    gate = Gate(InFlightLimit(10**6), ToldRequests(per_minute))
    now, times = 0.0, []
    for delay in delays:  # timers that come late, by chance
        hold = gate.ask(Cost(), now)
        if hold is None:
            times.append(now)
            now += delay * 60 / per_minute
        else:
            assert hold.until is not None
            now = max(hold.until, now) + delay * 0.01
    per_second = per_minute / 60 * 0.99
    for first, start in enumerate(times):
        for last in range(first, len(times)):
            window = times[last] - start
            # The first of a window is there at once; the others are paid for.
            allowed = 1 + per_second * (window + 0.02)
            assert last - first + 1 <= allowed + 1e-6


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(1, 2000), st.floats(0, 3000), st.floats(0, 5)), min_size=1, max_size=100
    )
)
def test_that_tokens_really_used_never_run_ahead_of_the_told_limit(requests):
    gate = Gate(InFlightLimit(10**6), tokens=ToldTokens(6000))
    now, used = 0.0, 0.0
    for reserved, real, late_s in requests:
        hold = gate.ask(Cost(reserved), now)
        if hold is not None:
            assert hold.until is not None
            now = hold.until + late_s
            assert gate.ask(Cost(reserved), now) is None
        # All that was used before this one had been paid for when it went.
        assert used <= 99.0 * (now + 0.02) + 1e-6
        settle(gate, Cost(reserved), tokens=real)
        used += real


class AnyTraffic(RuleBasedStateMachine):
    """Requests asked for, held, sent and ended in any order."""

    @initialize(
        limit=st.integers(1, 8),
        rpm=st.none() | st.floats(30, 6000),
        tpm=st.none() | st.floats(100, 100_000),
    )
    def build(self, limit, rpm, tpm):
        self.gate = Gate(
            InFlightLimit(limit),
            ToldRequests(rpm) if rpm else None,
            ToldTokens(tpm) if tpm else None,
        )
        self.limit = limit
        self.now = 0.0
        self.under_way = []
        self.woken = 0
        self.ended = 0
        self.gate.subscribe(self.wake)

    def wake(self):
        self.woken += 1

    @rule(tokens=st.floats(0, 5000))
    def ask(self, tokens):
        hold = self.gate.ask(Cost(tokens), self.now)
        if hold is None:
            self.under_way.append((self.now, Cost(tokens)))
        elif hold.reason is HoldReason.IN_FLIGHT:
            assert len(self.under_way) == self.limit
            assert hold.until is None
        else:
            assert len(self.under_way) < self.limit
            assert hold.until is not None
            assert self.now < hold.until < math.inf

    @rule(tokens=st.floats(0, 5000))
    def ask_again_when_told(self, tokens):
        hold = self.gate.ask(Cost(tokens), self.now)
        if hold is not None and hold.until is not None:
            self.now = hold.until
            hold = self.gate.ask(Cost(tokens), self.now)
            assert hold is None  # what was said came true
        if hold is None:
            self.under_way.append((self.now, Cost(tokens)))

    @rule(seconds=st.floats(0, 100))
    def pass_time(self, seconds):
        self.now += seconds

    @precondition(lambda self: self.under_way)
    @rule(
        data=st.data(),
        used=st.none() | st.floats(0, 9000),
        kind=st.none() | st.sampled_from(ErrorKind),
    )
    def end(self, data, used, kind):
        sent_at, cost = self.under_way.pop(data.draw(st.integers(0, len(self.under_way) - 1)))
        self.gate.settle(Ending(sent_at, self.now, cost, used, kind))
        self.ended += 1

    @invariant()
    def what_is_in_flight_is_known(self):
        if not hasattr(self, "gate"):
            return
        assert self.gate.in_flight.in_flight == len(self.under_way) <= self.limit
        assert self.woken == self.ended

    def teardown(self):
        for sent_at, cost in getattr(self, "under_way", []):
            self.gate.settle(Ending(sent_at, self.now, cost, None, None))
        if hasattr(self, "gate"):
            assert self.gate.in_flight.in_flight == 0


TestAnyTraffic = AnyTraffic.TestCase
TestAnyTraffic.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
