from __future__ import annotations

import pytest

from batchdesk.engine.alarm import Alarm, LatencyMark


def finished(alarm, good, failed, at=100.0):
    for _ in range(good):
        alarm.finished(at, failed=False)
    for _ in range(failed):
        alarm.finished(at, failed=True)


@pytest.mark.parametrize(
    ("good", "failed", "on"),
    [(95, 5, False), (94, 6, True), (0, 1, False), (0, 2, True), (38, 2, False), (37, 2, True)],
)
def test_that_more_than_five_in_a_hundred_failed_rows_are_an_alarm_but_never_one_alone(
    good, failed, on
):
    alarm = Alarm(0.05)
    finished(alarm, good, failed)
    assert alarm.look(100.0, 20) is on
    assert alarm.is_on is on
    assert alarm.cap == (10 if on else None)


def test_that_the_alarm_halves_the_limit_it_met_and_never_below_one():
    alarm = Alarm(0.05)
    finished(alarm, 0, 5)
    assert alarm.look(100.0, 1)
    assert alarm.cap == 1
    assert not alarm.look(100.0, 50)  # it is on already
    assert alarm.cap == 1


def test_that_it_ends_by_itself_once_the_last_minute_is_good():
    alarm = Alarm(0.05)
    finished(alarm, 50, 50, at=100.0)
    assert alarm.look(100.0, 20)
    finished(alarm, 30, 0, at=140.0)
    assert not alarm.look(160.0, 20)  # 50 of 130 failed
    assert alarm.look(161.0, 20)  # none of 30
    assert not alarm.is_on


def test_that_half_of_the_share_ends_it_and_a_little_less_than_the_share_does_not():
    alarm = Alarm(0.1)
    finished(alarm, 0, 4)
    assert alarm.look(100.0, 20)
    finished(alarm, 60, 0)
    assert not alarm.look(100.0, 20)  # 4 of 64
    finished(alarm, 16, 0)
    assert alarm.look(100.0, 20)  # 4 of 80


def test_that_silence_ends_it_too():
    alarm = Alarm(0.05)
    finished(alarm, 0, 9)
    assert alarm.look(100.0, 20)
    assert alarm.look(161.0, 20)


def answers(mark, seconds, *, at, count=20, limit=64, sent_at=None):
    for _ in range(count):
        mark.answered(
            at, sent_at=at if sent_at is None else sent_at, service_s=seconds, limit=limit
        )


def test_that_without_a_mark_nothing_slows_down():
    mark = LatencyMark(None)
    answers(mark, 99.0, at=1.0, count=100)
    assert mark.cap is None


def test_that_twenty_answers_above_the_mark_halve_the_ceiling_again_and_again():
    mark = LatencyMark(2.0)
    seen = []
    answers(mark, 3.0, at=1.0, count=19)
    seen.append(mark.cap)
    answers(mark, 3.0, at=1.0, count=1)
    seen.append(mark.cap)
    answers(mark, 3.0, at=9.0, count=80, sent_at=0.5)  # sent before: they say nothing new
    seen.append(mark.cap)
    for at in range(10, 17):
        answers(mark, 3.0, at=float(at))
        seen.append(mark.cap)
    assert seen == [None, 32, 32, 16, 8, 4, 2, 1, 1, 1]


def test_that_one_slow_answer_in_twenty_is_below_the_mark_and_two_are_above():
    mark = LatencyMark(2.0)
    seen = []
    answers(mark, 1.0, at=1.0, count=19)
    for _ in range(2):  # then the newest twenty hold two slow ones
        answers(mark, 9.0, at=1.0, count=1)
        seen.append(mark.cap)
    assert seen == [None, 32]


def test_that_it_rises_by_a_tenth_until_it_does_not_bind_any_more():
    mark = LatencyMark(2.0)
    answers(mark, 3.0, at=1.0)
    seen = []
    for at in range(2, 12):
        answers(mark, 1.0, at=float(at))
        seen.append(mark.cap)
    assert seen == [35, 38, 41, 45, 49, 53, 58, 63, None, None]
