"""All checks of one answer, and what they make of it.

A Checker is made once per stage and is pure: choices and the row's key in, an Assessment out.
Findings are codes with values; words for them live at the edge.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema
from jsonschema.protocols import Validator

from batchdesk.domain.chat import Choice
from batchdesk.domain.job import ROW_KEY_FIELD, ConfidenceCheck, LabelsCheck, RequiredCheck, Stage
from batchdesk.domain.task import ErrorKind
from batchdesk.domain.verdict import Assessment, CheckOutcome, CheckResult
from batchdesk.errors import JobFileError
from batchdesk.quality.confidence import answer_confidence
from batchdesk.quality.parsing import UnparsableError, parse

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
        self._validator = _validator(stage) if stage.output is not None else None
        self._labels = [c for c in stage.checks if isinstance(c, LabelsCheck)]
        self._confidence = [c for c in stage.checks if isinstance(c, ConfidenceCheck)]
        self._required = _required_fields(stage)
        self._enums = _enum_fields(stage.output)
        _fields_exist(stage)

    def assess(self, choices: Sequence[Choice], row_key: str) -> Assessment:
        """Check an answer. ``row_key`` as it was sent (``prepare.prompt.one_line``)."""
        assessed = [self._one(choice, row_key) for choice in choices]
        best, share = _most_frequent(assessed)
        if best.error_kind is not None:
            return best
        if share < 1.0 and not any(c.source == "agreement" for c in self._confidence):
            doubt = CheckResult(
                "agreement", CheckOutcome.DOUBTFUL, "answers_differ", detail={"share": share}
            )
            return _with(best, [doubt])
        findings = list(self._confidence_results(best, share))
        return _with(best, findings)

    def recheck(self, answer: Any) -> tuple[CheckResult, ...]:
        """What is wrong with an answer that a person has edited: form and content only."""
        answer = self._normalised(answer)
        return (
            *self._schema_results(answer),
            *self._label_results(answer),
            *self._blank_results(answer),
        )

    def _one(self, choice: Choice, row_key: str) -> Assessment:
        """One choice: form first, then content; confidence is measured, not yet judged."""
        text = choice.text
        if choice.finish_reason == "content_filter":
            return _failed(text, ErrorKind.CONTENT_FILTERED, "filtered", "content_filtered")
        if choice.finish_reason == "length":
            return _failed(text, ErrorKind.TRUNCATED, "complete", "truncated")
        if not text.strip():
            return _failed(text, ErrorKind.EMPTY_OUTPUT, "parsable", "empty")
        if self._validator is None:
            return Assessment(text, (), confidence=answer_confidence(text, choice.logprobs, None))
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
            if " ".join(str(named).split()) != row_key or named is None:
                code = "row_key_missing" if named is None else "other_row"
                return _failed(
                    answer, ErrorKind.MISALIGNED, "misaligned", code, detail={"named": named}
                )
        answer = self._normalised(answer)
        bad = [*self._schema_results(answer), *self._label_results(answer)]
        bad += self._blank_results(answer)
        if bad:
            return Assessment(answer, tuple(bad), ErrorKind.MALFORMED_OUTPUT, repaired=repaired)
        doubts: tuple[CheckResult, ...] = ()
        if repaired:
            doubts = (CheckResult("parsable", CheckOutcome.DOUBTFUL, "repaired"),)
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
        for field, spelling in self._enums.items():
            value = answer.get(field)
            if isinstance(value, str):
                answer[field] = spelling.get(value.strip().casefold(), value)
        for check in self._labels:
            value = answer.get(check.field)
            if isinstance(value, str):
                answer[check.field] = _label(check, value)
        return answer

    def _schema_results(self, answer: Any) -> list[CheckResult]:
        if self._validator is None:
            return []
        results = []
        for error in self._validator.iter_errors(answer):
            path = "/".join(str(part) for part in error.absolute_path)
            results.append(
                CheckResult(
                    "schema",
                    CheckOutcome.BAD,
                    str(error.validator),
                    path=path,
                    detail={"message": error.message[:300]},
                )
            )
            if len(results) == _MOST_SCHEMA_ERRORS:
                break
        return results

    def _label_results(self, answer: Any) -> Iterator[CheckResult]:
        for check in self._labels:
            value = answer.get(check.field) if isinstance(answer, dict) else None
            if value not in check.allowed:
                yield CheckResult(
                    "labels", CheckOutcome.BAD, "not_allowed", check.field, {"value": value}
                )

    def _blank_results(self, answer: Any) -> list[CheckResult]:
        """Required fields that are there but say nothing; absent ones are the schema's matter."""
        if not isinstance(answer, dict):
            return []
        return [
            CheckResult("required", CheckOutcome.BAD, "blank", field)
            for field in self._required
            if _is_blank(answer.get(field))
        ]

    def _confidence_results(self, answer: Assessment, share: float) -> Iterator[CheckResult]:
        for check in self._confidence:
            value = self._confidence_value(check, answer, share)
            if value is None:
                yield CheckResult("confidence", CheckOutcome.DOUBTFUL, "unknown", check.field or "")
            elif value < check.at_least:
                yield CheckResult(
                    "confidence",
                    CheckOutcome.DOUBTFUL,
                    "low",
                    check.field or self._stage.answer_field or "",
                    {"value": round(value, 4), "at_least": check.at_least},
                )

    def _confidence_value(
        self, check: ConfidenceCheck, answer: Assessment, share: float
    ) -> float | None:
        if check.source == "agreement":
            return share
        if check.source == "logprobs":
            return answer.confidence
        said = answer.answer.get(check.field) if isinstance(answer.answer, dict) else None
        if isinstance(said, bool) or not isinstance(said, int | float):
            return None
        return float(said) if 0 <= said <= 1 else None


def _validator(stage: Stage) -> Validator:
    schema = stage.output or {}
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        path = "/".join(str(part) for part in error.absolute_path) or "its top"
        raise JobFileError(
            "The output of stage {stage!r} is not a JSON Schema: at {path}, {reason}.",
            stage=stage.name,
            path=path,
            reason=error.message,
        ) from error
    if ROW_KEY_FIELD in schema.get("properties", {}):
        raise JobFileError(
            "The output of stage {stage!r} has a field `row_key`, a name that Batchdesk uses "
            "itself. Give the field another name.",
            stage=stage.name,
        )
    return jsonschema.Draft202012Validator(schema)


def _fields_exist(stage: Stage) -> None:
    """Every field that the job names must be in the schema, if the schema lists its fields."""
    known = (stage.output or {}).get("properties")
    if not isinstance(known, Mapping):
        return
    named = [stage.answer_field]
    for check in stage.checks:
        named += check.fields if isinstance(check, RequiredCheck) else [check.field]
    for field in named:
        if field is not None and field not in known:
            raise JobFileError(
                "Stage {stage!r} names a field {field!r} that its output does not have. It has: "
                "{known}.",
                stage=stage.name,
                field=field,
                known=", ".join(known),
            )


def _required_fields(stage: Stage) -> list[str]:
    schema = stage.output or {}
    fields = list(schema.get("required", []))
    for check in stage.checks:
        if isinstance(check, RequiredCheck):
            fields += [field for field in check.fields if field not in fields]
    return fields


def _enum_fields(schema: Mapping[str, Any] | None) -> dict[str, dict[str, str]]:
    """Field → folded spelling → the schema's spelling, for enums of text."""
    fields: dict[str, dict[str, str]] = {}
    for name, part in ((schema or {}).get("properties") or {}).items():
        values = part.get("enum") if isinstance(part, Mapping) else None
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            fields[name] = {value.strip().casefold(): value for value in values}
    return fields


def _label(check: LabelsCheck, value: str) -> str:
    folded = value.strip().casefold()
    for word, meant in check.synonyms.items():
        if word.strip().casefold() == folded:
            return meant
    for allowed in check.allowed:
        if allowed.casefold() == folded:
            return allowed
    return value


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


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


def _most_frequent(assessed: Sequence[Assessment]) -> tuple[Assessment, float]:
    """The usable answer given most often (the first of equals) and its share of all choices."""
    usable = [one for one in assessed if one.error_kind is None]
    if not usable:
        return assessed[0], 1.0
    if len(assessed) == 1:
        return usable[0], 1.0
    texts = [json.dumps(one.answer, sort_keys=True, ensure_ascii=False) for one in usable]
    [(text, count)] = Counter(texts).most_common(1)
    return usable[texts.index(text)], count / len(assessed)


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
