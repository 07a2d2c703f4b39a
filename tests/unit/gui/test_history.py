"""What the live panels draw, from kept figures and from Snapshots."""

from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import HoldReason, LaneDepth, Percentiles, Phases, Snapshot
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.models.history import History, kept_point, point_of, waiting_rows


def figures(at, *, done=0, open_rows=0, failures=None):
    counts = {"passed": done, "pending": open_rows}
    return kept_point(at, {"counts": counts, "failures": failures or {}})


def test_that_rows_held_by_the_engine_but_not_sent_count_as_waiting():
    counts = {TaskState.PENDING: 100, TaskState.RUNNING: 30, TaskState.BLOCKED: 4}
    assert waiting_rows(counts, in_flight=20) == 114


def test_that_kept_figures_become_a_point():
    point = kept_point(
        50.0,
        {
            "counts": {
                "pending": 7,
                "running": 5,
                "waiting": 2,
                "passed": 10,
                "accepted": 1,
                "dead": 3,
            },
            "in_flight": 4,
            "limit": 20,
            "p50_s": 0.5,
            "p95_s": 1.5,
            "p99_s": None,
            "failures": {"rate_limited": 6},
        },
    )
    assert (point.waiting, point.to_retry, point.in_flight, point.limit) == (8, 2, 4, 20)
    assert (point.done, point.accepted) == (14, 11)
    assert (point.p50_s, point.p95_s, point.p99_s, point.first_token_s) == (0.5, 1.5, None, None)
    assert point.failures == {ErrorKind.RATE_LIMITED: 6}


def test_that_a_snapshot_and_its_kept_figures_give_the_same_point():
    snapshot = Snapshot(
        run_id=1, at=9.0, state=RunState.RUNNING, cause=None, active_s=9.0,
        counts={TaskState.PENDING: 7, TaskState.RUNNING: 5, TaskState.PASSED: 10}, in_flight=4,
        limit=20, buffered=1, uncommitted=0, hold=HoldReason.NOTHING, requests=19, succeeded=10,
        reused=0, failures={ErrorKind.OVERLOADED: 5}, last_failure="busy", input_tokens=0,
        output_tokens=0, finished_per_s=1.0, requests_per_s=2.0, tokens_per_s=0.0,
        permitted_requests_per_s=None, permitted_tokens_per_s=None,
        latency_recent=Percentiles(0.5, 1.5, 2.5), latency_run=Percentiles(),
        first_token=Percentiles(p50=0.1), phases=Phases(), eta_s=None, oldest_wait_s=0.0,
        slow=LaneDepth(3, 1, 2, 44.0), fill_per_s=3.0, growing=True,
    )  # fmt: skip
    kept = {
        "counts": {"pending": 7, "running": 5, "passed": 10}, "in_flight": 4, "limit": 20,
        "hold": "nothing", "fast": {"buffered": 0, "waiting": 0, "in_flight": 0},
        "slow": {"buffered": 3, "waiting": 1, "in_flight": 2, "oldest_wait_s": 44.0},
        "fill_per_s": 3.0, "finished_per_s": 1.0, "growing": True,
        "requests_per_s": 2.0, "tokens_per_s": 0.0, "phases": asdict(Phases()),
        "p50_s": 0.5, "p95_s": 1.5, "p99_s": 2.5, "first_token_p50_s": 0.1,
        "failures": {"overloaded": 5},
    }  # fmt: skip
    assert point_of(snapshot) == kept_point(9.0, kept)


def test_that_failures_are_counted_in_steps_of_ten_seconds():
    history = History()
    history.add(figures(101.0))
    history.add(figures(104.0, failures={"rate_limited": 3}))
    history.add(figures(109.0, failures={"rate_limited": 4, "server_error": 2}))
    history.add(figures(111.0, failures={"rate_limited": 4, "server_error": 5}))
    assert history.failures() == {
        100: {ErrorKind.RATE_LIMITED: 4, ErrorKind.SERVER_ERROR: 2},
        110: {ErrorKind.SERVER_ERROR: 3},
    }


def test_that_failures_of_more_than_half_an_hour_ago_are_forgotten():
    history = History()
    for minute in range(40):
        history.add(figures(60.0 * minute + 1, failures={"server_error": minute + 1}))
    assert min(history.failures()) == 540  # the last point is at 2341, its step begins at 2340


def test_that_a_point_that_is_not_later_is_left_out():
    history = History()
    history.add(figures(10.0, done=5))
    history.add(figures(10.0, done=9))
    history.add(figures(8.0, done=1))
    assert [(point.at, point.done) for point in history.points()] == [(10.0, 5)]


def test_that_lines_break_where_the_run_rested():
    history = History()
    for at in (0.0, 1.0, 2.0, 60.0):
        history.add(figures(at))
    assert [(at, point is None) for at, point in history.lines()] == [
        (0.0, False), (1.0, False), (2.0, False), (2.0, True), (60.0, False),
    ]  # fmt: skip


def test_that_after_a_long_break_the_charts_begin_anew():
    history = History()
    for at in (0.0, 1.0, 5000.0, 5001.0):
        history.add(figures(at))
    assert [point.at for point in history.points()] == [5000.0, 5001.0]


def test_that_accepted_per_minute_looks_back_sixty_seconds():
    history = History()
    for second in range(121):
        history.add(figures(float(second), done=second if second <= 60 else 60 + 3 * (second - 60)))
    assert history.accepted_per_min() == 180.0


def test_that_accepted_per_minute_is_unknown_within_the_first_second():
    history = History()
    history.add(figures(0.0))
    history.add(figures(0.5, done=4))
    assert history.accepted_per_min() is None


def test_that_an_even_speed_gives_a_range_of_one_time():
    history = History()
    for second in range(61):
        history.add(figures(float(second), done=2 * second))
    assert history.time_left_range(100) == (50.0, 50.0)


def test_that_speeds_do_not_reach_back_over_a_rest():
    history = History()
    for at in range(31):
        history.add(figures(float(at), done=9 * at))
    for at in range(41):
        history.add(figures(60.0 + at, done=270 + 2 * at))
    assert history.time_left_range(100) == (50.0, 50.0)
    assert history.accepted_per_min() == 120.0


def test_that_skipped_rows_are_not_done():
    assert kept_point(1.0, {"counts": {"passed": 3, "skipped": 6}}).done == 3


def test_that_an_uneven_speed_gives_a_wide_range():
    # Rows per 10 s: 10, 20, 10, 20; mean 1.5 a second, deviation 0.57735, margin 3.182 x 0.288675.
    history = History()
    for at, done in ((0.0, 0), (10.0, 10), (20.0, 30), (30.0, 40), (40.0, 60)):
        history.add(figures(at, done=done))
    found = history.time_left_range(90)
    assert found is not None
    soonest, latest = found
    assert round(soonest, 2) == 37.21
    assert round(latest, 1) == 154.8


def test_that_there_is_no_range_before_forty_seconds_or_when_the_speed_is_no_guide():
    history = History()
    for second in range(39):
        history.add(figures(float(second), done=second))
    assert history.time_left_range(100) is None
    wild = History()
    for at, done in ((0.0, 0), (10.0, 0), (20.0, 90), (30.0, 90), (40.0, 90)):
        wild.add(figures(at, done=done))
    assert wild.time_left_range(100) is None


@given(st.lists(st.floats(0.1, 12.0), min_size=1, max_size=400))
def test_that_memory_is_bounded_and_the_first_and_latest_points_are_kept(gaps):
    history, at, times = History(most_points=20), 0.0, []
    for gap in gaps:
        at += gap
        times.append(at)
        history.add(figures(at))
    kept = [point.at for point in history.points()]
    assert len(kept) <= 21
    assert (kept[0], kept[-1]) == (times[0], times[-1])
    assert kept == sorted(set(kept))
