"""Whose turn it is among the clients of one gate: equal shares of what is sent.

Each client has a count of its sends, level with the others' when it comes or comes back. A client
waits from an ask that was held until its next ask, or until it was woken and did not come: what
keeps it away is its own matter then, and must not keep the others from sending. Where a client
that waits and could go is behind, the one ahead lets it go first. Pure over the times passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.snapshot import HoldReason, LimitChange
from batchdesk.engine.part import Hold, no_report

_COMES_WITHIN_S = 0.1  # who was woken and has not asked by then does not want to
_PATIENCE = 8  # so far behind, a client that needs more than the others is waited for


@dataclass(slots=True)
class _Client:
    wake: Callable[[], None]
    on_change: Callable[[LimitChange], None]
    sends: float  # as if it had been here from the beginning
    held: Hold | None = None  # it waits
    woken_at: float | None = None  # since it was held
    asked_at: float = float("-inf")


class Turns:
    """The clients of one gate."""

    def __init__(self) -> None:
        self._clients: dict[int, _Client] = {}
        self._level = 0.0  # the count of the client that sent last, before it did

    def join(
        self,
        client: int,
        wake: Callable[[], None],
        on_change: Callable[[LimitChange], None] | None,
    ) -> None:
        """A client comes; it is level with the one that sent last."""
        self._clients[client] = _Client(wake, on_change or no_report, self._level)

    def leave(self, client: int) -> None:
        """A client goes; the others need not wait for it."""
        del self._clients[client]
        self.wake_all()

    def tell(self, change: LimitChange) -> None:
        """A number of the gate has changed: every client is told."""
        for one in list(self._clients.values()):
            one.on_change(change)

    def wake_all(self) -> None:
        """Something changed for everybody."""
        for one in list(self._clients.values()):
            one.wake()

    def wake_waiting(self, now: float) -> None:
        """Asking again may be worth it for those that wait."""
        for one in list(self._clients.values()):
            if one.held is not None:
                self._wake(one, now)

    def asks(self, client: int, now: float) -> None:
        """A client asks. If it was away, it is not owed what it did not send meanwhile."""
        me = self._clients[client]
        if me.held is None and now > me.asked_at + _COMES_WITHIN_S:
            me.sends = max(me.sends, self._level)
        me.held = me.woken_at = None
        me.asked_at = now

    def other_first(self, client: int, now: float) -> Hold | None:
        """A hold where another client, which is woken, has to go before this one."""
        me = self._clients[client]
        until = [
            self._wake(one, now) + _COMES_WITHIN_S
            for one in list(self._clients.values())
            if one is not me and self._is_before(one, me, now)
        ]
        return Hold(HoldReason.SHARED, max(until)) if until else None

    def held(self, client: int, hold: Hold) -> None:
        """It has to wait."""
        self._clients[client].held = hold

    def sent(self, client: int, now: float) -> None:
        """It sends; those that let it go first may ask again."""
        me = self._clients[client]
        self._level = me.sends
        me.sends += 1
        for one in list(self._clients.values()):
            if one.held is not None and one.held.reason is HoldReason.SHARED:
                self._wake(one, now)

    def _is_before(self, one: _Client, me: _Client, now: float) -> bool:
        """Whether another client goes before this one."""
        if one.held is None or one.sends >= me.sends:
            return False
        if one.woken_at is not None and now >= one.woken_at + _COMES_WITHIN_S:
            one.held = None  # it was woken and did not come
            return False
        hold = one.held
        may_go = one.woken_at is not None or hold.until is None or hold.until <= now
        return may_go or hold.reason is HoldReason.SHARED or me.sends - one.sends >= _PATIENCE

    def _wake(self, one: _Client, now: float) -> float:
        """Wake a client that waits; returns since when it has been awake."""
        if one.woken_at is None:
            one.woken_at = now
        one.wake()
        return one.woken_at
