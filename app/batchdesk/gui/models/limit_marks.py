"""Changes of a run's limits as marks over time: bounded in memory, put together where near.

In come LimitChanges, from Snapshots or from the project file; out come groups of them, each of
which is one mark. Pure, without Qt and without words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason

_MOST = 600
_NEAR_S = 5.0  # changes of one kind and reason that follow each other this soon are one

# What a group of changes is named after: the first of these that is among them.
_WEIGHT = {
    reason: place
    for place, reason in enumerate(
        (
            LimitReason.OUTAGE,
            LimitReason.FAILURES,
            LimitReason.PERSON,
            LimitReason.PROBE_ANSWERED,
            LimitReason.RECOVERED,
            LimitReason.TOLD,
            LimitReason.HEADERS,
            LimitReason.REFUSED,
            LimitReason.LATENCY_MARK,
            LimitReason.QUEUEING,
            LimitReason.TESTING,
            LimitReason.CONFIRMED,
            LimitReason.FASTER,
            LimitReason.REOPENED,
            LimitReason.SLOW_START,
            LimitReason.GROWTH,
        )
    )
}


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that stand so near to each other that they are one mark.

    Attributes:
        at: When the first of them was; seconds since the epoch.
        main: The weightiest; of a row of the same kind and reason, from the first to the last.
        changes: All of them, in the order of time.
    """

    at: float
    main: LimitChange
    changes: tuple[LimitChange, ...]


def grouped(changes: Iterable[LimitChange], gap_s: float) -> list[Group]:
    """Changes in groups whose first ones are at least ``gap_s`` apart."""
    groups: list[list[LimitChange]] = []
    for change in changes:
        if groups and change.at - groups[-1][0].at < gap_s:
            groups[-1].append(change)
        else:
            groups.append([change])
    return [Group(group[0].at, _main(group), tuple(group)) for group in groups]


def _main(group: Sequence[LimitChange]) -> LimitChange:
    weightiest = min(group, key=lambda change: _WEIGHT[change.reason])
    alike = [one for one in group if _is_alike(one, weightiest)]
    whole = replace(alike[0], new=alike[-1].new)
    return whole if whole.new != whole.old else alike[-1]  # "4 → 4" would say nothing


def _is_alike(one: LimitChange, other: LimitChange) -> bool:
    return (one.what, one.reason) == (other.what, other.reason)


class Changes:
    """All changes of one run, the oldest first; a row of alike ones is kept as one.

    What a person set is kept one by one while there is room: it may well lead there and back.

    Args:
        most: How many are kept; then alike ones further apart become one, at last any of a kind.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._near_s = _NEAR_S
        self._kept: list[LimitChange] = []
        self._last: dict[tuple[LimitKind, LimitReason], tuple[int, float]] = {}  # place, when

    def add(self, change: LimitChange) -> None:
        """Take a later change."""
        key = (change.what, change.reason)
        place, at = self._last.get(key, (-1, 0.0))
        is_a_step = change.reason is LimitReason.PERSON and self._near_s == _NEAR_S
        if place >= 0 and change.at - at <= self._near_s and not is_a_step:
            self._kept[place] = replace(self._kept[place], new=change.new)
        else:
            self._kept.append(change)
            place = len(self._kept) - 1
        self._last[key] = (place, change.at)
        if len(self._kept) > self._most:
            self._thin_out()

    def extend(self, changes: Iterable[LimitChange]) -> None:
        """Take several changes."""
        for change in changes:
            self.add(change)

    def all(self) -> list[LimitChange]:
        """What is kept, in the order of time."""
        return list(self._kept)

    def _thin_out(self) -> None:
        self._near_s *= 2
        held, self._kept, self._last = self._kept, [], {}
        for change in held:
            self.add(change)
