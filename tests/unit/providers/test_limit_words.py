import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import NO_LIMITS
from batchdesk.providers.limit_words import told_in


def told(words: str) -> dict[str, float]:
    limits = told_in(words)
    names = {"rpm": limits.told_rpm, "tpm": limits.told_tpm, "at_once": limits.told_concurrency}
    return {name: value for name, value in names.items() if value is not None}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            (
                "Your account org-e664b178c0f7<ak-f3t8pfk16fki11> request reached organization max RPM: "
                "3, please try again after 1 seconds"
            ),
            {"rpm": 3},
        ),
        (
            "request reached organization TPM rate limit, current: 41000, limit: 40000",
            {"tpm": 40_000},
        ),
        (
            (
                "Rate limit reached for default-gpt-3.5-turbo in organization org-C92hO32J on requests "
                "per min. Limit: 3 / min. Please try again in 20s."
            ),
            {"rpm": 3},
        ),
        (
            (
                "Rate limit reached for x on requests per min. Limit: 60.000000 / min. Current: "
                "80.000000 / min."
            ),
            {"rpm": 60},
        ),
        (
            (
                "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit "
                "200000, Used 199000, Requested 3060. Please try again in 1.2s."
            ),
            {"tpm": 200_000},
        ),
        (
            (
                "This request would exceed the rate limit for your organization (a22cf6e6-a940-4fff) "
                "of 1,000,000 input tokens per minute. For details, see the documentation."
            ),
            {"tpm": 1_000_000},
        ),
        ("This would exceed your rate limit of 50 requests per minute.", {"rpm": 50}),
        ("Rate limit of 60 RPM exceeded", {"rpm": 60}),
        ("TPM limit 40000", {"tpm": 40_000}),
        ("RPM limit 60, TPM limit 40000", {"rpm": 60, "tpm": 40_000}),
        ("Requests rate limit exceeded, max 5 requests per second", {"rpm": 300}),
        ("QPS limit: 2", {"rpm": 120}),
        ("每分钟最多60次请求", {"rpm": 60}),
        ("TPM限制为40000", {"tpm": 40_000}),
    ],
)
def test_that_limits_per_minute_are_found_in_words(words, expected):
    assert told(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "request reached max organization concurrency: 3, please try again after 1 seconds",
            {"at_once": 3},
        ),
        ("max concurrent requests: 10", {"at_once": 10}),
        ("Too many concurrent requests (limit 8)", {"at_once": 8}),
        ("You may make 5 concurrent requests.", {"at_once": 5}),
        ("当前并发数限制：10", {"at_once": 10}),
        ("最多 5 个并发", {"at_once": 5}),
        ("您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。", {"at_once": 0}),
        ("并发数过高，请1秒后重试", {"at_once": 0}),
        ("High concurrency usage of this API, please reduce concurrency", {"at_once": 0}),
        ("Number of concurrent connections has exceeded your rate limit.", {"at_once": 0}),
        ("concurrency limit, try again: 5s", {"at_once": 0}),
        ("concurrency: 0", {"at_once": 0}),
        ("concurrency: 999999999", {"at_once": 0}),
        # Advice beside another limit is not a limit.
        ("RPM limit reached, please lower your concurrency", {}),
    ],
)
def test_that_limits_at_once_are_found_in_words(words, expected):
    assert told(words) == expected


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Rate limit reached on tokens per day (TPD): Limit 200000, Used 199000.",
        "request reached organization TPD rate limit, current: 1526210, limit: 1500000",
        "Limit 14400 requests per day",
        "This would exceed your rate limit of 8,000 output tokens per minute.",
        "Request was rejected due to rate limiting. Details: TPM limit reached.",
        "您的账户已达到速率限制，请您控制请求频率",
        "Limit: 200000, Used 5",  # of what?
        "Too many gpt-4 requests per min",
        "TPM limit: 2 million",
        "TPM limit 40K",
        "10K TPM",
        "Rate limit reached for 10KTPM in organization org-x",
        "on tokens per min (TPM): Limit 1e+06, Used 1e+06",
        "每分钟最多20万tokens",
        "RPM: 0",
        "RPM: -5",
        "RPM: ٦٠",
        "RPM: 9999999999999",
        "Please try again in 20s.",
    ],
)
def test_that_what_is_no_limit_per_minute_is_passed_over(words):
    assert told_in(words) == NO_LIMITS


def test_that_google_lists_the_quotas_it_found_broken():
    body = {
        "error": {
            "details": [
                {"retryDelay": "5s"},
                {
                    "violations": [
                        {
                            "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
                            "quotaValue": "15",
                        },
                        {
                            "quotaId": "GenerateContentInputTokensPerModelPerMinute-FreeTier",
                            "quotaValue": "250000",
                        },
                        {
                            "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
                            "quotaValue": "50",
                        },
                    ]
                },
            ]
        }
    }
    limits = told_in("You exceeded your current quota.", body)
    assert (limits.told_rpm, limits.told_tpm, limits.told_concurrency) == (15, 250_000, None)


PIECES = st.sampled_from(
    [
        "RPM", "TPM", "limit", "Limit:", "requests per min", "tokens per minute", "concurrency",
        "并发", "每分钟", "次", "3", "1,000", "60.5", "/ min", "per day", "of", ":", "(", ")", "9" * 30,
    ]
)  # fmt: skip


@given(
    words=st.text(max_size=300) | st.lists(PIECES, max_size=15).map(" ".join),
    body=st.none() | st.dictionaries(st.text(max_size=5), st.integers()),
)
def test_that_no_words_raise_and_what_is_told_is_finite(words, body: Any):
    limits = told_in(words, body)
    for number in (limits.told_rpm, limits.told_tpm):
        assert number is None or (math.isfinite(number) and number > 0)
    assert limits.told_concurrency is None or 0 <= limits.told_concurrency <= 100_000
