"""A stage's JSON Schema as a list of answer fields, and back.

A schema comes in; an AnswerForm goes out, or None where the schema says more than the form can
show. What the form shows comes back as the very same schema, so nothing is lost by looking at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

_HEAD = frozenset({"$schema", "title", "description"})  # of the whole schema, kept as they are
_TOP = frozenset({"type", "properties", "required", "additionalProperties"})


class FieldKind(StrEnum):
    """What a field of the answer holds."""

    TEXT = "string"
    NUMBER = "number"
    WHOLE = "integer"
    FLAG = "boolean"
    CHOICE = "enum"


NUMBERS = frozenset({FieldKind.NUMBER, FieldKind.WHOLE})


@dataclass(frozen=True, slots=True)
class AnswerField:
    """One field of the answer.

    Attributes:
        allowed: Values of a choice.
        typed: Whether a choice also says that it is text.
        least: Smallest number, or None.
        most: Largest number, or None.
        longest: Characters of a text, or None.
    """

    name: str
    kind: FieldKind = FieldKind.TEXT
    allowed: tuple[str, ...] = ()
    required: bool = True
    description: str = ""
    typed: bool = True
    least: float | None = None
    most: float | None = None
    longest: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """All fields of an answer.

    Attributes:
        order: The names that the schema required, in its order; None if it had no such list.
        closed: What the schema says of further fields; None if it says nothing.
        head: Words about the whole schema.
    """

    fields: tuple[AnswerField, ...] = ()
    order: tuple[str, ...] | None = ()
    closed: bool | None = False
    head: Mapping[str, Any] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The fields' names."""
        return [one.name for one in self.fields]

    def with_field(self, index: int, changed: AnswerField) -> AnswerForm:
        """The form with another field in this place."""
        fields = list(self.fields)
        old, fields[index] = fields[index].name, changed
        order = self.order and tuple(changed.name if name == old else name for name in self.order)
        return replace(self, fields=tuple(fields), order=order)

    def without(self, index: int) -> AnswerForm:
        """The form without this field."""
        return replace(self, fields=self.fields[:index] + self.fields[index + 1 :])

    def with_new(self, name: str) -> AnswerForm:
        """The form with one more text field, required, at its end."""
        return replace(self, fields=(*self.fields, AnswerField(name)))


def form_of(schema: Mapping[str, Any]) -> AnswerForm | None:
    """The form that shows this schema; None if it would hide something."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    closed = schema.get("additionalProperties")
    shown = (
        schema.get("type") == "object"
        and set(schema) <= _TOP | _HEAD
        and isinstance(properties, Mapping)
        and "properties" in schema
        and isinstance(required, list)
        and all(isinstance(name, str) and name in properties for name in required)
        and len(set(required)) == len(required)
        and (closed is None or isinstance(closed, bool))
        and not ("additionalProperties" in schema and closed is None)
    )
    if not shown:
        return None
    fields = []
    for name, part in properties.items():
        made = _field_of(name, part, required=name in required)
        if made is None:
            return None
        fields.append(made)
    return AnswerForm(
        fields=tuple(fields),
        order=tuple(required) if "required" in schema else None,
        closed=closed,
        head={key: schema[key] for key in schema if key in _HEAD},
    )


def schema_of(form: AnswerForm) -> dict[str, Any]:
    """The JSON Schema that a form stands for."""
    required = [one.name for one in form.fields if one.required]
    known = [name for name in form.order or () if name in required]
    required = known + [name for name in required if name not in known]
    schema: dict[str, Any] = {**form.head, "type": "object"}
    schema["properties"] = {one.name: _property(one) for one in form.fields}
    if required or form.order is not None:
        schema["required"] = required
    if form.closed is not None:
        schema["additionalProperties"] = form.closed
    return schema


def new_name(form: AnswerForm, wish: str) -> str:
    """A name that no field has yet: the wish, or the wish with a number."""
    taken, name, number = form.names(), wish, 1
    while name in taken:
        number += 1
        name = f"{wish}_{number}"
    return name


def _field_of(name: str, part: Any, *, required: bool) -> AnswerField | None:
    if not isinstance(part, Mapping):
        return None
    description = part.get("description", "")
    if not isinstance(description, str) or ("description" in part and not description):
        return None
    rest = {key: value for key, value in part.items() if key != "description"}
    if "enum" in rest:
        return _choice(name, rest, description, required=required)
    kind = rest.pop("type", None)
    if not isinstance(kind, str) or kind not in set(FieldKind) - {FieldKind.CHOICE}:
        return None
    made = AnswerField(name, FieldKind(kind), required=required, description=description)
    if made.kind in NUMBERS and set(rest) <= {"minimum", "maximum"}:
        if all(_is_number(value) for value in rest.values()):
            return replace(made, least=rest.get("minimum"), most=rest.get("maximum"))
        return None
    if made.kind is FieldKind.TEXT and set(rest) <= {"maxLength"}:
        longest = rest.get("maxLength")
        is_length = longest is None or (type(longest) is int and longest > 0)
        return replace(made, longest=longest) if is_length and None not in rest.values() else None
    return made if not rest else None


def _choice(
    name: str, rest: Mapping[str, Any], description: str, *, required: bool
) -> AnswerField | None:
    values = rest["enum"]
    shown = (
        set(rest) <= {"enum", "type"}
        and rest.get("type", "string") == "string"
        and isinstance(values, list)
        and bool(values)
        and all(isinstance(one, str) and one == one.strip() != "" for one in values)
        and not any(len(one.splitlines()) > 1 for one in values)  # each is a line to edit
        and len(set(values)) == len(values)
    )
    if not shown:
        return None
    typed = "type" in rest
    allowed = tuple(values)
    return AnswerField(name, FieldKind.CHOICE, allowed, required, description, typed)


def _property(one: AnswerField) -> dict[str, Any]:
    part: dict[str, Any] = {}
    if one.kind is not FieldKind.CHOICE:
        part["type"] = str(one.kind)
    elif one.typed:
        part["type"] = "string"
    if one.kind is FieldKind.CHOICE:
        part["enum"] = list(one.allowed)
    if one.kind in NUMBERS:
        limits = {"minimum": one.least, "maximum": one.most}
        part |= {key: value for key, value in limits.items() if value is not None}
    if one.kind is FieldKind.TEXT and one.longest is not None:
        part["maxLength"] = one.longest
    if one.description:
        part["description"] = one.description
    return part


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
