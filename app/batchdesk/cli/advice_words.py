"""Advice on a run in words: what decided its speed or its cost, and what would help."""

from __future__ import annotations

from batchdesk.domain.snapshot import Advice, AdviceCode

# The figures are those of ``Advice.params``; rates become those of a minute.
_WORDS = {
    AdviceCode.PREPARING: "The queue was empty {share:.0%} of the time: preparing rows is the "
    "bottleneck, more requests at once would not help.",
    AdviceCode.REQUESTS_LIMIT: "Requests per minute were the limit {share:.0%} of the time "
    "({requests_per_min:,.0f} sent): more at once would not help, a higher --rpm would if the "
    "account has it.",
    AdviceCode.TOKENS_LIMIT: "Tokens per minute were the limit {share:.0%} of the time "
    "({tokens_per_min:,.0f} used): shorter prompts or answers would help, more at once would not.",
    AdviceCode.LEARNED_PACE: "The service refused more {share:.0%} of the time "
    "({requests_per_min:,.0f} requests a minute were answered): more at once would not help.",
    AdviceCode.SERVICE_QUEUES: "With more than {limit:.0f} requests at once the service only "
    "queues: that is as fast as it gets.",
    AdviceCode.CEILING: "At most {limit:.0f} requests at once were allowed, and the service coped: "
    "a higher `concurrency_max` might be faster.",
    AdviceCode.PINNED: "Requests at once are fixed at {limit:.0f}: --concurrency auto finds how "
    "many the service copes with.",
    AdviceCode.RETRIES: "{share:.0%} of the requests gave no usable answer; see the kinds above.",
    AdviceCode.WRITING: "{share:.0%} of the time went into writing the project file: a faster disk "
    "would help.",
    AdviceCode.INSTRUCTIONS: "The instructions are longer than the rows ({tokens:,.0f} tokens, "
    "{share:.0%} of each request): shorter ones cost less.",
}


def advice_words(advice: Advice) -> str:
    """One piece of advice as a sentence."""
    figures = dict(advice.params)
    for kind in ("requests", "tokens"):
        figures[f"{kind}_per_min"] = figures.get(f"{kind}_per_s", 0.0) * 60
    return _WORDS[advice.code].format(**figures)
