"""Row keys: the id column's values, made unique, or row numbers.

Values of the id column come in, row by row in the order of the file; keys go out. A key that had
to be changed is changed visibly and noted in the problem log. The outcome depends on the file
alone, not on how its rows are batched, so that reading it again gives the same keys.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from batchdesk.tables.base import ProblemKind, ProblemLog
from batchdesk.tables.key_set import KeySet


class KeyAssigner:
    """Gives every row its key.

    A second ``A-7`` becomes ``A-7 (2)``, an empty key of the twelfth row ``row 12``. If such a
    name is taken, the next free number is used. A row whose own key was already given away in
    this manner counts as a duplicate in its turn, and so does one that differs from an earlier key
    in white space or in how its characters are composed: answers are matched without these.

    Args:
        has_key_column: Without one, the key is the row number: ``1``, ``2``, …
        log: Takes what had to be changed; a new one unless given.
    """

    def __init__(self, *, has_key_column: bool, log: ProblemLog | None = None) -> None:
        self.log = log if log is not None else ProblemLog()
        self._has_key_column = has_key_column
        self._row = 0
        self._taken = KeySet()
        self._next_number: dict[str, int] = {}  # only of keys that occurred twice

    def number(self, count: int) -> list[str]:
        """Keys of so many next rows where there is no id column."""
        first = self._row + 1
        self._row += count
        return list(map(str, range(first, self._row + 1)))

    def assign(self, rows: Iterable[tuple[int, str | None]]) -> list[str]:
        """Keys of the next rows.

        Args:
            rows: Line in the file and value of the id column (ignored without an id column).
        """
        if not self._has_key_column:
            return self.number(sum(1 for _ in rows))
        given = list(rows)
        values = [value or "" for _, value in given]
        plain = list(map(_plain, values))
        if all(plain) and self._taken.add_new(plain):
            self._row += len(given)
            return values
        older = self._taken.older(plain)
        return [
            self._next(line, value, text, is_older=is_older)
            for (line, _), value, text, is_older in zip(given, values, plain, older, strict=True)
        ]

    def part(self, line: int, key: str, number: int) -> str:
        """The key of a part of the row that was given ``key`` last: ``A-7#2``.

        Args:
            line: Where the row stands in the file.
            key: The row's own.
            number: The part's, from 1.
        """
        wanted = f"{key}#{number}"
        if not self._has_key_column:
            return wanted
        plain = _plain(wanted)
        return self._unlike(line, wanted, plain, is_taken=plain in self._taken)

    def _next(self, line: int, value: str, plain: str, *, is_older: bool) -> str:
        self._row += 1
        if plain:
            is_taken = is_older or self._taken.is_recent(plain)
            return self._unlike(line, value, plain, is_taken=is_taken)
        key = self._free(f"row {self._row}")
        self.log.add(ProblemKind.EMPTY_KEY, line, key=key)
        self._taken.add(_plain(key))
        return key

    def _unlike(self, line: int, value: str, plain: str, *, is_taken: bool) -> str:
        """The value, or if another row has it already, one with a number."""
        if not is_taken:
            self._taken.add(plain)
            return value
        key = self._free(value)
        self.log.add(ProblemKind.DUPLICATE_KEY, line, value=value, key=key)
        self._taken.add(_plain(key))
        return key

    def _free(self, wanted: str) -> str:
        plain = _plain(wanted)
        if plain not in self._taken:
            return wanted
        number = self._next_number.get(plain, 2)
        while _plain(key := f"{wanted} ({number})") in self._taken:
            number += 1
        # Counted on from here next time: a column that is all the same value stays linear.
        self._next_number[plain] = number + 1
        return key


def _plain(key: str) -> str:
    """What two keys are told apart by."""
    text = " ".join(key.split())
    return text if text.isascii() else unicodedata.normalize("NFC", text)
