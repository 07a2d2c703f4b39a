"""One text in, the same text in one form out: NFC, one kind of line end, no invisible characters.

What was done comes along as a set of fixes, for the counts that a person sees. Doing it twice
changes nothing more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum


class Fix(StrEnum):
    """What was done to a text."""

    REPAIRED = "repaired"  # it had been decoded with a wrong encoding
    CONTROL = "control"  # control and other invisible characters are gone
    LINE_ENDS = "line_ends"  # all kinds of line ends became line feeds
    COMPOSED = "composed"  # letters and their marks became one character (NFC)
    SPACES = "spaces"  # runs of spaces became one; spaces at the ends are gone


_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters but tab and line feed; what has no width and no meaning between letters; and
# tag characters, which carry text that nobody sees, except in the flags of regions.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ufff9-\ufffb]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_RUN = re.compile(rf"{_BLANK}{{2,}}")
_AROUND_LINE_END = re.compile(rf"{_BLANK}+(?=\n)")
_BLANK_LINES = re.compile(r"\n{3,}")
_AT_ENDS = " \t\n\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_ROUNDS = 8  # a repair may bring to light what needs another; no real text needs more than two


def normalise(text: str, *, repair: bool = True) -> tuple[str, frozenset[Fix]]:
    """The text in its one form, and what was done.

    Args:
        repair: Whether text that was decoded wrongly is repaired where that is certain.
    """
    fixes: set[Fix] = set()
    for _ in range(_ROUNDS):
        before = text
        for fix, change in _CHANGES:
            if fix is Fix.REPAIRED and not repair:
                continue
            changed = change(text)
            if changed != text:
                fixes.add(fix)
                text = changed
        if text == before or text.isascii():
            break
    return text, frozenset(fixes)


def _repaired(text: str) -> str:
    """The text decoded rightly, if encoding it wrongly again gives exactly what we have."""
    if text.isascii():
        return text
    import ftfy  # noqa: PLC0415 - a fifth of a second, needed for few texts

    fixed, steps = ftfy.fix_encoding_and_explain(text)
    if fixed == text or not steps or "\ufffd" in fixed:
        return text
    return fixed if _spoilt(fixed, steps) == text else text


def _spoilt(text: str, steps: Sequence[tuple[str, str]]) -> str | None:
    """The way back from a repair: what the wrong decoding makes of the right text."""
    pairs = list(zip(steps[::2], steps[1::2], strict=False))
    if len(pairs) * 2 != len(steps):
        return None
    for (first, wrong), (second, right) in reversed(pairs):
        if (first, second) != ("encode", "decode"):
            return None  # a guess that loses something
        try:
            text = text.encode(right).decode(wrong)
        except UnicodeError:
            return None
    return text


def _without_invisible(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", text))


def _spaced(text: str) -> str:
    text = _AROUND_LINE_END.sub("", _RUN.sub(" ", text))
    return _BLANK_LINES.sub("\n\n", text).strip(_AT_ENDS)


_CHANGES = (
    (Fix.REPAIRED, _repaired),
    (Fix.LINE_ENDS, lambda text: _LINE_END.sub("\n", text)),
    (Fix.CONTROL, _without_invisible),
    (Fix.COMPOSED, lambda text: unicodedata.normalize("NFC", text)),
    (Fix.SPACES, _spaced),
)
