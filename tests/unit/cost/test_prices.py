import datetime as dt
import socket
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.cost.prices import Place, amount_of, rates_of, window_of
from batchdesk.domain.chat import Usage
from batchdesk.domain.price import Amount, PriceOverride, Rate, Rates

NOW = dt.datetime(2026, 11, 29, 12, 0, tzinfo=dt.UTC)
OPENAI = Place("https://api.openai.com/v1", "api.openai.com")
GOOGLE = Place(
    "https://generativelanguage.googleapis.com/v1beta/openai", "generativelanguage.googleapis.com"
)
MINE = PriceOverride(
    host="api.openai.com",
    model="m",
    currency="CNY",
    input=Decimal(2),
    output=Decimal(8),
    cached_input=Decimal("0.5"),
    batch_share=Decimal("0.5"),
)


def test_that_an_amount_is_tokens_times_price_in_millionths():
    rates = Rates("USD", Rate(Decimal("0.15")), Rate(Decimal("0.6")))
    # 1,000 * 0.15 + 200 * 0.6 millionths of a dollar: 150 + 120.
    assert amount_of(Usage(1000, 200), rates) == Amount(Decimal("270.00"), "USD")


def test_that_cached_and_reasoning_tokens_have_prices_of_their_own():
    rates = Rates(
        "USD",
        Rate(Decimal(2)),
        Rate(Decimal(8)),
        cached_input=Rate(Decimal("0.5")),
        reasoning=Rate(Decimal(4)),
        per_request=Decimal(1000),
    )
    # 600 * 2 + 400 * 0.5 + 70 * 8 + 30 * 4 + 1000
    assert amount_of(Usage(1000, 100, cached_tokens=400, reasoning_tokens=30), rates) == Amount(
        Decimal(3080), "USD"
    )


def test_that_cached_and_reasoning_tokens_cost_like_others_unless_a_price_says_otherwise():
    rates = Rates("USD", Rate(Decimal(2)), Rate(Decimal(8)))
    usage = Usage(1000, 100, cached_tokens=400, reasoning_tokens=30)
    assert amount_of(usage, rates) == Amount(Decimal(2800), "USD")


def test_that_a_long_request_pays_the_higher_price_for_all_its_tokens():
    rate = Rate(Decimal("1.25"), ((200_000, Decimal("2.5")),))
    rates = Rates("USD", rate, Rate(Decimal(10), ((200_000, Decimal(15)),)))
    assert amount_of(Usage(200_000, 0), rates) == Amount(Decimal(250_000), "USD")
    assert amount_of(Usage(200_001, 10), rates) == Amount(Decimal("500152.5"), "USD")


@pytest.mark.parametrize("usage", [Usage(), Usage(10, None), Usage(None, 10)])
def test_that_an_amount_without_token_counts_is_unknown_and_not_zero(usage):
    assert amount_of(usage, Rates("USD", Rate(Decimal(1)), Rate(Decimal(1)))) is None
    assert amount_of(Usage(1, 1), None) is None


def test_that_a_service_that_counts_more_cached_tokens_than_tokens_is_not_believed():
    rates = Rates("USD", Rate(Decimal(2)), Rate(Decimal(8)), cached_input=Rate(Decimal(1)))
    assert amount_of(Usage(10, 0, cached_tokens=99), rates) == Amount(Decimal(10), "USD")


counts = st.integers(0, 10**9)
prices = st.decimals(0, 1000, places=4)


@given(st.tuples(counts, counts, counts, counts), prices, prices)
def test_that_an_amount_is_never_negative_and_never_more_than_the_plain_price(four, p, q):
    a, b, c, d = four
    rates = Rates("USD", Rate(p), Rate(q), cached_input=Rate(p / 2), reasoning=Rate(q / 2))
    amount = amount_of(Usage(a, b, cached_tokens=c, reasoning_tokens=d), rates)
    assert amount is not None
    assert 0 <= amount.micros <= p * a + q * b


# -- where prices come from -----------------------------------------------------------------


def test_that_a_listed_price_is_found_by_the_services_address():
    rates = rates_of(OPENAI, "gpt-4o-mini", at=NOW)
    assert rates is not None
    assert (rates.currency, rates.input, rates.output, rates.cached_input) == (
        "USD",
        Rate(Decimal("0.15")),
        Rate(Decimal("0.6")),
        Rate(Decimal("0.075")),
    )
    assert rates.source.startswith("genai-prices ")


def test_that_listed_steps_are_kept():
    rates = rates_of(GOOGLE, "gemini-2.5-pro", at=NOW)
    assert rates is not None
    assert rates.input == Rate(Decimal("1.25"), ((200_000, Decimal("2.5")),))


def test_that_the_batch_price_is_the_lists_own_and_unknown_where_it_has_none():
    rates = rates_of(OPENAI, "gpt-4o-mini", at=NOW, batch=True)
    assert rates is not None
    assert (rates.input, rates.output) == (Rate(Decimal("0.075")), Rate(Decimal("0.3")))
    deepseek = Place("https://api.deepseek.com/v1", "api.deepseek.com")
    assert rates_of(deepseek, "deepseek-chat", at=NOW) is not None
    assert rates_of(deepseek, "deepseek-chat", at=NOW, batch=True) is None


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://api.openai.com/v1", "nonsense-9"),
        ("https://gate.example.com/v1", "gpt-4o-mini"),  # what it takes there is its own affair
        ("http://127.0.0.1:11434/v1", "gpt-4o-mini"),
        ("https://api.openai.com.example.com/v1", "nonsense"),
    ],
)
def test_that_what_no_list_names_for_this_address_is_unknown(url, model):
    assert rates_of(Place(url), model, at=NOW) is None
    assert window_of(Place(url), model) is None


def test_that_a_name_that_people_give_themselves_finds_no_price():
    place = Place(
        "https://mine.openai.azure.com/openai/v1", "mine.openai.azure.com", names_model=False
    )
    assert rates_of(place, "gpt-4o-mini", at=NOW) is None
    mine = MINE.model_copy(update={"host": "mine.openai.azure.com", "model": "gpt-4o-mini"})
    assert rates_of(place, "gpt-4o-mini", at=NOW, overrides=[mine]) is not None


def test_that_what_runs_inside_batchdesk_is_free():
    rates = rates_of(Place(None), "smollm2", at=NOW)
    assert amount_of(Usage(1000, 1000), rates) == Amount(Decimal(0), "USD")


def test_that_a_price_of_ones_own_goes_before_the_list():
    mine = MINE.model_copy(update={"model": "gpt-4o-mini"})
    rates = rates_of(OPENAI, "gpt-4o-mini", overrides=[mine], at=NOW)
    assert rates == Rates(
        "CNY",
        Rate(Decimal(2)),
        Rate(Decimal(8)),
        cached_input=Rate(Decimal("0.5")),
        source="settings",
    )


def test_that_a_price_for_this_host_goes_before_one_for_any_and_none_for_another_counts():
    anywhere = MINE.model_copy(update={"host": "", "input": Decimal(9)})
    elsewhere = MINE.model_copy(update={"host": "other.example.com", "input": Decimal(7)})
    own = rates_of(OPENAI, "m", overrides=[anywhere, elsewhere, MINE], at=NOW)
    other = rates_of(
        Place("https://x.example.com/v1", "x.example.com"),
        "m",
        overrides=[elsewhere, anywhere],
        at=NOW,
    )
    assert own is not None
    assert own.input == Rate(Decimal(2))
    assert other is not None
    assert other.input == Rate(Decimal(9))
    assert rates_of(OPENAI, "m", overrides=[elsewhere], at=NOW) is None


def test_that_the_batch_share_of_ones_own_price_holds_for_all_its_parts():
    rates = rates_of(OPENAI, "m", overrides=[MINE], at=NOW, batch=True)
    assert rates is not None
    assert (rates.input.base, rates.output.base) == (Decimal("1.0"), Decimal("4.0"))
    assert rates.cached_input == Rate(Decimal("0.25"))
    without = MINE.model_copy(update={"batch_share": None})
    assert rates_of(OPENAI, "m", overrides=[without], at=NOW, batch=True) is None


@pytest.mark.parametrize(
    "wrong",
    [{"currency": "usd"}, {"input": "-1"}, {"input": "NaN"}, {"model": ""}, {"batch_share": 2}],
)
def test_that_a_price_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match="validation error"):
        PriceOverride.model_validate({"model": "m", "input": "1", "output": "2"} | wrong)


def test_that_windows_are_known_where_the_list_has_them():
    assert window_of(OPENAI, "gpt-4o-mini") == 128_000
    assert window_of(Place(None), "gpt-4o-mini") is None


def test_that_prices_are_found_without_a_network_and_loaded_only_when_asked(monkeypatch):
    def refuse(*_args, **_more):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert rates_of(OPENAI, "gpt-4o", at=NOW) is not None
    code = "import sys, batchdesk.cost.prices; print('genai_prices' in sys.modules)"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"
