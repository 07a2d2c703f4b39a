"""A folder of documents as a table: one row per file, with its text and where its parts begin.

A folder comes in and rows go out, a file at a time, in the order of their names; folders within it
are read too. A file that cannot be read gives no row, and is named among the problems. A single
document is a table of one row.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from batchdesk.errors import TableError
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.documents import SUFFIXES, Document, read_document
from batchdesk.tables.source import open_file

COLUMNS = ("name", "text", "pages", "positions")
FILES_MAX = 200_000


class FolderReader:
    """Reads a folder's documents; see ``base.Reader``. A row's line is the number of its file.

    The columns are ``name`` (the path within the folder, with ``/``), ``text``, ``pages`` (how
    many, where the format has pages) and ``positions``: JSON with the lists ``pages`` and
    ``paragraphs`` of where each begins in the text, counted in characters from 0.

    Args:
        path: The folder, or one document.
        options: ``encoding`` of its text files; guessed for each unless told.

    Raises:
        TableError: the folder cannot be read, or has no file that is a document.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self.columns = list(COLUMNS)
        self.format = TableFormat("folder" if path.is_dir() else "document", options.encoding or "")
        self._options = options
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._done = 0
        if path.is_dir():
            self._folder, self._files = path, documents_in(path)
        else:
            open_file(path).close()
            self._folder, self._files = path.parent, [path]
        if not any(file.suffix.lower() in SUFFIXES for file in self._files):
            raise TableError(
                "The folder {name} has no file that can be read as a row: it takes {known}.",
                name=path.name,
                known=", ".join(SUFFIXES),
            )

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        found = False
        for number, file in enumerate(self._files, start=1):
            self._done = number
            row = self._row(file, number)
            if row is not None:
                found = True
                yield number, row
        if not found:
            raise TableError(
                "No file of the folder {name} could be read; the problems say why.",
                name=self.path.name,
            )

    def progress(self) -> float:
        """Share of the files read so far, 0 to 1."""
        return self._done / len(self._files)

    def close(self) -> None:
        """Nothing stays open between rows."""

    def _row(self, file: Path, number: int) -> Row | None:
        name = file.relative_to(self._folder).as_posix().encode("utf-8", "replace").decode()
        if file.suffix.lower() not in SUFFIXES:
            reason = "another kind of file"
            self._log.add(ProblemKind.UNREADABLE_FILE, number, name=name, reason=reason)
            return None
        try:
            document = read_document(file, self._options)
        except TableError as error:
            if file == self.path:
                raise
            self._log.add(ProblemKind.UNREADABLE_FILE, number, name=name, reason=str(error))
            return None
        if document.undecodable:
            self._log.add(ProblemKind.UNDECODABLE, number, count=document.undecodable)
        if not document.text.strip():
            self._log.add(ProblemKind.NO_TEXT, number, name=name)
        pages = document.page_starts
        return [name, document.text, str(len(pages)) if pages else None, _positions(document)]


def documents_in(folder: Path) -> list[Path]:
    """All files of a folder and the folders in it by name, without hidden ones.

    Links to folders are not followed.

    Raises:
        TableError: the folder cannot be read, or has too many files.
    """
    files: list[Path] = []

    def refuse(error: OSError) -> None:
        if not files:
            raise TableError(
                "The folder {name} may not be read: {reason}.",
                name=folder.name,
                reason=error.strerror or str(error),
            ) from error

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [Path(place, name) for name in sorted(names) if not name.startswith((".", "~$"))]
        if len(files) > FILES_MAX:
            raise TableError(
                "The folder {name} has more than {limit} files: choose one with less in it.",
                name=folder.name,
                limit=FILES_MAX,
            )
    return files


def _positions(document: Document) -> str:
    places = {
        "pages": list(document.page_starts or ()),
        "paragraphs": list(document.paragraph_starts),
    }
    return json.dumps(places, separators=(",", ":"))
