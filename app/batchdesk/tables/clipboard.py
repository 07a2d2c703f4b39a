"""A table that was copied from a spreadsheet or a text: rows from a string instead of a file.

Text comes in, rows go out by the same rules as from a CSV file. Spreadsheets copy cells with tabs
between them and quote those with line breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from batchdesk.errors import TableError
from batchdesk.tables.base import Reader, ReadOptions
from batchdesk.tables.delimited import DelimitedReader
from batchdesk.tables.source import Probe, split_lines

NAME = "pasted.csv"
_HEAD = 262_144


class _TextLines:
    """The lines of a text, as ``LineSource`` gives those of a file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._given = False

    def blocks(self) -> Iterator[list[str]]:
        """All lines at once: the text is in memory anyhow."""
        self._given = True
        yield split_lines(self._text.replace("\0", ""))

    def progress(self) -> float:
        """0 before, 1 after."""
        return float(self._given)

    def close(self) -> None:
        """Nothing is open."""


def read_text(text: str, options: ReadOptions | None = None) -> Reader:
    """A reader of pasted text: TSV or CSV with the names of the columns in its first line.

    Raises:
        TableError: there is nothing but white space, or no header.
    """
    if not text.strip():
        raise TableError("There is no table on the clipboard: copy its cells and try again.")
    text = text.lstrip("\ufeff")
    probe = Probe("utf-8", text[:_HEAD], len(text) <= _HEAD)
    return DelimitedReader(Path(NAME), options or ReadOptions(), probe, _TextLines(text))
