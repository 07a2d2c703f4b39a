from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.price import PriceOverride
from batchdesk.session import model_rates, model_window

NOW = dt.datetime(2026, 11, 29, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize("preset", ["local", "practice"])
def test_that_what_batchdesk_starts_itself_is_free(preset):
    rates = model_rates(ProviderSpec(preset=preset), (), NOW)
    assert rates is not None
    assert (rates.source, rates.input.base) == ("free", Decimal(0))


def test_that_a_listed_model_has_a_price_and_a_window():
    spec = ProviderSpec(preset="openai", model="gpt-4o-mini")
    rates = model_rates(spec, (), NOW)
    assert rates is not None
    assert rates.output.base == Decimal("0.6")
    assert model_window(spec) == 128_000


def test_that_a_deployment_and_a_server_of_ones_own_have_none_unless_it_is_set():
    azure = ProviderSpec(
        preset="azure-openai", base_url="https://mine.openai.azure.com", model="gpt-4o-mini"
    )
    near = ProviderSpec(preset="ollama", model="gpt-4o-mini")
    assert model_rates(azure, (), NOW) is model_rates(near, (), NOW) is None
    own = PriceOverride(
        host="mine.openai.azure.com", model="gpt-4o-mini", input=Decimal(1), output=Decimal(2)
    )
    rates = model_rates(azure, (own,), NOW)
    assert rates is not None
    assert rates.source == "settings"
    assert model_rates(near, (own,), NOW) is None
