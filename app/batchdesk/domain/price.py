"""What tokens cost: a price as a person sets it, rates as they are reckoned with, an amount.

Everything is decimal. One unit of a currency for a million tokens is one millionth of it for a
token, so a rate is both: units per million tokens, micro-units per token.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from batchdesk.domain.job import Spec

Money = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]


class PriceOverride(Spec):
    """A price that the person set for one model; it goes before every list.

    Attributes:
        host: The service's host, with its port if it has one; empty: wherever the model is.
        currency: Three capital letters, such as USD or CNY.
        input: Per million tokens, like all others.
        cached_input: None: as ``input``.
        reasoning: None: as ``output``.
        batch_share: What a batch endpoint takes of these prices, 0 to 1; None: not known.
    """

    host: str = ""
    model: str = Field(min_length=1)
    currency: Currency = "USD"
    input: Money
    output: Money
    cached_input: Money | None = None
    reasoning: Money | None = None
    batch_share: Annotated[Decimal, Field(ge=0, le=1)] | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """One price per million tokens.

    Attributes:
        base: Up to the first step.
        steps: (more input tokens than these, the price then of all tokens), rising.
    """

    base: Decimal
    steps: tuple[tuple[int, Decimal], ...] = ()

    def at(self, input_tokens: int) -> Decimal:
        """The price for a request with so many input tokens."""
        price = self.base
        for above, then in self.steps:
            if input_tokens > above:
                price = then
        return price


@dataclass(frozen=True, slots=True)
class Rates:
    """What a model costs at one moment.

    Attributes:
        cached_input: None: as ``input``.
        reasoning: None: as ``output``.
        per_request: Micro-units for each request, whatever it holds.
        source: ``settings``, ``free``, or the price list with its version.
    """

    currency: str
    input: Rate
    output: Rate
    cached_input: Rate | None = None
    reasoning: Rate | None = None
    per_request: Decimal = Decimal(0)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """Money, in millionths of a currency's unit."""

    micros: Decimal
    currency: str
