"""One thread and one connection that commit whatever has gathered, then tell who asked.

Natural group commit: while one commit is under way, requests gather; the next commit takes them
all. So one row is on disk at once under light load, and hundreds share a commit under heavy load,
each with the full durability of ``synchronous=FULL``. Callers wait for the commit, not for the
statement: what they are told is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from batchdesk.errors import ProjectError, StorageFullError

T = TypeVar("T")
Connection = sqlite3.Connection  # for those who hand in operations and know no SQL
Operation = Callable[[sqlite3.Connection], T]


class Writes(Protocol):
    """What the rest of the store needs of a writer."""

    async def run(self, operation: Operation[T]) -> T:
        """Carry out the operation and return its result after the commit."""


@dataclass(frozen=True, slots=True)
class _Apart:
    """How a transaction of its own is set up, and set back: neither can be done within one."""

    before: tuple[str, ...]
    after: tuple[str, ...]


_UPKEEP = _Apart(("PRAGMA foreign_keys = OFF",), ("PRAGMA foreign_keys = ON",))
# The log is emptied into the file, and both are synced, at every 16 MB instead of every 4.
_BULK = _Apart(
    ("PRAGMA synchronous = NORMAL", "PRAGMA wal_autocheckpoint = 4000"),
    ("PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 1000"),
)


class _Waiter:
    """One operation, and where its outcome goes."""

    __slots__ = ("apart", "error", "future", "loop", "operation", "result")

    def __init__(
        self,
        operation: Operation[Any],
        loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[Any],
        apart: _Apart | None,
    ) -> None:
        self.operation = operation
        self.apart = apart
        self.loop = loop
        self.future = future
        self.result: Any = None
        self.error: Exception | None = None


class Writer:
    """The writer thread. Any event loop in any thread may await ``run``.

    Args:
        connect: Makes the one connection, inside the thread.
        check: Raises a ProjectError when the file is no longer where it was opened.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], check: Callable[[], None] = lambda: None
    ) -> None:
        self._connect = connect
        self._check = check
        self._gathered: deque[_Waiter] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="batchdesk-writer", daemon=True)
        self._thread.start()

    async def run(self, operation: Operation[T]) -> T:
        """Carry out the operation in the writer thread and return its result after the commit.

        An operation must do nothing but SQL: if its group fails, it is carried out again alone.

        Raises:
            StorageFullError: no space left; nothing of this operation is in the file.
            ProjectError: the file could not be written.
        """
        return await self._ask(operation, None)

    async def upkeep(self, operation: Operation[T]) -> T:
        """As ``run``, but alone, after what has gathered, and without checks of foreign keys.

        Those of a row that goes cost a search of every table that might refer to it. The operation
        must know that nothing does.
        """
        return await self._ask(operation, _UPKEEP)

    async def bulk(self, operation: Operation[T]) -> T:
        """As ``run``, but alone, after what has gathered, and without waiting for the disk.

        A loss of power may take it back, with all that was written after it in this manner; the
        next ``run`` makes it last, for the log is synced as a whole. For much that counts only once
        a ``run`` says so, such as the rows of a table that is being imported.
        """
        return await self._ask(operation, _BULK)

    def _ask(self, operation: Operation[T], apart: _Apart | None) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._wake:
            if self._closing:
                raise ProjectError("The project is being closed; nothing more can be written.")
            self._gathered.append(_Waiter(operation, loop, future, apart))
            self._wake.notify()
        return future

    def close(self) -> None:
        """Commit what has gathered and end the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        while True:
            with self._wake:
                while not self._gathered and not self._closing:
                    self._wake.wait()
                group = list(self._gathered)
                self._gathered.clear()
                if not group:
                    break
            for part in _parts(group):
                try:
                    if connection is None:
                        self._check()  # connecting to a path without a file would make one
                        connection = self._connect()
                    self._commit(connection, part)
                except Exception as error:  # noqa: BLE001 - the waiters must hear, whatever it is
                    for waiter in part:
                        waiter.error = waiter.error or told(error)
                _tell(part)
        if connection is not None:
            self._leave(connection)

    def _leave(self, connection: sqlite3.Connection) -> None:
        """Close; SQLite itself leaves the log of a moved file unread where the file was."""
        try:
            self._check()
        except ProjectError:
            _empty_log(connection, "TRUNCATE")
        connection.close()

    def _commit(self, connection: sqlite3.Connection, group: list[_Waiter]) -> None:
        """Carry out the group in one transaction; if one fails, each in its own."""
        try:
            self._in_transaction(connection, group)
        except Exception as error:  # noqa: BLE001 - sorted out one by one below
            if len(group) == 1:
                group[0].error = told(error)
                return
            for waiter in group:
                self._commit(connection, [waiter])

    def _in_transaction(self, connection: sqlite3.Connection, group: list[_Waiter]) -> None:
        apart = group[0].apart
        try:
            for setting in apart.before if apart is not None else ():
                connection.execute(setting)
            connection.execute("BEGIN IMMEDIATE")
            for waiter in group:
                waiter.result = waiter.operation(connection)
            self._stay(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has already rolled it back
                connection.execute("ROLLBACK")
            raise
        finally:
            for setting in apart.after if apart is not None else ():
                connection.execute(setting)

    def _stay(self, connection: sqlite3.Connection) -> None:
        """Commit nothing to a file that is elsewhere, but make whole what it has."""
        try:
            self._check()
        except ProjectError:
            connection.execute("ROLLBACK")
            _empty_log(connection, "PASSIVE")
            raise


def _parts(group: list[_Waiter]) -> Iterator[list[_Waiter]]:
    """Those that share a commit, then each that is carried out alone."""
    if together := [waiter for waiter in group if waiter.apart is None]:
        yield together
    yield from ([waiter] for waiter in group if waiter.apart is not None)


def _empty_log(connection: sqlite3.Connection, mode: str) -> None:
    """Bring what the log beside the file holds into the file, as far as readers allow it."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()


def _tell(group: list[_Waiter]) -> None:
    """One wake-up per event loop, however large the group."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Waiter]] = {}
    for waiter in group:
        by_loop.setdefault(waiter.loop, []).append(waiter)
    for loop, waiters in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits there any more
            loop.call_soon_threadsafe(_resolve, waiters)


def _resolve(waiters: list[_Waiter]) -> None:
    for waiter in waiters:
        if waiter.future.done():  # cancelled meanwhile; the write is on disk all the same
            continue
        if waiter.error is not None:
            waiter.future.set_exception(waiter.error)
        else:
            waiter.future.set_result(waiter.result)


def told(error: Exception) -> Exception:
    """A SQLite error that a person can mend becomes a ProjectError; any other stays a bug."""
    if isinstance(error, sqlite3.OperationalError):
        code = getattr(error, "sqlite_errorcode", None)
        primary = code & 0xFF if code is not None else None
        if primary in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return StorageFullError(
                "The project file cannot grow: the disk is full or does not answer. Free some "
                "space, then resume; everything saved so far is safe."
            )
        if primary == sqlite3.SQLITE_READONLY:
            return ProjectError(
                "The project file is read-only. Copy it to a folder you may write to."
            )
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return ProjectError(
                "Another program holds the project file. Close it there and try again."
            )
    if isinstance(error, sqlite3.DatabaseError) and "malformed" in str(error):
        return ProjectError(
            "The project file is damaged. Open the backup beside it, or export what can be read."
        )
    return error
