"""The linter's rules about the schema, the settings and the cost of a prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from batchdesk.domain.job import LabelsCheck, Stage
from batchdesk.prepare import lint_words
from batchdesk.prepare.lint_base import (
    Figures,
    Finding,
    Fix,
    LintCode,
    Part,
    Place,
    all_properties,
    choices,
    is_value,
    parsed_object,
    properties,
    required,
    texts,
)
from batchdesk.prepare.lint_text import parts_of

_FAR = 8  # times as many tokens as an answer needs
_FAR_TOKENS = 500
_SMALL = ("number", "integer", "boolean", "null")  # types whose values are a few characters
_LONG_SYSTEM = (
    300  # tokens, marks around data in it; a shorter one costs little whatever the rows are
)


def differing_fields(stage: Stage) -> Iterator[Finding]:
    """Fields that the prompt or an example has and the schema lacks, or the other way."""
    fields = properties(stage)
    if not fields:
        return
    for part, text in texts(stage):
        for words in parts_of(text)[0]:
            for match in lint_words.ASKED_FIELD.finditer(words.text):
                name = match[1] or match[2]
                if name not in fields and not is_value(name, fields):
                    place = Place(part, words.start + match.start(), words.start + match.end())
                    yield Finding(LintCode.FIELDS_DIFFER, place, {"asked": name}, _adds(name))
    for number, example in enumerate(stage.examples):
        answer = parsed_object(example.assistant)
        if answer is None:
            continue
        place = Place(Part.EXAMPLES, number)
        for name in answer:
            if name not in fields:
                yield Finding(LintCode.FIELDS_DIFFER, place, {"asked": name}, _adds(name))
        for name in required(stage):
            if name not in answer:
                yield Finding(LintCode.FIELDS_DIFFER, place, {"missing": name})


def _adds(name: str) -> Fix:
    def fix(old: Stage) -> Stage:
        fields = all_properties(old)
        if old.output is None or name in fields:
            return old
        output = {**old.output, "properties": {**fields, name: {"type": "string"}}}
        output["required"] = [*required(old), name]
        return old.model_copy(update={"output": output})

    return fix


def conclusion_first(stage: Stage) -> Iterator[Finding]:
    """A conclusion that is asked before its reasons."""
    names = list(properties(stage))
    first = next((at for at, name in enumerate(names) if _concludes(stage, name)), None)
    if first is None:
        return
    later = [name for name in names[first + 1 :] if lint_words.REASON.search(name)]
    if later:
        params = {"conclusion": names[first], "reason": later[0]}
        yield Finding(LintCode.CONCLUSION_FIRST, Place(Part.OUTPUT), params, _reasons_first)


def _concludes(stage: Stage, name: str) -> bool:
    is_reason = lint_words.REASON.search(name) is not None
    return not is_reason and (
        name == stage.answer_field or lint_words.CONCLUSION.search(name) is not None
    )


def _reasons_first(old: Stage) -> Stage:
    """Fields that give reasons before the others, in schema and examples."""

    def sorted_names(names: Sequence[str]) -> list[str]:
        return sorted(names, key=lambda name: lint_words.REASON.search(name) is None)

    fields = all_properties(old)
    output = {
        **(old.output or {}),
        "properties": {name: fields[name] for name in sorted_names(list(fields))},
    }
    if "required" in output:
        output["required"] = sorted_names(required(old))
    examples = []
    for example in old.examples:
        answer = parsed_object(example.assistant)
        if answer is None:
            examples.append(example)
            continue
        text = json.dumps(
            {name: answer[name] for name in sorted_names(list(answer))}, ensure_ascii=False
        )
        examples.append(example.model_copy(update={"assistant": text}))
    return old.model_copy(update={"output": output, "examples": tuple(examples)})


def warm_labels(stage: Stage, model: str) -> Iterator[Finding]:
    """A temperature above 0 where one of some labels is asked."""
    has_labels = any(isinstance(one, LabelsCheck) for one in stage.checks)
    answer = properties(stage).get(stage.answer_field or "", {})
    is_choice = (
        has_labels
        or bool(choices(answer))
        or (
            all(bool(choices(part)) for part in properties(stage).values())
            and bool(properties(stage))
        )
    )
    if not is_choice or stage.n > 1:  # several answers are meant to differ
        return
    if stage.temperature is None and thinks(model):  # such models take no temperature
        return
    if stage.temperature is None or stage.temperature > 0:
        params = {"value": stage.temperature}
        yield Finding(LintCode.TEMPERATURE, Place(Part.SETTINGS), params, _cold)


def _cold(old: Stage) -> Stage:
    return old.model_copy(update={"temperature": 0.0})


def too_many_tokens(stage: Stage, model: str, figures: Figures | None) -> Iterator[Finding]:
    """A limit far above what an answer needs."""
    measured = figures.answer_tokens if figures else None
    needed = measured or _needed(stage)
    if stage.max_tokens is None or needed is None or thinks(model):
        return
    if stage.max_tokens > max(_FAR * needed, needed + _FAR_TOKENS):
        better = max(64, 2 * needed)

        def fix(old: Stage) -> Stage:
            return old.model_copy(update={"max_tokens": better})

        params = {"value": stage.max_tokens, "needed": needed, "better": better}
        yield Finding(LintCode.MAX_TOKENS, Place(Part.SETTINGS), params, fix)


def long_system(figures: Figures | None) -> Iterator[Finding]:
    """A system text that is longer than the data, and so most of the cost."""
    if figures is None or figures.system_tokens <= max(_LONG_SYSTEM, figures.data_tokens):
        return
    params = {
        "system_tokens": figures.system_tokens,
        "data_tokens": round(figures.data_tokens),
        "rows": figures.rows,
        "all_tokens": figures.system_tokens * figures.rows,
    }
    yield Finding(LintCode.SYSTEM_LONGER, Place(Part.SYSTEM), params)


def _needed(stage: Stage) -> int | None:
    """Tokens that an answer of this schema takes at most; None where a field is free text."""
    total = 8
    fields = properties(stage)
    for name, part in fields.items():
        values = choices(part)
        kind = part.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if values:
            size = max(len(json.dumps(value, ensure_ascii=False)) for value in values)
        elif all(one in _SMALL for one in kinds):
            size = 12
        elif isinstance(part.get("maxLength"), int):
            size = part["maxLength"]
        else:
            return None
        total += len(name) + size + 6  # a character is a token at most, as a rule
    return total if fields else None


def thinks(model: str) -> bool:
    """Whether a model is known to think before it answers: its thoughts count as output."""
    name = model.lower().rsplit("/", 1)[-1]
    begins = name.startswith(("o1", "o3", "o4", "gpt-5", "qwq"))
    return begins or any(word in name for word in ("reason", "think", "-r1"))
