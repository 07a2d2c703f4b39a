"""A schema or check that cannot work is refused when the job is read, not by every row."""

import pytest

from batchdesk.domain.job import LabelsCheck, RequiredCheck, Stage
from batchdesk.errors import JobFileError
from batchdesk.quality.checks import Checker

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
            {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/x"}}},
            "The output of stage 's' has a $ref that leads to itself without end.",
        ),
        (
            {
                "properties": {
                    "a": {"anyOf": [{"type": "null"}, {"$ref": "#/properties/b"}]},
                    "b": {"$ref": "#/properties/a"},
                }
            },
            "The output of stage 's' has a $ref that leads to itself without end.",
        ),
        (
            {"properties": {"a": {"$dynamicRef": "#nope"}}},
            "The output of stage 's' refers to '#nope', which is not in it. A $ref must lead to a part of the same output, such as #/$defs/item.",
        ),
        (
            {"required": ["row_key"]},
            "The output of stage 's' has a field `row_key`, a name that Batchdesk uses itself. Give the field another name.",
        ),
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


def test_that_a_schema_that_is_nested_too_deeply_is_refused():
    output: dict[str, object] = {}
    for _ in range(300):
        output = {"properties": {"a": output}}
    with pytest.raises(JobFileError, match="nested too deeply"):
        checker(output)


def test_that_a_schema_may_hold_itself_further_down():
    tree = {"type": "object", "properties": {"below": {"type": "array", "items": {"$ref": "#"}}}}
    assert checker(tree).recheck({"below": [{"below": []}]}) == ()
    assert checker(tree).recheck({"below": [{"below": 1}]})[0].path == "below/0/below"


def test_that_an_answer_that_the_validator_fails_on_is_a_finding():
    output = {"properties": {"a": {"multipleOf": 10**400}}}
    [finding] = checker(output).recheck({"a": 1.5})
    assert (finding.check, finding.code) == ("schema", "not_checkable")
