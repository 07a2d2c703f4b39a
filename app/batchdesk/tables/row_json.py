"""Rows of text cells as JSON objects, at the speed that an import of a million rows needs.

Columns and rows come in; one JSON object a row goes out, the same text as ``json.dumps`` gives for
a dictionary without ``ensure_ascii``. Half the time, because the keys are written once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json.encoder import encode_basestring
from typing import cast

from batchdesk.tables.base import Row

_encode = cast("Callable[[str | None], str]", encode_basestring)  # raises TypeError for None


class RowJson:
    """Makes JSON of rows; cells beyond the columns and columns beyond the cells are left out.

    Args:
        columns: Names in order; they may grow later.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._template = ""
        self._width = -1

    def many(self, rows: Sequence[Row]) -> list[str]:
        """One JSON object a row, with a text or null for each cell."""
        return [self._one(row) for row in rows]

    def _one(self, row: Row) -> str:
        if len(row) != self._width:
            row = row[: len(self._columns)]
            self._learn(len(row))
        try:
            return self._template % tuple(map(_encode, row))
        except TypeError:  # a cell without a value
            return self._template % tuple(
                ["null" if cell is None else encode_basestring(cell) for cell in row]
            )

    def _learn(self, width: int) -> None:
        if width != self._width:
            names = map(encode_basestring, self._columns[:width])
            self._template = (
                "{" + ", ".join(name.replace("%", "%%") + ": %s" for name in names) + "}"
            )
            self._width = width
