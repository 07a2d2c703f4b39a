"""Failed rows on the Run page: by kind, looked into, asked again in one go, exported."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from tests.gui.run_jobs import practice, run_to_end, text

from batchdesk.domain.job import Limits
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.models.dead import COUNT, KIND, MESSAGE, NAME, ROW, TRIES
from batchdesk.gui.widgets.table import Cell
from batchdesk.session import RunStateChanged

ONE_TRY = Limits(concurrency=4, attempts_max=1)


@pytest.fixture
def two_kinds(prepared, page_of):
    """A page with 12 failed rows of two kinds, and how many of each."""
    desk = prepared(practice(limits=ONE_TRY, **{"500": 0.5, "reset": 0.5}), 12)
    page = page_of(desk)
    run_to_end(desk)
    page.show_view("dead")
    return desk, page, dict(desk.summary(desk.run_id).dead_kinds)


def test_that_failed_rows_are_shown_with_their_raw_exchange(prepared, page_of, qtbot):
    desk = prepared(practice(limits=Limits(concurrency_max=4, attempts_max=1), **{"500": 1.0}), 3)
    page = page_of(desk)
    run_to_end(desk)
    assert page.line.hint.text() == "3 rows failed; see “Failed rows”."
    qtbot.mouseClick(page.views._buttons["dead"], Qt.MouseButton.LeftButton)
    dead = page.dead
    assert dead.model.rowCount() == 3
    assert [text(dead.model, 0, column) for column in (ROW, KIND, TRIES)] == [
        "R-001",
        "service error",
        "1",
    ]
    assert text(dead.model, 0, MESSAGE) == "The server had an error while processing your request."
    dead.table.select_row(1)
    assert dead.details.why.text() == "R-002: service error"
    shown = dead.details.raw.toPlainText()
    assert shown.startswith("── Try 1 · ")
    assert "HTTP 500 · service error" in shown
    assert "The strap broke after 2 weeks." in shown
    request = shown.split("Request:\n")[1].split("\n\nResponse:")[0]
    assert json.loads(request)["model"] == "practice"
    assert '"message": "The server had an error' in shown.split("Response:\n")[1]
    assert "DejaVu Sans Mono" in dead.details.raw.font().families()


def test_that_a_run_that_had_finished_asks_failed_rows_again_at_once(prepared, page_of, qtbot):
    desk = prepared(practice(limits=Limits(concurrency_max=4, attempts_max=1), **{"500": 1.0}), 3)
    page = page_of(desk)
    run_to_end(desk)
    page.show_view("dead")
    assert page.dead.ask_all.text() == "Ask all 3 again"
    qtbot.mouseClick(page.dead.ask_all, Qt.MouseButton.LeftButton)
    assert page.dead.told.title.text() == "3 rows will be asked again."
    assert page.dead.told.body.text() == "The run sends them now."
    assert not page.dead.resume.isVisible()

    def sent_again() -> bool:
        desk.refresh_runs()
        return bool(desk.summary(desk.run_id).requests >= 4)

    desk.engine.spin_until(sent_again)  # the service still fails all, so the run goes on
    assert desk.run_id in desk.under_way
    assert page.badge.text() == "Running"
    assert page.dead.told.isVisible()
    assert not page.dead.ask_all.isEnabled()
    assert page.dead.ask_all.toolTip() == "No row has failed."
    desk.session.stop(desk.run_id)
    run_to_end(desk)
    assert not page.dead.told.isVisible()


def test_that_failed_rows_of_a_halted_run_wait_until_it_is_resumed(prepared, page_of, qtbot):
    limits = Limits(concurrency=4, attempts_max=1, alarm_share=1.0)
    desk = prepared(practice(0.05, limits=limits, **{"500": 0.1}), 150)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().count(TaskState.DEAD) >= 3)
    desk.stop(desk.run_id)
    run_to_end(desk)
    desk.engine.spin_until(lambda: desk.run_id not in desk.under_way)
    page.show_view("dead")
    failed, requests = page.dead.model.rowCount(), desk.summary(desk.run_id).requests
    qtbot.mouseClick(page.dead.ask_some, Qt.MouseButton.LeftButton)
    assert page.dead.told.title.text() == "1 row will be asked again."
    assert page.dead.told.body.text() == "They wait until the run is resumed."
    assert page.badge.text() == "Stopped"
    assert page.dead.model.rowCount() == failed - 1
    desk.engine.spin(0.2)
    assert desk.summary(desk.run_id).requests == requests
    assert page.dead.resume.isVisible()
    desk.run_state.emit(RunStateChanged(desk.run_id + 1, RunState.RUNNING))  # another run
    assert page.dead.told.isVisible()
    page.dead._resume()
    run_to_end(desk)
    assert not page.dead.told.isVisible()
    assert desk.summary(desk.run_id).run.state is RunState.FINISHED


def test_that_failed_rows_stand_by_kind_with_count_and_last_message(two_kinds):
    _, page, counts = two_kinds
    kinds = page.dead.kinds
    assert len(counts) == 2
    assert text(kinds, 0, NAME) == "All kinds"
    assert text(kinds, 0, COUNT) == "12"
    ordered = sorted(counts.values(), reverse=True)
    assert [text(kinds, line, COUNT) for line in (1, 2)] == [str(n) for n in ordered]
    lines = {text(kinds, line, NAME): line for line in (1, 2)}
    said = kinds.data(kinds.index(lines["Service error"], NAME), Cell.SECOND)
    assert said == "The server had an error while processing your request."


def dead_and_open(desk) -> tuple[int, int]:
    """Rows that were given up, and rows that are to be asked or being asked."""
    counts = desk.summary(desk.run_id).counts
    return counts.get(TaskState.DEAD, 0), sum(n for state, n in counts.items() if state.is_open)


def test_that_rows_of_one_kind_are_picked_out_and_asked_again_together(two_kinds, qtbot):
    desk, page, counts = two_kinds
    line = page.dead.kinds.line_of(ErrorKind.SERVER_ERROR)
    page.dead.kind_table.select_row(line)
    broken = counts[ErrorKind.SERVER_ERROR]
    assert page.dead.model.rowCount() == broken < 12
    shown = {text(page.dead.model, n, KIND) for n in range(broken)}
    assert shown == {"service error"}
    expected = "Ask 1 again" if broken == 1 else f"Ask all {broken} again"
    assert page.dead.ask_all.text() == expected
    qtbot.mouseClick(page.dead.ask_all, Qt.MouseButton.LeftButton)
    assert dead_and_open(desk) == (12 - broken, broken)
    assert page.dead.kind is None  # none of that kind is left
    assert page.dead.model.rowCount() == 12 - broken


def test_that_a_selection_is_asked_again(two_kinds, qtbot):
    desk, page, _ = two_kinds
    selection = page.dead.table.selectionModel()
    page.dead.table.select_row(0)
    flags = QItemSelectionModel.SelectionFlag
    for line in (2, 5):
        selection.select(page.dead.model.index(line, 0), flags.Select | flags.Rows)
    assert page.dead.ask_some.text() == "Ask 3 selected again"
    qtbot.mouseClick(page.dead.ask_some, Qt.MouseButton.LeftButton)
    assert dead_and_open(desk) == (9, 3)
    assert page.dead.told.title.text() == "3 rows will be asked again."


def test_that_failed_rows_are_asked_again_while_the_run_goes_on(prepared, page_of, qtbot):
    limits = Limits(concurrency=4, attempts_max=1, alarm_share=1.0)
    desk = prepared(practice(0.05, limits=limits, **{"500": 0.1}), 150)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().count(TaskState.DEAD) >= 3)
    page.show_view("dead")
    assert page.dead.model.rowCount() >= 3
    qtbot.mouseClick(page.dead.ask_some, Qt.MouseButton.LeftButton)
    assert page.dead.told.title.text() == "1 row will be asked again."
    assert page.dead.told.body.text() == "The run sends them now."
    assert not page.dead.resume.isVisible()
    run_to_end(desk)
    summary = desk.summary(desk.run_id)
    assert sum(summary.counts.values()) == 150
    assert summary.requests == 151  # one try for each row, and one more for the one asked again


def test_that_failed_rows_are_exported_by_kind(two_kinds, qtbot, tmp_path):
    _, page, counts = two_kinds
    page.dead.kind_table.select_row(page.dead.kinds.line_of(ErrorKind.SERVER_ERROR))
    page.dead.native = False
    qtbot.mouseClick(page.dead.export_button, Qt.MouseButton.LeftButton)
    target = tmp_path / "dead.jsonl"
    page.dead.dialog.fileSelected.emit(str(target))
    page.dead.dialog.reject()
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert len(lines) == counts[ErrorKind.SERVER_ERROR]
    assert {line["batchdesk.error_kind"] for line in lines} == {"server_error"}
    assert {line["batchdesk.attempts"] for line in lines} <= {1, "1"}
    assert page.dead.told.title.text() == f"{len(lines)} failed rows are in dead.jsonl"


def test_that_an_export_that_cannot_be_written_is_told(two_kinds, tmp_path):
    _, page, _ = two_kinds
    page.dead.export(tmp_path / "no such folder" / "dead.csv")
    assert page.dead.told.title.text() == "The failed rows were not exported"
    assert page.dead.told.body.text()
    assert page.dead.export_button.isEnabled()
