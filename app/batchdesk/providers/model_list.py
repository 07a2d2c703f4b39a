"""The models that a service lists. Pure: a response in, names and windows out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.chat import NO_LIMITS, RateLimits
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.openai_errors import error_of
from batchdesk.providers.openai_fields import joined, number_of, parsed_json

_HTTP_OK = 200
_MOST_MODELS = 5000
# Services that tell the window do so under one of these names.
_WINDOWS = ("context_length", "context_window", "max_model_len", "max_context_length")


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model by the name that requests use. ``window``: tokens, where the service tells them."""

    name: str
    window: int | None = None


@dataclass(frozen=True, slots=True)
class ModelList:
    """What a service lists, and what its headers say of the account's limits."""

    models: tuple[ListedModel, ...]
    limits: RateLimits = NO_LIMITS


def models_in(response: HttpResponse) -> tuple[ListedModel, ...]:
    """The models of a list, in the service's order, each once.

    Raises:
        ProviderError: the service refused, or the response is no list of models.
    """
    if response.status != _HTTP_OK:
        raise error_of(response)
    parsed = parsed_json(response.body)
    found = parsed.get("data") if isinstance(parsed, Mapping) else parsed
    if not isinstance(found, list):
        raise ProviderError(
            ErrorKind.NOT_AN_API,
            "the response is not a list of models",
            http_status=response.status,
            response_body=response.body,
        )
    named = (_model(one) for one in found[:_MOST_MODELS])
    return tuple({one.name: one for one in named if one is not None}.values())


def _model(one: Any) -> ListedModel | None:
    ident = one.get("id") if isinstance(one, Mapping) else None
    if not isinstance(ident, str) or not ident.strip():
        return None
    windows = (number_of(one.get(name)) for name in _WINDOWS)
    # Gemini lists "models/x" and is asked for "x".
    name = joined([ident.strip().removeprefix("models/")])
    return ListedModel(name, next((window for window in windows if window), None))
