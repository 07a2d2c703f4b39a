"""Rows that are nearly the same, found by MinHash: a suggestion for a person, never a decision.

Texts go in one by one; groups around the first row of each come out. Rows are compared only with
a few that share a band of their sketch, so the time grows with the rows and not with their square.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPARED_MAX = 200_000  # rows; a sketch of each is kept, 100 MB in all
_PIECE = 4  # characters; long enough for letters, short enough for Chinese
_NUMBERS, _SEED = 128, 20_260
_BATCH = 4096  # rows that are sketched, and pairs that are compared, at once


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
    """Gathers the sketches of rows and finds groups among them.

    Args:
        threshold: Share of common pieces (Jaccard index), 0.5 to 1. The estimate is off by about
            0.03 at 0.85 (standard error).

    Attributes:
        compared: Rows gathered; at most ``COMPARED_MAX``, later ones are not looked at.
    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._rows = array("q")
        self._sketches = array("I")
        self._waiting: list[list[str]] = []
        self.compared = 0

    def add(self, row: int, text: str) -> None:
        """Gather one more row; ``row`` is its id."""
        if self.compared >= COMPARED_MAX:
            return
        self.compared += 1
        self._rows.append(row)
        self._waiting.append(pieces(text))
        if len(self._waiting) == _BATCH:
            self._sketch()

    def groups(self) -> tuple[NearGroup, ...]:
        """The groups of two and more so far, in the order of their first rows' coming."""
        import numpy as np  # noqa: PLC0415 - heavy, needed only when somebody asks for this step

        self._sketch()
        sketches = np.frombuffer(self._sketches, dtype=np.uint32).reshape(-1, _NUMBERS)
        found: dict[int, list[tuple[int, float]]] = {}
        first_of: dict[int, int] = {}
        for place, near in sorted(_pairs(sketches, self._threshold).items()):
            for earlier in sorted(near):
                first = first_of.get(earlier, earlier)
                likeness = float((sketches[place] == sketches[first]).mean())
                if likeness >= self._threshold:
                    first_of[place] = first
                    found.setdefault(first, []).append((self._rows[place], round(likeness, 3)))
                    break
        return tuple(NearGroup(self._rows[first], tuple(found[first])) for first in sorted(found))

    def _sketch(self) -> None:
        if not self._waiting:
            return
        import rensa  # noqa: PLC0415 - as numpy

        for sketch in rensa.RMinHash.digests_from_token_sets(self._waiting, _NUMBERS, _SEED):
            self._sketches.extend(sketch)
        self._waiting.clear()


def pieces(text: str) -> list[str]:
    """The different pieces of a text, without spaces and without upper case; sorted."""
    plain = "".join(text.casefold().split())
    if len(plain) <= _PIECE:
        return [plain]
    return sorted({plain[at : at + _PIECE] for at in range(len(plain) - _PIECE + 1)})


def _pairs(sketches: NDArray[np.uint32], threshold: float) -> dict[int, set[int]]:
    """For each row the earlier rows that are like it, among those it shares a band with.

    Of a band's rows each is compared with the first and with the one before it.
    """
    import numpy as np  # noqa: PLC0415 - as above

    pairs: dict[int, set[int]] = {}
    bands = _bands(threshold)
    width = _NUMBERS // bands
    for band in range(bands):
        part = np.ascontiguousarray(sketches[:, band * width : (band + 1) * width])
        keys = part.view(np.dtype((np.void, width * 4))).ravel()
        _, kind = np.unique(keys, return_inverse=True)
        order = np.argsort(kind, kind="stable")
        starts = np.flatnonzero(np.diff(kind[order], prepend=-1))
        first = np.repeat(order[starts], np.diff(starts, append=len(order)))
        before = np.concatenate([order[:1], order[:-1]])
        for other in (first, before):
            same = (kind[order] == kind[other]) & (order != other)
            _note_like(pairs, sketches, order[same], other[same], threshold)
    return pairs


def _note_like(
    pairs: dict[int, set[int]],
    sketches: NDArray[np.uint32],
    rows: NDArray[np.intp],
    others: NDArray[np.intp],
    threshold: float,
) -> None:
    for at in range(0, len(rows), _BATCH):
        one, two = rows[at : at + _BATCH], others[at : at + _BATCH]
        like = (sketches[one] == sketches[two]).mean(axis=1) >= threshold
        for row, other in zip(one[like].tolist(), two[like].tolist(), strict=True):
            pairs.setdefault(row, set()).add(other)


def _bands(threshold: float) -> int:
    """Bands of a sketch: two rows at the threshold meet in one with 99 % and more."""
    if threshold >= 0.85:  # noqa: PLR2004 - 16 bands of 8 numbers: 1 - (1 - 0.85^8)^16 = 0.994
        return 16
    return 32 if threshold >= 0.65 else 64  # noqa: PLR2004 - 32 of 4: 0.998; 64 of 2: 1.000
