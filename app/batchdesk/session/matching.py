"""Which rows of a file were in the table before: by their ids, else by content and occurrence.

Rows of the table come in first, rows of the file after them, each with its key and its cells. Out
goes what each one is, and what is gone at the end. Pure; a million rows take about 150 MB.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Change(StrEnum):
    """What became of a row between two imports of a file."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    VANISHED = "vanished"


@dataclass(frozen=True, slots=True)
class Match:
    """What a row of the file is; ``earlier_id`` is the table's row, None for a new one."""

    change: Change
    earlier_id: int | None = None


class Matcher:
    """Matches a file's rows with a table's.

    Args:
        columns: The columns that both have: only they are compared.
        by_key: Whether keys are ids; else equal rows are matched, the first with the first.
    """

    def __init__(self, columns: Sequence[str], *, by_key: bool) -> None:
        self._columns = tuple(columns)
        self._by_key = by_key
        self._ids = array("q")
        self._digests = array("Q")
        self._seen = bytearray()
        self._first: dict[str | int, int] = {}  # key or digest → index
        self._more: dict[int, deque[int]] = {}  # digest → further indexes, in their order

    def remember(self, row_id: int, key: str, cells: Mapping[str, str | None]) -> None:
        """A row of the table."""
        index, digest = len(self._ids), self._digest(cells)
        self._ids.append(row_id)
        self._digests.append(digest)
        self._seen.append(0)
        known = self._first.setdefault(key if self._by_key else digest, index)
        if known != index and not self._by_key:
            self._more.setdefault(digest, deque()).append(index)

    def match(self, key: str, cells: Mapping[str, str | None]) -> Match:
        """The next row of the file."""
        digest = self._digest(cells)
        if not self._by_key:
            return self._next_equal(digest)
        index = self._first.get(key)
        if index is None or self._seen[index]:
            return Match(Change.NEW)
        self._seen[index] = 1
        same = self._digests[index] == digest
        return Match(Change.UNCHANGED if same else Change.CHANGED, self._ids[index])

    def vanished(self) -> array[int]:
        """Ids of the table's rows that no row of the file was matched with."""
        pairs = zip(self._ids, self._seen, strict=True)
        return array("q", (row_id for row_id, seen in pairs if not seen))

    def _next_equal(self, digest: int) -> Match:
        index = self._first.get(digest)
        if index is not None and self._seen[index]:
            more = self._more.get(digest)
            index = more.popleft() if more else None
        if index is None:
            return Match(Change.NEW)
        self._seen[index] = 1
        return Match(Change.UNCHANGED, self._ids[index])

    def _digest(self, cells: Mapping[str, str | None]) -> int:
        """64 bits of the compared cells; a missing cell is an empty one."""
        text = json.dumps([cells.get(name) or "" for name in self._columns], ensure_ascii=False)
        data = text.encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())
