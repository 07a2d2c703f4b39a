"""All checks of one answer, and what they make of it.

A Checker is made once per stage and is pure: choices and the row's key in, an Assessment out.
Findings are codes with values; words for them live at the edge.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from batchdesk.domain.chat import Choice
from batchdesk.domain.job import ROW_KEY_FIELD, ConfidenceCheck, LabelsCheck, RequiredCheck, Stage
from batchdesk.domain.task import ErrorKind
from batchdesk.domain.verdict import Assessment, CheckOutcome, CheckResult
from batchdesk.quality.confidence import answer_confidence
from batchdesk.quality.parsing import UnparsableError, parse, whole_characters
from batchdesk.quality.stage_schema import (
    enum_fields,
    fields_exist,
    folded,
    in_spelling_of,
    validator,
)
from batchdesk.quality.timed_patterns import PatternTimeError

_LONGEST_DETAIL = 300  # characters of a value or sentence that is kept with a finding
_MOST_SCHEMA_ERRORS = 20  # of one answer; more of them tell nothing more


class Checker:
    """The checks of one stage.

    Args:
        stage: Its schema and its checks.
        echo_key: Whether the answer must name its row.

    Raises:
        JobFileError: the schema is not a JSON Schema, or a check names a field it does not have.
    """

    def __init__(self, stage: Stage, *, echo_key: bool) -> None:
        self._stage = stage
        self._echo = echo_key
        self._validator = validator(stage) if stage.output is not None else None
        self._labels = [c for c in stage.checks if isinstance(c, LabelsCheck)]
        self._confidence = [c for c in stage.checks if isinstance(c, ConfidenceCheck)]
        self._required_by_check = _fields_of_required_checks(stage)
        self._required_by_schema = [
            field
            for field in (stage.output or {}).get("required", [])
            if field not in self._required_by_check
        ]
        self._enums = enum_fields(stage.output)
        fields_exist(stage)

    def assess(self, choices: Sequence[Choice], row_key: str) -> Assessment:
        """Check an answer. ``row_key`` as it was sent (``prepare.prompt.one_line``)."""
        assessed = [self._one(choice, row_key) for choice in choices]
        field = next((c.field for c in self._confidence if c.source == "agreement"), None)
        index, share = _most_frequent(assessed, field)
        best = assessed[index]
        if best.error_kind is not None:
            return best
        if share < 1.0 and not any(c.source == "agreement" for c in self._confidence):
            doubt = CheckResult(
                "agreement", CheckOutcome.DOUBTFUL, "answers_differ", detail={"share": share}
            )
            best = _with(best, [doubt])
        return _with(best, list(self._confidence_results(choices[index], best, share)))

    def recheck(self, answer: Any) -> tuple[CheckResult, ...]:
        """What is wrong with an answer that a person has edited: form and content only."""
        answer = self._normalised(answer)
        return (
            *(one for one in self._schema_results(answer) if one.outcome is CheckOutcome.BAD),
            *self._label_results(answer),
            *self._blank_results(answer),
        )

    def _one(self, choice: Choice, row_key: str) -> Assessment:
        """One choice: form first, then content; confidence is measured, not yet judged."""
        text = whole_characters(choice.text)
        if choice.finish_reason == "content_filter":
            return _failed(text, ErrorKind.CONTENT_FILTERED, "filtered", "content_filtered")
        if choice.finish_reason == "length":
            return _failed(text, ErrorKind.TRUNCATED, "complete", "truncated")
        if not text.strip():
            return _failed(text, ErrorKind.EMPTY_OUTPUT, "parsable", "empty")
        if self._validator is None:
            confidence = answer_confidence(choice.text, choice.logprobs, None)
            return Assessment(text, (), confidence=confidence)
        try:
            parsed = parse(text)
        except UnparsableError as error:
            return _failed(text, ErrorKind.MALFORMED_OUTPUT, "parsable", error.code)
        return self._content(choice, parsed.value, row_key, repaired=parsed.repaired)

    def _content(self, choice: Choice, answer: Any, row_key: str, *, repaired: bool) -> Assessment:
        if self._echo:
            if not isinstance(answer, dict):
                return _failed(answer, ErrorKind.MALFORMED_OUTPUT, "schema", "type")
            named = answer.pop(ROW_KEY_FIELD, None)
            if named is None or not _same_key(str(named), row_key):
                code = "row_key_missing" if named is None else "other_row"
                return _failed(
                    answer,
                    ErrorKind.MISALIGNED,
                    "misaligned",
                    code,
                    detail={"named": _short(named)},
                )
        answer = self._normalised(answer)
        found = [*self._schema_results(answer), *self._label_results(answer)]
        found += self._blank_results(answer)
        if any(one.outcome is CheckOutcome.BAD for one in found):
            return Assessment(answer, tuple(found), ErrorKind.MALFORMED_OUTPUT, repaired=repaired)
        doubts = tuple(found)
        if repaired:
            doubts = (*doubts, CheckResult("parsable", CheckOutcome.DOUBTFUL, "repaired"))
        confidence = answer_confidence(choice.text, choice.logprobs, self._measured_field())
        return Assessment(answer, doubts, confidence=confidence, repaired=repaired)

    def _measured_field(self) -> str | None:
        for check in self._confidence:
            if check.source == "logprobs" and check.field:
                return check.field
        return self._stage.answer_field

    def _normalised(self, answer: Any) -> Any:
        """Labels in the spelling of the schema or of the labels check; all else as it is."""
        if not isinstance(answer, dict):
            return answer
        for field, allowed in self._enums.items():
            value = answer.get(field)
            if isinstance(value, str):
                answer[field] = in_spelling_of(allowed, value)
        for check in self._labels:
            value = answer.get(check.field)
            if isinstance(value, str):
                answer[check.field] = _label(check, value)
        return answer

    def _schema_results(self, answer: Any) -> list[CheckResult]:
        if self._validator is None:
            return []
        try:
            errors = list(islice(self._validator.iter_errors(answer), _MOST_SCHEMA_ERRORS))
        except PatternTimeError as error:  # asking again would not make it faster
            detail = {"message": error.pattern[:_LONGEST_DETAIL]}
            return [CheckResult("schema", CheckOutcome.DOUBTFUL, "pattern_time", detail=detail)]
        except Exception as error:  # noqa: BLE001 - numbers beyond what the validator can count
            reason = f"{type(error).__name__}: {error}"[:_LONGEST_DETAIL]
            detail = {"message": reason}
            return [CheckResult("schema", CheckOutcome.BAD, "not_checkable", detail=detail)]
        return [
            CheckResult(
                "schema",
                CheckOutcome.BAD,
                str(error.validator),
                path="/".join(str(part) for part in error.absolute_path),
                detail={"message": error.message[:_LONGEST_DETAIL]},
            )
            for error in errors
        ]

    def _label_results(self, answer: Any) -> Iterator[CheckResult]:
        for check in self._labels:
            value = answer.get(check.field) if isinstance(answer, dict) else None
            if value not in check.allowed and _as_text(value) not in check.allowed:
                yield CheckResult(
                    "labels", CheckOutcome.BAD, "not_allowed", check.field, {"value": _short(value)}
                )

    def _blank_results(self, answer: Any) -> Iterator[CheckResult]:
        """Required fields that say nothing.

        Of fields that only the schema requires, absent ones are the schema's matter, and so is
        whether null or an allowed blank will do.
        """
        if not isinstance(answer, dict):
            return
        for field in self._required_by_schema:
            if _is_blank_text(answer.get(field)) and answer[field] not in self._enums.get(
                field, ()
            ):
                yield CheckResult("required", CheckOutcome.BAD, "blank", field)
        for field in self._required_by_check:
            if field not in answer:
                yield CheckResult("required", CheckOutcome.BAD, "missing", field)
            elif _is_blank_text(answer[field]) or answer[field] in (None, [], {}):
                yield CheckResult("required", CheckOutcome.BAD, "blank", field)

    def _confidence_results(
        self, choice: Choice, answer: Assessment, share: float
    ) -> Iterator[CheckResult]:
        for check in self._confidence:
            value = self._confidence_value(check, choice, answer, share)
            if value is None:
                yield CheckResult("confidence", CheckOutcome.DOUBTFUL, "unknown", check.field or "")
            elif value < check.at_least:
                yield CheckResult(
                    "confidence",
                    CheckOutcome.DOUBTFUL,
                    "low",
                    check.field or self._stage.answer_field or "",
                    {"value": _rounded_below(value, check.at_least), "at_least": check.at_least},
                )

    def _confidence_value(
        self, check: ConfidenceCheck, choice: Choice, answer: Assessment, share: float
    ) -> float | None:
        if check.source == "agreement":
            return share
        if check.source == "logprobs":
            field = check.field or self._stage.answer_field
            return answer_confidence(choice.text, choice.logprobs, field)
        said = answer.answer.get(check.field) if isinstance(answer.answer, dict) else None
        if isinstance(said, bool) or not isinstance(said, int | float):
            return None
        return float(said) if 0 <= said <= 1 else None


def _fields_of_required_checks(stage: Stage) -> list[str]:
    checks = [check for check in stage.checks if isinstance(check, RequiredCheck)]
    return list(dict.fromkeys(field for check in checks for field in check.fields))


def _label(check: LabelsCheck, value: str) -> str:
    if value in check.allowed:
        return value
    for word, meant in check.synonyms.items():
        if folded(word) == folded(value):
            return meant
    return in_spelling_of(check.allowed, value)


def _as_text(value: Any) -> str | None:
    """A label that the schema wants as a number or a boolean, as the job file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else None


def _same_key(named: str, row_key: str) -> bool:
    """Whether a model copied the key, give or take white space and composed characters."""
    normal = unicodedata.normalize("NFC", " ".join(named.split()))
    return normal == unicodedata.normalize("NFC", row_key)


def _short(value: Any) -> Any:
    """A value for the record of a finding; of a long one only the beginning, as text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _LONGEST_DETAIL else text[:_LONGEST_DETAIL]


def _is_blank_text(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _rounded_below(value: float, threshold: float) -> float:
    """Four digits, unless that would hide that it is below the threshold."""
    return rounded if (rounded := round(value, 4)) < threshold else value


def _failed(
    answer: Any,
    kind: ErrorKind,
    check: str,
    code: str,
    *,
    detail: Mapping[str, Any] | None = None,
) -> Assessment:
    finding = CheckResult(check, CheckOutcome.BAD, code, detail=detail or {})
    return Assessment(answer, (finding,), kind)


def _most_frequent(assessed: Sequence[Assessment], field: str | None) -> tuple[int, float]:
    """Where the usable answer given most often stands (the first of equals), its share of all.

    Answers are compared whole, or by ``field`` alone.
    """
    usable = [index for index, one in enumerate(assessed) if one.error_kind is None]
    if not usable or len(assessed) == 1:
        return 0, 1.0
    texts = [_comparable(assessed[index].answer, field) for index in usable]
    [(text, count)] = Counter(texts).most_common(1)
    return usable[texts.index(text)], count / len(assessed)


def _comparable(answer: Any, field: str | None) -> str:
    if field is not None and isinstance(answer, dict):
        answer = answer.get(field)
    return json.dumps(answer, sort_keys=True, ensure_ascii=False)


def _with(answer: Assessment, more: Sequence[CheckResult]) -> Assessment:
    if not more:
        return answer
    return Assessment(
        answer.answer,
        (*answer.results, *more),
        answer.error_kind,
        answer.confidence,
        answer.repaired,
    )
