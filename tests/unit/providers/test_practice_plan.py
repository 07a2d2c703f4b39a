import pytest

from batchdesk.errors import UserError
from batchdesk.providers.practice_plan import (
    After,
    Span,
    Step,
    is_out,
    parse_after,
    parse_spans,
    parse_steps,
    rpm_at,
)


def test_that_an_outage_holds_from_its_start_to_its_end():
    outages = parse_spans("10:40, 120:5")
    assert outages == (Span(10, 40), Span(120, 5))
    times = (0, 9.9, 10, 49.9, 50, 119, 120, 124.9, 125)
    assert [is_out(outages, at) for at in times] == [
        False, False, True, True, False, False, True, True, False,
    ]  # fmt: skip


def test_that_the_latest_step_holds():
    steps = parse_steps("60:1500,120:3000")
    assert steps == (Step(60, 1500), Step(120, 3000))
    assert [rpm_at(steps, at) for at in (0, 59.9, 60, 119, 120, 9999)] == [
        None, None, 1500, 1500, 3000, 3000,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("after", "let_in", "elapsed_s", "reached"),
    [
        (parse_after("500"), 499, 1e9, False),
        (parse_after("500"), 500, 0, True),
        (parse_after("0"), 0, 0, True),
        (parse_after("30s"), 10**9, 29.9, False),
        (parse_after("30s"), 0, 30, True),
        (parse_after("2.5s"), 0, 2.5, True),
        (After(), 10**9, 1e9, False),
    ],
)
def test_that_an_end_comes_after_requests_or_seconds(after, let_in, elapsed_s, reached):
    assert after.reached(let_in, elapsed_s) is reached


@pytest.mark.parametrize(
    "text", ["", "s", "x", "-1", "-1s", "nan", "nans", "1.5", "infs", "2000000"]
)
def test_that_a_wrong_end_is_told(text):
    with pytest.raises(UserError, match=r"is not understood\. Write it like 500 or 30s"):
        parse_after(text)


@pytest.mark.parametrize("text", ["10", "10:", ":5", "a:b", "-1:5", "1:nan", "1:2:3", "1:inf"])
def test_that_a_wrong_outage_is_told(text):
    with pytest.raises(UserError, match=r"is not understood\. Write it like 10:40"):
        parse_spans(text)


def test_that_steps_out_of_order_are_told():
    with pytest.raises(UserError, match="“120:3000,60:1500” is not understood"):
        parse_steps("120:3000,60:1500")


def test_that_nothing_is_planned_by_no_words():
    assert parse_spans("") == ()
    assert parse_steps("") == ()
