"""What the rail and the title say of the desk: pure decisions, no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from batchdesk.domain.progress import done, to_do
from batchdesk.domain.task import TaskState

_REVIEWED = frozenset({TaskState.REVIEW, TaskState.ACCEPTED, TaskState.REJECTED})


class Missing(Enum):
    """Why a step cannot be done yet."""

    PROJECT = "project"
    ROWS = "rows"
    RUN = "run"
    WAITING = "waiting"  # nothing waits for review
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rail needs to know. ``counts`` are of the chosen run, None without one."""

    project: bool
    rows: bool
    counts: Mapping[TaskState, int] | None


def missing(page: str, facts: Facts) -> Missing | None:
    """What is missing for a page; None when it can be used."""
    if page in {"runs", "settings"}:
        return None
    if not facts.project:
        return Missing.PROJECT
    if page in {"prompt", "preview"} and not facts.rows:
        return Missing.ROWS
    if page not in {"run", "review", "results"}:
        return None
    if facts.counts is None:
        return Missing.RUN
    if page == "review" and not any(facts.counts.get(state) for state in _REVIEWED):
        return Missing.WAITING
    if page == "results" and not done(facts.counts):
        return Missing.ANSWERS
    return None


def percent(counts: Mapping[TaskState, int]) -> int | None:
    """Whole per cent done, 100 only when all are; None without tasks."""
    total = to_do(counts)
    return 100 * done(counts) // total if total else None


def window_title(project: Path | None, progress: str) -> str:
    """Progress, project and program with dashes between; parts that are not there are left out."""
    parts = [progress, project.stem if project is not None else "", "Batchdesk"]
    return " \u2013 ".join(part for part in parts if part)
