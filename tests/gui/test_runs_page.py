"""The Runs page with real widgets on a real project: first start, live list, pause and resume."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from batchdesk.domain.job import PracticeSpec
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.pages.runs import RunsPage
from batchdesk.gui.pages.runs_details import accepted_moments, rate_points
from batchdesk.gui.pages.runs_list import (
    DONE,
    FAILED,
    NAME,
    PASSED,
    PROGRESS,
    RATE,
    STATE,
    figures_of,
)
from batchdesk.gui.widgets.bars import Parts
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.settings import Settings


@pytest.fixture
def page(desk, qtbot, tmp_path):
    files_of(desk).folder = tmp_path / "projects"
    page = RunsPage(desk)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    qtbot.waitExposed(page)
    return page


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def open_chinese_sample(desk, page, qtbot, **practice):
    click(qtbot, page.start.cards["reviews-zh"].button)
    provider = desk.job.provider.model_copy(update={"practice": PracticeSpec(**practice)})
    desk.edit_job(desk.job.model_copy(update={"provider": provider}))


def cell(page, row, column, role=Qt.ItemDataRole.DisplayRole):
    return page.model.index(row, column).data(role)


def is_shown(page, part):
    return part.isVisibleTo(page)


def test_that_the_first_start_offers_samples_with_their_rows_and_says_who_answers(page):
    assert is_shown(page, page.start)
    cards = page.start.cards
    assert list(cards) == ["reviews-en", "reviews-zh", "orders"]
    assert [cards[name].about.text() for name in cards] == [
        "300 rows · CSV · with labels",
        "300 rows · CSV · with labels",
        "40 rows · CSV · with labels",
    ]
    assert "not a model" in cards["reviews-zh"]._description.text()
    assert "small" in cards["reviews-en"]._description.text()


def test_that_the_first_start_opens_a_folder_of_documents(desk, page, qtbot, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("Dear all")
    click(qtbot, page.start.zone.folder)
    page.folder_dialog.fileSelected.emit(str(tmp_path / "letters"))
    page.folder_dialog.close()
    qtbot.waitUntil(lambda: desk.dataset is not None)
    assert (desk.dataset.source, desk.dataset.row_count) == ("letters", 1)


@pytest.mark.parametrize("name", ["reviews-en", "reviews-zh", "orders"])
def test_that_every_sample_opens_with_its_rows_its_job_and_the_data_page(desk, page, qtbot, name):
    gone: list[str] = []
    desk.go_to.connect(gone.append)
    click(qtbot, page.start.cards[name].button)
    assert gone == ["data"]
    assert desk.dataset.name == name
    assert desk.dataset.row_count == {"orders": 40}.get(name, 300)
    assert desk.job_version == 1
    assert desk.project_path.parent == files_of(desk).folder
    assert is_shown(page, page.start.new_run)
    assert page.start.present.text().startswith(f"There is no run of “{name}” (")


def test_that_a_sample_can_be_opened_twice_without_touching_the_first(desk, page, qtbot):
    click(qtbot, page.start.cards["orders"].button)
    desk.engine.start(desk.close_project())
    assert is_shown(page, page.start)
    click(qtbot, page.start.cards["orders"].button)
    assert desk.project_path.name == "Order requests 2.batchdesk"


def test_that_new_run_leads_to_what_is_missing(desk, page, qtbot, tmp_path):
    gone: list[str] = []
    desk.open(tmp_path / "empty.batchdesk")
    assert is_shown(page, page.start)  # an empty project begins as no project does
    assert not is_shown(page, page.start.new_run)
    desk.go_to.connect(gone.append)
    page._new_run()
    table = tmp_path / "a.csv"
    table.write_text("text\nfine\n")
    desk.import_table(table)
    click(qtbot, page.start.new_run)
    assert gone == ["data", "prompt"]


def test_that_recent_projects_are_listed_and_opened(desk, page, qtbot, tmp_path):
    assert not is_shown(page, page.start.recent)
    click(qtbot, page.start.cards["orders"].button)
    first = desk.project_path
    desk.engine.start(desk.close_project())
    assert is_shown(page, page.start.recent)
    page.start.recent.chosen.emit(first)
    assert desk.project_path == first
    assert desk.dataset.name == "orders"


def test_that_a_run_is_followed_live_to_its_end(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=0.1)
    desk.start_new_run()
    desk.engine.spin_until(lambda: cell(page, 0, PASSED) not in ("–", "0"))
    assert cell(page, 0, NAME) == "评论情感"
    assert cell(page, 0, STATE) == "Running"
    assert cell(page, 0, STATE, Cell.STATE) == BadgeState.RUNNING
    parts = cell(page, 0, PROGRESS, Cell.PARTS)
    assert 0 < parts.passed < 300
    assert parts.total == 300
    assert is_shown(page, page.details.pause)
    assert not is_shown(page, page.details.resume)
    desk.engine.spin_until(lambda: not desk.under_way)
    assert cell(page, 0, STATE) == "Finished"
    assert [cell(page, 0, n) for n in (DONE, PASSED, FAILED)] == ["300", "300", "0"]
    assert cell(page, 0, PROGRESS, Cell.PARTS) == Parts(passed=300, total=300)
    assert cell(page, 0, PROGRESS).startswith("300 of 300 · ")
    assert cell(page, 0, NAME, Cell.SECOND) == "prompt v1 · practice server · 300 rows"
    assert page.details.text.text() == "300 passed, 0 wait for a review, 0 failed."


def test_that_a_run_is_paused_and_resumed_from_the_list(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=0.3)
    desk.start_new_run()
    desk.engine.spin_until(lambda: cell(page, 0, PASSED) not in ("–", "0"))
    click(qtbot, page.details.pause)
    desk.engine.spin_until(lambda: cell(page, 0, STATE) == "Paused")
    assert page.details.headline.text() == "Paused by you"
    assert cell(page, 0, PROGRESS).endswith(" % · paused by you")
    assert is_shown(page, page.details.resume)
    assert page.details.resume.text() == "Resume"
    click(qtbot, page.details.resume)
    desk.engine.spin_until(lambda: cell(page, 0, STATE) == "Finished")
    assert cell(page, 0, DONE) == "300"
    assert desk.summary(1).requests == 300  # nothing was sent twice


def test_that_a_run_that_paused_by_itself_says_why_and_what_to_do(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=0.05, faults={"html": 1.0})
    gone: list[str] = []
    desk.start_new_run()
    desk.engine.spin_until(lambda: cell(page, 0, STATE, Cell.STATE) == BadgeState.CAUSE)
    assert desk.summary(1).run.cause is ErrorKind.NOT_AN_API
    assert cell(page, 0, STATE) == "Paused: not a model service"
    assert page.details.headline.text() == "Paused by itself: not a model service"
    text = page.details.text.text()
    assert "300 rows wait; nothing is lost." in text
    assert "Check the address" in text
    assert page.details.resume.text() == "Check again and resume"
    desk.go_to.connect(gone.append)
    click(qtbot, page.details.mend)
    assert gone == ["prompt"]


def test_that_enter_opens_the_selected_run_and_a_new_one_is_selected(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=0.01)
    desk.start_new_run(limit=5)
    desk.engine.spin_until(lambda: desk.runs and desk.runs[0].run.state is RunState.FINISHED)
    desk.edit_job(desk.job.model_copy(update={"name": "Second"}))
    desk.start_new_run(limit=5)
    desk.engine.spin_until(lambda: not desk.under_way)
    assert [cell(page, n, NAME) for n in range(2)] == ["Second", "评论情感"]
    assert page.table.currentIndex().row() == 0
    gone: list[str] = []
    chosen: list[int] = []
    desk.go_to.connect(gone.append)
    desk.run_changed.connect(chosen.append)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    assert page.details.title.text() == "评论情感"
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert (gone, chosen) == (["run"], [1])


def test_that_a_run_made_in_an_earlier_session_is_listed_with_its_figures(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=1.2)
    desk.start_new_run(limit=20)
    desk.engine.spin_until(lambda: desk.runs and desk.runs[0].run.state is RunState.FINISHED)
    path = desk.project_path
    desk.engine.start(desk.close_project())
    assert page.model.rowCount() == 0
    desk.open(path)
    assert cell(page, 0, DONE) == "20"
    assert cell(page, 0, RATE) not in ("–", "0")
    assert page.head.subtitle.text() == "1 run"


def test_that_rejected_rows_are_done_but_not_failed_and_skipped_ones_are_apart(desk, page, qtbot):
    open_chinese_sample(desk, page, qtbot, latency_s=0.01)
    desk.start_new_run(limit=3)
    desk.engine.spin_until(lambda: desk.runs and desk.runs[0].run.state is RunState.FINISHED)
    counts = {
        TaskState.PASSED: 5,
        TaskState.REJECTED: 2,
        TaskState.DEAD: 1,
        TaskState.SKIPPED: 4,
        TaskState.PENDING: 2,
    }
    summary = replace(desk.runs[0], counts=counts)
    figures = figures_of(summary, None)
    assert (figures.done, figures.total, figures.waiting) == (8, 10, 2)
    assert (figures.rejected, figures.failed, figures.skipped) == (2, 1, 4)
    page.model.set_runs([summary], {})
    assert [cell(page, 0, n) for n in (DONE, FAILED)] == ["8", "1"]
    assert cell(page, 0, NAME, Cell.SECOND).endswith(" · 10 rows · 4 skipped")
    page.details.show_run(summary, figures, "")
    assert page.details.text.text() == (
        "5 passed, 0 wait for a review, 1 failed. 2 rejected by you. 4 skipped."
    )


def test_that_the_pace_is_taken_over_ten_seconds_and_broken_by_a_pause():
    series = [(float(at), {"counts": {"passed": at * 2, "accepted": 0}}) for at in range(13)]
    series += [(100.0, {"counts": {"passed": 26}}), (101.0, {"counts": {"passed": 29}})]
    points = dict(rate_points(accepted_moments(series)))
    assert points[1.0] == {"accepted": 120.0}
    assert points[12.0] == {"accepted": 120.0}
    assert points[13.0] == {"accepted": None}  # a second after the last before the pause
    assert 100.0 not in points
    assert points[101.0] == {"accepted": 180.0}


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_a_small_window(desk, qtbot, language, tmp_path, code):
    language(code)
    files_of(desk).folder = tmp_path
    desk.settings = Settings(recent=(Path("/somewhere/long/" + "x" * 200 + ".batchdesk"),))
    page = RunsPage(desk)
    qtbot.addWidget(page)
    open_chinese_sample(desk, page, qtbot, latency_s=0.01)
    desk.start_new_run(limit=3)
    desk.engine.spin_until(lambda: desk.runs and desk.runs[0].run.state is RunState.FINISHED)
    hint = page.minimumSizeHint()
    assert hint.width() <= 1024 - 56
    assert hint.height() <= 700 - 44
