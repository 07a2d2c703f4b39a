from __future__ import annotations

import logging
from typing import Any

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.admission import GateFigures
from batchdesk.engine.attempt_log import AttemptLog
from batchdesk.engine.changes import ChangeLog
from batchdesk.engine.events import SnapshotTaken, Stalled
from batchdesk.engine.lanes import Lanes
from batchdesk.engine.meters import Meters
from batchdesk.engine.reporter import Reporter
from batchdesk.engine.snapshots import Standing, take_snapshot
from batchdesk.store.journal import RunJournal


class Journal(RunJournal):
    """Of nothing but a number."""

    def __init__(self):
        self.run_id = 5


def a_reporter(standing, changes, listener):
    def take():
        gate = GateFigures(0, 20, 200)
        return take_snapshot(
            standing, Meters(), Lanes(10), gate, now=0.0, at=1_700_000_000.0, active_s=0.0
        )

    return Reporter(
        journal=Journal(),
        listener=listener,
        standing=standing,
        changes=changes,
        log=AttemptLog(5),
        take=take,
        on_error=lambda _error: None,
    )


def test_that_changes_of_limits_are_shown_once_and_the_last_reason_is_kept_for_advice():
    standing, changes = Standing(5), ChangeLog()
    events: list[Any] = []
    reporter = a_reporter(standing, changes, events.append)
    made = [
        LimitChange(1.0, LimitKind.IN_FLIGHT, 80, 32, LimitReason.TESTING),
        LimitChange(2.0, LimitKind.IN_FLIGHT, 32, 20, LimitReason.CONFIRMED),
        LimitChange(3.0, LimitKind.PACE, None, 9.8, LimitReason.REFUSED),
    ]
    for change in made:
        changes.add(change)
    reporter.show()
    assert events[0].snapshot.limit_changes == tuple(made)
    assert standing.limit_reason is LimitReason.CONFIRMED
    reporter.show()
    assert events[1].snapshot.limit_changes == ()
    assert standing.limit_reason is LimitReason.CONFIRMED


def test_that_a_task_that_changed_is_told_once():
    standing = Standing(5)
    events: list[Any] = []
    reporter = a_reporter(standing, ChangeLog(), events.append)
    standing.changed += [7, 8]
    reporter.show()
    reporter.show()
    assert [event.changed for event in events if isinstance(event, SnapshotTaken)] == [(7, 8), ()]


def test_that_a_stall_is_told_with_what_the_run_is_said_to_wait_for():
    standing = Standing(5)
    events: list[Any] = []
    standing.hold = HoldReason.SHARED
    a_reporter(standing, ChangeLog(), events.append).stalled(60.0)
    assert events == [Stalled(5, 60.0, HoldReason.SHARED)]


def test_that_a_listener_that_fails_is_logged_and_stops_nothing(caplog):
    def fails(_event):
        raise ZeroDivisionError("a bug in a screen")

    with caplog.at_level(logging.ERROR):
        a_reporter(Standing(5), ChangeLog(), fails).show()
    assert "a bug in a screen" in caplog.text
