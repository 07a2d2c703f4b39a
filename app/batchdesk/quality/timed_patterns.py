"""JSON Schema with patterns that have a time limit.

``jsonschema`` matches ``pattern`` and ``patternProperties`` with ``re``, which some patterns
occupy for ever. ``timed(schema)`` is the schema for ``TimedValidator``, which raises
PatternTimeError for an answer that takes a pattern too long: whether it is right is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jsonschema
from jsonschema.protocols import Validator

from batchdesk.domain.patterns import compiled, search

if TYPE_CHECKING:
    import regex

_DATA = ("const", "enum", "default", "examples")  # what they hold is no schema
_additional = jsonschema.Draft202012Validator.VALIDATORS["additionalProperties"]


class PatternTimeError(Exception):
    """A pattern of the schema that takes too long for a text.

    Attributes:
        pattern: Which one.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        super().__init__(pattern)


def timed(schema: Any) -> Any:
    """The schema without ``$schema``, by which a part would choose a validator without limits."""
    if isinstance(schema, Mapping):
        return {
            name: part if name in _DATA else timed(part)
            for name, part in schema.items()
            if name != "$schema" or not isinstance(part, str)
        }
    return [timed(part) for part in schema] if isinstance(schema, list) else schema


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return compiled(pattern)


def _matches(pattern: str, text: str) -> bool:
    try:
        return search(_compiled(pattern), text) is not None
    except TimeoutError as error:
        raise PatternTimeError(pattern) from error


def _pattern(
    validator: Validator, pattern: str, value: Any, _schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if validator.is_type(value, "string") and not _matches(pattern, value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], value: Any, _schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if not validator.is_type(value, "object"):
        return
    for pattern, part in patterns.items():
        for name, item in value.items():
            if _matches(pattern, name):
                yield from validator.descend(item, part, path=name, schema_path=pattern)


def _additional_properties(
    validator: Validator, rule: Any, value: Any, schema: Mapping[str, Any]
) -> Iterator[jsonschema.ValidationError]:
    """The usual rule, told by name which properties the patterns cover."""
    patterns = schema.get("patternProperties")
    if patterns and validator.is_type(value, "object"):
        covered = {name for name in value if any(_matches(one, name) for one in patterns)}
        named = {**dict.fromkeys(covered, True), **schema.get("properties", {})}
        schema = {"properties": named}
    yield from _additional(validator, rule, value, schema)


TimedValidator: type[Validator] = jsonschema.validators.extend(  # type: ignore[no-untyped-call] # it has no types
    jsonschema.Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)
