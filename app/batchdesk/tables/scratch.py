"""A temporary file for libraries that write to a path of their own, copied into place at the end.

Nothing comes in; a path goes out, and later the bytes that were written there go to an atomic
file. It lies in the system's folder for such files and is removed whatever happens.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

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
