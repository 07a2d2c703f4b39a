"""A file that appears under its name only when it is whole.

A target path and bytes come in. They go to a temporary file in the same folder, which takes the
target's place at the end and is removed if anything goes wrong. Both writers stand on it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from pathlib import Path
from typing import BinaryIO, Self

from batchdesk.errors import TableError

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class AtomicFile:
    """Write with ``with AtomicFile(path) as file: file.write(…)``.

    Raises:
        TableError: from any method: no such folder, no permission, disk full, target in use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = Path(os.path.realpath(path))  # a link stays a link
        self._temporary = self._target.with_name(
            f".{self._target.name[:100]}.{secrets.token_hex(4)}.part"
        )
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        if self._target.is_dir():
            raise TableError(
                "{name} is a folder: choose another name for the file.", name=self._path.name
            )
        try:
            self._file = self._temporary.open("xb")
        except OSError as error:
            raise self._in_words(error) from error
        return self

    def __exit__(self, *exc: object) -> None:
        try:
            if not exc or exc[0] is None:
                self._finish()
        finally:
            self._discard()

    def write(self, data: bytes) -> None:
        """Append bytes."""
        if self._file is None:
            raise RuntimeError("write outside of the with block")
        try:
            self._file.write(data)
        except OSError as error:
            raise self._in_words(error) from error

    def _finish(self) -> None:
        if self._file is None:
            raise RuntimeError("left without having been entered")
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            if self._target.exists():
                shutil.copymode(self._target, self._temporary)
            os.replace(self._temporary, self._target)  # noqa: PTH105 - the one call that is atomic everywhere
        except PermissionError as error:
            raise TableError(
                "{name} could not be replaced: another program holds it open. Close it there "
                "(Excel locks the files it shows) and export again.",
                name=self._path.name,
            ) from error
        except OSError as error:
            raise self._in_words(error) from error

    def _discard(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk complains again at close
                self._file.close()
            self._file = None
        with contextlib.suppress(OSError):  # gone after a success
            self._temporary.unlink(missing_ok=True)

    def _in_words(self, error: OSError) -> TableError:
        name, folder = self._path.name, str(self._target.parent)
        if error.errno in _FULL:
            return TableError(
                "The disk is full: {name} was not written. Free some space or choose another "
                "disk, and export again.",
                name=name,
            )
        if isinstance(error, FileNotFoundError):
            return TableError(
                "The folder {folder} does not exist: choose another one.", folder=folder
            )
        if isinstance(error, PermissionError):
            return TableError(
                "Nothing may be written to the folder {folder}: choose another one.", folder=folder
            )
        return TableError(
            "{name} could not be written: {reason}. Choose another folder and export again.",
            name=name,
            reason=error.strerror or str(error),
        )
