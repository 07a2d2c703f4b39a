"""One line before a run whose rows leave this computer: where they go, and what of them."""

from __future__ import annotations

from batchdesk.cli.terminal import tell
from batchdesk.domain.job import Job
from batchdesk.session import Disclosure, Session
from batchdesk.store.rows import Dataset


async def tell_what_is_sent(session: Session, job: Job, dataset: Dataset) -> None:
    """Say on standard error what a run would send, unless it was agreed to in the window.

    Raises:
        JobFileError: the job does not fit the table.
    """
    told = await session.disclosure(job, dataset)
    if told is not None and not told.is_agreed:
        tell(sending_line(told))


def sending_line(told: Disclosure) -> str:
    """Where rows go, the columns whose texts go, those with masks, and whether ids go too."""
    columns = ", ".join(told.columns) or "no column"
    words = f"Sent to {told.address} ({told.service}): {columns}"
    if told.names_row and not told.hides_keys:
        words += "; and each row's id"
    if told.masked:
        masked = ", ".join(column for column in told.columns if column in told.masked)
        words += f"; masked in {masked}"
    return words + ("." if told.is_encrypted else "; not encrypted on the way.")
