"""Two runs on one account: equal shares, no capacity left idle, nobody waits for ever."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import HoldReason
from batchdesk.engine.admission import Cost, Ending, Gate, GateLimits, Hold, Ticket


def a_gate(in_flight=1, **limits):
    return Gate(GateLimits(start=in_flight, pinned=in_flight, **limits))


def settle(gate, ticket, now):
    gate.hear(Ending(ticket, now))
    gate.settle(ticket)


def test_that_two_that_wait_for_one_slot_take_turns():
    gate = a_gate(1)
    a, b = gate.join(lambda: None), gate.join(lambda: None)
    order, now = [], 0.0
    ticket = gate.ask(Cost(), now, a)
    for _ in range(6):
        assert isinstance(gate.ask(Cost(), now, b), Hold)
        assert isinstance(gate.ask(Cost(), now, a), Hold)
        now += 1.0
        settle(gate, ticket, now)
        for client in (a, b):  # ``a`` always asks first
            answer = gate.ask(Cost(), now, client)
            if isinstance(answer, Ticket):
                ticket = answer
                order.append("a" if client == a else "b")
                break
    assert order == ["b", "a", "b", "a", "b", "a"]


def test_that_the_one_ahead_waits_a_moment_for_the_other_and_wakes_it():
    woken = []
    gate = a_gate(1)
    a = gate.join(lambda: woken.append("a"))
    b = gate.join(lambda: woken.append("b"))
    ticket = gate.ask(Cost(), 0.0, a)
    gate.ask(Cost(), 0.0, b)
    settle(gate, ticket, 1.0)
    assert woken == ["b"]
    hold = gate.ask(Cost(), 1.0, a)
    assert (hold.reason, hold.until) == (HoldReason.SHARED, pytest.approx(1.1))
    woken.clear()
    assert isinstance(gate.ask(Cost(), 1.05, b), Ticket)
    assert woken == ["a"]


def test_that_who_was_woken_and_does_not_come_holds_nobody_up():
    gate = a_gate(2)
    a, b = gate.join(lambda: None), gate.join(lambda: None)
    tickets = [gate.ask(Cost(), 0.0, a) for _ in range(2)]
    gate.ask(Cost(), 0.0, b)  # and then its run holds itself back
    settle(gate, tickets[0], 1.0)
    hold = gate.ask(Cost(), 1.0, a)
    assert isinstance(hold, Hold)
    assert isinstance(gate.ask(Cost(), hold.until, a), Ticket)
    settle(gate, tickets[1], 2.0)
    assert isinstance(gate.ask(Cost(), 2.0, a), Ticket)  # at once


def test_that_one_alone_is_never_held_for_the_other_sake():
    gate = a_gate(3)
    a, _idle = gate.join(lambda: None), gate.join(lambda: None)
    for n in range(50):
        ticket = gate.ask(Cost(), float(n), a)
        assert isinstance(ticket, Ticket)
        settle(gate, ticket, n + 0.5)


def test_that_who_comes_late_or_comes_back_is_not_owed_the_past():
    gate = a_gate(1)
    a = gate.join(lambda: None)
    for n in range(1000):
        settle(gate, gate.ask(Cost(), float(n), a), n + 0.5)
    b = gate.join(lambda: None)
    sent: Counter[int] = Counter()
    now = 2000.0
    waiting = {a, b}
    ticket = gate.ask(Cost(), now, a)
    for _ in range(40):
        for client in (a, b):
            gate.ask(Cost(), now, client)
        now += 1.0
        settle(gate, ticket, now)
        answers = {client: gate.ask(Cost(), now, client) for client in sorted(waiting)}
        went = [client for client, answer in answers.items() if isinstance(answer, Ticket)]
        if not went:  # the one ahead asked first; the other has gone ahead by now
            continue
        (client,) = went
        ticket = answers[client]
        sent[client] += 1
    assert sent[a] == sent[b] == 20


def test_that_one_that_leaves_frees_the_others():
    woken = []
    gate = a_gate(1)
    a = gate.join(lambda: woken.append("a"))
    b = gate.join(lambda: None)
    ticket = gate.ask(Cost(), 0.0, a)
    gate.ask(Cost(), 0.0, b)
    settle(gate, ticket, 1.0)
    assert isinstance(gate.ask(Cost(), 1.0, a), Hold)
    gate.leave(b)
    assert woken == ["a"]
    assert isinstance(gate.ask(Cost(), 1.0, a), Ticket)


def test_that_a_client_with_large_requests_is_waited_for_in_the_end():
    # A large request takes a hundred times as much of the minute as a small one.
    gate = a_gate(50, tpm=60_000)
    small, large = gate.join(lambda: None), gate.join(lambda: None)
    sent: Counter[int] = Counter()
    now = 0.0
    due = {small: 0.0, large: 0.0}
    while now < 60:
        client = min(due, key=lambda one: due[one])
        now = due[client]
        answer = gate.ask(Cost(10 if client == small else 1000), now, client)
        if isinstance(answer, Ticket):
            sent[client] += 1
            settle(gate, answer, now)
        else:
            assert answer.until is not None
            due[client] = max(answer.until, now + 0.001)
    assert abs(sent[small] - sent[large]) <= 8


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0.001, 0.5)), min_size=50, max_size=200))
def test_that_whoever_asks_in_whatever_order_nobody_that_waits_falls_behind(steps):
    gate = a_gate(1)
    clients = [gate.join(lambda: None) for _ in range(3)]
    sent: Counter[int] = Counter()
    now, ticket = 0.0, None
    for first, took in steps:
        order = clients[first:] + clients[:first]
        for client in order * 3:  # each that is woken asks again
            answer = gate.ask(Cost(), now, client)
            ticket = answer if isinstance(answer, Ticket) else ticket
            if isinstance(answer, Ticket):
                sent[client] += 1
        assert ticket is not None
        now += took
        settle(gate, ticket, now)
        ticket = None
    assert max(sent.values()) - min(sent[one] for one in clients) <= 2
