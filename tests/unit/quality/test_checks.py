"""What is bad and what is doubtful in an answer's form, key and required fields."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import Choice
from batchdesk.domain.job import RequiredCheck, Stage
from batchdesk.domain.task import ErrorKind
from batchdesk.domain.verdict import Assessment, CheckOutcome, CheckResult, Verdict
from batchdesk.quality.checks import Checker

BAD, DOUBTFUL = CheckOutcome.BAD, CheckOutcome.DOUBTFUL
SENTIMENT = {
    "type": "object",
    "properties": {
        "sentiment": {"type": "string", "enum": ["positive", "negative"]},
        "why": {"type": "string"},
    },
    "required": ["sentiment"],
    "additionalProperties": False,
}


def checker(output=SENTIMENT, *checks, echo_key=False, **stage) -> Checker:
    return Checker(
        Stage(name="s", user="u", output=output, checks=checks, **stage), echo_key=echo_key
    )


def assess(made: Checker, text: str, key: str = "r1", **choice) -> Assessment:
    return made.assess([Choice(text, **choice)], key)


def one(assessment: Assessment) -> CheckResult:
    [result] = assessment.results
    return result


def test_that_an_answer_as_asked_passes():
    found = assess(checker(), '{"sentiment": "positive"}')
    assert found == Assessment({"sentiment": "positive"}, ())
    assert found.verdict is Verdict.PASSED


def test_that_plain_text_passes_as_it_is():
    assert assess(checker(None), " 你好 ") == Assessment(" 你好 ", ())


@pytest.mark.parametrize(
    ("text", "finish", "kind", "result"),
    [
        (
            "no",
            "content_filter",
            ErrorKind.CONTENT_FILTERED,
            CheckResult("filtered", BAD, "content_filtered"),
        ),
        (
            '{"sentiment": "positive"}',
            "length",
            ErrorKind.TRUNCATED,
            CheckResult("complete", BAD, "truncated"),
        ),
        ("", "stop", ErrorKind.EMPTY_OUTPUT, CheckResult("parsable", BAD, "empty")),
        (" \n\t\u3000", None, ErrorKind.EMPTY_OUTPUT, CheckResult("parsable", BAD, "empty")),
        ("positive", "stop", ErrorKind.MALFORMED_OUTPUT, CheckResult("parsable", BAD, "not_json")),
        (
            '{"sentiment": "posi',
            None,
            ErrorKind.MALFORMED_OUTPUT,
            CheckResult("parsable", BAD, "cut"),
        ),
        (
            '{"sentiment": "positive"} {"sentiment": "negative"}',
            "stop",
            ErrorKind.MALFORMED_OUTPUT,
            CheckResult("parsable", BAD, "several"),
        ),
        (
            '{"sentiment": NaN}',
            "stop",
            ErrorKind.MALFORMED_OUTPUT,
            CheckResult("parsable", BAD, "not_finite"),
        ),
        ("[" * 5000, "stop", ErrorKind.MALFORMED_OUTPUT, CheckResult("parsable", BAD, "too_deep")),
    ],
)
def test_that_an_answer_of_no_use_has_one_finding_and_keeps_its_text(text, finish, kind, result):
    found = assess(checker(), text, finish_reason=finish)
    assert found == Assessment(text, (result,), kind)
    assert found.verdict is Verdict.REVIEW


def test_that_a_repaired_answer_is_doubtful_not_bad():
    found = assess(checker(), 'Here: {"sentiment": "positive"}')
    assert found == Assessment(
        {"sentiment": "positive"}, (CheckResult("parsable", DOUBTFUL, "repaired"),), repaired=True
    )


def test_that_half_an_emoji_at_the_end_of_a_cut_answer_can_be_stored():
    found = assess(checker(), "great \ud83d", finish_reason="length")
    assert found.answer == "great \ufffd"
    assert assess(checker(None), "great \ud83d").answer == "great \ufffd"


# -- schema -------------------------------------------------------------------------------------


def test_that_every_schema_error_has_its_path_and_rule():
    schema = {
        "type": "object",
        "properties": {
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"price": {"type": "number", "minimum": 0}},
                    "required": ["price"],
                },
            },
            "day": {"type": "string", "format": "date"},
        },
        "required": ["items", "day"],
    }
    found = assess(
        checker(schema), '{"items": [{"price": "9"}, {"price": -1}, {}], "day": "12 May"}'
    )
    assert found.error_kind is ErrorKind.MALFORMED_OUTPUT
    assert sorted((r.check, r.code, r.path) for r in found.results) == [
        ("schema", "format", "day"),
        ("schema", "minimum", "items/1/price"),
        ("schema", "required", "items/2"),
        ("schema", "type", "items/0/price"),
    ]
    assert all(r.outcome is BAD for r in found.results)
    [message] = [r.detail["message"] for r in found.results if r.code == "format"]
    assert message == "'12 May' is not a 'date'"


def test_that_a_missing_field_and_an_unknown_one_are_schema_errors():
    found = assess(checker(), '{"mood": "positive"}')
    assert sorted(r.code for r in found.results) == ["additionalProperties", "required"]


def test_that_a_whole_number_with_a_point_is_a_whole_number_but_true_is_not():
    made = checker({"type": "object", "properties": {"stars": {"type": "integer"}}})
    assert assess(made, '{"stars": 4.0}').verdict is Verdict.PASSED
    assert one(assess(made, '{"stars": true}')).code == "type"


def test_that_a_thousand_errors_are_told_as_twenty_short_ones():
    made = checker({"type": "array", "items": {"type": "integer"}})
    found = assess(made, json.dumps(["x" * 5000] * 1000))
    assert len(found.results) == 20
    assert {len(r.detail["message"]) for r in found.results} == {300}


def test_that_a_list_may_be_the_answer():
    made = checker({"type": "array", "items": {"type": "string"}})
    assert assess(made, '["a", "b"]') == Assessment(["a", "b"], ())
    assert one(assess(made, '{"a": 1}')).code == "type"


def test_that_local_references_are_followed():
    schema = {
        "type": "object",
        "properties": {"mood": {"$ref": "#/$defs/mood"}},
        "$defs": {"mood": {"enum": ["up", "down"]}},
    }
    assert assess(checker(schema), '{"mood": "up"}').verdict is Verdict.PASSED
    assert one(assess(checker(schema), '{"mood": "left"}')).path == "mood"


def test_that_a_schema_may_refer_to_itself_and_the_deepest_answer_is_checked():
    schema = {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}},
                ]
            }
        },
    }
    deepest = '{"next":' * 64 + "1" + "}" * 64
    assert assess(checker(schema), deepest).verdict is Verdict.PASSED
    assert assess(checker(schema), deepest.replace("1", '"x"')).verdict is Verdict.REVIEW


# -- row keys -----------------------------------------------------------------------------------


@pytest.mark.parametrize("named", ['"A 7"', '"  A\\u00a0 7 "', '"A\\u30007"', '"A\\n7"'])
def test_that_a_row_key_is_compared_without_regard_to_white_space(named):
    found = assess(
        checker(echo_key=True), f'{{"row_key": {named}, "sentiment": "positive"}}', "A 7"
    )
    assert found == Assessment({"sentiment": "positive"}, ())


@pytest.mark.parametrize(
    ("key", "named"), [("17", "17"), ("caf\u00e9", '"cafe\u0301"'), ("cafe\u0301", '"caf\u00e9"')]
)
def test_that_a_number_or_another_way_to_write_an_accent_is_the_same_key(key, named):
    assert (
        assess(
            checker(echo_key=True), f'{{"row_key": {named}, "sentiment": "positive"}}', key
        ).results
        == ()
    )


@pytest.mark.parametrize(
    ("fields", "code", "value"),
    [
        ('"row_key": "A-8", ', "other_row", "A-8"),
        ('"row_key": "a-7", ', "other_row", "a-7"),
        ('"row_key": "A- 7", ', "other_row", "A- 7"),
        ('"row_key": 7, ', "other_row", 7),
        ('"row_key": "", ', "other_row", ""),
        ('"row_key": ["A-7"], ', "other_row", ["A-7"]),
        ('"row_key": null, ', "row_key_missing", None),
        ("", "row_key_missing", None),
    ],
)
def test_that_an_answer_for_another_row_is_misaligned(fields, code, value):
    found = assess(checker(echo_key=True), f'{{{fields}"sentiment": "positive"}}', "A-7")
    assert found.error_kind is ErrorKind.MISALIGNED
    assert one(found) == CheckResult("misaligned", BAD, code, detail={"named": value})
    assert found.answer == {"sentiment": "positive"}


def test_that_leading_zeros_belong_to_a_key():
    assert (
        assess(
            checker(echo_key=True), '{"row_key": 123, "sentiment": "positive"}', "00123"
        ).error_kind
        is ErrorKind.MISALIGNED
    )


def test_that_an_endless_row_key_is_recorded_by_its_beginning():
    found = assess(
        checker(echo_key=True), json.dumps({"row_key": "x" * 9000, "sentiment": "positive"}), "A"
    )
    assert one(found).detail == {"named": "x" * 300}


def test_that_a_list_cannot_name_its_row():
    found = assess(checker(echo_key=True), '[{"row_key": "r1"}]')
    assert (found.error_kind, one(found)) == (
        ErrorKind.MALFORMED_OUTPUT,
        CheckResult("schema", BAD, "type"),
    )


# -- required -----------------------------------------------------------------------------------


def test_that_blank_text_in_a_field_that_the_schema_requires_is_bad():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"],
    }
    found = assess(checker(schema), '{"a": " \\n", "b": ""}')
    assert one(found) == CheckResult("required", BAD, "blank", "a")
    assert found.error_kind is ErrorKind.MALFORMED_OUTPUT


def test_that_blank_text_that_the_schema_lists_is_an_answer():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "enum": ["", "x"]}},
        "required": ["a"],
    }
    assert assess(checker(schema), '{"a": ""}').results == ()


def test_that_null_is_the_schemas_matter_unless_a_check_asks_for_more():
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}},
        "required": ["a"],
    }
    assert assess(checker(schema), '{"a": null}').results == ()
    made = checker(schema, RequiredCheck(kind="required", fields=("a",)))
    assert one(assess(made, '{"a": null}')) == CheckResult("required", BAD, "blank", "a")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{}", "missing"),
        ('{"a": ""}', "blank"),
        ('{"a": []}', "blank"),
        ('{"a": {}}', "blank"),
        ('{"a": 0}', None),
        ('{"a": false}', None),
        ('{"a": "x"}', None),
    ],
)
def test_that_a_required_check_wants_the_field_there_and_saying_something(text, code):
    made = checker(
        {"type": "object", "properties": {"a": {}}}, RequiredCheck(kind="required", fields=("a",))
    )
    expected = () if code is None else (CheckResult("required", BAD, code, "a"),)
    assert assess(made, text).results == expected


@given(st.text(max_size=80) | st.text('{}[]":, sentimopv', max_size=60))
def test_that_any_text_is_assessed_and_only_a_valid_answer_passes(text):
    found = assess(checker(), text)
    json.dumps(found.answer, allow_nan=False).encode()
    if found.verdict is Verdict.PASSED:
        assert json.loads(text.strip())["sentiment"].strip().casefold() in {"positive", "negative"}
    else:
        assert found.results


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_that_a_copied_key_is_always_aligned(key):
    sent = " ".join(key.split())
    text = json.dumps({"row_key": key, "sentiment": "positive"})
    assert assess(checker(echo_key=True), text, sent).results == ()
