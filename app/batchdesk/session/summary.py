"""A run in figures, read from the project file: for the result table, the cards and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from batchdesk.domain.task import ErrorKind, SkipReason, TaskState
from batchdesk.quality.evaluation import Evaluation, evaluate
from batchdesk.store import results, runs
from batchdesk.store.project import Project
from batchdesk.store.runs import StoredRun


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in figures. ``failures`` are attempts, ``dead_kinds`` are tasks, by kind.

    ``waiting_elsewhere`` has, by run, how many of the skipped rows wait there for review.
    """

    run: StoredRun
    counts: Mapping[TaskState, int]
    requests: int
    succeeded: int
    reused: int
    input_tokens: int
    output_tokens: int
    failures: Mapping[ErrorKind, int]
    dead_kinds: Mapping[ErrorKind, int]
    evaluation: Evaluation | None
    skip_reasons: Mapping[SkipReason, int] = field(default_factory=dict)
    waiting_elsewhere: Mapping[int, int] = field(default_factory=dict)

    @property
    def tasks(self) -> int:
        """All tasks of the run."""
        return sum(self.counts.values())

    @property
    def accepted_per_min(self) -> float:
        """Accepted items (passed or accepted by a person) per minute that the run was active.

        0 below one second, of which no minute can be told.
        """
        accepted = self.counts.get(TaskState.PASSED, 0) + self.counts.get(TaskState.ACCEPTED, 0)
        return accepted / self.run.active_s * 60 if self.run.active_s >= 1 else 0.0


async def summarise(project: Project, run: StoredRun) -> RunSummary:
    """The run's figures at this moment."""
    totals = await project.read(partial(results.totals, run_id=run.id))
    return RunSummary(
        run=run,
        counts=await project.read(partial(runs.counts, run_id=run.id)),
        requests=totals.requests,
        succeeded=totals.succeeded,
        reused=totals.reused,
        input_tokens=totals.input_tokens,
        output_tokens=totals.output_tokens,
        failures=totals.failures,
        dead_kinds=await project.read(partial(results.dead_kinds, run_id=run.id)),
        evaluation=await _evaluation(project, run),
        skip_reasons=await project.read(partial(results.skip_reasons, run_id=run.id)),
        waiting_elsewhere=await project.read(partial(results.waiting_elsewhere, run_id=run.id)),
    )


async def _evaluation(project: Project, run: StoredRun) -> Evaluation | None:
    label, answer_field = run.job.data.label, run.job.stages[0].answer_field
    if label is None or answer_field is None:
        return None
    counted = await project.read(
        partial(results.confusion, run_id=run.id, label_column=label, answer_field=answer_field)
    )
    return evaluate(counted)


def evaluation_figures(evaluation: Evaluation | None) -> dict[str, Any] | None:
    """An evaluation as plain JSON values."""
    if evaluation is None:
        return None
    figures: dict[str, Any] = {}
    for name in ("answered", "end_to_end", "passed", "review"):
        share = getattr(evaluation, name)
        figures[name] = {**asdict(share), "value": share.value, "interval_95": share.interval}
    figures["balanced"] = evaluation.balanced
    figures["confusion"] = [
        {"label": label, "answer": answer, "count": count}
        for (label, answer), count in sorted(evaluation.confusion.items())
    ]
    return figures
