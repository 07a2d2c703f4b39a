"""The breaker, step by step."""

from __future__ import annotations

import pytest

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.breaker import Breaker
from batchdesk.engine.part import Cost, Ending, Hold, Ticket

FAULT = ErrorKind.SERVER_ERROR


class Bench:
    """A breaker with a few requests at a time."""

    def __init__(self):
        self.changes: list[LimitChange] = []
        self.breaker = Breaker(self.changes.append)
        self.number = 0

    def send(self, now):
        self.number += 1
        ticket = Ticket(self.number, 1, Cost(), now)
        self.breaker.take(ticket)
        return ticket

    def end(self, ticket, now, kind=None, **how):
        self.breaker.hear(Ending(ticket, now, kind=kind, **how))
        self.breaker.settle(ticket)

    def some(self, count, now, kind=None, **how):
        for _ in range(count):
            self.end(self.send(now), now, kind, **how)

    def hold(self, now):
        return self.breaker.hold(Cost(), now)

    def opened(self):
        self.some(20, 0.0, FAULT)
        return self


def test_that_half_of_the_last_twenty_open_it_if_nothing_comes_through():
    bench = Bench()
    bench.some(10, 0.0)
    bench.some(9, 1.0, FAULT)
    assert bench.hold(1.0) is None
    bench.some(1, 2.0, FAULT)
    assert bench.hold(2.0) == Hold(HoldReason.OUTAGE, 7.0)
    (change,) = bench.changes
    assert (change.what, change.old, change.new) == (LimitKind.BREAKER, 1.0, 0.0)
    assert (change.at, change.reason) == (2.0, LimitReason.OUTAGE)


def test_that_fewer_than_twenty_do_not():
    bench = Bench()
    bench.some(19, 0.0, FAULT)
    assert bench.hold(0.0) is None


def test_that_a_whole_round_is_looked_at_where_more_are_in_flight():
    bench = Bench()
    tickets = [bench.send(0.0) for _ in range(100)]
    bench.some(100, 1.0)
    for ticket in tickets[:30]:  # a proxy that restarts breaks a few at once
        bench.end(ticket, 2.0, ErrorKind.CONNECTION_RESET)
    assert bench.hold(2.0) is None
    for ticket in tickets[30:75]:
        bench.end(ticket, 2.0, ErrorKind.CONNECTION_RESET)
    assert not bench.breaker.is_open
    bench.end(tickets[75], 2.0, ErrorKind.CONNECTION_RESET)
    assert bench.breaker.is_open


def test_that_it_stays_closed_while_one_in_many_comes_through():
    bench = Bench()
    for _ in range(50):
        bench.some(9, 0.0, FAULT)
        bench.some(1, 0.0)
    assert not bench.breaker.is_open
    bench.some(10, 0.0, FAULT)
    assert bench.breaker.is_open


def test_that_requests_that_hang_do_not_hide_an_outage():
    bench = Bench()
    for _ in range(10):
        bench.send(0.0)  # they never end
    bench.some(20, 0.0)
    bench.some(19, 1.0, FAULT)
    assert not bench.breaker.is_open
    bench.some(1, 1.0, FAULT)
    assert bench.breaker.is_open


@pytest.mark.parametrize(
    ("kind", "alive_at", "opens_with"),
    [
        (ErrorKind.READ_TIMEOUT, 1.0, 50),  # half of the hundred others in flight
        (ErrorKind.CONNECT_TIMEOUT, 1.0, 50),
        (ErrorKind.READ_TIMEOUT, 5.0, 76),  # something came through meanwhile: the round counts
        (ErrorKind.CONNECTION_RESET, 1.0, 76),  # after the first, three in four of the hundred
    ],
)
def test_that_a_request_that_waited_in_vain_tells_as_much_as_a_whole_round(
    kind, alive_at, opens_with
):
    bench = Bench()
    tickets = [bench.send(2.0) for _ in range(101)]
    bench.some(100, alive_at)
    for ticket in tickets[: opens_with - 1]:
        bench.end(ticket, 12.0, kind)
        bench.send(12.0)  # there are always as many
    assert not bench.breaker.is_open
    bench.end(tickets[opens_with - 1], 12.0, kind)
    assert bench.breaker.is_open


def test_that_rows_that_failed_before_among_others_that_did_not_are_no_outage():
    bench = Bench()
    bench.some(20, 0.0)
    bench.some(100, 1.0, FAULT, blames_row=True)
    assert not bench.breaker.is_open
    bench.some(9, 2.0, FAULT)
    bench.some(1, 2.0, blames_row=True)  # an answer is a sign of life, whoever it is for
    bench.some(9, 2.0, FAULT)
    assert not bench.breaker.is_open


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.OVERLOADED,
        ErrorKind.SERVER_ERROR,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.CONNECT_FAILED,
        ErrorKind.READ_TIMEOUT,
        ErrorKind.CONNECTION_RESET,
    ],
)
def test_that_these_are_signs_of_an_outage(kind):
    bench = Bench()
    bench.some(20, 0.0, kind)
    assert bench.breaker.is_open


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.RATE_LIMITED,
        ErrorKind.QUOTA_EXHAUSTED,
        ErrorKind.AUTH,
        ErrorKind.BAD_REQUEST,
        ErrorKind.MALFORMED_OUTPUT,
        ErrorKind.INTERNAL,
        ErrorKind.STORAGE_FULL,
        ErrorKind.TEMPLATE_FAILED,
    ],
)
def test_that_these_are_not(kind):
    bench = Bench()
    bench.some(100, 0.0, kind)
    assert bench.hold(0.0) is None


def test_that_what_we_gave_up_or_broke_ourselves_does_not_dilute_the_count():
    bench = Bench()
    bench.some(10, 0.0, FAULT)
    bench.some(100, 0.0, FAULT, cancelled=True)
    bench.some(100, 0.0, ErrorKind.INTERNAL)
    assert not bench.breaker.is_open
    bench.some(10, 0.0, FAULT)
    assert bench.breaker.is_open


def test_that_probes_go_after_5_10_20_30_30_seconds_one_at_a_time():
    bench = Bench().opened()
    now = 0.0
    for wait_s in (5.0, 10.0, 20.0, 30.0, 30.0, 30.0):
        assert bench.hold(now) == Hold(HoldReason.OUTAGE, now + wait_s)
        assert bench.breaker.probe_in_s(now) == wait_s
        now += wait_s
        assert bench.hold(now) is None
        probe = bench.send(now)
        assert bench.hold(now + 500) == Hold(HoldReason.OUTAGE, None)
        assert bench.breaker.probe_in_s(now) == 0.0
        now += 1.0
        bench.end(probe, now, FAULT)


@pytest.mark.parametrize("kind", [None, ErrorKind.RATE_LIMITED, ErrorKind.MALFORMED_OUTPUT])
def test_that_any_sign_of_life_closes_it(kind):
    bench = Bench().opened()
    bench.end(bench.send(5.0), 6.0, kind)
    assert bench.hold(6.0) is None
    assert bench.breaker.probe_in_s(6.0) is None
    assert bench.changes[-1].reason is LimitReason.PROBE_ANSWERED
    bench.some(19, 7.0, FAULT)  # it counts anew
    assert not bench.breaker.is_open


def test_that_a_probe_that_was_given_up_lets_another_go_at_once():
    bench = Bench().opened()
    bench.end(bench.send(5.0), 6.0, cancelled=True)
    assert bench.hold(6.0) is None
    assert bench.breaker.is_open
    bench.end(bench.send(6.0), 7.0, ErrorKind.INTERNAL)
    assert bench.hold(7.0) == Hold(HoldReason.OUTAGE, 12.0)  # a bug must not send in a circle


def test_that_what_was_sent_into_the_outage_neither_closes_nor_opens_it():
    bench = Bench()
    tickets = [bench.send(0.0) for _ in range(60)]
    for ticket in tickets[:46]:
        bench.end(ticket, 10.0, ErrorKind.READ_TIMEOUT)
    assert bench.breaker.is_open
    bench.end(tickets[46], 11.0)  # an old one is answered all the same
    assert bench.breaker.is_open
    bench.end(bench.send(15.0), 16.0)
    for ticket in tickets[47:]:
        bench.end(ticket, 30.0, ErrorKind.READ_TIMEOUT)
    bench.some(1, 31.0, FAULT)
    assert not bench.breaker.is_open
