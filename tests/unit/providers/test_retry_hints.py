import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.providers.retry_hints import retry_after_s, span_s

NOON = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": " 0 "}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Tue, 14 Nov 2023 22:13:50 GMT"}, 30.0),
        ({"retry-after": "Tue, 14 Nov 2023 22:13:50 -0000"}, 30.0),
        ({"retry-after": "Tue, 14 Nov 2023 22:00:00 GMT"}, 0.0),  # past: now
        ({"retry-after": "2592000"}, 2592000.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e300"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": "Tue, 99 Nov 2023 22:13:50 GMT"}, None),
        ({}, None),
    ],
)
def test_that_headers_tell_how_long_to_wait(headers, seconds):
    assert retry_after_s(headers, {}, "", NOON) == seconds


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Limit 3, Used 3, Requested 1. Please try again in 20s. Visit …", 20.0),
        ("Please try again in 340ms.", 0.34),
        ("Please try again in 6m0s.", 360.0),
        ("Please try again in 1h2m3.5s. Need more?", 3723.5),
        ("Please retry in 17.4s.", 17.4),
        ("Please retry after 2 seconds. Please contact Azure support", 2.0),
        ("please try again after 1 minute", 60.0),
        ("Please try again in a while", None),
        ("Please try again in 5 messages", None),
        ("The limit is 20s", None),
    ],
)
def test_that_words_tell_how_long_to_wait_where_no_header_does(words, seconds):
    assert retry_after_s({}, {}, words, NOON) == seconds
    assert retry_after_s({"retry-after": "7"}, {}, words, NOON) == 7.0


def test_that_googles_delay_in_the_body_is_read():
    body = {"error": {"details": [{"@type": "Help"}, 3, {"retryDelay": "37s"}]}}
    assert retry_after_s({}, body, "", NOON) == 37.0


@given(st.text(alphabet="0123456789.msh dtryaginf", max_size=60))
def test_that_no_words_are_an_error(words):
    seconds = retry_after_s({"retry-after": words}, {}, words, NOON)
    assert seconds is None or seconds >= 0
    span = span_s(words)
    assert span is None or span >= 0
