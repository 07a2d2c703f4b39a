from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from batchdesk.engine.retry_budget import RetryBudget


def after(first, retries, share=0.2, at=100.0):
    budget = RetryBudget(share)
    for _ in range(first):
        budget.sent(at, is_retry=False)
    for _ in range(retries):
        budget.sent(at, is_retry=True)
    return budget


def test_that_ten_retries_a_minute_may_always_go():
    assert after(0, 9).has_room(100.0)
    assert not after(0, 10).has_room(100.0)
    assert not after(30, 10).has_room(100.0)  # a fifth of 41 is 8.2


def test_that_a_fifth_of_the_requests_may_be_retries():
    assert after(80, 19).has_room(100.0)  # the hundredth may be the twentieth
    assert not after(80, 20).has_room(100.0)


def test_that_a_share_of_one_holds_nothing_back():
    assert after(0, 500, share=1.0).has_room(100.0)


def test_that_a_retry_that_was_answered_gives_its_place_back():
    budget = after(0, 10)
    budget.answered(100.0)
    assert budget.has_room(100.0)
    budget.sent(100.0, is_retry=True)
    assert not budget.has_room(100.0)


def test_that_what_is_older_than_a_minute_is_forgotten():
    budget = after(0, 10, at=100.0)
    assert not budget.has_room(160.0)
    assert budget.free_at(160.0) == 161.0
    assert budget.has_room(161.0)
    assert budget.free_at(161.0) is None


def test_that_a_late_answer_to_a_forgotten_retry_gives_nothing_back():
    budget = after(0, 10, at=100.0)
    for _ in range(10):
        budget.sent(200.0, is_retry=True)
    budget.answered(100.0)
    assert budget.has_room(200.0) is True  # it counts for the oldest one that is known
    budget.sent(200.0, is_retry=True)
    assert not budget.has_room(200.0)


class AnyTraffic(RuleBasedStateMachine):
    """First tries and retries of a run as they come; the budget says which retries may go."""

    def __init__(self):
        super().__init__()
        self.now = 1000.0
        self.budget = RetryBudget(0.2)
        self.sends: list[float] = []
        self.unanswered: list[float] = []  # retries

    def since(self, times, seconds):
        return sum(at > self.now - seconds for at in times)

    @rule(seconds=st.sampled_from([0.0, 0.01, 0.5, 1.0, 7.0, 59.9, 3600.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule(count=st.integers(1, 60))
    def first_tries_go(self, count):
        for _ in range(count):  # nothing ever holds them back
            self.budget.sent(self.now, is_retry=False)
            self.sends.append(self.now)

    @rule(count=st.integers(1, 60))
    def retries_go_as_they_may(self, count):
        for _ in range(count):
            if not self.budget.has_room(self.now):
                assert self.since(self.unanswered, 62) >= 10  # else it would starve them
                return
            share = 0.2 * (self.since(self.sends, 61) + 1)
            assert self.since(self.unanswered, 60) + 1 <= max(10, share)
            self.budget.sent(self.now, is_retry=True)
            self.sends.append(self.now)
            self.unanswered.append(self.now)

    @precondition(lambda self: self.since(self.unanswered, 60))
    @rule()
    def a_retry_is_answered(self):
        self.budget.answered(self.unanswered.pop())

    @rule()
    def after_a_minute_of_silence_retries_go(self):
        at = self.budget.free_at(self.now)
        assert at is None or self.now < at <= self.now + 61
        self.now += 61
        assert self.budget.has_room(self.now)


TestAnyTraffic = AnyTraffic.TestCase
