from typing import Any

import pytest

from batchdesk.providers.practice_limits import RateLimits, Refusal, duration, retry_headers


def limits(**settings: Any) -> RateLimits:
    return RateLimits(**{"rpm": None, "tpm": None, "now_s": 0.0, **settings})


def refused(gate: RateLimits, tokens: int, now_s: float) -> Refusal:
    refusal = gate.admit(tokens, now_s)
    assert refusal is not None
    return refusal


def admitted(gate: RateLimits, times: int, *, tokens: int = 1, now_s: float = 0.0) -> int:
    return sum(gate.admit(tokens, now_s) is None for _ in range(times))


def test_that_a_rested_server_takes_a_tenth_of_a_minute_at_once_then_the_rate():
    gate = limits(rpm=600)
    assert admitted(gate, 100) == 60
    assert admitted(gate, 100, now_s=1.0) == 10
    assert admitted(gate, 100, now_s=1000.0) == 60


def test_that_the_burst_can_be_set_and_is_at_least_one():
    assert admitted(limits(rpm=600, burst=5), 100) == 5
    assert admitted(limits(rpm=2), 100) == 1


def test_that_a_refusal_names_the_limit_and_the_wait():
    gate = limits(rpm=3000, burst=1)
    gate.admit(1, 0.0)
    refusal = refused(gate, 1, 0.0)
    assert refusal.kind == "requests"
    assert refusal.wait_s == pytest.approx(0.02)
    assert refusal.message == (
        "Rate limit reached for practice on requests per min (RPM): Limit 3000, Used 3000. "
        "Please try again in 0.020s."
    )


def test_that_tokens_are_limited_and_the_answer_counts_when_it_is_known():
    gate = limits(tpm=6000)  # 600 at once, 100 a second
    assert gate.admit(400, 0.0) is None
    gate.settle(300)
    refusal = refused(gate, 100, 0.0)
    assert (refusal.kind, refusal.limit) == ("tokens", 6000)
    assert refusal.wait_s == pytest.approx(2.0)
    assert gate.admit(100, 2.0) is None


def test_that_a_request_above_the_burst_goes_when_the_bucket_is_full():
    gate = limits(tpm=600)
    assert gate.admit(1000, 0.0) is None
    assert refused(gate, 1, 0.0).wait_s == pytest.approx(94.1)


def test_that_refused_requests_use_the_limit_up_only_if_told_so():
    def taken_under_siege(**settings: Any) -> int:
        gate = limits(rpm=600, burst=1, **settings)  # one request each 100 ms
        return sum(gate.admit(1, n * 0.03) is None for n in range(100))

    assert taken_under_siege() == 25  # every fourth of those 30 ms apart
    assert taken_under_siege(count_refused=True) == 1


def test_that_steps_refill_only_at_their_ends():
    gate = limits(rpm=600, step_s=1.0)
    assert admitted(gate, 100) == 10
    assert admitted(gate, 100, now_s=0.99) == 0
    assert admitted(gate, 100, now_s=1.0) == 10


def test_that_headers_tell_what_is_left_and_when_it_is_full_again():
    gate = limits(rpm=600, tpm=60_000)
    admitted(gate, 10, tokens=100)
    assert gate.headers(0.0) == {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "50",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-tokens": "5000",
        "x-ratelimit-reset-tokens": "1s",
    }
    assert gate.headers(0.9)["x-ratelimit-remaining-requests"] == "59"


def test_that_headers_can_speak_of_the_minute_or_be_absent():
    gate = limits(rpm=600, style="minute")
    admitted(gate, 10)
    assert gate.headers(0.0) == {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "590",
        "x-ratelimit-reset-requests": "1s",
    }
    assert limits(rpm=600, style="none").headers(0.0) == {}
    assert limits().headers(0.0) == {}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (0.0121, "13ms"), (1.2, "1.2s"), (60, "1m0s"), (63.5, "1m3.5s")],
)
def test_that_spans_are_written_as_services_write_them(seconds, text):
    assert duration(seconds) == text


def test_that_retry_after_is_whole_seconds_and_at_least_one():
    assert retry_headers(0.02) == {"retry-after": "1", "retry-after-ms": "20"}
    assert retry_headers(2.5) == {"retry-after": "3", "retry-after-ms": "2500"}


# -- a sliding window -------------------------------------------------------------------------


def test_that_a_sliding_window_never_lets_more_than_the_limit_into_any_minute():
    gate = limits(rpm=6, window_s=60.0)
    assert admitted(gate, 2, now_s=0.0) == 2
    assert admitted(gate, 9, now_s=30.0) == 4
    assert refused(gate, 1, 59.0).wait_s == pytest.approx(1.0)  # the first two leave at 60
    assert admitted(gate, 9, now_s=60.0) == 2
    assert admitted(gate, 9, now_s=89.9) == 0
    assert admitted(gate, 9, now_s=90.0) == 4


def test_that_a_shorter_window_has_its_share_of_the_minute():
    gate = limits(rpm=60, window_s=6.0)
    assert admitted(gate, 99, now_s=0.0) == 6
    assert admitted(gate, 99, now_s=6.0) == 6


def test_that_refused_requests_take_the_places_of_a_window_only_if_told_so():
    def let_in(**settings: Any) -> int:
        gate = limits(rpm=2, window_s=60.0, **settings)
        admitted(gate, 2, now_s=0.0)
        refused(gate, 1, 30.0)
        return admitted(gate, 9, now_s=60.0)

    assert let_in() == 2
    assert let_in(count_refused=True) == 2  # nothing was left that it could have taken

    gate = limits(rpm=2, window_s=60.0, count_refused=True, tpm=60)
    assert gate.admit(60, 0.0) is None
    assert refused(gate, 30, 1.0).kind == "tokens"  # but takes the second request
    assert refused(gate, 1, 2.0).kind == "requests"


def test_that_tokens_slide_too_and_the_answer_counts():
    gate = limits(tpm=100, window_s=60.0)
    assert gate.admit(40, 0.0) is None
    gate.settle(50)
    assert refused(gate, 20, 10.0).wait_s == pytest.approx(50.0)
    assert gate.admit(10, 10.0) is None
    assert gate.headers(40.0)["x-ratelimit-remaining-tokens"] == "0"
    assert gate.headers(40.0)["x-ratelimit-reset-tokens"] == "30s"
    assert gate.headers(70.0)["x-ratelimit-remaining-tokens"] == "100"


# -- changes and lies -------------------------------------------------------------------------


def test_that_another_limit_gives_no_burst_of_its_own():
    gate = limits(rpm=600, burst=5)
    assert admitted(gate, 100) == 5
    gate.change("rpm", 1200, 0.0)
    assert admitted(gate, 100) == 0
    assert admitted(gate, 100, now_s=0.1) == 2
    gate.change("rpm", None, 0.1)
    assert admitted(gate, 100, now_s=0.1) == 100
    gate.change("rpm", 600, 0.1)
    assert admitted(gate, 100, now_s=0.1) == 5


def test_that_a_window_keeps_what_was_taken_when_its_limit_changes():
    gate = limits(rpm=4, window_s=60.0)
    assert admitted(gate, 9) == 4
    gate.change("rpm", 6, 1.0)
    assert admitted(gate, 9, now_s=1.0) == 2
    gate.change("rpm", 2, 2.0)
    assert admitted(gate, 9, now_s=60.0) == 0  # two are left of the six
    assert admitted(gate, 9, now_s=61.0) == 2


def test_that_lying_headers_tell_ten_times_the_limit_and_all_of_it_left():
    gate = limits(rpm=600, style="lying")
    admitted(gate, 60)
    assert gate.headers(0.0) == {
        "x-ratelimit-limit-requests": "6000",
        "x-ratelimit-remaining-requests": "6000",
        "x-ratelimit-reset-requests": "0s",
    }


def test_that_large_limits_are_told_in_whole_numbers():
    gate = limits(tpm=2_000_000)
    gate.settle(200_000)
    assert "Limit 2000000, Used 2000000." in refused(gate, 1, 0.0).message
