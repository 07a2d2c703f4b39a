"""What the Results page decides without a widget: figures, filters, the order of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from batchdesk.domain.job import Job
from batchdesk.domain.task import OPEN_STATES, ErrorKind, TaskState
from batchdesk.gui.models.results import ANSWERED
from batchdesk.session import Evaluation, RunSummary, TaskFilter

MOST_LABELS = 30  # rows and columns of the matrix; more cannot be read

Counts = Mapping[TaskState, int]


class Group(Enum):
    """Which rows the table shows; each is a set of states."""

    ALL = "all"
    ANSWERED = "answered"
    PASSED = "passed"
    ACCEPTED = "accepted"
    REVIEW = "review"
    REJECTED = "rejected"
    FAILED = "failed"
    SKIPPED = "skipped"
    OPEN = "open"

    @property
    def states(self) -> frozenset[TaskState]:
        """The states; empty for all of them."""
        return _STATES[self]


_STATES = {
    Group.ALL: frozenset[TaskState](),
    Group.ANSWERED: ANSWERED,
    Group.PASSED: frozenset({TaskState.PASSED}),
    Group.ACCEPTED: frozenset({TaskState.ACCEPTED}),
    Group.REVIEW: frozenset({TaskState.REVIEW}),
    Group.REJECTED: frozenset({TaskState.REJECTED}),
    Group.FAILED: frozenset({TaskState.DEAD}),
    Group.SKIPPED: frozenset({TaskState.SKIPPED}),
    Group.OPEN: OPEN_STATES,
}


def group_count(group: Group, counts: Counts) -> int:
    """How many rows are in a group."""
    if group is Group.ALL:
        return sum(counts.values())
    return sum(counts.get(state, 0) for state in group.states)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters as the person set them; label and answer are of a cell of the matrix."""

    group: Group = Group.ALL
    label: str | None = None
    answer: str | None = None
    kind: ErrorKind | None = None
    text: str = ""

    def of(self, job: Job) -> TaskFilter:
        """What to ask the Session for."""
        column, field = job.data.label, job.stages[0].answer_field
        return TaskFilter(
            states=self.group.states,
            error_kinds=frozenset() if self.kind is None else frozenset({self.kind}),
            text=self.text,
            label=(column, self.label) if column and self.label is not None else None,
            answer=(field, self.answer) if field and self.answer is not None else None,
        )

    def with_cell(self, label: str | None, answer: str | None) -> Wanted:
        """The rows that the evaluation counted in a cell; None, None: no cell any more."""
        if label is None:
            back = Group.ALL if self.group is Group.ANSWERED else self.group
            return replace(self, label=None, answer=None, group=back)
        return replace(self, label=label, answer=answer, group=Group.ANSWERED, kind=None)


@dataclass(frozen=True, slots=True)
class Figures:
    """A run in the figures of the tiles; shares are None where there is nothing to share.

    Attributes:
        answered: Rows whose answer stands.
        of: Rows that were not skipped.
    """

    answered: int
    accepted: int
    review: int
    rejected: int
    failed: int
    of: int
    request_success: float | None
    pass_rate: float | None


def figures(summary: RunSummary) -> Figures:
    """The figures of a run."""
    counts = summary.counts
    accepted = counts.get(TaskState.PASSED, 0) + counts.get(TaskState.ACCEPTED, 0)
    of = summary.tasks - counts.get(TaskState.SKIPPED, 0)
    return Figures(
        answered=group_count(Group.ANSWERED, counts),
        accepted=accepted,
        review=counts.get(TaskState.REVIEW, 0),
        rejected=counts.get(TaskState.REJECTED, 0),
        failed=counts.get(TaskState.DEAD, 0),
        of=of,
        request_success=summary.succeeded / summary.requests if summary.requests else None,
        pass_rate=accepted / of if of else None,
    )


def matrix_labels(evaluation: Evaluation, job: Job) -> list[str]:
    """Labels and answers of the matrix: the schema's own in its order, then the most frequent."""
    seen: dict[str, int] = {}
    for (label, answer), count in evaluation.confusion.items():
        seen[label] = seen.get(label, 0) + count
        seen.setdefault(answer, 0)
    known = [name for name in _allowed(job) if name in seen]
    others = sorted((name for name in seen if name not in known), key=lambda n: (-seen[n], n))
    return [*known, *others][:MOST_LABELS]


def _allowed(job: Job) -> Sequence[str]:
    stage = job.stages[0]
    properties = (stage.output or {}).get("properties") or {}
    part = properties.get(stage.answer_field or "")
    values = part.get("enum") if isinstance(part, Mapping) else None
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []
