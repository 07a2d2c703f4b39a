import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import NO_LIMITS, LimitState, RateLimits
from batchdesk.providers.limit_headers import limits_of, reset_s

NOW = 1_750_000_000.0  # 2025-06-15T15:06:40Z


def requests_of(**headers: str) -> LimitState | None:
    return limits_of({k.replace("_", "-"): v for k, v in headers.items()}, NOW).requests


def test_that_openai_and_its_kin_tell_both_limits():
    headers = {
        "content-type": "application/json",
        "x-ratelimit-limit-requests": "5000",
        "x-ratelimit-remaining-requests": "4999",
        "x-ratelimit-reset-requests": "12ms",
        "x-ratelimit-limit-tokens": "160000",
        "x-ratelimit-remaining-tokens": "159976",
        "x-ratelimit-reset-tokens": "6m0s",
    }
    assert limits_of(headers, NOW) == RateLimits(
        LimitState(5000, 4999, 0.012), LimitState(160_000, 159_976, 360)
    )


def test_that_anthropic_tells_its_resets_as_dates():
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2025-06-15T15:06:42Z",
        "anthropic-ratelimit-tokens-limit": "50000",
        "anthropic-ratelimit-tokens-remaining": "48000",
        "anthropic-ratelimit-tokens-reset": "2025-06-15T15:07:10+00:00",
    }
    assert limits_of(headers, NOW) == RateLimits(
        LimitState(50, 49, 2.0), LimitState(50_000, 48_000, 30.0)
    )


def test_that_a_limit_of_input_tokens_stands_for_tokens_where_there_is_no_other():
    headers = {
        "anthropic-ratelimit-input-tokens-limit": "40000",
        "anthropic-ratelimit-input-tokens-remaining": "39000",
        "anthropic-ratelimit-output-tokens-limit": "8000",
    }
    assert limits_of(headers, NOW).tokens == LimitState(40_000, 39_000)


def test_that_a_date_is_measured_by_the_services_own_clock():
    headers = {
        "date": "Sun, 15 Jun 2025 15:06:40 GMT",
        "x-ratelimit-limit": "20",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1750000030000",
    }
    an_hour_late = NOW + 3600
    assert limits_of(headers, an_hour_late).requests == LimitState(20, 0, 30.0)


def test_that_openrouter_tells_its_headers_within_the_body():
    body = {
        "error": {
            "message": "Rate limit exceeded: free-models-per-min. ",
            "code": 429,
            "metadata": {
                "headers": {
                    "X-RateLimit-Limit": "20",
                    "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1750000020000",
                }
            },
        }
    }
    assert limits_of({}, NOW, words="Rate limit exceeded", body=body).requests == LimitState(
        20, 0, 20.0
    )


def test_that_mistral_names_the_minute():
    headers = {
        "x-ratelimit-limit-tokens-minute": "5000000",
        "x-ratelimit-remaining-tokens-minute": "4999911",
        "x-ratelimit-tokens-query-cost": "52",
        "x-ratelimit-limit-req-minute": "720",
        "x-ratelimit-remaining-req-minute": "717",
    }
    assert limits_of(headers, NOW) == RateLimits(
        LimitState(720, 717), LimitState(5_000_000, 4_999_911)
    )


def test_that_azure_without_limits_says_nothing_and_its_other_spelling_is_read():
    only_left = {"x-ratelimit-remaining-requests": "79", "x-ratelimit-remaining-tokens": "61353"}
    assert limits_of(only_left, NOW) == NO_LIMITS
    nonsense = {
        "x-ratelimit-limit-tokens": "-1",
        "x-ratelimit-remaining-tokens": "-1",
        "x-ratelimit-reset-tokens": "0",
    }
    assert limits_of(nonsense, NOW) == NO_LIMITS
    spelled = {"x-ratelimit-limit-tokens": "90000", "x-rate-limit-reset-tokens": "55"}
    assert limits_of(spelled, NOW).tokens == LimitState(90_000, None, 55)


def test_that_groqs_requests_of_a_day_are_passed_over():
    headers = {
        "x-groq-region": "us-west-1",
        "x-ratelimit-limit-requests": "14400",
        "x-ratelimit-remaining-requests": "14399",
        "x-ratelimit-reset-requests": "6s",
        "x-ratelimit-limit-tokens": "18000",
        "x-ratelimit-remaining-tokens": "17997",
        "x-ratelimit-reset-tokens": "10ms",
    }
    assert limits_of(headers, NOW) == RateLimits(None, LimitState(18_000, 17_997, 0.01))


def test_that_limits_of_a_second_are_not_taken_for_those_of_a_minute():
    headers = {"x-ratelimit-limit": "10", "x-ratelimit-reset": "1", "x-tokenlimit-limit": "3000"}
    assert limits_of(headers, NOW) == NO_LIMITS


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (
            {"ratelimit-limit": "300", "ratelimit-remaining": "280", "ratelimit-reset": "53"},
            LimitState(300, 280, 53),
        ),
        # 100 in 10 s are 600 in a minute; what is left stays what is left.
        (
            {
                "ratelimit-limit": "100, 100;w=10",
                "ratelimit-remaining": "60",
                "ratelimit-reset": "4",
            },
            LimitState(600, 60, 4),
        ),
        (
            {"ratelimit-limit": "100", "ratelimit-policy": "100;w=60, 5000;w=3600"},
            LimitState(100),
        ),
        # Of an hour: its reset says that it is no limit per minute.
        (
            {"ratelimit-limit": "5000", "ratelimit-policy": "5000;w=3600", "ratelimit-reset": "9"},
            LimitState(5000, None, 3600),
        ),
        ({"ratelimit": "limit=100, remaining=50, reset=30"}, LimitState(100, 50, 30)),
        (
            {"ratelimit": '"default";r=50;t=30', "ratelimit-policy": '"default";q=120;w=60'},
            LimitState(120, 50, 30),
        ),
        # What is left of a second is old when it arrives.
        (
            {"ratelimit": '"a";r=3;t=1', "ratelimit-policy": '"b";q=9;w=60,"a";q=5;w=1'},
            LimitState(300, None, 1),
        ),
        ({"ratelimit": '"a";r=3;t=1'}, None),
    ],
)
def test_that_the_proposed_standard_is_read_in_all_its_drafts(headers, expected):
    assert limits_of(headers, NOW).requests == expected


@pytest.mark.parametrize(
    "limit",
    ["-1", "0", "inf", "nan", "1e9", "", "many", "٦٠", "６０", "1_000", "9" * 13, "9" * 400, "²"],
)
def test_that_a_limit_that_makes_no_sense_is_none(limit):
    headers = {"x-ratelimit-limit-requests": limit, "x-ratelimit-remaining-requests": "3"}
    assert limits_of(headers, NOW) == NO_LIMITS


def test_that_nonsense_beside_a_limit_leaves_the_limit():
    state = requests_of(
        x_ratelimit_limit_requests="60",
        x_ratelimit_remaining_requests="-4",
        x_ratelimit_reset_requests="soon",
    )
    assert state == LimitState(60)


def test_that_no_more_is_left_than_there_is():
    state = requests_of(x_ratelimit_limit_requests="60", x_ratelimit_remaining_requests="9000")
    assert state == LimitState(60, 60)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("6m0s", 360.0),
        ("1s", 1.0),
        ("12ms", 0.012),
        ("120µs", 0.00012),
        ("2m59.56s", 179.56),
        ("1h2m3s", 3723.0),
        ("1d", 86400.0),
        (" 17 ", 17.0),
        ("0.5", 0.5),
        ("1750000007", 7.0),
        ("1750000007500", 7.5),
        ("1749999999", 0.0),  # over already
        ("2025-06-15T15:06:45Z", 5.0),
        ("2025-06-15T17:06:45.500+02:00", 5.5),
        ("2025-06-15T15:06:45", 5.0),
        ("Sun, 15 Jun 2025 15:07:40 GMT", 60.0),
    ],
)
def test_that_a_reset_is_understood_in_every_form(text, seconds):
    assert reset_s(text, NOW) == pytest.approx(seconds, abs=1e-5)


@pytest.mark.parametrize(
    "text",
    ["", "-3", "soon", "inf", "nan", "٣", "1m٣s", "6m 0s", "500000000", "1e12", "1 fortnight",
     "9999-99-99T00:00:00Z", "9" * 15, "8888-01-01T00:00:00Z"],
)  # fmt: skip
def test_that_a_reset_that_makes_no_sense_is_none(text):
    assert reset_s(text, NOW) is None


NAMES = st.sampled_from(
    [
        "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests",
        "x-ratelimit-reset-requests", "x-ratelimit-limit-tokens", "x-ratelimit-reset-tokens",
        "anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-reset", "date",
        "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit",
        "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy",
    ]
)  # fmt: skip
VALUES = st.one_of(
    st.text(max_size=40),
    st.text(alphabet='0123456789.,;=-"qrwtdhms: TZ+', max_size=40),
    st.integers(-(10**20), 10**20).map(str),
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.floats(allow_nan=True).map(str),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "metadata", "headers", "details", "violations", "quotaId", "quotaValue"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


def sane(state: LimitState | None) -> bool:
    if state is None:
        return True
    numbers = [n for n in (state.limit, state.remaining, state.reset_s) if n is not None]
    return state.limit > 0 and all(math.isfinite(n) and n >= 0 for n in numbers)


@given(
    headers=st.dictionaries(NAMES, VALUES, max_size=8),
    now=st.floats(0, 4e9),
    words=st.text(max_size=200),
    body=JSON,
)
def test_that_no_headers_raise_and_what_is_told_is_finite(headers: Any, now, words, body):
    told = limits_of(headers, now, words=words, body=body)
    assert sane(told.requests)
    assert sane(told.tokens)
