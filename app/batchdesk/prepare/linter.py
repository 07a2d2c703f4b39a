"""Warnings about a prompt, each with its code, its place, figures for the words, and a fix.

A stage and the table's columns come in, with measured figures where there are some; findings go
out. The words for codes belong to the window. A fix is a function from a stage to a better stage;
applied, its finding is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from batchdesk.domain.job import LabelsCheck, Stage
from batchdesk.prepare import lint_schema, lint_words
from batchdesk.prepare.lint_base import (
    Figures,
    Finding,
    Fix,
    LintCode,
    Part,
    Place,
    added,
    all_properties,
    choices,
    language_of,
    properties,
    takes_unknown,
    texts,
    with_sentence,
)
from batchdesk.prepare.lint_text import fenced, fenced_like, open_placeholders, parts_of, sent

__all__ = ["Figures", "Finding", "Fix", "LintCode", "Part", "Place", "lint"]


def lint(
    stage: Stage, columns: Sequence[str], *, model: str = "", figures: Figures | None = None
) -> tuple[Finding, ...]:
    """All warnings about a stage, in the order in which a person reads it.

    Args:
        model: The model's name; some think before they answer, and need other limits.
    """
    findings = [
        *_fences(stage, columns),
        *_vague(stage),
        *_history(stage),
        *_format(stage),
        *_unknown(stage),
        *lint_schema.differing_fields(stage),
        *lint_schema.conclusion_first(stage),
        *lint_schema.warm_labels(stage, model),
        *lint_schema.too_many_tokens(stage, model, figures),
        *lint_schema.long_system(figures),
    ]
    parts = list(Part)
    return tuple(
        sorted(findings, key=lambda one: (parts.index(one.place.part), one.place.start or 0))
    )


def _fences(stage: Stage, columns: Sequence[str]) -> Iterator[Finding]:
    def fix(old: Stage) -> Stage:
        rule = language_of(old).fence
        system = fenced(old.system, columns)
        examples = tuple(
            one.model_copy(update={"user": fenced_like(old.user, columns, one.user)})
            for one in old.examples
        )
        return old.model_copy(
            update={
                "system": system if rule in old.system + old.user else added(system, rule),
                "user": fenced(old.user, columns),
                "examples": examples,
            }
        )

    for part, text in texts(stage):
        for holder in open_placeholders(text, columns):
            names = sorted(holder.names - {"row"}) or ["row"]
            params = {"columns": names}
            yield Finding(LintCode.NO_FENCE, Place(part, holder.start, holder.end), params, fix)


def _vague(stage: Stage) -> Iterator[Finding]:
    for part, text in texts(stage):
        for words in parts_of(text)[0]:
            for start, end, word, meaning in lint_words.vague_in(words.text):
                if f"“{word}”" in text:  # explained in another part of the text
                    continue
                place = Place(part, words.start + start, words.start + end)
                params = {"word": word, "meaning": meaning}
                yield Finding(
                    LintCode.VAGUE_QUANTITY, place, params, _explains(part, word, meaning)
                )


def _explains(part: Part, word: str, meaning: str) -> Fix:
    is_english = word.isascii()

    def fix(old: Stage) -> Stage:
        language = lint_words.ENGLISH if is_english else lint_words.CHINESE
        return with_sentence(old, part, language.means.format(word, meaning))

    return fix


def _history(stage: Stage) -> Iterator[Finding]:
    for part, text in texts(stage):
        for words in parts_of(text)[0]:
            for match in lint_words.HISTORY.finditer(words.text):
                start, end = words.start + match.start(), words.start + match.end()
                place, params = Place(part, start, end), {"words": match[0]}
                yield Finding(LintCode.HISTORY, place, params, _drops(part, match[0], words.text))


def _drops(part: Part, phrase: str, words: str) -> Fix | None:
    """A fix that takes the sentence out, if something is left of the text."""
    sentence = next(
        (one for one in lint_words.SENTENCE_END.split(words) if phrase in one), phrase
    ).strip()
    if words.strip() == sentence and part is Part.USER:
        return None

    def fix(old: Stage) -> Stage:
        text = getattr(old, part).replace(sentence, "").strip()
        return old.model_copy(update={str(part): text}) if text or part is Part.SYSTEM else old

    return fix


def _format(stage: Stage) -> Iterator[Finding]:
    words = sent(stage.system) + "\n" + sent(stage.user)
    if stage.output is None and not stage.examples and not lint_words.FORMAT.search(words):

        def fix(old: Stage) -> Stage:
            schema = {
                "type": "object",
                "properties": {"answer": {"type": "string"}},
                "required": ["answer"],
                "additionalProperties": False,
            }
            return old.model_copy(update={"output": schema})

        yield Finding(LintCode.NO_OUTPUT_FORMAT, Place(Part.OUTPUT), {}, fix)


def _unknown(stage: Stage) -> Iterator[Finding]:
    words = sent(stage.system) + "\n" + sent(stage.user)
    fields = properties(stage)
    allows = any(takes_unknown(part) for part in fields.values())
    if not fields or allows or lint_words.UNKNOWN.search(words):
        return
    yield Finding(LintCode.NO_UNKNOWN, Place(Part.USER), {}, _allow_unknown)


def _allow_unknown(old: Stage) -> Stage:
    """The sentence, and the value among the allowed ones of the field that is the answer."""
    language = language_of(old)
    value = language.unknown_value
    new = with_sentence(old, Part.USER, language.unknown.format(value))
    fields = properties(old)
    chosen = [name for name, part in fields.items() if choices(part)]
    name = old.answer_field if old.answer_field in chosen else next(iter(chosen), None)
    if name is None or old.output is None:
        return new
    part = {**fields[name], "enum": [*fields[name]["enum"], value]}
    checks = tuple(
        one.model_copy(update={"allowed": (*one.allowed, value)})
        if isinstance(one, LabelsCheck) and one.field == name and value not in one.allowed
        else one
        for one in old.checks
    )
    output = {**old.output, "properties": {**all_properties(old), name: part}}
    return new.model_copy(update={"output": output, "checks": checks})
