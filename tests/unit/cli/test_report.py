"""The end of a run: exit codes, the JSON object, and what a person reads."""

import json
from pathlib import Path

import pytest

from batchdesk.cli.report import (
    cause_sentence,
    exit_code,
    forecast_lines,
    summary_json,
    summary_lines,
)
from batchdesk.domain.job import Job
from batchdesk.domain.snapshot import Advice, AdviceCode, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunKind, RunState, SkipReason, TaskState
from batchdesk.quality.evaluation import evaluate
from batchdesk.session import Kept, Range, RunSummary
from batchdesk.store.runs import StoredRun

PROJECT = Path("my project.batchdesk")
COUNTS = {TaskState.PASSED: 8, TaskState.REVIEW: 1, TaskState.DEAD: 1}


def summary(
    state=RunState.FINISHED,
    *,
    counts=COUNTS,
    cause=None,
    message=None,
    active_s=120.0004,
    kind=RunKind.FULL,
    **figures,
) -> RunSummary:
    run = StoredRun(
        id=3, job_id=1, dataset_id=1, kind=kind, state=state, cause=cause, cause_message=message, created_at=0.0,
        started_at=1.0, finished_at=None, active_s=active_s, job=Job.model_validate({"name": "Moods", "stages": [{"name": "s", "user": "u"}]}),
    )  # fmt: skip
    known = {
        "requests": 12, "succeeded": 9, "reused": 0, "input_tokens": 1500, "output_tokens": 90,
        "failures": {ErrorKind.SERVER_ERROR: 1, ErrorKind.RATE_LIMITED: 2}, "dead_kinds": {ErrorKind.SERVER_ERROR: 1}, "evaluation": None,
    }  # fmt: skip
    return RunSummary(run=run, counts=counts, **{**known, **figures})


@pytest.mark.parametrize(
    ("state", "counts", "code"),
    [
        (RunState.FINISHED, {TaskState.PASSED: 8, TaskState.REVIEW: 2, TaskState.SKIPPED: 1}, 0),
        (RunState.FINISHED, {}, 0),
        (RunState.FINISHED, {TaskState.PASSED: 8, TaskState.DEAD: 1}, 4),
        (RunState.PAUSED, {TaskState.PENDING: 1}, 3),
        (RunState.PAUSED, {TaskState.DEAD: 1}, 3),
        (RunState.STOPPED, {TaskState.PENDING: 1}, 3),
    ],
)
def test_that_the_exit_code_tells_scripts_how_it_ended(state, counts, code):
    assert exit_code(summary(state, counts=counts)) == code


def test_that_the_json_object_has_every_figure_under_its_name():
    found = json.loads(json.dumps(summary_json(summary(), PROJECT), allow_nan=False))
    assert found == {
        "run": 3,
        "project": "my project.batchdesk",
        "job": "Moods",
        "kind": "full",
        "state": "finished",
        "cause": None,
        "message": None,
        "tasks": 10,
        "passed": 8,
        "review": 1,
        "accepted": 0,
        "rejected": 0,
        "dead": 1,
        "skipped": 0,
        "pending": 0,
        "waiting": 0,
        "running": 0,
        "requests": 12,
        "attempts": 12,
        "succeeded": 9,
        "reused": 0,
        "input_tokens": 1500,
        "output_tokens": 90,
        "wall_s": 120.0,
        "accepted_per_min": 4.0,
        "error_kinds": {"rate_limited": 2, "server_error": 1},
        "dead_kinds": {"server_error": 1},
        "accuracy": None,
    }


def test_that_accuracy_is_in_the_json_with_its_interval():
    evaluation = evaluate({("a", "a", TaskState.PASSED): 8, ("a", "b", TaskState.REVIEW): 2})
    found = json.loads(json.dumps(summary_json(summary(evaluation=evaluation), PROJECT)))[
        "accuracy"
    ]
    assert (found["answered"]["right"], found["answered"]["of"], found["answered"]["value"]) == (
        8,
        10,
        0.8,
    )
    assert found["answered"]["interval_95"] == pytest.approx([0.490162, 0.943317], abs=1e-5)
    assert found["confusion"] == [
        {"label": "a", "answer": "a", "count": 8},
        {"label": "a", "answer": "b", "count": 2},
    ]


def test_that_a_finished_run_is_a_table_and_the_way_to_the_results():
    assert summary_lines(summary(reused=2), PROJECT, "batchdesk") == [
        "",
        "Moods: run 3, finished",
        "",
        "  rows          10",
        "  passed        8",
        "  for review    1",
        "  dead letters  1",
        "  requests      12, 75.0% answered",
        "  reused        2 earlier answers, not asked again",
        "  tokens        1,500 in, 90 out",
        "  time          2 min 0 s, 4 accepted/min",
        "",
        "Attempts without a usable answer (tried again, or seen to as above):",
        "  2 × refused: too often",
        "  1 × service error",
        "",
        "Project file: my project.batchdesk",
        'Dead letters: batchdesk dead "my project.batchdesk" --run 3',
        'Ask again:    batchdesk rerun "my project.batchdesk" --run 3',
        'Export with:  batchdesk export "my project.batchdesk" --to results.csv',
    ]


@pytest.mark.parametrize(
    ("pending", "standing"),
    [(1, "paused with 1 row to go"), (1200, "paused with 1,200 rows to go")],
)
def test_that_a_paused_run_says_why_and_how_to_go_on(pending, standing):
    lines = summary_lines(
        summary(
            RunState.PAUSED,
            counts={TaskState.PENDING: pending},
            cause=ErrorKind.AUTH,
            message="Invalid {key}",
            failures={},
        ),
        PROJECT,
        "bash packaging/run.sh --",
    )
    assert lines[1] == f"Moods: run 3, {standing}"
    assert lines[-4:] == [
        "Project file: my project.batchdesk",
        "Paused: The service does not accept the key (Invalid {key}). Correct the key, then resume.",
        'Go on with:   bash packaging/run.sh -- resume "my project.batchdesk" --run 3',
        'Export with:  bash packaging/run.sh -- export "my project.batchdesk" --to results.csv',
    ]


def test_that_what_to_do_next_names_the_run_where_there_are_several():
    lines = summary_lines(summary(), PROJECT, "batchdesk", is_only=False)
    assert lines[-1] == (
        'Export with:  batchdesk export "my project.batchdesk" --run 3 --to results.csv'
    )


@pytest.mark.parametrize("kind", [RunKind.PREVIEW, RunKind.PILOT])
def test_that_a_run_of_a_few_rows_says_its_kind(kind):
    found = summary(kind=kind)
    assert summary_lines(found, PROJECT, "batchdesk")[1] == f"Moods: run 3 ({kind}), finished"
    assert summary_json(found, PROJECT)["kind"] == kind


@pytest.mark.parametrize("state", [RunState.PAUSED, RunState.STOPPED])
def test_that_rows_in_the_queue_of_a_run_that_does_not_run_are_not_sent_yet(state):
    counts = {TaskState.PASSED: 4, TaskState.RUNNING: 946, TaskState.PENDING: 50}
    still = summary(state, counts=counts)
    text = "\n".join(summary_lines(still, PROJECT, "batchdesk"))
    assert "with 996 rows to go" in text
    assert "  not sent yet  996\n" in text
    assert "under way" not in text
    found = summary_json(still, PROJECT)
    assert (found["running"], found["pending"]) == (0, 996)

    busy = "\n".join(summary_lines(summary(RunState.RUNNING, counts=counts), PROJECT, "batchdesk"))
    assert "  under way     946\n" in busy
    assert "  not sent yet  50\n" in busy


def test_that_accuracy_is_told_with_its_interval_end_to_end_and_by_verdict():
    evaluation = evaluate(
        {
            ("a", "a", TaskState.PASSED): 8,
            ("a", "b", TaskState.REVIEW): 2,
            ("a", None, TaskState.DEAD): 6,
        }
    )
    text = "\n".join(summary_lines(summary(evaluation=evaluation), PROJECT, "batchdesk"))
    assert "accuracy      80.0% (8 of 10; 95 %: 49.0% to 94.3%) of the answered" in text
    assert (
        "50.0% (8 of 16; 95 %: 28.0% to 72.0%) end to end (a missing answer counts as wrong)"
        in text
    )
    assert "100.0% (8 of 8; 95 %: 67.6% to 100.0%) of the passed" in text
    assert "0.0% (0 of 2; 95 %: 0.0% to 65.8%) of those for review" in text


def test_that_a_run_without_a_request_has_no_share_of_answers():
    lines = summary_lines(summary(requests=0, succeeded=0, failures={}), PROJECT, "batchdesk")
    assert "  requests      0" in lines


def test_that_skipped_rows_are_told_with_their_reasons():
    found = summary(
        counts={TaskState.PASSED: 60, TaskState.SKIPPED: 12},
        skip_reasons={SkipReason.EMPTY: 2, SkipReason.FILTERED: 10},
    )
    assert "  skipped     12: 10 left out by the job's `where`, 2 empty" in summary_lines(
        found, PROJECT, "batchdesk"
    )


def test_that_rows_answered_before_that_still_wait_for_review_are_told():
    found = summary(
        counts={TaskState.PASSED: 60, TaskState.SKIPPED: 12},
        skip_reasons={SkipReason.UNCHANGED: 12},
        waiting_elsewhere={1: 3, 2: 1},
    )
    assert (
        "  skipped     12: 12 not changed and answered before; 3 of them wait for review in run 1;"
        " 1 of them waits for review in run 2"
    ) in summary_lines(found, PROJECT, "batchdesk")


@pytest.mark.parametrize(
    ("kept", "verdict"),
    [
        (Kept("requests", Range(900, 950, 1000), 950, is_kept=True), "as promised"),
        (Kept("requests", Range(900, 950, 1000), 400, is_kept=False), "NOT as promised"),
        (Kept("requests", Range(900, 950, 1000), 400, is_kept=None), "not finished"),
        (
            Kept("requests", Range(900, 950, 1000), 679, is_kept=False, spared=321),
            "less than promised: 321 answers were reused",
        ),
        (
            Kept("requests", Range(900, 950, 1000), 899, is_kept=False, spared=1),
            "less than promised: 1 answer was reused",
        ),
    ],
)
def test_that_a_promise_is_held_against_the_truth_in_words(kept, verdict):
    line = forecast_lines([kept])[-1]
    assert line == f"  requests    {kept.truth} (900 to 1,000): {verdict}"


def test_that_no_rate_is_told_of_less_than_a_second():
    assert "  time        0 s" in summary_lines(
        summary(counts={TaskState.PASSED: 4000}, active_s=0.2, failures={}), PROJECT, "batchdesk"
    )
    brief = summary_json(summary(counts={TaskState.PASSED: 4000}, active_s=0.2), PROJECT)
    assert brief["accepted_per_min"] == 0.0


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_that_any_cause_is_a_sentence(kind):
    sentence = cause_sentence(summary(RunState.PAUSED, cause=kind, message="the service's word."))
    assert sentence is not None
    assert "the service's word." in sentence
    assert "{" not in sentence
    assert sentence.endswith(".")
    assert kind is ErrorKind.STORAGE_FULL or sentence[0].isupper()


def test_that_a_cause_without_a_word_of_the_service_still_reads_well():
    assert (
        cause_sentence(summary(RunState.PAUSED, cause=ErrorKind.OVERLOADED))
        == "Service overloaded. Resume to go on."
    )
    assert (
        cause_sentence(summary(RunState.PAUSED, cause=ErrorKind.AUTH))
        == "The service does not accept the key. Correct the key, then resume."
    )
    assert (
        cause_sentence(summary(RunState.PAUSED, cause=ErrorKind.STORAGE_FULL))
        == "There is no space for the project file."
    )
    assert (
        cause_sentence(summary(RunState.PAUSED, cause=ErrorKind.RATE_LIMITED))
        == "The service asks to wait. Resume after that time."
    )
    long = summary(RunState.PAUSED, cause=ErrorKind.RATE_LIMITED, message="16:40 · Slow down")
    assert cause_sentence(long) == (
        "The service asks to wait until 16:40 · Slow down. Resume after that time."
    )
    assert cause_sentence(summary(RunState.PAUSED)) is None


def test_that_changes_of_the_limits_and_advice_are_told_where_there_are_some():
    changes = [
        LimitChange(1.0, LimitKind.IN_FLIGHT, 20, 21, LimitReason.SLOW_START),
        LimitChange(2.0, LimitKind.PACE, None, 5.0, LimitReason.REFUSED),
    ]
    advice = [Advice(AdviceCode.PINNED, {"share": 0.9, "limit": 4})]
    lines = summary_lines(summary(), PROJECT, "batchdesk", changes=changes, advice=advice)
    assert (
        "  limits        2 changes, the last: requests per minute none → 300: the service refused"
    ) in lines
    told = lines.index("What decided the speed and the cost, at the end:")
    assert lines[told + 1] == (
        "  Requests at once are fixed at 4: --concurrency auto finds how many the service copes"
        " with."
    )
