"""Rows that are nearly the same, found by MinHash: a suggestion for a person, never a decision.

Texts go in one by one; groups around the first row of each come out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

COMPARED_MAX = 200_000  # rows; 128 numbers are kept for each, about 0.7 kB
_PIECE = 4  # characters; long enough for letters, short enough for Chinese
_NUMBERS, _SEED = 128, 20_260
_LOOKED_AT = 100  # first rows that may be like a row; more come only of rows that are all alike


@dataclass(frozen=True, slots=True)
class NearGroup:
    """Rows that look like the first one.

    Attributes:
        first: Id of the row that came first.
        others: (row id, estimated share of common pieces), each at the threshold or above.
    """

    first: int
    others: tuple[tuple[int, float], ...]


class NearDuplicates:
    """Compares each row with the first rows of all groups so far.

    Args:
        threshold: Share of common pieces (Jaccard index), 0.5 to 1. The estimate is off by about
            0.03 at 0.85 (standard error).

    Attributes:
        compared: Rows compared; at most ``COMPARED_MAX``, later ones are not looked at.
    """

    def __init__(self, threshold: float) -> None:
        import rensa  # noqa: PLC0415 - native code, needed only when somebody asks for this step

        self._threshold = threshold
        self._minhash = rensa.RMinHash
        self._index = rensa.RMinHashLSH(threshold, _NUMBERS, _bands(threshold))
        self._firsts: dict[int, rensa.RMinHash] = {}
        self._groups: dict[int, list[tuple[int, float]]] = {}
        self.compared = 0

    def add(self, row: int, text: str) -> None:
        """Compare one more row; ``row`` is its id, 0 or more."""
        if self.compared >= COMPARED_MAX:
            return
        self.compared += 1
        sketch = self._minhash(_NUMBERS, _SEED)
        sketch.update(pieces(text))
        near = [
            (self._firsts[first].jaccard(sketch), -first) for first in self._index.query(sketch)
        ]
        likeness, first = max(near, default=(0.0, 0))
        if likeness >= self._threshold:
            self._groups.setdefault(-first, []).append((row, round(likeness, 3)))
            return
        self._firsts[row] = sketch
        self._index.insert(row, sketch)

    def groups(self) -> tuple[NearGroup, ...]:
        """The groups of two and more, in the order of their first rows' coming."""
        order = [first for first in self._firsts if first in self._groups]
        return tuple(NearGroup(first, tuple(self._groups[first])) for first in order)


def near_duplicates(rows: Iterable[tuple[int, str]], threshold: float) -> tuple[NearGroup, ...]:
    """The groups among (row id, text)."""
    made = NearDuplicates(threshold)
    for row, text in rows:
        made.add(row, text)
    return made.groups()


def pieces(text: str) -> list[str]:
    """The different pieces of a text, without spaces and without upper case; sorted."""
    plain = "".join(text.casefold().split())
    if len(plain) <= _PIECE:
        return [plain]
    return sorted({plain[at : at + _PIECE] for at in range(len(plain) - _PIECE + 1)})


def _bands(threshold: float) -> int:
    """Bands of the index: two rows at the threshold meet in one with 99 % and more."""
    if threshold >= 0.85:  # noqa: PLR2004 - 16 bands of 8 numbers: 1 - (1 - 0.85^8)^16 = 0.994
        return 16
    return 32 if threshold >= 0.65 else 64  # noqa: PLR2004 - 32 of 4: 0.998; 64 of 2: 1.000
