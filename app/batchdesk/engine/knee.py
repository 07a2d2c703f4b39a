"""Where latency says that more requests at once would only queue: the knee of a service.

In come clean answers (they let the limit grow at first) and whole cohorts; out comes the limit. A
server that queues never refuses: when cohorts take longer than the first answers did, the limit is
cut step by step for a moment to see whether latency falls with it. As long as it does, requests
only queued. Then the limit is held where they just begin to. Pure; times are passed in.

What simulation said of the constants: one slow cohort may start a test, because a test that finds
no queue changes nothing; its first cut goes straight to where the base puts the knee. Following
latency cohort by cohort while holding let the limit drift to a fifth with lognormal answers, for
below the knee latency does not tell how far below; steps up that are tried and judged do not.
"""

from __future__ import annotations

from enum import StrEnum

from batchdesk.domain.snapshot import LimitReason
from batchdesk.engine.cohort import Measured

_SLOW = 1.5  # so many times the base looks like a queue
_CLEAN = 1.15  # below it the base moves towards the mean
_SINGLE_SLOW = 1.5  # an answer so many times the base lets nothing grow
_CUT = 0.6
_CUT_LEAST = 0.2
_FAST = 1.05  # the mean of late is as good as the base: perhaps there is room for more
_LATE = 1.15  # it is a queue, or the service got slower: a test will tell
_WEIGHT = 0.3  # of the newest cohort in the mean of late
_TRIM_COHORTS = 8
_BASE_WEIGHT = 0.2  # of the mean of late, where nothing queues
_CREEP = 1.02  # so far it may rise above what the test said, lest it follow a queue
_STEP_UP = 1.3
_WAIT_COHORTS = 4  # fast ones before a step up is tried; doubled by each that only queues
_WAIT_COHORTS_MOST = 32
_WAIT_COHORTS_LEAST = 2
_OVERSHOOT = 4.0  # slow start goes so far beyond what was confirmed
_SETTLED_COHORTS = 40
_SETTLED_S = 120.0
_COHORT_FIRST = 20
_COHORT = 50


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
        least = _COHORT_FIRST if self.phase is Phase.SLOW_START else _COHORT
        return max(least, round(self.limit))

    def may_grow(self, ceiling: int) -> bool:
        """Whether an answer lets the limit grow."""
        most = min(float(ceiling), _OVERSHOOT * self._confirmed if self.is_capped else ceiling)
        return self.phase is Phase.SLOW_START and self.limit < most

    def grow(self, ceiling: int, latency_s: float = 0.0) -> None:
        """A clean answer while the limit was in use: one more, in slow start.

        Args:
            latency_s: How long it took, if it is known; one that may have queued grows nothing.
        """
        queued = self.base_s is not None and latency_s > _SINGLE_SLOW * self.base_s
        if self.may_grow(ceiling) and not queued:
            self.limit = min(self.limit + 1, ceiling)

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
            self._steps = 0
            return self._cut(cohort, base_s / cohort.mean_s)  # there the knee is, if it is a queue
        self._confirmed = max(self._confirmed, cohort.limit)
        if cohort.mean_s < _CLEAN * base_s:
            self.base_s = (cohort.mean_s + base_s) / 2
        return None

    def _cut(self, cohort: Measured, factor: float = _CUT) -> LimitReason:
        self._per_s = max(cohort.limit / cohort.mean_s, self._per_s if self._before else 0.0)
        self.phase, self._before = Phase.TEST, cohort
        self.limit = max(1.0, min(_CUT, max(_CUT_LEAST, factor)) * cohort.limit)
        return LimitReason.TESTING

    def _test(self, cohort: Measured, before: Measured, base_s: float, now: float) -> LimitReason:
        """One step: fewer at once were as much faster as they were fewer, or were not.

        A step that is as fast as the base is the last one.
        """
        faster = cohort.mean_s / before.mean_s
        if faster <= _half_of(cohort.limit / before.limit):
            self._steps += 1
            if cohort.limit > 1 and cohort.mean_s > _FAST * base_s:
                return self._cut(cohort)
        if self._steps == 0:  # nothing queued: the service is slower than it was, or was late once
            self.base_s = (cohort.mean_s + before.mean_s) / 2
            self.limit = before.limit
            self._enter(Phase.HOLD if self._is_found else Phase.SLOW_START)
        else:
            self.base_s = cohort.mean_s
            self.limit = max(1.0, self._per_s * cohort.mean_s)
            self._is_found = True
            self._wait = _WAIT_COHORTS
            self._enter(Phase.HOLD)
        self._tested_s, self._tested = self.base_s, self.limit
        self._confirmed = self.limit
        self._cohorts, self._settled_at = 0, now
        return LimitReason.CONFIRMED

    def _keep(self, cohort: Measured, base_s: float, now: float) -> LimitReason | None:
        """Hold: now and then see whether there is room for more, and whether there is a queue."""
        if self._up_from is not None:
            return self._stepped_up(cohort, self._up_from)
        self._cohorts += 1
        late = self._late = _mixed(self._late, cohort)
        is_old = self._cohorts >= _SETTLED_COHORTS and now - self._settled_at >= _SETTLED_S
        if is_old or late.mean_s > _LATE * base_s:
            self._steps = 0
            return self._cut(late)
        if late.mean_s > _FAST * base_s:
            self._fast = 0
            return self._trim(late, base_s)
        moved_s = base_s + _BASE_WEIGHT * (late.mean_s - base_s)
        self.base_s = min(moved_s, _CREEP * self._tested_s)
        self._fast += 1
        if self._fast < self._wait:
            return None
        self._up_from = late
        self.limit = _STEP_UP * cohort.limit + 1
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

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._before = self._late = self._up_from = None
        self._fast = self._slow = 0


def _half_of(change: float) -> float:
    """Latency that changes with the limit by more than half of its change is a queue's."""
    return 0.5 + 0.5 * change


def _mixed(old: Measured | None, new: Measured) -> Measured:
    """The mean of late: at one limit, so that only the time moves."""
    if old is None:
        return new
    mean_s = old.mean_s + _WEIGHT * (new.mean_s - old.mean_s)
    return Measured(mean_s, old.limit, bound=True)
