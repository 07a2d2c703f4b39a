"""Labels, confidence and agreement: what a value must be, and how sure the model was of it."""

import json
import math

import pytest

from batchdesk.domain.chat import Choice, TokenLogprob
from batchdesk.domain.job import ConfidenceCheck, LabelsCheck, Stage
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
