"""The breaker: when the service is down, one request now and then instead of all of them.

In come endings; out goes a hold while the breaker is open. It opens when half of the last requests
failed with a broken connection, a 5xx or a timeout and nothing comes through any more, and then
lets one probe go after 5, 10, 20, 30, 30 … seconds. Any sign of life in a probe closes it: a
refusal is one. What says nothing about the service (given up, a fault of our own or of the row)
does not count; a probe that was given up lets another go at once. A 503 or 529 counts here although
no row is blamed for it. Used by the gate alone.

"Nothing comes through": the last ten that ended failed, and so did three in four of those that were
in flight when the first of these failed (or twice as many have failed since, where some hang). A
request that timed out and saw nothing come through from its sending to its end tells as much as
that whole round. By half of the last twenty alone, a service that fails one request in three at
random opened it 16 times in 1,000 rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.part import Cost, Ending, Hold, Ticket, is_fault, no_report

_LEAST = 20  # requests looked at; more where more are in flight
_MOST = 200
_STREAK = 10  # failures with nothing between them
_PROBE_AFTER_S = (5.0, 10.0, 20.0, 30.0)  # the last one again and again
_TIMEOUTS = frozenset({ErrorKind.READ_TIMEOUT, ErrorKind.CONNECT_TIMEOUT})
_SAYS_NOTHING = frozenset(
    {
        ErrorKind.DEADLINE_EXCEEDED,
        ErrorKind.TEMPLATE_FAILED,
        ErrorKind.STORAGE_FULL,
        ErrorKind.INTERNAL,
        ErrorKind.NOT_AN_API,
    }
)


class Breaker:
    """Closed at first.

    Args:
        on_change: Told when it opens (1 → 0) and closes (0 → 1).
    """

    def __init__(self, on_change: Callable[[LimitChange], None] = no_report) -> None:
        self._on_change = on_change
        self._failed: deque[bool] = deque(maxlen=_MOST)  # the last requests, oldest first
        self._out = 0
        self._newest = 0  # the number of the request that was sent last
        self._alive_at = float("-inf")  # when the last sign of life came
        self._streak = 0  # failures since
        self._streak_began_at = 0  # the newest request when the streak's first failed
        self._streak_round = 0  # requests in flight then
        self._not_back = 0  # of these, how many still are
        self._counted_from = float("-inf")  # requests that were sent before do not count
        self._probe_at: float | None = None  # None: closed
        self._probes = 0
        self._probe: int | None = None  # the number of the one that is out

    @property
    def is_open(self) -> bool:
        """Whether the service is taken to be down."""
        return self._probe_at is not None

    def probe_in_s(self, now: float) -> float | None:
        """Seconds until the next probe, 0 while one is out or due; None: closed."""
        if self._probe_at is None:
            return None
        return 0.0 if self._probe is not None else max(0.0, self._probe_at - now)

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Open: until the next probe is due, or until the one that is out ends."""
        del cost
        if self._probe_at is None:
            return None
        if self._probe is not None:
            return Hold(HoldReason.OUTAGE, None)
        return Hold(HoldReason.OUTAGE, self._probe_at) if now < self._probe_at else None

    def take(self, ticket: Ticket) -> None:
        """A request goes; while the breaker is open it is the probe."""
        self._out += 1
        self._newest = max(self._newest, ticket.number)
        if self._probe_at is not None:
            self._probe = ticket.number

    def hear(self, ending: Ending) -> None:
        """Count an ending; a probe's decides whether the service is back."""
        self._out -= 1
        says_nothing = ending.cancelled or ending.kind in _SAYS_NOTHING
        if self._streak and ending.ticket.number <= self._streak_began_at:
            self._not_back -= 1
        if ending.ticket.number == self._probe:
            self._probe = None
            if not says_nothing:
                self._probed(ending)
            elif not ending.cancelled:  # a fault of our own may come again at once
                self._wait(ending.ended_at)
            return
        if says_nothing or self.is_open or ending.ticket.sent_at < self._counted_from:
            return
        if ending.blames_row and is_fault(ending):
            return
        self._count(ending)
        if self._failed[-1] and self._is_down(ending):
            self._probes = 0
            self._wait(ending.ended_at)
            self._report(ending.ended_at, LimitReason.OUTAGE)

    def settle(self, ticket: Ticket) -> None:
        """Nothing was held for it."""

    def _count(self, ending: Ending) -> None:
        is_failed = is_fault(ending)
        self._failed.append(is_failed)
        if not is_failed:
            self._alive_at = ending.ended_at
            self._streak = 0
            return
        if not self._streak:
            self._streak_began_at = self._newest
            self._streak_round = self._not_back = self._out
        self._streak += 1

    def _is_down(self, newest: Ending) -> bool:
        """Whether half of the last requests failed, and nothing comes through any more."""
        if self._streak < _STREAK or not self._nothing_comes(newest):
            return False
        looked_at = max(_LEAST, min(self._out, _MOST))
        if len(self._failed) < looked_at:
            return False
        last = list(self._failed)[-looked_at:]
        return 2 * sum(last) >= looked_at

    def _nothing_comes(self, newest: Ending) -> bool:
        """Whether the newest failure waited in vain beside all others, or a whole round failed."""
        if newest.kind in _TIMEOUTS and newest.ticket.sent_at >= self._alive_at:
            return True
        return self._not_back <= self._streak_round / 4 or self._streak >= 2 * self._streak_round

    def _probed(self, ending: Ending) -> None:
        if is_fault(ending):
            self._probes += 1
            self._wait(ending.ended_at)
            return
        self._probe_at = None
        self._failed.clear()
        self._alive_at = ending.ended_at
        self._streak = 0
        # Those that were sent into the outage and end later say nothing about now.
        self._counted_from = ending.ticket.sent_at
        self._report(ending.ended_at, LimitReason.PROBE_ANSWERED)

    def _wait(self, now: float) -> None:
        self._probe_at = now + _PROBE_AFTER_S[min(self._probes, len(_PROBE_AFTER_S) - 1)]

    def _report(self, now: float, reason: LimitReason) -> None:
        old, new = (1.0, 0.0) if self.is_open else (0.0, 1.0)
        self._on_change(LimitChange(now, LimitKind.BREAKER, old, new, reason))
