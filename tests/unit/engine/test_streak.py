from __future__ import annotations

import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.streak import SameFaultStreak


def seen(*kinds, others_in_flight=0):
    streak = SameFaultStreak()
    return [streak.sees(kind, others_in_flight) for kind in kinds]


CONNECT, BAD, RESET = ErrorKind.CONNECT_FAILED, ErrorKind.BAD_REQUEST, ErrorKind.CONNECTION_RESET


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.CONNECT_FAILED,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.BAD_REQUEST,
        ErrorKind.CONTEXT_TOO_LONG,
        ErrorKind.PAYLOAD_TOO_LARGE,
    ],
)
def test_that_three_in_a_row_before_any_answer_pause(kind):
    assert seen(kind, kind, kind, kind) == [False, False, True, True]


@pytest.mark.parametrize(
    "kind",
    [ErrorKind.RATE_LIMITED, ErrorKind.SERVER_ERROR, ErrorKind.READ_TIMEOUT, RESET],
)
def test_that_faults_that_pass_by_themselves_never_pause(kind):
    assert seen(*[kind] * 100) == [False] * 100


def test_that_after_an_answer_twenty_in_a_row_pause():
    assert seen(None, *[BAD] * 20) == [False] * 20 + [True]


@pytest.mark.parametrize("kind", [CONNECT, ErrorKind.CONNECT_TIMEOUT])
def test_that_a_service_that_answered_and_is_gone_is_an_outage_and_does_not_pause(kind):
    assert seen(None, *[kind] * 100) == [False] * 101


def test_that_an_unusable_answer_is_an_answer():
    assert seen(ErrorKind.MALFORMED_OUTPUT, BAD, BAD, BAD) == [False] * 4


def test_that_an_answer_or_another_fault_ends_the_row():
    assert seen(BAD, BAD, CONNECT, BAD, BAD, RESET, BAD, BAD) == [False] * 8
    assert seen(BAD, BAD, None, BAD, BAD, BAD) == [False] * 6


def test_that_an_unreachable_address_pauses_after_three_whatever_is_in_flight():
    assert seen(CONNECT, CONNECT, CONNECT, others_in_flight=50) == [False, False, True]


@pytest.mark.parametrize(("others", "first_pause"), [(0, 3), (2, 3), (3, 4), (7, 8), (50, 20)])
def test_that_bad_requests_pause_once_they_outnumber_what_may_still_be_answered(
    others, first_pause
):
    answers = seen(*[BAD] * 20, others_in_flight=others)
    assert answers.index(True) == first_pause - 1


def test_that_a_bug_of_ours_pauses_after_twenty_and_an_answer_between_begins_anew():
    bug = ErrorKind.INTERNAL
    assert seen(*[bug] * 20) == [False] * 19 + [True]
    assert seen(*[bug] * 19, None, *[bug] * 20) == [False] * 39 + [True]


FORBIDDEN, PAGE = ErrorKind.FORBIDDEN, ErrorKind.NOT_AN_API


def test_that_five_rows_that_are_forbidden_pause_but_not_one_row_five_times():
    streak = SameFaultStreak()
    assert [streak.sees(FORBIDDEN, row=7) for _ in range(20)] == [False] * 20
    assert [streak.sees(PAGE, row=row) for row in (1, 2, 3, 4)] == [False] * 3 + [True]


def test_that_an_answer_clears_the_rows_that_were_forbidden():
    streak = SameFaultStreak()
    assert not any(streak.sees(FORBIDDEN, row=row) for row in (1, 2, 3, 4))
    streak.sees(None)
    assert not any(streak.sees(FORBIDDEN, row=row) for row in (5, 6, 7, 8))


def test_that_forbidden_rows_pause_once_they_outnumber_what_may_still_be_answered():
    streak = SameFaultStreak()
    seen_by_row = [streak.sees(FORBIDDEN, 9, row) for row in range(10)]
    assert seen_by_row == [False] * 9 + [True]
