import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from batchdesk.providers.practice_answers import Answer, Question, answer, fraction

SENTIMENT = {
    "type": "object",
    "properties": {
        "row_key": {"type": "string"},
        "sentiment": {"type": "string", "enum": ["positive", "negative", "neutral"]},
    },
    "required": ["row_key", "sentiment"],
    "additionalProperties": False,
}
LETTER = (
    "Hello, my name is Anna Berg. On 12 March 2025 I ordered 3 coffee mugs, order number "
    "A-20417, and paid $41.50. Write to anna.berg@example.org."
)


def field(name: str, part: dict[str, Any], text: str, seed: int = 0) -> Any:
    schema = {"type": "object", "properties": {name: part}, "required": [name]}
    return answer(Question(text, None, schema), seed).value[name]


def test_that_an_answer_names_its_row_and_judges_its_text():
    given_answer = answer(Question("I love it.", "00123", SENTIMENT), 0)
    assert given_answer.content == '{"row_key": "00123", "sentiment": "positive"}'
    assert given_answer.value == {"row_key": "00123", "sentiment": "positive"}


@pytest.mark.parametrize(
    ("labels", "text", "label"),
    [
        (["positive", "negative", "neutral"], "It broke.", "negative"),
        (["positive", "negative", "neutral"], "Delivered on Monday.", "neutral"),
        (["POS", "NEG"], "It broke.", "NEG"),
        (["正面", "负面", "中性"], "质量很好", "正面"),
        (["好评", "差评"], "质量很差", "差评"),
        (["positive", "negative", "mixed"], "Great sound. Broken box.", "mixed"),
        (["billing", "shipping", "other"], "The shipping took long.", "shipping"),
        (["refund_request", "question"], "Please, a refund!", "refund_request"),
    ],
)
def test_that_a_label_follows_from_the_text(labels, text, label):
    assert field("label", {"enum": labels}, text) == label


def test_that_a_tie_without_neutral_is_decided_by_seed_and_text():
    answers = {field("s", {"enum": ["pos", "neg"]}, f"Delivered on day {n}.") for n in range(20)}
    assert answers == {"pos", "neg"}
    again = [field("s", {"enum": ["pos", "neg"]}, "Delivered.", seed) for seed in (1, 1, 1)]
    assert len(set(again)) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("customer_name", "Anna Berg"),
        ("order_number", "A-20417"),
        ("order_date", "12 March 2025"),
        ("email", "anna.berg@example.org"),
        ("product", "coffee mugs"),
        ("total_price", "$41.50"),
        ("summary", "Hello, my name is Anna Berg. On 12"),
    ],
)
def test_that_text_fields_are_found_by_their_name(name, value):
    assert field(name, {"type": "string"}, LETTER) == value


def test_that_a_quantity_is_the_first_small_number():
    assert field("quantity", {"type": "integer"}, "Order A-20417: I need 3 mugs.") == 3


def test_that_a_rating_follows_the_tone():
    part = {"type": "integer", "minimum": 1, "maximum": 5}
    assert field("rating", part, "Excellent, wonderful, perfect, I love it.") == 5
    assert field("rating", part, "Terrible, awful, broken and useless.") == 1
    assert field("rating", part, "Delivered on Monday.") == 3


def test_that_plain_text_is_a_sentence_that_quotes():
    assert answer(Question("I love it."), 0) == Answer(
        "Practice answer: a friendly text that begins “I love it.”."
    )
    assert answer(Question(""), 0).content == "Practice answer: the text is empty."


def test_that_a_schema_with_references_and_alternatives_is_followed():
    schema = {
        "$defs": {"tone": {"enum": ["positive", "negative"]}, "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
        "type": "object",
        "properties": {
            "tone": {"$ref": "#/$defs/tone"},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 4}]},
            "kind": {"const": "review"},
            "version": {"type": ["null", "string"], "pattern": "^[A-Z]{2}-\\d+$"},
            "node": {"$ref": "#/$defs/node"},
        },
        "required": ["tone", "maybe", "kind", "version", "node"],
    }  # fmt: skip
    value = answer(Question("It broke. Case AB-17.", None, schema), 0).value
    Draft202012Validator(schema).validate(value)
    assert value["tone"] == "negative"
    assert value["maybe"] == 4
    assert value["kind"] == "review"
    assert value["version"] == "AB-17"


def test_that_several_choices_agree_on_a_clear_text_and_differ_on_an_unclear_one():
    def share(text: str) -> float:
        labels = [
            answer(Question(text, "1", SENTIMENT), 0, variant=n).value["sentiment"]
            for n in range(200)
        ]
        return labels.count(labels[0]) / 200

    assert share("Excellent, wonderful, perfect, I love it.") >= 0.95
    assert 0.3 <= share("Delivered on Monday.") <= 0.7


def test_that_marks_lie_on_the_values_and_tell_how_clear_they_are():
    clear = answer(Question("Excellent, wonderful, perfect.", "7", SENTIMENT), 0)
    (start, end, probability) = clear.marks[0]
    assert clear.content[start:end] == '"positive"'
    assert 0.95 < probability < 1
    unclear = answer(Question("Delivered.", "7", SENTIMENT), 0)
    assert 0.4 <= unclear.marks[0][2] <= 0.6


def test_that_fractions_are_spread_evenly_and_repeat():
    numbers = [fraction("x", n) for n in range(1000)]
    assert numbers == [fraction("x", n) for n in range(1000)]
    assert 0.45 < sum(numbers) / 1000 < 0.55
    assert 0 <= min(numbers) < 0.02
    assert 0.98 < max(numbers) < 1


names = st.text("abcdefghij_", min_size=1, max_size=8)
strings = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={"minLength": st.integers(0, 40), "maxLength": st.integers(40, 60)},
)
numbers = st.builds(
    lambda kind, low, span, low_word, high_word: {
        "type": kind,
        low_word: low,
        high_word: low + span,
    },
    st.sampled_from(["integer", "number"]),
    st.integers(-1000, 1000),
    st.integers(2, 500),
    st.sampled_from(["minimum", "exclusiveMinimum"]),
    st.sampled_from(["maximum", "exclusiveMaximum"]),
)
enums = st.lists(
    st.one_of(st.text(max_size=8), st.integers(), st.none()), min_size=1, max_size=5
).map(lambda values: {"enum": values})
leaves = st.one_of(
    strings,
    numbers,
    enums,
    st.just({"type": "boolean"}),
    st.just({"type": ["string", "null"]}),
    st.just({"type": "null"}),
    st.integers().map(lambda value: {"const": value}),
    st.integers(1, 50).map(lambda step: {"type": "integer", "multipleOf": step}),
)


def nested(part):
    objects = st.dictionaries(names, part, max_size=4).map(
        lambda properties: {
            "type": "object",
            "properties": properties,
            "required": sorted(properties),
            "additionalProperties": False,
        }
    )
    arrays = st.builds(
        lambda items, least, more: {
            "type": "array",
            "items": items,
            "minItems": least,
            "maxItems": least + more,
        },
        part,
        st.integers(0, 3),
        st.integers(0, 2),
    )
    alternatives = st.builds(
        lambda word, parts: {word: parts}, st.just("anyOf"), st.lists(part, min_size=1, max_size=3)
    )
    return st.one_of(objects, arrays, alternatives)


schemas = st.recursive(leaves, nested, max_leaves=8)


@given(schema=schemas, text=st.text(max_size=60) | st.just(LETTER), seed=st.integers(0, 3))
def test_that_every_answer_satisfies_its_schema(schema, text, seed):
    given_answer = answer(Question(text, "k", schema), seed)
    Draft202012Validator(schema).validate(given_answer.value)
    assert json.loads(given_answer.content) == given_answer.value
    for start, end, probability in given_answer.marks:
        json.loads(given_answer.content[start:end])
        assert 0.4 <= probability <= 1


@given(text=st.text(), key=st.text(), seed=st.integers())
def test_that_the_same_question_and_seed_give_the_same_answer(text, key, seed):
    question = Question(text, key, SENTIMENT)
    assert answer(question, seed) == answer(question, seed)
    assert answer(question, seed).value["row_key"] == key
