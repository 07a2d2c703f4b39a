"""Confidence is the product of the probabilities of the tokens that spell the value."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import TokenLogprob
from batchdesk.quality.confidence import (
    answer_confidence,
    mean_probability,
    span_probability,
    value_span,
)


def tokens(*pairs: tuple[str, float]) -> tuple[TokenLogprob, ...]:
    """Tokens with their probabilities."""
    return tuple(TokenLogprob(text, math.log(p)) for text, p in pairs)


ANSWER = tokens(
    ('{"', 1.0),
    ("sentiment", 0.9),
    ('":', 1.0),
    (' "', 0.7),
    ("pos", 0.5),
    ("itive", 0.8),
    ('"}', 0.6),
)
TEXT = '{"sentiment": "positive"}'


def test_that_a_value_of_two_tokens_has_the_product_of_both():
    # "pos" 0.5 times "itive" 0.8; the quotes, the key and the closing bracket do not count.
    assert answer_confidence(TEXT, ANSWER, "sentiment") == pytest.approx(0.4)


def test_that_a_token_that_holds_the_quote_and_the_value_counts_once():
    spelled = tokens(('{"a": ', 0.5), ('"yes"', 0.25), ("}", 0.5))
    assert answer_confidence('{"a": "yes"}', spelled, "a") == pytest.approx(0.25)


def test_that_a_number_is_measured_without_the_bracket_after_it():
    spelled = tokens(('{"n": ', 1.0), ("4", 0.5), ("2", 0.5), ("}", 0.1))
    assert answer_confidence('{"n": 42}', spelled, "n") == pytest.approx(0.25)


def test_that_without_a_field_it_is_the_geometric_mean_of_all_tokens():
    # (0.5 * 0.125) ** (1 / 2) = 0.25
    assert answer_confidence("ab", tokens(("a", 0.5), ("b", 0.125)), None) == pytest.approx(0.25)


def test_that_white_space_before_the_answer_does_not_move_the_value():
    spelled = tokens(("\n  ", 0.1), ('{"a": "', 1.0), ("x", 0.3), ('"}', 1.0))
    assert answer_confidence('{"a": "x"}', spelled, "a") == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("text", "spelled", "field"),
    [
        (TEXT, None, "sentiment"),
        (TEXT, (), "sentiment"),
        (TEXT, ANSWER, "missing"),
        ('{"sentiment": "negative"}', ANSWER, "sentiment"),
        ("x", (TokenLogprob("x", math.nan),), None),
        ('{"a": "x"}', (TokenLogprob('{"a": "x"}', math.nan),), "a"),
    ],
)
def test_that_confidence_is_unknown_where_the_probabilities_do_not_tell(text, spelled, field):
    assert answer_confidence(text, spelled, field) is None


def test_that_the_sign_for_impossible_is_no_confidence_at_all():
    assert mean_probability((TokenLogprob("x", -9999.0),)) == 0.0
    assert mean_probability((TokenLogprob("x", -math.inf),)) == 0.0


def test_that_a_logarithm_a_hair_above_zero_is_certainty():
    assert mean_probability((TokenLogprob("x", 1e-7),)) == 1.0


def test_that_no_tokens_have_no_mean_and_no_span():
    assert mean_probability(()) is None
    assert span_probability((), 0, 5) is None
    assert span_probability(tokens(("abc", 0.5)), 3, 5) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "x", "b": 2}', "x"),
        ('{"b": {"a": "inner"}, "a": "outer"}', "outer"),
        ('{"b": "\\"a\\": \\"no\\"", "a": "yes"}', "yes"),
        ('{"b": [{"a": 1}], "a" : [1, 2]}', "[1, 2]"),
        ('Sure:\n```json\n{"b": 1, "a": null}\n```', "null"),
        ('{"\\u0061": "escaped"}', "escaped"),
    ],
)
def test_that_the_value_is_that_of_the_outermost_object(text, value):
    first, end = value_span(text, "a") or (0, 0)
    assert text[first:end] == value


@pytest.mark.parametrize(
    "text", ["", "no object", '{"b": 1}', '{"b": {"a": 1}}', '{"a": tru', '{"a" 1}']
)
def test_that_a_field_that_is_not_there_has_no_span(text):
    assert value_span(text, "a") is None


@given(st.lists(st.floats(-50, 0), min_size=1, max_size=8))
def test_that_a_probability_is_between_zero_and_one(logprobs):
    made = tuple(TokenLogprob("x", value) for value in logprobs)
    mean = mean_probability(made)
    product = span_probability(made, 0, len(made))
    assert mean is not None
    assert product is not None
    assert 0.0 <= product <= mean * (1 + 1e-9)
    assert mean <= 1.0
