"""How long a row is expected to take, and whether that makes it one for the slow lane.

Expected is what a straight line over the row's size says: seconds = base + weight x size. The
output that is expected is a straight line over the size as well, so the seconds per token of input
and of output fold into the one weight. Until answers tell better, time goes with tokens alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.store.tasks import ClaimedTask

_BYTES_PER_TOKEN = 4  # as in the estimate of tokens
# A row for the slow lane takes more than so many medians. That it must be above the 95th percentile
# too did harm in simulation: with one row in five about ten times longer, most long ones stayed in
# the fast lane, where the in-flight limit takes their latency for a queue (186 s instead of 152 s
# on a service of 20 slots; 134 s at best). With one row in ten or twenty it made no difference.
SLOW_MEDIANS = 4.0
_KEEPS = 0.998  # weight of what was learned before, per answer: about the last 500 count
_LEARNED = 20  # answers
_GROWTH = 1.02  # of the histogram's buckets
_TIMED_OUT_TRIES = 2  # a row that timed out so often gets the slow lane's time


class ExpectedDuration:
    """Learns from the answers of one stage.

    Args:
        used: The columns that the prompt uses.
        overhead: Rough tokens of a request beside its row.
        timeout_s: The fast lane's time limit per attempt.

    Attributes:
        overhead: As given.
    """

    def __init__(self, used: Iterable[str], overhead: float, timeout_s: float) -> None:
        self._used = tuple(used)
        self.overhead = overhead
        self._timeout_s = timeout_s
        self._sizes = _Histogram()
        self._line = _Line()
        self._answers = 0

    @property
    def is_learned(self) -> bool:
        """Whether enough answers have come to tell seconds from tokens."""
        return self._answers >= _LEARNED

    @property
    def median_tokens(self) -> float:
        """Rough tokens of the row in the middle of those seen; 0 before the first."""
        return self._sizes.median() if self._sizes.is_filled else 0.0

    def learn(self, task: ClaimedTask, service_s: float) -> None:
        """How long the answer about a row took."""
        self._answers += 1
        self._line.add(self._size(task), service_s)

    def seconds(self, task: ClaimedTask) -> float | None:
        """How long the answer is expected to take; None before the first answer."""
        if not self._answers:
            return None
        base, weight = self._line.fit(self.overhead)
        return base + weight * self._size(task)

    def sort(self, tasks: Sequence[ClaimedTask]) -> list[bool]:
        """Of tasks that come up for the first time: whether each is for the slow lane."""
        for task in tasks:
            self._sizes.add(self._size(task))
        return self.sort_again(tasks)

    def sort_again(self, tasks: Sequence[ClaimedTask]) -> list[bool]:
        """The same of tasks that were seen before."""
        longest = self._longest_of_fast()
        return [self._size(task) > longest or _timed_out(task) for task in tasks]

    def _longest_of_fast(self) -> float:
        """The size up to which a row belongs into the fast lane."""
        base, weight = self._line.fit(self.overhead) if self._answers else (self.overhead, 1.0)
        if not weight:
            return math.inf
        longest_s = SLOW_MEDIANS * (base + weight * self._sizes.median())
        if self._answers:
            longest_s = min(longest_s, self._timeout_s)
        return (longest_s - base) / weight

    def _size(self, task: ClaimedTask) -> float:
        """Rough tokens of the row, as it stands in the prompt."""
        size = 0
        for name in self._used:
            size += len((task.cells.get(name) or "").encode())
        return size / _BYTES_PER_TOKEN


def overhead_tokens(builder: PromptBuilder) -> float:
    """Rough tokens of a request about an empty row: instructions, examples, the template's text."""
    try:
        request = builder.build(
            row_key="", cells=dict.fromkeys(builder.used, ""), idempotency_key="", trace_id=""
        )
    except Exception:  # noqa: BLE001 - a template that needs its cells: its own rows tell of bugs
        return 0.0
    return sum(len(one.content.encode()) for one in request.messages) / _BYTES_PER_TOKEN


def slow_timeouts(limits: Limits, *, stream: bool) -> tuple[float, float]:
    """(between bytes, per attempt) in the slow lane, seconds."""
    total = max(limits.timeout_total_s, limits.slow_timeout_total_s)
    slow = limits.model_copy(update={"timeout_total_s": total})
    return slow.read_timeout_s(stream=stream), total


def _timed_out(task: ClaimedTask) -> bool:
    return task.last_error is ErrorKind.READ_TIMEOUT and task.tries >= _TIMED_OUT_TRIES


class _Line:
    """Least squares over the newest answers; while they are few, time goes with tokens."""

    def __init__(self) -> None:
        self._n = self._x = self._y = self._xx = self._xy = 0.0

    def add(self, size: float, seconds: float) -> None:
        values = (1.0, size, seconds, size * size, size * seconds)
        sums = (self._n, self._x, self._y, self._xx, self._xy)
        self._n, self._x, self._y, self._xx, self._xy = (
            total * _KEEPS + value for total, value in zip(sums, values, strict=True)
        )

    def fit(self, overhead: float) -> tuple[float, float]:
        """(base in seconds, seconds per token); neither is negative."""
        x, y = self._x / self._n, self._y / self._n
        tokens = max(1.0, overhead + x)
        spread = max(0.0, self._xx - self._n * x * x)
        together = self._xy - self._n * x * y
        # As if one answer had come about a row longer by a whole mean request, as long as tokens
        # say: a single really long answer outweighs it.
        lean = tokens * tokens
        weight = max(0.0, (together + lean * y / tokens) / (spread + lean))
        return max(0.0, y - weight * x), weight


class _Histogram:
    """The median within 2 % in flat memory."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    @property
    def is_filled(self) -> bool:
        return bool(self._counts)

    def add(self, size: float) -> None:
        self._counts[math.ceil(math.log(max(1.0, size), _GROWTH))] += 1

    def median(self) -> float:
        """The nearest rank, at most 2 % too large; infinite before the first."""
        rank = math.ceil(self._counts.total() / 2)
        for bucket in sorted(self._counts):
            rank -= self._counts[bucket]
            if rank <= 0:
                return float(_GROWTH**bucket)
        return math.inf
