"""Advice in words: every code has a sentence with its figures."""

import pytest

from batchdesk.cli.advice_words import advice_words
from batchdesk.domain.snapshot import Advice, AdviceCode, HoldReason
from batchdesk.engine.advice import Facts, advise

PARAMS = {
    "share": 0.62, "requests_per_s": 50.0, "tokens_per_s": 10_000.0, "limit": 40.0, "tokens": 1500.0
}  # fmt: skip


def test_that_every_piece_of_advice_is_a_sentence_of_its_own():
    found = [advice_words(Advice(code, PARAMS)) for code in AdviceCode]
    assert len(set(found)) == len(AdviceCode)
    for sentence in found:
        assert sentence.endswith(".")
        assert "{" not in sentence


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (AdviceCode.REQUESTS_LIMIT, "were the limit 62% of the time (3,000 sent)"),
        (AdviceCode.TOKENS_LIMIT, "were the limit 62% of the time (600,000 used)"),
        (AdviceCode.LEARNED_PACE, "62% of the time (3,000 requests a minute were answered)"),
        (AdviceCode.SERVICE_QUEUES, "With more than 40 requests at once the service only queues"),
        (AdviceCode.INSTRUCTIONS, "(1,500 tokens, 62% of each request)"),
    ],
)
def test_that_the_figures_are_told(code, told):
    assert told in advice_words(Advice(code, PARAMS))


@pytest.mark.parametrize(
    "facts",
    [
        Facts(holds={hold: 0.9}, limit=4, ceiling=ceiling, pinned=pinned, failed_share=0.5,
              answered_per_s=0.5, writing_share=0.5, written=500, instructions_tokens=900, row_tokens=10)
        for hold in HoldReason
        for ceiling in (4, 200)
        for pinned in (False, True)
    ],
)  # fmt: skip
def test_that_whatever_is_advised_has_the_figures_that_its_words_need(facts):
    for one in advise(facts):
        assert advice_words(one)
