"""The Results page with real widgets over a real run of the practice server."""

from __future__ import annotations

import csv
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from tests.gui.fake_desk import FakeDesk

from batchdesk.domain.clean import MaskStep
from batchdesk.domain.job import ConfidenceCheck
from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.gui.models.results import (
    Column,
    Role,
    result_columns,
    shown_fields,
    text_column,
    value_text,
)
from batchdesk.gui.pages import PAGES, results_export
from batchdesk.gui.pages.results import ResultsPage
from batchdesk.gui.pages.results_export import copied, default_name, with_suffix
from batchdesk.gui.pages.results_facts import Group, Wanted, matrix_labels
from batchdesk.gui.pages.results_reading import Read
from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.window import MainWindow
from batchdesk.session import Evaluation, Share, TaskFilter, read_job_file, samples
from batchdesk.tables import open_reader

ROWS = 100
FOLDER = Path(__file__).resolve().parents[2] / "build" / "screenshots"
SUFFIX = "-200" if os.environ.get("QT_SCALE_FACTOR") == "2" else ""
DISPLAY = Qt.ItemDataRole.DisplayRole


def job_of(name="reviews-zh", at_least=0.8, latency_s=0.001, **faults):
    sample = next(one for one in samples() if one.name == name)
    job = read_job_file(sample.job_file)
    sure = ConfidenceCheck(kind="confidence", source="logprobs", at_least=at_least)
    stage = job.stages[0].model_copy(update={"checks": (*job.stages[0].checks, sure)})
    practice = job.provider.practice.model_copy(update={"latency_s": latency_s, "faults": faults})
    provider = job.provider.model_copy(update={"practice": practice})
    limits = job.limits.model_copy(update={"attempts_max": 1, "alarm_share": 1.0})
    changes = {"stages": (stage,), "provider": provider, "limits": limits}
    return sample, job.model_copy(update=changes)


def start(desk, job, table, limit=None):
    desk.import_table(table, "id")
    desk.edit_job(job)
    desk.start_new_run(limit=limit)


def finish(desk):
    desk.engine.spin_until(
        lambda: (
            (summary := desk.summary(desk.run_id)) is not None
            and summary.run.state.value == "finished"
        ),
        timeout_s=60,
    )


def table_with_blanks(folder: Path, source: Path) -> Path:
    """The sample with five rows that have no text, and one whose text looks like markup."""
    lines = source.read_text(encoding="utf-8-sig").splitlines()
    extra = [f"blank-{n},,neutral,x,3" for n in range(5)]
    markup = 'html-1,"<b>好</b> <img src=x> &amp; 很好很喜欢非常满意质量不错",positive,x,5'
    path = folder / "reviews.csv"
    path.write_text("\n".join([lines[0], *extra, markup, *lines[1:]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def finished_run(qapp, tmp_path_factory):
    """A project with a finished run: some rows doubtful, some failed, five not sent."""
    folder = tmp_path_factory.mktemp("results")
    desk = FakeDesk()
    desk.open(folder / "results.batchdesk")
    sample, job = job_of(at_least=0.9, malformed=0.2, **{"500": 0.15})
    start(desk, job, table_with_blanks(folder, sample.table), limit=ROWS)
    finish(desk)
    summary = desk.summary(desk.run_id)
    assert summary is not None
    counts = summary.counts
    assert counts[TaskState.SKIPPED] == 5
    usual = [counts[state] for state in (TaskState.PASSED, TaskState.REVIEW, TaskState.DEAD)]
    assert min(usual) > 2, counts
    desk.shut()
    return folder / "results.batchdesk"


@pytest.fixture
def desk(finished_run, tmp_path):
    """A desk with a copy of that project open."""
    path = tmp_path / "Reviews June.batchdesk"
    shutil.copy(finished_run, path)
    desk = FakeDesk()
    desk.open(path)
    yield desk
    desk.shut()


@pytest.fixture
def page(qtbot, desk):
    return open_page(qtbot, desk)


def open_page(qtbot, desk):
    page = ResultsPage(desk)
    qtbot.addWidget(page)
    page.resize(1120, 756)
    page.show()
    qtbot.waitExposed(page)
    qtbot.wait(20)
    return page


def ask(desk, call):
    return desk.engine.loop.run_until_complete(call(desk.session))


def cells(page, row):
    """The texts of a row by role, and the fields by name; read as a table would."""
    model = page.rows.model
    found = {}
    for place, column in enumerate(model.columns()):
        found[column.name or column.role.value] = model.index(row, place).data(DISPLAY)
    return found


def shown_keys(qtbot, page):
    model = page.rows.model
    for row in range(model.rowCount()):
        model.index(row, 0).data(DISPLAY)
    qtbot.wait(20)
    return [model.index(row, 0).data(DISPLAY) for row in range(model.rowCount())]


def click_cell(qtbot, page, label, answer):
    matrix = page.quality.matrix
    labels = matrix_labels(page._summary.evaluation, page._summary.run.job)
    rect = matrix.cell_rect(labels.index(label), labels.index(answer))
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())


# -- figures --------------------------------------------------------------------------------


def test_that_the_tiles_add_up_to_the_rows_that_were_sent(page, desk):
    summary = desk.summary(desk.run_id)
    counts, tiles = summary.counts, page.tiles
    sent = summary.tasks - 5
    figures = [int(t.figure()) for t in (tiles.accepted, tiles.review, tiles.failed)]
    assert sum(figures) == sent == ROWS
    assert figures[0] == counts[TaskState.PASSED]
    assert int(tiles.answered.figure()) == figures[0] + figures[1]
    assert tiles.accepted.context() == f"{counts[TaskState.PASSED] / sent * 100:.1f} % pass rate"
    dead = counts[TaskState.DEAD]
    assert tiles.failed.context() == f"0 rejected, {dead} failed"
    success = summary.succeeded / summary.requests * 100
    assert tiles.answered.context() == f"requests: {success:.1f} % ok"
    assert success < 100
    assert int(tiles.requests.figure()) == summary.requests


def test_that_accuracy_has_its_interval_and_failures_count_as_wrong(page, desk):
    evaluation = desk.summary(desk.run_id).evaluation
    low, high = evaluation.answered.interval
    assert page.tiles.accuracy.figure() == f"{evaluation.answered.value * 100:.1f} %"
    assert page.tiles.accuracy.context() == f"95 %: {low * 100:.1f}–{high * 100:.1f} %"
    assert page.tiles.end_to_end.figure() == f"{evaluation.end_to_end.value * 100:.1f} %"
    assert evaluation.end_to_end.of == ROWS
    assert evaluation.end_to_end.value < evaluation.answered.value
    assert page.tiles.end_to_end.context() == "failed = wrong"


def test_that_how_it_went_lists_every_failure_and_every_row_left_out(page, desk):
    summary = desk.summary(desk.run_id)
    lines = [(line.text(), line.count, line.acts) for line in page.course.lines()]
    acting = [(name, int(count)) for name, count, acts in lines if acts]
    assert acting[-1] == ("Empty row", 5)
    assert sum(count for _, count in acting[:-1]) == summary.counts[TaskState.DEAD]
    attempts = sum(int(count) for _, count, acts in lines if not acts)
    assert attempts == sum(summary.failures.values())
    assert {name for name, _, acts in lines if not acts} == {
        "Service error",
        "Answer not in the asked form",
    }


def test_that_how_it_went_says_which_answers_wait_for_review_in_an_earlier_run(page, desk):
    summary = replace(desk.summary(desk.run_id), waiting_elsewhere={7: 3})
    page.course.refresh(summary, {"unchanged": 5})
    said = [label.text() for label in page.course.findChildren(PlainLabel)]
    assert "3 of them wait for review in run 7." in said


# -- the matrix -----------------------------------------------------------------------------


def test_that_every_cell_opens_as_many_rows_as_it_says(qtbot, page, desk):
    evaluation = desk.summary(desk.run_id).evaluation
    assert sum(evaluation.confusion.values()) == evaluation.answered.of
    opened = 0
    for (label, answer), count in sorted(evaluation.confusion.items()):
        click_cell(qtbot, page, label, answer)
        assert page.rows.model.rowCount() == count, (label, answer)
        shown_keys(qtbot, page)
        for row in range(count):
            found = cells(page, row)
            assert (found["sentiment"], found["state"]) in {
                (answer, "Passed"), (answer, "Review"),
            }  # fmt: skip
        opened += count
    assert opened == evaluation.answered.of
    assert not page.rows.detail.isVisible()


def test_that_chips_say_what_is_filtered_and_take_it_away(qtbot, page, desk):
    confusion = desk.summary(desk.run_id).evaluation.confusion
    (label, answer), count = max(
        (item for item in confusion.items() if item[0][0] != item[0][1]), key=lambda item: item[1]
    )
    click_cell(qtbot, page, label, answer)
    assert [chip.text() for chip in page.rows.chips()] == [f"label: {label}", f"answer: {answer}"]
    assert page.rows.count.text() == f"{count} of {ROWS + 5}"
    assert page.rows.group.currentText().startswith("Answered (")
    qtbot.keyClick(page.rows.chips()[1], Qt.Key.Key_Space)
    assert [chip.text() for chip in page.rows.chips()] == [f"label: {label}"]
    assert page.quality.matrix.selected() is None
    shown_keys(qtbot, page)
    found = [page.rows.model.view(row) for row in range(page.rows.model.rowCount())]
    assert {view.cells["sentiment"] for view in found} == {label}
    answered = [view for view in found if isinstance(view.answer, dict)]
    assert len(answered) == sum(n for (has, _), n in confusion.items() if has == label)
    qtbot.mouseClick(page.rows.chips()[0], Qt.MouseButton.LeftButton)
    assert page.rows.chips() == []
    assert page.rows.model.rowCount() == ROWS + 5
    assert page.rows.count.text() == str(ROWS + 5)


def test_that_a_cell_clicked_again_or_left_by_escape_shows_all_rows(qtbot, page):
    click_cell(qtbot, page, "positive", "positive")
    assert page.rows.model.rowCount() < ROWS
    click_cell(qtbot, page, "positive", "positive")
    assert page.rows.model.rowCount() == ROWS + 5
    page.quality.matrix.setFocus()
    qtbot.keyClick(page.quality.matrix, Qt.Key.Key_Return)
    assert len(page.rows.chips()) == 2
    qtbot.keyClick(page.quality.matrix, Qt.Key.Key_Escape)
    assert page.rows.chips() == []


def test_that_an_answer_that_differs_from_its_label_is_marked(qtbot, page):
    click_cell(qtbot, page, "neutral", "positive")
    if not page.rows.model.rowCount():
        click_cell(qtbot, page, "neutral", "negative")
    shown_keys(qtbot, page)
    model = page.rows.model
    field = model.columns().index(Column(Role.FIELD, "sentiment"))
    from batchdesk.gui.widgets.chips import ChipTone
    from batchdesk.gui.widgets.table import Cell

    assert model.index(0, field).data(Cell.CHIP) == ChipTone.WRONG
    assert model.index(0, field - 1).data(Cell.CHIP) == ChipTone.PLAIN


def test_that_without_labels_the_page_says_what_to_do(qtbot, desk):
    job = desk.job
    desk.edit_job(job.model_copy(update={"data": job.data.model_copy(update={"label": None})}))
    desk.start_new_run(limit=3)
    finish(desk)
    page = open_page(qtbot, desk)
    assert page.quality.empty.isVisible()
    assert "choose a Label column" in page.quality.empty.sentence.text()
    assert page.tiles.accuracy.figure() == "–"
    assert page.tiles.accuracy.context() == "no labels yet"
    gone_to: list[str] = []
    desk.go_to.connect(gone_to.append)
    qtbot.mouseClick(page.quality.empty.button, Qt.MouseButton.LeftButton)
    assert gone_to == ["data"]


# -- filters and rows -----------------------------------------------------------------------


def test_that_a_failed_kind_opens_its_rows_with_their_reason(qtbot, page, desk):
    kinds = desk.summary(desk.run_id).dead_kinds
    assert ErrorKind.SERVER_ERROR in kinds
    line = next(
        line for line in page.course.lines() if line.acts and line.text() == "Service error"
    )
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert page.rows.model.rowCount() == kinds[ErrorKind.SERVER_ERROR]
    assert [chip.text() for chip in page.rows.chips()] == ["failed: service error"]
    shown_keys(qtbot, page)
    found = cells(page, 0)
    assert (found["state"], found["attempts"]) == ("Failed", "1")
    assert found["reason"].startswith("service error: ")
    assert found["confidence"] == "–"


def test_that_the_state_is_chosen_with_its_count(qtbot, page, desk):
    counts = desk.summary(desk.run_id).counts
    group = page.rows.group
    words = [group.itemText(row) for row in range(group.count())]
    assert words[0] == f"All rows ({ROWS + 5})"
    assert f"Passed ({counts[TaskState.PASSED]})" in words
    assert "Skipped (5)" in words
    assert not any(word.startswith(("Rejected", "Still to do")) for word in words)
    group.setFocus()
    group.setCurrentIndex(group.findData(Group.SKIPPED))
    group.activated.emit(group.currentIndex())
    assert shown_keys(qtbot, page) == [f"blank-{n}" for n in range(5)]
    assert cells(page, 0)["reason"] == "empty row"


def test_that_search_finds_keys_and_cells_and_nothing_is_said(qtbot, page):
    qtbot.keyClicks(page.rows.search, "<B>")
    qtbot.keyClick(page.rows.search, Qt.Key.Key_Return)
    assert shown_keys(qtbot, page) == ["html-1"]
    page.rows.search.setText("blank-")
    qtbot.waitUntil(lambda: page.rows.model.rowCount() == 5)
    page.rows.search.setText("nowhere")
    qtbot.keyClick(page.rows.search, Qt.Key.Key_Return)
    assert page.rows.model.rowCount() == 0
    assert page.rows._none.sentence.text() == "No row matches."
    qtbot.mouseClick(page.rows._none.button, Qt.MouseButton.LeftButton)
    assert page.rows.search.text() == ""
    assert page.rows.model.rowCount() == ROWS + 5


def test_that_a_selected_row_shows_its_text_answer_and_exchanges_as_plain_text(qtbot, page, desk):
    keys = shown_keys(qtbot, page)
    page.rows.table.setFocus()
    page.rows.table.select_row(keys.index("html-1"))
    detail = page.rows.detail
    assert detail.isVisible()
    assert detail.key.text() == "html-1"
    assert "<b>好</b> <img src=x> &amp; 很好" in detail.text.toPlainText()
    states = [page.rows.model.view(row).state for row in range(len(keys))]
    page.rows.table.select_row(states.index(TaskState.PASSED))
    choose(qtbot, detail, "answer")
    view = detail.view()
    assert detail.key.text() == keys[states.index(TaskState.PASSED)]
    answer, _, notes = detail.text.toPlainText().partition("\n\n")
    assert json.loads(answer) == view.answer
    assert notes == f"Confidence: {view.confidence:.4f}"
    choose(qtbot, detail, "attempts")
    (attempt, *_) = ask(desk, lambda session: session.attempts(view.id))
    shown = detail.text.toPlainText()
    assert "Try 1 · " in shown
    assert json.dumps(json.loads(attempt.response), ensure_ascii=False, indent=2) in shown
    assert "Request" in shown
    qtbot.keyClick(page.rows.table, Qt.Key.Key_Escape)
    assert not detail.isVisible()


def choose(qtbot, detail, code):
    qtbot.mouseClick(detail.choice._buttons[code], Qt.MouseButton.LeftButton)


def test_that_a_row_without_requests_says_so(qtbot, page):
    keys = shown_keys(qtbot, page)
    page.rows.table.select_row(keys.index("blank-0"))
    detail = page.rows.detail
    assert detail.reason.text() == "empty row"
    choose(qtbot, detail, "answer")
    assert detail.text.toPlainText() == "There is no answer."
    choose(qtbot, detail, "attempts")
    assert detail.text.toPlainText() == "Nothing was sent for this row."


def test_that_decisions_made_elsewhere_show_when_the_page_is_back(qtbot, page, desk):
    (first, *_) = ask(
        desk, lambda s: s.task_ids(desk.run_id, TaskFilter(states=frozenset({TaskState.REVIEW})))
    )
    row = page.rows.model.row_of(first)
    shown_keys(qtbot, page)
    assert cells(page, row)["decision"] == ""
    page.hide()
    ask(desk, lambda s: s.review.decide(first, Decision.REJECTED))
    page.show()
    qtbot.wait(30)
    shown_keys(qtbot, page)
    found = cells(page, row)
    assert (found["state"], found["decision"], found["sentiment"]) == ("Rejected", "rejected", "–")
    assert page.tiles.failed.context().startswith("1 rejected, ")


def test_that_a_long_name_gives_way_to_the_rows_and_the_time_of_a_run(page, desk):
    run = replace(desk.runs[0].run, job=desk.job.model_copy(update={"name": "Reviews " * 20}))
    words = page._run_words(run, 12_345)
    assert words.startswith("Reviews Rev")
    assert "… · " in words
    assert "(12,345) · " in words
    assert page.chooser.fontMetrics().horizontalAdvance(words) <= page.chooser.width() - 48
    assert f"({ROWS})" in page.chooser.currentText()  # the five that are not sent do not count


# -- export ---------------------------------------------------------------------------------


def test_that_the_file_says_what_the_screen_says(qtbot, page, desk, tmp_path):
    shown_keys(qtbot, page)
    target = tmp_path / "out.csv"
    page.export_to(target)
    banner = page.exporting.banner
    assert banner.isVisible()
    assert banner.title.text() == f"{ROWS + 5} rows are in out.csv"
    assert banner.body.text() == str(tmp_path)
    assert banner._shape.state is BadgeState.PASSED
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    words = page._words
    assert len(rows) == ROWS + 5
    for place, row in enumerate(rows):
        found = cells(page, place)
        assert found["key"] == row["id"]
        assert found["text"] == (row["text"] or "–")
        assert found["sentiment"] == (row["answer.sentiment"] or "–")
        assert found["state"] == words.task_state(TaskState(row["batchdesk.state"]))
        assert found["attempts"] == row["batchdesk.attempts"]
        assert bool(found["reason"]) == bool(row["batchdesk.reason"])


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_that_the_suffix_decides_the_format(page, tmp_path, suffix):
    target = tmp_path / f"out.{suffix}"
    page.export_to(target)
    first = target.read_text(encoding="utf-8-sig").splitlines()[0]
    assert first.startswith('{"id"' if suffix == "jsonl" else "id\ttext\t")


def test_that_a_missing_folder_is_told_in_a_sentence_on_the_page(page, desk, tmp_path):
    problems: list[str] = []
    desk.problem.connect(problems.append)
    page.export_to(tmp_path / "nowhere" / "out.csv")
    banner = page.exporting.banner
    assert banner.isVisible()
    assert banner.title.text() == "The rows were not exported"
    assert banner.body.text() == (
        f"The folder {tmp_path / 'nowhere'} does not exist: choose another one."
    )
    assert problems == []
    assert page.export_button.isEnabled()
    page.export_to(tmp_path / "out.docx")
    assert "out.docx is in no format" in banner.body.text()
    assert list(tmp_path.glob("out*")) == []


def test_that_an_export_is_busy_until_it_is_done_and_can_be_shown_in_its_folder(
    page, desk, tmp_path, monkeypatch, qtbot
):
    opened: list[Path] = []
    monkeypatch.setattr(results_export, "open_folder", opened.append)
    desk.engine.at_once = False
    page.export_to(tmp_path / "out.csv")
    assert not page.export_button.isEnabled()
    assert page.export_button.toolTip() == "An export is under way."
    assert page.exporting.banner.title.text() == "Writing out.csv …"
    page.export_to(tmp_path / "second.csv")
    desk.engine.spin_until(lambda: not page.exporting.busy)
    desk.engine.at_once = True
    assert page.export_button.isEnabled()
    assert not (tmp_path / "second.csv").exists()
    button = page.exporting.banner._buttons.itemAt(0).widget()
    assert button.text() == "Open folder"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [tmp_path]


def test_that_the_dialog_proposes_a_name_and_what_is_chosen_is_written(page, desk, qtbot, tmp_path):
    page.exporting.native = False
    qtbot.mouseClick(page.export_button, Qt.MouseButton.LeftButton)
    dialog = page.exporting.dialog
    assert dialog.isVisible()
    assert dialog.fileMode() == QFileDialog.FileMode.AnyFile
    assert Path(dialog.selectedFiles()[0]) == tmp_path / f"评论情感 {desk.run_id}.csv"
    dialog.filterSelected.emit("JSON Lines (*.jsonl)")
    assert Path(dialog.selectedFiles()[0]).name == f"评论情感 {desk.run_id}.jsonl"
    dialog.accept()
    target = tmp_path / f"评论情感 {desk.run_id}.jsonl"
    assert len(target.read_text(encoding="utf-8").splitlines()) == ROWS + 5


def test_that_the_dialog_offers_every_format_and_each_file_has_all_rows(
    page, desk, qtbot, tmp_path
):
    page.exporting.native = False
    page.export()
    kinds = [words.rpartition("(*")[2][:-1] for words in page.exporting.dialog.nameFilters()]
    assert kinds == [".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".sqlite"]
    page.exporting.dialog.reject()
    for suffix in kinds:
        page.export_to(tmp_path / f"out{suffix}")
        assert page.exporting.banner.title.text() == f"{ROWS + 5} rows are in out{suffix}"
        reader = open_reader(tmp_path / f"out{suffix}")
        assert sum(1 for _ in reader.rows()) == ROWS + 5
        reader.close()


@pytest.fixture
def workbook_desk(tmp_path):
    """A run over a workbook of two rows, one of which has an address that is masked."""
    book = openpyxl.Workbook()
    rows = [["1", "很好，写信到 ann@example.com", "positive"], ["2", "质量太差", "negative"]]
    for row in (["id", "text", "sentiment"], *rows):
        book.worksheets[0].append(row)
    book.save(tmp_path / "in.xlsx")
    desk = FakeDesk()
    desk.open(tmp_path / "book.batchdesk")
    _, job = job_of()
    start(desk, job.model_copy(update={"clean": (MaskStep(step="mask"),)}), tmp_path / "in.xlsx")
    finish(desk)
    yield desk
    desk.shut()


def test_that_a_workbook_that_is_there_as_imported_can_be_copied(qtbot, workbook_desk, tmp_path):
    page = open_page(qtbot, workbook_desk)
    page.exporting.native = False
    page.export()
    dialog = page.exporting.dialog
    copy = "Copy of the workbook, with the answers (*.xlsx)"
    assert dialog.nameFilters()[-1] == copy
    dialog.selectNameFilter(copy)
    dialog.filterSelected.emit(copy)
    dialog.accept()
    target = tmp_path / f"评论情感 {workbook_desk.run_id}.xlsx"
    assert page.exporting.banner.title.text() == f"2 rows are in {target.name}"
    sheet = openpyxl.load_workbook(target).worksheets[0]
    names = [cell.value for cell in sheet[1]]
    assert names[:4] == ["id", "text", "sentiment", "answer.sentiment"]
    assert "batchdesk.attempts" not in names
    (tmp_path / "in.xlsx").unlink()
    page.export()
    assert copy not in page.exporting.dialog.nameFilters()


def test_that_masks_are_undone_unless_the_person_says_no(qtbot, workbook_desk, page, monkeypatch):
    assert not page.unmask.isVisible()  # nothing is masked in the run of that page
    masked = open_page(qtbot, workbook_desk)
    assert masked.unmask.isVisible()
    assert masked.unmask.isChecked()
    asked: list[bool] = []

    async def export(run_id, target, *, unmask):
        asked.append(unmask)
        return 2

    monkeypatch.setattr(workbook_desk.session, "export", export)
    masked.export_to(Path("a.csv"))
    masked.unmask.setFocus()
    qtbot.keyClick(masked.unmask, Qt.Key.Key_Space)
    masked.export_to(Path("a.csv"))
    assert asked == [True, False]


def test_that_the_answer_of_a_row_shows_what_was_masked_unless_the_person_says_no(
    qtbot, workbook_desk
):
    desk = workbook_desk
    task_id = ask(desk, lambda session: session.task_ids(desk.run_id))[0]
    answer = {"sentiment": "[EMAIL_1]"}
    ask(desk, lambda session: session.review.decide(task_id, Decision.EDITED, answer=answer))
    page = open_page(qtbot, desk)
    page.rows.table.setFocus()
    page.rows.table.select_row(0)
    choose(qtbot, page.rows.detail, "answer")
    assert "ann@example.com" in page.rows.detail.text.toPlainText()
    page.unmask.setFocus()
    qtbot.keyClick(page.unmask, Qt.Key.Key_Space)
    shown = page.rows.detail.text.toPlainText()
    assert "[EMAIL_1]" in shown
    assert "ann@example.com" not in shown


def test_that_default_names_suit_every_system(desk):
    run = desk.runs[0].run
    odd = run.job.model_copy(update={"name": 'a/b:c*"d"\\e v1.2'})
    import dataclasses

    assert default_name(dataclasses.replace(run, job=odd, id=7)) == "a b c  d  e v1.2 7.csv"
    assert with_suffix(Path("x/a v1.2"), ".tsv") == Path("x/a v1.2.tsv")
    assert with_suffix(Path("x/a.CSV"), ".tsv") == Path("x/a.CSV")
    assert copied(Path("x/a v1.2"), ".xlsm") == Path("x/a v1.2.xlsm")
    assert copied(Path("x/a.xlsx"), ".xlsm") == Path("x/a.xlsx.xlsm")
    assert copied(Path("x/a.XLSM"), ".xlsm") == Path("x/a.XLSM")


# -- live -----------------------------------------------------------------------------------


def test_that_a_run_under_way_fills_the_page_without_moving_what_is_selected(qtbot, desk, tmp_path):
    _, job = job_of(latency_s=0.25)
    desk.edit_job(job)
    desk.start_new_run()
    run_id = desk.run_id
    page = open_page(qtbot, desk)
    keys = shown_keys(qtbot, page)
    page.rows.table.select_row(40)
    page.rows.want(Wanted(group=Group.OPEN))
    assert page.rows.detail.key.text() == keys[40]
    readings: list[Read] = []
    page.reader.read.connect(readings.append)
    desk.engine.spin_until(lambda: run_id in desk.snapshots and desk.snapshots[run_id].done > 6)
    assert readings == []  # at most once a second
    qtbot.waitUntil(lambda: len(readings) == 1, timeout=3000)
    assert page.rows.model.rowCount() == len(readings[0].ids) < 306
    page.export_to(tmp_path / "early.csv")
    assert page.exporting.banner.title.text() == "306 rows are in early.csv"
    page.rows.want(Wanted())
    page.rows.table.select_row(40)
    finish(desk)
    qtbot.wait(50)
    assert page.badge.text() == "Finished"
    assert page.rows.detail.key.text() == keys[40]
    assert page.rows.table.currentIndex().row() == 40
    assert page.rows.detail.view().state in {TaskState.PASSED, TaskState.REVIEW, TaskState.DEAD}


def test_that_rows_that_leave_a_filter_keep_the_others_in_place(qtbot, page):
    ids = page.rows.model.ids()
    table = page.rows.table
    table.select_row(60)
    current = ids[60]
    table.verticalScrollBar().setValue(50 * table.rowHeight(0) + 7)
    page.rows.take_over(ids[20:])
    assert page.rows.model.ids()[table.currentIndex().row()] == current
    assert table.verticalScrollBar().value() == 30 * table.rowHeight(0) + 7
    assert page.rows.detail.isVisible()
    page.rows.take_over(ids[:60])
    assert not page.rows.detail.isVisible()
    assert not table.currentIndex().isValid()


def test_that_another_run_is_chosen_in_the_head(qtbot, page, desk):
    desk.start_new_run(limit=3)
    finish(desk)
    assert page.chooser.count() == 2
    assert page.rows.model.rowCount() == 5 + 3
    assert page.chooser.currentData() == desk.run_id
    page.chooser.setCurrentIndex(1)
    page.chooser.activated.emit(1)
    assert desk.run_id == 1
    assert page.rows.model.rowCount() == ROWS + 5


def test_that_a_desk_without_runs_says_what_to_do(qtbot, tmp_path):
    desk = FakeDesk()
    page = open_page(qtbot, desk)
    assert page.empty.sentence.text() == "Open a project to see what came of its runs."
    desk.open(tmp_path / "new.batchdesk")
    assert page.empty.sentence.text().startswith("Nothing has been run yet.")
    assert not page.export_button.isVisible()
    desk.shut()
    assert page.empty.isVisible()


# -- many rows ------------------------------------------------------------------------------


def test_that_twenty_thousand_rows_scroll_without_a_question_while_painting(qtbot, tmp_path):
    table = tmp_path / "many.csv"
    lines = [f"r{n},text number {n} that is long enough to be text,positive" for n in range(20_000)]
    table.write_text("\n".join(["id,text,sentiment", *lines]) + "\n", encoding="utf-8")
    desk = FakeDesk()
    desk.open(tmp_path / "many.batchdesk")
    desk.import_table(table, "id")
    _, job = job_of()
    run_id = ask(desk, lambda session: session.make_run(job, desk.dataset))
    desk.refresh_runs()
    desk.choose_run(run_id)
    page = open_page(qtbot, desk)
    model, view = page.rows.model, page.rows.table
    assert model.rowCount() == 20_000
    asked: list[object] = []
    model.wanted.connect(asked.append)
    before = desk.engine.calls
    for row in range(0, 20_000, 100):
        model.index(row, 0).data(DISPLAY)
        model.index(row, 1).data(DISPLAY)
    assert (desk.engine.calls, asked) == (before, [])
    model._missing.clear()
    qtbot.wait(20)
    before = desk.engine.calls
    bar = view.verticalScrollBar()
    for value in range(0, bar.maximum(), bar.maximum() // 20):
        bar.setValue(value)
        qtbot.wait(2)
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: model.index(19_999, 0).data(DISPLAY) == "r19999")
    assert desk.engine.calls - before < 60
    assert len(model._known) < 3000
    desk.shut()


# -- pure -----------------------------------------------------------------------------------


def test_that_the_first_long_column_is_the_text(desk):
    views = ask(desk, lambda session: session.task_page(session_ids(desk)))
    assert text_column(["stars", "text"], views) == "text"
    assert text_column([], views) is None
    assert text_column(["stars"], []) == "stars"


def session_ids(desk):
    return list(ask(desk, lambda session: session.task_ids(desk.run_id)))[:20]


def test_that_the_compared_field_comes_first_and_at_most_five_have_columns(desk):
    _, job = job_of("orders")
    stage = job.stages[0].model_copy(update={"answer_field": "wants"})
    fields = shown_fields(job.model_copy(update={"stages": (stage,)}), [])
    assert (fields[0], len(fields)) == ("wants", 5)
    plain = job.model_copy(update={"stages": (stage.model_copy(update={"output": None}),)})
    assert shown_fields(plain, []) == [""]
    columns = result_columns(job, ["message"], [])
    assert [column.role for column in columns[:6]] == [
        Role.KEY, Role.TEXT, Role.LABEL, Role.FIELD, Role.CONFIDENCE, Role.STATE,
    ]  # fmt: skip
    assert [column.name for column in columns if column.is_number and column.name] == ["quantity"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("a", "a"),
        (True, "true"),
        (4.5, "4.5"),
        ({"价": [1, None]}, '{"价": [1, null]}'),
    ],
)
def test_that_values_read_as_json_in_one_line(value, text):
    assert value_text(value) == text


def test_that_the_matrix_has_the_schemas_values_first_and_at_most_thirty(desk):
    job = desk.runs[0].run.job
    confusion = {(f"v{n:02}", "odd"): 100 - n for n in range(40)}
    confusion["neutral", "positive"] = 1
    evaluation = Evaluation(Share(0, 1), Share(0, 1), None, Share(0, 1), Share(0, 1), confusion)
    labels = matrix_labels(evaluation, job)
    assert labels[:4] == ["positive", "neutral", "v00", "v01"]
    assert len(labels) == 30


# -- pictures -------------------------------------------------------------------------------


@pytest.fixture
def look(theme, language):
    return theme, language


@pytest.mark.parametrize("selected", [False, True], ids=["plain", "row"])
@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)], ids=str)
@pytest.mark.parametrize(
    "shown", [("light", "en"), ("dark", "en"), ("light", "zh_CN"), ("dark", "zh_CN")], ids=str
)
def test_that_the_page_fits_in_both_languages(qtbot, desk, look, shown, size, *, selected):
    theme, language = look
    choice, code = shown
    theme.choose(ThemeChoice(choice))
    language(code)
    window = MainWindow(desk, PAGES)
    qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
    window.resize(*size)
    window.show()
    window.go_to("results")
    page = window.page("results")
    assert isinstance(page, ResultsPage)
    qtbot.wait(60)
    if selected:
        click_cell(qtbot, page, "neutral", "negative")
        page.rows.table.select_row(0)
    for _ in range(4):
        qtbot.wait(30)
    FOLDER.mkdir(parents=True, exist_ok=True)
    narrow = "-1024" if size[0] == 1024 else ""
    row = "-row" if selected else ""
    name = f"results-run{row}-{choice}-{code.partition('_')[0]}{narrow}{SUFFIX}.png"
    picture: QImage = window.grab().toImage()
    picture.save(str(FOLDER / name))
    least = page.minimumSizeHint()
    assert (least.width() <= 1024 - 56, least.height() <= 700 - 44) == (True, True), least
    assert (window.width(), window.height()) == size
    assert page.quality.matrix.cell_rect(0, 0).contains(
        QPointF(page.quality.matrix.cell_rect(0, 0).center())
    )
