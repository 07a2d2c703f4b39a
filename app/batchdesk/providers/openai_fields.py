"""Fields that whole and streamed chat completions share. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batchdesk.domain.chat import TokenLogprob, Usage


def logprobs_of(logprobs: Mapping[str, Any] | None) -> tuple[TokenLogprob, ...] | None:
    """The tokens of ``choices[].logprobs.content``; None where there are none."""
    content = (logprobs or {}).get("content")
    if not content:
        return None
    return tuple(TokenLogprob(str(t["token"]), float(t["logprob"])) for t in content)


def usage_of(usage: Mapping[str, Any] | None) -> Usage:
    """Tokens as the service counted them, cached and reasoning tokens among them."""
    if not usage:
        return Usage()
    prompt = usage.get("prompt_tokens_details") or {}
    completion = usage.get("completion_tokens_details") or {}
    cached = prompt.get("cached_tokens", usage.get("prompt_cache_hit_tokens"))
    return Usage(
        input_tokens=_number(usage.get("prompt_tokens")),
        output_tokens=_number(usage.get("completion_tokens")),
        cached_tokens=_number(cached),
        reasoning_tokens=_number(completion.get("reasoning_tokens")),
    )


def _number(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
