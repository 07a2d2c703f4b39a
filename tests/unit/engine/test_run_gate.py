from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, Priority
from batchdesk.engine.admission import Cost, Ending, Gate, GateLimits, Hold, Ticket
from batchdesk.engine.lanes import Lanes, Ready
from batchdesk.engine.run_gate import RunGate
from batchdesk.store.tasks import ClaimedTask

FRESH, BACKFILL, RETRY = Priority.FRESH, Priority.BACKFILL, Priority.RETRY


def ready(number, priority=FRESH, *, slow=False):
    task = ClaimedTask(number, number, f"key-{number}", {}, 0, 0, 0, None, None, None)
    return Ready(task, 1, 0.0, priority, slow)


class Run:
    """A run at its gate; the gate lets ``pinned`` go at once."""

    def __init__(self, pinned=20, gate=None, **limits):
        self.changes: list[LimitChange] = []
        self.gate = gate or Gate(GateLimits(start=pinned, pinned=pinned))
        self.mine = RunGate(self.gate, Limits(**limits), self.changes.append)
        self.woken = 0
        self.mine.join(self.wake)
        self.number = 0

    def wake(self):
        self.woken += 1

    def send(self, now, priority=FRESH, *, slow=False):
        self.number += 1
        return self.mine.ask(ready(self.number, priority, slow=slow), Cost(), now)

    def sent(self, now, priority=FRESH, *, slow=False):
        ticket = self.send(now, priority, slow=slow)
        assert isinstance(ticket, Ticket)
        return ticket

    def ends(self, ticket, now, kind=None):
        released = self.mine.hear(Ending(ticket, now, kind=kind))
        self.mine.settle(ticket)
        return released

    def goes_through(self, now, kind=None, priority=FRESH, took_s=0.1, *, slow=False):
        self.ends(self.sent(now, priority, slow=slow), now + took_s, kind)


def test_that_retries_beyond_the_budget_are_barred_until_they_have_room_again():
    run = Run()
    for _ in range(10):
        assert run.mine.barred(100.0) == frozenset()
        run.goes_through(100.0, ErrorKind.MODEL_NOT_FOUND, RETRY)
    assert run.mine.barred(100.2) == {RETRY}
    assert run.mine.barred_hold(RETRY, 100.2) == Hold(HoldReason.RETRY_BUDGET, 161.0)
    assert run.mine.barred(161.0) == frozenset()


def test_that_retries_that_are_answered_are_never_barred():
    run = Run()
    for _ in range(100):
        assert run.mine.barred(100.0) == frozenset()
        run.goes_through(100.0, None, RETRY)


def alarmed(**limits):
    run = Run(**limits)
    for _ in range(5):
        run.mine.finished(100.0, failed=True)
    return run


def test_that_an_alarm_halves_this_runs_ceiling_and_is_told():
    run = alarmed(pinned=4)
    assert run.mine.is_degraded
    assert run.changes == [
        LimitChange(100.0, LimitKind.ALARM, 0.0, 1.0, LimitReason.FAILURES),
        LimitChange(100.0, LimitKind.CEILING, 4, 2, LimitReason.FAILURES),
    ]
    assert (run.mine.limit(), run.mine.figures(100.0).limit) == (2, 2)
    tickets = [run.sent(100.0), run.sent(100.0)]
    assert run.send(100.0) == Hold(HoldReason.DEGRADED, None)
    run.ends(tickets[0], 101.0)
    run.sent(101.0)


def test_that_the_alarm_of_one_run_leaves_the_other_its_slots():
    one = alarmed(pinned=4)
    other = Run(gate=one.gate)
    one.sent(100.0)
    one.sent(100.0)
    assert one.send(100.0) == Hold(HoldReason.DEGRADED, None)
    other.sent(100.0)
    other.sent(100.0)
    assert other.mine.limit() == 4


def test_that_rows_asked_for_again_go_one_at_a_time_while_it_is_on():
    run = alarmed(pinned=8)
    assert run.mine.barred(100.0) == frozenset()
    ticket = run.sent(100.0, BACKFILL)
    assert run.mine.barred(100.0) == {BACKFILL}
    assert run.mine.barred_hold(BACKFILL, 100.0) == Hold(HoldReason.DEGRADED, None)
    run.ends(ticket, 101.0)
    assert run.mine.barred(101.0) == frozenset()


def test_that_the_alarm_ends_by_itself_and_says_so():
    run = alarmed(pinned=8)
    run.mine.look(161.0)
    assert not run.mine.is_degraded
    assert run.mine.limit() == 8
    assert run.changes[-2:] == [
        LimitChange(161.0, LimitKind.ALARM, 1.0, 0.0, LimitReason.RECOVERED),
        LimitChange(161.0, LimitKind.CEILING, 4, 8, LimitReason.RECOVERED),
    ]


def test_that_a_latency_mark_slows_sending_and_long_rows_do_not_count():
    run = Run(pinned=8, latency_p95_max_s=1.0)
    for _ in range(20):
        run.goes_through(100.0, took_s=5.0, slow=True)
    assert run.mine.limit() == 8
    for _ in range(20):
        run.goes_through(110.0, took_s=1.5)
    assert run.mine.limit() == 4
    for _ in range(4):
        run.sent(112.0)
    assert run.send(112.0) == Hold(HoldReason.LATENCY_MARK, None)
    slowed = LimitChange(111.5, LimitKind.CEILING, 8, 4, LimitReason.LATENCY_MARK)
    assert run.changes == [slowed]


def test_that_a_latency_mark_that_is_met_again_is_told_until_it_does_not_bind():
    run = Run(pinned=4, latency_p95_max_s=1.0)
    for now, took_s in ((110.0, 1.5), (120.0, 0.5), (130.0, 0.5)):
        for _ in range(20):
            run.goes_through(now, took_s=took_s)
    assert [(one.old, one.new, one.reason) for one in run.changes] == [
        (4, 2, LimitReason.LATENCY_MARK),
        (2, 3, LimitReason.FASTER),
        (3, 4, LimitReason.FASTER),
    ]


def test_that_refused_rows_are_released_once_later_requests_have_been_accepted_for_5_s():
    run = Run()
    run.goes_through(100.0, ErrorKind.RATE_LIMITED)
    assert not run.ends(run.sent(110.0), 110.2)
    assert run.ends(run.sent(115.0), 115.2)


def test_that_an_outage_is_seen_and_a_run_that_leaves_hears_no_more():
    run = Run()
    assert not run.mine.is_broken(100.0)
    for _ in range(20):
        run.goes_through(100.0, ErrorKind.SERVER_ERROR)
    assert run.mine.is_broken(100.5)
    assert run.changes[-1].what is LimitKind.BREAKER
    heard = len(run.changes)
    run.mine.leave()
    run.gate.pin(3, 101.0)
    assert len(run.changes) == heard


@pytest.mark.parametrize("kind", [None, ErrorKind.SERVER_ERROR])
def test_that_every_ending_wakes_a_run_that_was_held_by_the_gate(kind):
    run = Run(pinned=1)
    ticket = run.sent(100.0)
    assert run.send(100.0) == Hold(HoldReason.IN_FLIGHT, None)
    before = run.woken
    run.ends(ticket, 101.0, kind)
    assert run.woken > before


class AnyRun(RuleBasedStateMachine):
    """First tries, backfill and retries in lanes, sent as a run sends them."""

    def __init__(self):
        super().__init__()
        self.run = Run(pinned=6)
        self.lanes = Lanes(100_000)
        self.now = 1000.0
        self.number = 0
        self.out: list[tuple[Ready, Ticket]] = []
        self.passed_over = {FRESH: 0, RETRY: 0}  # sends of others while one was ready and free

    @rule(count=st.integers(1, 30), priority=st.sampled_from(Priority), slow=st.booleans())
    def rows_come(self, count, priority, slow):
        rows = [ready(self.number + n, priority, slow=slow) for n in range(1, count + 1)]
        self.number += count
        if priority is RETRY:
            self.lanes.add_retries(rows)
        else:
            self.lanes.add_first(rows)

    @rule(seconds=st.sampled_from([0.0, 0.1, 2.0, 61.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule(most=st.integers(1, 40))
    def the_run_sends(self, most):
        for _ in range(most):
            barred = self.run.mine.barred(self.now)
            assert FRESH not in barred
            one = self.lanes.peek(self.run.mine.limit(), barred)
            if one is None:
                return
            admitted = self.run.mine.ask(one, Cost(), self.now)
            if isinstance(admitted, Hold):
                assert self.out or admitted.until is not None  # something will wake it
                return
            self.lanes.pop(one)
            self.out.append((one, admitted))
            for priority in self.passed_over:
                is_free = priority not in barred and self._has(priority)
                gone = one.priority is priority
                self.passed_over[priority] = (
                    0 if gone or not is_free else (self.passed_over[priority] + 1)
                )

    def _has(self, priority):
        lanes = (self.lanes._fast, self.lanes._slow)
        return any(lane._queues[priority] for lane in lanes)

    @precondition(lambda self: self.out)
    @rule(
        count=st.integers(1, 8),
        kind=st.sampled_from([None, None, ErrorKind.RATE_LIMITED, ErrorKind.BAD_REQUEST]),
        dead=st.booleans(),
    )
    def requests_end(self, count, kind, dead):
        for one, ticket in self.out[:count]:
            self.run.ends(ticket, self.now, kind)
            self.lanes.landed(one)
            self.run.mine.finished(self.now, dead and kind is not None)
        del self.out[:count]

    @invariant()
    def never_more_in_flight_than_the_limit_was(self):
        assert len(self.out) <= 6
        assert self.run.mine.limit() >= 1

    @invariant()
    def neither_starves_the_other(self):
        # One send in ten of a lane is a retry's; of two lanes the slow one gets one send in five.
        assert self.passed_over[RETRY] <= 60
        assert self.passed_over[FRESH] <= 20


TestAnyRun = AnyRun.TestCase
