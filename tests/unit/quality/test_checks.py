"""Every check and every code of it: what is bad, what is doubtful, what passes."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import Choice, TokenLogprob
from batchdesk.domain.job import ConfidenceCheck, LabelsCheck, RequiredCheck, Stage
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


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (
            {"type": "objekt"},
            "The output of stage 's' is not a JSON Schema: at type, 'objekt' is not valid under any of the given schemas.",
        ),
        (
            {"required": "sentiment"},
            "The output of stage 's' is not a JSON Schema: at required, 'sentiment' is not of type 'array'.",
        ),
        (
            {"properties": {"a": {"pattern": "("}}},
            "The output of stage 's' is not a JSON Schema: at properties/a/pattern, '(' is not a 'regex'.",
        ),
        (
            {"$ref": "#/$defs/no"},
            "The output of stage 's' refers to '#/$defs/no', which is not in it. A $ref must lead to a part of the same output, such as #/$defs/item.",
        ),
        (
            {"items": [], "prefixItems": [{"$ref": "https://127.0.0.1:1/s.json"}]},
            "The output of stage 's' is not a JSON Schema: at items, [] is not of type 'object', 'boolean'.",
        ),
        (
            {"allOf": [{"$ref": "https://127.0.0.1:1/s.json"}]},
            "The output of stage 's' refers to 'https://127.0.0.1:1/s.json', which is not in it. A $ref must lead to a part of the same output, such as #/$defs/item.",
        ),
        ({"$ref": "#"}, "The output of stage 's' has a $ref that leads to itself without end."),
        (
            {"properties": {"row_key": {}}},
            "The output of stage 's' has a field `row_key`, a name that Batchdesk uses itself. Give the field another name.",
        ),
    ],
)
def test_that_a_schema_that_cannot_work_is_refused_before_any_row(schema, sentence):
    with pytest.raises(Exception, match="stage 's'") as caught:
        checker(schema)
    assert (type(caught.value).__name__, str(caught.value)) == ("JobFileError", sentence)


@pytest.mark.parametrize(
    ("stage", "sentence"),
    [
        (
            {"answer_field": "mood"},
            "Stage 's' names a field 'mood' that its output does not have. It has: sentiment, why.",
        ),
        (
            {"checks": (RequiredCheck(kind="required", fields=("why", "when")),)},
            "Stage 's' names a field 'when' that its output does not have. It has: sentiment, why.",
        ),
        (
            {"checks": (LabelsCheck(kind="labels", field="x", allowed=("a",)),)},
            "Stage 's' names a field 'x' that its output does not have. It has: sentiment, why.",
        ),
        (
            {"output": None, "checks": (LabelsCheck(kind="labels", field="x", allowed=("a",)),)},
            "Stage 's' names a field 'x', but its answers are plain text without fields. Give the stage an output with this field.",
        ),
    ],
)
def test_that_a_field_that_no_answer_can_have_is_refused(stage, sentence):
    with pytest.raises(Exception, match="names a field") as caught:
        Checker(
            Stage.model_validate({"name": "s", "user": "u", "output": SENTIMENT, **stage}),
            echo_key=False,
        )
    assert str(caught.value) == sentence


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


# -- labels -------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["Positive", " positive ", "POSITIVE"])
def test_that_a_label_takes_the_spelling_of_the_schema(said):
    assert assess(checker(), json.dumps({"sentiment": said})) == Assessment(
        {"sentiment": "positive"}, ()
    )


def test_that_labels_that_differ_in_case_alone_are_not_mixed_up():
    made = checker({"type": "object", "properties": {"c": {"enum": ["US", "us", "Them"]}}})
    assert assess(made, '{"c": "US"}').answer == {"c": "US"}
    assert assess(made, '{"c": "us"}').answer == {"c": "us"}
    assert assess(made, '{"c": "them"}').answer == {"c": "Them"}
    assert one(assess(made, '{"c": "Us"}')).code == "enum"


LABELS = LabelsCheck(
    kind="labels",
    field="s",
    allowed=("好评", "差评", "Mixed", "mixed"),
    synonyms={"Good ": "好评", "bad": "差评"},
)
TEXT_S = {"type": "object", "properties": {"s": {"type": "string"}}}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("好评", "好评"),
        ("good", "好评"),
        (" GOOD", "好评"),
        ("Bad", "差评"),
        ("mixed", "mixed"),
        ("Mixed", "Mixed"),
    ],
)
def test_that_synonyms_and_spellings_become_the_label(said, kept):
    assert assess(checker(TEXT_S, LABELS), json.dumps({"s": said})) == Assessment({"s": kept}, ())


@pytest.mark.parametrize("said", ["so-so", "", "goodish", "好评 差评", "MIXED"])
def test_that_a_label_that_is_not_allowed_is_bad_and_kept(said):
    found = assess(checker(TEXT_S, LABELS), json.dumps({"s": said}))
    assert one(found) == CheckResult("labels", BAD, "not_allowed", "s", {"value": said})
    assert found.answer == {"s": said}


def test_that_a_label_that_is_absent_is_not_allowed():
    assert one(assess(checker(TEXT_S, LABELS), "{}")).detail == {"value": None}


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ("4", True),
        ("true", True),
        ("6", False),
        ("false", False),
        ("1.5", False),
        ("[4]", False),
        ("null", False),
    ],
)
def test_that_numbers_and_booleans_are_labels_as_the_job_file_writes_them(said, passes):
    made = checker(
        {"type": "object", "properties": {"s": {}}},
        LabelsCheck(kind="labels", field="s", allowed=("4", "true")),
    )
    assert (assess(made, f'{{"s": {said}}}').verdict is Verdict.PASSED) is passes


# -- confidence ---------------------------------------------------------------------------------


def spelled(*pairs: tuple[str, float]) -> Choice:
    return Choice(
        "".join(text for text, _ in pairs),
        "stop",
        tuple(TokenLogprob(text, math.log(p)) for text, p in pairs),
    )


def logprobs(at_least: float, field: str | None = None) -> ConfidenceCheck:
    return ConfidenceCheck(kind="confidence", at_least=at_least, field=field)


def test_that_confidence_below_the_threshold_is_doubtful_with_both_figures():
    choice = spelled(('{"sentiment": "', 1.0), ("pos", 0.5), ("itive", 0.8), ('"}', 0.9))
    found = checker(SENTIMENT, logprobs(0.6), answer_field="sentiment").assess([choice], "r1")
    assert found.confidence == pytest.approx(0.4)
    assert one(found) == CheckResult(
        "confidence", DOUBTFUL, "low", "sentiment", {"value": 0.4, "at_least": 0.6}
    )
    assert found.error_kind is None


def test_that_confidence_at_the_threshold_passes():
    choice = spelled(('{"sentiment": "', 1.0), ("positive", 0.5), ('"}', 0.9))
    assert (
        checker(SENTIMENT, logprobs(0.49), answer_field="sentiment").assess([choice], "r1").results
        == ()
    )


def test_that_rounding_does_not_hide_that_a_value_is_too_low():
    found = checker(SENTIMENT, logprobs(0.6), answer_field="sentiment").assess(
        [spelled(('{"sentiment": "positive"}', 0.59999))], "r1"
    )
    assert one(found).detail["value"] == pytest.approx(0.59999, abs=1e-9)


def test_that_each_check_measures_its_own_field():
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    choice = spelled(('{"a": ', 1.0), ("1", 0.9), (', "b": ', 1.0), ("2", 0.2), ("}", 1.0))
    found = checker(schema, logprobs(0.5, "a"), logprobs(0.5, "b")).assess([choice], "r1")
    assert one(found) == CheckResult(
        "confidence", DOUBTFUL, "low", "b", {"value": 0.2, "at_least": 0.5}
    )


def test_that_confidence_that_cannot_be_measured_is_doubtful():
    found = assess(checker(SENTIMENT, logprobs(0.1, "sentiment")), '{"sentiment": "positive"}')
    assert one(found) == CheckResult("confidence", DOUBTFUL, "unknown", "sentiment")


def test_that_confidence_of_plain_text_is_the_mean_of_its_tokens():
    found = checker(None, logprobs(0.3)).assess([spelled(("a", 0.5), ("b", 0.125))], "r1")
    assert found.confidence == pytest.approx(0.25)
    assert one(found).detail == {"value": 0.25, "at_least": 0.3}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("0.9", None),
        ("1", None),
        ("0.79", "low"),
        ("0", "low"),
        ("85", "unknown"),
        ("-0.1", "unknown"),
        ('"0.9"', "unknown"),
        ("true", "unknown"),
        ("null", "unknown"),
    ],
)
def test_that_a_models_own_confidence_counts_from_zero_to_one(said, code):
    check = ConfidenceCheck(kind="confidence", source="field", field="sure", at_least=0.8)
    found = assess(
        checker({"type": "object", "properties": {"sure": {}}}, check), f'{{"sure": {said}}}'
    )
    assert [r.code for r in found.results] == ([] if code is None else [code])


# -- several answers ----------------------------------------------------------------------------

POSITIVE, NEGATIVE = Choice('{"sentiment": "positive"}'), Choice('{"sentiment": "negative"}')


def test_that_the_most_frequent_answer_counts_and_a_split_is_doubtful():
    found = checker(n=3).assess([NEGATIVE, POSITIVE, Choice('{"sentiment": "Positive"}')], "r1")
    assert found.answer == {"sentiment": "positive"}
    assert one(found) == CheckResult(
        "agreement", DOUBTFUL, "answers_differ", detail={"share": 2 / 3}
    )


def test_that_answers_that_all_agree_pass():
    assert checker(n=3).assess([POSITIVE] * 3, "r1").results == ()


def test_that_an_answer_of_no_use_agrees_with_nobody():
    found = checker(n=2).assess([Choice("nonsense"), POSITIVE], "r1")
    assert (found.answer, one(found).detail) == ({"sentiment": "positive"}, {"share": 0.5})


def test_that_no_usable_answer_at_all_is_the_first_ones_fault():
    found = checker(n=2).assess([Choice(""), Choice("nonsense")], "r1")
    assert found.error_kind is ErrorKind.EMPTY_OUTPUT


def test_that_of_equals_the_first_counts():
    assert checker(n=2).assess([NEGATIVE, POSITIVE], "r1").answer == {"sentiment": "negative"}


@pytest.mark.parametrize(("at_least", "codes"), [(0.5, []), (2 / 3, []), (0.7, ["low"])])
def test_that_agreement_is_held_against_its_threshold(at_least, codes):
    check = ConfidenceCheck(kind="confidence", source="agreement", at_least=at_least)
    found = checker(SENTIMENT, check, n=3).assess([POSITIVE, NEGATIVE, POSITIVE], "r1")
    assert [r.code for r in found.results] == codes


def test_that_agreement_on_a_field_does_not_mind_different_reasons():
    check = ConfidenceCheck(kind="confidence", source="agreement", field="sentiment", at_least=0.6)
    said = [("negative", "late"), ("positive", "nice"), ("positive", "warm")]
    choices = [Choice(json.dumps({"sentiment": mood, "why": why})) for mood, why in said]
    found = checker(SENTIMENT, check, n=3).assess(choices, "r1")
    assert found == Assessment({"sentiment": "positive", "why": "nice"}, ())


# -- a person's edit ----------------------------------------------------------------------------


def test_that_an_edited_answer_is_checked_for_form_and_content():
    assert checker().recheck({"sentiment": "positive"}) == ()
    [found] = checker().recheck({"sentiment": "meh"})
    assert (found.check, found.code, found.path) == ("schema", "enum", "sentiment")


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
