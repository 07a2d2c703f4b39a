from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import Advice, AdviceCode, HoldReason, LimitReason
from batchdesk.engine.advice import Facts, HoldShares, advise

NOTHING = {HoldReason.NOTHING: 1.0}


def codes(**facts):
    facts.setdefault("holds", NOTHING)
    return [one.code for one in advise(Facts(**facts))]


def test_that_a_run_that_flows_gets_no_advice():
    assert codes() == []


def test_that_a_run_too_young_to_say_gets_none():
    assert (
        advise(Facts(failed_share=0.9, writing_share=0.9, written=999, instructions_tokens=900.0))
        == ()
    )


def test_that_an_empty_buffer_points_at_preparing():
    holds = {HoldReason.PREPARING: 0.3, HoldReason.NOTHING: 0.7}
    assert advise(Facts(holds)) == (Advice(AdviceCode.PREPARING, {"share": 0.3}),)
    assert codes(holds={HoldReason.PREPARING: 0.1, HoldReason.NOTHING: 0.9}) == []


@pytest.mark.parametrize(
    ("hold", "code"),
    [
        (HoldReason.REQUESTS_PER_MINUTE, AdviceCode.REQUESTS_LIMIT),
        (HoldReason.TOKENS_PER_MINUTE, AdviceCode.TOKENS_LIMIT),
    ],
)
def test_that_a_limit_that_holds_most_of_the_time_is_named_with_what_goes_through(hold, code):
    facts = Facts({hold: 0.75, HoldReason.NOTHING: 0.25}, requests_per_s=9.9, tokens_per_s=990.0)
    figures = {"share": 0.75, "requests_per_s": 9.9, "tokens_per_s": 990.0}
    assert advise(facts) == (Advice(code, figures),)
    assert codes(holds={hold: 0.4, HoldReason.NOTHING: 0.6}) == []


REFUSING = {HoldReason.PACE: 0.4, HoldReason.REFUSED: 0.2, HoldReason.NOTHING: 0.4}


def test_that_waiting_for_a_pace_and_stopping_after_a_refusal_are_one():
    assert codes(holds=REFUSING, answered_per_s=0.5) == [AdviceCode.LEARNED_PACE]


def test_that_a_learned_pace_is_told_by_what_was_answered():
    facts = Facts({HoldReason.PACE: 1.0}, requests_per_s=9.0, answered_per_s=0.5, tokens_per_s=20.0)
    figures = {"share": 1.0, "requests_per_s": 0.5, "tokens_per_s": 20.0}
    assert advise(facts) == (Advice(AdviceCode.LEARNED_PACE, figures),)


def test_that_a_service_that_answers_nothing_has_no_pace():
    assert codes(holds=REFUSING, requests_per_s=0.73) == []
    assert codes(holds=REFUSING, requests_per_s=0.73, failed_share=1.0) == [AdviceCode.RETRIES]


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"limit": 12, "ceiling": 200, "pinned": True}, [AdviceCode.PINNED]),
        ({"limit": 200, "ceiling": 200}, [AdviceCode.CEILING]),
        (
            {"limit": 12, "ceiling": 200, "limit_reason": LimitReason.CONFIRMED},
            [AdviceCode.SERVICE_QUEUES],
        ),
        ({"limit": 12, "ceiling": 200, "limit_reason": LimitReason.SLOW_START}, []),
        ({"limit": 12, "ceiling": 200}, []),
    ],
)
def test_that_requests_at_once_are_held_by_a_person_a_ceiling_or_the_service(facts, found):
    assert codes(holds={HoldReason.IN_FLIGHT: 0.9, HoldReason.NOTHING: 0.1}, **facts) == found


def test_that_retries_and_writing_are_named_by_their_shares():
    facts = Facts(NOTHING, failed_share=0.12, writing_share=0.4, written=500)
    assert advise(facts) == (
        Advice(AdviceCode.WRITING, {"share": 0.4}),
        Advice(AdviceCode.RETRIES, {"share": 0.12}),
    )
    assert codes(failed_share=0.09, writing_share=0.24, written=500) == []


def test_that_a_few_answers_say_nothing_of_the_disk():
    assert codes(writing_share=0.9, written=499) == []


def test_that_instructions_longer_than_the_data_are_named_last():
    facts = Facts(NOTHING, failed_share=0.12, instructions_tokens=300.0, row_tokens=100.0)
    assert advise(facts) == (
        Advice(AdviceCode.RETRIES, {"share": 0.12}),
        Advice(AdviceCode.INSTRUCTIONS, {"share": 0.75, "tokens": 300.0}),
    )
    assert codes(instructions_tokens=300.0, row_tokens=300.0) == []
    assert codes(instructions_tokens=150.0, row_tokens=10.0) == []


def test_that_shares_are_of_the_last_minute():
    holds = HoldShares()
    for quarter in range(4 * 100):
        hold = HoldReason.PACE if quarter < 4 * 85 else HoldReason.NOTHING
        holds.see(quarter / 4, hold)
        holds.see(quarter / 4 + 0.1, HoldReason.OUTAGE)  # too soon to be looked at
    shares = holds.shares()
    assert shares == {
        HoldReason.PACE: pytest.approx(0.75, abs=0.01),
        HoldReason.NOTHING: pytest.approx(0.25, abs=0.01),
    }


def test_that_a_quarter_of_a_minute_is_the_least():
    holds = HoldShares()
    holds.see(0.0, HoldReason.PACE)
    holds.see(14.9, HoldReason.PACE)
    assert holds.shares() == {}
    holds.see(15.5, HoldReason.PACE)
    assert holds.shares() == {HoldReason.PACE: 1.0}


@given(st.lists(st.tuples(st.floats(0, 1000), st.sampled_from(HoldReason)), max_size=80))
def test_that_shares_add_up_whatever_the_clock_does(looks):
    holds = HoldShares()
    for now, hold in looks:
        holds.see(now, hold)
        shares = holds.shares()
        assert not shares or sum(shares.values()) == pytest.approx(1.0)
        assert len(holds._looks) <= 301
