"""One gate per provider account, shared by all runs that ask it.

A run takes a lease on its account's gate and gives it back when it ends. The limits of all leases
count together, the smaller one of each; with a lease its limits go. What a gate has learned is kept
for ten minutes after its last lease, so that a run that is resumed goes on where it was. Accounts
are told apart by ``Connection.account_key``, which holds no key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from batchdesk.engine.admission import Gate, GateLimits

KEPT_S = 600.0


@dataclass(slots=True, eq=False)
class _Account:
    gate: Gate
    applied: GateLimits  # what the gate goes by
    leases: list[Lease] = field(default_factory=list)
    left_at: float = 0.0  # when the last lease was given back


class Lease:
    """One run's hold on the gate of its account. ``now`` is the loop's clock."""

    def __init__(self, account: _Account, limits: GateLimits) -> None:
        self._account = account
        self.limits = limits

    @property
    def gate(self) -> Gate:
        """The gate that all runs on the account share."""
        return self._account.gate

    def pin(self, limit: int | None, now: float) -> None:
        """Always so many requests at once; None: as many as the service copes with."""
        self._set(replace(self.limits, pinned=limit), now)

    def set_ceiling(self, ceiling: int, now: float) -> None:
        """Never more requests at once than this."""
        self._set(replace(self.limits, ceiling=ceiling), now)

    def set_told(self, rpm: float | None, tpm: float | None, now: float) -> None:
        """Requests and tokens per minute as the person knows them; None: unknown."""
        self._set(replace(self.limits, rpm=rpm, tpm=tpm), now)

    def give_back(self, now: float) -> None:
        """The run has ended."""
        account = self._account
        account.leases.remove(self)
        account.left_at = now
        _apply(account, now)

    def _set(self, limits: GateLimits, now: float) -> None:
        self.limits = limits
        _apply(self._account, now)


class Accounts:
    """The gates of all accounts that were used lately, for every run on one event loop."""

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}

    def take(self, account_key: str, limits: GateLimits, now: float) -> Lease:
        """A lease on an account's gate; the first one's limits make the gate."""
        self._forget(now)
        account = self._accounts.get(account_key)
        if account is None:
            account = self._accounts[account_key] = _Account(Gate(limits), limits)
        lease = Lease(account, limits)
        account.leases.append(lease)
        _apply(account, now)
        return lease

    def _forget(self, now: float) -> None:
        """Drop what nobody has used for a while."""
        for key, account in list(self._accounts.items()):
            if not account.leases and now - account.left_at > KEPT_S:
                del self._accounts[key]


def _apply(account: _Account, now: float) -> None:
    """Make the gate go by all leases together; without any it stays as it was."""
    if not account.leases:
        return
    before = account.applied
    wanted = together(lease.limits for lease in account.leases)
    account.applied = wanted
    if wanted.ceiling != before.ceiling:
        account.gate.set_ceiling(wanted.ceiling, now)
    if wanted.pinned != before.pinned:
        account.gate.pin(wanted.pinned, now)
    if (wanted.rpm, wanted.tpm) != (before.rpm, before.tpm):
        account.gate.set_told(wanted.rpm, wanted.tpm, now)


def together(limits: Iterable[GateLimits]) -> GateLimits:
    """Of each limit the smallest that is set; ``limits`` are not empty."""
    every = list(limits)
    return GateLimits(
        start=min(one.start for one in every),
        ceiling=min(one.ceiling for one in every),
        pinned=min((one.pinned for one in every if one.pinned is not None), default=None),
        rpm=min((one.rpm for one in every if one.rpm is not None), default=None),
        tpm=min((one.tpm for one in every if one.tpm is not None), default=None),
    )
