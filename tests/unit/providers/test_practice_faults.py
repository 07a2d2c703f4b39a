import json
from collections.abc import Sequence

import json_repair
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from batchdesk.errors import UserError
from batchdesk.providers.practice_answers import Question, answer
from batchdesk.providers.practice_faults import (
    ANSWER_FAULTS,
    FAULTS,
    Seen,
    applies,
    draw,
    parse_faults,
    spoil,
)

SCHEMA = {
    "type": "object",
    "properties": {
        "row_key": {"type": "string"},
        "sentiment": {"type": "string", "enum": ["positive", "negative", "neutral"]},
        "reason": {"type": "string"},
    },
    "required": ["row_key", "sentiment", "reason"],
    "additionalProperties": False,
}
QUESTION = Question("I love it.", "7", SCHEMA)
RIGHT = answer(QUESTION, 0)
PLAIN = Question("I love it.")


def spoilt(fault: str, question: Question = QUESTION, seen: Sequence[Seen] = ()) -> tuple[str, str]:
    right = answer(question, 0)
    wrong, reason = spoil(fault, question, right, seed=0, seen=seen)
    return wrong.content, reason


def test_that_the_right_answer_is_what_the_faults_start_from():
    assert RIGHT.content == '{"row_key": "7", "sentiment": "positive", "reason": "I love it."}'


def test_that_truncated_says_so_and_cut_does_not():
    half = '{"row_key": "7", "sentiment": "p'
    assert spoilt("truncated") == (half, "length")
    assert spoilt("cut") == (half, "stop")


def test_that_empty_is_empty():
    assert spoilt("empty") == ("", "stop")


def test_that_the_first_required_field_but_the_key_is_left_out():
    assert spoilt("missing_field") == ('{"row_key": "7", "reason": "I love it."}', "stop")


def test_that_doubled_is_two_answers_that_disagree():
    content, reason = spoilt("doubled")
    first, second = [json.loads(line) for line in content.splitlines()]
    assert (first["sentiment"], second["sentiment"]) == ("positive", "negative")
    assert first["row_key"] == second["row_key"] == "7"
    assert reason == "stop"


def test_that_a_wrong_row_is_another_rows_whole_answer():
    other = Question("It broke.", "8", SCHEMA)
    seen = [Seen(QUESTION, RIGHT), Seen(PLAIN, answer(PLAIN, 0)), Seen(other, answer(other, 0))]
    content, _ = spoilt("wrong_row", seen=seen)
    assert json.loads(content) == {"row_key": "8", "sentiment": "negative", "reason": "It broke."}


def test_that_a_wrong_row_is_made_up_when_none_was_seen():
    content, _ = spoilt("wrong_row", seen=[Seen(QUESTION, RIGHT)])
    value = json.loads(content)
    assert (value["row_key"], value["sentiment"]) == ("7-other", "negative")


@pytest.mark.parametrize(
    "schema",
    [
        SCHEMA,
        {"type": "object", "properties": {"sentiment": {"enum": ["positive", "negative"]}}, "required": ["sentiment"]},
        {"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"]},
        {"type": "object", "properties": {"name": {"type": "string"}, "n": {"type": "integer"}}, "required": ["name", "n"]},
        {"type": "object", "properties": {"row_key": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["row_key", "tags"]},
    ],
)  # fmt: skip
def test_that_malformed_is_beyond_repair(schema):
    content, reason = spoilt("malformed", Question("I love it.", "7", schema))
    assert content.startswith("Sure! Here is the answer: {")
    assert reason == "stop"
    with pytest.raises(ValueError):
        json.loads(content)
    assert not Draft202012Validator(schema).is_valid(json_repair.loads(content))


def test_that_plain_text_has_no_field_to_leave_out():
    assert not applies("missing_field", PLAIN, answer(PLAIN, 0))
    assert applies("missing_field", QUESTION, RIGHT)
    assert applies("empty", PLAIN, answer(PLAIN, 0))


@given(fault=st.sampled_from(sorted(ANSWER_FAULTS)), text=st.text(), key=st.none() | st.text())
def test_that_no_fault_leaves_the_right_answer(fault, text, key):
    question = Question(text, key, SCHEMA)
    right = answer(question, 0)
    wrong, _ = spoil(fault, question, right, seed=0, seen=[])
    assert wrong.content != right.content


def test_that_a_fault_depends_on_seed_key_and_attempt_alone():
    faults = {"500": 0.3, "reset": 0.2}
    drawn = [draw(faults, 1, key, 1) for key in range(2000)]
    assert drawn == [draw(faults, 1, key, 1) for key in range(2000)]
    assert drawn != [draw(faults, 2, key, 1) for key in range(2000)]
    assert 540 <= drawn.count("500") <= 660
    assert 340 <= drawn.count("reset") <= 460
    again = [draw(faults, 1, key, 2) for key in range(2000) if drawn[key] == "500"]
    assert 0.2 <= again.count("500") / len(again) <= 0.4


def test_that_no_faults_and_certain_faults_are_exact():
    assert draw({}, 0, "k", 1) is None
    assert {draw({"hang": 1.0}, 0, key, 1) for key in range(100)} == {"hang"}
    assert {draw({"hang": 0.0}, 0, key, 1) for key in range(100)} == {None}


def test_that_faults_are_read_from_a_command_line():
    assert parse_faults("500=0.02, reset=0.01") == {"500": 0.02, "reset": 0.01}
    assert parse_faults("") == {}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("oops=0.1", "The practice server knows no fault “oops”."),
        ("500=1.5", "The rate of the fault “500” is 1.5."),
        ("500=-0.1", "The rate of the fault “500” is -0.1."),
        ("500=nan", "The rate of the fault “500” is nan."),
        ("500=0.6,503=0.6", "The rates of all faults add up to 1.2."),
        ("500", "“500” is not a fault with its rate."),
        ("500=often", "“500=often” is not a fault with its rate."),
    ],
)
def test_that_wrong_faults_are_told_with_the_right_ones(text, start):
    with pytest.raises(UserError) as caught:
        parse_faults(text)
    assert str(caught.value).startswith(start)
    assert str(caught.value).endswith("The faults are: " + ", ".join(FAULTS) + ".")


def test_that_rates_that_add_up_to_one_are_allowed_despite_rounding():
    assert sum(
        parse_faults(",".join(f"{name}=0.1" for name in list(FAULTS)[:10])).values()
    ) == pytest.approx(1)
