"""Facts that come up from a run. Every event about a task is sent after its commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.snapshot import Snapshot
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


Event = RunStateChanged | SnapshotTaken
Listener = Callable[[Event], None]
