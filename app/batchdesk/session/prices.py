"""What a provider's model costs, by the person's own prices or the list the program brings.

A provider section comes in; rates, a window, or None for unknown come out. Loading the list takes
half a second the first time: not on an event loop.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlsplit

from batchdesk.cost.prices import Place, rates_of, window_of
from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.price import PriceOverride, Rates
from batchdesk.providers.connect import choose

_OWN_NAMES = frozenset({"azure-openai"})  # people name these models themselves


def model_rates(
    spec: ProviderSpec, overrides: Iterable[PriceOverride], at: datetime, *, batch: bool = False
) -> Rates | None:
    """What the model costs at a moment; None if that is not known.

    Raises:
        JobFileError: the provider section cannot be used.
    """
    choice = choose(spec)
    place = _place(spec.preset, choice.base_url)
    return rates_of(place, choice.model, overrides=overrides, at=at, batch=batch)


def model_window(spec: ProviderSpec) -> int | None:
    """Tokens that fit into the model's window, where that is well known.

    Raises:
        JobFileError: the provider section cannot be used.
    """
    choice = choose(spec)
    return window_of(_place(spec.preset, choice.base_url), choice.model)


def _place(preset: str, base_url: str | None) -> Place:
    host = urlsplit(base_url).netloc if base_url is not None else ""
    return Place(base_url, host, names_model=preset not in _OWN_NAMES)
