from __future__ import annotations

import pytest

from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.engine.estimate import TokenEstimate


def request(*contents, n=1):
    messages = tuple(Message("user", content) for content in contents)
    return ChatRequest("m", messages, idempotency_key="k", trace_id="t", n=n)


def test_that_before_any_answer_it_is_a_quarter_of_the_bytes_and_max_tokens():
    assert TokenEstimate(100).tokens(request("x" * 40)) == 10 + 100
    assert TokenEstimate(100).tokens(request("x" * 40, "y" * 20)) == 15 + 100


def test_that_bytes_count_and_not_characters():
    assert TokenEstimate(100).tokens(request("评论" * 4)) == 6 + 100  # 8 characters of 3 bytes


def test_that_a_job_without_max_tokens_is_taken_for_256():
    assert TokenEstimate(None).tokens(request("x" * 40)) == 10 + 256


def test_that_every_answer_asked_for_is_counted():
    assert TokenEstimate(100).tokens(request("x" * 40, n=3)) == 10 + 300


def test_that_the_first_answer_is_believed_whole():
    estimate = TokenEstimate(100)
    estimate.learn(request("x" * 40), 20, 6)  # twice as many tokens as thought
    assert estimate.tokens(request("x" * 40)) == 20 + 6
    assert estimate.tokens(request("x" * 400)) == 200 + 6


def test_that_later_answers_move_it_by_a_fifth():
    estimate = TokenEstimate(100)
    estimate.learn(request("x" * 40), 20, 6)
    estimate.learn(request("x" * 40), 10, 16)
    # ratio 2 + 0.2 x (1 - 2) = 1.8; output 6 + 0.2 x (16 - 6) = 8
    assert estimate.tokens(request("x" * 40)) == pytest.approx(18 + 8)


def test_that_output_is_learned_per_answer():
    estimate = TokenEstimate(100)
    estimate.learn(request("x" * 40, n=4), 10, 40)
    assert estimate.tokens(request("x" * 40)) == 10 + 10


def test_that_an_empty_prompt_divides_by_nothing():
    estimate = TokenEstimate(5)
    estimate.learn(request(""), 3, 2)
    assert estimate.tokens(request("")) == 2
