"""Where a run stands, from the project file or, while it is under way, from its latest Snapshot.

In come a RunSummary and a Snapshot; out come the few figures that the Run page shows, and what can
be done with the run. Pure, without Qt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from batchdesk.domain import progress
from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.session import RunSummary


class Asked(StrEnum):
    """What the person asked of a run that has not come about yet."""

    NOTHING = "nothing"
    START = "start"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run at one moment.

    Attributes:
        snapshot: The figures of this moment; None if the run is not under way.
        asked: What the person asked last, until it has come about.
    """

    summary: RunSummary
    snapshot: Snapshot | None
    asked: Asked

    @property
    def state(self) -> RunState:
        """Where the run stands."""
        return self.snapshot.state if self.snapshot else self.summary.run.state

    @property
    def cause(self) -> ErrorKind | None:
        """Why it paused by itself."""
        return self.snapshot.cause if self.snapshot else self.summary.run.cause

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.state is RunState.RUNNING

    @property
    def is_paused_by_cause(self) -> bool:
        """Whether it paused by itself."""
        return self.state is RunState.PAUSED and self.cause is not None

    @property
    def counts(self) -> Mapping[TaskState, int]:
        """Rows by state."""
        return self.snapshot.counts if self.snapshot else self.summary.counts

    @property
    def failures(self) -> Mapping[ErrorKind, int]:
        """Attempts without a usable answer, by kind."""
        return self.snapshot.failures if self.snapshot else self.summary.failures

    def count(self, *states: TaskState) -> int:
        """How many rows are in one of these states."""
        return sum(self.counts.get(state, 0) for state in states)

    @property
    def total(self) -> int:
        """Rows to send: all of the run but the skipped ones."""
        return progress.to_do(self.counts)

    @property
    def open(self) -> int:
        """Rows that still have no outcome."""
        return progress.still_open(self.counts)

    @property
    def done(self) -> int:
        """Rows to send that have an outcome."""
        return progress.done(self.counts)

    def share(self, part: int) -> float | None:
        """A part of the rows that are done, 0 to 1; None before the first."""
        return part / self.done if self.done else None

    @property
    def active_s(self) -> float:
        """How long the run was under way, all sittings together."""
        return self.snapshot.active_s if self.snapshot else self.summary.run.active_s

    @property
    def can_start(self) -> bool:
        """Whether it can be started or resumed."""
        halted = self.state in {RunState.READY, RunState.PAUSED, RunState.STOPPED}
        return halted and self.asked is not Asked.START
