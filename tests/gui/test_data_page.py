"""The Data page with real widgets on a real project: files in, rows, roles and faults on screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog

from batchdesk.gui.desk_files import new_project_path
from batchdesk.gui.models.rows import PAGE_ROWS, Role, column_roles
from batchdesk.gui.pages.data import DataPage
from batchdesk.gui.widgets.table import Cell
from batchdesk.session import ReadOptions, samples

GARBLED = "OpenType support missing"  # broken text has letters that no installed font has

CHINESE = "编号,评论,标签\n1,很好用，物流也快,正面\n2,质量太差,负面\n3,一般般,中性\n"
RAGGED = 'id,text,text,label\nA-1,fine,x,pos\nA-1,"two\nlines",y,neg\nA-3,short\nA-4,long,z,neg,more,cells\n,no id,x,neg\nA-6,last,x,pos\n'


@pytest.fixture
def page(data_page):
    return data_page


def sample(name):
    return next(one for one in samples() if one.name == name)


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def shown(page, row, column):
    return page.table.model.index(row, column).data()


def wait_for_rows(page, qtbot, row=0):
    qtbot.waitUntil(lambda: page.table.model.cached(row) is not None)


def choose(control, word):
    place = control.findText(word)
    assert place >= 0, [control.itemText(n) for n in range(control.count())]
    control.setCurrentIndex(place)
    control.activated.emit(place)


def second_lines(page):
    model = page.table.model
    across = Qt.Orientation.Horizontal
    return {
        model.headerData(n, across): model.headerData(n, across, Cell.SECOND)
        for n in range(1, model.columnCount())
    }


def test_that_a_sample_is_a_project_whose_rows_and_roles_are_shown(desk, files, page, qtbot):
    gone: list[str] = []
    desk.go_to.connect(gone.append)
    files.open_sample(sample("reviews-zh"))
    wait_for_rows(page, qtbot)
    assert desk.project_path == files.folder / "评论情感.batchdesk"
    assert gone == ["data"]
    assert page.table.model.rowCount() == 300
    assert [shown(page, 0, n) for n in range(3)] == [
        "1",
        "zh-001",
        "软和，不扎，就是起球，穿的时候爱它，打理的时候恨它。",
    ]
    assert second_lines(page) == {
        "id": "Id",
        "text": "Text to send",
        "sentiment": "Label",
        "product": "kept",
        "stars": "kept",
    }
    assert desk.job.name == "评论情感"
    assert desk.job_version == 1
    assert page.go_on.isEnabled()


def test_that_a_second_project_of_a_name_gets_a_free_one(tmp_path):
    first = new_project_path(tmp_path, "Reviews: June/July")
    assert first == tmp_path / "Reviews  June July.batchdesk"
    first.touch()
    assert (
        new_project_path(tmp_path, "Reviews: June/July")
        == tmp_path / "Reviews  June July 2.batchdesk"
    )
    assert new_project_path(tmp_path, " ..").name == "Project.batchdesk"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_that_an_own_file_makes_a_project_of_its_name(  # noqa: PLR0917 - fixtures
    desk, files, page, qtbot, tmp_path, encoding
):
    files.open_any(write(tmp_path / "六月评论.csv", CHINESE, encoding))
    wait_for_rows(page, qtbot)
    assert desk.project_path == files.folder / "六月评论.batchdesk"
    assert [shown(page, 1, n) for n in range(4)] == ["2", "2", "质量太差", "负面"]
    assert page.reading.encoding.currentText() == {"gb18030": "GB18030", "utf-8": "UTF-8"}[encoding]
    assert [label.text() for label in page.reading.guessed] == ["guessed", "guessed"]
    assert page.reading.sample.lines()[:2] == ["编号,评论,标签", "1,很好用，物流也快,正面"]


def test_that_the_sample_shows_the_other_guess_beside_it(desk, files, page, tmp_path, caplog):
    files.open_any(write(tmp_path / "a.csv", CHINESE, "gb18030"))
    told = page.reading.sample.lines()[2]
    assert told.startswith("If it were read as UTF-8, this row would be: 1 ")
    assert "�" in page.reading.sample.lines()[2]


def test_that_another_encoding_is_looked_at_before_the_file_is_read_again(
    desk, files, page, qtbot, tmp_path
):
    files.open_any(write(tmp_path / "a.csv", "name;city\nJürgen;Köln\nBjörk;Malmö\n", "cp1252"))
    wait_for_rows(page, qtbot)
    before = desk.dataset.id
    assert not page.reading.again.isVisibleTo(page)
    choose(page.reading.encoding, "Windows-1250")
    assert page.reading.again.isVisibleTo(page)
    assert desk.dataset.id == before
    choose(page.reading.separator, "Comma  ,")
    assert page.reading.sample.lines() == ["name;city", "Jürgen;Köln"]
    assert page.reading.note.text() == "1 column. Not read in yet."
    qtbot.mouseClick(page.reading.again, Qt.MouseButton.LeftButton)
    assert desk.dataset.id != before
    assert desk.dataset.columns == ("name;city",)
    read = desk.dataset.format
    assert (read["name"], read["encoding"], read["separator"]) == ("csv", "cp1250", ",")
    assert [label.text() for label in page.reading.guessed] == ["", ""]


def test_that_an_encoding_that_does_not_fit_is_said_before_it_is_used(desk, files, page, tmp_path):
    files.open_any(write(tmp_path / "a.csv", "name,city\nJürgen,Köln\n", "cp1252"))
    choose(page.reading.encoding, "UTF-8")
    assert page.reading.note.text() == "2 columns. 1 line looked at does not fit this encoding."


def test_that_the_id_is_chosen_and_faults_are_listed_by_line(desk, files, page, qtbot, tmp_path):
    files.open_any(write(tmp_path / "bad.csv", RAGGED))
    wait_for_rows(page, qtbot)
    assert page.columns.id_column.currentText() == "Row number"
    choose(page.columns.id_column, "id")
    wait_for_rows(page, qtbot)
    assert desk.dataset.key_column == "id"
    assert second_lines(page)["id"] == "Id"
    model = page.problems.model
    listed = [(model.index(n, 0).data(), model.index(n, 1).data()) for n in range(model.rowCount())]
    assert listed == [
        ("line 1", "column “text” again, now “text (2)”"),
        ("line 3", "id “A-1” again, now “A-1 (2)”"),
        ("line 5", "2 cells instead of 4"),
        ("line 6", "6 cells instead of 4"),
        ("line 7", "no id, now “row 5”"),
    ]


def test_that_a_fault_leads_to_its_row_past_cells_of_several_lines(
    desk, files, page, qtbot, tmp_path
):
    files.open_any(write(tmp_path / "bad.csv", RAGGED))
    wait_for_rows(page, qtbot)
    page.problems.table.select_row(1)
    assert page.problems.model.index(1, 0).data() == "line 5"
    assert page.table.table.currentIndex().row() == 2
    assert shown(page, 2, 1) == "A-3"
    page.problems.table.select_row(0)
    assert page.problems.model.index(0, 0).data() == "line 1"
    assert page.table.table.currentIndex().row() == 2  # the header is no row: nothing moves


def test_that_lines_above_the_column_names_are_counted_on_the_way_to_a_row(
    desk, files, page, qtbot, tmp_path
):
    path = write(tmp_path / "titled.csv", "A title\nid,text,x\nA-1,x,1\n\nA-2,y\nA-3,z,1\n")
    files.open_any(path)
    files.read_table(path, ReadOptions(separator=",", header_row=2))
    wait_for_rows(page, qtbot)
    model = page.problems.model
    listed = [(model.index(n, 0).data(), model.index(n, 1).data()) for n in range(model.rowCount())]
    assert listed == [
        ("line 1", "above the column names, left out"),
        ("line 4", "blank line, left out"),
        ("line 5", "2 cells instead of 3"),
    ]
    page.problems.table.select_row(2)
    assert page.table.table.currentIndex().row() == 1
    assert shown(page, 1, 1) == "A-2"


def test_that_a_fault_in_a_workbook_names_its_cell(desk, files, page, qtbot, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["id", "text"], ["A-1", "x"], ["A-2", "#N/A"]):
        sheet.append(row)
    sheet["B3"].data_type = "e"
    book.save(tmp_path / "book.xlsx")
    files.open_any(tmp_path / "book.xlsx")
    wait_for_rows(page, qtbot)
    model = page.problems.model
    assert model.index(0, 0).data() == "cell B3"
    assert model.index(0, 1).data() == "an error, kept as “#N/A”"
    page.problems.table.select_row(0)
    assert page.problems.note.text() == "The row of this line cannot be told."


def test_that_a_list_of_a_json_file_is_chosen_like_a_sheet(desk, files, page, qtbot, tmp_path):
    content = '{"shops": [{"name": "A"}], "n": 7, "reviews": [{"text": "x"}, {"text": "y"}]}'
    files.open_any(write(tmp_path / "a.json", content))
    wait_for_rows(page, qtbot)
    part = page.reading.more.part
    qtbot.waitUntil(lambda: part.count() == 2)
    assert part.isVisibleTo(page)
    assert part.accessibleName() == "List"
    assert [part.itemText(n) for n in range(2)] == ["shops", "reviews"]
    assert desk.dataset.columns == ("name",)
    choose(part, "reviews")
    qtbot.waitUntil(lambda: "x" in page.reading.sample.lines())
    qtbot.mouseClick(page.reading.again, Qt.MouseButton.LeftButton)
    assert desk.dataset.columns == ("text",)
    assert desk.dataset.told["table"] == "reviews"
    files.open_any(write(tmp_path / "b.json", '[{"text": "z"}]'))
    assert desk.dataset.columns == ("text",)
    assert not part.isVisibleTo(page)


def test_that_a_folder_of_documents_is_opened_by_a_button(desk, files, page, qtbot, tmp_path):
    folder = tmp_path / "letters"
    folder.mkdir()
    write(folder / "one.txt", "Dear all")
    write(folder / "two.md", "# Hello")
    assert "Add a folder of documents…" in [command.words for command in page.commands()]
    page.empty.second.setFocus()
    assert page.empty.second.hasFocus()
    qtbot.keyClick(page.empty.second, Qt.Key.Key_Space)
    assert page.folder_dialog.fileMode() is QFileDialog.FileMode.Directory
    page.folder_dialog.fileSelected.emit(str(folder))
    page.folder_dialog.close()
    wait_for_rows(page, qtbot)
    assert desk.dataset.source == "letters"
    assert page.table.model.rowCount() == 2
    qtbot.mouseClick(page.add_folder, Qt.MouseButton.LeftButton)
    assert page.folder_dialog.isVisible()
    page.folder_dialog.close()


def test_that_the_label_column_goes_into_the_job(desk, files, page):
    files.open_sample(sample("reviews-zh"))
    choose(page.columns.label_column, "product")
    assert desk.job.data.label == "product"
    assert desk.job_version is None
    assert second_lines(page)["product"] == "Label"
    assert second_lines(page)["sentiment"] == "kept"


def test_that_the_label_of_an_own_file_can_be_chosen_at_once(desk, files, page, qtbot, tmp_path):
    files.open_any(write(tmp_path / "a.csv", CHINESE))
    choose(page.columns.label_column, "标签")
    assert desk.job.data.label == "标签"
    assert not page.columns.warning.isVisibleTo(page)
    choose(page.columns.label_column, "评论")
    assert page.columns.warning.text() == (
        "The prompt sends the label column “评论”, so the model sees the right answer."
    )


def test_that_an_untouched_first_prompt_follows_a_table_that_is_read_anew(
    desk, files, page, qtbot, tmp_path
):
    files.open_any(write(tmp_path / "a.csv", CHINESE))
    choose(page.columns.label_column, "标签")
    choose(page.columns.id_column, "编号")
    wait_for_rows(page, qtbot)
    assert (desk.job.data.key, desk.job.data.label) == ("编号", "标签")
    changed = desk.job.model_copy(update={"name": "mine"})
    desk.edit_job(changed)
    choose(page.columns.id_column, "Row number")
    assert desk.dataset.key_column is None
    assert desk.job is changed


def test_that_roles_follow_the_prompt_of_the_job(desk, files, page):
    files.open_sample(sample("orders"))
    roles = column_roles(desk.dataset, desk.job)
    assert roles["id"] is Role.ID
    assert roles["message"] is Role.USED
    assert roles["wants"] is Role.LABEL
    assert roles["customer"] is Role.KEPT


def test_that_a_file_that_is_no_table_is_refused_in_words_and_the_old_table_stays(
    desk, files, page, qtbot, tmp_path
):
    files.open_sample(sample("reviews-zh"))
    before = desk.dataset
    files.open_any(write(tmp_path / "empty.csv", ""))
    assert page.importing.banner.isVisibleTo(page)
    assert (
        page.importing.banner.body.text()
        == "empty.csv is empty: it has not a single byte. Nothing else changed."
    )
    assert desk.dataset is before
    qtbot.mouseClick(page.importing.banner._close, Qt.MouseButton.LeftButton)
    assert not page.importing.isVisibleTo(page)


def test_that_a_bad_first_file_makes_no_project(desk, files, page, tmp_path):
    files.open_any(write(tmp_path / "picture.csv", "\x89PNG\r\n", "latin-1"))
    assert desk.session is None
    assert "picture" in files.error
    assert not files.folder.exists()


def test_that_a_dropped_file_is_opened(desk, files, page, tmp_path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(write(tmp_path / "a.csv", CHINESE)))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    page.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, buttons, keys))
    assert desk.dataset.source == "a.csv"


def test_that_cells_are_copied_with_tabs_and_ctrl_g_goes_to_a_row(desk, files, page, qtbot):
    files.open_sample(sample("reviews-zh"))
    wait_for_rows(page, qtbot)
    table, model = page.table.table, page.table.model
    table.setFocus()
    select = QItemSelectionModel.SelectionFlag.Select
    for row, column in ((0, 1), (0, 2), (1, 1), (1, 2)):
        table.selectionModel().select(model.index(row, column), select)
    table.selectionModel().clear()
    table.setCurrentIndex(model.index(0, 3))
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "neutral\t羊绒衫\nneutral\t行李箱"
    qtbot.keyClick(table, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(page.table.go_to_row, "250")
    qtbot.keyClick(page.table.go_to_row, Qt.Key.Key_Return)
    assert table.currentIndex().row() == 249
    wait_for_rows(page, qtbot, 249)
    assert shown(page, 249, 1) == "zh-250"


def test_that_200_000_rows_scroll_by_keys_and_drawing_never_asks(
    desk, files, page, qtbot, tmp_path
):
    path = tmp_path / "long.csv"
    with path.open("w") as file:
        file.write("id,text\n")
        file.writelines(f"r{n},text of row {n}\n" for n in range(1, 200_001))
    files.open_any(path)
    wait_for_rows(page, qtbot)
    model, table = page.table.model, page.table.table
    assert model.rowCount() == 200_000
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    wait_for_rows(page, qtbot, 199_999)
    assert shown(page, 199_999, 1) == "r200000"
    before = desk.engine.calls
    for row in range(0, 200_000, PAGE_ROWS):  # every page once, as a wild scroll would
        assert model.index(row, 1).data() in ("…", f"r{row + 1}")
    assert desk.engine.calls == before  # nothing was asked for while drawing
    qtbot.waitUntil(lambda: not model._timer.isActive())
    assert desk.engine.calls - before <= 8  # only what was looked at last
    qtbot.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    for _ in range(5):
        qtbot.keyClick(table, Qt.Key.Key_PageDown)
        qtbot.wait(10)
    row = table.currentIndex().row()
    assert row > 40
    wait_for_rows(page, qtbot, row)
    assert shown(page, row, 1) == f"r{row + 1}"


def test_that_an_import_shows_how_far_it_is_and_cancel_leaves_nothing(
    desk, files, page, qtbot, tmp_path
):
    files.open_sample(sample("reviews-zh"))
    path = tmp_path / "long.csv"
    with path.open("w") as file:
        file.write("id,text\n")
        file.writelines(f"r{n},text of row {n}\n" for n in range(1, 150_001))
    before = desk.dataset
    desk.engine.at_once = False
    files.open_any(path)
    desk.engine.spin_until(lambda: files.importing.share > 0.1)
    assert page.importing.strip.isVisibleTo(page)
    assert page.importing.title.text() == "Reading long.csv"
    assert " of 3.8 MB · " in page.importing.figures.text()
    assert not page.go_on.isEnabled()
    qtbot.mouseClick(page.importing.cancel, Qt.MouseButton.LeftButton)
    assert files.importing is None
    assert not page.importing.isVisibleTo(page)
    desk.engine.spin(0.3)
    desk.engine.at_once = True
    found: list[Any] = []
    desk.ask(lambda session: session.datasets(), found.extend)
    assert [one.source for one in found] == ["reviews-zh.csv"]
    assert desk.dataset is before
    count: list[int] = []
    desk.ask(lambda session: session._project.cleaned())
    desk.ask(lambda session: session._project.read(_rows_in_file), count.append)
    assert count == [300]


def _rows_in_file(connection):
    return connection.execute("SELECT count(*) FROM row").fetchone()[0]


def test_that_a_file_is_imported_while_a_run_goes_on(desk, files, page, qtbot, tmp_path):
    files.open_sample(sample("reviews-zh"))
    desk.start_new_run()
    desk.engine.spin(0.3)
    assert desk.under_way == {1}
    files.open_any(write(tmp_path / "own.csv", CHINESE))
    wait_for_rows(page, qtbot)
    assert desk.dataset.source == "own.csv"
    assert page.table.model.rowCount() == 3
    desk.engine.spin_until(lambda: not desk.under_way, 60)
    assert desk.summary(1).tasks == 300


def reopened(desk):
    project = desk.project_path
    desk.engine.start(desk.close_project())
    desk.open(project)


def test_that_a_table_of_an_earlier_session_is_read_in_another_way(
    desk, files, page, qtbot, tmp_path
):
    files.open_any(write(tmp_path / "a.csv", "name;city\nJürgen;Köln\n", "cp1252"))
    reopened(desk)
    assert page.reading.encoding.isEnabled()
    assert [label.text() for label in page.reading.guessed] == ["guessed", "guessed"]
    choose(page.reading.separator, "Comma  ,")
    assert page.reading.again.text() == "Read again with these options"
    qtbot.mouseClick(page.reading.again, Qt.MouseButton.LeftButton)
    assert desk.dataset.columns == ("name;city",)
    reopened(desk)
    assert [label.text() for label in page.reading.guessed] == ["", ""]
    choose(page.columns.id_column, "name;city")
    assert desk.dataset.key_column == "name;city"


def test_that_a_table_whose_file_is_gone_says_so(desk, files, page, tmp_path):
    path = write(tmp_path / "a.csv", CHINESE)
    files.open_any(path)
    path.unlink()
    reopened(desk)
    assert not page.reading.encoding.isEnabled()
    assert page.reading.note.text() == (
        f"{path} is not there any more. Put it back, or add it again from where it is, to read it "
        "in another way."
    )
    assert not page.columns.id_column.isEnabled()
    moved = write(tmp_path / "b.csv", CHINESE)
    files.open_any(moved)
    assert page.reading.encoding.isEnabled()
    reopened(desk)
    assert page.reading.encoding.isEnabled()


def press(box, words):
    next(one for one in box.buttons() if one.text() == words).click()


def test_that_a_table_without_runs_is_removed_once_the_person_has_agreed(
    desk, files, page, tmp_path
):
    files.open_any(write(tmp_path / "first.csv", CHINESE))
    files.open_any(write(tmp_path / "second.csv", RAGGED))
    page.removal.ask()
    assert page.removal.question.text() == "Remove second.csv with 6 rows from the project?"
    press(page.removal.question, "Keep")
    assert desk.dataset.source == "second.csv"
    page.removal.ask()
    press(page.removal.question, "Remove")
    assert desk.dataset.source == "first.csv"
    page.removal.ask()
    press(page.removal.question, "Remove")
    assert desk.dataset is None
    assert page.empty.isVisible()
    assert (tmp_path / "second.csv").exists()
    reopened(desk)
    assert desk.dataset is None


def test_that_a_table_over_which_a_run_was_made_stays(desk, files, page):
    files.open_sample(sample("reviews-zh"))
    assert page.removal.can()
    desk.start_new_run()
    assert not page.removal.can()
    assert page.removal.button.toolTip() == "1 run was made over this table, so it stays."
    told: list[str] = []
    desk.problem.connect(told.append)
    desk.ask(lambda session: session.remove_dataset(desk.dataset.id))
    assert told == ["A run was made over this table, so it stays: its answers need the rows."]
    desk.engine.spin_until(lambda: not desk.under_way, 60)


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_a_small_window(desk, files, qtbot, language, code):
    language(code)
    files.open_sample(sample("reviews-zh"))
    page = DataPage(desk)
    qtbot.addWidget(page)
    hint = page.minimumSizeHint()
    assert hint.width() <= 1024 - 56
    assert hint.height() <= 700 - 44


def test_that_a_real_gbk_file_is_read_with_its_chinese(desk, files, page, qtbot, shared_data):
    files.open_any(shared_data / "chinese_reviews_gbk.csv")
    wait_for_rows(page, qtbot)
    assert page.reading.encoding.currentText() == "GB18030"
    assert desk.dataset.row_count > 100
    assert desk.project_path.name == "chinese_reviews_gbk.batchdesk"


pytestmark = pytest.mark.qt_log_ignore(GARBLED, extend=True)


def test_that_the_filter_in_force_is_shown_with_its_count_and_leads_to_the_prompt(
    desk, files, page, qtbot
):
    gone: list[str] = []
    desk.go_to.connect(gone.append)
    files.open_sample(sample("reviews-zh"))
    assert page.sent.filter.text() == "All rows: there is no filter."
    qtbot.waitUntil(lambda: page.sent.said.text().startswith("300 of 300 rows are sent."))
    data = desk.job.data.model_copy(update={"where": "stars | int > 3"})
    desk.edit_job(desk.job.model_copy(update={"data": data}))
    assert page.sent.filter.text() == "Only rows where stars | int > 3"
    assert not page.sent.said.isVisibleTo(page)
    qtbot.waitUntil(lambda: page.sent.said.isVisibleTo(page))
    told = "140 of 300 rows are sent. Left out: 160 do not match the filter."
    assert page.sent.said.text() == told
    assert page.sent.change.text() == "Change the filter"
    gone.clear()
    page.sent.change.click()
    assert gone == ["prompt"]
