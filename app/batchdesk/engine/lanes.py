"""What is ready to be sent: a bounded buffer of first tries and the retries whose time has come.

Filled from the project file by the runner; memory does not grow with the table, since a waiting
task keeps only its id and its time here and is read again when it is due.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field

from batchdesk.domain.task import ErrorKind
from batchdesk.store.tasks import ClaimedTask

# Retries go behind first tries, but get at least this share of the sends, so they do not starve.
_RETRY_EVERY = 10


@dataclass(frozen=True, slots=True)
class Ready:
    """A claimed task with when and by which refill it was claimed."""

    task: ClaimedTask
    batch_id: int
    claimed_at: float


@dataclass(frozen=True, slots=True, order=True)
class Due:
    """A waiting task: when it may be sent again (monotonic seconds)."""

    at: float
    task_id: int
    row_key: str = field(compare=False)
    attempt: int = field(compare=False)
    kind: ErrorKind = field(compare=False)
    since: float = field(compare=False)


class Lane:
    """One lane: first tries in the order of the table, retries behind them.

    Args:
        capacity: At most so many first tries, and as many retries, are buffered; when half of the
            first tries are gone, the lane wants more.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._first: deque[Ready] = deque()
        self._retries: deque[Ready] = deque()
        self._waiting: list[Due] = []
        self._sent_since_retry = 0

    @property
    def buffered(self) -> int:
        """Tasks that could be sent at once."""
        return len(self._first) + len(self._retries)

    @property
    def waiting(self) -> list[Due]:
        """Tasks that wait for their next try, in no order."""
        return self._waiting

    def wanted(self) -> int:
        """How many first tries to claim now: 0 while the buffer is more than half full."""
        room = self._capacity - len(self._first)
        return room if room * 2 >= self._capacity else 0

    @property
    def room_for_retries(self) -> int:
        """How many retries the buffer can take: a storm must not fill the memory with rows."""
        return max(0, self._capacity - len(self._retries))

    def add_first(self, ready: list[Ready]) -> None:
        """First tries, in order."""
        self._first.extend(ready)

    def add_retries(self, ready: list[Ready]) -> None:
        """Retries whose time has come."""
        self._retries.extend(ready)

    def wait(self, due: Due) -> None:
        """A task that may be sent again later."""
        heapq.heappush(self._waiting, due)

    def take_due(self, now: float, at_most: int) -> list[Due]:
        """Take out the waiting tasks whose time has come, the earliest first."""
        due: list[Due] = []
        while self._waiting and self._waiting[0].at <= now and len(due) < at_most:
            due.append(heapq.heappop(self._waiting))
        return due

    def next_due_at(self) -> float | None:
        """When the next waiting task may be sent."""
        return self._waiting[0].at if self._waiting else None

    def peek(self) -> Ready | None:
        """The next to be sent."""
        if self._retries and (not self._first or self._sent_since_retry >= _RETRY_EVERY - 1):
            return self._retries[0]
        return self._first[0] if self._first else None

    def pop(self) -> Ready:
        """Take out what ``peek`` showed."""
        ready = self.peek()
        if ready is None:
            raise IndexError("nothing is ready")
        if self._retries and ready is self._retries[0]:
            self._sent_since_retry = 0
            return self._retries.popleft()
        self._sent_since_retry += 1
        return self._first.popleft()
