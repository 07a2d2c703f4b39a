"""What the writing of a prompt asks: one row tried for real, and tokens and costs before any run.

A Session, a job and a table come in; a Trial or Figures go out. Nothing is kept in the project.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import sqrt
from typing import Any

from batchdesk.cost.prices import amount_of
from batchdesk.domain.chat import ChatRequest, Message, Usage
from batchdesk.domain.clean import MaskStep, NormaliseStep
from batchdesk.domain.job import Job, Stage
from batchdesk.domain.network import SYSTEM_NETWORK, Network
from batchdesk.domain.price import Amount, PriceOverride, Rates
from batchdesk.domain.task import ErrorKind
from batchdesk.domain.verdict import CheckResult
from batchdesk.prepare.cleaning import Cleaner
from batchdesk.prepare.prompt import one_line
from batchdesk.prepare.template import is_blank
from batchdesk.prepare.tokens import TokenCounter
from batchdesk.providers.base import ProviderError
from batchdesk.providers.connect import check_ready, connect
from batchdesk.session.facade import Session
from batchdesk.session.keys import look_up_key
from batchdesk.session.planning import Prepared, prepare
from batchdesk.session.prices import model_rates
from batchdesk.store.rows import Dataset, StoredRow

SAMPLE_ROWS = 200
NOT_TOLD = Usage()
_SURE = 1.96  # standard errors to each side, for an interval of 95 %
_TURN_TOKENS = 4  # that a service adds for each message, about
_WORD_TOKENS = {"string": 12, "number": 3, "integer": 3, "boolean": 1, "array": 16, "object": 16}


@dataclass(frozen=True, slots=True)
class Trial:
    """One row asked for real.

    Attributes:
        request: The body as it was sent; None if nothing was.
        response: The body as it came back; None if nothing did.
        answer: The parsed answer, or its text.
        findings: What the checks found; empty: passed.
        error: Why there is no answer; None if there is one.
        message: The service's own words for that.
        amount: What it cost; None if that is not known.
    """

    seconds: float
    request: str | None
    response: str | None
    answer: Any = None
    findings: tuple[CheckResult, ...] = ()
    confidence: float | None = None
    usage: Usage = NOT_TOLD
    error: ErrorKind | None = None
    message: str = ""
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Tokens of a request and what they cost, as reckoned before it is sent.

    Attributes:
        fixed: Tokens of the system text and the examples, which are in every request.
        row: Tokens of the text for the row.
        answer: Tokens of the answer, guessed from the examples or the fields.
        off_by: Share by which the counts may be off: 0 where the model's own encoding is known.
        amount: For one request; None if the price is not known.
        spread: Share by which ``input`` may be off as a mean of all rows; 0 for one row.
    """

    fixed: int
    row: float
    answer: int
    off_by: float
    amount: Amount | None
    spread: float = 0.0

    @property
    def input(self) -> float:
        """Tokens sent."""
        return self.fixed + self.row

    def cost_of(self, rows: int) -> Amount | None:
        """What so many requests cost."""
        if self.amount is None:
            return None
        return Amount(self.amount.micros * rows, self.amount.currency)


async def try_row(
    session: Session,
    *,
    job: Job,
    dataset: Dataset,
    row: StoredRow,
    overrides: Iterable[PriceOverride] = (),
    network: Network = SYSTEM_NETWORK,
) -> Trial:
    """Ask for one row, cleaned and masked as in a run, and check the answer.

    It costs what the request costs and is kept nowhere.

    Raises:
        UserError: the job does not fit the table, or the provider could not be asked at all.
    """
    del session  # nothing is kept
    prepared = await asyncio.to_thread(prepare, job, dataset.columns)
    await check_ready(prepared.choice, look_up_key)
    request = await asyncio.to_thread(_request, prepared, job, dataset.columns, row)
    connection = await connect(prepared.choice, look_up_key, network)
    began = time.perf_counter()
    try:
        response = await connection.provider.chat(request)
    except ProviderError as error:
        seconds = time.perf_counter() - began
        return Trial(
            seconds,
            error.request_body,
            error.response_body,
            error=error.kind,
            message=error.message,
        )
    finally:
        await connection.provider.close()
    seconds = time.perf_counter() - began
    found = await asyncio.to_thread(prepared.checker.assess, response.choices, one_line(row.key))
    rates = await asyncio.to_thread(_rates, job, overrides)
    return Trial(
        seconds,
        response.request_body,
        response.response_body,
        answer=found.answer,
        findings=found.results,
        confidence=found.confidence,
        usage=response.usage,
        amount=amount_of(response.usage, rates),
    )


async def rendered(
    session: Session, *, job: Job, dataset: Dataset, row: StoredRow | None
) -> list[Message]:
    """What a run would send for a row, cleaned and masked; without a row the job is only checked.

    Raises:
        UserError: the job does not fit the table, or its template fails for this row.
    """
    del session  # nothing is kept
    return await asyncio.to_thread(_rendered, job, dataset.columns, row)


def _rendered(job: Job, columns: Sequence[str], row: StoredRow | None) -> list[Message]:
    prepared = prepare(job, columns)
    return [] if row is None else list(_request(prepared, job, columns, row).messages)


async def row_figures(
    session: Session,
    *,
    job: Job,
    dataset: Dataset,
    row: StoredRow,
    overrides: Iterable[PriceOverride] = (),
) -> Figures:
    """Tokens and cost of one row's request.

    Raises:
        UserError: the job does not fit the table, or its template fails for this row.
    """
    del session  # nothing is kept
    return await asyncio.to_thread(_figures, job, dataset.columns, [row], overrides)


async def table_figures(
    session: Session,
    *,
    job: Job,
    dataset: Dataset,
    overrides: Iterable[PriceOverride] = (),
    count: int = SAMPLE_ROWS,
) -> Figures | None:
    """The mean of rows spread evenly over the table; None if none of them would be sent.

    Raises:
        UserError: the job does not fit the table, or its template fails for a row.
    """
    ids = await session.row_ids(dataset.id)
    step = max(1, len(ids) / count)
    chosen = [ids[int(n * step)] for n in range(min(count, len(ids)))]
    rows = await session.row_page(chosen)
    return await asyncio.to_thread(_sampled, job, dataset.columns, rows, overrides)


def _sampled(
    job: Job,
    columns: Sequence[str],
    rows: Sequence[StoredRow],
    overrides: Iterable[PriceOverride],
) -> Figures | None:
    prepared = prepare(job, columns)
    sent = [row for row in rows if _is_sent(prepared, row)]
    return _figures(job, columns, sent, overrides) if sent else None


def _is_sent(prepared: Prepared, row: StoredRow) -> bool:
    if prepared.where is not None and not prepared.where.matches(row.cells):
        return False
    return not is_blank(row.cells, prepared.builder.used)


def _figures(
    job: Job,
    columns: Sequence[str],
    rows: Sequence[StoredRow],
    overrides: Iterable[PriceOverride],
) -> Figures:
    prepared = prepare(job, columns)
    counter = TokenCounter(prepared.choice.model)
    fixed, counts = 0, []
    for row in rows:
        *before, last = _request(prepared, job, columns, row).messages
        texts = counter.count_many([one.content for one in before])
        fixed = sum(texts) + _TURN_TOKENS * len(texts)
        counts.append(counter.count(last.content) + _TURN_TOKENS)
    mean = sum(counts) / len(counts)
    answer = answer_tokens(job.stages[0], counter)
    rates = _rates(job, overrides)
    usage = Usage(input_tokens=round(fixed + mean), output_tokens=answer)
    return Figures(
        fixed=fixed,
        row=mean,
        answer=answer,
        off_by=counter.encoding.error,
        amount=amount_of(usage, rates),
        spread=_standard_error(counts) * _SURE / (fixed + mean),
    )


def _standard_error(counts: Sequence[int]) -> float:
    if len(counts) <= 1:
        return 0.0
    mean = sum(counts) / len(counts)
    return sqrt(sum((one - mean) ** 2 for one in counts) / (len(counts) - 1) / len(counts))


def answer_tokens(stage: Stage, counter: TokenCounter) -> int:
    """About how long an answer is: as the examples, else as its fields; never above the limit."""
    if stage.examples:
        counts = counter.count_many([one.assistant for one in stage.examples])
        guess = round(sum(counts) / len(counts))
    elif stage.output is not None:
        guess = _fields_tokens(stage.output, counter)
    else:
        guess = 100
    return min(guess, stage.max_tokens) if stage.max_tokens is not None else guess


def _fields_tokens(schema: Mapping[str, Any], counter: TokenCounter) -> int:
    properties = schema.get("properties")
    fields = properties if isinstance(properties, Mapping) else {}
    names = json.dumps(dict.fromkeys(fields, ""), ensure_ascii=False)
    return counter.count(names) + sum(_value_tokens(part, counter) for part in fields.values())


def _value_tokens(part: Any, counter: TokenCounter) -> int:
    if not isinstance(part, Mapping):
        return _WORD_TOKENS["string"]
    allowed = part.get("enum")
    if isinstance(allowed, list) and allowed:
        return max(counter.count_many([str(one) for one in allowed]))
    kind = part.get("type")
    return _WORD_TOKENS.get(kind if isinstance(kind, str) else "", _WORD_TOKENS["string"])


def _request(prepared: Prepared, job: Job, columns: Sequence[str], row: StoredRow) -> ChatRequest:
    """A row's request as a run would send it; masks are numbered for this row alone."""
    steps = [one for one in job.clean if isinstance(one, NormaliseStep | MaskStep)]
    cells = row.cells
    if steps:
        cleaner = Cleaner(steps, prepared.builder.used, columns)
        (cleaned,) = cleaner.clean([(row.id, row.cells)])
        cells = cleaned.cells
    stamp = f"batchdesk-try-{time.time_ns()}"
    return prepared.builder.build(
        row_key=prepared.builder.sent_key(row.key, row.id),
        cells=cells,
        idempotency_key=stamp,
        trace_id="try",
    )


def _rates(job: Job, overrides: Iterable[PriceOverride]) -> Rates | None:
    return model_rates(job.provider, overrides, datetime.now(UTC))
