"""A stage's JSON Schema as a list of answer fields, and back.

A schema comes in; a form goes out, or the reason why it must stay JSON: it says something that
the form would hide. What a form shows comes back as the very same schema, key by key in its
order, so nothing is lost by looking at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

_HEAD = frozenset({"$schema", "$id", "title", "description"})  # of the whole schema, kept as is


class FieldKind(StrEnum):
    """What a field of the answer holds."""

    TEXT = "string"
    NUMBER = "number"
    WHOLE = "integer"
    FLAG = "boolean"
    CHOICE = "choice"  # one of some texts
    LIST = "list"  # a list of texts, of any or of allowed ones


_TYPES = {
    "string": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.WHOLE,
    "boolean": FieldKind.FLAG,
}
NUMBERS = frozenset({FieldKind.NUMBER, FieldKind.WHOLE})

# Keywords of a field that the form can show, by kind, and the attribute that shows each.
_LIMITS = {
    FieldKind.TEXT: {"minLength": "shortest", "maxLength": "longest", "pattern": "pattern"},
    FieldKind.NUMBER: {"minimum": "least", "maximum": "most"},
    FieldKind.WHOLE: {"minimum": "least", "maximum": "most"},
    FieldKind.LIST: {"minItems": "fewest", "maxItems": "most_items"},
    FieldKind.FLAG: {},
    FieldKind.CHOICE: {},
}


@dataclass(frozen=True, slots=True)
class AnswerField:
    """One field of the answer.

    Attributes:
        allowed: Values of a choice; of a list the values that may be in it, none for any.
        nullable: Whether it may be null, which says: the data does not tell.
        typed: Whether a choice also says that it is text.
        least: Smallest number, or None; ``most`` is the largest.
        shortest: Characters of a text at least, or None; ``longest`` at most.
        fewest: Entries of a list at least, or None; ``most_items`` at most.
        order: The keywords as the schema had them, so that they come back so.
    """

    name: str
    kind: FieldKind = FieldKind.TEXT
    required: bool = True
    description: str = ""
    allowed: tuple[str, ...] = ()
    nullable: bool = False
    typed: bool = True
    least: float | None = None
    most: float | None = None
    shortest: int | None = None
    longest: int | None = None
    pattern: str | None = None
    fewest: int | None = None
    most_items: int | None = None
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """All fields of an answer.

    Attributes:
        required_order: The names that the schema required, in its order; None: no such list.
        closed: What the schema says of further fields; None: nothing.
        head: Words about the whole schema.
        order: The schema's own keys as it had them.
    """

    fields: tuple[AnswerField, ...] = ()
    required_order: tuple[str, ...] | None = ()
    closed: bool | None = False
    head: Mapping[str, Any] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    def with_field(self, index: int, changed: AnswerField) -> AnswerForm:
        """The form with another field in this place."""
        old = self.fields[index].name
        fields = (*self.fields[:index], changed, *self.fields[index + 1 :])
        known = self.required_order
        renamed = None if known is None else tuple(changed.name if n == old else n for n in known)
        return replace(self, fields=fields, required_order=renamed)

    def without(self, index: int) -> AnswerForm:
        """The form without this field."""
        return replace(self, fields=self.fields[:index] + self.fields[index + 1 :])

    def with_new(self, wish: str) -> AnswerForm:
        """The form with one more text field, required, at its end; its name is new."""
        taken, name, number = {one.name for one in self.fields}, wish, 1
        while name in taken:
            number += 1
            name = f"{wish}_{number}"
        return replace(self, fields=(*self.fields, AnswerField(name)))

    def moved(self, index: int, to: int) -> AnswerForm:
        """The form with a field in another place."""
        fields = list(self.fields)
        fields.insert(to, fields.pop(index))
        return replace(self, fields=tuple(fields))


@dataclass(frozen=True, slots=True)
class KeptAsJson:
    """A schema that the form cannot show whole.

    Attributes:
        field: The field in question; None: the schema itself.
        keyword: What the form cannot show, such as ``oneOf``.
    """

    field: str | None
    keyword: str


class _NotShownError(Exception):
    """Carries a KeptAsJson out of the reading of a schema."""

    def __init__(self, where: str | None, keyword: str) -> None:
        super().__init__(keyword)
        self.kept = KeptAsJson(where, keyword)


def form_of(schema: Mapping[str, Any]) -> AnswerForm | KeptAsJson:
    """The form that shows this schema, or what it would hide."""
    try:
        return _form(schema)
    except _NotShownError as error:
        return error.kept


def schema_of(form: AnswerForm) -> dict[str, Any]:
    """The JSON Schema that a form stands for."""
    wanted = [one.name for one in form.fields if one.required]
    known = [name for name in form.required_order or () if name in wanted]
    required = known + [name for name in wanted if name not in known]
    schema: dict[str, Any] = {**form.head, "type": "object"}
    schema["properties"] = {one.name: _property(one) for one in form.fields}
    if required or form.required_order is not None:
        schema["required"] = required
    if form.closed is not None:
        schema["additionalProperties"] = form.closed
    return _in_order(schema, form.order)


def _form(schema: Mapping[str, Any]) -> AnswerForm:
    for key in schema:
        if key not in _HEAD | {"type", "properties", "required", "additionalProperties"}:
            raise _NotShownError(None, key)
    properties, required = schema.get("properties"), schema.get("required", [])
    if schema.get("type") != "object":
        raise _NotShownError(None, "type")
    if not isinstance(properties, Mapping):
        raise _NotShownError(None, "properties")
    if not _are_names(required, properties):
        raise _NotShownError(None, "required")
    if not isinstance(schema.get("additionalProperties", False), bool):
        raise _NotShownError(None, "additionalProperties")
    return AnswerForm(
        fields=tuple(_field(n, part, required=n in required) for n, part in properties.items()),
        required_order=tuple(required) if "required" in schema else None,
        closed=schema.get("additionalProperties"),
        head={key: schema[key] for key in schema if key in _HEAD},
        order=tuple(schema),
    )


def _are_names(required: Any, properties: Mapping[str, Any]) -> bool:
    """Whether this is a list of the fields' names, none twice."""
    return (
        isinstance(required, list)
        and all(isinstance(name, str) and name in properties for name in required)
        and len(set(required)) == len(required)
    )


def _field(name: str, part: Any, *, required: bool) -> AnswerField:
    if not isinstance(part, Mapping):
        raise _NotShownError(name, "properties")
    description = part.get("description", "")
    if not isinstance(description, str) or ("description" in part and not description):
        raise _NotShownError(name, "description")
    kind, nullable = _kind(name, part)
    made = AnswerField(
        name,
        kind,
        required,
        description,
        nullable=nullable,
        typed="type" in part,
        order=tuple(part),
        allowed=_allowed(name, part, kind, nullable=nullable),
    )
    limits = _LIMITS[kind]
    shown = {"type", "description", *limits}
    shown |= {FieldKind.CHOICE: {"enum"}, FieldKind.LIST: {"items"}}.get(kind, set())
    for key in part:
        if key not in shown:
            raise _NotShownError(name, key)
        if key in limits and not _is_limit(part[key], key):
            raise _NotShownError(name, key)
    return replace(made, **{shown_as: part[key] for key, shown_as in limits.items() if key in part})


def _kind(name: str, part: Mapping[str, Any]) -> tuple[FieldKind, bool]:
    """What a field holds, and whether it may be null."""
    if "enum" in part and "type" not in part:
        return FieldKind.CHOICE, False
    kind = part.get("type")
    nullable = isinstance(kind, list) and len(kind) == 2 and kind[1] == "null"  # noqa: PLR2004 - one type and null
    if nullable:
        kind = kind[0]  # type: ignore[index] # a list, as just seen
    if "enum" in part and kind == "string":
        return FieldKind.CHOICE, nullable
    if kind == "array":
        return FieldKind.LIST, nullable
    if not isinstance(kind, str) or kind not in _TYPES:
        raise _NotShownError(name, "type")
    return _TYPES[kind], nullable


def _allowed(
    name: str, part: Mapping[str, Any], kind: FieldKind, *, nullable: bool
) -> tuple[str, ...]:
    if kind is FieldKind.CHOICE:
        values = part["enum"]
        if nullable and isinstance(values, list) and values[-1:] == [None]:
            values = values[:-1]
        elif nullable:
            raise _NotShownError(name, "enum")
        return _lines(name, "enum", values)
    if kind is not FieldKind.LIST:
        return ()
    items = part.get("items")
    if not isinstance(items, Mapping) or items.get("type") != "string":
        raise _NotShownError(name, "items")
    if list(items) not in (["type"], ["type", "enum"]):
        raise _NotShownError(name, "items")
    return _lines(name, "items", items["enum"]) if "enum" in items else ()


def _lines(name: str, keyword: str, values: Any) -> tuple[str, ...]:
    """Values that can be edited one in each line."""
    shown = (
        isinstance(values, list)
        and bool(values)
        and all(isinstance(one, str) and one == one.strip() != "" for one in values)
        and not any(len(one.splitlines()) > 1 for one in values)
        and len(set(values)) == len(values)
    )
    if not shown:
        raise _NotShownError(name, keyword)
    return tuple(values)


def _is_limit(value: Any, keyword: str) -> bool:
    if keyword == "pattern":
        return isinstance(value, str) and bool(value)
    if keyword in {"minimum", "maximum"}:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is int and value >= 0


def _property(one: AnswerField) -> dict[str, Any]:
    part: dict[str, Any] = {}
    kind = {FieldKind.CHOICE: "string", FieldKind.LIST: "array"}.get(one.kind, str(one.kind))
    if one.typed or one.nullable or one.kind is not FieldKind.CHOICE:
        part["type"] = [kind, "null"] if one.nullable else kind
    if one.kind is FieldKind.CHOICE:
        part["enum"] = [*one.allowed, *([None] if one.nullable else [])]
    if one.kind is FieldKind.LIST:
        part["items"] = {"type": "string", **({"enum": list(one.allowed)} if one.allowed else {})}
    for keyword, shown_as in _LIMITS[one.kind].items():
        if (value := getattr(one, shown_as)) is not None:
            part[keyword] = value
    if one.description:
        part["description"] = one.description
    return _in_order(part, one.order)


def _in_order(part: dict[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    """The same keys, first those that stood there before, as they stood."""
    known = [key for key in order if key in part]
    return {key: part[key] for key in [*known, *(key for key in part if key not in known)]}
