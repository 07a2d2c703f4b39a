"""Where the project's file lies: whether its path still leads to it, and what lies beside it.

Comes in: the path. Goes out: a ProjectError once another file, or none, is there; leftovers of
another file, moved out of a new one's way; and whether the folder is a risky one. Nothing is ever
deleted here.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from batchdesk.errors import ProjectError

_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite takes for the file's own
_NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afpfs", "webdav", "fuse.rclone"}
)
_SYNC_FOLDERS = (
    *("dropbox", "onedrive", "google drive", "googledrive", "icloud", "com~apple~clouddocs"),
    *("nextcloud", "owncloud", "nutstore", "坚果云", "baidusyncdisk", "box sync"),
)


class Place:
    """Where the file was when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened = identity(path)

    def check(self) -> None:
        """Do nothing if the path leads to the opened file; one ``stat``, so as often as wanted.

        Raises:
            ProjectError: the file was moved, deleted or replaced.
        """
        if self._opened is None:
            return
        try:
            found = identity(self._path)
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


def identity(path: Path) -> tuple[int, int] | None:
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


def risk_of(path: Path) -> str | None:
    """``network`` or ``sync`` if the folder is one where SQLite's log is not safe, else None."""
    folder = path.absolute().parent
    if str(folder).startswith(("\\\\", "//")) or _file_system(folder) in _NETWORK_FILE_SYSTEMS:
        return "network"
    names = [part.lower() for part in folder.parts]
    if any(name.startswith(mark) for name in names for mark in _SYNC_FOLDERS):
        return "sync"
    return None


def _file_system(folder: Path) -> str:
    """The file system's type by the longest mount point above the folder (Linux); else empty."""
    if not sys.platform.startswith("linux"):
        return ""
    best, kind = "", ""
    try:
        mounts = Path("/proc/mounts").read_text("utf-8", "replace")
    except OSError:
        return ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ")
        if folder.is_relative_to(point) and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind
