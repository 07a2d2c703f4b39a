"""The three gates of a preview, and whether confidence tells right answers from wrong ones.

What came of the same rows twice comes in; counts go out, never a word. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from batchdesk.domain.labels import folded_label
from batchdesk.domain.task import TaskState
from batchdesk.quality.evaluation import Share
from batchdesk.store.previews import Tried

_HAS_ANSWER = frozenset({TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED})
_SAME_CONFIDENCE = 0.02  # confidences that differ by less say nothing
_LEAST_LABELLED = 5


class GateState(StrEnum):
    """How a gate stands."""

    OPEN = "open"  # nothing to count yet
    PASSED = "passed"  # all of them
    FAILED = "failed"
    NOT_ASKED = "not_asked"  # the job does not ask for what it counts


@dataclass(frozen=True, slots=True)
class Gate:
    """``right`` of ``of`` did what they should."""

    state: GateState
    right: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class Gates:
    """What a preview found.

    Attributes:
        format: Answers that parse and pass the schema, of both runs.
        stable: Rows with the same answer twice, of those with a usable answer in both.
        matched: Answers that name their own row, of all answers, those asked for again included.
        unanswered: Tasks that the service did not answer at all; no gate counts them.
        stable_fields: Per field of the answers, how often it was the same twice.
        unstable_keys: Keys of the rows whose answers differ.
    """

    format: Gate
    stable: Gate
    matched: Gate
    unanswered: int
    stable_fields: Mapping[str, Share]
    unstable_keys: tuple[str, ...]


def judge(
    first: Sequence[Tried], second: Sequence[Tried], *, answer_field: str | None, echo_key: bool
) -> Gates:
    """The gates over two runs of the same rows.

    Args:
        answer_field: The field that must be the same twice; None: the whole answer.
        echo_key: Whether answers name their row.
    """
    both = [*first, *second]
    answered = [one for one in both if one.answered]
    formed = [one for one in answered if _is_formed(one)]
    again = {one.row_id: one for one in second if _is_formed(one)}
    pairs = [(one, again[one.row_id]) for one in first if _is_formed(one) and one.row_id in again]
    differing = [
        one.row_key
        for one, other in pairs
        if _told(one.answer, answer_field) != _told(other.answer, answer_field)
    ]
    replies = sum(one.answered for one in both)
    misaligned = sum(one.misaligned for one in both)
    matched = _gate(replies - misaligned, replies) if echo_key else Gate(GateState.NOT_ASKED)
    return Gates(
        format=_gate(len(formed), len(answered)),
        stable=_gate(len(pairs) - len(differing), len(pairs)),
        matched=matched,
        unanswered=len(both) - len(answered),
        stable_fields=_by_field(pairs),
        unstable_keys=tuple(differing),
    )


def _gate(right: int, of: int) -> Gate:
    if not of:
        return Gate(GateState.OPEN)
    return Gate(GateState.PASSED if right == of else GateState.FAILED, right, of)


def _is_formed(one: Tried) -> bool:
    return one.state in _HAS_ANSWER and one.kind is None and one.answer is not None


def _told(answer: Any, field: str | None) -> str:
    """What is compared of an answer."""
    value = answer.get(field) if field is not None and isinstance(answer, Mapping) else answer
    return folded_label(value) if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _by_field(pairs: Sequence[tuple[Tried, Tried]]) -> dict[str, Share]:
    counts: dict[str, list[int]] = {}
    for one, other in pairs:
        if isinstance(one.answer, Mapping) and isinstance(other.answer, Mapping):
            for field in {**one.answer, **other.answer}:
                count = counts.setdefault(field, [0, 0])
                count[0] += _told(one.answer, field) == _told(other.answer, field)
                count[1] += 1
    return {field: Share(right, of) for field, (right, of) in counts.items()}


@dataclass(frozen=True, slots=True)
class ConfidenceTest:
    """Whether low confidence means wrong, over labelled answers.

    Attributes:
        at: The confidence below which an answer counts as low: the check's, else the median.
        low_wrong: Wrong answers among those of low confidence, ``high_wrong`` among the others.
        lowest: The lowest confidence seen, and ``highest`` the highest.
        order: How often a right answer has more confidence than a wrong one; 0.5 is chance; None
            where all are right or all wrong.
        is_useless: Confidence is always nearly the same, or no better than chance.
    """

    at: float
    low_wrong: Share
    high_wrong: Share
    lowest: float
    highest: float
    order: float | None
    is_useless: bool


def confidence_test(
    tried: Sequence[Tried], *, label: str, answer_field: str, at: float | None
) -> ConfidenceTest | None:
    """Confidence against correctness; None with fewer than five labelled answers that have one."""
    found = [
        (one.confidence, _is_right(one, label, answer_field))
        for one in tried
        if _is_formed(one) and one.confidence is not None and (one.cells.get(label) or "").strip()
    ]
    if len(found) < _LEAST_LABELLED:
        return None
    values = sorted(confidence for confidence, _ in found)
    mark = values[len(values) // 2] if at is None else at
    low = [right for confidence, right in found if confidence < mark]
    high = [right for confidence, right in found if confidence >= mark]
    order = _order(
        [confidence for confidence, right in found if right],
        [confidence for confidence, right in found if not right],
    )
    constant = values[-1] - values[0] < _SAME_CONFIDENCE
    return ConfidenceTest(
        at=mark,
        low_wrong=Share(low.count(False), len(low)),
        high_wrong=Share(high.count(False), len(high)),
        lowest=values[0],
        highest=values[-1],
        order=order,
        is_useless=constant or (order is not None and order <= 0.5),  # noqa: PLR2004 - chance
    )


def _is_right(one: Tried, label: str, answer_field: str) -> bool:
    said = one.answer.get(answer_field) if isinstance(one.answer, Mapping) else one.answer
    return folded_label(str(said)) == folded_label(one.cells.get(label) or "")


def _order(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    """Mann-Whitney's share of pairs in the right order, ties counting half."""
    if not right or not wrong:
        return None
    above = sum((r > w) + (r == w) / 2 for r in right for w in wrong)
    return above / (len(right) * len(wrong))
