"""Limits per minute that somebody told: the job, a preset, a person, or the words of a refusal.

In come requests as they go and endings as they come; out goes a hold until the next may go. Sent
evenly at 0.99 of the limit, without an initial burst. Used by the gate alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from batchdesk.domain.chat import RateLimits
from batchdesk.domain.snapshot import USED_OF_TOLD, HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.part import Cost, Ending, Hold, Ticket, no_report
from batchdesk.engine.spacing import Spacing


class ToldRequests:
    """Requests per minute as told; the smaller one where the job and a refusal both tell.

    Args:
        per_minute: What the job tells; None: nothing, until a refusal names a limit.
        on_change: Called with each change of the rate.
    """

    reason = HoldReason.REQUESTS_PER_MINUTE
    kind = LimitKind.PACE

    def __init__(
        self, per_minute: float | None, on_change: Callable[[LimitChange], None] = no_report
    ) -> None:
        self._told = per_minute
        self._named: float | None = None  # by the last refusal that named a limit
        self._on_change = on_change
        self._spacing = Spacing(self._rate())

    @property
    def per_second(self) -> float | None:
        """What is sent per second; None: no told limit."""
        return self._spacing.per_second

    @property
    def limit_per_second(self) -> float | None:
        """The limit itself; None: no told limit."""
        rate = self._spacing.per_second
        return None if rate is None else rate / USED_OF_TOLD

    def set(self, per_minute: float | None, now: float) -> None:
        """A person tells another limit, or takes it back (None)."""
        self._told = per_minute
        self._change(now, LimitReason.PERSON)

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Until what was sent before is paid off."""
        del cost
        return self._spacing.hold(self.reason, now)

    def take(self, ticket: Ticket) -> None:
        """Pay for one request."""
        self._spacing.pay(1.0, ticket.sent_at)

    def hear(self, ending: Ending) -> None:
        """A request is a request, however it ended; but a refusal may name the limit."""
        named = self._in_words(ending.limits)
        if named is not None and 0 < named < math.inf:
            self._named = named
            self._change(ending.ended_at, LimitReason.TOLD)

    def settle(self, ticket: Ticket) -> None:
        """Nothing was held for it."""

    def _in_words(self, limits: RateLimits) -> float | None:
        return limits.told_rpm

    def _rate(self) -> float | None:
        limits = [limit for limit in (self._told, self._named) if limit is not None]
        return min(limits) / 60 * USED_OF_TOLD if limits else None

    def _change(self, now: float, reason: LimitReason) -> None:
        old, new = self._spacing.per_second, self._rate()
        if new != old:
            self._spacing.set_rate(new, now)
            self._on_change(LimitChange(now, self.kind, old, new, reason))


class ToldTokens(ToldRequests):
    """Tokens per minute as told: reserved as estimated, settled on the answer.

    A request larger than a whole minute goes alone: it pays for itself afterwards.
    """

    reason = HoldReason.TOKENS_PER_MINUTE
    kind = LimitKind.TOKENS

    def take(self, ticket: Ticket) -> None:
        """Reserve what the request is expected to use."""
        self._spacing.pay(ticket.cost.tokens, ticket.sent_at)

    def hear(self, ending: Ending) -> None:
        """Give back what was reserved too much, or pay what was used beyond it."""
        if ending.tokens is not None:
            self._spacing.correct(ending.tokens - ending.ticket.cost.tokens)
        super().hear(ending)

    def _in_words(self, limits: RateLimits) -> float | None:
        return limits.told_tpm
