"""What the live panels draw: a run's figures over time, in bounded memory. Pure, without Qt.

In come Snapshots four times a second, or the lines of figures that a project file keeps; out come
points, and counts of failures per 10 s of the last half hour. When there is no room left, every
second point goes and the spacing doubles, so that a run of any length is shown whole.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

from batchdesk.domain import progress
from batchdesk.domain.snapshot import HoldReason, LaneDepth, Phases, Snapshot
from batchdesk.domain.task import ErrorKind, TaskState

FAILURES_S = 1800  # so far back failures are counted in steps
STEP_S = 10
_MOST_POINTS = 600
_RATE_S = 60.0
_LONG_BREAK_S = 900.0  # after it the charts begin anew
_BREAK_S = 10.0  # without a point: the run rested
_MORE = (
    "pinned",
    "ceiling",
    "pace_per_s",
    "requests_per_s",
    "tokens_per_s",
    "permitted_requests_per_s",
    "permitted_tokens_per_s",
    "fill_per_s",
    "finished_per_s",
    "growing",
)
_RANGE_STEPS = 6
_RANGE_LEAST = 4


@dataclass(frozen=True, slots=True)
class Point:
    """A run at one moment. ``at`` in epoch seconds, durations in seconds.

    Attributes:
        waiting: Rows that may be sent: in the project file or in the engine's buffer.
        to_retry: Rows that wait for their next try.
        done: Rows to send that have an outcome.
        accepted: Passed the checks, or accepted by a person.
        failures: Attempts without a usable answer since the run began, by kind.
        fast: Short rows that the engine holds; None if that was not kept.
        slow: The same, long rows.
        hold: What held the next request back; None if that was not kept.
        ceiling: The limit never goes above it; 0 if that was not kept.
        pace_per_s: Learned requests per second; None: none.
        permitted_requests_per_s: Told or stated limit; None: not known.
        permitted_tokens_per_s: The same, tokens.
        phases: How the time of its tasks divides; None if that was not kept.
        fill_per_s: Rows that came into the engine's queue.
        finished_per_s: Rows that left it for good.
        growing: The queue grows without end.
    """

    at: float
    waiting: int
    to_retry: int
    in_flight: int
    limit: int
    done: int
    accepted: int
    p50_s: float | None
    p95_s: float | None
    p99_s: float | None
    first_token_s: float | None
    failures: Mapping[ErrorKind, int]
    fast: LaneDepth | None = None
    slow: LaneDepth | None = None
    hold: HoldReason | None = None
    pinned: bool = False
    ceiling: int = 0
    pace_per_s: float | None = None
    requests_per_s: float | None = None
    tokens_per_s: float | None = None
    permitted_requests_per_s: float | None = None
    permitted_tokens_per_s: float | None = None
    phases: Phases | None = None
    fill_per_s: float = 0.0
    finished_per_s: float = 0.0
    growing: bool = False


def point_of(snapshot: Snapshot) -> Point:
    """A Snapshot as a point."""
    latency = snapshot.latency_recent
    return _point(
        snapshot.at,
        snapshot.counts,
        in_flight=snapshot.in_flight,
        limit=snapshot.limit,
        latency=(latency.p50, latency.p95, latency.p99, snapshot.first_token.p50),
        failures=snapshot.failures,
        more={
            "fast": snapshot.fast,
            "slow": snapshot.slow,
            "hold": snapshot.hold,
            "phases": snapshot.phases,
            **{name: getattr(snapshot, name) for name in _MORE},
        },
    )


def kept_point(at: float, figures: Mapping[str, Any]) -> Point:
    """One line of a project file's figures as a point; figures it does not have are zero."""
    counts = {TaskState(state): int(n) for state, n in figures.get("counts", {}).items()}
    latency = tuple(figures.get(name) for name in ("p50_s", "p95_s", "p99_s", "first_token_p50_s"))
    return _point(
        at,
        counts,
        in_flight=int(figures.get("in_flight", 0)),
        limit=int(figures.get("limit", 0)),
        latency=latency,
        failures={ErrorKind(kind): int(n) for kind, n in figures.get("failures", {}).items()},
        more={
            "fast": LaneDepth(**figures["fast"]) if figures.get("fast") else None,
            "slow": LaneDepth(**figures["slow"]) if figures.get("slow") else None,
            "hold": HoldReason(figures["hold"]) if figures.get("hold") else None,
            "phases": Phases(**figures["phases"]) if figures.get("phases") else None,
            **{name: figures[name] for name in _MORE if name in figures},
        },
    )


def _point(
    at: float,
    counts: Mapping[TaskState, int],
    *,
    in_flight: int,
    limit: int,
    latency: Sequence[float | None],
    failures: Mapping[ErrorKind, int],
    more: Mapping[str, Any],
) -> Point:
    p50, p95, p99, first_token = latency
    return Point(
        at=at,
        waiting=waiting_rows(counts, in_flight),
        to_retry=counts.get(TaskState.WAITING, 0),
        in_flight=in_flight,
        limit=limit,
        done=progress.done(counts),
        accepted=counts.get(TaskState.PASSED, 0) + counts.get(TaskState.ACCEPTED, 0),
        p50_s=p50,
        p95_s=p95,
        p99_s=p99,
        first_token_s=first_token,
        failures=dict(failures),
        **more,
    )


def waiting_rows(counts: Mapping[TaskState, int], in_flight: int) -> int:
    """Rows that may be sent: those in the project file and those that the engine holds unsent."""
    held = max(0, counts.get(TaskState.RUNNING, 0) - in_flight)
    return counts.get(TaskState.PENDING, 0) + counts.get(TaskState.BLOCKED, 0) + held


class History:
    """The points of one run, the oldest first.

    Args:
        most_points: How many are kept; twice as far apart when there are more.
    """

    def __init__(self, most_points: int = _MOST_POINTS) -> None:
        self._most_points = most_points
        self._points: list[Point] = []
        self._latest: Point | None = None  # also when it is too near to be kept
        self._answered: Point | None = None
        self._spacing_s = 0.0
        self._begins = 0.0  # of the sitting that the charts show
        self._went_on = 0.0  # after the latest rest; speeds are taken from here on
        self._failures: Counter[tuple[int, ErrorKind]] = Counter()

    def add(self, point: Point) -> None:
        """Take a later point; one that is not later is left out."""
        before = self._latest
        if before is not None and point.at <= before.at:
            return
        if before is None or point.at - before.at > _LONG_BREAK_S:
            self._begins = point.at
        if before is None or point.at - before.at > _BREAK_S:
            self._went_on = point.at
        self._count_failures(before, point)
        self._latest = point
        if point.p50_s is not None:
            self._answered = point
        if not self._points or point.at - self._points[-1].at >= self._spacing_s:
            self._points.append(point)
            self._thin_out()

    def extend(self, points: Iterable[Point]) -> None:
        """Take several points."""
        for point in points:
            self.add(point)

    @property
    def latest(self) -> Point | None:
        """The last point; None before the first."""
        return self._latest

    @property
    def answered(self) -> Point | None:
        """The last point that knows how long answers took; None before the first."""
        return self._answered

    def points(self, last_s: float | None = None) -> list[Point]:
        """The points since the last long break, of the last seconds only if asked; latest last."""
        if self._latest is None:
            return []
        since = self._begins if last_s is None else max(self._begins, self._latest.at - last_s)
        found = self._points[bisect_left(self._points, since, key=lambda point: point.at) :]
        return found if found and found[-1] is self._latest else [*found, self._latest]

    def lines(self) -> list[tuple[float, Point | None]]:
        """The points with their times; None where the run rested, so that lines break there."""
        points = self.points()
        longest = max(_BREAK_S, 3 * self._spacing_s)
        found: list[tuple[float, Point | None]] = []
        for before, point in zip([None, *points], points, strict=False):
            if before is not None and point.at - before.at > longest:
                found.append((before.at, None))
            found.append((point.at, point))
        return found

    def near(self, at: float) -> Point | None:
        """The point of the charts that is nearest to a moment; None before the first."""
        return min(self.points(), key=lambda point: abs(point.at - at), default=None)

    def failures(self) -> dict[int, dict[ErrorKind, int]]:
        """Begin of a step of 10 s (epoch seconds) to how many failed in it by kind; in order."""
        found: dict[int, dict[ErrorKind, int]] = {}
        for (step, kind), n in sorted(self._failures.items()):
            if step * STEP_S >= self._begins - STEP_S:
                found.setdefault(step * STEP_S, {})[kind] = n
        return found

    def accepted_per_min(self) -> float | None:
        """Over the last 60 s, or the time since the run last rested while that is less."""
        if self._latest is None:
            return None
        since = max(self._went_on, self._latest.at - _RATE_S)
        span = self._latest.at - since
        if span < 1.0:
            return None
        before = self._at(since, lambda point: point.accepted)
        return max(0.0, self._latest.accepted - before) / span * 60

    def time_left_range(self, open_rows: int) -> tuple[float, float] | None:
        """Seconds from and to between which the end is likely; None if it cannot be told.

        From how much the speed differed between the six steps of 10 s of the last minute, without
        what came before a rest: the mean's interval of 95 % by the t distribution, if the speed
        stays as it is.
        """
        if self._latest is None or open_rows <= 0:
            return None
        ends = [self._latest.at - STEP_S * n for n in range(_RANGE_STEPS, -1, -1)]
        done = [self._at(at, lambda point: point.done) for at in ends if at >= self._went_on]
        speeds = [(after - before) / STEP_S for before, after in pairwise(done)]
        if len(speeds) < _RANGE_LEAST:
            return None
        t_95 = {4: 3.182, 5: 2.776, 6: 2.571}[len(speeds)]
        mean, margin = fmean(speeds), t_95 * stdev(speeds) / math.sqrt(len(speeds))
        if mean - margin <= 0:
            return None
        return open_rows / (mean + margin), open_rows / (mean - margin)

    def _at(self, at: float, read: Callable[[Point], int]) -> float:
        """A figure at a moment, between the points on both sides of it."""
        points = self.points()
        index = min(bisect_left(points, at, key=lambda point: point.at), len(points) - 1)
        left, right = points[max(0, index - 1)], points[index]
        if right.at <= left.at:
            return read(right)
        share = (at - left.at) / (right.at - left.at)
        return read(left) + share * (read(right) - read(left))

    def _thin_out(self) -> None:
        if len(self._points) <= self._most_points:
            return
        span = self._points[-1].at - self._points[0].at
        self._spacing_s = max(2 * self._spacing_s, 2 * span / len(self._points))
        self._points = self._points[::2]

    def _count_failures(self, before: Point | None, point: Point) -> None:
        step = math.floor(point.at / STEP_S)
        for kind, total in point.failures.items():
            new = total - (before.failures.get(kind, 0) if before else 0)
            if new > 0:
                self._failures[step, kind] += new
        oldest = step - FAILURES_S // STEP_S
        for old in [place for place in self._failures if place[0] < oldest]:
            del self._failures[old]
