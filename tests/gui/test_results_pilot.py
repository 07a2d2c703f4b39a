"""The Results page of a run that released a pilot's rest: the pilot's answers are there too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from tests.gui.embedded import embedded
from tests.gui.run_jobs import practice

from batchdesk.domain.task import RunKind, RunState, SkipReason, TaskState
from batchdesk.gui.pages.preview_flow import release, start_pilot
from batchdesk.gui.pages.results import ResultsPage

ROWS = 20  # of them 2 in the pilot


@pytest.fixture
def released(desk, tmp_path):
    """A desk whose chosen run is the rest of a pilot."""
    lines = [f"R-{n:03},The strap broke after {n} weeks." for n in range(1, ROWS + 1)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["id,text", *lines]) + "\n")
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    job, dataset = practice(0.001), desk.dataset
    desk.start_made(lambda session: start_pilot(session, job=job, dataset=dataset))
    to_end(desk)
    pilot = desk.run_id
    desk.start_made(lambda session: release(session, pilot_run_id=pilot))
    to_end(desk)
    assert desk.summary(desk.run_id).skip_reasons == {SkipReason.PILOT: 2}
    return desk


def to_end(desk):
    def ended() -> bool:
        summary = desk.summary(desk.run_id)
        return summary is not None and summary.run.state is RunState.FINISHED

    desk.engine.spin_until(ended, 60)


def test_that_rows_of_the_pilot_show_their_answer_and_a_line_says_how_many(released, qtbot):
    page = embedded(ResultsPage(released), qtbot)
    assert page.tiles.earlier.isVisibleTo(page)
    assert page.tiles.earlier.text().startswith("2 rows have their answer from the pilot. ")
    assert page.tiles.answered.figure() == "18"
    model = page.rows.model
    places = {column.name or column.role.value: n for n, column in enumerate(model.columns())}

    def shown(row, name):
        return model.index(row, places[name]).data(Qt.ItemDataRole.DisplayRole)

    for row in range(ROWS):
        shown(row, "key")
    qtbot.waitUntil(lambda: model.view(ROWS - 1) is not None)
    assert {shown(row, "sentiment") for row in range(ROWS)} <= {"positive", "negative"}
    piloted = [row for row in range(ROWS) if model.view(row).state is TaskState.SKIPPED]
    assert [shown(row, "reason") for row in piloted] == ["answered in the pilot"] * 2
    page.rows.table.select_row(piloted[0])
    detail = page.rows.detail
    qtbot.mouseClick(detail.choice._buttons["answer"], Qt.MouseButton.LeftButton)
    answer = detail.text.toPlainText()
    assert '"sentiment": "' in answer
    assert "does not stand" not in answer
    qtbot.mouseClick(detail.choice._buttons["attempts"], Qt.MouseButton.LeftButton)
    assert detail.text.toPlainText().startswith("Try 1 · ")


def test_that_a_run_of_all_rows_has_no_such_line(released, qtbot):
    pilot = next(one.run.id for one in released.runs if one.run.kind is RunKind.PILOT)
    released.choose_run(pilot)
    page = embedded(ResultsPage(released), qtbot)
    assert page.tiles.answered.figure() == "2"
    assert not page.tiles.earlier.isVisibleTo(page)
