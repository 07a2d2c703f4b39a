"""Where latency says that more requests at once would only queue: the knee of a service.

In come clean answers (they let the limit grow at first) and whole cohorts; out comes the limit.
What single answers say is in ``first_answers``. A server that queues never refuses: when cohorts
take longer than the first answers did, the limit is cut step by step for a moment to see whether
latency falls with it. As long as it does, requests only queued. Then the limit is held where they
just begin to. Pure; times are passed in.

What simulation said of the constants: one slow cohort may start a test, because a test that finds
no queue changes nothing. A few slow answers running start one even before a cohort is whole, and
the first step goes to just above what was answered at once at most: with ten slots the start then
queues 25 rows instead of 120. What the first step goes to must come from the most answers in
any short window; from how long answers took it was half or twice the knee. Where times are uneven
that may still be too low; how fast the queue drains meanwhile puts it right (used .96 instead of
.49 in the worst case). A test goes on where even times become uneven, for then some still wait
(ten slots: 10 instead of 13), and has short cohorts, as latency hardly varies with few at once.
Following latency cohort by cohort while holding let the limit drift to a fifth with lognormal
answers, for below the knee latency does not tell how far below; steps up that are tried and judged
do not. Steps are small where service times are even (one more in ten already makes one answer in
eleven wait twice as long: P95 1.0 instead of 1.8 of what is possible), and large, soon and from a
tenth above the knee where they are not (used .99 instead of .97).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from batchdesk.domain.snapshot import LimitReason
from batchdesk.engine.cohort import Measured
from batchdesk.engine.first_answers import EVEN, Drain, FirstAnswers

_SLOW = 1.5  # so many times the base looks like a queue
_CLEAN = 1.15  # below it the base moves towards the mean
_CUT_MOST = 0.8  # otherwise it hardly queues
_CUT_LEAST = 0.8  # a step of a test is a cut to this share of the limit,
_CUT = 0.6  # or, where the queue is long, to this one at most,
_CUT_FIRST = 0.2  # or to this one where slow start has queued
_UNDER = 0.9  # of the limit at which the base says that nothing queues
_FAST = (1.05, 1.12)  # the mean of late is as good as the base: perhaps there is room for more
_LATE = (1.15, 1.25)  # it is a queue, or the service got slower: a test will tell
_WEIGHT = 0.3  # of the newest cohort in the mean of late
_TRIM_COHORTS = 8
_BASE_WEIGHT = 0.2  # of the mean of late, where nothing queues
_CREEP = (1.02, 1.08)  # so far it may rise above what the test said, lest it follow a queue
_STEP_UP = (1.05, 1.3)
_LOW = 20.0  # below it a limit grows by half a request an answer where times are uneven
_STEP_UNEVEN = 0.5
_UNEVEN = 0.5  # a spread of latency from which times vary
_IDLE = 0.2  # of the spread: so many more at once keep slots from idling between uneven answers
_WAIT_COHORTS = 4  # fast ones before a step up is tried; doubled by each that only queues
_WAIT_COHORTS_MOST = 32
_WAIT_COHORTS_LEAST = 2
_FEW = 6.0  # at a limit below it one more at once is much: steps up wait twice as long
_OVERSHOOT = 4.0  # slow start goes so far beyond what was confirmed
_IN_VAIN = 2  # after so many tests in vain the service is slower by itself
_SETTLED_COHORTS = 40
_SETTLED_S = 120.0
_COHORT_FIRST = 20
_COHORT = 50
_ROUNDS = 5  # of the limit are a cohort of a test,
_ROUNDS_EVEN = 3  # or so many where times are even


class Phase(StrEnum):
    """What the limit is doing."""

    SLOW_START = "slow_start"
    TEST = "test"
    HOLD = "hold"


class Knee:
    """The limit as latency wants it; at least 1.

    Attributes:
        limit: What it wants now; a fraction while it grows slowly.
        phase: What it is doing.
        base_s: Mean latency without a queue; None before it is known.
        is_capped: Whether slow start stops at four times what was confirmed. Not so once the
            service's limits are known, which then keep it from being overrun.
    """

    def __init__(self, start: int) -> None:
        self.limit = float(start)
        self.phase = Phase.SLOW_START
        self.base_s: float | None = None
        self.is_capped = True
        self._confirmed = float(start)
        self._before: Measured | None = None  # the step of the test before
        self._steps = 0  # of the test that found a queue
        self._tested_s = 0.0  # the base as the last test left it
        self._tested = 0.0  # the limit as the last test left it
        self._per_s = 0.0  # most answers per second of any step
        self._is_found = False  # a test has found the knee
        self._first = FirstAnswers()
        self._step = 1.0  # slow start: what a clean answer adds
        self._drain: Drain | None = None  # after a hasty cut
        self._is_hasty = False  # single answers have begun a test: once only
        self._in_vain = 0  # tests running that found no queue
        self._is_guess = False  # they began this one: its first step was not measured
        self._return_to = float(start)  # where a test began
        self._uneven = 1.0  # 0: service times hardly vary, so that little shows; 1: they do
        self._late: Measured | None = None  # hold: the mean of late at this limit
        self._up_from: Measured | None = None  # a step up is being tried, from there
        self._fast = 0  # cohorts running that were fast
        self._slow = 0  # cohorts that were a little slow, at this limit
        self._wait = _WAIT_COHORTS
        self._cohorts = 0  # since the last test
        self._settled_at = 0.0

    @property
    def cohort_size(self) -> int:
        """How many requests the next cohort needs."""
        least = _COHORT
        if self.phase is Phase.SLOW_START:
            least = _COHORT_FIRST
        elif self.phase is Phase.TEST or self._up_from is not None:
            rounds = _ROUNDS_EVEN if self._first.is_even else _ROUNDS
            least = min(_COHORT, max(_COHORT_FIRST, round(rounds * self.limit)))
        return max(least, round(self.limit))

    def may_grow(self, ceiling: int) -> bool:
        """Whether an answer lets the limit grow."""
        most = min(float(ceiling), _OVERSHOOT * self._confirmed if self.is_capped else ceiling)
        return self.phase is Phase.SLOW_START and self.limit < most

    def begin(self, first: Measured) -> None:
        """The first requests are answered: that is the base."""
        self.base_s = first.mean_s
        self._first.begin(first)
        if not self._first.is_even and self.limit < _LOW:
            self._step = _STEP_UNEVEN

    def grow(self, ceiling: int, latency_s: float = 0.0) -> None:
        """A clean answer while the limit was in use: one more, in slow start.

        Args:
            latency_s: How long it took, if it is known; one that may have queued grows nothing.
        """
        if self.may_grow(ceiling) and not self._first.is_slow(latency_s, self.base_s):
            self.limit = min(self.limit + self._step, ceiling)

    def see(self, latency_s: float, now: float) -> LimitReason | None:
        """One answer; returns why the limit moved, if it did.

        In slow start, several slow ones running are a queue, and what is answered while there is
        one is all that the service can do: so many at once will hardly queue. A test then tells
        for sure, and how fast the queue drains tells what the service can do.
        """
        if self._drain is not None:
            per_s = self._drain.answered(now)
            if per_s is not None:
                self._drained(per_s)
            return None
        if self.phase is not Phase.SLOW_START or self._is_hasty:
            return None
        self._first.add(latency_s, now, self.base_s)
        found = None if self.base_s is None else self._first.most_at_once(self.base_s)
        if found is None:
            return None
        most, window_s = found
        limit = self._first.above(most)
        if limit > _CUT_MOST * self.limit:
            return None
        self._begin_test(Measured(self.limit * window_s / most, self.limit, bound=True))
        # Even ones come in bursts, of which no rate can be told. Half of the others are enough:
        # where nothing queued they come ever more slowly as fewer are left, as from a queue.
        if not self._first.is_even:
            self._drain = Drain(round((self.limit - limit) / 2), now)
        self.limit, self._is_hasty, self._is_guess = limit, True, True
        return LimitReason.TESTING

    def _drained(self, per_s: float) -> None:
        """The queue is gone: now it is known what the first step of the test is to be held to."""
        self._drain = None
        self._per_s = max(self._per_s, per_s)
        if per_s > 0 and self._before is not None and self._steps == 0:
            self._before = replace(self._before, mean_s=self._before.limit / per_s)

    def restart(self, limit: int) -> None:
        """A person let go of a limit: find it anew from there, with what is known of latency."""
        self.limit = self._confirmed = float(limit)
        self._enter(Phase.SLOW_START)

    def learn(self, cohort: Measured, now: float) -> LimitReason | None:
        """A cohort that the limit bound is whole; returns why the limit moved, if it did."""
        if self.base_s is None:
            return None
        if self._before is not None:
            return self._test(cohort, self._before, self.base_s, now)
        if self.phase is Phase.SLOW_START:
            return self._watch(cohort, self.base_s)
        return self._keep(cohort, self.base_s, now)

    def _watch(self, cohort: Measured, base_s: float) -> LimitReason | None:
        """Slow start: a slow cohort may be a queue; a test will tell."""
        if cohort.mean_s > _SLOW * base_s:
            self._begin_test(cohort, cohort.limit / cohort.mean_s)
            return self._cut(cohort, base_s, _CUT_FIRST)  # there the knee is, if it is a queue
        self._confirmed = max(self._confirmed, cohort.limit)
        if cohort.mean_s < _CLEAN * base_s:
            # Even times that are a little longer are a queue already; uneven ones are chance.
            weight = 1.0 if cohort.mean_s < base_s else _unevenness(cohort)
            self.base_s = base_s + weight * (cohort.mean_s - base_s) / 2
        return None

    def _cut(self, cohort: Measured, base_s: float, most: float = _CUT) -> LimitReason:
        """One step of a test: down to where nothing should queue, but not too far at once."""
        self._before = cohort
        share = min(_CUT_LEAST, max(most, _UNDER * base_s / cohort.mean_s))
        self.limit = max(1.0, min(share * cohort.limit, cohort.limit - 1))
        return LimitReason.TESTING

    def _test(self, cohort: Measured, before: Measured, base_s: float, now: float) -> LimitReason:
        """One step: fewer at once were as much faster as they were fewer, or were not.

        A step that is as fast as the base is the last one.
        """
        faster = cohort.mean_s / before.mean_s
        self._per_s = max(cohort.limit / cohort.mean_s, self._per_s)
        if faster <= _half_of(cohort.limit / before.limit):
            self._steps += 1
            if cohort.limit > 1 and self._may_queue(cohort, base_s):
                return self._cut(cohort, base_s)
        if self._steps == 0:  # nothing queued: the service is slower than it was, or was late once
            # Once a knee is found, cohorts from before a change must not spoil the base.
            if not self._is_guess and (self._in_vain >= _IN_VAIN or not self._is_found):
                self.base_s = (cohort.mean_s + before.mean_s) / 2
            self._in_vain += 1
            self.limit = max(before.limit, self._return_to)
            self._enter(Phase.HOLD if self._is_found else Phase.SLOW_START)
        else:
            self.base_s = cohort.mean_s
            self._in_vain = 0
            self._uneven = _unevenness(cohort)
            self.limit = max(1.0, self._per_s * cohort.mean_s * (1 + _IDLE * cohort.spread))
            wait = _between(_WAIT_COHORTS, _WAIT_COHORTS_LEAST, self._uneven)
            self._wait = round(wait * (2 if self.limit < _FEW else 1))
            self._is_found = True
            self._enter(Phase.HOLD)
        self._tested_s, self._tested = self.base_s or base_s, self.limit
        self._confirmed = self.limit
        self._cohorts, self._settled_at = 0, now
        return LimitReason.CONFIRMED

    def _may_queue(self, cohort: Measured, base_s: float) -> bool:
        """A step of a test: whether still fewer at once may be faster."""
        # The first test cannot trust a base of uneven answers: they may have queued.
        sure_s = base_s if self._is_found else self._first.low_s(base_s)
        spreads = self._first.is_even and cohort.spread > EVEN
        return spreads or cohort.mean_s > _FAST[0] * sure_s

    def _keep(self, cohort: Measured, base_s: float, now: float) -> LimitReason | None:
        """Hold: now and then see whether there is room for more, and whether there is a queue."""
        if self._up_from is not None:
            return self._stepped_up(cohort, self._up_from)
        self._cohorts += 1
        late = self._late = _mixed(self._late, cohort)
        is_old = self._cohorts >= _SETTLED_COHORTS and now - self._settled_at >= _SETTLED_S
        if is_old or late.mean_s > _between(*_LATE, self._uneven) * base_s:
            self._begin_test(late, late.limit / late.mean_s)
            return self._cut(late, base_s)
        if late.mean_s > _between(*_FAST, self._uneven) * base_s:
            self._fast = 0
            return self._trim(late, base_s)
        moved_s = base_s + _BASE_WEIGHT * (late.mean_s - base_s)
        self.base_s = min(moved_s, _between(*_CREEP, self._uneven) * self._tested_s)
        self._fast += 1
        if self._fast < self._wait:
            return None
        self._up_from = late
        self.limit = _between(*_STEP_UP, self._uneven) * cohort.limit + (1 + self._uneven) / 2
        return LimitReason.FASTER

    def _trim(self, late: Measured, base_s: float) -> LimitReason | None:
        """A little slow for long: a little lower, but never far below what a test found."""
        self._slow += 1
        lower = max(self._tested, late.limit * base_s / late.mean_s)
        if self._slow < _TRIM_COHORTS or lower >= self.limit:
            return None
        self.limit = lower
        self._enter(Phase.HOLD)
        return LimitReason.QUEUEING

    def _stepped_up(self, cohort: Measured, before: Measured) -> LimitReason | None:
        """More at once took as much longer as they were more: they only queued."""
        self._enter(Phase.HOLD)
        if cohort.mean_s / before.mean_s <= _half_of(cohort.limit / before.limit):
            self._wait = _WAIT_COHORTS_LEAST
            return None
        self._wait = min(2 * self._wait, _WAIT_COHORTS_MOST)
        knee = cohort.limit * before.mean_s / cohort.mean_s
        self.limit = min(cohort.limit, max(before.limit, knee))
        return LimitReason.QUEUEING

    def _begin_test(self, first: Measured, per_s: float = 0.0) -> None:
        self._enter(Phase.TEST)
        self._before = first
        self._return_to, self._steps, self._per_s = self.limit, 0, per_s

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._before = self._late = self._up_from = None
        self._drain, self._is_guess = None, False
        self._first.forget()
        self._fast = self._slow = 0


def _unevenness(cohort: Measured) -> float:
    return min(1.0, cohort.spread / _UNEVEN)


def _between(even: float, uneven: float, share: float) -> float:
    return even + share * (uneven - even)


def _half_of(change: float) -> float:
    """Latency that changes with the limit by more than half of its change is a queue's."""
    return 0.5 + 0.5 * change


def _mixed(old: Measured | None, new: Measured) -> Measured:
    """The mean of late: at one limit, so that only the time moves."""
    if old is None:
        return new
    mean_s = old.mean_s + _WEIGHT * (new.mean_s - old.mean_s)
    return Measured(mean_s, old.limit, bound=True)
