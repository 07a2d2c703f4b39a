"""One row asked for real, and tokens and costs before any run."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.job import Example
from batchdesk.domain.price import Amount
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError
from batchdesk.prepare.tokens import TokenCounter
from batchdesk.session.authoring import (
    Figures,
    answer_tokens,
    row_figures,
    table_figures,
    try_row,
)


async def first_row(session, table):
    ids = await session.row_ids(table.id)
    return (await session.row_page(ids[:1]))[0]


async def test_that_a_row_is_asked_for_real_and_nothing_of_it_is_kept(session, tmp_path):
    table = await a_table(session, tmp_path)
    row = await first_row(session, table)
    trial = await try_row(session, job=a_job(), dataset=table, row=row)
    assert trial.answer == {"label": "positive"}
    assert (trial.findings, trial.error) == ((), None)
    assert trial.request is not None
    assert "I love it" in trial.request
    assert trial.response is not None
    assert "positive" in trial.response
    assert (trial.usage.input_tokens or 0) > 0
    assert trial.amount == Amount(Decimal(0), "USD")
    assert await session.runs() == []
    assert await session.jobs() == []


async def test_that_a_row_that_is_refused_shows_what_came_back(session, tmp_path):
    table = await a_table(session, tmp_path)
    row = await first_row(session, table)
    job = a_job(practice={"faults": {"500": 1.0}})
    trial = await try_row(session, job=job, dataset=table, row=row)
    assert trial.error is ErrorKind.SERVER_ERROR
    assert trial.message
    assert trial.answer is None
    assert trial.request is not None
    assert "I love it" in trial.request


async def test_that_an_answer_in_another_form_names_what_is_wrong(session, tmp_path):
    table = await a_table(session, tmp_path)
    row = await first_row(session, table)
    job = a_job(practice={"faults": {"malformed": 1.0}})
    trial = await try_row(session, job=job, dataset=table, row=row)
    assert trial.findings[0].check == "parsable"


async def test_that_a_job_that_does_not_fit_is_refused_before_anything_is_sent(session, tmp_path):
    table = await a_table(session, tmp_path)
    row = await first_row(session, table)
    with pytest.raises(JobFileError):
        await try_row(session, job=a_job(stage={"user": "{{ txt }}"}), dataset=table, row=row)


async def test_that_the_tokens_of_a_row_are_those_of_its_messages(session, tmp_path):
    table = await a_table(session, tmp_path)
    row = await first_row(session, table)
    job = a_job(stage={"system": "Label it."})
    job = job.model_copy(
        update={"provider": job.provider.model_copy(update={"model": "gpt-4o-mini"})}
    )
    figures = await row_figures(session, job=job, dataset=table, row=row)
    counter = TokenCounter("gpt-4o-mini")
    assert figures.fixed == counter.count("Label it.") + 4
    assert figures.row == counter.count("I love it\n\nrow_key: 1") + 4
    assert figures.off_by == 0
    assert figures.spread == 0


async def test_that_rows_that_are_not_sent_do_not_count_in_the_mean(session, tmp_path):
    table = await a_table(session, tmp_path)
    job = a_job(data={"where": "id == '1'"})
    one = await row_figures(session, job=job, dataset=table, row=await first_row(session, table))
    mean = await table_figures(session, job=job, dataset=table)
    assert mean is not None
    assert (mean.fixed, mean.row) == (one.fixed, one.row)
    none = a_job(data={"where": "id == 'x'"})
    assert await table_figures(session, job=none, dataset=table) is None


async def test_that_the_mean_of_different_rows_says_how_far_it_may_be_off(session, tmp_path):
    lines = "".join(f"{n},{'word ' * (n * 10)}\n" for n in range(1, 21))
    table = await a_table(session, tmp_path, b"id,text\n" + lines.encode())
    mean = await table_figures(session, job=a_job(), dataset=table)
    assert mean is not None
    assert 0.1 < mean.spread < 0.5


def test_that_an_answer_is_as_long_as_the_examples_and_never_above_the_limit():
    counter = TokenCounter("gpt-4o")
    example = Example(user="x", assistant='{"label": "positive"}')
    stage = a_job(stage={"examples": (example,)}).stages[0]
    assert answer_tokens(stage, counter) == counter.count('{"label": "positive"}')
    assert answer_tokens(stage.model_copy(update={"max_tokens": 2}), counter) == 2


def test_that_an_answer_without_examples_is_guessed_from_its_fields():
    counter = TokenCounter("gpt-4o")
    stage = a_job().stages[0]
    names = counter.count('{"label": ""}')
    assert answer_tokens(stage, counter) == names + 1  # "positive" and "negative" are 1 token each


def test_that_a_cost_of_many_rows_is_that_of_one_times_their_number():
    figures = Figures(10, 20, 5, 0.0, Amount(Decimal(1300), "USD"))
    cost = figures.cost_of(5000)
    assert cost == Amount(Decimal(6500000), "USD")
    assert Figures(10, 20, 5, 0.0, None).cost_of(5) is None
