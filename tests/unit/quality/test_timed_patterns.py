"""A schema's patterns have a time limit, and mean what they mean to everyone else."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import Choice
from batchdesk.domain.job import Stage
from batchdesk.domain.verdict import CheckOutcome, CheckResult
from batchdesk.errors import JobFileError
from batchdesk.quality.checks import Checker
from batchdesk.quality.timed_patterns import PatternTimeError, TimedValidator, timed

SLOW = r"^(a?){60}b(a|b|ab)*c\1$"
TEXT = "a" * 60 + "b" * 40
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def checker(output):
    return Checker(Stage(name="s", user="u", output=output), echo_key=False)


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        ({"pattern": SLOW}, TEXT),
        ({"not": {"pattern": SLOW}}, TEXT),
        ({"patternProperties": {SLOW: True}}, {TEXT: 1}),
        ({"additionalProperties": False, "patternProperties": {SLOW: True}}, {TEXT: 1}),
        ({"propertyNames": {"pattern": SLOW}}, {TEXT: 1}),
        ({"$schema": DRAFT, "properties": {"a": {"pattern": SLOW}}}, {"a": TEXT}),
        (
            {"$schema": DRAFT, "properties": {"a": {"$ref": "#/$defs/x"}},
             "$defs": {"x": {"$schema": DRAFT, "pattern": SLOW}}},
            {"a": TEXT},
        ),
    ],
)  # fmt: skip
def test_that_a_slow_pattern_is_given_up_wherever_it_stands(schema, answer):
    with pytest.raises(PatternTimeError) as caught:
        list(TimedValidator(timed(schema)).iter_errors(answer))
    assert caught.value.pattern == SLOW


def test_that_an_answer_that_takes_a_pattern_too_long_waits_for_a_person():
    one = checker({"type": "object", "properties": {"a": {"type": "string", "pattern": SLOW}}})
    found = one.assess([Choice(f'{{"a": "{TEXT}"}}', "stop")], "1")
    assert found.error_kind is None  # it is not asked again: that would take as long
    assert found.answer == {"a": TEXT}
    assert found.results == (
        CheckResult(
            "schema", CheckOutcome.DOUBTFUL, "pattern_time", detail={"message": SLOW}
        ),
    )  # fmt: skip
    assert one.recheck({"a": TEXT}) == ()  # what a person wrote stands


@given(
    st.dictionaries(st.text("abx1", max_size=3), st.integers(0, 3), max_size=4),
    st.sampled_from([True, False, {"maximum": 1}]),
    st.sampled_from([{}, {"a": {"maximum": 2}}]),
)
def test_that_patterns_mean_the_same_as_without_a_limit(answer, rest, named):
    schema = {
        "properties": named,
        "patternProperties": {"^a+$": {"maximum": 1}, "x": True},
        "additionalProperties": rest,
        "propertyNames": {"pattern": "^[ab]|1$"},
    }
    usual = jsonschema.Draft202012Validator(schema).iter_errors(answer)
    ours = TimedValidator(timed(schema)).iter_errors(answer)

    def told(errors):
        return sorted((str(one.validator), list(map(str, one.absolute_path))) for one in errors)

    assert told(ours) == told(usual)


def test_that_a_schema_is_left_as_it_is_but_for_its_draft():
    schema = {
        "$schema": DRAFT,
        "enum": [{"$schema": "x"}],
        "properties": {"$schema": {"type": "null"}},
    }
    assert timed(schema) == {
        "enum": [{"$schema": "x"}],
        "properties": {"$schema": {"type": "null"}},
    }


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (
            {"properties": {"a": {"pattern": "x{e<=1:}"}}},
            (
                "The output of stage 's' has a pattern 'x{e<=1:}' that cannot be used: "
                "expected } at position 8."
            ),
        ),
        (
            {"patternProperties": {"a": True}, "unevaluatedProperties": False},
            (
                "The output of stage 's' has both patternProperties and unevaluatedProperties, which "
                "Batchdesk does not check together. Use additionalProperties instead."
            ),
        ),
    ],
)
def test_that_a_pattern_that_cannot_be_matched_in_time_is_a_mistake_of_the_job(schema, sentence):
    with pytest.raises(JobFileError) as caught:
        checker(schema)
    assert str(caught.value) == sentence
