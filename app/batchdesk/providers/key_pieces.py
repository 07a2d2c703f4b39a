"""Finds pieces of a key in a text: some services repeat a part of it, in any case.

In come a key and texts, out go the stretches of a text that are a piece of the key. Words that a
key is put together from (``sk-proj-``, ``required``) are no secret, and answers may hold them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LEAST = 8  # characters that count as a piece
_ANCHOR = 4  # characters that are searched for
# Of as many starts in a row as this, one lies on the grid: no piece is without a whole anchor.
_GRID = _LEAST - _ANCHOR + 1
_LONGEST_WORD = 12  # letters; more in a row are no word
_ESCAPE_LENGTH = 6  # of \u0041
_LONGEST_RUN = 64  # backslashes that are counted


class KeyPieces:
    """The pieces of one key, eight characters and more.

    The work on a text is bounded: a fast search per five characters of the key, and a comparison
    no longer than the key for every place that these find.

    Args:
        key: ASCII.
    """

    def __init__(self, key: str) -> None:
        # Quotes and backslashes may be the text's own, as JSON: no piece goes across one.
        self._key = re.sub(r'["\\]', "\0", key.lower())
        self._is_word = _words(key)
        starts = range(0, len(key) - _ANCHOR + 1, _GRID)
        self._anchors = [(self._key[at : at + _ANCHOR], at) for at in starts]

    def remove(self, text: str, instead: str) -> str:
        """The text with ``instead`` in the place of each piece."""
        # The one letter whose small form is longer would shift all that follows.
        small = text.replace("\u0130", "\1").lower().replace("\0", "\1")
        kept, end = [], 0
        for start, stop in _merged(sorted(self._found(small))):
            kept += [text[end:start], instead]
            end = stop
        return "".join([*kept, text[end:]]) if kept else text

    def _found(self, small: str) -> Iterator[tuple[int, int]]:
        for anchor, at in self._anchors:
            place = small.find(anchor)
            while place >= 0:
                before, after = self._reach(small, place, at)
                start = _after_escape(small, place - before, place)
                stop = place + after
                first = at - (place - start)
                is_secret = not all(self._is_word[first : at + after])
                if stop - start >= _LEAST and is_secret:
                    yield start, stop
                    place = small.find(anchor, stop)
                else:
                    place = small.find(anchor, place + 1)

    def _reach(self, small: str, place: int, at: int) -> tuple[int, int]:
        """How far text and key agree before and from an anchor."""
        key = self._key
        before = 0
        while before < min(place, at) and small[place - before - 1] == key[at - before - 1]:
            before += 1
        after, most = _ANCHOR, min(len(small) - place, len(key) - at)
        while after < most and small[place + after] == key[at + after]:
            after += 1
        return before, after


def _words(key: str) -> list[bool]:
    """Per character, whether it belongs to a word or stands between parts."""
    is_word = [not c.isalnum() for c in key]
    for part in re.finditer(r"[A-Za-z0-9]+", key):
        letters = part[0]
        plain = letters.islower() or letters.isupper() or letters.istitle()
        if letters.isalpha() and plain and len(letters) <= _LONGEST_WORD:
            is_word[part.start() : part.end()] = [True] * len(letters)
    return is_word


def _after_escape(small: str, start: int, latest: int) -> int:
    """Past an escape such as a line's end that a piece seems to begin in: JSON stays whole."""
    escape = small.rfind("\\", max(0, start - _ESCAPE_LENGTH + 1), start)
    if escape < 0:
        return start
    length = _ESCAPE_LENGTH if small[escape + 1 : escape + 2] == "u" else 2
    head = small[max(0, escape - _LONGEST_RUN + 1) : escape + 1]
    is_escape = (len(head) - len(head.rstrip("\\"))) % 2 == 1
    return min(max(start, escape + length), latest + _ANCHOR) if is_escape else start


def _merged(found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches that overlap as one."""
    current: tuple[int, int] | None = None
    for start, stop in found:
        if current is None:
            current = (start, stop)
        elif start < current[1]:
            current = (current[0], max(current[1], stop))
        else:
            yield current
            current = (start, stop)
    if current is not None:
        yield current
