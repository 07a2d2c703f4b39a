"""Opening, locking, checking and recovering a project file.

Comes in: a path. Goes out: a Project with its writer and a pool of readers. Recovery after a
crash is here too: what was ``running`` goes back to ``pending``, and that is all of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from batchdesk import __version__
from batchdesk.errors import ProjectError
from batchdesk.store import rows, runs, schema
from batchdesk.store.cleaning import Cleaner
from batchdesk.store.lock import ProjectLock
from batchdesk.store.place import Place, has_log, real, risk_of, set_aside_leftovers
from batchdesk.store.stand_in import stand_in
from batchdesk.store.writer import Writer, told

T = TypeVar("T")

SUFFIX = ".batchdesk"
_SQLITE_HEADER = b"SQLite format 3\x00"


class Project:
    """An open project file.

    Use ``await Project.open(path)``; then ``writer.run`` and ``read``; then ``close``.

    Attributes:
        path: The file.
        uid: Tells one project from another, also for the provider's idempotency keys.
        writable: Whether this process holds the lock.
        unclean: Whether rows of an import that was interrupted were there when it was opened.
        risk: Why this place is risky for the file (``network`` or ``sync``), or None.
    """

    def __init__(
        self, path: Path, uid: str, lock: ProjectLock | None, *, unclean: bool = False
    ) -> None:
        self.path = path
        self.uid = uid
        self.unclean = unclean
        self.risk = risk_of(path)
        self._lock = lock
        self._place = Place(path)
        check = self._place.check
        self._writer = Writer(lambda: connect(path), check) if lock is not None else None
        self._cleaner = Cleaner(self._writer) if self._writer is not None else None
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="batchdesk-reader")
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []

    @property
    def writable(self) -> bool:
        """Whether this process may write."""
        return self._writer is not None

    @property
    def writer(self) -> Writer:
        """The writer thread.

        Raises:
            ProjectError: the project was opened for reading only.
        """
        if self._writer is None:
            raise ProjectError("The project is open for reading only.")
        return self._writer

    @classmethod
    async def open(cls, path: Path, *, create: bool = False, read_only: bool = False) -> Self:
        """Open a project file, bring its schema up to date and recover from a crash.

        Args:
            path: The file.
            create: Make it if it is missing.
            read_only: Take no lock and change nothing; works while another process writes.

        Raises:
            ProjectError: missing, not a project, from a newer program, locked, or not writable.
        """
        project = await asyncio.to_thread(cls._open, path, create, read_only)
        if project.unclean:
            project.clean()
        return project

    @classmethod
    def _open(cls, path: Path, create: bool, read_only: bool) -> Self:  # noqa: FBT001 - run in a thread
        path = path.absolute()
        if _is_missing(path, create) and not create:
            raise ProjectError("There is no project file {path}.", path=path)
        if not _is_missing(path, create):
            _check_ours(path)
        if read_only:
            return cls(path, _read_uid(path), None)
        lock = ProjectLock.take(path)
        try:
            # Looked at once more: another process may have made it before this one had the lock.
            if _is_missing(path, create):
                _make(real(path))
            else:
                _check_ours(path)
            lock.take_own()
            with contextlib.closing(connect(path)) as connection:
                _migrate(connection, path)
                _recover(connection)
                uid = connection.execute("SELECT uid FROM project").fetchone()[0]
                unclean = rows.has_abandoned(connection)
        except sqlite3.Error as error:
            lock.release()
            mended = _cannot_open(path, error)
            if mended is error:
                raise
            raise mended from error
        except BaseException:
            lock.release()
            raise
        return cls(path, uid, lock, unclean=unclean)

    def clean(self) -> None:
        """Remove in the background what was abandoned; closing leaves the rest for next time."""
        if self._cleaner is not None:
            self._cleaner.start()

    async def cleaned(self) -> None:
        """Wait until nothing abandoned is left in the file."""
        if self._cleaner is not None:
            await self._cleaner.finished()

    async def read(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Run a reading operation in the pool, each thread on its own connection."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, operation)

    def _read(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._reader()
            self._local.connection = connection
            self._readers.append(connection)
        try:
            return operation(connection)
        except sqlite3.Error as error:
            mended = told(error)
            if mended is error:  # raised from itself it would be its own cause, without end
                raise
            raise mended from error

    def _reader(self) -> sqlite3.Connection:
        self._place.check()
        connection = connect(self.path, read_only=True)
        stand_in(connection)
        return connection

    @contextlib.contextmanager
    def frozen(self) -> Iterator[sqlite3.Connection]:
        """One state of the file, however long reading it takes; for a thread of one's own."""
        with contextlib.closing(self._reader()) as connection:
            connection.execute("BEGIN")
            yield connection

    async def copy_to(self, target: Path) -> None:
        """Copy the whole file by SQLite's backup, also while it is written.

        Raises:
            ProjectError: the target cannot be written.
        """
        await asyncio.to_thread(self._copy_to, target)

    def _copy_to(self, target: Path) -> None:
        target = target.absolute()
        draft = target.with_name(f"{target.name}.new")
        try:
            draft.unlink(missing_ok=True)
            with (
                contextlib.closing(self._reader()) as source,
                contextlib.closing(sqlite3.connect(draft)) as copy,
            ):
                source.backup(copy)
            draft.replace(target)
        except (OSError, sqlite3.Error) as error:
            raise ProjectError(
                "The copy {path} cannot be written: {reason}.", path=target, reason=error
            ) from error

    async def close(self) -> None:
        """Commit what has gathered, close every connection and give the lock back."""
        if self._cleaner is not None:
            await self._cleaner.stop()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._pool.shutdown(wait=True)
        for connection in self._readers:
            connection.close()
        if self._writer is not None:
            self._writer.close()
        if self._lock is not None:
            self._lock.release()


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode (transactions are written out), set up as the design says.

    Raises:
        ProjectError: for reading only: the file cannot be read where it lies.
    """
    if read_only:
        connection = _connect_to_read(path)
    else:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA cache_size = -16000")  # KiB; memory must not grow with the file
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Also where SQLite may not make the index of its log, which it needs even to read."""
    try:
        return _connect_by_uri(path, "mode=ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        if not path.exists():
            raise
    if has_log(path):
        raise ProjectError(
            "The project file {path} is in use or was not closed properly, and such a file cannot "
            "be read where nothing may be written. Copy it, with the file beside it that ends in "
            "-wal, to a folder you may write to.",
            path=path,
        )
    return _connect_by_uri(path, "mode=ro&immutable=1")  # without a log nobody writes here


def _connect_by_uri(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{options}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("PRAGMA schema_version").fetchone()  # SQLite opens nothing before
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_missing(path: Path, create: bool) -> bool:  # noqa: FBT001 - as in _open
    """Whether there is no file; an empty one counts as none where one may be made."""
    return not path.exists() or (create and path.is_file() and path.stat().st_size == 0)


def _check_ours(path: Path) -> None:
    """Look at the file's first 100 bytes (SQLite's header) before anything opens it.

    The newest version is refused unread: bytes 60 to 63 hold user_version, 68 to 71 the
    application id (https://sqlite.org/fileformat.html#the_database_header).
    """
    if path.is_dir():
        raise ProjectError("{path} is a folder, not a project file.", path=path)
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise ProjectError(
            "The project file {path} cannot be read: {reason}.", path=path, reason=error.strerror
        ) from error
    ours = header[:16] == _SQLITE_HEADER and int.from_bytes(header[68:72]) == schema.APPLICATION_ID
    if not ours:
        raise ProjectError(
            "{path} is not a Batchdesk project. Choose a file that Batchdesk made.", path=path
        )
    _refuse_newer(path, int.from_bytes(header[60:64]))


def _refuse_newer(path: Path, found: int) -> None:
    if found > schema.version():
        raise ProjectError(
            "{path} was made by a newer Batchdesk (its version {found}, known here up to {known}). "
            "Update Batchdesk to open it; the file was not touched.",
            path=path,
            found=found,
            known=schema.version(),
        )


def _cannot_open(path: Path, error: sqlite3.Error) -> Exception:
    mended = told(error)
    if mended is not error:
        return mended
    if isinstance(error, sqlite3.OperationalError) and "unable to open" in str(error):
        return ProjectError(
            "The project file {path} cannot be made or opened. Check that the folder exists and "
            "that you may write in it.",
            path=path,
        )
    if isinstance(error, sqlite3.DatabaseError):
        return ProjectError("The project file {path} is damaged ({error}).", path=path, error=error)
    return error


def _make(path: Path) -> None:
    """Make a new project under another name, then move it: a kill leaves none or a whole one."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    set_aside_leftovers(draft)
    with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        schema.migrate(connection)
        connection.execute(
            "INSERT INTO project (id, uid, created_at, created_by) VALUES (1, ?, ?, ?)",
            (uuid.uuid4().hex[:12], time.time(), f"Batchdesk {__version__}"),
        )
    set_aside_leftovers(path)
    draft.replace(path)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Back an older file up beside itself, then apply what is pending."""
    before = connection.execute("PRAGMA user_version").fetchone()[0]
    if before == schema.version():
        return
    _refuse_newer(path, before)  # its header may still lie in the log beside it
    backup = path.with_name(f"{path.name}.v{before}-backup")
    with contextlib.closing(sqlite3.connect(backup)) as target:
        connection.backup(target)
    schema.migrate(connection)


def _recover(connection: sqlite3.Connection) -> None:
    """After a crash: running tasks may be sent again, running runs are paused, halves go."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(  # the run ids let SQLite use the index: no scan of a million tasks
        "UPDATE task SET state = 'pending'"
        " WHERE run_id IN (SELECT id FROM run) AND state = 'running'"
    )
    connection.execute("UPDATE run SET state = 'paused' WHERE state = 'running'")
    for (run_id,) in connection.execute("SELECT id FROM run WHERE state = 'preparing'").fetchall():
        runs.drop_run(connection, run_id)
    rows.abandon_halves(connection)
    connection.execute("COMMIT")


def _read_uid(path: Path) -> str:
    try:
        with contextlib.closing(connect(path, read_only=True)) as connection:
            return str(connection.execute("SELECT uid FROM project").fetchone()[0])
    except (sqlite3.Error, TypeError) as error:
        raise ProjectError(
            "The project file {path} cannot be read ({error}).", path=path, error=error
        ) from error
