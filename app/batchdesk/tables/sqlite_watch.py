"""Statements of SQLite that might never end, such as a view that counts to infinity: ended in time.

A connection comes in. A statement on it is ended from inside when it gave no row for too long, when
Ctrl-C was pressed, or when the connection is to be closed on another thread.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import TypeVar

T = TypeVar("T")

_STEPS = 50_000  # of SQLite's machine between two looks: some milliseconds at most


class Ended(Enum):
    """Why a statement was ended."""

    TOO_LONG = auto()
    CTRL_C = auto()
    CLOSING = auto()


class Watch:
    """Watches the statements of one connection.

    Args:
        connection: May be used on any thread, one at a time, by ``run`` alone.
        clock: Seconds.
    """

    def __init__(
        self, connection: sqlite3.Connection, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connection, self._clock = connection, clock
        self._busy = threading.Lock()
        self._until = float("inf")
        self.ended: Ended | None = None
        connection.set_progress_handler(self._look, _STEPS)

    def run(self, step: Callable[[], T], seconds: float) -> T:
        """Take one step of a statement, which may last so long.

        Raises:
            sqlite3.Error: among others, it was ended; ``ended`` says why.
        """
        with self._busy:
            self._until = self._clock() + seconds
            if self.ended is Ended.TOO_LONG:  # an earlier one
                self.ended = None
            return step()

    def close(self) -> None:
        """End what goes on, on whatever thread, and close the connection. Twice does no harm."""
        is_first, self.ended = self.ended is not Ended.CLOSING, Ended.CLOSING
        if is_first:
            with self._busy:  # soon free: ``_look`` ends what goes on
                self._connection.close()

    def _look(self) -> int:
        """Called by SQLite now and then; other than 0 ends the statement."""
        try:
            if self.ended is None and self._clock() > self._until:
                self.ended = Ended.TOO_LONG
        except KeyboardInterrupt:  # SQLite would lose it
            self.ended = Ended.CTRL_C
        return self.ended is not None
