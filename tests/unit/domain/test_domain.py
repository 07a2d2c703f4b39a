"""What the types promise: states, kinds, verdicts, snapshots, and a job's own rules."""

import json

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.job import (
    ConfidenceCheck,
    DataSpec,
    Job,
    LabelsCheck,
    Limits,
    ProviderSpec,
    Stage,
)
from batchdesk.domain.snapshot import HoldReason, Percentiles, Phases, Snapshot
from batchdesk.domain.task import OPEN_STATES, ErrorKind, RunState, TaskState
from batchdesk.domain.verdict import Assessment, CheckOutcome, CheckResult, Verdict, verdict_of


def test_that_exactly_four_states_are_open():
    assert {state.value for state in TaskState if state.is_open} == {
        "blocked",
        "pending",
        "running",
        "waiting",
    }
    assert {state for state in TaskState if state.is_open} == OPEN_STATES


def test_that_only_faults_of_the_answer_count_as_answered():
    assert {kind.value for kind in ErrorKind if kind.is_of_answer} == {
        "content_filtered",
        "truncated",
        "malformed_output",
        "empty_output",
        "misaligned",
    }


# -- verdicts -----------------------------------------------------------------------------------

OK, DOUBTFUL, BAD = CheckOutcome.OK, CheckOutcome.DOUBTFUL, CheckOutcome.BAD


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([], Verdict.PASSED),
        ([OK, OK], Verdict.PASSED),
        ([OK, DOUBTFUL], Verdict.REVIEW),
        ([BAD], Verdict.REVIEW),
        ([BAD, OK, DOUBTFUL], Verdict.REVIEW),
    ],
)
def test_that_a_verdict_passes_only_if_all_is_well(outcomes, verdict):
    assert verdict_of(outcomes) is verdict


def test_that_an_assessment_with_a_finding_is_for_review():
    assert Assessment("x", ()).verdict is Verdict.PASSED
    assert Assessment("x", (CheckResult("confidence", DOUBTFUL, "low"),)).verdict is Verdict.REVIEW


# -- snapshots ----------------------------------------------------------------------------------


def snapshot(counts: dict[TaskState, int]) -> Snapshot:
    nothing = Percentiles()
    return Snapshot(
        run_id=1, at=0.0, state=RunState.RUNNING, cause=None, active_s=1.0, counts=counts, in_flight=0, limit=1, buffered=0, uncommitted=0,
        hold=HoldReason.NOTHING, requests=0, succeeded=0, reused=0, failures={}, last_failure="", input_tokens=0, output_tokens=0,
        finished_per_s=0.0, requests_per_s=0.0, tokens_per_s=0.0, permitted_requests_per_s=None, permitted_tokens_per_s=None,
        latency_recent=nothing, latency_run=nothing, first_token=nothing, phases=Phases(), eta_s=None, oldest_wait_s=0.0,
    )  # fmt: skip


def test_that_done_is_what_is_no_longer_open():
    found = snapshot(
        {
            TaskState.PENDING: 5,
            TaskState.WAITING: 2,
            TaskState.RUNNING: 1,
            TaskState.PASSED: 10,
            TaskState.DEAD: 3,
            TaskState.SKIPPED: 4,
        }
    )
    assert (found.total, found.done) == (21, 13)  # the four that are skipped are no work


@given(st.dictionaries(st.sampled_from(list(TaskState)), st.integers(0, 10**6)))
def test_that_done_and_open_are_all_of_it(counts):
    found = snapshot(counts)
    assert found.done + sum(counts.get(state, 0) for state in OPEN_STATES) == found.total


# -- jobs ---------------------------------------------------------------------------------------


def job(**parts) -> Job:
    return Job.model_validate({"name": "j", "stages": [{"name": "s", "user": "u"}], **parts})


def test_that_equal_jobs_have_equal_hashes_and_any_change_another():
    assert job().content_hash() == job(limits={"attempts_max": 5}).content_hash()
    assert (
        len(
            {
                job().content_hash(),
                job(name="k").content_hash(),
                job(limits={"attempts_max": 4}).content_hash(),
                job(data={"key": "id"}).content_hash(),
            }
        )
        == 4
    )


def test_that_a_job_survives_being_stored_as_json():
    check = {"kind": "labels", "field": "mood", "allowed": ["好", "差"], "synonyms": {"good": "好"}}
    stage = {
        "name": "s",
        "user": "评价 {{ text }}",
        "output": {"type": "object"},
        "checks": [check],
    }
    made = job(stages=[stage], data={"path": "a b/表.csv", "separator": "\t"})
    again = Job.model_validate_json(made.model_dump_json())
    assert again == made
    assert again.content_hash() == made.content_hash()
    assert Job.model_validate(json.loads(json.dumps(made.model_dump(mode="json")))) == made


def test_that_a_job_cannot_be_changed_in_place():
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        job().name = "other"  # type: ignore[misc]  # what must fail here


@pytest.mark.parametrize(
    ("read_s", "total_s", "stream", "expected"),
    [
        (None, 120, False, 120),
        (None, 120, True, 60),
        (None, 30, True, 30),
        (90, 120, True, 90),
        (90, 120, False, 90),
        (200, 120, False, 120),
    ],
)
def test_that_the_longest_silence_is_as_set_or_sixty_seconds_streaming_and_never_above_the_total(
    read_s, total_s, stream, expected
):
    assert (
        Limits(timeout_read_s=read_s, timeout_total_s=total_s).read_timeout_s(stream=stream)
        == expected
    )


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Limits, {"concurrency_max": 0}),
        (Limits, {"concurrency_max": 1001}),
        (Limits, {"concurrency": 0}),
        (Limits, {"concurrency": 1001}),
        (Limits, {"latency_p95_max_s": 0}),
        (Limits, {"slow_share": 0}),
        (Limits, {"slow_share": 1}),
        (Limits, {"retry_share": 1.1}),
        (Limits, {"alarm_share": 0}),
        (Limits, {"attempts_max": 0}),
        (Limits, {"rpm": 0}),
        (Limits, {"rpm": float("inf")}),
        (Limits, {"deadline_s": float("nan")}),
        (Limits, {"batch_size": 100_001}),
        (Stage, {"name": "s", "user": ""}),
        (Stage, {"name": "s", "user": "u", "n": 21}),
        (Stage, {"name": "s", "user": "u", "top_p": 0}),
        (Stage, {"name": "s", "user": "u", "output": {"minimum": float("nan")}}),
        (DataSpec, {"separator": ""}),
        (DataSpec, {"separator": ";;"}),
        (LabelsCheck, {"kind": "labels", "field": "f", "allowed": ()}),
        (LabelsCheck, {"kind": "labels", "field": "f", "allowed": ("a",), "synonyms": {"b": "c"}}),
        (ConfidenceCheck, {"kind": "confidence", "at_least": 1.1}),
        (ConfidenceCheck, {"kind": "confidence", "source": "field", "at_least": 0.5}),
        (ProviderSpec, {"api_key_env": "sk-abc"}),
        (ProviderSpec, {"api_key_env": ""}),
    ],
)
def test_that_values_out_of_bounds_are_refused(kind, values):
    with pytest.raises(pydantic.ValidationError):
        kind.model_validate(values)


@given(
    st.from_regex(r"[A-Z_][A-Z_]{0,63}", fullmatch=True).filter(
        lambda name: name.strip("_") != "" and not name.startswith("SK_")
    )
)
def test_that_any_name_in_capitals_is_a_variable(name):
    assert ProviderSpec(api_key_env=name).api_key_env == name
