"""The pace learned from refusals: stop, one probe, reopening at what was measured, growth."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.unit.engine.gate_parts import Driver, until

from batchdesk.domain.chat import NO_LIMITS, LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.pace import LearnedPace
from batchdesk.engine.part import Hold, Ticket


def reopened(sent: int = 9, after_s: float = 0.9) -> tuple[LearnedPace, Driver]:
    """A pace after its first cut: so many were accepted, one refused, the probe answered.

    Sent evenly from 1000.0; refused at 1000 + after_s, probe 0.05 s later, answered 0.05 s later.
    """
    part = LearnedPace()
    driver = Driver(part)
    for n in range(sent):
        driver.answer(driver.send(1000.0 + n * after_s / sent), 1000.0 + n * after_s / sent)
    at = 1000.0 + after_s
    driver.refuse(driver.send(at), at)
    driver.answer(driver.send(at + 0.05), at + 0.1)
    return part, driver


def said(hold: Hold | None, ends_at: float) -> HoldReason:
    """Why; there must be a hold, until then."""
    assert hold is not None
    assert until(hold) == pytest.approx(ends_at)
    return hold.reason


def rate(part: LearnedPace) -> float:
    """The pace; there must be one."""
    assert part.per_second is not None
    return part.per_second


def test_that_there_is_no_pace_before_the_first_refusal():
    part = LearnedPace()
    driver = Driver(part)

    for _ in range(1000):
        driver.answer(driver.send(1000.0), 1000.2)

    assert part.per_second is None


def test_that_a_refusal_stops_for_50_ms_and_then_one_probe_goes():
    part = LearnedPace()
    driver = Driver(part)

    driver.refuse(driver.send(1000.0), 1000.1)

    assert said(driver.hold(1000.1), 1000.15) is HoldReason.REFUSED
    probing = [part.is_probing]
    driver.send(1000.15)
    probing.append(part.is_probing)
    assert probing == [False, True]
    assert said(driver.hold(1000.16), 1000.35) is HoldReason.REFUSED


def test_that_an_answered_probe_reopens_at_99_percent_of_what_was_accepted():
    part, _ = reopened(sent=9, after_s=0.9)

    # 9 and the probe were accepted within 1.0 s
    assert part.per_second == pytest.approx(9.9)


def test_that_a_probe_that_is_not_refused_in_time_reopens():
    part = LearnedPace()
    driver = Driver(part)
    driver.refuse(driver.send(1000.0), 1000.1)  # refusals take 0.1 s
    driver.send(1000.15)

    assert until(driver.hold(1000.2)) == pytest.approx(1000.35)  # twice that after the probe
    assert driver.hold(1000.35) is None
    assert part.per_second == pytest.approx(0.99 * 1 / 0.35)


def test_that_a_refused_probe_doubles_the_stop_up_to_5_s():
    driver = Driver(LearnedPace())
    now = 1000.0
    driver.refuse(driver.send(now), now)

    stops = []
    for _ in range(9):
        now = until(driver.hold(now))
        driver.refuse(driver.send(now), now)
        stops.append(until(driver.hold(now)) - now)

    assert stops == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5])


@pytest.mark.parametrize(("hint_s", "stop_s"), [(1.5, 1.5), (60.0, 5.0), (0.01, 0.1)])
def test_that_a_refused_probe_waits_for_its_hint_within_5_s(hint_s, stop_s):
    driver = Driver(LearnedPace())
    driver.refuse(driver.send(1000.0), 1000.0)

    driver.refuse(driver.send(1000.05), 1000.05, hint_s=hint_s)

    assert until(driver.hold(1000.05)) == pytest.approx(1000.05 + stop_s)


def stops(driver: Driver, at: float, count: int) -> list[float]:
    """How long each of so many refused probes stops the sending."""
    found = []
    for _ in range(count):
        driver.refuse(driver.send(at), at)
        hold = driver.hold(at)
        assert hold is not None
        found.append(until(hold) - at)
        at = until(hold)
    return found


def test_that_after_six_long_stops_the_next_are_longer_up_to_30_s():
    driver = Driver(LearnedPace())

    found = stops(driver, 1000.0, 16)

    assert found[:8] == pytest.approx([0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0])
    assert found[8:] == pytest.approx([5.0, 5.0, 5.0, 5.0, 5.0, 10.0, 20.0, 30.0])


def test_that_at_a_low_pace_probes_wait_for_three_requests_time():
    part, driver = reopened(sent=2, after_s=9.9)
    assert part.per_second == pytest.approx(0.297)  # three in 10 s

    found = stops(driver, 1020.0, 3)

    assert found == pytest.approx([1 / 0.297, 2 / 0.297, 3 / 0.297])


def test_that_refusals_never_leave_less_than_three_requests_a_minute():
    part, driver = reopened()
    at = 1010.0
    for _ in range(200):  # every other request is refused, whatever the pace
        at = max(at + 0.1, until(driver.hold(at)) if driver.hold(at) else 0.0)
        driver.refuse(driver.send(at), at)
        at = until(driver.hold(at))
        driver.answer(driver.send(at), at)

    assert part.per_second == pytest.approx(0.05)


def test_that_a_crawl_is_left_within_30_requests():
    part, driver = reopened(sent=2, after_s=40.0)
    at = 1050.0
    driver.refuse(driver.send(at), at)
    paces = []
    for _ in range(31):  # a probe and 30 more
        at = until(driver.hold(at)) if driver.hold(at) else at
        driver.answer(driver.send(at), at)
        paces.append(rate(part))

    assert paces[9] < 0.15
    assert paces[30] > 1.0


def test_that_refusals_of_what_was_sent_before_the_cut_are_neutral():
    part = LearnedPace()
    driver = Driver(part)
    tickets = [driver.send(1000.0) for _ in range(50)]

    for ticket in tickets:
        driver.refuse(ticket, 1000.0)

    assert until(driver.hold(1000.0)) == pytest.approx(1000.05)  # one stop, not fifty
    driver.answer(driver.send(1000.05), 1000.2)
    assert part.per_second == pytest.approx(0.99 * 1 / 0.2)  # the probe alone was accepted


def test_that_after_a_short_stop_the_pace_falls_by_a_fifth_at_most():
    part, driver = reopened(sent=99, after_s=0.9)
    assert part.per_second == pytest.approx(99.0)  # 100 in 1.0 s

    driver.refuse(driver.force(1001.0), 1001.0)
    driver.answer(driver.send(1001.05), 1001.1)  # one in 0.2 s at least: 5 a second were measured

    assert part.per_second == pytest.approx(0.99 * 0.8 * 99.0)


def test_that_after_a_short_stop_the_pace_never_rises():
    part, driver = reopened(sent=9, after_s=0.9)

    for n in range(50):  # more than the pace permits, as if it had been measured too low
        driver.answer(driver.force(1001.0 + n * 0.01), 1001.0 + n * 0.01)
    before = rate(part)
    driver.refuse(driver.force(1001.5), 1001.5)
    driver.answer(driver.send(1001.75), 1001.8)

    assert part.per_second == pytest.approx(0.99 * before)


def test_that_after_a_long_stop_what_was_measured_counts():
    part, driver = reopened(sent=99, after_s=0.9)
    driver.refuse(driver.force(1001.0), 1001.0)
    now = 1001.0
    for _ in range(8):
        now = until(driver.hold(now))
        driver.refuse(driver.send(now), now)
    now = until(driver.hold(now))
    driver.answer(driver.send(now), now)

    # one accepted in more than ten seconds, but never below a tenth in one cut
    assert part.per_second == pytest.approx(0.99 * 9.9)


def test_that_after_a_storm_of_refusals_it_climbs_back_to_what_was_measured_before():
    part, driver = reopened(sent=49, after_s=0.9)
    driver.refuse(driver.force(1001.0), 1001.0)
    driver.answer(driver.send(1001.05), 1001.1)
    measured = rate(part)  # about 40: the last estimate
    now = 1002.0
    driver.refuse(driver.force(now), now)
    while now < 1030.0:  # whatever is sent is refused
        now = until(driver.hold(now))
        driver.refuse(driver.send(now), now)
    now = until(driver.hold(now))
    driver.answer(driver.send(now), now)
    after_the_storm = rate(part)

    driver.send_all(until=now + 10, since=now, answer_s=0.1)

    assert after_the_storm <= 0.11 * measured
    assert 0.9 * measured < rate(part) < 1.1 * measured


def test_that_a_storm_from_the_first_request_on_is_followed_by_one_a_second():
    part = LearnedPace()
    driver = Driver(part)
    now = 1000.0
    driver.refuse(driver.send(now), now)
    while now < 1020.0:  # whatever is sent is refused
        now = until(driver.hold(now))
        driver.refuse(driver.send(now), now)
    now = until(driver.hold(now))
    driver.answer(driver.send(now), now)

    assert part.per_second == 1.0 * 0.99  # the one probe in twenty seconds measured nothing


def test_that_three_accepted_before_the_first_long_stop_are_a_measure():
    part = LearnedPace()
    driver = Driver(part)
    for n in range(3):
        driver.answer(driver.send(1000.0 + n), 1000.0 + n)
    now = 1003.0
    driver.refuse(driver.send(now), now)
    while now < 1013.0:
        now = until(driver.hold(now))
        driver.refuse(driver.send(now), now)
    now = until(driver.hold(now))
    driver.answer(driver.send(now), now)

    assert rate(part) == pytest.approx(0.99 * 4 / (now - 1000.0))


def test_that_a_known_limit_is_where_the_first_cut_goes():
    part = LearnedPace(known=lambda: 50.0)
    driver = Driver(part)

    driver.refuse(driver.send(1000.0), 1000.0)
    driver.answer(driver.send(1000.05), 1000.1)

    assert part.per_second == pytest.approx(0.985 * 50)


def test_that_a_known_limit_of_which_much_is_left_is_not_the_one_that_refused():
    part = LearnedPace(known=lambda: 1000.0)
    driver = Driver(part)
    much_left = RateLimits(requests=LimitState(60_000, 59_000))

    driver.refuse(driver.send(1000.0), 1000.0, limits=much_left)
    driver.answer(driver.send(1000.05), 1000.2)

    assert part.per_second == pytest.approx(0.99 * 1 / 0.2)


def test_that_the_pace_never_grows_above_985_of_a_known_limit():
    part = LearnedPace(known=lambda: 50.0)
    driver = Driver(part)
    driver.refuse(driver.send(1000.0), 1000.0)
    driver.answer(driver.send(1000.05), 1000.1)

    driver.send_all(until=1030.0, since=1000.1, answer_s=0.2)

    assert part.per_second == pytest.approx(0.985 * 50)


def test_that_it_climbs_fast_until_the_second_refusal():
    part, driver = reopened(sent=49, after_s=0.9)
    before = rate(part)

    driver.send_all(until=1002.0, since=1001.0, answer_s=0.2)

    assert part.per_second == pytest.approx(before * (1 + 0.33 * 0.2) ** 4.5, rel=0.07)


def test_that_near_the_last_estimate_it_grows_by_half_a_percent_a_second():
    part, driver = reopened(sent=49, after_s=0.9)  # 49.5 a second
    now = driver.send_all(until=1011.0, since=1001.0, answer_s=0.2)[-1]
    driver.refuse(driver.force(now + 0.01), now + 0.01)
    now = until(driver.hold(now + 0.01))
    driver.answer(driver.send(now), now + 0.05)
    before = rate(part)

    driver.send_all(until=now + 2.05, since=now + 0.05, answer_s=0.2)

    assert part.per_second == pytest.approx(before * 1.005**2, rel=0.003)


def test_that_a_pace_that_is_not_used_does_not_grow():
    part, driver = reopened(sent=49, after_s=0.9)
    before = rate(part)

    for n in range(100):  # ten a second where 49.5 are permitted
        driver.answer(driver.send(1001.1 + n * 0.1), 1001.2 + n * 0.1)

    assert part.per_second == before


def test_that_below_25_a_second_requests_count_instead_of_seconds():
    part, driver = reopened(sent=4, after_s=0.9)  # 4.95 a second, and climbs to 14
    now = driver.send_all(until=1005.0, since=1001.0, answer_s=0.1)[-1]
    driver.refuse(driver.force(now + 0.1), now + 0.1)
    now = until(driver.hold(now + 0.1))
    driver.answer(driver.send(now), now)
    before = rate(part)

    times = driver.send_all(until=now + 10.0, since=now, answer_s=0.1)

    # ten seconds at 14 a second are 5.6 times 25 requests: 2.8 % instead of 5 %
    assert len(times) == pytest.approx(140, abs=5)
    assert part.per_second == pytest.approx(before * 1.005**5.6, rel=0.003)


def test_that_refusals_for_too_many_at_once_are_not_the_paces_matter():
    part = LearnedPace()
    driver = Driver(part)

    for told in (0, 20):
        driver.refuse(driver.send(1000.0), 1000.0, limits=RateLimits(told_concurrency=told))

    assert driver.hold(1000.0) is None
    assert part.per_second is None


@pytest.mark.parametrize("kind", [ErrorKind.SERVER_ERROR, ErrorKind.READ_TIMEOUT])
def test_that_a_probe_that_fails_otherwise_was_not_refused(kind):
    part = LearnedPace()
    driver = Driver(part)
    driver.refuse(driver.send(1000.0), 1000.0)

    driver.fail(driver.send(1000.05), 1000.06, kind)

    assert not part.is_probing
    assert part.per_second == pytest.approx(0.99 * 1 / 0.2)


def test_that_a_cancelled_probe_lets_another_go():
    part = LearnedPace()
    driver = Driver(part)
    driver.refuse(driver.send(1000.0), 1000.0)
    driver.cancel(driver.send(1000.05), 1000.06)

    probing = [part.is_probing]
    driver.send(1000.06)
    probing.append(part.is_probing)
    assert probing == [False, True]


def test_that_a_suspended_computer_does_not_count_as_time_in_which_nothing_was_accepted():
    part, driver = reopened(sent=99, after_s=0.9)
    driver.refuse(driver.force(1001.0), 1001.0)

    woken = 1001.0 + 8 * 3600
    driver.answer(driver.send(woken), woken)

    assert rate(part) >= 0.99 * 0.1 * 99.0
    driver.send_all(until=woken + 30, since=woken, answer_s=0.1)
    assert rate(part) > 30  # and it climbs again, threefold in half a minute


def test_that_stop_reopening_and_growth_are_reported():
    changes: list[LimitChange] = []
    driver = Driver(LearnedPace(changes.append))
    driver.refuse(driver.send(1000.0), 1000.0)
    driver.answer(driver.send(1000.05), 1000.1)
    driver.send_all(until=1003.0, since=1000.1, answer_s=0.1)

    assert {change.what for change in changes} == {LimitKind.PACE}
    assert [(c.old, c.new, c.reason) for c in changes[:2]] == [
        (None, 0.0, LimitReason.REFUSED),
        (0.0, pytest.approx(4.95), LimitReason.REOPENED),
    ]
    grown = changes[2:]
    assert grown
    assert all(c.reason is LimitReason.GROWTH for c in grown)
    assert all(c.old and c.new and c.new >= 1.01 * c.old for c in grown)
    assert all(a.new == b.old for a, b in itertools.pairwise(changes))


class AnySchedule(RuleBasedStateMachine):
    """Requests, answers, refusals with hints, failures, cancellations in any order; clock jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[LimitChange] = []
        self.known: float | None = None
        self.part = LearnedPace(self.changes.append, known=lambda: self.known)
        self.driver = Driver(self.part)
        self.now = 1000.0
        self.out: list[Ticket] = []
        self.probe: Ticket | None = None

    @rule(count=st.integers(1, 30))
    def send(self, count: int) -> None:
        for _ in range(count):
            if self.driver.hold(self.now) is not None:
                break
            was_probing = self.part.is_probing
            ticket = self.driver.force(self.now)
            self.out.append(ticket)
            assert not was_probing, "one probe at most"

    @precondition(lambda self: self.out)
    @rule(
        data=st.data(),
        how=st.sampled_from(["answer", "refuse", "refuse", "cap", "fail", "cancel"]),
        hint_s=st.none() | st.floats(0, 1e5),
    )
    def end(self, data, how, hint_s) -> None:
        ticket = self.out.pop(data.draw(st.integers(0, len(self.out) - 1)))
        if how == "answer":
            self.driver.answer(ticket, self.now)
        elif how == "fail":
            self.driver.fail(ticket, self.now, ErrorKind.CONNECTION_RESET)
        elif how == "cancel":
            self.driver.cancel(ticket, self.now)
        else:
            limits = RateLimits(told_concurrency=3) if how == "cap" else NO_LIMITS
            self.driver.refuse(ticket, self.now, hint_s=hint_s, limits=limits)

    @rule(seconds=st.sampled_from([0.0, 1e-6, 0.05, 0.3, 2.0, 60.0, 86400.0]))
    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    @rule(known=st.none() | st.floats(0.001, 1e4))
    def headers_change(self, known: float | None) -> None:
        self.known = known

    @invariant()
    def the_pace_is_a_sensible_number(self) -> None:
        pace = self.part.per_second
        assert pace is None or (pace >= 0.1 / 60 and math.isfinite(pace))

    @invariant()
    def a_hold_ends_within_the_longest_stop_or_one_interval(self) -> None:
        hold = self.driver.hold(self.now)
        if hold is not None:
            pace = self.part.per_second
            longest = max(10.0, 1 / pace if pace else 0.0)
            assert self.now < until(hold) <= self.now + longest + 1e-6

    def teardown(self) -> None:
        """From any state, with everything ended and time passing, a request is admitted."""
        for ticket in self.out:
            self.driver.refuse(ticket, self.now)
        for _ in range(10):
            hold = self.driver.hold(self.now)
            if hold is None:
                return
            self.now = until(hold) + 1e-6
        raise AssertionError("stuck")


TestAnySchedule = AnySchedule.TestCase
TestAnySchedule.settings = settings(max_examples=80, stateful_step_count=30, deadline=None)


def test_that_a_pace_of_before_is_begun_with_evenly_and_grows_slowly():
    changes: list[LimitChange] = []
    part = LearnedPace(changes.append)
    part.resume(9.9, 1000.0)
    driver = Driver(part)
    for n in range(20):
        driver.answer(driver.send(1000.0 + n / 9.9), 1000.0 + n / 9.9)
    assert 9.9 < rate(part) < 10.0
    assert changes == []  # it is what the run's last change said


def test_that_of_a_crawl_of_before_it_climbs_fast():
    part = LearnedPace()
    part.resume(0.05, 1000.0)
    driver = Driver(part)
    at = 1000.0
    for _ in range(8):
        driver.answer(driver.send(at), at)
        at += 1 / rate(part)
    assert rate(part) > 1.5
    assert at < 1015.0
