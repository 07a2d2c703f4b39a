"""Accuracy against labels, with figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.task import TaskState
from batchdesk.quality.evaluation import Share, evaluate

PASSED, REVIEW, ACCEPTED = TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED


def test_that_eight_of_ten_have_the_wilson_interval_49_to_94_percent():
    # z² = 3.841459; middle (0.8 + 0.192073) / 1.384146 = 0.716740; half 1.959964 / 1.384146
    # times √(0.016 + 0.009604) = 0.226577.
    share = Share(8, 10)
    assert share.value == 0.8
    assert share.interval == pytest.approx((0.490162, 0.943317), abs=1e-5)


def test_that_none_and_all_of_a_hundred_stay_within_zero_and_one():
    # z² / (n + z²) = 3.841459 / 103.841459 = 0.036994
    assert Share(0, 100).interval == pytest.approx((0.0, 0.036994), abs=1e-5)
    assert Share(100, 100).interval == pytest.approx((0.963006, 1.0), abs=1e-5)


def test_that_a_share_of_nothing_has_no_value():
    assert Share(0, 0).value is None
    assert Share(0, 0).interval is None


def test_that_missing_answers_count_end_to_end_but_not_among_the_answered():
    found = evaluate(
        {
            ("pos", "pos", PASSED): 6,
            ("pos", "neg", PASSED): 1,
            ("neg", "neg", REVIEW): 2,
            ("neg", "pos", REVIEW): 1,
            ("neg", None, TaskState.DEAD): 3,
            ("neg", "neg", TaskState.REJECTED): 1,
            ("pos", None, REVIEW): 1,
            ("pos", "pos", ACCEPTED): 1,
            ("pos", None, TaskState.SKIPPED): 50,
            ("pos", None, TaskState.PENDING): 50,
            ("", "pos", PASSED): 50,
        }
    )
    assert found is not None
    assert found.answered == Share(9, 11)
    assert found.end_to_end == Share(9, 16)
    assert found.passed == Share(7, 8)
    assert found.review == Share(2, 3)
    # recall of pos 7/8, of neg 2/3: (0.875 + 0.666667) / 2
    assert found.balanced == pytest.approx(0.770833, abs=1e-6)
    assert found.confusion == {
        ("pos", "pos"): 7,
        ("pos", "neg"): 1,
        ("neg", "neg"): 2,
        ("neg", "pos"): 1,
    }


def test_that_a_lazy_answer_has_accuracy_but_no_balance():
    found = evaluate({("pos", "pos", PASSED): 90, ("neg", "pos", PASSED): 10})
    assert found is not None
    assert found.answered.value == 0.9
    assert found.balanced == 0.5


def test_that_case_and_outer_space_make_no_class_of_their_own():
    found = evaluate(
        {
            ("Positive", "positive ", PASSED): 3,
            (" positive", "POSITIVE", PASSED): 1,
            ("neg", "Positive", PASSED): 2,
        }
    )
    assert found is not None
    assert found.confusion == {("Positive", "Positive"): 4, ("neg", "Positive"): 2}
    assert found.balanced == 0.5


@pytest.mark.parametrize(
    ("label", "answer", "right"),
    [
        ("4.0", "4", 1),
        ("4", "4.00", 1),
        ("4.5", "4.50", 1),
        ("10", "1", 0),
        ("100", "1", 0),
        ("00123", "123", 0),
        ("true", "true", 1),
        ("是", "是", 1),
    ],
)
def test_that_numbers_that_are_the_same_number_agree(label, answer, right):
    found = evaluate({(label, answer, PASSED): 1})
    assert found is not None
    assert found.answered == Share(right, 1)


def test_that_only_dead_letters_still_have_an_end_to_end_accuracy():
    found = evaluate({("pos", None, TaskState.DEAD): 4})
    assert found is not None
    assert found.answered == Share(0, 0)
    assert found.end_to_end == Share(0, 4)
    assert found.balanced is None


@pytest.mark.parametrize(
    "counted",
    [
        {},
        {("", "x", PASSED): 3},
        {("x", None, TaskState.PENDING): 3},
        {("x", None, TaskState.SKIPPED): 3},
    ],
)
def test_that_there_is_no_evaluation_without_a_finished_row_with_a_label(counted):
    assert evaluate(counted) is None


@given(
    st.dictionaries(
        st.tuples(
            st.sampled_from(["a", "A", "b", ""]),
            st.sampled_from(["a", "b ", None]),
            st.sampled_from(list(TaskState)),
        ),
        st.integers(1, 50),
    )
)
def test_that_the_parts_add_up(counted):
    found = evaluate(counted)
    if found is None:
        return
    assert found.passed.of + found.review.of == found.answered.of == sum(found.confusion.values())
    assert found.passed.right + found.review.right == found.answered.right == found.end_to_end.right
    assert found.answered.of <= found.end_to_end.of
    assert found.balanced is None or 0 <= found.balanced <= 1


@given(st.integers(1, 10**6), st.data())
def test_that_the_interval_holds_the_share(of, data):
    share = Share(data.draw(st.integers(0, of)), of)
    assert share.interval is not None
    low, high = share.interval
    assert share.value is not None
    assert 0 <= low <= share.value + 1e-9
    assert share.value - 1e-9 <= high <= 1
