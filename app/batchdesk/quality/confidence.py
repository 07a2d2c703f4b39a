"""How sure the model was of a value, from the probabilities of its tokens."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

from batchdesk.domain.chat import TokenLogprob

_KEY = re.compile(r'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*')
_DECODER = json.JSONDecoder()


def value_span(text: str, field: str) -> tuple[int, int] | None:
    """Where the value of the outermost object's ``field`` stands: (first, past the last) character.

    Words or a fence may stand before the object. Quotes of a string value are left out. None if
    the field is not there, or not to be found because the JSON is broken before it.
    """
    position = text.find("{") + 1
    if not position:
        return None
    while (name := _KEY.match(text, position)) is not None:
        try:
            value, end = _DECODER.raw_decode(text, name.end())
            key = _DECODER.decode(name.group(1))
        except (ValueError, RecursionError):
            return None
        if key == field:
            return (name.end() + 1, end - 1) if isinstance(value, str) else (name.end(), end)
        position = end
    return None


def span_probability(tokens: Sequence[TokenLogprob], start: int, end: int) -> float | None:
    """The product of the probabilities of all tokens that overlap [start, end).

    None if no token overlaps, as when the tokens do not spell out the text.
    """
    position, total, seen = 0, 0.0, False
    for token in tokens:
        after = position + len(token.token)
        if position < end and after > start:
            total += token.logprob
            seen = True
        position = after
    return _probability(total) if seen else None


def mean_probability(tokens: Sequence[TokenLogprob]) -> float | None:
    """The geometric mean of all tokens' probabilities; None for no tokens."""
    if not tokens:
        return None
    return _probability(sum(token.logprob for token in tokens) / len(tokens))


def _probability(logarithm: float) -> float | None:
    """None for a logarithm that is no number; some servers round a hair above 0."""
    return None if math.isnan(logarithm) else math.exp(min(logarithm, 0.0))


def answer_confidence(
    text: str, tokens: Sequence[TokenLogprob] | None, field: str | None
) -> float | None:
    """Probability of the value of ``field``, or the mean over the whole text without a field.

    None where the provider told no probabilities or they do not fit the text.
    """
    spelled = "".join(token.token for token in tokens or ())
    if not tokens or spelled.strip() != text.strip():
        return None
    if field is None:
        return mean_probability(tokens)
    span = value_span(spelled, field)
    return span_probability(tokens, *span) if span else None
