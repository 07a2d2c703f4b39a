"""The practice server's faults: which there are, which request gets one, and what it does.

In comes a request's identity or an answer; out comes the name of a fault, or the spoiled answer.
Faults of the transport (reset, hang, 500 …) are acted out by the server itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from batchdesk.domain.job import ROW_KEY_FIELD
from batchdesk.errors import UserError
from batchdesk.providers.practice_answers import Answer, Question, answer, as_json, fraction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Every fault by its name on the command line, with what it is for a person who reads the help.
FAULTS: dict[str, str] = {
    "429": "refused with retry-after: 1",
    "500": "internal error",
    "503": "overloaded, with retry-after: 1",
    "reset": "the connection is cut before any byte",
    "hang": "no answer at all",
    "truncated": "the answer is cut and says so (finish_reason length)",
    "malformed": "the answer is not JSON and cannot be repaired",
    "empty": "the answer is empty",
    "missing_field": "a required field is left out",
    "wrong_row": "the answer belongs to another row",
    "doubled": "two different answers one after the other",
    "cut": "the answer is cut but claims to be whole (finish_reason stop)",
    "html": "a web page instead of JSON, with status 200",
    "slow": "ten times the usual time",
}
# Spoil what the answer says; the rest concern the transport.
ANSWER_FAULTS = frozenset(
    {"truncated", "malformed", "empty", "missing_field", "wrong_row", "doubled", "cut"}
)


class PracticeError(UserError):
    """Settings of the practice server that cannot be used."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A question that was answered a moment ago, for answers that belong to another row."""

    question: Question
    answer: Answer


def check_faults(faults: Mapping[str, float]) -> None:
    """Check names and rates.

    Raises:
        PracticeError: an unknown name, a rate outside 0 to 1, or a sum above 1.
    """
    for name, rate in faults.items():
        if name not in FAULTS:
            raise PracticeError(
                "The practice server knows no fault “{name}”. The faults are: {names}.",
                name=name,
                names=", ".join(FAULTS),
            )
        if not 0 <= rate <= 1:
            raise PracticeError(
                "The rate of the fault “{name}” is {rate:g}. Give a share from 0 to 1; 0.02 is two "
                "requests in a hundred. The faults are: {names}.",
                name=name,
                rate=rate,
                names=", ".join(FAULTS),
            )
    total = sum(faults.values())
    if total > 1 + 1e-9:
        raise PracticeError(
            "The rates of all faults add up to {total:g}. Together they may be at most 1. "
            "The faults are: {names}.",
            total=total,
            names=", ".join(FAULTS),
        )


def parse_faults(text: str) -> dict[str, float]:
    """Read ``500=0.02,reset=0.01``.

    Raises:
        PracticeError: not of that form, or ``check_faults`` objects.
    """
    faults: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, rate = part.partition("=")
        try:
            faults[name.strip()] = float(rate)
        except ValueError:
            raise PracticeError(
                "“{part}” is not a fault with its rate. Write them like 500=0.02,reset=0.01. "
                "The faults are: {names}.",
                part=part,
                names=", ".join(FAULTS),
            ) from None
    check_faults(faults)
    return faults


def draw(faults: Mapping[str, float], seed: int, key: object, attempt: int) -> str | None:
    """The fault that this attempt meets, or None. The same arguments give the same fault."""
    if not faults:
        return None
    at = fraction("fault", seed, key, attempt)
    for name, rate in faults.items():
        if at < rate:
            return name
        at -= rate
    return None


def applies(fault: str, question: Question, right: Answer) -> bool:
    """Whether the fault can happen to this answer: plain text has no field to leave out."""
    if fault == "missing_field":
        return right.is_object and _field_to_leave_out(question, right.value) is not None
    return True


def spoil(
    fault: str, question: Question, right: Answer, *, seed: int, seen: Sequence[Seen]
) -> tuple[Answer, str]:
    """The spoiled answer and its finish reason, for a fault of ``ANSWER_FAULTS``."""
    if fault == "truncated":
        return Answer(_half(right.content)), "length"
    if fault == "cut":
        return Answer(_half(right.content)), "stop"
    if fault == "empty":
        return Answer(""), "stop"
    if fault == "malformed":
        return Answer(_garbage(right)), "stop"
    if fault == "missing_field":
        name = _field_to_leave_out(question, right.value)
        return as_json({key: item for key, item in right.value.items() if key != name}), "stop"
    if fault == "doubled":
        other = answer(question, seed, flipped=True)
        return Answer(f"{right.content}\n{other.content}"), "stop"
    return _of_another_row(question, seed, seen), "stop"


def _half(content: str) -> str:
    return content[: max(1, len(content) // 2)] if content else ""


def _garbage(right: Answer) -> str:
    """Prose and a broken object with bare words, which no repair turns into the wanted fields."""
    fields = list(right.value) if right.is_object else ["answer"]
    inside = " ".join(f"{name} perhaps" for name in fields if name != ROW_KEY_FIELD)
    return f"Sure! Here is the answer: {{{inside} (it depends on how one reads it"


def _field_to_leave_out(question: Question, value: Any) -> str | None:
    required = (question.schema or {}).get("required") or ()
    names = [name for name in (*required, *value) if name != ROW_KEY_FIELD and name in value]
    return names[0] if names else None


def _of_another_row(question: Question, seed: int, seen: Sequence[Seen]) -> Answer:
    """An answer seen a moment ago to the same schema, else a made-up one."""
    schema = json.dumps(question.schema, sort_keys=True)
    others = [
        one
        for one in seen
        if (one.question.text, one.question.row_key) != (question.text, question.row_key)
        and json.dumps(one.question.schema, sort_keys=True) == schema
    ]
    if others:
        at = fraction("other row", seed, question.text, question.row_key)
        return others[int(at * len(others))].answer
    made_up = f"{question.row_key or ''}-other"
    other = Question(
        question.text, made_up if question.row_key is not None else None, question.schema
    )
    return answer(other, seed, flipped=True)
