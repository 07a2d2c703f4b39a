"""A run in which nothing moves for a minute though it has work, and nobody knows why, is a bug.

Once a second the watchdog looks: has anything moved, is a request still within its time, has
whatever holds the next one back said until when? If none of that explains the stillness, the
stacks of all tasks of the loop go into the log and the screen is told. Nothing else is done: the
person decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import HoldReason
from batchdesk.engine.meters import Meters
from batchdesk.engine.snapshots import Standing

_log = logging.getLogger(__name__)

_LOOK_EVERY_S = 1.0
_STILL_S = 60.0  # without progress and without a reason
_GRACE_S = 30.0  # a request may end so long after its time limit
_MOST_TASKS = 300  # stacks that are written


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a run shows.

    Attributes:
        moved: Anything that changes when the run moves on.
        has_work: Whether any row has no outcome yet.
        hold: What holds the next request back.
        wakes_in_s: When whatever holds it back is looked at again; None: when something ends.
        service_left_s: How long a request under way may still take; 0 if none may.
    """

    moved: object
    has_work: bool
    hold: HoldReason
    wakes_in_s: float | None
    service_left_s: float


class Watchdog:
    """The rule. Time is counted in looks, so a computer that sleeps is not a stall."""

    def __init__(self) -> None:
        self._begin_anew(None)

    def _begin_anew(self, moved: object) -> None:
        self._moved = moved
        self._still_s = 0.0
        self._explained_s = 0.0  # so much of it has a reason
        self._announced: dict[HoldReason, float] = {}  # until when each reason may hold
        self._is_told = False

    def see(self, look: Look) -> float | None:
        """One look, a second after the last: seconds of stillness, once for each stall."""
        if look.moved != self._moved or not look.has_work:
            self._begin_anew(look.moved)
            return None
        self._still_s += _LOOK_EVERY_S
        if look.wakes_in_s is not None:
            # The first announcement counts: a reason that is put off again and again is none.
            self._announced.setdefault(look.hold, self._still_s + look.wakes_in_s)
        if look.service_left_s > 0 or self._still_s <= max(self._announced.values(), default=0.0):
            self._explained_s = self._still_s
        if self._is_told or self._still_s - self._explained_s < _STILL_S:
            return None
        self._is_told = True
        return self._still_s


class Watch:
    """Lets a watchdog look at one run.

    Args:
        on_stall: Is told how long nothing has moved, in seconds.
    """

    def __init__(
        self,
        *,
        standing: Standing,
        meters: Meters,
        limits: Limits,
        on_stall: Callable[[float], None],
    ) -> None:
        self._standing = standing
        self._meters = meters
        self._fast_s = limits.timeout_total_s + _GRACE_S
        self._slow_s = max(limits.timeout_total_s, limits.slow_timeout_total_s) + _GRACE_S
        self._on_stall = on_stall
        self._dog = Watchdog()

    async def watch(self) -> None:
        """Look once a second, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            still_s = self._dog.see(self._look(loop.time()))
            if still_s is not None:
                _log.error(
                    "run %s: nothing has moved for %.0f s (hold: %s); the loop's tasks:\n%s",
                    self._standing.run_id,
                    still_s,
                    self._standing.hold,
                    "\n".join(stacks(asyncio.all_tasks(loop))),
                )
                self._on_stall(still_s)

    def _look(self, now: float) -> Look:
        standing = self._standing
        wakes_at = standing.wakes_at
        left_s = (
            flight.ticket.sent_at + (self._slow_s if flight.ready.slow else self._fast_s) - now
            for flight in standing.flights.values()
            if flight.doing == "service"
        )
        return Look(
            moved=(self._meters.requests, dict(standing.counts)),
            has_work=any(n > 0 and state.is_open for state, n in standing.counts.items()),
            hold=standing.hold,
            wakes_in_s=None if wakes_at is None else wakes_at - now,
            service_left_s=max(0.0, *left_s, 0.0),
        )


def stacks(tasks: set[asyncio.Task[object]]) -> Iterator[str]:
    """Where each task waits, the innermost place last: places in the code, no values."""
    ordered = sorted(tasks, key=lambda task: task.get_name())
    for task in ordered[:_MOST_TASKS]:
        yield f"{task.get_name()}:"
        yield from (f"  {_place(frame)}" for frame in _frames(task.get_coro()))
    if len(ordered) > _MOST_TASKS:
        yield f"and {len(ordered) - _MOST_TASKS} more"


def _frames(waiting: object) -> Iterator[FrameType]:
    """The frames of a coroutine and of what it awaits."""
    while waiting is not None:
        for kind in ("cr", "gi", "ag"):
            frame = getattr(waiting, f"{kind}_frame", None)
            if frame is not None:
                yield frame
                waiting = getattr(waiting, f"{kind}_await", None) or getattr(
                    waiting, f"{kind}_yieldfrom", None
                )
                break
        else:
            return


def _place(frame: FrameType) -> str:
    code = frame.f_code
    return f"{Path(code.co_filename).name}:{frame.f_lineno} {code.co_name}"
