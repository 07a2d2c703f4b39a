"""Facts that come up from a run. Every event about a task is sent after its commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.snapshot import HoldReason, Snapshot
from batchdesk.domain.task import ErrorKind, RunState


@dataclass(frozen=True, slots=True)
class RunStateChanged:
    """A run moved to a state; ``cause`` and ``message`` when it paused by cause."""

    run_id: int
    state: RunState
    cause: ErrorKind | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """Figures for the panels, and which tasks changed since the last one."""

    snapshot: Snapshot
    changed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stalled:
    """Nothing has moved for so long though there is work, and no reason is known: a bug.

    The log says where everything stands. Pausing and resuming the run may help.
    """

    run_id: int
    for_s: float
    hold: HoldReason  # what it is said to wait for


Event = RunStateChanged | SnapshotTaken | Stalled
Listener = Callable[[Event], None]
