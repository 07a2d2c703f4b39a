"""Against a label column: accuracy with its interval, balanced accuracy, per-class figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from batchdesk.domain.labels import folded_label
from batchdesk.domain.task import TaskState

_ANSWERED = frozenset({TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED})


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its Wilson 95 % interval; ``value`` is None for no cases."""

    right: int
    of: int

    @property
    def value(self) -> float | None:
        """Right ÷ of."""
        return self.right / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson score interval, z = 1.96 (Wilson 1927)."""
        if not self.of:
            return None
        z, n, p = 1.959964, self.of, self.right / self.of
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How the answers compare with the labels.

    Attributes:
        answered: Right among tasks that have an answer.
        end_to_end: Right among all tasks that were not skipped and are no longer open; a dead
            letter or a rejected answer counts as wrong.
        balanced: Mean of the classes' recall, over answered tasks; None for no cases.
        passed: Right among the passed (and accepted).
        review: Right among those that wait for a person.
        confusion: (label, answer) → count, over answered tasks; values that compare as the same
            share one spelling, a label's where there is one.
    """

    answered: Share
    end_to_end: Share
    balanced: float | None
    passed: Share
    review: Share
    confusion: Mapping[tuple[str, str], int]


def evaluate(counted: Mapping[tuple[str, str | None, TaskState], int]) -> Evaluation | None:
    """Evaluate (label, answer, state) → count. None if no finished task has a label.

    Labels and answers are compared without regard to case and outer white space, and decimals
    without closing zeros (``4.0`` is ``4``). Rows without a label are left out.
    """
    spelling = _spellings(counted)
    confusion: dict[tuple[str, str], int] = {}
    answered, end_to_end = [0, 0], [0, 0]
    by_state = {TaskState.PASSED: [0, 0], TaskState.REVIEW: [0, 0]}
    for (label, answer, state), count in counted.items():
        truth = spelling[folded_label(label)]
        if not truth or state.is_open or state is TaskState.SKIPPED:
            continue
        has_answer = state in _ANSWERED and answer is not None
        said = None if answer is None else spelling[folded_label(answer)]
        right = has_answer and said == truth
        _add(end_to_end, count, right=right)
        if not has_answer or said is None:
            continue
        _add(answered, count, right=right)
        group = TaskState.PASSED if state is TaskState.ACCEPTED else state
        _add(by_state[group], count, right=right)
        confusion[truth, said] = confusion.get((truth, said), 0) + count
    if not end_to_end[1]:
        return None
    return Evaluation(
        answered=Share(*answered),
        end_to_end=Share(*end_to_end),
        balanced=_balanced(confusion),
        passed=Share(*by_state[TaskState.PASSED]),
        review=Share(*by_state[TaskState.REVIEW]),
        confusion=confusion,
    )


def _add(pair: list[int], count: int, *, right: bool) -> None:
    pair[0] += count if right else 0
    pair[1] += count


def _spellings(counted: Mapping[tuple[str, str | None, TaskState], int]) -> dict[str, str]:
    """Folded value → the first spelling of it, labels before answers."""
    spelling: dict[str, str] = {}
    for label, _, _ in counted:
        spelling.setdefault(folded_label(label), label.strip())
    for _, answer, _ in counted:
        if answer is not None:
            spelling.setdefault(folded_label(answer), answer.strip())
    return spelling


def _balanced(confusion: Mapping[tuple[str, str], int]) -> float | None:
    by_label: dict[str, list[int]] = {}
    for (label, answer), count in confusion.items():
        _add(by_label.setdefault(label, [0, 0]), count, right=label == answer)
    if not by_label:
        return None
    return sum(right / of for right, of in by_label.values()) / len(by_label)
