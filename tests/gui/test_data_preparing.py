"""The Data page beyond the rows: cleaning, lengths, newer files, pasted tables, parts of files."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from openpyxl import Workbook
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.gui.embedded import embedded

from batchdesk.domain.clean import MaskKind, MaskPattern
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.pages import data_cleaning
from batchdesk.gui.pages.data import DataPage
from batchdesk.gui.pages.data_cleaning import around_change
from batchdesk.gui.pages.data_profile import quantile
from batchdesk.session import RowCount
from batchdesk.session.reading import Lengths

ROWS = "id,text\nr1,Call 13812345678 now\nr2,same  words\nr3,same words\nr4,\nr5,other\n"


@pytest.fixture
def page(desk, qtbot, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(ROWS)
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    return shown(desk, qtbot)


def shown(desk, qtbot):
    return embedded(DataPage(desk), qtbot)


def settled(page, qtbot):
    for timer in (page.cleaning._timer, page.profile._timer):
        qtbot.waitUntil(lambda timer=timer: not timer.isActive())


def line(page, name):
    return next(one for one in page.cleaning.lines if one.name == name)


def click(qtbot, button):
    assert button.isEnabled(), button.toolTip()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def retype(qtbot, field, text):
    field.clear()
    field.textEdited.emit("")
    qtbot.keyClicks(field, text)


def keys_and_texts(desk):
    ids: list[int] = []
    desk.ask(lambda session: session.row_ids(desk.dataset.id), ids.extend)
    rows: list[Any] = []
    desk.ask(lambda session: session.row_page(ids), rows.extend)
    return [(row.key, row.cells) for row in rows]


# -- cleaning --------------------------------------------------------------------------------


def test_that_wanted_steps_are_in_the_job_in_their_order_and_counted(desk, page, qtbot):
    for name in ("mask", "duplicates", "normalise"):
        line(page, name).wanted.click()
    settled(page, qtbot)
    assert [one.step for one in desk.job.clean] == ["normalise", "duplicates", "mask"]
    assert line(page, "normalise").count.text() == "1"
    assert line(page, "duplicates").count.text() == "1"
    assert line(page, "mask").count.text() == "1"
    assert page.cleaning.sent.text() == "3 rows will be sent"
    assert page.cleaning.less.text() == "Left out: 1 empty, 1 equal to another"


def test_that_what_a_step_changed_is_shown_before_and_after(page, qtbot):
    line(page, "mask").wanted.click()
    settled(page, qtbot)
    click(qtbot, line(page, "mask").samples)
    assert page.cleaning.detail.text() == "text: Call 13812345678 now\n→ Call [PHONE_1] now"
    click(qtbot, line(page, "mask").samples)
    assert not page.cleaning.detail.isVisibleTo(page)


def masks(page):
    line(page, "mask").wanted.click()
    page.cleaning.masks.open.click()
    return page.cleaning.masks


def test_that_kinds_of_personal_data_are_chosen_and_counted(desk, page, qtbot, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("id,text\n1,Mail a@b.org or c@d.org\n2,Call 13812345678\n3,from 10.1.2.3\n")
    desk.import_table(path, "id")
    found = masks(page)
    assert found.open.text() == "7 of 7 kinds"
    settled(page, qtbot)
    counts = {kind.name: label.text() for kind, label in found.counts.items() if label.text()}
    assert counts == {"EMAIL": "2", "PHONE": "1", "IP": "1"}
    found.kinds[MaskKind.EMAIL].click()
    assert MaskKind.EMAIL not in desk.job.clean[0].kinds
    assert found.open.text() == "6 of 7 kinds"
    settled(page, qtbot)
    assert found.counts[MaskKind.EMAIL].text() == ""
    assert line(page, "mask").count.text() == "2"


def test_that_phone_numbers_of_chosen_countries_are_masked(desk, page, qtbot, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("id,text\n1,Ruf 030 901820 an\n2,Call 13812345678\n")
    desk.import_table(path, "id")
    found = masks(page)
    retype(qtbot, found.regions, "de")
    assert desk.job.clean[0].regions == ("DE",)
    settled(page, qtbot)
    click(qtbot, line(page, "mask").samples)
    assert page.cleaning.detail.text() == "text: Ruf 030 901820 an\n→ Ruf [PHONE_1] an"
    retype(qtbot, found.regions, "de, zz")
    assert found.regions_fault.text().startswith("Unknown country: ZZ.")
    assert desk.job.clean[0].regions == ("DE",)
    retype(qtbot, found.regions, "")
    assert desk.job.clean[0].regions == ()
    assert not found.regions_fault.isVisibleTo(page)


def test_that_a_pattern_of_one_s_own_is_masked_counted_and_taken_out(desk, page, qtbot):
    found = masks(page)
    click(qtbot, found.add)
    qtbot.keyClicks(found.lines[0].name, "order")
    qtbot.keyClicks(found.lines[0].pattern, r"same\s+words")
    assert desk.job.clean[0].patterns == (MaskPattern(name="ORDER", pattern=r"same\s+words"),)
    assert found.open.text() == "7 of 7 kinds, 1 own"
    settled(page, qtbot)
    assert found.lines[0].count.text() == "2"
    click(qtbot, line(page, "mask").samples)
    assert "same words\n→ [ORDER_2]" in page.cleaning.detail.text()
    click(qtbot, found.lines[0].remove)
    assert desk.job.clean[0].patterns == ()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("ORDER", "(ab"), "is not a regular expression"),
        (("ORDER", ""), "Write what to look for"),
        (("", "ab"), "Give it a name of Latin letters"),
        (("order 1", "ab"), "Give it a name of Latin letters"),
        (("phone", "ab"), "The name PHONE is taken."),
        (("GOOD", "ab"), "The name GOOD is taken."),
    ],
)
def test_that_a_pattern_that_cannot_be_used_is_marked_at_once(desk, page, qtbot, typed, told):
    name, pattern = typed
    found = masks(page)
    click(qtbot, found.add)
    qtbot.keyClicks(found.lines[0].name, "GOOD")
    qtbot.keyClicks(found.lines[0].pattern, "x")
    click(qtbot, found.add)
    wrong = found.lines[1]
    qtbot.keyClicks(wrong.name, name)
    qtbot.keyClicks(wrong.pattern, pattern)
    assert told in wrong.fault.text()
    assert wrong.fault.isVisibleTo(page)
    good = (MaskPattern(name="GOOD", pattern="x"),)
    assert desk.job.clean[0].patterns == good
    found.kinds[MaskKind.URL].click()  # what else is chosen holds all the same
    assert (MaskKind.URL in desk.job.clean[0].kinds, desk.job.clean[0].patterns) == (False, good)


def test_that_a_table_too_long_for_comparing_every_row_says_so(desk, page, monkeypatch):
    line(page, "near_duplicates").wanted.click()
    assert not page.cleaning.near_limit.isVisibleTo(page)
    monkeypatch.setattr(data_cleaning, "MOST_COMPARED", 4)
    page.cleaning.show_job(desk.job, desk.dataset)
    assert page.cleaning.near_limit.isVisibleTo(page)
    told = "A run compares only the first 4 of the 5 rows."
    assert page.cleaning.near_limit.text() == told


def test_that_nothing_is_reckoned_while_nobody_looks(desk, page, qtbot):
    settled(page, qtbot)
    page.hide()
    calls = desk.engine.calls
    stage = desk.job.stages[0].model_copy(update={"system": "Other words."})
    desk.edit_job(desk.job.model_copy(update={"stages": (stage,)}))
    assert not page.cleaning._timer.isActive()
    assert not page.profile._timer.isActive()
    page.show()
    settled(page, qtbot)
    assert desk.engine.calls > calls


def test_that_a_step_taken_out_keeps_its_settings(desk, page, qtbot):
    line(page, "normalise").wanted.click()
    step = desk.job.clean[0].model_copy(update={"repair": False})
    desk.edit_job(desk.job.model_copy(update={"clean": (step,)}))
    line(page, "normalise").wanted.click()
    assert desk.job.clean == ()
    line(page, "normalise").wanted.click()
    assert desk.job.clean == (step,)


def test_that_only_the_first_rows_of_a_long_table_are_told_of_as_such(page):
    page.cleaning._show((), RowCount(2, 0, 1))
    assert page.cleaning.sent.text() == "2 rows will be sent of the first 3"


def test_that_a_sample_begins_shortly_before_what_changed():
    before = "a" * 100 + "\nX" + "b" * 200
    after = "a" * 100 + " Y" + "b" * 200
    one, other = around_change(before, after)
    assert one == "…" + "a" * 30 + "⏎X" + "b" * 108 + "…"
    assert other == "…" + "a" * 30 + " Y" + "b" * 108 + "…"
    assert around_change("two  words", "two words") == ("two  words", "two words")


# -- lengths ---------------------------------------------------------------------------------


def test_that_lengths_and_columns_are_measured_and_the_longest_row_found(page, qtbot):
    settled(page, qtbot)
    assert page.profile.chart.isVisibleTo(page)
    assert "longest" in page.profile.longest.text()
    figures = {one.name: one.figures.text() for one in page.columns.lines}
    assert figures == {"id": "5 values", "text": "4 values, 1 blank"}
    click(qtbot, page.profile.longest)
    assert page.table.table.currentIndex().row() == 0


def test_that_a_quantile_is_read_from_the_bins():
    from batchdesk.prepare.profile import Bin

    lengths = Lengths((Bin(0, 9, 50), Bin(10, 19, 0), Bin(20, 29, 50)))
    assert quantile(lengths, 0.5) == 9
    assert quantile(lengths, 0.95) == 28
    assert quantile(Lengths(), 0.5) == 0


# -- a newer file ----------------------------------------------------------------------------


def test_that_a_newer_file_is_compared_before_it_is_read_in(desk, page, qtbot, tmp_path):
    newer = tmp_path / "newer.csv"
    newer.write_text(ROWS.replace("r5,other", "r5,another").replace("r4,\n", "") + "r6,new\n")
    before = desk.dataset
    page.newer.compare(newer)
    box = page.newer.box
    names = [box.list.item(n).text() for n in range(4)]
    assert names == ["New rows: 1", "Changed rows: 1", "Rows that are gone: 1", "Unchanged rows: 3"]
    box.list.setCurrentRow(1)
    assert "text: other" in box.text.toPlainText()
    assert "text: another" in box.text.toPlainText()
    assert desk.dataset is before
    click(qtbot, box.go_on)
    assert desk.dataset.earlier_id == before.id
    assert [key for key, _ in keys_and_texts(desk)] == ["r1", "r2", "r3", "r5", "r6"]


def test_that_a_file_without_changes_is_not_read_in(page, tmp_path):
    same = tmp_path / "same.csv"
    same.write_text(ROWS)
    page.newer.compare(same)
    assert not page.newer.box.go_on.isEnabled()
    assert page.newer.box.go_on.toolTip() == "Nothing changed."


def test_that_a_newer_file_without_the_id_column_is_named(desk, page, tmp_path):
    said: list[str] = []
    desk.problem.connect(said.append)
    other = tmp_path / "other.csv"
    other.write_text("text\na\n")
    page.newer.compare(other)
    assert "id" in said[-1]
    assert page.newer.button.isEnabled()


# -- pasted ----------------------------------------------------------------------------------


def test_that_copied_cells_become_a_table(desk, page, qtbot):
    QGuiApplication.clipboard().setText('name\tnote\nA\t"two\nlines"\nB\tone\n')
    click(qtbot, page.paste)
    assert desk.dataset.columns == ("name", "note")
    assert [cells["note"] for _, cells in keys_and_texts(desk)] == ["two\nlines", "one"]


def test_that_an_empty_clipboard_says_what_to_do(desk, page, qtbot):
    said: list[str] = []
    desk.problem.connect(said.append)
    QGuiApplication.clipboard().setText("  ")
    click(qtbot, page.paste)
    assert "no table on the clipboard" in said[-1]


# -- parts of files --------------------------------------------------------------------------


def test_that_another_sheet_of_a_workbook_is_looked_at_and_read(desk, page, qtbot, tmp_path):
    book = Workbook()
    first = book.worksheets[0]
    first.title = "One"
    first.append(["id", "text"])
    first.append(["a", "first sheet"])
    second = book.create_sheet("Two")
    second.append(["a title over the table"])
    second.append(["id", "text"])
    second.append(["b", "second sheet"])
    path = tmp_path / "book.xlsx"
    book.save(path)
    files_of(desk).open_any(path)
    more = page.reading.more
    assert [more.part.itemText(n) for n in range(more.part.count())] == ["One", "Two"]
    assert not page.reading.encoding.isVisibleTo(page)
    more.part.setCurrentIndex(1)
    more.part.activated.emit(1)
    more.header.setText("2")
    more.header.textEdited.emit("2")
    assert "b second sheet" in page.reading.sample.lines()[-1]
    click(qtbot, page.reading.again)
    assert [cells["text"] for _, cells in keys_and_texts(desk)] == ["second sheet"]


def test_that_the_first_table_of_a_database_is_read_and_the_others_offered(desk, page, tmp_path):
    path = tmp_path / "data.sqlite"
    with sqlite3.connect(path) as connection:
        for name in ("apples", "pears"):
            connection.execute(f"CREATE TABLE {name} (id TEXT, text TEXT)")
            connection.execute(f"INSERT INTO {name} VALUES ('1', '{name}')")
    connection.close()
    files_of(desk).open_any(path)
    more = page.reading.more
    assert [more.part.itemText(n) for n in range(more.part.count())] == ["apples", "pears"]
    assert [cells["text"] for _, cells in keys_and_texts(desk)] == ["apples"]


def test_that_nested_fields_become_columns_on_choice(desk, page, qtbot, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "1", "a": {"b": "c"}}\n')
    files_of(desk).open_any(path)
    assert desk.dataset.columns == ("id", "a")
    page.reading.more.flatten.click()
    click(qtbot, page.reading.again)
    assert desk.dataset.columns == ("id", "a.b")
