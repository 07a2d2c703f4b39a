"""From a service, a model and token counts to an amount; what is not known stays unknown.

Prices come from the person's settings, else from the list that the genai-prices package carries
inside (no network is used). A list price counts only for the service whose address it is given
for: the same model's name elsewhere says nothing about what is paid there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from batchdesk.domain.chat import Usage
from batchdesk.domain.price import Amount, PriceOverride, Rate, Rates

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, TieredPrices

_FREE = Rates("USD", Rate(Decimal(0)), Rate(Decimal(0)), source="free")
_PER_THOUSAND = Decimal(1000)  # currency units per thousand requests → micro-units per request


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is asked.

    Attributes:
        base_url: The service's address; None for what runs inside Batchdesk.
        host: Its host, with the port if it has one; empty without an address.
        names_model: Whether the model's name is the service's own. False where people name it
            themselves (Azure's deployments): then no list can be looked at.
    """

    base_url: str | None
    host: str = ""
    names_model: bool = True


def amount_of(usage: Usage, rates: Rates | None) -> Amount | None:
    """What one request cost; None if the price or the tokens are not known."""
    if rates is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    size = usage.input_tokens
    cached = min(usage.cached_tokens or 0, size)
    reasoning = min(usage.reasoning_tokens or 0, usage.output_tokens)
    micros = (
        rates.input.at(size) * (size - cached)
        + (rates.cached_input or rates.input).at(size) * cached
        + rates.output.at(size) * (usage.output_tokens - reasoning)
        + (rates.reasoning or rates.output).at(size) * reasoning
        + rates.per_request
    )
    return Amount(micros, rates.currency)


def rates_of(
    place: Place,
    model: str,
    *,
    overrides: Iterable[PriceOverride] = (),
    at: datetime,
    batch: bool = False,
) -> Rates | None:
    """What a model costs there; None if that is not known.

    Args:
        overrides: The person's own prices; one for this host goes before one for any.
        at: The moment of asking, with its time zone; prices change, some by the hour.
        batch: At the service's batch endpoint; None comes back where its price is not known.
    """
    found = _override(place, model, overrides)
    if found is not None:
        return _of_override(found, batch=batch)
    if place.base_url is None:
        return _FREE
    return _listed(place, model, at, batch=batch)


def window_of(place: Place, model: str) -> int | None:
    """Tokens that fit into one request with its answer, where that is well known."""
    found = _known(place, model)
    return found.context_window if found is not None else None


@lru_cache(maxsize=1)
def list_name() -> str:
    """The price list with its version."""
    import genai_prices  # noqa: PLC0415 - slow to load, see _find

    return f"genai-prices {genai_prices.__version__}"


def _override(place: Place, model: str, overrides: Iterable[PriceOverride]) -> PriceOverride | None:
    fitting = [one for one in overrides if one.model == model and one.host in ("", place.host)]
    return max(fitting, key=lambda one: bool(one.host), default=None)


def _of_override(one: PriceOverride, *, batch: bool) -> Rates | None:
    if batch and one.batch_share is None:
        return None
    share = one.batch_share if batch and one.batch_share is not None else Decimal(1)

    def rate(price: Decimal | None) -> Rate | None:
        return None if price is None else Rate(price * share)

    return Rates(
        currency=one.currency,
        input=Rate(one.input * share),
        output=Rate(one.output * share),
        cached_input=rate(one.cached_input),
        reasoning=rate(one.reasoning),
        source="settings",
    )


def _listed(place: Place, model: str, at: datetime, *, batch: bool) -> Rates | None:
    found = _known(place, model)
    if found is None:
        return None
    context = {"processing": "batch"} if batch else None
    prices = found.get_prices(at, context)
    standard = found.get_prices(at)
    if batch and prices == standard:
        return None  # the list has no batch price for it
    plain, answer = _rate(prices.input_mtok), _rate(prices.output_mtok)
    if plain is None or answer is None:
        return None
    per_request = prices.requests_kcount
    return Rates(
        currency="USD",
        input=plain,
        output=answer,
        cached_input=_rate(prices.cache_read_mtok),
        reasoning=_rate(prices.output_reasoning_mtok),
        per_request=per_request * _PER_THOUSAND if isinstance(per_request, Decimal) else Decimal(0),
        source=list_name(),
    )


def _rate(price: Decimal | TieredPrices | None) -> Rate | None:
    if price is None or isinstance(price, Decimal):
        return None if price is None else Rate(price)
    return Rate(price.base, tuple((tier.start, tier.price) for tier in price.tiers))


def _known(place: Place, model: str) -> ModelInfo | None:
    if place.base_url is None or not place.names_model:
        return None
    return _find(place.base_url, model)


@lru_cache(maxsize=256)
def _find(base_url: str, model: str) -> ModelInfo | None:
    """The list's entry. Loading it takes half a second, so it waits for the first question."""
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - see above

    try:
        return get_snapshot().find_provider_model(model, None, None, base_url)[1]
    except LookupError:
        return None
