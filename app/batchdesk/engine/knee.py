"""Where latency says that more requests at once would only queue: the knee of a service.

In come clean answers (they let the limit grow at first) and whole cohorts; out comes the limit. A
server that queues never refuses: when cohorts take longer than the first answers did, the limit is
cut step by step for a moment to see whether latency falls with it. As long as it does, requests
only queued. Then the limit is held where they just begin to. Pure; times are passed in.
"""

from __future__ import annotations

from enum import StrEnum

from batchdesk.domain.snapshot import LimitReason
from batchdesk.engine.cohort import Measured

_SLOW = 2.0  # so many times the base looks like a queue
_CLEAN = 1.15  # below it the base moves towards the mean
_TWICE = 2
_CUT = 0.6
_ROOM = 1.1  # held so far above the knee: a queue that just begins keeps every slot busy
_FAST = 1.05  # as fast as the base, twice running: there is room for more
_STEP_UP = 1.3
_BASE_IS_OLD = 0.8  # a mean so far below the base shows that the base was measured in a queue
_OVERSHOOT = 4.0  # slow start goes so far beyond what was confirmed
_SETTLED_COHORTS = 20
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
        self._running = 0  # cohorts running that say the same: slow, or fast
        self._before: Measured | None = None  # the step of the test before
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

    def grow(self, ceiling: int) -> None:
        """A clean answer while the limit was in use: one more, in slow start."""
        if self.may_grow(ceiling):
            self.limit = min(self.limit + 1, ceiling)

    def restart(self, limit: int) -> None:
        """A person let go of a limit: find it anew from there, with what is known of latency."""
        self.limit = self._confirmed = float(limit)
        self.phase, self._before = Phase.SLOW_START, None
        self._running = 0

    def learn(self, cohort: Measured, now: float) -> LimitReason | None:
        """A cohort that the limit bound is whole; returns why the limit moved, if it did."""
        if self.base_s is None:
            return None
        if self._before is not None:
            return self._test(cohort, self._before, now)
        if self.phase is Phase.SLOW_START:
            return self._watch(cohort, self.base_s)
        return self._keep(cohort, self.base_s, now)

    def _watch(self, cohort: Measured, base_s: float) -> LimitReason | None:
        """Slow start: slow twice running is a queue, unless a test says otherwise."""
        if cohort.mean_s > _SLOW * base_s:
            self._running += 1
            return self._begin_test(cohort) if self._running >= _TWICE else None
        self._running = 0
        self._confirmed = max(self._confirmed, cohort.limit)
        if cohort.mean_s < _CLEAN * base_s:
            self.base_s = (cohort.mean_s + base_s) / 2
        return None

    def _begin_test(self, cohort: Measured) -> LimitReason:
        self.phase = Phase.TEST
        self._before = cohort
        self.limit = max(1.0, _CUT * cohort.limit)
        return LimitReason.TESTING

    def _test(self, cohort: Measured, before: Measured, now: float) -> LimitReason:
        """One step: fewer at once were as much faster as they were fewer, or were not."""
        fewer = cohort.limit / before.limit
        faster = cohort.mean_s / before.mean_s
        if faster <= 0.5 + 0.5 * fewer and cohort.limit > 1:
            return self._begin_test(cohort)
        self.base_s = cohort.mean_s
        self.limit = max(cohort.limit, _ROOM * before.limit * min(1.0, faster) + 1)
        self.phase, self._before = Phase.HOLD, None
        self._confirmed = self.limit
        self._running, self._cohorts, self._settled_at = 0, 0, now
        return LimitReason.CONFIRMED

    def _keep(self, cohort: Measured, base_s: float, now: float) -> LimitReason:
        """Hold: a queue that just begins is right; more than that, or none at all, moves it."""
        self._cohorts += 1
        if self._cohorts >= _SETTLED_COHORTS and now - self._settled_at >= _SETTLED_S:
            return self._begin_test(cohort)
        if cohort.mean_s < _BASE_IS_OLD * base_s:
            self.base_s = base_s = cohort.mean_s
        self._running = self._running + 1 if cohort.mean_s <= _FAST * base_s else 0
        old = self.limit
        if self._running >= _TWICE:
            self._running = 0
            self.limit = _STEP_UP * cohort.limit + 1
            return LimitReason.FASTER
        kept = _ROOM * cohort.limit * min(1.0, base_s / cohort.mean_s) + 1
        self.limit = max(cohort.limit / 2, kept)
        return LimitReason.QUEUEING if self.limit < old else LimitReason.FASTER
