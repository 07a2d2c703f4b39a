from typing import Any

import pytest

from batchdesk.providers.practice_door import Door
from batchdesk.providers.practice_plan import After, Span, Step
from batchdesk.providers.practice_settings import PracticeSettings


def door(**settings: Any) -> Door:
    made = Door(PracticeSettings(**settings), 0.0)
    made.arrive(0.0)
    return made


def reason(at: Door, now_s: float = 0.0, *, working: int = 0, tokens: int = 1) -> str | None:
    refused = at.turn_away(tokens, working, now_s)
    return None if refused is None else refused.reason


def test_that_only_the_first_request_starts_the_plan():
    made = Door(PracticeSettings(outages=(Span(10, 5),)), 0.0)
    assert made.outage(12.0) is None  # nobody has come yet
    assert made.arrive(100.0)
    assert not made.arrive(101.0)
    assert [made.outage(at) for at in (109.9, 110.0, 114.9, 115.0)] == [None, "503", "503", None]


def test_that_a_quota_ends_after_so_many_requests_and_can_be_given_back():
    at = door(quota_after=After(requests=2))
    assert [reason(at) for _ in range(4)] == [None, None, "quota", "quota"]
    refused = at.turn_away(1, 0, 0.0)
    assert refused is not None
    assert (refused.status, refused.code, dict(refused.headers)) == (429, "insufficient_quota", {})
    at.change({"quota_after": 1}, 0.0)
    assert [reason(at) for _ in range(2)] == [None, "quota"]
    at.change({"quota_after": None}, 0.0)
    assert [reason(at) for _ in range(3)] == [None, None, None]


def test_that_a_quota_or_a_key_ends_at_a_time():
    assert [reason(door(quota_after=After(seconds=5)), now) for now in (4.9, 5.0)] == [
        None,
        "quota",
    ]
    at = door(revoke_after=After(seconds=5))
    assert [reason(at, now) for now in (4.9, 5.0)] == [None, "revoked"]
    at.change({"revoked": False}, 6.0)
    assert reason(at, 6.0) is None
    at.change({"revoked": True}, 6.0)
    assert reason(at, 6.0) == "revoked"


def test_that_a_cap_refuses_those_above_it_and_says_so_as_told():
    def words(**settings: Any) -> str:
        at = door(cap=3, **settings)
        assert reason(at, working=2) is None
        refused = at.turn_away(1, 3, 0.0)
        assert refused is not None
        assert (refused.status, refused.reason) == (429, "concurrency")
        return refused.message

    assert words() == (
        "Your account reached max organization concurrency: 3, please try again after 1 seconds"
    )
    assert "reduce concurrency" in words(cap_words="named")
    assert words(cap_words="none") == "Too many requests, please try again later."


def test_that_planned_limits_hold_from_their_second_on():
    at = door(rpm=600, burst=1, rpm_steps=(Step(10, 60), Step(20, 600)))

    def let_in(start_s: float) -> int:
        return sum(reason(at, start_s + tenth / 10) is None for tenth in range(50))

    assert let_in(0.0) == 50  # ten a second
    assert let_in(10.5) == 5  # one a second
    assert let_in(20.5) == 50


def test_that_a_scaled_time_hastens_plans_and_windows_but_not_limits():
    at = door(outages=(Span(10, 40),), time_scale=10, rpm=600, window="sliding")
    assert [at.outage(now) for now in (0.9, 1.0, 4.9, 5.0)] == [None, "503", "503", None]
    assert sum(reason(at) is None for _ in range(99)) == 60  # of a window of 6 s
    assert sum(reason(at, 6.0) is None for _ in range(99)) == 60
    assert at.headers(6.0)["x-ratelimit-limit-requests"] == "600"


def test_that_a_false_hint_can_be_given():
    at = door(rpm=60, burst=1, hint_s=60)
    reason(at)
    refused = at.turn_away(1, 0, 0.0)
    assert refused is not None
    assert refused.headers["retry-after"] == "60"


def test_that_a_limit_is_named_in_words_only_where_wanted():
    def words(**settings: Any) -> str:
        at = door(rpm=60, burst=1, **settings)
        reason(at)
        refused = at.turn_away(1, 0, 0.0)
        assert refused is not None
        return refused.message

    assert "Limit 60, Used 60" in words()
    assert words(limit_headers="none") == "Too many requests, please try again later."


@pytest.mark.parametrize(
    "wanted", [{"quota_after": -1}, {"quota_after": "x"}, {"outage": "refuse"}]
)
def test_that_a_change_that_makes_no_sense_changes_nothing(wanted):
    at = door(rpm=60, burst=1)
    with pytest.raises(ValueError, match="is expected"):
        at.change(wanted | {"rpm": None}, 0.0)
    assert [reason(at), reason(at)] == [None, "requests"]


def test_that_an_outage_can_be_called_and_ended():
    at = door()
    at.change({"outage": "hang"}, 0.0)
    assert at.outage(0.0) == "hang"
    at.change({"outage": None}, 0.0)
    assert at.outage(0.0) is None
