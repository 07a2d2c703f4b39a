"""Every code has words, and durations read well."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.cli.progress import line_of
from batchdesk.cli.words import CAUSES, ERRORS, PROBLEMS, SKIPS, duration, own_command
from batchdesk.domain.snapshot import HoldReason, Percentiles, Phases, Snapshot
from batchdesk.domain.task import ErrorKind, RunState, SkipReason, TaskState
from batchdesk.tables.base import ProblemKind


def test_that_every_kind_of_failure_has_words_of_its_own():
    assert set(ERRORS) == set(ErrorKind)
    assert len(set(ERRORS.values())) == len(ErrorKind)


def test_that_every_kind_of_problem_has_words_of_its_own():
    assert set(PROBLEMS) == {kind.value for kind in ProblemKind}
    assert len(set(PROBLEMS.values())) == len(ProblemKind)


def test_that_every_reason_for_skipping_has_words_of_its_own():
    assert set(SKIPS) == set(SkipReason)
    assert len(set(SKIPS.values())) == len(SkipReason)


@pytest.mark.parametrize(
    ("variable", "script", "told"),
    [
        ("bash packaging/run.sh --", "/usr/bin/batchdesk", "bash packaging/run.sh --"),
        ("", "/usr/bin/batchdesk", "batchdesk"),
        ("", None, "python -m batchdesk"),
    ],
)
def test_that_a_person_is_told_the_command_that_works_here(monkeypatch, variable, script, told):
    monkeypatch.setenv("BATCHDESK_COMMAND", variable)
    monkeypatch.setattr("shutil.which", lambda _name: script)
    assert own_command() == told


def test_that_every_cause_of_a_pause_is_a_sentence_with_the_services_word():
    for sentence in CAUSES.values():
        assert re.findall(r"\{(\w+)\}", sentence) == ["message"]
        assert sentence.endswith((".", "{message}"))


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 s"),
        (0.4, "0 s"),
        (8.2, "8 s"),
        (59.6, "1 min 0 s"),
        (200, "3 min 20 s"),
        (3599.4, "59 min 59 s"),
        (3600, "1 h 0 min"),
        (7500, "2 h 5 min"),
        (93_600, "26 h 0 min"),
        (-3, "0 s"),
    ],
)
def test_that_durations_read_well(seconds, told):
    assert duration(seconds) == told


@given(st.floats(0, 359_000))
def test_that_a_duration_means_its_seconds_to_the_unit_shown(seconds):
    shown = {
        unit: int(figure) for figure, unit in re.findall(r"(\d+) (h|min|s)", duration(seconds))
    }
    value = shown.get("h", 0) * 3600 + shown.get("min", 0) * 60 + shown.get("s", 0)
    assert abs(value - seconds) <= (60 if "h" in shown else 0.5)
    assert shown.get("min", 0) < 60
    assert shown.get("s", 0) < 60


# -- the progress line --------------------------------------------------------------------------


def snapshot(**changed) -> Snapshot:
    nothing = Percentiles()
    figures = {
        "run_id": 1, "at": 0.0, "state": RunState.RUNNING, "cause": None, "active_s": 1.0,
        "counts": {TaskState.PENDING: 700, TaskState.PASSED: 1200, TaskState.SKIPPED: 100}, "in_flight": 20, "limit": 20,
        "buffered": 0, "uncommitted": 0, "hold": HoldReason.IN_FLIGHT, "requests": 0, "succeeded": 0, "reused": 0, "failures": {},
        "last_failure": "", "input_tokens": 0, "output_tokens": 0, "finished_per_s": 12.34, "requests_per_s": 0.5, "tokens_per_s": 0.0,
        "permitted_requests_per_s": None, "permitted_tokens_per_s": None, "latency_recent": nothing, "latency_run": nothing,
        "first_token": nothing, "phases": Phases(), "eta_s": 56.7, "oldest_wait_s": 0.0,
    }  # fmt: skip
    return Snapshot(**{**figures, **changed})


def test_that_the_line_tells_counts_rate_time_left_and_what_holds_it_back():
    assert (
        line_of(snapshot()) == "1,200 of 1,900 · passed 1,200 · skipped 100 · 12.3/s · 57 s left"
        " · limited by 20 requests in flight"
    )


def test_that_all_kinds_of_ends_are_counted_where_there_are_some():
    counts = {TaskState.WAITING: 3, TaskState.PASSED: 0, TaskState.REVIEW: 2, TaskState.DEAD: 1}
    found = line_of(snapshot(counts=counts, hold=HoldReason.RETRY_WAIT, eta_s=None))
    assert (
        found
        == "3 of 6 · passed 0 · review 2 · dead 1 · waiting 3 · 12.3/s · waiting to try 3 again"
    )


def test_that_a_finished_run_has_no_time_left():
    found = line_of(
        snapshot(counts={TaskState.PASSED: 5}, in_flight=0, hold=HoldReason.NOTHING, eta_s=0.0)
    )
    assert found == "5 of 5 · passed 5 · 12.3/s"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"hold": HoldReason.REQUESTS_PER_MINUTE, "permitted_requests_per_s": 1.0},
            "limited by requests per minute (50% used)",
        ),
        ({"hold": HoldReason.REQUESTS_PER_MINUTE}, "limited by requests per minute (0% used)"),
        ({"hold": HoldReason.TOKENS_PER_MINUTE}, "limited by tokens per minute (0% used)"),
        ({"hold": HoldReason.PREPARING}, "reading rows"),
        ({"hold": HoldReason.NO_WORK}, "all are under way"),
    ],
)
def test_that_each_limit_has_its_words(changed, told):
    assert line_of(snapshot(**changed)).endswith(f"57 s left · {told}")


@pytest.mark.parametrize("hold", list(HoldReason))
def test_that_any_hold_gives_one_line(hold):
    assert "\n" not in line_of(snapshot(hold=hold))
