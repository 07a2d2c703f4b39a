"""How sure the model was of a value, from the probabilities of its tokens."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

from batchdesk.domain.chat import TokenLogprob


def value_span(text: str, field: str) -> tuple[int, int] | None:
    """Where the value of ``field`` stands in a JSON text: (first, past the last) character.

    Quotes of a string value are left out. None if the field is not there.
    """
    found = re.search(re.escape(json.dumps(field, ensure_ascii=False)) + r"\s*:\s*", text)
    if found is None:
        return None
    start = found.end()
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return None
    return (start + 1, end - 1) if isinstance(value, str) else (start, end)


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
    return math.exp(min(total, 0.0)) if seen else None


def mean_probability(tokens: Sequence[TokenLogprob]) -> float | None:
    """The geometric mean of all tokens' probabilities; None for no tokens."""
    if not tokens:
        return None
    return math.exp(min(sum(token.logprob for token in tokens) / len(tokens), 0.0))


def answer_confidence(
    text: str, tokens: Sequence[TokenLogprob] | None, field: str | None
) -> float | None:
    """Probability of the value of ``field``, or the mean over the whole text without a field.

    None where the provider told no probabilities or they do not fit the text.
    """
    if not tokens or "".join(token.token for token in tokens).strip() != text.strip():
        return None
    if field is None:
        return mean_probability(tokens)
    span = value_span(text, field)
    return span_probability(tokens, *span) if span else None
