"""What holds a run back, and each change of its limits, in words."""

import pytest
from tests.unit.cli.test_words import snapshot

from batchdesk.cli.limit_words import LIMIT_REASONS, change_words, hold_words, stalled_words
from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import TaskState


def test_that_every_reason_of_a_change_has_words_of_its_own():
    assert set(LIMIT_REASONS) == set(LimitReason)
    assert len(set(LIMIT_REASONS.values())) == len(LimitReason)


def test_that_every_hold_has_words_of_its_own():
    found = [hold_words(snapshot(hold=hold)) for hold in HoldReason]
    assert len(set(found)) == len(HoldReason)
    assert [hold for hold, words in zip(HoldReason, found, strict=True) if not words] == [
        HoldReason.NOTHING
    ]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"hold": HoldReason.IN_FLIGHT}, "limited by 20 requests in flight"),
        (
            {"hold": HoldReason.IN_FLIGHT, "pinned": True},
            "limited by 20 requests in flight, set by hand",
        ),
        (
            {
                "hold": HoldReason.TOKENS_PER_MINUTE,
                "tokens_per_s": 9_800,
                "permitted_tokens_per_s": 10_000,
            },
            "limited by tokens per minute (98% used)",
        ),
        (
            {"hold": HoldReason.PACE, "pace_per_s": 20.4},
            "limited by the pace that the service accepts (1,224 requests a minute)",
        ),
        ({"hold": HoldReason.PACE}, "limited by the pace that the service accepts"),
        (
            {"hold": HoldReason.OUTAGE, "breaker_probe_s": 12.4},
            "the service does not answer: next try in 12 s",
        ),
        (
            {"hold": HoldReason.OUTAGE, "breaker_probe_s": 0.4},
            "the service does not answer: next try now",
        ),
        (
            {"hold": HoldReason.RETRY_WAIT, "counts": {TaskState.WAITING: 1200}},
            "waiting to try 1,200 again",
        ),
        ({"hold": HoldReason.NO_WORK, "in_flight": 0}, ""),
        (
            {"hold": HoldReason.NO_WORK, "in_flight": 3, "breaker_probe_s": 5.0, "degraded": True},
            (
                "all are under way · the service does not answer: next try in 5 s"
                " · alarm: too many rows fail, sending is slowed down"
            ),
        ),
        (
            {"hold": HoldReason.DEGRADED, "degraded": True},
            "too many rows fail: earlier rows wait, new ones go on",
        ),
        (
            {"hold": HoldReason.NOTHING, "growing": True},
            "the queue grows without end: it fills faster than it empties",
        ),
    ],
)
def test_that_what_holds_it_back_is_told_with_its_figures(changed, told):
    assert hold_words(snapshot(**changed)) == told


@pytest.mark.parametrize(
    ("what", "old", "new", "reason", "told"),
    [
        (LimitKind.IN_FLIGHT, 40, 24, LimitReason.TESTING,
         "requests at once 40 → 24: testing how fast the service is with fewer"),
        (LimitKind.CEILING, 200, 100, LimitReason.FAILURES,
         "most requests at once 200 → 100: too many rows failed in the last minute"),
        (LimitKind.PACE, None, 12.5, LimitReason.REFUSED,
         "requests per minute none → 750: the service refused"),
        (LimitKind.TOKENS, 1000.0, None, LimitReason.PERSON,
         "tokens per minute 60,000 → none: set by hand"),
        (LimitKind.BREAKER, 1, 0, LimitReason.OUTAGE,
         "stopped sending: nothing came through any more"),
        (LimitKind.BREAKER, 0, 1, LimitReason.PROBE_ANSWERED,
         "sending again: the service answers again"),
        (LimitKind.ALARM, 0, 1, LimitReason.FAILURES,
         "alarm: too many rows failed in the last minute"),
        (LimitKind.ALARM, 1, 0, LimitReason.RECOVERED,
         "end of the alarm: failures are rare again"),
    ],
)  # fmt: skip
def test_that_a_change_is_told_with_both_figures_and_its_reason(what, old, new, reason, told):
    assert change_words(LimitChange(1.0, what, old, new, reason)) == told


@pytest.mark.parametrize("what", list(LimitKind))
@pytest.mark.parametrize("reason", list(LimitReason))
def test_that_any_change_can_be_told(what, reason):
    assert change_words(LimitChange(0.0, what, None, None, reason))


def test_that_a_stillness_without_a_reason_is_told_with_what_to_do():
    assert stalled_words(61.6) == (
        "Nothing has moved for 62 s though rows are left, and no reason is known: a fault of"
        " Batchdesk. Ctrl+C pauses; what was saved is safe, and resume goes on."
    )
