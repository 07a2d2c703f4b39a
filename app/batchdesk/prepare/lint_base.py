"""What the linter's rules share: codes, places, findings, and how to look into a stage."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from batchdesk.domain.job import Stage
from batchdesk.prepare import lint_words
from batchdesk.prepare.lint_text import sent

Fix = Callable[[Stage], Stage]


class LintCode(StrEnum):
    """What is doubtful about a prompt."""

    NO_FENCE = "no_fence"  # data stands in the prompt without marks: it may give orders
    NO_OUTPUT_FORMAT = "no_output_format"
    VAGUE_QUANTITY = "vague_quantity"  # params: word, meaning
    FIELDS_DIFFER = "fields_differ"  # params: asked, missing (from the schema or the example)
    SYSTEM_LONGER = "system_longer"  # params: system_tokens, data_tokens, rows, all_tokens
    HISTORY = "history"  # the prompt speaks of other rows, which the model does not see; words
    NO_UNKNOWN = "no_unknown"  # nothing says what to answer if the data does not say
    TEMPERATURE = "temperature"  # params: value; None: as the provider likes, mostly 1
    MAX_TOKENS = "max_tokens"  # params: value, needed
    CONCLUSION_FIRST = "conclusion_first"  # params: conclusion, reason


class Part(StrEnum):
    """Where in a stage."""

    SYSTEM = "system"
    USER = "user"
    OUTPUT = "output"
    EXAMPLES = "examples"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a stage; in a text the characters ``start`` to ``end``, else None.

    In the examples ``start`` is the example's number from 0.
    """

    part: Part
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One warning. ``fix`` is None where only a person can decide."""

    code: LintCode
    place: Place
    params: Mapping[str, Any] = field(default_factory=dict)
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured about the prompt with real rows.

    Attributes:
        system_tokens: Tokens that each request has in common: system text and examples.
        data_tokens: Tokens of the columns' texts in a row, on average.
        rows: Rows that will be sent.
        answer_tokens: Tokens of the longest answers so far; None: none yet.
    """

    system_tokens: int
    data_tokens: float
    rows: int
    answer_tokens: int | None = None


def texts(stage: Stage) -> tuple[tuple[Part, str], ...]:
    """The two texts of a stage."""
    return (Part.SYSTEM, stage.system), (Part.USER, stage.user)


def properties(stage: Stage) -> dict[str, dict[str, Any]]:
    """The fields of the answer; none where the schema has none."""
    fields = (stage.output or {}).get("properties", {})
    if not isinstance(fields, Mapping):
        return {}
    return {name: part for name, part in fields.items() if isinstance(part, Mapping)}  # type: ignore[misc] # JSON


def all_properties(stage: Stage) -> dict[str, Any]:
    """The same with those that only say that anything goes (``true``): for writing them back."""
    fields = (stage.output or {}).get("properties", {})
    return dict(fields) if isinstance(fields, Mapping) else {}


def required(stage: Stage) -> list[str]:
    """The names of the fields that must be there."""
    names = (stage.output or {}).get("required", [])
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def choices(part: Mapping[str, Any]) -> list[Any]:
    """The allowed values of a field."""
    values = part.get("enum")
    return values if isinstance(values, list) else []


def is_value(word: str, fields: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a quoted word is one of the allowed values rather than a field."""
    return any(word in choices(part) for part in fields.values())


def takes_unknown(part: Mapping[str, Any]) -> bool:
    """Whether a field has a value for "the data does not say"."""
    kind = part.get("type")
    if kind == "null" or (isinstance(kind, list) and "null" in kind):
        return True
    return any(
        value is None or (isinstance(value, str) and lint_words.UNKNOWN_VALUE.match(value.strip()))
        for value in choices(part)
    )


def parsed_object(text: str) -> dict[str, Any] | None:
    """The text as a JSON object; None if it is none."""
    try:
        parsed = json.loads(text)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def language_of(stage: Stage) -> lint_words.Sentences:
    """The sentences in the language of the prompt."""
    return lint_words.sentences_for(sent(stage.system) + sent(stage.user))


def with_sentence(old: Stage, part: Part, sentence: str) -> Stage:
    """The stage with one more sentence at the end of a text."""
    text = getattr(old, part)
    return old if sentence in text else old.model_copy(update={str(part): added(text, sentence)})


def added(text: str, sentence: str) -> str:
    """The text with one more paragraph."""
    return f"{text.rstrip()}\n\n{sentence}" if text.strip() else sentence
