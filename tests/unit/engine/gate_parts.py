"""Helpers for the tests of the gate's parts: tickets and endings with little writing."""

from __future__ import annotations

from batchdesk.domain.chat import NO_LIMITS, RateLimits
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.part import Cost, Ending, Hold, Part, Ticket


class Driver:
    """Sends through one part and keeps the numbers of the tickets."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.number = 0

    def hold(self, now: float, tokens: float = 0.0) -> Hold | None:
        return self.part.hold(Cost(tokens), now)

    def send(self, now: float, tokens: float = 0.0) -> Ticket:
        """Send a request that must be let through."""
        assert self.hold(now, tokens) is None
        return self.force(now, tokens)

    def force(self, now: float, tokens: float = 0.0) -> Ticket:
        """Send a request without asking."""
        self.number += 1
        ticket = Ticket(self.number, 1, Cost(tokens), now)
        self.part.take(ticket)
        return ticket

    def refuse(
        self,
        ticket: Ticket,
        now: float,
        *,
        hint_s: float | None = None,
        limits: RateLimits = NO_LIMITS,
    ) -> None:
        self._end(Ending(ticket, now, None, ErrorKind.RATE_LIMITED, hint_s, limits))

    def answer(
        self,
        ticket: Ticket,
        now: float,
        *,
        tokens: float | None = None,
        limits: RateLimits = NO_LIMITS,
    ) -> None:
        self._end(Ending(ticket, now, tokens, limits=limits))

    def fail(self, ticket: Ticket, now: float, kind: ErrorKind) -> None:
        self._end(Ending(ticket, now, kind=kind))

    def cancel(self, ticket: Ticket, now: float) -> None:
        self._end(Ending(ticket, now, cancelled=True))

    def send_all(self, until: float, since: float, answer_s: float | None = None) -> list[float]:
        """Send as soon as is permitted until a time; each is answered after ``answer_s``."""
        now, times = since, []
        while now < until:
            hold = self.hold(now)
            if hold is None:
                times.append(now)
                ticket = self.force(now)
                if answer_s is not None:
                    self.answer(ticket, now + answer_s)
            else:
                assert hold.until is not None
                now = max(now, hold.until)
        return times

    def _end(self, ending: Ending) -> None:
        self.part.hear(ending)
        self.part.settle(ending.ticket)


def until(hold: Hold | None) -> float:
    """When a hold ends; it must be one that names a time."""
    assert hold is not None
    assert hold.until is not None
    return hold.until
