"""Where the project's file lies: whether its path still leads to the file that was opened.

Comes in: the path. Goes out: a ProjectError once another file, or none, is there.
"""

from __future__ import annotations

from pathlib import Path

from batchdesk.errors import ProjectError


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
