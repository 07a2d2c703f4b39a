"""The lock on a project file: one process at a time may write to it.

A path comes in. The lock is a file beside the project, where everybody who may write sees it; and,
since a person may clear that away while the project is open, a second one in the user's own folder,
named after the project file itself. Neither lies in the file: a handle of ours on it would, when it
is closed, undo the locks that SQLite has there.
"""

from __future__ import annotations

import contextlib
import platform
from hashlib import blake2b
from pathlib import Path
from typing import Self

import filelock

from batchdesk import paths
from batchdesk.errors import ProjectError
from batchdesk.store.place import identity, real


class ProjectLock:
    """Held until ``release``; use ``take``.

    Args:
        path: The project file, which need not exist yet.
        beside: The lock beside it, taken.
    """

    def __init__(self, path: Path, beside: filelock.BaseFileLock) -> None:
        self._path, self._beside = path, beside
        self._own: filelock.BaseFileLock | None = None

    @classmethod
    def take(cls, path: Path) -> Self:
        """Take the lock beside the file, before anything is done with the file.

        Raises:
            ProjectError: another process has it, or there can be none.
        """
        if not path.parent.is_dir():
            raise ProjectError(
                "There is no folder {folder}. Make it first, or choose another one for the "
                "project.",
                folder=path.parent,
            )
        lock = _lock(_beside(path))
        try:
            lock.acquire()
        except filelock.Timeout:
            raise _is_open(path) from None
        except OSError as error:
            raise ProjectError(
                "Batchdesk may not write in the folder {folder} ({reason}). Choose another folder "
                "for the project file.",
                folder=path.parent,
                reason=error.strerror or error,
            ) from error
        return cls(path, lock)

    def take_own(self) -> None:
        """Take the second one too, once the file is there.

        Raises:
            ProjectError: another process has it: the lock beside the file was cleared away.
        """
        place = _own(self._path)
        if place is None:
            return
        lock = _lock(place)
        try:
            lock.acquire()
        except filelock.Timeout:
            raise _is_open(self._path) from None
        except OSError:  # a user without a folder of their own has the first lock only
            return
        self._own = lock

    def release(self) -> None:
        """Give both back; the one beside the file stays there as an empty file."""
        if self._own is not None:
            self._own.release()
            with contextlib.suppress(OSError):  # on Windows, if another takes it just now
                Path(self._own.lock_file).unlink(missing_ok=True)
        self._beside.release()


def is_held(path: Path) -> bool:
    """Whether some process has a project open for writing."""
    places = [_beside(path), _own(path)]
    return any(_is_taken(place) for place in places if place is not None and place.exists())


def _is_taken(place: Path) -> bool:
    try:
        with _lock(place):
            return False
    except (filelock.Timeout, OSError):  # without the right to look, it may well be
        return True


def _lock(place: Path) -> filelock.BaseFileLock:
    return filelock.FileLock(place, blocking=False, thread_local=False)


def _beside(path: Path) -> Path:
    return Path(f"{real(path)}.lock")


def _own(path: Path) -> Path | None:
    """The second lock; None where the file has no identity, or the user no folder.

    The computer's name is part of it: folders of users may lie on a server.
    """
    try:
        found = identity(path)
        folder = paths.user_data() / "locks"
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    if found is None:
        return None
    name = blake2b(f"{platform.node()} {found}".encode(), digest_size=16).hexdigest()
    return folder / f"{name}.lock"


def _is_open(path: Path) -> ProjectError:
    return ProjectError(
        "The project {path} is open in another window. Use that one, or close it first.", path=path
    )
