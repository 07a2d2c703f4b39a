"""Told limits: even sending at 0.99 of them, tokens settled, the words of a refusal."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.gate_parts import Driver, until

from batchdesk.domain.chat import RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.engine.told import ToldRequests, ToldTokens


def test_that_sixty_a_minute_go_evenly_at_99_percent_without_an_initial_burst():
    driver = Driver(ToldRequests(60))

    driver.send(1000.0)
    hold = driver.hold(1000.0)

    # the catch-up lets the first one count from 0.02 s earlier
    assert hold is not None
    assert hold.reason is HoldReason.REQUESTS_PER_MINUTE
    assert until(hold) == pytest.approx(1000.0 - 0.02 + 1 / 0.99)


def test_that_a_minute_of_sending_uses_99_percent_of_the_limit():
    times = Driver(ToldRequests(3000)).send_all(until=1060.0, since=1000.0)

    assert len(times) == pytest.approx(2970, abs=2)


def test_that_after_an_idle_hour_there_is_no_burst():
    driver = Driver(ToldRequests(60))
    driver.send(1000.0)

    driver.send(4600.0)

    assert until(driver.hold(4600.0)) == pytest.approx(4600.0 - 0.02 + 1 / 0.99)


def test_that_nothing_told_holds_nothing_back():
    driver = Driver(ToldRequests(None))

    assert len([driver.send(1000.0) for _ in range(500)]) == 500


def test_that_the_words_of_a_refusal_are_a_told_limit():
    changes: list[LimitChange] = []
    part = ToldRequests(None, changes.append)
    driver = Driver(part)

    driver.refuse(driver.send(1000.0), 1000.1, limits=RateLimits(told_rpm=600))

    assert part.per_second == pytest.approx(9.9)
    assert part.limit_per_second == pytest.approx(10)
    assert changes == [LimitChange(1000.1, LimitKind.PACE, None, 9.9, LimitReason.TOLD)]


@pytest.mark.parametrize(("told", "named", "counts"), [(60, 600, 60), (600, 60, 60)])
def test_that_of_the_job_and_the_words_the_smaller_limit_counts(told, named, counts):
    part = ToldRequests(told)
    driver = Driver(part)

    driver.refuse(driver.send(1000.0), 1000.1, limits=RateLimits(told_rpm=named))

    assert part.limit_per_second == pytest.approx(counts / 60)


def test_that_later_words_replace_earlier_ones():
    part = ToldRequests(None)
    driver = Driver(part)

    driver.refuse(driver.send(1000.0), 1000.1, limits=RateLimits(told_rpm=60))
    driver.refuse(driver.send(1010.0), 1010.1, limits=RateLimits(told_rpm=120))

    assert part.limit_per_second == pytest.approx(2)


def test_that_words_that_name_nothing_sensible_are_ignored():
    part = ToldRequests(None)
    driver = Driver(part)

    for named in (0.0, -5.0, math.inf, math.nan):
        driver.refuse(driver.send(1000.0), 1000.1, limits=RateLimits(told_rpm=named))

    assert part.per_second is None


def test_that_a_person_may_tell_another_limit_or_take_it_back():
    part = ToldRequests(6)
    driver = Driver(part)
    driver.send(1000.0)  # paid off after 10.1 s
    assert until(driver.hold(1000.0)) == pytest.approx(1010.081, abs=0.001)

    part.set(60, 1000.0)
    assert until(driver.hold(1000.0)) == pytest.approx(1001.008, abs=0.001)

    part.set(None, 1000.0)
    assert driver.hold(1000.0) is None


def test_that_tokens_are_reserved_as_estimated_and_settled_on_the_answer():
    driver = Driver(ToldTokens(6000))  # 99 a second

    ticket = driver.send(1000.0, tokens=990)
    assert until(driver.hold(1000.0)) == pytest.approx(1009.98)

    driver.answer(ticket, 1001.0, tokens=198)
    assert until(driver.hold(1001.0)) == pytest.approx(1001.98)


def test_that_a_request_above_the_whole_minute_goes_alone_and_pays_afterwards():
    driver = Driver(ToldTokens(600))  # 9.9 a second

    driver.send(1000.0, tokens=1980)

    assert until(driver.hold(1000.0, tokens=1)) == pytest.approx(1199.98)


def test_that_words_about_tokens_tell_tokens_alone():
    tokens, requests = ToldTokens(None), ToldRequests(None)
    limits = RateLimits(told_tpm=6000)
    for part in (tokens, requests):
        driver = Driver(part)
        driver.refuse(driver.send(1000.0), 1000.1, limits=limits)

    assert tokens.limit_per_second == pytest.approx(100)
    assert requests.per_second is None


@given(
    st.lists(
        st.tuples(
            st.floats(0, 5000),  # seconds until it is sent
            st.floats(0, 5000),  # estimated
            st.none() | st.floats(0, 5000),  # used
        ),
        max_size=60,
    )
)
def test_that_no_schedule_of_tokens_exceeds_the_told_rate(requests):
    driver = Driver(ToldTokens(6000))
    now, started, used, largest = 1000.0, None, 0.0, 0.0
    for wait_s, estimate, real in requests:
        now += wait_s
        hold = driver.hold(now, estimate)
        if hold is not None:
            now = max(now, until(hold))
            assert driver.hold(now, estimate) is None  # the time named is the time
        started = now if started is None else started
        ticket = driver.send(now, estimate)
        driver.answer(ticket, now, tokens=real)
        spent = estimate if real is None else real
        used, largest = used + spent, max(largest, spent)
        # never more than the rate by more than one request and the catch-up
        assert used <= 99 * (now - started + 0.03) + largest + 1e-3
