"""Changes to a stage's checks, pure: checks in, checks out. What is not meant stays as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from batchdesk.domain.job import CheckSpec, ConfidenceCheck, LabelsCheck, RequiredCheck

Checks = tuple[CheckSpec, ...]

_PAIR = re.compile("[=\uff1d]")  # people type the full-width one too


def confidence(checks: Checks) -> ConfidenceCheck | None:
    """The first check of confidence; the page shows one."""
    return next((one for one in checks if isinstance(one, ConfidenceCheck)), None)


def with_confidence(checks: Checks, wanted: ConfidenceCheck | None) -> Checks:
    """Another first check of confidence, in its place, or none."""
    old = confidence(checks)
    if old is None:
        return checks if wanted is None else (*checks, wanted)
    changed = (wanted if one is old else one for one in checks)
    return tuple(one for one in changed if one is not None)


def synonyms(checks: Checks, name: str) -> Mapping[str, str]:
    """The synonyms of a field's values."""
    found = _labels(checks, name)
    return found.synonyms if found is not None else {}


def with_synonyms(
    checks: Checks, name: str, allowed: tuple[str, ...], pairs: Mapping[str, str]
) -> Checks:
    """Other synonyms for a field; a check that was there keeps its place.

    Raises:
        pydantic.ValidationError: a synonym leads to a value that is not allowed.
    """
    old = _labels(checks, name)
    if not pairs and (old is None or set(old.allowed) == set(allowed) or not old.synonyms):
        return tuple(one for one in checks if one is not old or not old.synonyms)
    made = LabelsCheck(kind="labels", field=name, allowed=allowed, synonyms=dict(pairs))
    if old is None:
        return (*checks, made)
    return tuple(made if one is old else one for one in checks)


def not_blank(checks: Checks, name: str) -> bool:
    """Whether the field must not be blank."""
    return any(isinstance(one, RequiredCheck) and name in one.fields for one in checks)


def with_not_blank(checks: Checks, name: str, *, wanted: bool) -> Checks:
    """The field must not be blank, or may be."""
    if wanted == not_blank(checks, name):
        return checks
    if not wanted:
        return _without_required(checks, name)
    for place, one in enumerate(checks):
        if isinstance(one, RequiredCheck):
            more = one.model_copy(update={"fields": (*one.fields, name)})
            return (*checks[:place], more, *checks[place + 1 :])
    return (*checks, RequiredCheck(kind="required", fields=(name,)))


def renamed(checks: Checks, old: str, new: str) -> Checks:
    """The checks of a field that has another name now."""
    return tuple(_renamed(one, old, new) for one in checks)


def without_field(checks: Checks, name: str) -> Checks:
    """The checks without those of a field that is gone."""
    kept = tuple(one for one in checks if isinstance(one, RequiredCheck) or one.field != name)
    return _without_required(kept, name)


def own_checks(checks: Checks, texts: Collection[str], choices: Collection[str]) -> list[CheckSpec]:
    """Checks that no control of the page shows: listed, and only taken away as a whole.

    Args:
        checks: All checks.
        texts: The fields with a control for blanks.
        choices: The fields with a control for synonyms.
    """
    first = confidence(checks)
    rest: list[CheckSpec] = []
    for one in checks:
        if isinstance(one, ConfidenceCheck):
            rest += [] if one is first else [one]
        elif isinstance(one, LabelsCheck):
            is_shown = one.field in choices and one.synonyms and one is _labels(checks, one.field)
            rest += [] if is_shown else [one]
        elif not set(one.fields) <= set(texts):
            rest.append(one)
    return rest


def pairs_text(pairs: Mapping[str, str]) -> str:
    """Synonyms as lines ``word = value``."""
    return "\n".join(f"{word} = {value}" for word, value in pairs.items())


def pairs_of(text: str) -> dict[str, str]:
    """Synonyms of lines ``word = value``.

    Raises:
        ValueError: the first line that is none.
    """
    pairs: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        parts = [part.strip() for part in _PAIR.split(line)]
        if len(parts) != 2 or not all(parts):  # noqa: PLR2004 - a word and a value
            raise ValueError(line.strip())
        pairs[parts[0]] = parts[1]
    return pairs


def _labels(checks: Checks, name: str) -> LabelsCheck | None:
    return next((one for one in checks if isinstance(one, LabelsCheck) and one.field == name), None)


def _without_required(checks: Checks, name: str) -> Checks:
    rest: list[CheckSpec] = []
    for one in checks:
        if not isinstance(one, RequiredCheck) or name not in one.fields:
            rest.append(one)
        elif others := tuple(field for field in one.fields if field != name):
            rest.append(one.model_copy(update={"fields": others}))
    return tuple(rest)


def _renamed(one: CheckSpec, old: str, new: str) -> CheckSpec:
    change: dict[str, Any] = {}
    if isinstance(one, RequiredCheck):
        change["fields"] = tuple(new if name == old else name for name in one.fields)
    elif one.field == old:
        change["field"] = new
    return one.model_copy(update=change)
