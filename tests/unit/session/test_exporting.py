"""An export: its columns of answers, what it never replaces, and the codes of its reasons."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.errors import ProjectError, TableError
from batchdesk.session import Session
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


async def exported(session, folder, output):
    """The answer columns of an export and its rows, of a run whose answers have this schema."""
    job = a_job(stage={"output": output, "answer_field": None})
    run_id = await session.make_run(job, await a_table(session, folder))
    await session.start(run_id)
    await session.wait(run_id)
    await session.export(run_id, folder / "out.csv")
    with (folder / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return [name for name in rows[0] if name.startswith("answer.")], rows


async def test_that_answers_that_are_text_of_an_enum_have_a_column(session, tmp_path):
    columns, rows = await exported(session, tmp_path, {"enum": ["positive", "negative"]})
    assert columns == ["answer.value"]
    assert {row["answer.value"] for row in rows if row["id"] != "3"} <= {"positive", "negative"}


async def test_that_answers_that_are_lists_are_exported_as_json(session, tmp_path):
    output = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
    columns, rows = await exported(session, tmp_path, output)
    assert columns == ["answer.value"]
    assert all(isinstance(json.loads(rows[i]["answer.value"])[0], int) for i in (0, 1, 3))


async def test_that_objects_whose_schema_names_no_fields_have_the_fields_of_the_answers(
    session, tmp_path
):
    output = {
        "$ref": "#/$defs/answer",
        "$defs": {
            "answer": {
                "type": "object",
                "properties": {"mood": {"type": "string"}},
                "required": ["mood"],
            }
        },
    }
    columns, rows = await exported(session, tmp_path, output)
    assert columns == ["answer.mood"]
    assert rows[0]["answer.mood"] != ""


async def test_that_an_export_never_replaces_the_project_or_the_table_through_a_link(tmp_path):
    session = await Session.open(tmp_path / "p.csv", create=True)
    try:
        run_id = await session.make_run(a_job(), await a_table(session, tmp_path))
        for name, error in (("p.csv", ProjectError), ("reviews.csv", TableError)):
            link = tmp_path / f"link to {name}"
            link.symlink_to(tmp_path / name)
            before = (tmp_path / name).read_bytes()
            for target in (link, tmp_path / name):
                with pytest.raises(error):
                    await session.export(run_id, target, overwrite=True)
            assert (tmp_path / name).read_bytes() == before
    finally:
        await session.close()


@pytest.mark.parametrize(("rated", "kind"), [([1.5, 2.0], "double"), (["1.50", "2"], "string")])
async def test_that_types_of_a_parquet_table_are_kept_where_nothing_looks_different(
    session, tmp_path, rated, kind
):
    rows = {"text": ["I love it", "It broke"], "code": ["00123", "7"], "rated": rated}
    pq.write_table(pa.table(rows), tmp_path / "in.parquet")
    table = await session.import_table(tmp_path / "in.parquet")
    run_id = await session.make_run(a_job(), table)
    await session.start(run_id)
    await session.wait(run_id)
    assert await session.export(run_id, tmp_path / "out.parquet") == 2
    found = pq.read_table(tmp_path / "out.parquet")
    assert [str(found.schema.field(name).type) for name in rows] == ["string", "string", kind]
    assert {name: found[name].to_pylist() for name in rows} == rows
