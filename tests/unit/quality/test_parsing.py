"""One JSON value per answer: read strictly, mended visibly, never guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.quality.parsing import Parsed, UnparsableError, parse, whole_characters

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("ab{}[]\"'", max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


def code_of(text: str) -> str:
    with pytest.raises(UnparsableError) as caught:
        parse(text)
    return caught.value.code


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('  \n{"a": "中文"}\n', {"a": "中文"}),
        ("[1, 2]", [1, 2]),
        ('"plain"', "plain"),
        ("true", True),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}\n```\n', {"a": 1}),
        ('```JSON  \r\n{"a": 1}\r\n```', {"a": 1}),
        ('{"a": "```"}', {"a": "```"}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ("{}", {}),
    ],
)
def test_that_json_is_read_as_it_is_fence_or_not(text, value):
    assert parse(text) == Parsed(value, repaired=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('Here is the answer: {"a": 1}', {"a": 1}),
        ('{"a": 1}\nBecause it says so.', {"a": 1}),
        ('{"a": 1},', {"a": 1}),
        ('{"a": 1}}', {"a": 1}),
        ('Sure!\n```json\n{"a": 1}\n```', {"a": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1,}', {"a": 1}),
        ("{'a': 'b'}", {"a": "b"}),
        ('{a: "b"}', {"a": "b"}),
        ('{"a": "x\ty"}', {"a": "x\ty"}),
    ],
)
def test_that_a_text_that_needs_mending_is_marked_repaired(text, value):
    assert parse(text) == Parsed(value, repaired=True)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_json"),
        ("```json\n```", "not_json"),
        ("positive", "not_json"),
        ("It is {unclear}.", "not_json"),
        ('{"a": "posi', "cut"),
        ('{"a": 1', "cut"),
        ('{"a": [{"b": 1}', "cut"),
        ('[{"a": 1}, {"a": 2}', "cut"),
        ('{"a": 1}{"a": 2}', "several"),
        ('{"a": 1}\n\n{"a": 2}', "several"),
        ('{"a": 1}\n[2]', "several"),
        ('First {"a": 1}, then {"a": 2}', "several"),
        ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "several"),
        ('{"a": "positive", "a": "negative"}', "several"),
        ('{"a": NaN}', "not_finite"),
        ('{"a": NaN,}', "not_finite"),
        ('{"a": -Infinity}', "not_finite"),
        ('{"a": 1e999}', "not_finite"),
        ('{"a": 1e999,}', "not_finite"),
        ("9" * 5000, "not_finite"),
        ("[" * 100_000, "too_deep"),
        ("[" * 500 + "]" * 500, "too_deep"),
        ('{"a":' * 65 + "1" + "}" * 65, "too_deep"),
        ("{]", "not_repairable"),
    ],
)
def test_that_what_cannot_be_read_for_certain_says_why(text, code):
    assert code_of(text) == code


def test_that_sixty_four_levels_are_deep_enough():
    assert parse('{"a":' * 64 + "1" + "}" * 64).repaired is False


def test_that_half_of_an_emoji_becomes_a_sign_that_a_file_can_hold():
    assert parse('{"a": "so good \\ud83d"}') == Parsed({"a": "so good \ufffd"}, repaired=True)
    assert parse('{"a": "so good \\ud83d\\ude00"}') == Parsed({"a": "so good 😀"}, repaired=False)
    assert whole_characters("x\udc00y") == "x\ufffdy"


def test_that_endless_blank_lines_in_a_fence_are_read_at_once():
    assert code_of("```json\n" + " \n" * 200_000 + "x") == "not_json"


@given(json_values)
def test_that_every_json_value_is_read_back_unchanged(value):
    text = json.dumps(value, ensure_ascii=False)
    assert parse(text) == Parsed(value, repaired=False)
    assert parse(f"```json\n{text}\n```") == Parsed(value, repaired=False)


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3), st.text("xyz {}[]\"'", max_size=6), min_size=1
    ),
    st.data(),
)
def test_that_an_object_cut_anywhere_is_never_taken_for_whole(value, data):
    text = json.dumps(value)
    at = data.draw(st.integers(1, len(text) - 1))
    try:
        found = parse(text[:at])
    except UnparsableError:
        return
    assert found.repaired  # a person will look at it


@given(st.text(max_size=60) | st.text('{}[]":, ab1\\', max_size=40))
def test_that_any_text_is_parsed_or_refused_and_what_comes_out_can_be_stored(text):
    try:
        found = parse(text)
    except UnparsableError:
        return
    stored = json.dumps(found.value, ensure_ascii=False, allow_nan=False).encode()
    assert json.loads(stored) == found.value
