"""An event loop whose clock jumps to the next timer when nothing is ready: hours pass in no time.

``loop.time()`` is the only clock; a run under it is exact and repeatable. Nothing may wait for
another thread here, so the project file is written by ``InlineStore`` on the loop itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import sqlite3
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from batchdesk.store.writer import told

T = TypeVar("T")

_TURNS_MAX = 5_000_000  # far more than any test needs: a loop that spins is a failure, not a hang
_STARTS_AT_S = 1000.0


class IdleForeverError(AssertionError):
    """Nothing is ready and no timer is set: the code under test would wait for ever."""


class _NoWaiting(selectors.SelectSelector):
    """Never waits; where the loop would have slept, its clock moves on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.loop: SimulatedLoop | None = None

    def select(self, timeout: float | None = None) -> list[Any]:
        events = super().select(0)
        if self.loop is not None and not events:
            self.loop.pass_time(timeout)
        return events


class SimulatedLoop(asyncio.SelectorEventLoop):
    """See the module. ``time()`` starts at 1000 s."""

    def __init__(self) -> None:
        selector = _NoWaiting()
        super().__init__(selector)
        self._now = _STARTS_AT_S
        self._turns = 0
        selector.loop = self

    def time(self) -> float:
        return self._now

    def pass_time(self, timeout: float | None) -> None:
        self._turns += 1
        if self._turns > _TURNS_MAX:
            raise AssertionError("the loop turns and turns and its clock stands still")
        if timeout is None:
            raise IdleForeverError("everything waits for something that will never come")
        self._now += timeout


def simulate(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end under a simulated clock."""
    loop = SimulatedLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        with contextlib.suppress(IdleForeverError):
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(asyncio.sleep(0))
        loop.close()


class InlineStore:
    """Writes and reads at once, on the loop, each write in its own transaction.

    Attributes:
        fail_with: Raised instead of the commit of every write while it is set.
        commit_s: How long a commit takes, simulated seconds.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.fail_with: Exception | None = None
        self.commit_s = 0.0
        self.commits = 0

    async def run(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        if self.fail_with is not None:
            await asyncio.sleep(self.commit_s)
            raise told(self.fail_with)
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            result = operation(self.connection)
        except Exception as error:
            self.connection.execute("ROLLBACK")
            raise told(error) from error
        self.connection.execute("COMMIT")
        self.commits += 1
        await asyncio.sleep(self.commit_s)
        return result

    async def read(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        await asyncio.sleep(0)
        return operation(self.connection)
