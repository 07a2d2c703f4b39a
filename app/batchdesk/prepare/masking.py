"""Personal data becomes tokens such as ``[PHONE_1]`` before a text leaves, and comes back after.

A Masker gives equal values equal tokens, over all texts that it sees. What stands for what is the
mapping: it stays in the project file, and ``unmask`` with it gives the very same text back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from batchdesk.domain.clean import MaskKind, MaskPattern, MaskStep
from batchdesk.errors import JobFileError, UserError
from batchdesk.prepare.personal import Span, find

if TYPE_CHECKING:
    import regex

# A text that looks like a token is masked too; otherwise it could not be told from ours.
_TOKEN = re.compile(r"\[[A-Z][A-Z_]*_[1-9][0-9]*\]")
_LITERAL = "TEXT"
_PATTERN_LIMIT_S = 1.0  # per cell and pattern; a sound pattern takes a thousandth of it


class PatternTimeoutError(UserError):
    """A pattern of the user's own that takes too long for a text."""


class Masker:
    """Masks texts one after the other.

    Args:
        step: What to look for.
        known: The mapping so far, token to value; its values keep their tokens.

    Raises:
        JobFileError: a pattern is no regular expression.
    """

    def __init__(self, step: MaskStep, known: Mapping[str, str] | None = None) -> None:
        self._kinds = frozenset(step.kinds)
        self._regions = step.regions
        self._patterns = [(one.name, _compiled(one)) for one in step.patterns]
        self._tokens: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}
        self._new: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        for token, value in (known or {}).items():
            name, number = token[1:-1].rsplit("_", 1)
            self._tokens[name, value] = token
            self._last[name] = max(self._last.get(name, 0), int(number))

    def mask(self, text: str) -> str:
        """The text with tokens in place of what was found. ``counts`` grows by kind.

        Raises:
            PatternTimeoutError: a pattern of the user's own takes too long.
        """
        pieces: list[str] = []
        end = 0
        for span in self.spans(text):
            pieces += [text[end : span.start], self._token(span.kind, text[span.start : span.end])]
            end = span.end
        return "".join([*pieces, text[end:]]) if pieces else text

    def spans(self, text: str) -> list[Span]:
        """What would be masked, in the order of the text, none overlapping.

        Raises:
            PatternTimeoutError: a pattern of the user's own takes too long.
        """
        own = self._own(text, [Span(*m.span(), _LITERAL) for m in _TOKEN.finditer(text)])
        found = find(text, self._kinds, self._regions)
        free = [Span(a, b, MaskKind(kind).name) for a, b, kind in _uncovered(found, own)]
        return sorted(own + free)

    def new(self) -> dict[str, str]:
        """Token to value of what came up since the last call: to be stored beside the texts."""
        new, self._new = self._new, {}
        return new

    def _own(self, text: str, taken: list[Span]) -> list[Span]:
        """The user's patterns go first, in their order."""
        for name, pattern in self._patterns:
            try:
                found = [m.span() for m in pattern.finditer(text, timeout=_PATTERN_LIMIT_S)]
            except TimeoutError as error:
                raise PatternTimeoutError(
                    "The mask pattern {name} takes longer than {limit} s for one text. Make it "
                    "simpler: repeated groups within repeated groups are the usual cause.",
                    name=name,
                    limit=f"{_PATTERN_LIMIT_S:g}",
                ) from error
            spans = [Span(start, end, name) for start, end in found if end > start]
            taken = sorted(taken + _uncovered(spans, taken))
        return taken

    def _token(self, name: str, value: str) -> str:
        self.counts[name] = self.counts.get(name, 0) + 1
        token = self._tokens.get((name, value))
        if token is None:
            self._last[name] = self._last.get(name, 0) + 1
            token = f"[{name}_{self._last[name]}]"
            self._tokens[name, value] = token
            self._new[token] = value
        return token


def unmask(text: str, mapping: Mapping[str, str]) -> str:
    """The text with values in place of tokens; tokens that the mapping lacks stay.

    ``unmask(masker.mask(text), mapping)`` is ``text`` for every text.
    """
    return _TOKEN.sub(lambda match: mapping.get(match[0], match[0]), text) if "[" in text else text


def unmask_value(value: Any, mapping: Mapping[str, str]) -> Any:
    """The same for a parsed answer: texts within lists and objects, at any depth."""
    if isinstance(value, str):
        return unmask(value, mapping)
    if isinstance(value, list):
        return [unmask_value(item, mapping) for item in value]
    if isinstance(value, dict):
        return {key: unmask_value(item, mapping) for key, item in value.items()}
    return value


def tokens_in(text: str) -> list[str]:
    """The tokens that stand in a text, each once: what to look up in the mapping."""
    return list(dict.fromkeys(_TOKEN.findall(text)))


def _compiled(one: MaskPattern) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415 - needed only for patterns of the user's own

    try:
        return regex.compile(one.pattern)
    except (regex.error, RecursionError, MemoryError, OverflowError) as error:
        raise JobFileError(
            "The mask pattern {name} is not a regular expression: {reason}.",
            name=one.name,
            reason=str(error).rstrip("."),
        ) from error


def _uncovered(spans: Iterable[Span], taken: list[Span]) -> list[Span]:
    """The parts of the spans that the taken ones leave open; those are in order and apart.

    Where two overlap, both are masked: the text that only one covers must not be sent either.
    """
    if not taken:
        return list(spans)
    parts = []
    for span in spans:
        begin = span.start
        at = max(0, bisect_left(taken, (span.start,)) - 1)  # the one before may reach into it
        while begin < span.end:
            while at < len(taken) and taken[at].end <= begin:
                at += 1
            stop = min(span.end, taken[at].start) if at < len(taken) else span.end
            if stop > begin:
                parts.append(Span(begin, stop, span.kind))
            if at == len(taken) or taken[at].start >= span.end:
                break
            begin = taken[at].end
    return parts
