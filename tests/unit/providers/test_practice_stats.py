from batchdesk.providers.practice_stats import PracticeStats


def test_that_seconds_are_counted_from_the_first_request():
    now = 1000.0
    stats = PracticeStats(clock=lambda: now)
    for at, let_in in ((1000.0, True), (1000.9, True), (1002.0, False), (1003.5, True)):
        now = at
        stats.enter()
        if let_in:
            stats.attempt(1)
        else:
            stats.refuse("requests")
    told = stats.as_json()
    assert told["accepted_per_s"] == [2, 0, 0, 1]
    assert told["refused_per_s"] == [0, 0, 1]
    assert (told["accepted"], told["refused"]) == (3, {"requests": 1})
    assert (told["first_at"], told["last_at"]) == (1000.0, 1003.5)


def test_that_the_seconds_of_one_day_are_kept_and_no_more():
    now = 0.0
    stats = PracticeStats(clock=lambda: now)
    stats.enter()
    for at in (86_399.0, 86_400.0, -5.0):
        now = at
        stats.attempt(1)
    assert len(stats.accepted_per_s) == 86_400
    assert sum(stats.accepted_per_s) == 1
    assert stats.as_json()["accepted"] == 3


def test_that_the_most_at_once_are_kept_and_a_reset_keeps_what_is_under_way():
    stats = PracticeStats()
    for _ in range(3):
        stats.enter()
        stats.begin()
    stats.end()
    assert (stats.working, stats.working_max) == (2, 3)
    fresh = stats.cleared()
    assert (fresh.working, fresh.working_max, fresh.in_flight, fresh.in_flight_max) == (2, 2, 3, 3)
    assert fresh.as_json()["first_at"] is None
