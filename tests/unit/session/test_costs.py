"""What rows of a run cost: retries included, unknown never a guess, and exported as a number."""

import json
import sqlite3
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.price import PriceOverride, Rate, Rates
from batchdesk.session import Session
from batchdesk.session.costs import RowCosts, costs_of
from batchdesk.settings import Settings

_TWO_AND_TEN = Rates("EUR", Rate(Decimal(2)), Rate(Decimal(10)))


@pytest.fixture
def attempts():
    """A connection with a table of attempts, and a function that adds one."""
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE attempt (task_id, started_at, error_kind, input_tokens, output_tokens,"
        " cached_tokens, reasoning_tokens)"
    )

    def add(task_id, tokens=(None, None), kind=None, at=0.0):
        values = (task_id, at, kind, *tokens)
        connection.execute("INSERT INTO attempt VALUES (?, ?, ?, ?, ?, NULL, NULL)", values)

    yield connection, add
    connection.close()


def test_that_a_row_costs_what_all_its_attempts_cost_retries_and_discarded_answers_too(attempts):
    connection, add = attempts
    add(1, (1000, 100))
    add(2, (1000, 100), kind="malformed_output")
    add(2, (1000, 50))
    costs = RowCosts(lambda _at: _TWO_AND_TEN).of(connection, [1, 2])
    # 1000 * 2 + 100 * 10 = 3000 millionths; the other 3000 + 1000 * 2 + 50 * 10 = 5500.
    assert costs == {1: 0.003, 2: 0.0055}


def test_that_a_row_that_was_not_sent_or_only_refused_costs_nothing(attempts):
    connection, add = attempts
    add(2, kind="rate_limited")
    assert RowCosts(lambda _at: _TWO_AND_TEN).of(connection, [1, 2]) == {1: 0.0, 2: 0.0}


def test_that_an_answer_without_token_counts_or_price_leaves_the_cost_unknown(attempts):
    connection, add = attempts
    add(1, (1000, 100))
    add(1)
    add(2, (1000, None), kind="truncated")
    assert RowCosts(lambda _at: _TWO_AND_TEN).of(connection, [1, 2]) == {1: None, 2: None}
    connection.execute("UPDATE attempt SET input_tokens = 1, output_tokens = 1")
    assert RowCosts(lambda _at: None).of(connection, [1, 2, 3]) == {1: None, 2: None, 3: 0.0}


def test_that_each_attempt_is_paid_at_the_price_of_its_time(attempts):
    connection, add = attempts
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    add(1, (1_000_000, 0), at=noon.timestamp() - 1)
    add(1, (1_000_000, 0), at=noon.timestamp())

    def rates_at(moment):
        return Rates("USD", Rate(Decimal(4 if moment < noon else 1)), Rate(Decimal(0)))

    assert RowCosts(rates_at).of(connection, [1]) == {1: 5.0}


def test_that_a_provider_that_this_program_does_not_know_has_unknown_costs(attempts):
    connection, add = attempts
    add(1, (1000, 100))
    spec = a_job().provider.model_copy(update={"preset": "gone"})
    assert costs_of(spec, ()).of(connection, [1]) == {1: None}


@pytest.mark.parametrize("own_price", [False, True])
async def test_that_an_export_has_the_row_s_number_and_its_cost_by_the_persons_price(
    tmp_path, own_price
):
    price = PriceOverride(model="practice", currency="CNY", input=Decimal(3), output=Decimal(7))
    settings = Settings(prices=(price,) if own_price else ())
    session = await Session.open(tmp_path / "p.batchdesk", create=True, settings=lambda: settings)
    try:
        job = a_job(provider={"preset": "practice", "model": "practice"})
        run_id = await session.make_run(job, await a_table(session, tmp_path, key_column=None))
        await session.start(run_id)
        await session.wait(run_id)
        await session.export(run_id, tmp_path / "out.jsonl")
    finally:
        await session.close()
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["batchdesk.row"] for line in lines] == [1, 2, 3, 4]
    expected = [
        (3 * (line["batchdesk.input_tokens"] or 0) + 7 * (line["batchdesk.output_tokens"] or 0))
        / 1_000_000
        for line in lines
    ]
    assert expected[0] > 0
    found = [line["batchdesk.cost"] for line in lines]
    assert found == pytest.approx(expected if own_price else [0.0] * 4)
