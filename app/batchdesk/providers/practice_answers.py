"""Makes the practice server's answers: by rules, deterministic, and true to a JSON Schema.

In comes a Question (the row's text, its key, the schema); out comes an Answer whose content
satisfies the schema, with a probability for each value. Labels come from word lists, text fields
from patterns. No model is at work.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from batchdesk.domain.job import ROW_KEY_FIELD
from batchdesk.providers.practice_extract import find_number, find_value, quote
from batchdesk.providers.practice_fit import as_number, bounds, fitted, matching
from batchdesk.providers.practice_words import Judgement, judge

Schema = Mapping[str, Any]

_MAX_DEPTH = 12  # a schema may refer to itself
_KIND_WORDS = {
    "positive": """positive pos good favorable favourable praise happy satisfied recommend promoter
        正面 积极 好评 正向 满意 肯定 喜欢 推荐""",
    "negative": """negative neg bad unfavorable unfavourable criticism complaint unhappy
        dissatisfied detractor 负面 消极 差评 负向 不满意 不满 否定 投诉 不推荐""",
    "neutral": "neutral neu neither none passive 中性 中立 中评 一般 无",
    "mixed": "mixed both 混合 复杂 褒贬不一",
}
_KINDS = {word: kind for kind, words in _KIND_WORDS.items() for word in words.split()}
_RATING = re.compile(r"rating|stars?\b|score|评分|星级|打分", re.IGNORECASE)
_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "nobody@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "127.0.0.1",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What a request asks.

    Attributes:
        text: The row's text: the last user message without the row key's line.
        row_key: The key that the prompt carries, if any.
        schema: What the answer must satisfy; None for plain text.
    """

    text: str
    row_key: str | None = None
    schema: Schema | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer's text and how sure each value in it is.

    Attributes:
        content: JSON or plain text.
        value: The JSON value, None for plain text.
        marks: (start, end, probability): the places of the values in ``content``.
    """

    content: str
    value: Any = None
    marks: tuple[tuple[int, int, float], ...] = ()

    @property
    def is_object(self) -> bool:
        """Whether the answer is a JSON object."""
        return isinstance(self.value, dict)


def fraction(*parts: object) -> float:
    """A number in [0, 1) that depends on ``parts`` alone, equally spread."""
    digest = blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=7).digest()
    return int.from_bytes(digest, "big") / 2**56


def answer(question: Question, seed: int, *, variant: int = 0, flipped: bool = False) -> Answer:
    """The answer to a question.

    Args:
        question: What is asked.
        seed: Another seed decides ties otherwise.
        variant: Number of the choice when several are asked for; unclear texts may then get
            another label, clear ones hardly ever.
        flipped: Judge the opposite of what the text says (for wrong answers).
    """
    tone = judge(question.text)
    if variant and fraction(seed, question.text, "variant", variant) > _probability(
        tone, fraction(seed, question.text, "unclear")
    ):
        flipped = not flipped
    if flipped:
        tone = tone.flipped()
    if question.schema is None:
        return Answer(_sentence(question.text, tone))
    filler = _Filler(question, seed, tone)
    value = filler.fill(question.schema, "", 0)
    content = json.dumps(value, ensure_ascii=False)
    return Answer(content, value, _marks(content, value, filler.probabilities))


def as_json(value: Any) -> Answer:
    """An answer with another value, all of it sure."""
    return Answer(json.dumps(value, ensure_ascii=False), value)


def _sentence(text: str, tone: Judgement) -> str:
    manner = "friendly" if tone.net > 0 else "critical" if tone.net < 0 else "matter-of-fact"
    start = quote(text)
    if not start:
        return "Practice answer: the text is empty."
    return f"Practice answer: a {manner} text that begins “{start}”."


def _probability(tone: Judgement, spread: float) -> float:
    """How sure a label is: 0.4 to 0.6 for a text without a clear tone, up to 0.995 for a clear."""
    low = 0.4 + 0.2 * spread
    return low + (0.995 - low) * tone.clarity


def _marks(
    content: str, value: Any, probabilities: Mapping[str, float]
) -> tuple[tuple[int, int, float], ...]:
    """Find where the values of the top-level properties lie in the content."""
    if not isinstance(value, dict):
        probability = probabilities.get("")
        return ((0, len(content), probability),) if probability is not None else ()
    marks = []
    at = 1
    for name, item in value.items():
        start = at + len(json.dumps(name, ensure_ascii=False)) + 2  # ": "
        end = start + len(json.dumps(item, ensure_ascii=False))
        if name in probabilities:
            marks.append((start, end, probabilities[name]))
        at = end + 2  # ", "
    return tuple(marks)


@dataclass(slots=True)
class _Filler:
    """Fills one schema for one question."""

    question: Question
    seed: int
    tone: Judgement
    probabilities: dict[str, float] = field(default_factory=dict)  # by property name

    def fill(self, schema: Any, name: str, depth: int) -> Any:
        """A value that satisfies ``schema``, for the property ``name``."""
        schema = self._resolve(schema, depth)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._choose(schema["enum"], name)
        kind = _type_of(schema)
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, name, depth)
        if kind in {"integer", "number"}:
            return self._number(schema, name, whole=kind == "integer")
        if kind == "boolean":
            return self._boolean(name)
        if kind == "null":
            return None
        return self._string(schema, name)

    def _resolve(self, schema: Any, depth: int) -> Schema:
        """Follow references and take the first of alternatives."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
                return {}
            if isinstance(schema.get("$ref"), str):
                schema = _without(schema, "$ref") | dict(self._referred(schema["$ref"]))
            elif schema.get("allOf"):
                rest = _without(schema, "allOf")
                for part in schema["allOf"]:
                    rest = _merged(rest, self._resolve(part, depth + 1))
                schema = rest
            elif schema.get("anyOf"):
                schema = _merged(_without(schema, "anyOf"), _first(schema["anyOf"]))
            elif schema.get("oneOf"):
                schema = _merged(_without(schema, "oneOf"), _first(schema["oneOf"]))
            else:
                return schema
        return {}

    def _referred(self, reference: str) -> Schema:
        found: Any = self.question.schema
        for step in reference.removeprefix("#").strip("/").split("/"):
            if step:
                key = step.replace("~1", "/").replace("~0", "~")
                found = found.get(key, {}) if isinstance(found, Mapping) else {}
        return found if isinstance(found, Mapping) else {}

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        if depth > _MAX_DEPTH // 2:  # a schema that contains itself: only what must be there
            properties = {name: part for name, part in properties.items() if name in required}
        filled = {}
        for name, part in properties.items():
            if name == ROW_KEY_FIELD and self.question.row_key is not None:
                filled[name] = self.question.row_key
            else:
                filled[name] = self.fill(part, name, depth + 1)
        for name in required:
            if name not in filled:
                filled[name] = self.fill(schema.get("additionalProperties"), name, depth + 1)
        return filled

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        least = int(schema.get("minItems") or 0)
        most = schema.get("maxItems")
        wanted = max(least, 1 if depth <= _MAX_DEPTH // 2 else 0)
        wanted = wanted if most is None else min(wanted, int(most))
        parts = list(schema.get("prefixItems") or ())[:wanted]
        items = [self.fill(part, name, depth + 1) for part in parts]
        part = schema.get("items", {})
        if part is False:
            return items
        options = self._resolve(part, depth + 1).get("enum")
        while len(items) < wanted:
            item = self.fill(part, name, depth + 1)
            if schema.get("uniqueItems"):
                item = _another(item, items, options)
            items.append(item)
        return items

    def _choose(self, options: list[Any], name: str) -> Any:
        words = [str(option).strip().casefold() for option in options]
        kinds = [_kind(word) for word in words]
        tie = fraction(self.seed, self.question.text, name)
        if "positive" in kinds and "negative" in kinds:
            self.probabilities[name] = _probability(self.tone, tie)
            return options[kinds.index(self._side(kinds, tie))]
        text = self.question.text.casefold()
        counts = [_mentions(word, text) for word in words]
        best = [option for option, n in zip(options, counts, strict=True) if n == max(counts)]
        real = [option for option in best if option is not None] or best
        alone = len(real) == 1 and max(counts) > 0
        self.probabilities[name] = 0.95 if alone else 0.4 + 0.2 * tie
        return real[int(tie * len(real))]

    def _side(self, kinds: list[str], tie: float) -> str:
        if "mixed" in kinds and self.tone.is_mixed:
            return "mixed"
        if "neutral" in kinds and (self.tone.net == 0 or self.tone.is_mixed):
            return "neutral"
        if self.tone.net == 0:
            return "positive" if tie < 0.5 else "negative"  # noqa: PLR2004 - an even chance
        return "positive" if self.tone.net > 0 else "negative"

    def _boolean(self, name: str) -> bool:
        tie = fraction(self.seed, self.question.text, name)
        for word in re.split(r"[_\W]+", name.casefold()):
            if _kind(word) in {"positive", "negative"}:
                self.probabilities[name] = _probability(self.tone, tie)
                return (self.tone.net > 0) == (_kind(word) == "positive")
        self.probabilities[name] = 0.5 + abs(tie - 0.5)
        return tie < 0.5  # noqa: PLR2004 - an even chance

    def _number(self, schema: Schema, name: str, *, whole: bool) -> float | int:
        low, high = bounds(schema, whole=whole)
        tie = fraction(self.seed, self.question.text, name)
        if _RATING.search(name) and math.isfinite(low) and math.isfinite(high):
            share = 0.5 + 0.5 * math.copysign(self.tone.clarity, self.tone.net)
            wanted = low + share * (high - low)
            self.probabilities[name] = _probability(self.tone, tie)
        else:
            found = as_number(find_value(name, self.question.text))
            if found is None:
                found = find_number(self.question.text)
            self.probabilities[name] = 0.5 if found is None else 0.9
            wanted = 1.0 if found is None else found
        return fitted(wanted, low, high, schema.get("multipleOf"), whole=whole)

    def _string(self, schema: Schema, name: str) -> str:
        if name == ROW_KEY_FIELD and self.question.row_key is not None:
            return self.question.row_key
        text = self.question.text
        found = find_value(name, text)
        self.probabilities[name] = 0.5 if found is None else 0.9
        if pattern := schema.get("pattern"):
            return matching(str(pattern), found, text)
        if found is None and schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        value = found if found is not None else quote(text)
        least = int(schema.get("minLength") or 0)
        value = value + "." * (least - len(value))
        most = schema.get("maxLength")
        return value if most is None else value[: int(most)]


def _without(schema: Schema, key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}


def _merged(one: Schema, other: Schema) -> dict[str, Any]:
    """Both schemas' demands, as far as that can be said by their keys."""
    merged = {**one, **other}
    if "properties" in one and "properties" in other:
        merged["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        merged["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    return merged


def _first(alternatives: list[Any]) -> Schema:
    """The first alternative that is not null."""
    for part in alternatives:
        if isinstance(part, Mapping) and part.get("type") != "null":
            return part
    return {"type": "null"}


def _type_of(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if isinstance(kind, str):
        return kind
    if "properties" in schema or "required" in schema:
        return "object"
    if "items" in schema or "minItems" in schema or "prefixItems" in schema:
        return "array"
    if {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"} & set(schema):
        return "number"
    return "string"


def _kind(word: str) -> str:
    """Which tone a label stands for; empty for any other word."""
    return _KINDS.get(word, "")


def _mentions(label: str, text: str) -> int:
    """How often the text names the label, or the most telling word of it."""
    parts = [label, *(part for part in re.split(r"[_\W]+", label) if len(part) > 2)]  # noqa: PLR2004 - "of", "to" tell nothing
    return max(text.count(part) if part else 0 for part in parts)


def _another(item: Any, taken: list[Any], options: list[Any] | None) -> Any:
    """A value that is not taken yet, as like the first as can be."""
    if options:
        return next((option for option in options if option not in taken), item)
    number = 2
    fresh = item
    while fresh in taken:
        if isinstance(item, bool):
            return not item
        if isinstance(item, int | float):
            fresh = item + number - 1
        elif isinstance(item, str):
            fresh = f"{item} {number}"
        else:
            return item
        number += 1
    return fresh
