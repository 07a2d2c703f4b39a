"""Answer fields and JSON Schema: both ways, the same bytes, and what stays JSON says why."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.prepare.fields import (
    AnswerField,
    AnswerForm,
    FieldKind,
    KeptAsJson,
    form_of,
    schema_of,
)


def schema(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def the_form(of: dict[str, Any]) -> AnswerForm:
    form = form_of(of)
    assert isinstance(form, AnswerForm), form
    return form


def test_that_every_kind_of_field_is_read():
    form = the_form(
        {
            "title": "Answer",
            "type": "object",
            "properties": {
                "why": {"type": "string", "maxLength": 80, "minLength": 1, "pattern": "^[A-Z]"},
                "n": {"type": "integer", "minimum": 0, "maximum": 9},
                "price": {"type": ["number", "null"], "description": "in euro"},
                "sure": {"type": "boolean"},
                "mood": {"type": "string", "enum": ["good", "bad"]},
                "tone": {"type": ["string", "null"], "enum": ["dry", None]},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
                "parts": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            },
            "required": ["mood", "why"],
            "additionalProperties": False,
        }
    )
    assert [(f.name, f.kind, f.required) for f in form.fields] == [
        ("why", FieldKind.TEXT, True),
        ("n", FieldKind.WHOLE, False),
        ("price", FieldKind.NUMBER, False),
        ("sure", FieldKind.FLAG, False),
        ("mood", FieldKind.CHOICE, True),
        ("tone", FieldKind.CHOICE, False),
        ("tags", FieldKind.LIST, False),
        ("parts", FieldKind.LIST, False),
    ]
    why, n, price, _, mood, tone, tags, parts = form.fields
    assert (why.shortest, why.longest, why.pattern) == (1, 80, "^[A-Z]")
    assert (n.least, n.most) == (0, 9)
    assert (price.nullable, price.description) == (True, "in euro")
    assert mood.allowed == ("good", "bad")
    assert (tone.allowed, tone.nullable) == (("dry",), True)
    assert tags.most_items == 3
    assert parts.allowed == ("a", "b")
    assert (form.required_order, form.closed, form.head) == (
        ("mood", "why"),
        False,
        {"title": "Answer"},
    )


def test_that_new_fields_become_a_schema():
    form = AnswerForm().with_new("mood").with_new("mood")
    form = form.with_field(1, AnswerField("tags", FieldKind.LIST, allowed=("x",), required=False))
    assert schema_of(form) == {
        "type": "object",
        "properties": {
            "mood": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["x"]}},
        },
        "required": ["mood"],
        "additionalProperties": False,
    }


def test_that_a_choice_without_a_type_stays_without():
    made = schema(a={"enum": ["x", "y"]})
    assert the_form(made).fields[0].typed is False
    assert schema_of(the_form(made)) == made


def test_that_renaming_moving_and_removing_keep_the_rest():
    form = the_form(schema(a={"type": "string"}, b={"type": "number"}, c={"type": "boolean"}))
    renamed = form.with_field(0, AnswerField("z"))
    assert schema_of(renamed)["required"] == ["z", "b", "c"]
    assert [f.name for f in form.moved(2, 0).fields] == ["c", "a", "b"]
    assert schema_of(form.without(1)) == schema(a={"type": "string"}, c={"type": "boolean"})


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        ({"type": "array"}, KeptAsJson(None, "type")),
        ({"type": "object"}, KeptAsJson(None, "properties")),
        ({**schema(), "$defs": {}}, KeptAsJson(None, "$defs")),
        ({**schema(), "required": ["x"]}, KeptAsJson(None, "required")),
        (
            {**schema(), "additionalProperties": {"type": "string"}},
            KeptAsJson(None, "additionalProperties"),
        ),
        (schema(a=True), KeptAsJson("a", "properties")),
        (schema(a={"type": "object"}), KeptAsJson("a", "type")),
        (schema(a={"type": "string", "format": "date"}), KeptAsJson("a", "format")),
        (schema(a={"type": "number", "exclusiveMinimum": 0}), KeptAsJson("a", "exclusiveMinimum")),
        (schema(a={"type": "string", "enum": ["x", "x"]}), KeptAsJson("a", "enum")),
        (schema(a={"type": "string", "enum": []}), KeptAsJson("a", "enum")),
        (schema(a={"type": ["string", "null"], "enum": ["x"]}), KeptAsJson("a", "enum")),
        (schema(a={"enum": ["x", 1]}), KeptAsJson("a", "enum")),
        (schema(a={"type": "array", "items": {"type": "object"}}), KeptAsJson("a", "items")),
        (schema(a={"type": "string", "maxLength": "8"}), KeptAsJson("a", "maxLength")),
        (schema(a={"type": "string", "description": 1}), KeptAsJson("a", "description")),
        (schema(a={"type": ["null", "string"]}), KeptAsJson("a", "type")),
    ],
)
def test_that_what_the_form_would_hide_stays_json_and_says_why(made, kept):
    assert form_of(made) == kept


LINES = (
    st.text(min_size=1, max_size=8).map(str.strip).filter(lambda s: s and len(s.splitlines()) == 1)
)
ALLOWED = st.lists(LINES, min_size=1, max_size=3, unique=True).map(tuple)
SIZES = st.one_of(st.none(), st.integers(0, 9))
NUMBER_LIMITS = st.one_of(st.none(), st.integers(-9, 9), st.floats(-9, 9))
COMMON: dict[str, Any] = {
    "name": st.text(min_size=1, max_size=6),
    "required": st.booleans(),
    "description": st.text(max_size=6),
    "nullable": st.booleans(),
}
ONE_FIELD = st.one_of(
    st.builds(AnswerField, kind=st.just(FieldKind.TEXT), shortest=SIZES, longest=SIZES,
              pattern=st.one_of(st.none(), st.just("^a")), **COMMON),
    st.builds(AnswerField, kind=st.sampled_from([FieldKind.NUMBER, FieldKind.WHOLE]),
              least=NUMBER_LIMITS, most=NUMBER_LIMITS, **COMMON),
    st.builds(AnswerField, kind=st.just(FieldKind.FLAG), **COMMON),
    st.builds(AnswerField, kind=st.just(FieldKind.CHOICE), allowed=ALLOWED, **COMMON),
    st.builds(AnswerField, kind=st.just(FieldKind.LIST), allowed=st.one_of(st.just(()), ALLOWED),
              fewest=SIZES, most_items=SIZES, **COMMON),
)  # fmt: skip
FORMS = st.builds(
    AnswerForm,
    fields=st.lists(ONE_FIELD, max_size=5, unique_by=lambda one: one.name).map(tuple),
    closed=st.sampled_from([None, True, False]),
    head=st.sampled_from(
        [{}, {"title": "T", "$schema": "https://json-schema.org/draft/2020-12/schema"}]
    ),
)


@given(FORMS)
def test_that_a_form_survives_the_way_through_its_schema(form):
    made = schema_of(form)
    jsonschema.Draft202012Validator.check_schema(made)
    read = the_form(made)
    assert [replace(one, order=()) for one in read.fields] == list(form.fields)
    assert schema_of(read) == made


@given(FORMS, st.data())
def test_that_a_schema_comes_back_with_the_same_bytes(form, data):
    made = schema_of(form)
    for name, part in made["properties"].items():
        keys = data.draw(st.permutations(list(part)))
        made["properties"][name] = {key: part[key] for key in keys}
    made = {key: made[key] for key in data.draw(st.permutations(list(made)))}
    assert json.dumps(schema_of(the_form(made))) == json.dumps(made)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.just("string")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "required", "enum", "items", "a", "minimum"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["type", "properties", "required", "title", "x"]), JSON))
def test_that_any_json_is_either_shown_whole_or_kept(made):
    form = form_of({"type": "object", **made})
    if isinstance(form, AnswerForm):
        assert json.dumps(schema_of(form)) == json.dumps({"type": "object", **made})
    else:
        assert isinstance(form, KeptAsJson)
