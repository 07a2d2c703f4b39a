"""Fields that whole and streamed chat completions share. Pure, and tolerant: services differ.

In come parts of parsed JSON of any shape; out come texts, usage and log probabilities, with None
where a service did not say or said nonsense.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.chat import TokenLogprob, Usage

_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST = 2**40  # no request counts more tokens, and the sum over millions of rows can be kept
_LEAST_LOGPROB = -1e6  # some services write -9999 for "never"


def parsed_json(text: str) -> Any:
    """The value of a JSON text, or None if it is not JSON (or is null)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def text_of(content: Any) -> str:
    """The text of a ``content`` field: a string, or a list of parts with texts."""
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return "" if content is None else str(content)


def joined(pieces: list[str]) -> str:
    """The pieces as one text that can be written as UTF-8.

    A character outside the basic plane may come as two escapes, even in two pieces: they become
    the character. A half that stays alone becomes U+FFFD.
    """
    text = "".join(pieces)
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def logprobs_of(logprobs: Any) -> tuple[TokenLogprob, ...] | None:
    """The tokens of ``choices[].logprobs.content``; None where there are none."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not content:
        return None
    try:
        found = tuple(TokenLogprob(joined([str(t["token"])]), float(t["logprob"])) for t in content)
    except (TypeError, KeyError, ValueError, OverflowError):
        return None  # without probabilities an answer is still an answer
    # A rounding error may make a probability a little more than 1; NaN is within no range.
    return found if all(_LEAST_LOGPROB <= token.logprob <= 1 for token in found) else None


def reason_of(reason: Any) -> str | None:
    """The word of a ``finish_reason``; None for what is no word."""
    return joined([reason]) if isinstance(reason, str) else None


def usage_of(usage: Any) -> Usage:
    """Tokens as the service counted them, cached and reasoning tokens among them."""
    if not isinstance(usage, Mapping):
        return Usage()
    prompt = _mapping(usage.get("prompt_tokens_details"))
    completion = _mapping(usage.get("completion_tokens_details"))
    cached = prompt.get("cached_tokens", usage.get("prompt_cache_hit_tokens"))
    return Usage(
        input_tokens=number_of(usage.get("prompt_tokens")),
        output_tokens=number_of(usage.get("completion_tokens")),
        cached_tokens=number_of(cached),
        reasoning_tokens=number_of(completion.get("reasoning_tokens")),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def number_of(value: Any) -> int | None:
    """A count of 0 to 2^40; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MOST else None
