"""What is ready to be sent, in two lanes: short rows in the fast one, long rows in the slow one.

Filled from the project file by the refill, emptied by the runner. Memory does not grow with the
table: each lane holds at most its capacity of first tries and as many retries; a task that waits,
or a long row beyond the capacity, keeps only its id and its times and is read again when its turn
comes.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from batchdesk.domain.snapshot import LaneDepth
from batchdesk.domain.task import ErrorKind, Priority
from batchdesk.store.tasks import ClaimedTask

# What goes behind others gets at least this share of its lane's sends, so it does not starve.
_LATER_EVERY = 10
_SPILLED_MOST = 4  # times the capacity: how far past long rows the table is searched for short ones
_REFUSALS = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.OVERLOADED})


@dataclass(frozen=True, slots=True)
class Ready:
    """A claimed task with when and by which refill it was claimed, and where it stands.

    Attributes:
        held_s: How long limits had held the run back until it was claimed.
    """

    task: ClaimedTask
    batch_id: int
    claimed_at: float
    priority: Priority = Priority.FRESH
    slow: bool = False
    held_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Spilled:
    """A claimed long row that is not kept in memory."""

    task_id: int
    batch_id: int
    claimed_at: float
    priority: Priority
    held_s: float = 0.0


@dataclass(frozen=True, slots=True, order=True)
class Due:
    """A waiting task: when it may be sent again (monotonic seconds)."""

    at: float
    task_id: int
    row_key: str = field(compare=False)
    attempt: int = field(compare=False)
    kind: ErrorKind = field(compare=False)
    since: float = field(compare=False)
    slow: bool = field(default=False, compare=False)


def priority_of(task: ClaimedTask) -> Priority:
    """Of a pending task: asked for again by a person, tried before, or new.

    Only tries that the row could be blamed for count as such: a row that was merely refused, or
    was on its way when the program was closed, keeps its place among the new ones.
    """
    if task.tries:
        return Priority.RETRY
    return Priority.BACKFILL if task.content_try else Priority.FRESH


class Lanes:
    """Both lanes of a run.

    Args:
        capacity: At most so many first tries per lane, and as many retries, are buffered; when
            half of the fast lane's first tries are gone, more are wanted.
        slow_share: Of the requests in flight, for the slow lane while the fast one has work; what
            one lane does not need the other may use.
    """

    def __init__(self, capacity: int, slow_share: float = 0.2) -> None:
        self._share = slow_share
        self._fast = _Lane(capacity)
        self._slow = _Lane(capacity)
        self._spilled: deque[Spilled] = deque()
        self._spilled_most = _SPILLED_MOST * capacity
        self._fast_since_slow = 0
        self._slots = 0  # of the slow lane while the fast one has work; 0: not known yet

    # -- filling ----------------------------------------------------------------------------

    def wanted(self) -> int:
        """How many pending tasks to claim now: 0 while the fast lane is more than half full.

        Also 0 once so many long rows came up that the search for short ones has gone far enough.
        """
        return min(self._fast.wanted(), max(0, self._spilled_most - len(self._spilled)))

    @property
    def wanted_again(self) -> int:
        """How many of those may be tasks that were asked for again, while there are new ones.

        They must not fill the lane: the new ones go first, and may be the only ones that may go.
        """
        return self._fast.room_for_backfill

    def add_first(self, ready: list[Ready]) -> None:
        """Claimed tasks, in order. Long rows beyond the slow lane's capacity are only noted."""
        for one in ready:
            if one.slow and (self._spilled or not self._slow.room):
                self._spilled.append(
                    Spilled(one.task.id, one.batch_id, one.claimed_at, one.priority, one.held_s)
                )
            else:
                self._lane(one).add(one)

    def take_spilled(self) -> list[Spilled]:
        """Take out the noted long rows that the slow lane has room for, in order."""
        count = min(self._slow.wanted(), len(self._spilled))
        return [self._spilled.popleft() for _ in range(count)]

    def add_again(self, ready: list[Ready]) -> None:
        """What ``take_spilled`` gave, read again."""
        for one in ready:
            self._slow.add(one)

    @property
    def room_for_retries(self) -> int:
        """How many retries the buffers can take: a storm must not fill the memory with rows."""
        return self._fast.room_for_retries + self._slow.room_for_retries

    def add_retries(self, ready: list[Ready]) -> None:
        """Retries whose time has come."""
        for one in ready:
            self._lane(one).add(replace(one, priority=Priority.RETRY))

    # -- waiting ----------------------------------------------------------------------------

    def wait(self, due: Due) -> None:
        """A task that may be sent again later."""
        (self._slow if due.slow else self._fast).wait(due)

    @property
    def waiting(self) -> Collection[Due]:
        """Tasks that wait for their next try, in no order."""
        return _Both(self._fast.waiting.values(), self._slow.waiting.values())

    def take_due(self, now: float, at_most: int) -> list[Due]:
        """Take out waiting tasks whose time has come, as far as their lane has room for them."""
        due = self._fast.take_due(now, at_most)
        return due + self._slow.take_due(now, at_most - len(due))

    def next_due_at(self) -> float | None:
        """When the next waiting task may be taken; None while there is none or no room for it."""
        times = [at for lane in (self._fast, self._slow) if (at := lane.next_due_at()) is not None]
        return min(times, default=None)

    def release_early(self, now: float) -> int:
        """Every waiting task that was refused may go now; returns how many there were."""
        return self._fast.release_early(now) + self._slow.release_early(now)

    # -- sending ----------------------------------------------------------------------------

    def peek(self, limit: int, barred: Collection[Priority] = frozenset()) -> Ready | None:
        """The next to be sent, or None.

        Args:
            limit: How many requests may be in flight; the lanes share it.
            barred: Priorities that may not go now.
        """
        fast, slow = self._fast.peek(barred), self._slow.peek(barred)
        if fast is None or slow is None:
            return fast or slow
        return slow if self._is_turn_of_slow(limit) else fast

    def pop(self, ready: Ready) -> None:
        """Take out what ``peek`` showed; it holds a slot until ``landed``.

        Raises:
            ValueError: it is not at the head of its queue.
        """
        self._lane(ready).pop(ready)
        self._fast_since_slow = 0 if ready.slow else self._fast_since_slow + 1

    def landed(self, ready: Ready) -> None:
        """The slot of a popped task is free; once for each."""
        self._lane(ready).in_flight -= 1
        if ready.slow and self._slots:
            self._slots += 1

    def _is_turn_of_slow(self, limit: int) -> bool:
        """Both lanes have work: the slow one gets its share of the slots, and no more of the sends.

        The second matters where a pace limits sending: else long rows would take most sends until
        their share of the slots is full.
        """
        if limit <= 1:
            return self._fast_since_slow > 0
        # A limit that climbs to find a service's end must not fill the service with long rows: the
        # slow lane's share follows by one slot with each of its rows that lands.
        share = max(1, round(self._share * limit))
        self._slots = min(self._slots or share, share)
        sends_between = round(1 / self._share) - 1 if self._share > 0 else _LATER_EVERY - 1
        return self._slow.in_flight < self._slots and self._fast_since_slow >= sends_between

    def _lane(self, ready: Ready) -> _Lane:
        return self._slow if ready.slow else self._fast

    # -- figures ----------------------------------------------------------------------------

    @property
    def has_untried(self) -> bool:
        """Whether a task is here whose turn has not come yet in this run's session."""
        return bool(self._spilled) or self._fast.has_untried or self._slow.has_untried

    @property
    def buffered(self) -> int:
        """Tasks taken from the project file and not yet sent."""
        return self._fast.buffered + self._slow.buffered + len(self._spilled)

    def depths(self, now: float) -> tuple[LaneDepth, LaneDepth]:
        """How full the fast and the slow lane are."""
        oldest = self._spilled[0].claimed_at if self._spilled else now
        return self._fast.depth(now), self._slow.depth(now, len(self._spilled), oldest)


class _Lane:
    """One lane: a queue per priority, and the tasks that wait for their next try."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._queues: dict[Priority, deque[Ready]] = {one: deque() for one in Priority}
        # Sends since one of this priority went (of those that go behind others).
        self._sent_since = {Priority.RETRY: 0, Priority.BACKFILL: 0}
        self._due: list[Due] = []
        self.waiting: dict[int, Due] = {}  # in the order in which they began to wait
        self.in_flight = 0

    @property
    def buffered(self) -> int:
        return sum(map(len, self._queues.values()))

    @property
    def has_untried(self) -> bool:
        return any(queue for one, queue in self._queues.items() if one is not Priority.RETRY)

    @property
    def room(self) -> int:
        """For claimed tasks; those that were tried before count too, but as retries."""
        first = self.buffered - len(self._queues[Priority.RETRY])
        return max(0, min(self._capacity - first, 2 * self._capacity - self.buffered))

    def wanted(self) -> int:
        return self.room if self.room * 2 >= self._capacity else 0

    @property
    def room_for_backfill(self) -> int:
        return max(0, self._capacity // 4 - len(self._queues[Priority.BACKFILL]))

    @property
    def room_for_retries(self) -> int:
        return max(0, self._capacity - len(self._queues[Priority.RETRY]))

    def add(self, ready: Ready) -> None:
        self._queues[ready.priority].append(ready)

    def peek(self, barred: Collection[Priority]) -> Ready | None:
        there = [one for one, queue in self._queues.items() if queue and one not in barred]
        for later in self._sent_since:
            if later in there and self._sent_since[later] >= _LATER_EVERY - 1:
                return self._queues[later][0]
        return self._queues[there[0]][0] if there else None

    def pop(self, ready: Ready) -> None:
        queue = self._queues[ready.priority]
        if not queue or queue[0] is not ready:
            raise ValueError(f"task {ready.task.id} is not at the head of its queue")
        queue.popleft()
        for later in self._sent_since:
            self._sent_since[later] += 1
        if ready.priority in self._sent_since:
            self._sent_since[ready.priority] = 0
        self.in_flight += 1

    def wait(self, due: Due) -> None:
        self.waiting[due.task_id] = due
        heapq.heappush(self._due, due)

    def take_due(self, now: float, at_most: int) -> list[Due]:
        taken: list[Due] = []
        at_most = min(at_most, self.room_for_retries)
        while self._due and self._due[0].at <= now and len(taken) < at_most:
            due = heapq.heappop(self._due)
            del self.waiting[due.task_id]
            taken.append(due)
        return taken

    def next_due_at(self) -> float | None:
        return self._due[0].at if self._due and self.room_for_retries else None

    def release_early(self, now: float) -> int:
        early = [due for due in self._due if due.kind in _REFUSALS and due.at > now]
        self.waiting.update({due.task_id: replace(due, at=now) for due in early})
        self._due = list(self.waiting.values())
        heapq.heapify(self._due)
        return len(early)

    def depth(self, now: float, spilled: int = 0, oldest: float | None = None) -> LaneDepth:
        since = [queue[0].claimed_at for queue in self._queues.values() if queue]
        if self.waiting:
            since.append(next(iter(self.waiting.values())).since)
        since.append(now if oldest is None else oldest)
        return LaneDepth(
            self.buffered + spilled, len(self.waiting), self.in_flight, max(0.0, now - min(since))
        )


class _Both(Collection[Due]):
    """Two collections looked at as one, without a copy."""

    def __init__(self, first: Collection[Due], second: Collection[Due]) -> None:
        self._parts = (first, second)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Due]:
        for part in self._parts:
            yield from part

    def __contains__(self, one: object) -> bool:
        return any(one in part for part in self._parts)
