"""Regular expressions of other people's making, matched with a time limit.

``re`` has none: a pattern such as ``^(x+x+)+y$`` can take it years. A pattern and a text come in;
the match goes out, or a TimeoutError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

LIMIT_S = 0.25  # of computing, per text; a sound pattern takes a thousandth of it


class PatternError(ValueError):
    """Not a regular expression; says why."""


def compiled(pattern: str) -> regex.Pattern[str]:
    """A pattern, ready to be matched.

    Raises:
        PatternError: it is no regular expression.
    """
    import regex  # noqa: PLC0415 - needed only for patterns of the user's own

    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, MemoryError, OverflowError) as error:
        raise PatternError(str(error).rstrip(".")) from error


def search(pattern: regex.Pattern[str], text: str) -> regex.Match[str] | None:
    """The first place in a text where the pattern matches.

    Raises:
        TimeoutError: it takes longer than ``LIMIT_S``.
    """
    return pattern.search(text, timeout=LIMIT_S)
