"""A job's cleaning steps, made ready for a table: what they do is in ``prepare.cleaning``.

A job and the mapping of masks so far come in, a Cleaner that measures rows as they would be sent
goes out; and what its steps did as plain JSON, which is kept with a run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from batchdesk.domain.clean import LengthStep, MaskStep
from batchdesk.domain.job import Job
from batchdesk.errors import JobFileError
from batchdesk.prepare.cleaning import Cleaner, StepReport
from batchdesk.prepare.near import COMPARED_MAX
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.prepare.template import Cells, RenderError
from batchdesk.prepare.tokens import TokenCounter
from batchdesk.session.prices import model_window
from batchdesk.store import preparing
from batchdesk.store.project import Project

ANSWER_TOKENS = 1000  # kept for the answer where neither the step nor the stage says
MOST_COMPARED = COMPARED_MAX  # rows that are looked at for nearly equal ones: the first ones
_TURN_TOKENS = 4  # that a service adds for each message, about
_KEPT_SAMPLES = 5


async def make_cleaner(
    project: Project, job: Job, builder: PromptBuilder, columns: Sequence[str], *, model: str
) -> Cleaner | None:
    """The cleaner of a job's steps; None for a job without any.

    Raises:
        JobFileError: a step names a column that is not there, or its pattern cannot be used.
    """
    if not job.clean:
        return None
    known = {}
    if any(isinstance(one, MaskStep) for one in job.clean):
        known = await project.read(preparing.masks)
    length = next((one for one in job.clean if isinstance(one, LengthStep)), None)
    make = partial(
        Cleaner,
        job.clean,
        builder.used,
        columns,
        masks=known,
        measure=Measure(builder, model) if length else None,
        budget=await asyncio.to_thread(budget_of, job, length) if length else None,
    )
    return await asyncio.to_thread(make)


def budget_of(job: Job, step: LengthStep) -> int | None:
    """Tokens that a whole request may have; None where the model's window is not known.

    Blocks half a second the first time.

    A short window keeps half of itself for the answer at most, unless the step says more.

    Raises:
        JobFileError: the step wants what a run cannot do, or leaves no room for any row.
    """
    if step.over == "chunk":
        raise JobFileError(
            "A run sends each row whole: write over = {skip} in the cleaning step for the length. "
            "Long texts are cut as the table is read, with chunk_column, chunk_tokens and "
            "chunk_overlap in [data].",
            skip='"skip"',
        )
    window = step.window or model_window(job.provider)
    if window is None:
        return None
    if step.reserve is None:
        wanted = job.stages[0].max_tokens or ANSWER_TOKENS
        return window - min(wanted, window // 2)
    if step.reserve >= window:
        raise JobFileError(
            "No row can be sent: the cleaning step for the length keeps {reserve} tokens for the "
            "answer, and the model's window has {window}. Lower reserve, or raise window.",
            reserve=step.reserve,
            window=window,
        )
    return window - step.reserve


class Measure:
    """Tokens of rows as they would be sent: instructions, examples and the row's own text."""

    def __init__(self, builder: PromptBuilder, model: str) -> None:
        self._builder = builder
        self._counter = TokenCounter(model)

    def __call__(self, rows: Sequence[Cells]) -> list[int]:
        """One figure per row; 0 for a row that the prompt cannot be filled in for."""
        texts = [self._texts(cells) for cells in rows]
        counts = iter(self._counter.count_many([text for one in texts for text in one]))
        return [sum(next(counts) + _TURN_TOKENS for _ in one) for one in texts]

    def _texts(self, cells: Cells) -> list[str]:
        try:
            request = self._builder.build(row_key="", cells=cells, idempotency_key="", trace_id="")
        except RenderError:
            return []  # the run says so about this row
        return [message.content for message in request.messages]


def kept(reports: Sequence[StepReport], over_minute: int = 0) -> Mapping[str, Any] | None:
    """What a cleaner's steps did, as plain JSON: counts, and the first samples.

    Args:
        over_minute: Rows that need more tokens than may be used in a minute.
    """
    if not reports and not over_minute:
        return None
    steps = {"steps": [_kept(report) for report in reports]}
    return {**steps, "over_minute": over_minute} if over_minute else steps


def _kept(report: StepReport) -> dict[str, Any]:
    return {
        "step": report.step,
        "rows": report.rows,
        "changed": report.changed,
        "skipped": report.skipped,
        "details": dict(report.details),
        "samples": [asdict(sample) for sample in report.samples[:_KEPT_SAMPLES]],
        "near": len(report.near),
        "compared": report.compared,
    }
