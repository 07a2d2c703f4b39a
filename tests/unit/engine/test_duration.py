from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.bench import a_job

from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.duration import ExpectedDuration, overhead_tokens, slow_timeouts
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.store.tasks import ClaimedTask

FAST, SLOW = False, True


def a_row(tokens, *, tries=0, last_error=None):
    cells = {"text": "word" * tokens, "other": "x" * 100_000}
    return ClaimedTask(1, 1, "key", cells, tries, tries, 0, last_error, None, None)


def expected(*, overhead=0.0, timeout_s=120.0):
    return ExpectedDuration(["text"], overhead, timeout_s)


def answered(one, times, count=1):
    """``times``: tokens of the row → seconds."""
    for _ in range(count):
        for tokens, seconds in times.items():
            one.learn(a_row(tokens), seconds)


def test_that_before_any_answer_rows_of_more_than_four_medians_of_tokens_are_slow():
    rows = [a_row(tokens) for tokens in [100] * 96 + [380, 430, 500, 600]]
    assert expected().sort(rows) == [FAST] * 97 + [SLOW] * 3


def test_that_instructions_longer_than_the_rows_make_rows_alike():
    rows = [a_row(tokens) for tokens in [100] * 96 + [380, 430, 500, 600]]
    assert expected(overhead=900.0).sort(rows) == [FAST] * 100


def test_that_a_fifth_of_long_rows_is_slow_as_a_whole():
    rows = [a_row(tokens) for tokens in [10] * 80 + list(range(90, 110))]
    assert expected().sort(rows) == [FAST] * 80 + [SLOW] * 20


def test_that_rows_of_one_length_are_fast():
    assert expected().sort([a_row(50) for _ in range(200)]) == [FAST] * 200


def test_that_other_columns_and_empty_cells_do_not_count():
    one = expected()
    blank = ClaimedTask(1, 1, "key", {"text": None}, 0, 0, 0, None, None, None)
    assert one.sort([blank, *[a_row(0) for _ in range(50)], a_row(3), a_row(5)])[-2:] == [
        FAST,
        SLOW,
    ]


def test_that_answers_which_take_no_longer_for_long_rows_make_them_fast():
    one = expected()
    rows = [a_row(tokens) for tokens in [100] * 96 + [1000] * 4]
    assert one.sort(rows) == [FAST] * 96 + [SLOW] * 4
    answered(one, {100: 0.8, 1000: 0.8}, 25)
    assert one.sort_again(rows) == [FAST] * 100


def test_that_seconds_follow_the_answers():
    one = expected(overhead=50.0)
    assert one.seconds(a_row(100)) is None
    answered(one, {100: 1.0, 1000: 5.5}, 100)  # half a second, and 5 ms a token
    assert one.seconds(a_row(100)) == pytest.approx(1.0, rel=0.03)
    assert one.seconds(a_row(500)) == pytest.approx(3.0, rel=0.03)
    assert one.seconds(a_row(1000)) == pytest.approx(5.5, rel=0.03)


def test_that_answers_about_rows_of_one_length_leave_time_to_the_tokens():
    one = expected(overhead=100.0)
    answered(one, {100: 0.8}, 50)  # 200 tokens with the instructions
    assert one.seconds(a_row(100)) == pytest.approx(0.8)
    assert one.seconds(a_row(1900)) == pytest.approx(8.0)


def test_that_one_answer_about_a_long_row_outweighs_the_tokens():
    one = expected(overhead=100.0)
    answered(one, {100: 0.8}, 19)
    answered(one, {1900: 1.6})
    # The tokens alone say 8 s.
    assert one.seconds(a_row(1900)) < 2.0


def test_that_rows_past_the_fast_lanes_time_limit_are_slow():
    one = expected(timeout_s=120.0)
    rows = [a_row(tokens) for tokens in [1000] * 90 + [2500] * 10]
    answered(one, {1000: 60.0}, 25)
    assert one.sort(rows) == [FAST] * 90 + [SLOW] * 10
    patient = expected(timeout_s=200.0)
    answered(patient, {1000: 60.0}, 25)
    assert patient.sort(rows) == [FAST] * 100


@pytest.mark.parametrize(
    ("tries", "last_error", "lane"),
    [
        (1, ErrorKind.READ_TIMEOUT, FAST),
        (2, ErrorKind.READ_TIMEOUT, SLOW),
        (2, ErrorKind.SERVER_ERROR, FAST),
    ],
)
def test_that_a_row_that_timed_out_twice_gets_the_slow_lanes_time(tries, last_error, lane):
    assert expected().sort_again([a_row(10, tries=tries, last_error=last_error)]) == [lane]


def test_that_twenty_answers_are_enough():
    one = expected()
    answered(one, {10: 1.0}, 19)
    assert not one.is_learned
    answered(one, {10: 1.0})
    assert one.is_learned


@given(
    st.lists(st.tuples(st.integers(0, 5000), st.floats(0, 600)), max_size=60),
    st.lists(st.integers(0, 5000), min_size=1, max_size=60),
    st.floats(0, 5000),
)
def test_that_longer_rows_are_never_faster_and_half_of_the_rows_are_fast(answers, sizes, overhead):
    one = expected(overhead=overhead, timeout_s=1e9)
    for tokens, seconds in answers:
        one.learn(a_row(tokens), seconds)
    rows = [a_row(tokens) for tokens in sorted(sizes)]
    lanes = one.sort(rows)
    assert lanes == sorted(lanes)
    assert sum(lanes) <= len(rows) / 2
    if answers:
        seconds = [one.seconds(row) for row in rows]
        assert seconds == sorted(seconds)
        assert seconds[0] >= 0


def test_that_the_overhead_is_the_request_about_an_empty_row():
    job = a_job(stage={"system": "Be brief.", "user": "Row {{ text }}"})
    builder = PromptBuilder(job, ["text"], model="m", echo_key=False)
    assert overhead_tokens(builder) == (len("Be brief.") + len("Row ")) / 4


def test_that_a_template_that_needs_its_cells_has_no_known_overhead():
    job = a_job(stage={"user": "{{ 1 / (text | length) }}"})
    builder = PromptBuilder(job, ["text"], model="m", echo_key=False)
    assert overhead_tokens(builder) == 0.0


@pytest.mark.parametrize(
    ("limits", "stream", "timeouts"),
    [
        ({}, False, (600.0, 600.0)),
        ({}, True, (60.0, 600.0)),
        ({"timeout_read_s": 10}, False, (10.0, 600.0)),
        ({"timeout_total_s": 900}, False, (900.0, 900.0)),
        ({"slow_timeout_total_s": 300}, False, (300.0, 300.0)),
    ],
)
def test_that_the_slow_lane_waits_longer_for_an_answer_but_not_for_a_hung_one(
    limits, stream, timeouts
):
    assert slow_timeouts(Limits.model_validate(limits), stream=stream) == timeouts
