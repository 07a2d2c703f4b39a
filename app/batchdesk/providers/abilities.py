"""Whether a service can do what a stage wants of it; asked before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batchdesk.domain.job import ConfidenceCheck, Stage
from batchdesk.errors import JobFileError
from batchdesk.providers.base import Capabilities, StrictLimits


def check_abilities(stage: Stage, service: str, capabilities: Capabilities) -> None:
    """Check that a stage asks for nothing that the service would leave out in silence.

    Args:
        service: Its title.

    Raises:
        JobFileError: several answers, or token probabilities, of a service without them.
    """
    if stage.n > 1 and not capabilities.several:
        raise JobFileError(
            "{service} gives one answer to a request, and stage {stage!r} asks for {n}. Set n = 1, "
            "or choose another service.",
            service=service,
            stage=stage.name,
            n=stage.n,
        )
    wants_logprobs = any(
        isinstance(check, ConfidenceCheck) and check.source == "logprobs" for check in stage.checks
    )
    if wants_logprobs and not capabilities.logprobs:
        raise JobFileError(
            "{service} does not tell how probable an answer's tokens are, which a confidence check "
            'of stage {stage!r} goes by. Use source = "field" or "agreement" there, or choose '
            "another service.",
            service=service,
            stage=stage.name,
        )


def is_within(schema: Any, limits: StrictLimits | None) -> bool:
    """Whether a JSON Schema is small enough to be enforced."""
    if limits is None:
        return True
    return (
        _depth(schema) <= limits.depth
        and _count(schema, "properties") <= limits.properties
        and _count(schema, "enum") <= limits.enum_values
    )


def _depth(schema: Any) -> int:
    """Levels of objects and lists: 0 for a plain value."""
    inner = max((_depth(one) for one in _inside(schema)), default=0)
    nests = isinstance(schema, Mapping) and ("properties" in schema or "items" in schema)
    return inner + (1 if nests else 0)


def _count(schema: Any, name: str) -> int:
    own = schema.get(name) if isinstance(schema, Mapping) else None
    size = len(own) if isinstance(own, Mapping | list) else 0
    return size + sum(_count(one, name) for one in _inside(schema))


def _inside(schema: Any) -> list[Any]:
    """The schemas right inside one."""
    if isinstance(schema, list):
        return schema
    if not isinstance(schema, Mapping):
        return []
    named: list[Any] = []
    for key in ("properties", "$defs"):
        group = schema.get(key)
        if isinstance(group, Mapping):
            named.extend(group.values())
    return [*named, schema.get("items"), schema.get("anyOf")]
