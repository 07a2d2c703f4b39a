"""What exactly a run would send to another computer: said before it is sent for the first time.

A job and a table come in; a Disclosure goes out: to which address, the texts of which columns, what
of them masked, and the body of the first row's request as it would go. What a person agreed to is
kept in the project file; more columns, or fewer masks, are asked for again.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from batchdesk.domain.clean import MaskStep, NormaliseStep
from batchdesk.domain.job import Job
from batchdesk.prepare.cleaning import Cleaner
from batchdesk.prepare.template import RenderError, is_blank
from batchdesk.providers.connect import ProviderChoice
from batchdesk.providers.openai_request import request_body
from batchdesk.session.planning import Prepared, prepare
from batchdesk.store import agreed, preparing, rows
from batchdesk.store.agreed import Agreement
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset, StoredRow

_LOOKED_AT = 500  # rows, for one that is sent


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What a run would send.

    Attributes:
        address: Scheme and host with its port.
        service: The preset's title.
        is_encrypted: False where anybody on the way could read along.
        columns: Whose texts are sent, in the table's order.
        masked: Column → what is masked in it (kinds as in ``[[clean]]``, names of own patterns).
        names_row: Whether each row's key is sent too, or a number that stands for it.
        row_key: The row that ``body`` is of; None if no row would be sent.
        body: The request's body as it would be sent, spread over lines; empty if the prompt cannot
            be made for that row (which the run then says).
        is_agreed: Whether a person agreed to it already.
        hides_keys: Whether it is the number: the job masks, and a key may be personal data.
    """

    address: str
    service: str
    model: str
    is_encrypted: bool
    columns: tuple[str, ...]
    masked: Mapping[str, frozenset[str]]
    names_row: bool
    row_key: str | None = None
    body: str = ""
    is_agreed: bool = False
    hides_keys: bool = False

    @property
    def host(self) -> str:
        """The host, with its port if it has one."""
        return urlsplit(self.address).netloc


def is_elsewhere(base_url: str | None) -> bool:
    """Whether an address is on another computer; a private network's are too."""
    if base_url is None:
        return False
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def masked_in(job: Job, columns: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """Column → what the job masks in it, for the columns that are sent."""
    found: dict[str, set[str]] = {}
    for step in job.clean:
        if isinstance(step, MaskStep):
            names = {*step.kinds, *(pattern.name for pattern in step.patterns)}
            for column in step.columns or columns:
                if column in columns:
                    found.setdefault(column, set()).update(map(str, names))
    return {column: frozenset(names) for column, names in found.items()}


def covers(
    agreement: Agreement | None,
    columns: tuple[str, ...],
    masked: Mapping[str, frozenset[str]],
) -> bool:
    """Whether what was agreed holds for what would be sent now."""
    if agreement is None or not agreement.columns.issuperset(columns):
        return False
    nothing: frozenset[str] = frozenset()
    return all(
        masked.get(column, nothing) >= agreement.masked.get(column, nothing) for column in columns
    )


async def disclose(project: Project, job: Job, dataset: Dataset) -> Disclosure | None:
    """What a run would send; None if nothing leaves this computer.

    Raises:
        JobFileError: the job does not fit the table.
    """
    prepared = prepare(job, dataset.columns)
    choice = prepared.choice
    if choice.base_url is None or not is_elsewhere(choice.base_url):
        return None
    parts = urlsplit(choice.base_url)
    address = f"{parts.scheme}://{parts.netloc}"
    columns = tuple(name for name in dataset.columns if name in prepared.builder.used)
    masked = masked_in(job, columns)
    known = await project.read(partial(agreed.agreement, address=address))
    row = await _first_row(project, dataset, prepared)
    body = ""
    if row is not None:
        masks = await project.read(preparing.masks)
        with contextlib.suppress(RenderError):
            body = _body(job, dataset, prepared, row, masks)
    return Disclosure(
        address=address,
        service=choice.preset.title,
        model=choice.model,
        is_encrypted=parts.scheme == "https",
        columns=columns,
        masked=masked,
        # Where the answer must name its row, the schema that is sent is no more the stage's own.
        names_row=prepared.builder.schema is not job.stages[0].output,
        row_key=row.key if row is not None else None,
        body=body,
        is_agreed=covers(known, columns, masked),
        hides_keys=not prepared.builder.sends_keys,
    )


async def agree(project: Project, disclosure: Disclosure, at: float) -> None:
    """Keep that a person agreed; ``at`` in epoch seconds."""
    await project.writer.run(
        partial(
            agreed.agree,
            address=disclosure.address,
            columns=disclosure.columns,
            masked=disclosure.masked,
            at=at,
        )
    )


async def _first_row(project: Project, dataset: Dataset, prepared: Prepared) -> StoredRow | None:
    """The first row that would be sent, among the first few hundred."""
    page = await project.read(
        partial(rows.rows_after, dataset_id=dataset.id, after_id=0, count=_LOOKED_AT)
    )
    for row in page:
        fits = prepared.where is None or prepared.where.matches(row.cells)
        if fits and not is_blank(row.cells, prepared.builder.used):
            return row
    return None


def _body(
    job: Job, dataset: Dataset, prepared: Prepared, row: StoredRow, masks: Mapping[str, str]
) -> str:
    """The request of one row as it would be sent, cleaned and masked."""
    steps = [step for step in job.clean if isinstance(step, NormaliseStep | MaskStep)]
    cleaner = Cleaner(steps, prepared.builder.used, dataset.columns, masks=masks)
    (cleaned,) = cleaner.clean([(row.id, row.cells)])
    request = prepared.builder.build(
        row_key=prepared.builder.sent_key(row.key, row.id),
        cells=cleaned.cells,
        idempotency_key="",
        trace_id="",
    )
    body = request_body(request, prepared.choice.capabilities, _longest_name(prepared.choice))
    return json.dumps(body, ensure_ascii=False, indent=2)


def _longest_name(choice: ProviderChoice) -> str:
    endpoint = choice.endpoint
    return endpoint.max_tokens if endpoint is not None else "max_tokens"
