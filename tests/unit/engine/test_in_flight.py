"""The in-flight limit: cohorts, the knee, growth, and a cap that the service names."""

from __future__ import annotations

import itertools
import statistics

import pytest

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.cohort import Cohort, Cohorts, Measured
from batchdesk.engine.in_flight import AdaptiveLimit
from batchdesk.engine.knee import Knee, Phase
from batchdesk.engine.part import Cost, Ending, Hold, Ticket

# -- cohorts ---------------------------------------------------------------------------------


def test_that_a_cohort_is_whole_when_all_of_it_is_answered():
    cohort = Cohort(3)
    for number in (1, 2, 3, 4):  # the fourth is not of it
        cohort.sent(number, 10)
    cohort.answered(1, 0.25, bound=True)
    cohort.answered(4, 9.0, bound=True)
    cohort.answered(3, 0.5, bound=False)
    assert cohort.measured(4) is None
    cohort.answered(2, 0.75, bound=False)
    # 0.25, 0.5, 0.75: a deviation of 0.2041
    measured = cohort.measured(4)
    assert measured is not None
    assert (measured.mean_s, measured.limit, measured.bound) == (0.5, 10.0, False)
    assert measured.spread == pytest.approx(0.4082, abs=1e-4)


def test_that_one_in_ten_may_hang():
    cohort = Cohort(10)
    for number in range(1, 11):
        cohort.sent(number, 5)
    for number in range(1, 10):
        cohort.answered(number, 1.0, bound=True)
    assert cohort.measured(19) is None  # a late one is waited for a whole round
    assert cohort.measured(20) == Measured(1.0, 5.0, bound=True)


def test_that_the_next_takes_the_place_of_one_that_failed():
    cohort = Cohort(2)
    cohort.sent(1, 10)
    cohort.sent(2, 30)
    cohort.dropped(2)
    assert not cohort.is_sent
    cohort.sent(3, 20)
    cohort.answered(1, 1.0, bound=True)
    cohort.answered(3, 2.0, bound=True)
    measured = cohort.measured(3)
    assert measured is not None
    assert (measured.mean_s, measured.limit, measured.bound) == (1.5, 15.0, True)
    assert measured.spread == pytest.approx(1 / 3)


def test_that_the_next_cohort_begins_when_the_one_before_is_sent():
    cohorts = Cohorts()
    for number in range(1, 5):
        cohorts.sent(number, 10, 2)
    assert cohorts.answered(1, 1.0, bound=True) is None
    assert cohorts.answered(3, 3.0, bound=True) is None
    assert cohorts.answered(2, 1.0, bound=True) == Measured(1.0, 10.0, bound=True)
    assert cohorts.answered(4, 3.0, bound=True) == Measured(3.0, 10.0, bound=True)


# -- the knee --------------------------------------------------------------------------------


def a_knee(start=20, base_s=0.2):
    knee = Knee(start)
    knee.base_s = base_s
    return knee


def learn(knee, mean_s, now=0.0, limit=None, spread=0.0):
    limit = knee.limit if limit is None else limit
    return knee.learn(Measured(mean_s, limit, bound=True, spread=spread), now)


def test_that_slow_start_goes_four_times_beyond_what_was_confirmed():
    knee = a_knee(20)
    for _ in range(200):
        knee.grow(200)
    assert knee.limit == 80
    learn(knee, 0.2)  # 80 at once are as fast
    for _ in range(200):
        knee.grow(200)
    assert knee.limit == 200
    known = a_knee(20)
    known.is_capped = False
    for _ in range(200):
        known.grow(100)
    assert known.limit == 100


def test_that_an_answer_that_may_have_queued_grows_nothing():
    knee = a_knee(20)
    knee.grow(200, latency_s=0.31)
    assert knee.limit == 20
    knee.grow(200, latency_s=0.29)
    assert knee.limit == 21


def test_that_a_queueing_server_is_found_out_in_two_steps():
    # Ten slots of 0.2 s: 40 at once take 0.8 s each. 50 a second x 0.2 s = 10 at once.
    knee = a_knee(40)
    assert learn(knee, 0.8) is LimitReason.TESTING
    assert knee.limit == pytest.approx(9)  # a tenth below 40 x 0.2 / 0.8
    assert learn(knee, 0.2) is LimitReason.CONFIRMED
    assert knee.phase is Phase.HOLD
    assert knee.limit == pytest.approx(10)


def test_that_a_test_goes_on_while_fewer_are_faster():
    # The base was taken while others were busy there: it is too long. 50 answers a second.
    knee = a_knee(100, base_s=0.8)
    assert learn(knee, 2.0) is LimitReason.TESTING
    assert knee.limit == pytest.approx(36)  # a tenth below 100 x 0.8 / 2
    learn(knee, 0.9)  # still slower than the base
    assert knee.limit == pytest.approx(28.8)  # a fifth less is the smallest step
    learn(knee, 0.48)
    assert knee.phase is Phase.HOLD
    assert knee.base_s == pytest.approx(0.48)


def test_that_a_service_that_got_slower_by_itself_keeps_its_limit():
    knee = a_knee(40)
    learn(knee, 0.5)
    assert knee.limit == pytest.approx(14.4)
    learn(knee, 0.5)  # fewer at once are no faster
    assert (knee.phase, knee.limit) == (Phase.SLOW_START, 40)
    assert knee.base_s == pytest.approx(0.5)


def held_at_ten():
    knee = a_knee(40)
    learn(knee, 0.8)
    learn(knee, 0.2)
    return knee


def test_that_room_for_more_is_tried_and_kept_where_nothing_queues():
    knee = held_at_ten()
    assert [learn(knee, 0.2) for _ in range(4)] == [None, None, None, LimitReason.FASTER]
    assert knee.limit == pytest.approx(11)
    assert learn(knee, 0.2) is None
    assert knee.limit == pytest.approx(11)
    assert [learn(knee, 0.2) for _ in range(2)] == [None, LimitReason.FASTER]  # sooner now


def test_that_a_step_up_that_only_queues_is_taken_back_and_tried_less_often():
    knee = held_at_ten()
    for _ in range(4):
        learn(knee, 0.2)
    assert learn(knee, 0.22) is LimitReason.QUEUEING
    assert knee.limit == pytest.approx(10)
    assert [learn(knee, 0.2) for _ in range(8)] == [None] * 7 + [LimitReason.FASTER]


def test_that_uneven_times_get_a_few_more_at_once_and_larger_steps_sooner():
    knee = a_knee(40)
    learn(knee, 0.8)
    learn(knee, 0.2, spread=0.5)
    assert knee.limit == pytest.approx(11)  # a fifth of the spread above 10
    said = [learn(knee, mean_s, spread=0.5) for mean_s in (0.222, 0.2)]  # an eighth more is chance
    assert said == [None, LimitReason.FASTER]
    assert knee.limit == pytest.approx(15.3)  # 1.3 x 11 + 1


def begun(knee, latencies, limit=8):
    """The first answers came, with these latencies."""
    for latency_s in latencies:
        knee.see(latency_s, latency_s)
    mean_s = statistics.mean(latencies)
    spread = statistics.pstdev(latencies) / mean_s
    knee.begin(Measured(mean_s, limit, bound=True, spread=spread))
    return knee


def test_that_four_slow_answers_running_after_even_ones_begin_a_test_at_once():
    knee = begun(Knee(20), [0.2] * 8)
    knee.limit = 30.0
    for _ in range(10):
        assert knee.see(0.2, 1.0) is None
    assert [knee.see(0.4, 1.2) for _ in range(4)] == [None] * 3 + [LimitReason.TESTING]
    assert knee.limit == pytest.approx(11)  # a tenth above the ten that it answers at once
    # 11 with one slot too few: one in eleven waits twice as long, so still fewer are tried
    assert learn(knee, 0.218, spread=0.26) is LimitReason.TESTING
    assert knee.limit == pytest.approx(8.8)
    assert learn(knee, 0.2, limit=9) is LimitReason.CONFIRMED
    assert (knee.phase, knee.limit) == (Phase.HOLD, pytest.approx(11 / 0.218 * 0.2))


def test_that_a_service_with_one_slot_is_found_out_by_its_first_eight_answers():
    # They take 0.2, 0.4 … 1.6 s: of the fastest two, 0.3 s, the last five took long.
    knee = begun(Knee(8), [0.2 * n for n in range(1, 9)])
    assert knee.base_s == pytest.approx(0.9)
    assert knee.see(1.6, 1.8) is LimitReason.TESTING
    assert knee.limit == pytest.approx(2.4)  # two ends in 0.24 s, and a fifth
    learn(knee, 0.4, limit=2)  # shorter than the base, which is none
    assert (knee.phase, knee.limit) == (Phase.TEST, 1)
    assert learn(knee, 0.2) is LimitReason.CONFIRMED
    assert (knee.phase, knee.limit) == (Phase.HOLD, pytest.approx(1))


def test_that_how_fast_the_queue_drains_mends_a_first_step_that_was_too_low():
    knee = begun(Knee(20), [0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3])
    knee.limit = 30.0
    for _ in range(5):
        knee.see(0.4, 1.0)
    assert knee.limit == pytest.approx(6)  # only five within 0.08 s, and a fifth
    for n in range(1, 13):
        knee.see(0.4, 1.0 + n / 50)  # half of the other 24 come at 50 a second
    assert learn(knee, 0.2) is LimitReason.TESTING  # the base is not sure yet
    learn(knee, 0.2)
    assert knee.limit == pytest.approx(9)  # nine tenths of 50 a second, 0.2 s each


def test_that_a_few_slow_answers_between_fast_ones_begin_nothing():
    knee = begun(Knee(30), [0.2] * 8)
    for n in range(100):
        assert knee.see(0.4 if n % 4 else 0.2, 1 + n / 50) is None


def test_that_a_hasty_test_that_finds_no_queue_is_taken_back_and_not_repeated():
    knee = begun(Knee(30), [0.2] * 8)
    assert [knee.see(0.4, 1.2) for _ in range(4)][-1] is LimitReason.TESTING
    assert learn(knee, 1.0) is LimitReason.CONFIRMED  # fewer at once are no faster
    assert (knee.phase, knee.limit, knee.base_s) == (Phase.SLOW_START, 30, pytest.approx(0.2))
    assert [knee.see(0.4, 2.0) for _ in range(20)] == [None] * 20
    learn(knee, 0.5)
    learn(knee, 0.5)  # the next test measured both its steps: the service has got slower
    assert knee.base_s == pytest.approx(0.5)


def test_that_uneven_first_answers_let_a_low_limit_grow_half_as_fast():
    low, even, high = Knee(8), Knee(8), Knee(20)
    begun(low, [0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3])
    begun(even, [0.2] * 8)
    begun(high, [0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3])
    for knee in (low, even, high):
        for _ in range(8):
            knee.grow(200, 0.2)
    assert (low.limit, even.limit, high.limit) == (12, 16, 28)


def test_that_cohorts_of_a_test_are_short_where_few_go_at_once():
    knee = a_knee(40)
    learn(knee, 0.8)
    assert (round(knee.limit), knee.cohort_size) == (9, 45)  # five rounds
    learn(knee, 0.2)
    assert (knee.phase, knee.cohort_size) == (Phase.HOLD, 50)


def test_that_a_queue_while_holding_is_tested():
    knee = held_at_ten()
    assert learn(knee, 0.4) is LimitReason.TESTING
    assert knee.limit == pytest.approx(6)


def test_that_a_little_slow_for_long_is_a_little_lower_and_not_below_what_was_found():
    knee = held_at_ten()
    for _ in range(4):
        learn(knee, 0.2)
    learn(knee, 0.208)
    assert knee.limit == pytest.approx(11)
    assert [learn(knee, 0.216) for _ in range(8)] == [None] * 7 + [LimitReason.QUEUEING]
    assert knee.limit == pytest.approx(11 / 1.08)
    for _ in range(100):
        learn(knee, 0.22)
    assert knee.limit >= 10


def test_that_a_found_knee_keeps_its_base_until_a_third_test_in_vain():
    knee = held_at_ten()
    for _ in range(2):
        learn(knee, 0.5, limit=10)
        learn(knee, 0.5, limit=6)  # fewer at once are no faster
        assert (knee.phase, knee.limit, knee.base_s) == (Phase.HOLD, 10, 0.2)
    learn(knee, 0.5, limit=10)
    learn(knee, 0.5, limit=6)
    assert (knee.phase, knee.limit, knee.base_s) == (Phase.HOLD, 10, 0.5)


def test_that_it_tests_again_after_two_minutes_and_forty_cohorts():
    knee = held_at_ten()
    said = [learn(knee, 0.215, now=121.0 if n >= 39 else 100.0) for n in range(40)]
    assert said == [None] * 39 + [LimitReason.TESTING]


def test_that_the_limit_never_falls_below_one():
    knee = a_knee(1, base_s=0.001)
    for mean_s in (1.0, 0.5, 0.1, 0.01, 5.0, 9.0) * 20:
        learn(knee, mean_s, limit=max(1.0, round(knee.limit)))
        assert knee.limit >= 1


# -- the part of the gate --------------------------------------------------------------------


class Bench:
    """A limit with requests under way; ``fill`` sends all that may go."""

    def __init__(self, start=20, ceiling=200, pinned=None):
        self.changes: list[LimitChange] = []
        self.limit = AdaptiveLimit(start, ceiling, pinned, self.changes.append)
        self.number = 0
        self.out = []

    def fill(self, now):
        while (hold := self.limit.hold(Cost(), now)) is None:
            self.number += 1
            ticket = Ticket(self.number, 1, Cost(), now)
            self.limit.take(ticket)
            self.out.append(ticket)
            if self.number == 8:
                now += 0.05  # the first eight go before the others
        return hold

    def end(self, now, count=1, kind=None, **how):
        for _ in range(count):
            ticket = self.out.pop(0)
            self.limit.hear(Ending(ticket, now, kind=kind, **how))
            self.limit.settle(ticket)


def test_that_the_first_eight_go_a_moment_before_the_others():
    limit = AdaptiveLimit(20)
    for number in range(1, 9):
        assert limit.hold(Cost(), 0.0) is None
        limit.take(Ticket(number, 1, Cost(), 0.0))
    assert limit.hold(Cost(), 0.0) == Hold(HoldReason.IN_FLIGHT, 0.05)
    assert limit.hold(Cost(), 0.05) is None


def test_that_each_clean_answer_lets_one_more_go():
    bench = Bench(20)
    bench.fill(0.0)
    bench.end(0.2, 10)
    assert bench.limit.limit == 30
    assert {one.reason for one in bench.changes} == {LimitReason.SLOW_START}
    assert [(one.old, one.new) for one in bench.changes] == [(n, n + 1) for n in range(20, 30)]


def test_that_nothing_grows_while_the_limit_is_not_in_use():
    bench = Bench(20)
    for number in range(1, 6):
        bench.limit.take(Ticket(number, 1, Cost(), 0.0))
        bench.limit.hear(Ending(Ticket(number, 1, Cost(), 0.0), 0.2))
        bench.limit.settle(Ticket(number, 1, Cost(), 0.0))
    assert bench.limit.limit == 20


def test_that_requests_that_take_long_let_it_grow_after_two_seconds():
    bench = Bench(20)
    hold = bench.fill(0.0)
    assert hold == Hold(HoldReason.IN_FLIGHT, 2.0)
    bench.fill(2.0)
    assert bench.limit.limit == 28  # eight were sent at 0 s, the others a moment later
    bench.fill(2.05)
    assert bench.limit.limit == 40
    bench.end(3.0, 20)  # counted already
    assert bench.limit.limit == 40


def test_that_refusals_change_nothing():
    bench = Bench(20)
    bench.fill(0.0)
    bench.end(0.1, 20, ErrorKind.RATE_LIMITED)
    assert (bench.limit.limit, bench.changes) == (20, [])


@pytest.mark.parametrize("kind", [ErrorKind.SERVER_ERROR, ErrorKind.CONNECTION_RESET])
def test_that_a_fault_pauses_growth_for_five_answers_and_cuts_nothing(kind):
    bench = Bench(20)
    bench.fill(0.0)
    bench.end(0.1, 1, kind)
    bench.end(0.2, 5)
    assert bench.limit.limit == 20
    bench.end(0.2, 1)
    assert bench.limit.limit == 21


def test_that_a_pinned_limit_stays_and_may_pass_the_ceiling():
    bench = Bench(20, ceiling=50, pinned=80)
    bench.fill(0.0)
    assert len(bench.out) == 80
    bench.end(0.2, 80)
    bench.fill(5.0)
    bench.end(9.0, 80)
    assert (bench.limit.limit, bench.changes) == (80, [])
    bench.limit.pin(None, 10.0)
    assert bench.limit.limit == 50


def test_that_growth_ends_at_the_ceiling():
    bench = Bench(20, ceiling=25)
    for now in (0.0, 1.0, 2.0):
        bench.fill(now)
        bench.end(now + 0.2, len(bench.out))
    assert bench.limit.limit == 25


def test_that_headers_lift_the_cap_of_slow_start():
    bench = Bench(20)
    says = RateLimits(requests=LimitState(6000, 5000, 1.0))
    for now in range(0, 300, 3):  # nothing is answered but one: they age, and the limit grows
        bench.fill(float(now))
    assert bench.limit.limit == 80
    bench.end(300.0, 1, limits=says)
    for now in range(303, 333, 3):  # one more each time: the others have been counted
        bench.fill(float(now))
    assert bench.limit.limit == 89


# -- a cap that the service names ------------------------------------------------------------


def refused(bench, now, count, told):
    bench.end(now, count, ErrorKind.RATE_LIMITED, limits=RateLimits(told_concurrency=told))


def test_that_a_named_number_caps_the_limit():
    bench = Bench(20)
    bench.fill(0.0)
    refused(bench, 0.1, 1, 10)
    assert bench.limit.limit == 10
    (change,) = bench.changes
    assert (change.what, change.old, change.new) == (LimitKind.IN_FLIGHT, 20, 10)
    assert change.reason is LimitReason.TOLD


def test_that_without_a_number_it_is_what_was_in_flight_beside_the_refused():
    bench = Bench(20)
    bench.fill(0.0)
    refused(bench, 0.1, 17, 0)
    assert bench.limit.limit == 3
    hold = bench.limit.hold(Cost(), 0.1)
    assert hold is not None
    assert hold.reason is HoldReason.REFUSED
    assert hold.until == pytest.approx(0.2)
    later = bench.limit.hold(Cost(), 0.2)
    assert later is not None
    assert later.reason is HoldReason.IN_FLIGHT


def test_that_the_cap_grows_by_one_after_fifty_answers():
    bench = Bench(20)
    bench.fill(0.0)
    refused(bench, 0.1, 17, 0)
    now = 1.0
    bench.end(now, 3)
    for _ in range(16):
        bench.fill(now)
        now += 1.0
        bench.end(now, 3)
    assert bench.limit.limit == 3
    bench.fill(now)
    bench.end(now + 1, 3)
    assert bench.limit.limit == 4


def test_that_a_named_number_is_not_passed_again():
    bench = Bench(4)
    bench.fill(0.0)
    refused(bench, 0.1, 1, 3)
    now = 1.0
    for _ in range(300):
        bench.fill(now)
        now += 1.0
        bench.end(now, len(bench.out))
    assert bench.limit.limit == 3


def test_that_refusals_of_the_only_request_come_less_and_less_often():
    bench = Bench(1)
    now, times = 0.0, []
    for _ in range(8):
        hold = bench.limit.hold(Cost(), now)
        now = hold.until if hold and hold.until else now
        bench.fill(now)
        times.append(now)
        refused(bench, now, 1, 0)
    gaps = [round(b - a, 6) for a, b in itertools.pairwise(times)]
    assert gaps == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert bench.limit.limit == 1
