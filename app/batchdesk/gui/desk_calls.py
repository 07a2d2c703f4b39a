"""What the desk asks of the Session, as coroutines on the Session's loop."""

from __future__ import annotations

from batchdesk.domain.job import Job
from batchdesk.domain.task import RunKind
from batchdesk.session import Dataset, Disclosure, RunSummary, Session


async def summaries(session: Session) -> list[RunSummary]:
    """All runs in figures, the newest first."""
    return [await session.summary(run.id) for run in await session.runs()]


async def make_and_start(
    session: Session, *, job: Job, dataset: Dataset, kind: RunKind, limit: int | None
) -> int:
    """Make a run and start it; its id."""
    run_id = await session.make_run(job, dataset, kind=kind, limit=limit)
    await session.start(run_id)
    return run_id


async def resume(session: Session, *, run_id: int) -> None:
    """Go on with a run."""
    # A run that has just halted is still putting its things away; starting it then does nothing.
    await session.wait(run_id)
    await session.start(run_id)


async def pause(session: Session, *, run_id: int) -> None:
    """Send no more requests; those in flight finish."""
    session.pause(run_id)


async def stop(session: Session, *, run_id: int) -> None:
    """Send no more requests; those in flight are cancelled."""
    session.stop(run_id)


async def pin(session: Session, *, run_id: int, limit: int | None) -> None:
    """Fix how many requests a run may have at once."""
    session.pin(run_id, limit)


async def set_ceiling(session: Session, *, run_id: int, ceiling: int) -> None:
    """The limit of requests at once never goes above this."""
    session.set_ceiling(run_id, ceiling)


async def set_told(session: Session, *, run_id: int, rpm: float | None, tpm: float | None) -> None:
    """What the service permits per minute."""
    session.set_told(run_id, rpm, tpm)


async def run_disclosure(session: Session, *, run_id: int) -> Disclosure | None:
    """What going on with a run would send to another computer."""
    run = await session.run(run_id)
    return await session.disclosure(run.job, await session.dataset(run.dataset_id))


async def disclosure(session: Session, *, job: Job, dataset: Dataset) -> Disclosure | None:
    """What a run of a job would send to another computer."""
    return await session.disclosure(job, dataset)


async def agree(session: Session, *, told: Disclosure) -> None:
    """The person agreed to send this."""
    await session.agree(told)
