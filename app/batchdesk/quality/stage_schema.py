"""A stage's JSON Schema: checked when the job is read, so that no row has to find out.

A stage comes in; its validator and what the checks need to know of its fields go out. A schema
that cannot work, or a check that names a field it does not have, is an error of the job.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jsonschema
import referencing.exceptions
import referencing.jsonschema
from jsonschema.protocols import Validator

from batchdesk.domain.job import ROW_KEY_FIELD, RequiredCheck, Stage
from batchdesk.domain.patterns import PatternError, compiled
from batchdesk.errors import JobFileError, Phrase
from batchdesk.quality.timed_patterns import TimedValidator, timed

_REFERENCES = ("$ref", "$dynamicRef")
# What else makes a part of a schema apply to the very value that the schema itself applies to.
_SAME_VALUE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_NO_OTHER_SCHEMAS = referencing.jsonschema.SchemaRegistry()  # and none from the network


def validator(stage: Stage) -> Validator:
    """The validator of a stage's output, formats included.

    Raises:
        JobFileError: the output is not a JSON Schema, or one that cannot be used.
    """
    try:
        return _checked(stage, stage.output or {})
    except RecursionError:
        raise JobFileError(
            "The output of stage {stage!r} is nested too deeply. Make it flatter.",
            stage=stage.name,
        ) from None


def _checked(stage: Stage, schema: Mapping[str, Any]) -> Validator:
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        path = "/".join(str(part) for part in error.absolute_path) or Phrase("its top")
        raise JobFileError(
            "The output of stage {stage!r} is not a JSON Schema: at {path}, {reason}.",
            stage=stage.name,
            path=path,
            reason=error.message,
        ) from error
    if ROW_KEY_FIELD in (*schema.get("properties", {}), *schema.get("required", [])):
        raise JobFileError(
            "The output of stage {stage!r} has a field `row_key`, a name that Batchdesk uses "
            "itself. Give the field another name.",
            stage=stage.name,
        )
    _patterns_can_be_matched(stage, schema)
    made = TimedValidator(
        timed(schema),
        registry=_NO_OTHER_SCHEMAS,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )
    _references_lead_somewhere(stage, schema)
    return made


def _patterns_can_be_matched(stage: Stage, schema: Mapping[str, Any]) -> None:
    """Within their time limit, which takes another reader of patterns than the usual one."""
    parts = list(_parts(schema))
    listed = any(isinstance(part.get("patternProperties"), Mapping) for part in parts)
    if listed and any("unevaluatedProperties" in part for part in parts):
        raise JobFileError(
            "The output of stage {stage!r} has both patternProperties and unevaluatedProperties, "
            "which Batchdesk does not check together. Use additionalProperties instead.",
            stage=stage.name,
        )
    for pattern in _patterns(parts):
        try:
            compiled(pattern)
        except PatternError as error:
            raise JobFileError(
                "The output of stage {stage!r} has a pattern {pattern!r} that cannot be used: "
                "{reason}.",
                stage=stage.name,
                pattern=pattern,
                reason=error,
            ) from error


def _patterns(parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the usual reader takes; all else is not a pattern, but a value of that name."""
    for part in parts:
        named = part.get("patternProperties")
        for found in (part.get("pattern"), *(named if isinstance(named, Mapping) else ())):
            if isinstance(found, str) and _is_pattern(found):
                yield found


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _references_lead_somewhere(stage: Stage, schema: Mapping[str, Any]) -> None:
    """A wrong ``$ref`` is an error of the job, not of every row; nothing is fetched for one."""
    root = referencing.Resource.from_contents(schema, referencing.jsonschema.DRAFT202012)
    resolver = _NO_OTHER_SCHEMAS.resolver_with_root(root)
    for reference in _references(schema):
        try:
            resolver.lookup(reference)
        except referencing.exceptions.Unresolvable:
            raise JobFileError(
                "The output of stage {stage!r} refers to {reference!r}, which is not in it. A "
                "$ref must lead to a part of the same output, such as #/$defs/item.",
                stage=stage.name,
                reference=reference,
            ) from None
    if _leads_to_itself(schema, lambda name: resolver.lookup(name).contents):
        raise JobFileError(
            "The output of stage {stage!r} has a $ref that leads to itself without end.",
            stage=stage.name,
        )


def _leads_to_itself(schema: Any, target: Callable[[str], Any]) -> bool:
    """Whether some part applies, over references, to a value to which it is being applied."""
    settled: set[int] = set()

    def circles(part: Any, above: frozenset[int]) -> bool:
        if not isinstance(part, Mapping) or id(part) in settled:
            return False
        if id(part) in above:
            return True
        above |= {id(part)}
        if any(circles(one, above) for one in _for_the_same_value(part, target)):
            return True
        settled.add(id(part))
        return False

    return any(circles(part, frozenset()) for part in _parts(schema))


def _for_the_same_value(part: Mapping[str, Any], target: Callable[[str], Any]) -> Iterator[Any]:
    for name in _REFERENCES:
        if isinstance(part.get(name), str):
            yield target(part[name])
    for name in _SAME_VALUE:
        found = part.get(name)
        yield from found if isinstance(found, list) else [found]


def _references(schema: Any) -> Iterator[str]:
    for part in _parts(schema):
        yield from (part[name] for name in _REFERENCES if isinstance(part.get(name), str))


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Every table in a schema, itself included."""
    if isinstance(schema, Mapping):
        yield schema
    if isinstance(schema, Mapping | list):
        for part in schema.values() if isinstance(schema, Mapping) else schema:
            yield from _parts(part)


def fields_exist(stage: Stage) -> None:
    """Every field that the job names must be in the schema, if the schema lists its fields.

    Raises:
        JobFileError: one is not.
    """
    named = [stage.answer_field]
    for check in stage.checks:
        named += check.fields if isinstance(check, RequiredCheck) else [check.field]
    fields = [field for field in named if field is not None]
    if fields and stage.output is None:
        raise JobFileError(
            "Stage {stage!r} names a field {field!r}, but its answers are plain text without "
            "fields. Give the stage an output with this field.",
            stage=stage.name,
            field=fields[0],
        )
    known = (stage.output or {}).get("properties")
    if not isinstance(known, Mapping):
        return
    for field in fields:
        if field not in known:
            raise JobFileError(
                "Stage {stage!r} names a field {field!r} that its output does not have. It has: "
                "{known}.",
                stage=stage.name,
                field=field,
                known=", ".join(known),
            )


def enum_fields(schema: Mapping[str, Any] | None) -> dict[str, tuple[str, ...]]:
    """Field → allowed values, of the fields that are enums of text."""
    fields: dict[str, tuple[str, ...]] = {}
    for name, part in ((schema or {}).get("properties") or {}).items():
        values = part.get("enum") if isinstance(part, Mapping) else None
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            fields[name] = tuple(values)
    return fields


def in_spelling_of(allowed: Sequence[str], value: str) -> str:
    """The allowed value that this one is but for case and outer white space; else the value.

    Of allowed values that differ in case alone, none is chosen: which is meant cannot be told.
    """
    if value in allowed:
        return value
    near = [one for one in allowed if folded(one) == folded(value)]
    return near[0] if len(near) == 1 else value


def folded(text: str) -> str:
    """A label's spelling without case and outer white space."""
    return text.strip().casefold()
