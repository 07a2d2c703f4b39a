"""Counts, rates and latency percentiles, folded into the figures of a Snapshot.

Rates look back 60 s. Percentiles of the last 60 s come from the samples themselves, those of the
whole run from a histogram whose buckets grow by 2 %, so memory stays flat. Failures are counted
beside latency, never mixed in; so is the wait in our own queue.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import fields
from itertools import accumulate
from typing import Any

from batchdesk.domain.snapshot import (
    HoldReason,
    LimitChange,
    LimitKind,
    LimitReason,
    Percentiles,
    Phases,
)
from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.engine.advice import HoldShares
from batchdesk.engine.growth import Growth
from batchdesk.store.results import Totals

_WINDOW_S = 60
_LATELY_S = 10
_MOST_SAMPLES = 4096  # of the last 60 s; the newest count
_GROWTH = 1.02
_SMALLEST_S = 0.001
_LIMITS = frozenset(
    {
        HoldReason.REQUESTS_PER_MINUTE,
        HoldReason.TOKENS_PER_MINUTE,
        HoldReason.PACE,
        HoldReason.REFUSED,
        HoldReason.OUTAGE,
        HoldReason.RETRY_BUDGET,
        HoldReason.DEGRADED,
        HoldReason.LATENCY_MARK,
    }
)
_PER_MINUTE = (LimitKind.PACE, LimitKind.TOKENS)
_TOLD = (LimitReason.TOLD, LimitReason.PERSON)


class Rate:
    """Events per second over the last 60 s, in buckets of one second."""

    def __init__(self) -> None:
        self._buckets: deque[tuple[int, float]] = deque()
        self._sum = 0.0
        self._since: float | None = None

    def add(self, now: float, amount: float = 1.0) -> None:
        """Count something that happened now."""
        if self._since is None:
            self._since = now
        second = int(now)
        if self._buckets and self._buckets[-1][0] == second:
            self._buckets[-1] = (second, self._buckets[-1][1] + amount)
        else:
            self._buckets.append((second, amount))
        self._sum += amount

    def restart(self, now: float) -> None:
        """What was before does not count any more: of a limit that has just changed."""
        self._buckets.clear()
        self._sum, self._since = 0.0, now

    def per_second(self, now: float) -> float:
        """The rate; over the time since the first event while that is less than 60 s."""
        while self._buckets and self._buckets[0][0] <= now - _WINDOW_S:
            self._sum -= self._buckets.popleft()[1]
        if self._since is None or not self._buckets:
            return 0.0
        return self._sum / max(1.0, min(float(_WINDOW_S), now - self._since))

    def lately_per_second(self, now: float) -> float:
        """The rate of the last ten seconds, less what is missing of the first of them."""
        if self._since is None:
            return 0.0
        first = math.floor(now - _LATELY_S) + 1
        counted = sum(amount for second, amount in self._buckets if second >= first)
        return counted / max(1.0, now - max(float(first), self._since))


class Latency:
    """Percentiles of durations in seconds."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, float]] = deque(maxlen=_MOST_SAMPLES)
        self._histogram: Counter[int] = Counter()

    def add(self, now: float, seconds: float) -> None:
        """One duration that ended now."""
        self._recent.append((now, seconds))
        bucket = math.ceil(math.log(max(seconds, _SMALLEST_S) / _SMALLEST_S, _GROWTH))
        self._histogram[bucket] += 1

    def recent(self, now: float) -> Percentiles:
        """Of the last 60 s, exact."""
        while self._recent and self._recent[0][0] <= now - _WINDOW_S:
            self._recent.popleft()
        ordered = sorted([seconds for _, seconds in self._recent])
        return Percentiles(*(_nearest_rank(ordered, p) for p in (0.50, 0.95, 0.99)))

    def run(self) -> Percentiles:
        """Of the whole run, within 2 %."""
        buckets = sorted(self._histogram)
        if not buckets:
            return Percentiles(None, None, None)
        cumulative = list(accumulate(self._histogram[bucket] for bucket in buckets))

        def rank(share: float) -> float:
            found = buckets[bisect_left(cumulative, math.ceil(share * cumulative[-1]))]
            return float(_SMALLEST_S * _GROWTH**found)

        return Percentiles(rank(0.50), rank(0.95), rank(0.99))


def _nearest_rank(ordered: list[float], share: float) -> float | None:
    """The nearest-rank percentile: the smallest value that at least this share does not exceed."""
    return ordered[math.ceil(share * len(ordered)) - 1] if ordered else None


class Meters:
    """All figures of one run in this session; the totals start from what the file has."""

    def __init__(self) -> None:
        self.requests = 0
        self.succeeded = 0
        self.reused = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.failures: Counter[ErrorKind] = Counter()
        self.last_failure = ""
        self.last_failures: dict[ErrorKind, str] = {}
        self.latency = Latency()
        self.first_token = Latency()
        self.queue_wait = Latency()
        self.growth = Growth()
        self.fill_rate = Rate()
        self.finished_rate = Rate()
        self.accepted_rate = Rate()
        self.request_rate = Rate()
        self.paced_rate = Rate()  # sent since the learned pace was last cut
        self.token_rate = Rate()
        self.answered_rate = Rate()
        self.failed_rate = Rate()
        self.holds = HoldShares()
        self.instructions_tokens = 0.0  # of a request beside its row, roughly
        self.row_tokens = 0.0  # of the row in the middle, roughly
        self.preparing_s = 0.0
        self.queueing_s = 0.0
        self.limit_s = 0.0
        self.service_s = 0.0
        self.checking_s = 0.0
        self.writing_s = 0.0
        self._held_s = 0.0  # in this session, up to the hold that lasts now
        self._held_since: float | None = None
        self.written = 0  # outcomes, in this session
        self._is_paced = False  # a pace was learned in this session

    def start_from(self, totals: Totals, figures: Mapping[str, Any], now: float) -> None:
        """Go on from what the project file has of earlier sessions.

        Args:
            figures: The last that were kept; see ``snapshots.figures_of``.
            now: Rows finish from now on: their rate counts from here, not from the first answer.
        """
        self.finished_rate.restart(now)
        self.requests = totals.requests
        self.succeeded = totals.succeeded
        self.reused = totals.reused
        self.input_tokens = totals.input_tokens
        self.output_tokens = totals.output_tokens
        self.failures = Counter(totals.failures)
        phases = figures.get("phases", {})
        for phase in fields(Phases):
            setattr(self, phase.name, float(phases.get(phase.name, 0.0)))

    def taken(self, now: float, how_many: int) -> None:
        """Rows came from the project file into the queue for the first time."""
        self.fill_rate.add(now, how_many)

    def limit_changed(self, change: LimitChange, now: float) -> None:
        """Another limit per minute holds from now on: what was sent before is no part of it."""
        if change.what not in _PER_MINUTE:
            return
        if change.reason in _TOLD:
            self.request_rate.restart(now)
            self.token_rate.restart(now)
        elif change.reason is LimitReason.REOPENED:
            self.paced_rate.restart(now)
            if not self._is_paced:  # what the service took in one go before was no pace
                self.answered_rate.restart(now)
                self._is_paced = True

    def holds_begin(self, now: float, reason: HoldReason) -> None:
        """Nothing may be sent from now on, for a reason."""
        self._held_since = now if reason in _LIMITS else None

    def holds_end(self, now: float) -> None:
        """Whether something may be sent is asked again."""
        self._held_s, self._held_since = self.held_s(now), None

    def held_s(self, now: float) -> float:
        """How long limits have held the run back; slots that were all taken are none."""
        lasts_s = 0.0 if self._held_since is None else now - self._held_since
        return self._held_s + lasts_s

    def sent(self, now: float, waited_s: float, *, limit_s: float = 0.0) -> None:
        """A request goes out, which waited so long in our own queue: ``limit_s`` for a limit."""
        self.requests += 1
        self.request_rate.add(now)
        self.paced_rate.add(now)
        limit_s = min(waited_s, limit_s)
        self.limit_s += limit_s
        self.queueing_s += waited_s - limit_s
        self.queue_wait.add(now, waited_s)

    def finished(self, now: float, state: TaskState, how_many: int = 1) -> None:
        """Rows left the queue for good."""
        self.finished_rate.add(now, how_many)
        if state is TaskState.PASSED:
            self.accepted_rate.add(now, how_many)

    def answered(
        self, now: float, *, service_s: float, first_token_s: float | None, tokens: tuple[int, int]
    ) -> None:
        """A request was answered; ``tokens``: input and output."""
        self.succeeded += 1
        self.answered_rate.add(now)
        self.latency.add(now, service_s)
        if first_token_s is not None:
            self.first_token.add(now, first_token_s)
        self.input_tokens += tokens[0]
        self.output_tokens += tokens[1]
        self.token_rate.add(now, sum(tokens))

    def failed(self, now: float, kind: ErrorKind, message: str) -> None:
        """An attempt gave no usable answer."""
        self.failures[kind] += 1
        self.failed_rate.add(now)
        self.last_failure = message
        self.last_failures[kind] = message
