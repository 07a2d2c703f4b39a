import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import TokenLogprob, Usage
from batchdesk.providers.openai_fields import (
    joined,
    logprobs_of,
    parsed_json,
    reason_of,
    text_of,
    usage_of,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def test_that_cached_and_reasoning_tokens_are_read():
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    assert usage_of(usage) == Usage(100, 50, 64, 30)


def test_that_deepseeks_name_for_cached_tokens_is_read():
    assert usage_of({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}) == Usage(9, None, 4, None)


@pytest.mark.parametrize("usage", [None, {}, [], "many", 7])
def test_that_absent_usage_is_unknown_and_not_zero(usage):
    assert usage_of(usage) == Usage(None, None, None, None)


def test_that_a_count_may_be_as_large_as_any_that_makes_sense():
    assert usage_of({"prompt_tokens": 2**40, "completion_tokens": 2.0}) == Usage(2**40, 2)


@pytest.mark.parametrize(
    "count", [True, "12", float("nan"), float("inf"), -1, None, [3], 2**40 + 1, 10**400, 1e300]
)
def test_that_a_count_that_is_none_is_unknown(count):
    assert usage_of({"prompt_tokens": count}) == Usage()


def test_that_details_of_another_shape_are_passed_over():
    usage = {"prompt_tokens": 3, "prompt_tokens_details": None, "completion_tokens_details": [1]}
    assert usage_of(usage) == Usage(3, None, None, None)


def test_that_logprobs_are_read():
    logprobs = {"content": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -9999.0}]}
    assert logprobs_of(logprobs) == (TokenLogprob("a", -0.5), TokenLogprob("b", -9999.0))


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {},
        {"content": []},
        {"content": None},
        [],
        {"tokens": ["a"], "token_logprobs": [-1.0]},
        {"content": [{"token": "a", "logprob": None}]},
        {"content": [{"token": "a"}]},
        {"content": 3},
    ],
)
def test_that_logprobs_of_another_shape_are_none_and_no_error(logprobs):
    assert logprobs_of(logprobs) is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hello", "hello"),
        (None, ""),
        (7, "7"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "thinking", "thinking": [{}]}, {"type": "text", "text": "b"}, "c"], "bc"),
    ],
)
def test_that_content_may_be_a_text_or_parts(content, text):
    assert text_of(content) == text


def test_that_a_character_in_two_halves_is_one_again():
    assert joined(["a\ud83d", "\ude00b"]) == "a😀b"


def test_that_a_half_character_becomes_a_sign_that_can_be_stored():
    assert joined(["é\ud83d!"]) == "é\ufffd!"


@given(st.text())
def test_that_a_sound_text_stays_as_it_is(text):
    assert joined([text]) == text


@given(st.lists(st.text(st.characters(categories=["Cs", "L"]), max_size=3)))
def test_that_every_joined_text_can_be_written_as_utf_8(pieces):
    joined(pieces).encode()


@pytest.mark.parametrize("text", ["", "{", "nothing", "[" * 100_000, '{"a": 1} {"a": 2}'])
def test_that_what_is_not_json_is_none(text):
    assert parsed_json(text) is None


@given(JSON)
def test_that_no_shape_of_json_is_an_error(value):
    value = parsed_json(json.dumps(value))
    usage_of(value)
    logprobs_of(value)
    text_of(value)


@pytest.mark.parametrize(
    "logprob", [10**400, -(10**400), float("nan"), float("-inf"), -1e7, 3.0, "x"]
)
def test_that_an_absurd_probability_is_none(logprob):
    tokens = [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": logprob}]
    assert logprobs_of({"content": tokens}) is None


def test_that_half_a_character_in_a_token_is_replaced():
    content = [{"token": "\ud83d", "logprob": -9999.0}]
    assert logprobs_of({"content": content}) == (TokenLogprob("\ufffd", -9999.0),)


def test_that_a_reason_is_a_word_that_can_be_written():
    assert [reason_of(r) for r in ("stop", "\udc00", None, 7, ["stop"])] == [
        "stop", "\ufffd", None, None, None,
    ]  # fmt: skip
