from __future__ import annotations

import logging
from datetime import datetime

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.cause import PauseCause, told_to_wait
from batchdesk.errors import ProjectError, StorageFullError


def test_that_the_first_cause_stays_and_each_one_is_told():
    told: list[int] = []
    cause = PauseCause(3, lambda: told.append(1))
    cause.met(ErrorKind.AUTH, "wrong key")
    cause.met(ErrorKind.QUOTA_EXHAUSTED, "no credit")
    assert cause.first == (ErrorKind.AUTH, "wrong key")
    assert len(told) == 2


def test_that_a_fault_of_our_own_is_told_by_its_sentence_and_a_bug_is_logged(caplog):
    cause = PauseCause(3, lambda: None)
    assert cause.of(StorageFullError("No space.")) == (ErrorKind.STORAGE_FULL, "No space.")
    assert cause.of(ProjectError("It moved.")) == (ErrorKind.INTERNAL, "It moved.")
    assert caplog.records == []
    with caplog.at_level(logging.ERROR):
        cause.met_error(ZeroDivisionError())
    assert cause.first == (ErrorKind.INTERNAL, "ZeroDivisionError")
    assert [record.getMessage() for record in caplog.records] == ["a bug paused run 3"]


def test_that_a_wait_is_told_by_the_clock_with_the_day_if_it_is_another():
    now = datetime.fromisoformat("2026-03-01T14:00:30").astimezone().timestamp()
    assert told_to_wait(now + 9600, now, "Slow down") == "16:40 · Slow down"
    assert told_to_wait(now + 86_400, now, "") == "2026-03-02 14:00"
