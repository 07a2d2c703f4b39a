from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.retry import Action, Failure, RetryDecision, backoff_s, decide

RETRY, REVIEW, DEAD, PAUSE = Action.RETRY, Action.REVIEW, Action.DEAD, Action.PAUSE


class FixedRandom(random.Random):
    """Draws the upper end of every range."""

    def uniform(self, a, b):
        assert a == 0.0
        return b


def decided(kind, *, limits=None, **known):
    failure = Failure(kind, **{"tries": 0, "attempts": 0, **known})
    return decide(failure, limits or Limits(), FixedRandom())


# The table of the design, one line per kind: the first failure of a fresh row, no hint.
# (action, wait in seconds with the highest jitter, counts toward attempts_max, asks anew)
FIRST_FAILURE = [
    (ErrorKind.RATE_LIMITED, RETRY, 1.0, False, False),
    (ErrorKind.CONNECT_FAILED, RETRY, 1.0, False, False),
    (ErrorKind.OVERLOADED, RETRY, 1.0, True, False),
    (ErrorKind.SERVER_ERROR, RETRY, 1.0, True, False),
    (ErrorKind.CONNECT_TIMEOUT, RETRY, 1.0, True, False),
    (ErrorKind.READ_TIMEOUT, RETRY, 1.0, True, False),
    (ErrorKind.CONNECTION_RESET, RETRY, 1.0, True, False),
    (ErrorKind.MALFORMED_OUTPUT, RETRY, 0.0, True, True),
    (ErrorKind.EMPTY_OUTPUT, RETRY, 0.0, True, True),
    (ErrorKind.MISALIGNED, RETRY, 0.0, True, True),
    (ErrorKind.TRUNCATED, REVIEW, 0.0, True, False),
    (ErrorKind.CONTENT_FILTERED, REVIEW, 0.0, True, False),
    (ErrorKind.QUOTA_EXHAUSTED, PAUSE, 0.0, False, False),
    (ErrorKind.AUTH, PAUSE, 0.0, False, False),
    (ErrorKind.FORBIDDEN, PAUSE, 0.0, False, False),
    (ErrorKind.MODEL_NOT_FOUND, PAUSE, 0.0, False, False),
    (ErrorKind.NOT_AN_API, PAUSE, 0.0, False, False),
    (ErrorKind.STORAGE_FULL, PAUSE, 0.0, False, False),
    (ErrorKind.DEADLINE_EXCEEDED, DEAD, 0.0, True, False),
    (ErrorKind.BAD_REQUEST, DEAD, 0.0, True, False),
    (ErrorKind.CONTEXT_TOO_LONG, DEAD, 0.0, True, False),
    (ErrorKind.PAYLOAD_TOO_LARGE, DEAD, 0.0, True, False),
    (ErrorKind.TEMPLATE_FAILED, DEAD, 0.0, True, False),
    (ErrorKind.INTERNAL, DEAD, 0.0, True, False),
]


@pytest.mark.parametrize(("kind", "action", "wait_s", "counted", "anew"), FIRST_FAILURE)
def test_that_the_first_failure_of_each_kind_is_decided_as_the_table_says(
    kind, action, wait_s, counted, anew
):
    expected = RetryDecision(action, wait_s, counted=counted, asks_anew=anew)
    assert decided(kind) == expected


def test_that_the_table_has_a_line_for_every_kind():
    assert {line[0] for line in FIRST_FAILURE} == set(ErrorKind)


def test_that_an_answer_cut_off_is_asked_for_once_more_if_it_may_be_longer():
    assert decided(ErrorKind.TRUNCATED, can_lengthen=True) == RetryDecision(RETRY, asks_anew=True)
    second = decided(ErrorKind.TRUNCATED, can_lengthen=True, content_try=1, tries=1, attempts=1)
    assert second.action is REVIEW


@pytest.mark.parametrize(
    "kind", [ErrorKind.MALFORMED_OUTPUT, ErrorKind.EMPTY_OUTPUT, ErrorKind.MISALIGNED]
)
def test_that_a_second_unusable_answer_goes_to_a_person(kind):
    assert decided(kind, content_try=1, tries=1, attempts=1).action is REVIEW


@pytest.mark.parametrize(
    "kind",
    [
        ErrorKind.MALFORMED_OUTPUT,
        ErrorKind.EMPTY_OUTPUT,
        ErrorKind.MISALIGNED,
        ErrorKind.TRUNCATED,
    ],
)
def test_that_an_answer_at_the_last_try_goes_to_a_person_not_to_the_dead_letters(kind):
    assert decided(kind, tries=4, attempts=4, can_lengthen=True) == RetryDecision(REVIEW)
    late = decided(kind, active_s=3600.1, can_lengthen=True)
    assert late == RetryDecision(REVIEW)


@pytest.mark.parametrize("kind", [ErrorKind.BAD_REQUEST, ErrorKind.CONTEXT_TOO_LONG])
def test_that_a_model_that_refuses_a_longer_answer_leaves_the_cut_one_to_a_person(kind):
    assert decided(kind, content_try=1, lengthened=True) == RetryDecision(REVIEW)
    assert decided(kind, content_try=1).action is DEAD


@pytest.mark.parametrize(
    ("tries", "action"), [(0, RETRY), (3, RETRY), (4, DEAD), (5, DEAD), (9, DEAD)]
)
def test_that_the_fifth_try_that_counts_is_the_last(tries, action):
    decision = decided(ErrorKind.SERVER_ERROR, tries=tries, attempts=tries)
    assert decision.action is action
    assert decision.late is False


@pytest.mark.parametrize(("attempts_max", "tries", "action"), [(1, 0, DEAD), (2, 0, RETRY)])
def test_that_attempts_max_is_the_number_of_tries_that_count(attempts_max, tries, action):
    limits = Limits(attempts_max=attempts_max)
    decision = decided(ErrorKind.READ_TIMEOUT, limits=limits, tries=tries)
    assert decision.action is action


@pytest.mark.parametrize("kind", [ErrorKind.RATE_LIMITED, ErrorKind.CONNECT_FAILED])
def test_that_a_refusal_after_any_number_of_tries_is_tried_again(kind):
    decision = decided(kind, tries=4, attempts=500)
    assert (decision.action, decision.counted) == (RETRY, False)


def test_that_an_overload_with_a_hint_is_a_refusal_and_without_one_a_try():
    assert decided(ErrorKind.OVERLOADED, tries=4, hint_s=2.0).action is RETRY
    assert decided(ErrorKind.OVERLOADED, tries=4).action is DEAD
    assert decided(ErrorKind.OVERLOADED, hint_s=0.0).counted is False


# Base 1 s, cap 60 s, highest jitter: 1, 2, 4, 8, 16, 32, 60, 60 …
@pytest.mark.parametrize(
    ("number", "ceiling"),
    [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (2000, 60)],
)
def test_that_the_wait_doubles_up_to_the_cap(number, ceiling):
    assert backoff_s(number, Limits(), FixedRandom()) == ceiling


def test_that_a_refusal_backs_off_by_all_attempts_and_a_fault_by_those_that_count():
    assert decided(ErrorKind.RATE_LIMITED, tries=1, attempts=3).wait_s == 8.0
    assert decided(ErrorKind.SERVER_ERROR, tries=1, attempts=3).wait_s == 2.0


@pytest.mark.parametrize(
    ("hint_s", "attempts", "wait_s"),
    [(None, 2, 4.0), (3.0, 2, 4.0), (4.5, 2, 4.5), (300.0, 2, 300.0), (300.0, 20, 300.0)],
)
def test_that_the_wait_is_the_longer_of_hint_and_backoff(hint_s, attempts, wait_s):
    decision = decided(ErrorKind.RATE_LIMITED, attempts=attempts, hint_s=hint_s)
    assert decision.wait_s == wait_s


def test_that_a_hint_counts_for_server_errors_too():
    assert decided(ErrorKind.SERVER_ERROR, hint_s=7.0).wait_s == 7.0


@pytest.mark.parametrize(
    ("active_s", "hint_s", "late"),
    [(3590.0, 10.0, False), (3590.0, 10.1, True), (0.0, 3600.0, False), (3600.0, None, True)],
)
def test_that_a_row_whose_wait_would_end_after_its_time_is_dead(active_s, hint_s, late):
    decision = decided(ErrorKind.SERVER_ERROR, active_s=active_s, hint_s=hint_s)
    assert decision.late is late
    assert decision.action is (DEAD if late else RETRY)


REFUSALS = [ErrorKind.RATE_LIMITED, ErrorKind.CONNECT_FAILED, ErrorKind.OVERLOADED]


@pytest.mark.parametrize("kind", REFUSALS)
def test_that_a_refusal_is_never_too_late(kind):
    decision = decided(kind, active_s=9999.0, hint_s=70.0)
    assert decision == RetryDecision(RETRY, 70.0, counted=False)


@pytest.mark.parametrize("kind", [ErrorKind.RATE_LIMITED, ErrorKind.OVERLOADED])
@pytest.mark.parametrize(("hint_s", "action"), [(900.0, RETRY), (900.1, PAUSE), (1e8, PAUSE)])
def test_that_a_refusal_for_longer_than_a_quarter_of_an_hour_pauses(kind, hint_s, action):
    decision = decided(kind, hint_s=hint_s)
    assert (decision.action, decision.counted) == (action, False)


@given(
    number=st.integers(1, 5000),
    base=st.floats(0.001, 100),
    cap=st.floats(0.001, 1000),
    seed=st.integers(),
)
def test_that_jitter_is_full_and_never_above_the_ceiling(number, base, cap, seed):
    limits = Limits(retry_wait_base_s=base, retry_wait_max_s=cap)
    ceiling = min(cap, base * 2.0 ** min(number - 1, 30))
    assert 0.0 <= backoff_s(number, limits, random.Random(seed)) <= ceiling


def test_that_jitter_covers_the_whole_range_evenly():
    rng = random.Random(1)
    waits = [backoff_s(4, Limits(), rng) for _ in range(4000)]  # 0 to 8 s
    quarters = [sum(low <= wait < low + 2 for wait in waits) for low in (0, 2, 4, 6)]
    assert all(900 <= quarter <= 1100 for quarter in quarters)


@given(
    kind=st.sampled_from(ErrorKind),
    tries=st.integers(0, 10),
    extra=st.integers(0, 100),
    content_try=st.integers(0, 2),
    hint_s=st.none() | st.floats(0, 10_000),
    can_lengthen=st.booleans(),
    active_s=st.floats(0, 10_000),
    seed=st.integers(),
)
def test_that_no_decision_goes_beyond_the_limits(
    *, kind, tries, extra, content_try, hint_s, can_lengthen, active_s, seed
):
    limits = Limits()
    failure = Failure(
        kind,
        tries=tries,
        attempts=tries + extra,
        content_try=content_try,
        hint_s=hint_s,
        can_lengthen=can_lengthen,
        active_s=active_s,
    )
    decision = decide(failure, limits, random.Random(seed))
    if decision.action is RETRY:
        assert active_s + decision.wait_s <= 3600 or not decision.counted
        assert decision.wait_s >= (hint_s or 0.0) or decision.asks_anew
        assert not decision.counted or tries + 1 < 5
        assert not decision.asks_anew or content_try == 0
    else:
        assert decision.wait_s == 0.0
        assert not decision.asks_anew
    assert decision.late <= (decision.action is DEAD)


PERHAPS_THE_ROWS = [ErrorKind.FORBIDDEN, ErrorKind.MODEL_NOT_FOUND, ErrorKind.NOT_AN_API]


@pytest.mark.parametrize("kind", PERHAPS_THE_ROWS)
def test_that_what_stops_one_row_among_answered_ones_is_tried_again_and_then_dead(kind):
    assert decided(kind, answered=True) == RetryDecision(RETRY, 1.0)
    assert decided(kind, answered=True, tries=4, attempts=4).action is DEAD
    assert decided(kind, tries=4, attempts=4) == RetryDecision(PAUSE, counted=False)


@pytest.mark.parametrize("kind", [ErrorKind.AUTH, ErrorKind.QUOTA_EXHAUSTED])
def test_that_a_wrong_key_and_an_empty_account_pause_whatever_came_before(kind):
    assert decided(kind, answered=True, tries=1).action is PAUSE
