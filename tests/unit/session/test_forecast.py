from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import Usage
from batchdesk.domain.price import Rate, Rates
from batchdesk.session.forecast import (
    Kept,
    Pace,
    Range,
    Sample,
    Work,
    as_json,
    cost_of,
    forecast,
    from_json,
    held_against,
)

PACE = Pace(reached=20, ceiling=200)
RATES = Rates("USD", Rate(Decimal(2)), Rate(Decimal(8)), cached_input=Rate(Decimal(1)))


def sample(size=100, **changes):
    """A row whose request is 50 tokens and a quarter of its size; the answer is 10."""
    values = {
        "size": size, "attempts": 1, "answered": 1, "input_tokens": 50 + size // 4,
        "output_tokens": 10, "cached_tokens": None, "reasoning_tokens": None, "service_s": 0.5,
        **changes,
    }  # fmt: skip
    return Sample(**values)


def promised(samples, work, pace=PACE, *, rates=RATES):
    return forecast(samples, work, pace, rates=rates, instructions=40)


def test_that_tokens_follow_the_size_of_the_rows_that_were_not_tried():
    found = promised([sample(size) for size in range(40, 440, 20)], Work(1000, 400_000))
    assert found.input_tokens.likely == pytest.approx(150_000)  # 50 + 400 / 4 each
    assert found.output_tokens.likely == pytest.approx(10_000)
    assert found.instructions == pytest.approx(40_000)
    assert found.input_tokens.low == pytest.approx(147_000)  # two per cent at least
    assert found.input_tokens.high == pytest.approx(153_000 * found.requests.high / 1000)


def test_that_money_is_tokens_by_their_rates():
    found = promised([sample(100)] * 20, Work(1000, 100_000))
    assert found.micros.likely == pytest.approx(75_000 * 2 + 10_000 * 8)
    assert found.instructions_micros == pytest.approx(40_000 * 2)
    cached = promised([sample(100, cached_tokens=75)] * 20, Work(1000, 100_000))
    assert cached.micros.likely == pytest.approx(75_000 * 1 + 10_000 * 8)
    assert cached.micros.high > 75_000 * 2 + 10_000 * 8  # at worst no cache helps
    assert promised([sample()], Work(10, 1000), rates=None).micros is None
    usage = Usage(input_tokens=75_000, output_tokens=10_000, cached_tokens=75_000)
    assert cost_of(usage, 1000, RATES) == pytest.approx(75_000 + 80_000)


def test_that_unknown_tokens_stay_unknown():
    found = promised([sample(input_tokens=None, output_tokens=None)] * 5, Work(10, 1000))
    assert (found.input_tokens, found.output_tokens, found.micros) == (None, None, None)
    assert found.seconds is not None


def test_that_retries_are_expected_as_often_as_they_came():
    found = promised([sample()] * 15 + [sample(attempts=3, answered=2)] * 5, Work(1000, 100_000))
    assert found.requests.likely == pytest.approx(1500)
    assert found.requests.low == pytest.approx(1224, abs=1)  # Wilson: 11.2 % to 46.9 % of the rows
    assert found.requests.high == pytest.approx(1938, abs=1)
    none = promised([sample()] * 40, Work(1000, 100_000)).requests
    assert (none.low, none.likely) == (1000, 1000)
    assert none.high == pytest.approx(1088, abs=1)  # 0 of 40: up to 8.8 %


def test_that_rows_that_were_answered_before_are_not_asked():
    found = promised([sample()] * 20, Work(100, 10_000, reused=20, too_long=3))
    assert (found.rows, found.reused, found.too_long) == (80, 20, 3)
    assert found.requests.likely == 80
    nothing = promised([sample()] * 20, Work(20, 2000, reused=20))
    assert (nothing.requests.likely, nothing.input_tokens, nothing.micros) == (
        0, Range(0, 0, 0), Range(0, 0, 0),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pace", "bound_by", "likely"),
    [
        (replace(PACE, requests_per_s=2.0), "requests", 501.0),  # 1000 / 2, and the start
        (replace(PACE, tokens_per_s=170.0), "tokens", 501.0),  # 85 tokens each
        (Pace(10, 10), "pinned", 51.0),  # 10 at once of 0.5 s each
        (PACE, "service", 8.9),  # between 40 and 400 a second
        (replace(PACE, requests_per_s=1e6), "service", 8.9),
    ],
)
def test_that_the_tightest_limit_decides_the_time(pace, bound_by, likely):
    found = promised([sample()] * 20, Work(1000, 100_000), pace)
    assert found.bound_by == bound_by
    assert found.seconds.likely == pytest.approx(likely, rel=0.02)
    assert found.seconds.low < found.seconds.likely < found.seconds.high


def test_that_a_service_that_queues_is_not_promised_to_be_faster_with_more_at_once():
    samples = [sample(service_s=0.1)] * 3 + [sample(service_s=1.0)] * 17
    queueing = promised(samples, Work(1000, 100_000))
    assert queueing.seconds.low > 1000 / (20 / 0.865) / 1.6


def test_that_nothing_is_promised_without_an_answer():
    assert promised([], Work(10, 1000)) is None
    assert promised([sample(answered=0)], Work(10, 1000)) is None


def test_that_a_promise_is_read_as_it_was_kept():
    found = promised([sample()] * 5, Work(100, 10_000))
    assert from_json(as_json(found)) == found


def test_that_a_promise_is_held_against_the_truth():
    found = promised([sample()] * 40, Work(1000, 100_000))
    truth = {"requests": 1000, "input_tokens": 200_000}
    assert held_against(found, truth, is_finished=True) == [
        Kept("requests", found.requests, 1000, is_kept=True),
        Kept("input_tokens", found.input_tokens, 200_000, is_kept=False),
    ]
    assert held_against(found, truth, is_finished=False)[1].is_kept is None


@pytest.mark.parametrize(
    ("took", "asked", "is_kept", "spared"),
    [
        (679, 679, False, 321),
        (679, None, False, 0),
        (679, 1000, False, 0),  # all rows were asked, so no reuse explains it
        (300, 679, False, 0),  # less than 1000 - 2 * 321
        (1000, 999, True, 0),
        (5000, 679, False, 0),  # more than promised is never explained by reuse
    ],
)
def test_that_less_than_promised_is_told_from_a_broken_promise(took, asked, is_kept, spared):
    found = promised([sample()] * 40, Work(1000, 100_000))
    [kept] = held_against(found, {"requests": took}, is_finished=True, asked=asked)
    assert (kept.is_kept, kept.spared) == (is_kept, spared)


def test_that_nineteen_promises_in_twenty_are_kept():
    rng = random.Random(7)
    kept = 0
    for _ in range(300):
        sizes = [rng.lognormvariate(5, 0.8) for _ in range(500)]
        rows = [sample(int(size), input_tokens=int(50 + size / 4 * rng.uniform(0.7, 1.3)),
                       output_tokens=rng.randint(5, 60)) for size in sizes]  # fmt: skip
        work = Work(500, sum(one.size for one in rows))
        found = promised(rng.sample(rows, 20), work)
        kept += found.input_tokens.holds(sum(one.input_tokens for one in rows))
        kept += found.output_tokens.holds(sum(one.output_tokens for one in rows))
    assert kept / 600 >= 0.94


@given(
    st.lists(
        st.builds(
            sample, st.integers(0, 10_000), attempts=st.integers(1, 9),
            answered=st.integers(0, 1), output_tokens=st.none() | st.integers(0, 9999),
            service_s=st.floats(0, 100),
        ),
        max_size=30,
    ),
    st.builds(Work, st.integers(0, 9999), st.integers(0, 10**6), st.integers(0, 50)),
    st.builds(Pace, st.integers(1, 9), st.integers(1, 99),
              st.none() | st.floats(0.01, 99), st.none() | st.floats(0.01, 1e6)),
)  # fmt: skip
def test_that_likely_lies_between_low_and_high(samples, work, pace):
    found = promised(samples, work, pace)
    if found is None:
        return
    for name in ("requests", "input_tokens", "output_tokens", "micros", "seconds"):
        one = getattr(found, name)
        if one is not None:
            assert 0 <= one.low <= one.likely + 1e-6
            assert one.likely <= one.high + 1e-6
