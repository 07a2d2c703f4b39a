"""Warnings about a prompt, for whoever writes it: the linter with what was measured of the rows.

A job, a table and its figures come in; findings go out, each with its place and, where a program
can do it, a fix.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from batchdesk.domain.job import Job, Stage
from batchdesk.prepare.linter import Figures as Measured
from batchdesk.prepare.linter import Finding, LintCode, Part, Place, lint
from batchdesk.providers.connect import choose
from batchdesk.session.authoring import Figures
from batchdesk.session.facade import Session
from batchdesk.store.rows import Dataset

__all__ = ["Finding", "LintCode", "Part", "Place", "hints", "mended", "with_fences"]


async def hints(
    session: Session,
    *,
    job: Job,
    dataset: Dataset,
    figures: Figures | None = None,
    rows: int | None = None,
) -> tuple[Finding, ...]:
    """What is doubtful about the prompt, in the order in which a person reads it.

    Args:
        figures: The mean of the rows, where it is known.
        rows: How many rows will be sent, where that is known.

    Raises:
        JobFileError: the provider section cannot be used.
    """
    del session  # nothing is kept
    measured = None
    if figures is not None and rows is not None:
        measured = Measured(figures.fixed, figures.row, rows)
    model = choose(job.provider).model
    return await asyncio.to_thread(
        lint, job.stages[0], dataset.columns, model=model, figures=measured
    )


def with_fences(stage: Stage, columns: Sequence[str]) -> Stage:
    """The stage with every placeholder fenced and the rule that goes with it, as the fix does."""
    for finding in lint(stage, columns):
        if finding.code is LintCode.NO_FENCE and finding.fix is not None:
            return finding.fix(stage)
    return stage


def mended(job: Job, finding: Finding) -> Job:
    """The job with a finding's fix.

    Raises:
        pydantic.ValidationError: the fix does not fit the rest.
    """
    if finding.fix is None:
        return job
    stage = finding.fix(job.stages[0])
    return Job.model_validate(dict(job) | {"stages": (stage, *job.stages[1:])})
