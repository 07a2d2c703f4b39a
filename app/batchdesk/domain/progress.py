"""How far a run is: the one rule for "done", "of" and per cent, wherever they are shown.

Counts of tasks by state come in. Rows that are not sent are no part of a run's work: they are
counted apart, never as done. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

from batchdesk.domain.task import TaskState


def to_do(counts: Mapping[TaskState, int]) -> int:
    """Tasks that are the run's work: all but the skipped ones."""
    return sum(n for state, n in counts.items() if state is not TaskState.SKIPPED)


def still_open(counts: Mapping[TaskState, int]) -> int:
    """Tasks that still have no outcome."""
    return sum(n for state, n in counts.items() if state.is_open)


def done(counts: Mapping[TaskState, int]) -> int:
    """Tasks that were the run's work and have an outcome: answered, decided on or given up."""
    return to_do(counts) - still_open(counts)


def share_done(counts: Mapping[TaskState, int]) -> float | None:
    """What of the work is done, 0 to 1; None for a run without work."""
    total = to_do(counts)
    return done(counts) / total if total else None
