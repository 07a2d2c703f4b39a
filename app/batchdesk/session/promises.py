"""What a run is promised to take, from rows that were tried, and what it took in the end.

Reads the project file and the price list; the reckoning itself is in ``forecast``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.domain.price import PriceOverride
from batchdesk.domain.snapshot import USED_OF_TOLD
from batchdesk.domain.task import RunState
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.session import forecast
from batchdesk.session.cleaning import Measure
from batchdesk.session.forecast import Forecast, Kept, Pace, Sample, Work
from batchdesk.session.planning import prepare
from batchdesk.session.prices import model_rates
from batchdesk.store import meters, previews
from batchdesk.store.previews import Tried
from batchdesk.store.project import Project
from batchdesk.store.runs import StoredRun

_UNKNOWN_PACE = 8  # requests at once, where what was tried was too quick to tell


async def promise(
    project: Project,
    job: Job,
    columns: Sequence[str],
    work: Work,
    *,
    tried: Sequence[Tried],
    paced_by: int,
    prices: Iterable[PriceOverride],
) -> Forecast | None:
    """What the work is promised to take; None while nothing was answered.

    Args:
        tried: Rows that were sent by the same job.
        paced_by: The run whose last figures tell how fast the service lets us be.
    """
    figures = await project.read(partial(meters.latest, run_id=paced_by))

    def reckon() -> Forecast | None:
        prepared = prepare(job, columns)
        builder = prepared.builder
        empty = Measure(builder, prepared.choice.model)([dict.fromkeys(builder.used, "")])
        return forecast.forecast(
            [_sample(one, builder) for one in tried],
            work,
            pace_of(job, figures),
            rates=model_rates(job.provider, prices, datetime.now(UTC)),
            instructions=empty[0],
        )

    return await asyncio.to_thread(reckon)


def mean_size(job: Job, columns: Sequence[str], tried: Sequence[Tried]) -> float:
    """Bytes of the columns that the prompt uses, per row; 0 without rows."""
    builder = prepare(job, columns).builder
    return sum(_sample(one, builder).size for one in tried) / max(1, len(tried))


def _sample(one: Tried, builder: PromptBuilder) -> Sample:
    return Sample(
        size=sum(len((one.cells.get(name) or "").encode()) for name in builder.used),
        attempts=one.attempts,
        answered=one.answered,
        input_tokens=one.input_tokens,
        output_tokens=one.output_tokens,
        cached_tokens=one.cached_tokens,
        reasoning_tokens=one.reasoning_tokens,
        service_s=one.service_s,
    )


def pace_of(job: Job, figures: Mapping[str, Any]) -> Pace:
    """How hard a run may push: by the job's limits, and what the service let another run do."""
    limits = job.limits
    reached = limits.concurrency or int(figures.get("limit") or _UNKNOWN_PACE)
    told = [
        limits.rpm / 60 * USED_OF_TOLD if limits.rpm is not None else None,
        figures.get("permitted_requests_per_s"),
        figures.get("pace_per_s"),
    ]
    tokens = [
        limits.tpm / 60 * USED_OF_TOLD if limits.tpm is not None else None,
        figures.get("permitted_tokens_per_s"),
    ]
    return Pace(
        reached=reached,
        ceiling=limits.concurrency or limits.concurrency_max,
        requests_per_s=min((one for one in told if one is not None), default=None),
        tokens_per_s=min((one for one in tokens if one is not None), default=None),
    )


async def held(project: Project, run: StoredRun, prices: Iterable[PriceOverride]) -> list[Kept]:
    """What was promised of a run beside what it took so far; empty if nothing was."""
    if run.forecast is None:
        return []
    promised = forecast.from_json(run.forecast)
    usage, requests = await project.read(partial(previews.usage, run_id=run.id))
    truth: dict[str, float] = {
        "requests": requests,
        "input_tokens": usage.input_tokens or 0,
        "output_tokens": usage.output_tokens or 0,
        "seconds": run.active_s,
    }
    rates = await asyncio.to_thread(model_rates, run.job.provider, prices, datetime.now(UTC))
    if rates is not None and rates.currency == promised.currency:
        truth["micros"] = forecast.cost_of(usage, requests, rates)
    asked = await project.read(partial(previews.asked, run_id=run.id))
    is_finished = run.state is RunState.FINISHED
    return forecast.held_against(promised, truth, is_finished=is_finished, asked=asked)
