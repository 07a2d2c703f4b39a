"""The reason column of an export: stable codes, with the values that a person needs."""

import pytest

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.session.exporting import reason_of
from batchdesk.store.results import TaskView


def view(
    state: TaskState, *, reason=None, kind=None, message=None, checks=(), note=None
) -> TaskView:
    return TaskView(
        id=1,
        row_number=1,
        row_key="A-7",
        cells={"text": "x"},
        state=state,
        reason=reason,
        error_kind=kind,
        error_message=message,
        attempts=1,
        answer=None,
        confidence=None,
        repaired=False,
        checks=checks,
        input_tokens=None,
        output_tokens=None,
        note=note,
    )


@pytest.mark.parametrize(
    "state", [TaskState.PASSED, TaskState.ACCEPTED, TaskState.PENDING, TaskState.RUNNING]
)
def test_that_a_row_that_is_well_or_under_way_needs_no_reason(state):
    assert reason_of(view(state)) is None


def test_that_a_skipped_row_says_why():
    assert reason_of(view(TaskState.SKIPPED, reason="filtered")) == "filtered"


@pytest.mark.parametrize(
    ("kind", "message", "reason"),
    [
        (ErrorKind.BAD_REQUEST, "max_tokens: too large", "bad_request: max_tokens: too large"),
        (ErrorKind.READ_TIMEOUT, None, "read_timeout"),
        (ErrorKind.READ_TIMEOUT, "", "read_timeout"),
        (None, "lost", None),
    ],
)
def test_that_a_dead_letter_and_one_that_waits_name_their_last_failure(kind, message, reason):
    assert reason_of(view(TaskState.DEAD, kind=kind, message=message)) == reason
    assert reason_of(view(TaskState.WAITING, kind=kind, message=message)) == reason


def test_that_low_confidence_is_told_with_both_figures():
    check = {
        "check": "confidence",
        "outcome": "doubtful",
        "code": "low",
        "path": "sentiment",
        "detail": {"value": 0.41, "at_least": 0.6},
    }
    assert (
        reason_of(view(TaskState.REVIEW, checks=[check])) == "confidence low: sentiment 0.41 < 0.6"
    )


def test_that_several_findings_stand_in_one_line():
    checks = [
        {"check": "parsable", "code": "repaired", "path": "", "detail": {}},
        {"check": "labels", "code": "not_allowed", "path": "mood", "detail": {"value": "差"}},
        {"check": "required", "code": "blank", "path": "why"},
    ]
    assert (
        reason_of(view(TaskState.REVIEW, checks=checks))
        == 'parsable repaired; labels not_allowed: mood {"value": "差"}; required blank: why'
    )


def test_that_a_rejection_has_the_persons_note():
    assert reason_of(view(TaskState.REJECTED, note="wrong")) == "rejected: wrong"
    assert reason_of(view(TaskState.REJECTED)) == "rejected"


def test_that_an_accepted_answer_keeps_the_findings_it_had():
    checks = [{"check": "misaligned", "code": "other_row", "path": "", "detail": {}}]
    found = reason_of(view(TaskState.ACCEPTED, checks=checks))
    assert found == "accepted despite misaligned other_row"


def test_that_a_review_without_findings_names_its_failure_if_any():
    assert reason_of(view(TaskState.REVIEW, kind=ErrorKind.CONTENT_FILTERED)) == "content_filtered"
    assert reason_of(view(TaskState.REVIEW)) is None
