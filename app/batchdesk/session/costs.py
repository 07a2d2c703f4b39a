"""What the rows of a run cost: the money of all their attempts, retries and discarded answers too.

Stored attempts and the price at their time come in; an amount per task goes out. Blocks: it reads
the project file, and the price list the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache

from batchdesk.cost.prices import amount_of
from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.price import PriceOverride, Rates
from batchdesk.errors import JobFileError
from batchdesk.session.prices import model_rates
from batchdesk.store import results
from batchdesk.store.writer import Connection

_MICROS = Decimal(1_000_000)
_PRICE_HOLDS_S = 900  # prices of some services change with the time of day, on the quarter hour


class RowCosts:
    """The costs of one run's rows.

    Args:
        rates_at: The model's price at a moment; None: not known.
    """

    def __init__(self, rates_at: Callable[[datetime], Rates | None]) -> None:
        self._rates_at = rates_at
        self._rates = lru_cache(maxsize=1024)(self._look_up)

    def of(self, connection: Connection, task_ids: Sequence[int]) -> dict[int, float | None]:
        """Task id → units of the price's currency; None: not known.

        A row that nothing was sent for costs 0. A request that was not answered costs what the
        service reported for it, else nothing. An answer without token counts makes the whole row
        unknown.
        """
        micros: dict[int, Decimal | None] = dict.fromkeys(task_ids, Decimal(0))
        for spent in results.spent(connection, task_ids):
            sum_ = micros[spent.task_id]
            has_count = None not in (spent.usage.input_tokens, spent.usage.output_tokens)
            if sum_ is None or not (has_count or spent.was_answered):
                continue
            amount = amount_of(spent.usage, self._rates(int(spent.started_at) // _PRICE_HOLDS_S))
            micros[spent.task_id] = None if amount is None else sum_ + amount.micros
        return {
            id_: None if value is None else float(value / _MICROS) for id_, value in micros.items()
        }

    def _look_up(self, quarter: int) -> Rates | None:
        return self._rates_at(datetime.fromtimestamp(quarter * _PRICE_HOLDS_S, UTC))


def costs_of(spec: ProviderSpec, overrides: Iterable[PriceOverride]) -> RowCosts:
    """Costs at a provider, by the person's own prices or the list that the program brings."""
    known = tuple(overrides)

    def rates_at(moment: datetime) -> Rates | None:
        try:
            return model_rates(spec, known, moment)
        except JobFileError:
            return None  # a run of an older program, whose provider this one does not know

    return RowCosts(rates_at)
