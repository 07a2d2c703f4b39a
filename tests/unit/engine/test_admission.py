"""The gate as a whole, by values worked out by hand; its parts have tests of their own."""

from __future__ import annotations

import itertools

import pytest

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Cost, Ending, Gate, GateLimits, Hold, Ticket
from batchdesk.engine.kept import Kept


def a_gate(in_flight=2, **limits):
    return Gate(GateLimits(start=in_flight, pinned=in_flight, **limits))


def joined(gate):
    return gate.join(lambda: None)


def admitted(gate, client, now=0.0, tokens=0.0):
    ticket = gate.ask(Cost(tokens), now, client)
    assert isinstance(ticket, Ticket), ticket
    return ticket


def held(gate, client, now=0.0, tokens=0.0):
    hold = gate.ask(Cost(tokens), now, client)
    assert isinstance(hold, Hold)
    return hold


def end(gate, ticket, now, **how):
    gate.hear(Ending(ticket, now, **how))
    gate.settle(ticket)


def test_that_no_more_than_the_limit_are_in_flight_and_a_slot_is_free_when_settled():
    gate = a_gate(2)
    client = joined(gate)
    first = admitted(gate, client)
    admitted(gate, client)
    assert held(gate, client) == Hold(HoldReason.IN_FLIGHT, None)
    gate.hear(Ending(first, 0.2))
    assert held(gate, client, 0.2) == Hold(HoldReason.IN_FLIGHT, None)  # not on disk yet
    gate.settle(first)
    admitted(gate, client, 0.2)


def test_that_a_request_is_settled_and_heard_of_once():
    gate = a_gate()
    ticket = admitted(gate, joined(gate))
    gate.hear(Ending(ticket, 1.0))
    with pytest.raises(ValueError, match="twice"):
        gate.hear(Ending(ticket, 1.0))
    gate.settle(ticket)
    with pytest.raises(ValueError, match="twice"):
        gate.settle(ticket)
    assert gate.figures(1.0).in_flight == 0


def test_that_a_request_nobody_reported_counts_as_given_up():
    gate = a_gate(tpm=6000)
    client = joined(gate)
    gate.settle(admitted(gate, client, tokens=0))
    assert gate.figures(0.0).in_flight == 0
    with pytest.raises(ValueError, match="heard of twice"):
        gate.hear(Ending(Ticket(2, client, Cost(), 0.0), 1.0))


def test_that_a_held_request_takes_no_share():
    gate = a_gate(1, rpm=600, tpm=6000)
    client = joined(gate)
    ticket = admitted(gate, client, tokens=10)
    for _ in range(100):
        held(gate, client, 5.0, tokens=10)
    end(gate, ticket, 5.0, tokens=10)
    admitted(gate, client, 5.0, tokens=10)
    assert gate.figures(5.0).in_flight == 1


def test_that_requests_are_sent_evenly_at_99_hundredths_of_what_is_told():
    # 600 a minute, 0.99 of it used: one every 1/9.9 s; the catch-up of 0.02 s comes once.
    gate = a_gate(200, rpm=600)
    client = joined(gate)
    times, now = [], 0.0
    while now < 10.0:
        answer = gate.ask(Cost(), now, client)
        if isinstance(answer, Ticket):
            times.append(now)
        else:
            assert answer.reason is HoldReason.REQUESTS_PER_MINUTE
            now = answer.until
    assert times[1] == pytest.approx(1 / 9.9 - 0.02)
    assert all(b - a == pytest.approx(1 / 9.9) for a, b in itertools.pairwise(times[1:]))
    assert len(times) == 100


def test_that_of_several_reasons_the_longest_is_given():
    gate = a_gate(2, rpm=60, tpm=6000)
    client = joined(gate)
    ticket = admitted(gate, client, tokens=9900)  # tokens: 100 s; requests: about 1 s
    hold = held(gate, client, 0.5, tokens=1)
    assert (hold.reason, hold.until) == (HoldReason.TOKENS_PER_MINUTE, pytest.approx(99.98))
    end(gate, ticket, 0.5, tokens=0)
    assert held(gate, client, 0.5).reason is HoldReason.REQUESTS_PER_MINUTE
    admitted(gate, client, 2.0, tokens=9900)
    admitted(gate, client, 200.0, tokens=9900)
    assert held(gate, client, 200.5) == Hold(HoldReason.IN_FLIGHT, None)  # nobody knows when


def test_that_numbers_changed_by_a_person_count_at_once_and_are_reported():
    changes: list[LimitChange] = []
    gate = Gate(GateLimits(start=20))
    gate.join(lambda: None, changes.append)
    gate.pin(3, 1.0)
    gate.set_ceiling(50, 2.0)
    gate.pin(None, 3.0)
    gate.set_ceiling(2, 4.0)
    gate.set_told(600, None, 5.0)
    seen = [(one.at, one.what, one.old, one.new, one.reason) for one in changes]
    person = LimitReason.PERSON
    assert seen == [
        (1.0, LimitKind.IN_FLIGHT, 20, 3, person),
        (2.0, LimitKind.CEILING, 200, 50, person),
        (4.0, LimitKind.CEILING, 50, 2, person),
        (4.0, LimitKind.IN_FLIGHT, 3, 2, person),
        (5.0, LimitKind.PACE, None, pytest.approx(9.9), person),
    ]
    figures = gate.figures(5.0)
    assert (figures.limit, figures.ceiling, figures.pinned) == (2, 2, False)
    assert figures.permitted_requests_per_s == pytest.approx(9.9)
    gate.set_told(None, None, 6.0)
    assert gate.figures(6.0).permitted_requests_per_s is None


def test_that_headers_set_what_is_permitted():
    gate = a_gate(9)
    client = joined(gate)
    says = RateLimits(requests=LimitState(600, 590, 1.0), tokens=LimitState(60_000, 59_000, 1.0))
    end(gate, admitted(gate, client), 0.2, limits=says)
    figures = gate.figures(0.2)
    assert figures.permitted_requests_per_s == pytest.approx(9.85)
    assert figures.permitted_tokens_per_s == pytest.approx(985)


def test_that_a_refusal_stops_all_and_then_lets_one_probe_go():
    gate = a_gate(9)
    client = joined(gate)
    tickets = [admitted(gate, client) for _ in range(5)]
    for ticket in tickets:
        end(gate, ticket, 0.1, kind=ErrorKind.RATE_LIMITED)
    hold = held(gate, client, 0.1)
    assert hold.reason is HoldReason.REFUSED
    probe = admitted(gate, client, hold.until)
    assert held(gate, client, hold.until).reason is HoldReason.REFUSED
    end(gate, probe, hold.until + 0.2)
    assert gate.figures(hold.until + 0.2).pace_per_s > 0
    assert gate.in_flight.limit == 9  # a refusal moves the pace and nothing else


def test_that_an_outage_holds_all_but_a_probe_and_wakes_when_it_is_over():
    woken = []
    gate = a_gate(30)
    client = gate.join(lambda: woken.append(True))
    for ticket in [admitted(gate, client) for _ in range(20)]:
        end(gate, ticket, 1.0, kind=ErrorKind.SERVER_ERROR)
    assert held(gate, client, 1.0) == Hold(HoldReason.OUTAGE, 6.0)
    assert gate.figures(4.0).breaker_probe_s == 2.0
    probe = admitted(gate, client, 6.0)
    assert held(gate, client, 6.0) == Hold(HoldReason.OUTAGE, None)
    woken.clear()
    gate.hear(Ending(probe, 6.2))
    assert woken == [True]  # at once, not only when it is on disk
    admitted(gate, client, 6.2)
    assert gate.figures(6.2).breaker_probe_s is None


def test_that_one_probe_serves_the_pace_and_the_breaker():
    gate = a_gate(60)
    client = joined(gate)
    tickets = [admitted(gate, client) for _ in range(40)]
    for ticket in tickets[:32]:
        end(gate, ticket, 1.0, kind=ErrorKind.SERVER_ERROR)
    end(gate, tickets[32], 1.0, kind=ErrorKind.RATE_LIMITED)
    probe = admitted(gate, client, 6.0)
    for now in (6.0, 6.1, 30.0):
        assert isinstance(gate.ask(Cost(), now, client), Hold)
    end(gate, probe, 30.0)
    admitted(gate, client, 31.0)


def test_that_only_who_waits_is_woken():
    woken = []
    gate = a_gate(1)
    waits = gate.join(lambda: woken.append("waits"))
    gate.join(lambda: woken.append("idle"))
    ticket = admitted(gate, waits)
    held(gate, waits)
    end(gate, ticket, 1.0)
    assert woken == ["waits"]


def test_that_a_new_gate_begins_where_a_run_stood_and_one_that_has_sent_knows_better():
    gate = Gate(GateLimits(start=20, ceiling=30))
    gate.resume(Kept(5.0, 40), 0.0)
    figures = gate.figures(0.0)
    assert (figures.pace_per_s, figures.limit) == (5.0, 30)
    client = joined(gate)
    admitted(gate, client)
    hold = held(gate, client, 0.06)
    assert (hold.reason, hold.until) == (HoldReason.PACE, pytest.approx(0.18))  # 0.02 caught up
    gate.resume(Kept(9.0, 7), 0.06)
    assert gate.figures(0.06).pace_per_s == 5.0
    assert gate.figures(0.06).limit == 30


def test_that_a_pinned_gate_stays_pinned_and_without_a_pace_none_is_begun_with():
    gate = a_gate(4)
    gate.resume(Kept(None, 12), 0.0)
    assert (gate.figures(0.0).pace_per_s, gate.figures(0.0).limit) == (None, 4)
    gate.pin(None, 0.0)
    assert gate.figures(0.0).limit == 4
