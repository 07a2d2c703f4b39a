"""The limit per minute that a service's headers state, of requests or of tokens.

Headers give a limit L, what remains of it R, and when it is whole again. What remains is a measure,
not a leave to burst: requests go evenly at 0.985 x L/60, and wait where R says that nothing is
left, because somebody else uses the account too. Used by the gate alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.part import Cost, Ending, Hold, Ticket, no_report
from batchdesk.engine.spacing import Spacing

USED_OF_HEADERS = 0.985
_MINUTE_S = 61.0  # whole again later than this: a limit of a day or an hour, not of a minute


class HeaderRequests:
    """Requests per minute as the headers state them.

    Args:
        on_change: Called with each change of the rate.
    """

    reason = HoldReason.REQUESTS_PER_MINUTE
    kind = LimitKind.PACE

    def __init__(self, on_change: Callable[[LimitChange], None] = no_report) -> None:
        self._on_change = on_change
        self._spacing = Spacing()
        self._limit: float | None = None  # per minute
        self._level = 0.0  # what remains, as far as is known; never negative
        self._level_at = -math.inf
        self._measured = False  # whether the service says what remains
        self._newest = 0  # the newest-sent request whose answer said what remains
        self._sent = 0.0  # everything that ever went
        self._sent_by: dict[int, float] = {}  # unheard requests: ``_sent`` when each had gone

    @property
    def per_second(self) -> float | None:
        """What is sent per second; None: the headers state no limit."""
        return self._spacing.per_second

    @property
    def limit_per_second(self) -> float | None:
        """The limit itself; None: the headers state none."""
        return None if self._limit is None else self._limit / 60

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Until what was sent before is paid off and enough remains."""
        spaced = self._spacing.hold(self.reason, now)
        lacks_until = self._lacks_until(self._amount(cost), now)
        if lacks_until is None or (spaced and spaced.until and spaced.until >= lacks_until):
            return spaced
        return Hold(self.reason, lacks_until)

    def take(self, ticket: Ticket) -> None:
        """Pay for a request."""
        amount = self._amount(ticket.cost)
        self._spacing.pay(amount, ticket.sent_at)
        self._level = max(0.0, self.level(ticket.sent_at) - amount)
        self._level_at = max(self._level_at, ticket.sent_at)
        self._sent += amount
        self._sent_by[ticket.number] = self._sent

    def hear(self, ending: Ending) -> None:
        """The headers of an answer, or of a refusal."""
        sent_since = self._sent - self._sent_by.pop(ending.ticket.number, self._sent)
        self._correct(ending)
        state = self._state(ending.limits)
        if state is None or not 0 < state.limit < math.inf:
            return
        if ending.ticket.number < self._newest:
            return
        self._newest = ending.ticket.number
        self._set_limit(state, ending.ended_at)
        self._set_level(state, ending, sent_since)

    def settle(self, ticket: Ticket) -> None:
        """Nothing was held for it."""

    def level(self, now: float) -> float:
        """What remains by now, as far as is known: at most the limit, never negative."""
        if self._limit is None:
            return 0.0
        return min(self._limit, self._level + max(0.0, now - self._level_at) * self._limit / 60)

    def _lacks_until(self, amount: float, now: float) -> float | None:
        """When enough will remain; None: now. A request above the whole limit goes alone."""
        if self._limit is None or not self._measured:
            return None
        missing = min(amount, self._limit) - self.level(now)
        return None if missing <= 1e-9 * self._limit else now + missing / (self._limit / 60)

    def _set_limit(self, state: LimitState, now: float) -> None:
        of_a_minute = state.reset_s is None or state.reset_s <= _MINUTE_S
        self._limit = state.limit if of_a_minute else None
        old = self._spacing.per_second
        new = None if self._limit is None else self._limit / 60 * USED_OF_HEADERS
        if new != old:
            self._spacing.set_rate(new, now)
            self._on_change(LimitChange(now, self.kind, old, new, LimitReason.HEADERS))

    def _set_level(self, state: LimitState, ending: Ending, sent_since: float) -> None:
        self._measured = state.remaining is not None
        if self._limit is None or state.remaining is None:
            return
        age_s = max(0.0, ending.ended_at - ending.ticket.sent_at)
        level = max(0.0, state.remaining) + self._limit / 60 * age_s
        self._level = max(0.0, min(self._limit, level) - sent_since)
        self._level_at = ending.ended_at

    def _amount(self, cost: Cost) -> float:
        del cost
        return 1.0

    def _correct(self, ending: Ending) -> None:
        """A request is a request, however it ended."""

    def _state(self, limits: RateLimits) -> LimitState | None:
        return limits.requests


class HeaderTokens(HeaderRequests):
    """Tokens per minute as the headers state them: reserved as estimated, settled on the answer."""

    reason = HoldReason.TOKENS_PER_MINUTE
    kind = LimitKind.TOKENS

    def _amount(self, cost: Cost) -> float:
        return max(0.0, cost.tokens)

    def _correct(self, ending: Ending) -> None:
        if ending.tokens is None:
            return
        surplus = ending.tokens - self._amount(ending.ticket.cost)
        self._spacing.correct(surplus)
        if ending.ticket.number > self._newest and self._limit is not None:
            self._level = min(self._limit, max(0.0, self._level - surplus))

    def _state(self, limits: RateLimits) -> LimitState | None:
        return limits.tokens
