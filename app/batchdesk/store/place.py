"""Where the project's file lies: whether its path still leads to it, and what lies beside it.

Comes in: the path. Goes out: a ProjectError once another file, or none, is there; and leftovers of
another file, moved out of a new one's way. Nothing is ever deleted here.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from batchdesk.errors import ProjectError

_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite takes for the file's own


class Place:
    """Where the file was when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened = _identity(path)

    def check(self) -> None:
        """Do nothing if the path leads to the opened file; one ``stat``, so as often as wanted.

        Raises:
            ProjectError: the file was moved, deleted or replaced.
        """
        if self._opened is None:
            return
        try:
            found = _identity(self._path)
        except (FileNotFoundError, NotADirectoryError):
            found = None
        except OSError:  # the disk does not answer: the write itself will tell
            return
        if found != self._opened:
            raise ProjectError(
                "The project file {path} was moved, deleted or replaced while it was open. Put it "
                "back, or open it where it is now; what was saved before is in it.",
                path=self._path,
            )


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode; None where the file system has no inodes."""
    found = path.stat()
    return (found.st_dev, found.st_ino) if found.st_ino else None


def real(path: Path) -> Path:
    """The file behind every symbolic link: all names of one file share one lock."""
    return Path(os.path.realpath(path))


def has_log(path: Path) -> bool:
    """Whether SQLite's log beside the file may hold something that the file has not."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


def set_aside_leftovers(path: Path) -> None:
    """Rename the logs of a file that is gone: SQLite would write them into a new one."""
    for suffix in _BESIDE:
        leftover = path.with_name(f"{path.name}{suffix}")
        if leftover.exists():
            leftover.rename(_free(path.with_name(f"{path.name}.lost{suffix}")))


def _free(path: Path) -> Path:
    """This name, or the first one with a number that is not taken."""
    numbered = (path.with_name(f"{path.name}-{number}") for number in itertools.count(2))
    return next(name for name in itertools.chain([path], numbered) if not name.exists())
