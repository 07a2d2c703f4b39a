"""For libraries that write to a path of their own: a temporary file, copied into place at the end.

``ScratchFile`` is the file: a path goes out, and later the bytes that were written there go to an
atomic file. It lies in the system's folder for such files and is removed whatever happens.
``ScratchWriter`` is what the writers on it share: entering, leaving, and faults in words.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from batchdesk.errors import TableError
from batchdesk.tables.atomic import AtomicFile

_BLOCK = 2**20


class ScratchFile:
    """One temporary file; ``open`` it, write to its path, ``copy_to`` a target, ``remove`` it."""

    def __init__(self) -> None:
        self._path: Path | None = None

    def open(self) -> Path:
        """Make an empty file.

        Raises:
            TableError: the system's folder for temporary files takes none.
        """
        try:
            handle, name = tempfile.mkstemp(prefix="batchdesk-")
        except OSError as error:
            raise TableError(
                "No temporary file can be written: {reason}. Free some space on the system's disk.",
                reason=error.strerror or str(error),
            ) from error
        os.close(handle)
        self._path = Path(name)
        return self._path

    def copy_to(self, target: AtomicFile) -> None:
        """Append the file's bytes to a target."""
        if self._path is None:
            raise RuntimeError("copied before it was opened")
        with self._path.open("rb") as file:
            while block := file.read(_BLOCK):
                target.write(block)

    def remove(self) -> None:
        """Remove the file, if there is one."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


class ScratchWriter(ABC):
    """A writer whose library wants a path of its own; see ``base.Writer``.

    Args:
        path: The target; replaced if it exists.
        columns: Names in order.

    Raises:
        TableError: from any method: no such folder, no permission, disk full, target in use.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._columns = list(columns)
        self._names = set(columns)
        self._name = path.name
        self._scratch = ScratchFile()
        self._file = AtomicFile(path)

    @abstractmethod
    def _begin(self, path: Path) -> None:
        """Open the library's file."""

    @abstractmethod
    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows; their columns are announced ones."""

    @abstractmethod
    def _end(self) -> None:
        """Make the library's file whole."""

    @abstractmethod
    def _put_away(self) -> None:
        """Close what is open, whether the file became whole or not."""

    @abstractmethod
    def _faults(self) -> tuple[type[Exception], ...]:
        """What the library raises when it cannot write."""

    def __enter__(self) -> Self:
        self._file.__enter__()
        try:
            with self._in_words():
                self._begin(self._scratch.open())
        except BaseException as error:
            self._leave(type(error))
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        if exc and exc[0] is not None:
            self._leave(*exc)
            return
        try:
            with self._in_words():
                self._end()
                self._scratch.copy_to(self._file)
        except BaseException as error:
            self._leave(type(error))
            raise
        self._leave(None)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows; a column that a row lacks has no value.

        Raises:
            ValueError: a row has a column that was not announced.
        """
        for row in rows:
            if not row.keys() <= self._names:
                raise ValueError(f"unannounced columns: {sorted(row.keys() - self._names)}")
        with self._in_words():
            self._append(rows)

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except self._faults() as error:
            raise TableError(
                "{name} could not be written: {reason}. Choose another folder and export again.",
                name=self._name,
                reason=getattr(error, "strerror", None) or str(error),
            ) from error

    def _leave(self, *exc: object) -> None:
        try:
            self._put_away()
            self._file.__exit__(*exc)
        finally:
            self._scratch.remove()
