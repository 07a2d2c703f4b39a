"""Long texts cut on the Data page: the group of reading options with real widgets and files."""

from __future__ import annotations

import pytest

from batchdesk.session.reading import ChunkOptions, chunked

FIRST = "The rent is due on the first day. " * 4  # 36 tokens in each
SECOND = "The tenant keeps the house clean. " * 4
LONG = f"{FIRST.strip()}\n\n{SECOND.strip()}"


@pytest.fixture
def page(data_page):
    return data_page


@pytest.fixture
def group(page, files, qtbot, tmp_path):
    """The group, with a table of a short row, a long one and another short one read in."""
    path = tmp_path / "contracts.csv"
    path.write_text(f'id,text\nA,short\nB,"{LONG}"\nC,also short\n', "utf-8")
    files.open_any(path)
    qtbot.waitUntil(lambda: page.table.model.rowCount() == 3)
    return page.reading.chunks


def type_in(line, text):
    line.setText(text)
    line.textEdited.emit(text)


def test_that_texts_stay_whole_until_the_box_is_ticked(group, page):
    assert not group.cut.isChecked()
    assert not group.details.isVisible()
    assert page.reading.chosen().chunks is None
    assert not page.reading.again.isVisible()


def test_that_a_sample_of_the_parts_is_shown_before_anything_is_read_in(group, page, desk):
    group.cut.click()
    assert group.details.isVisible()
    assert (group.column.currentText(), group.tokens.text(), group.overlap.text()) == (
        *("text", "2000", "100"),
    )
    assert group.note.text() == "Tokens are estimated."
    assert page.reading.sample.lines()[2:] == ["None of the first rows has so long a text."]
    type_in(group.tokens, "40")
    assert "no more than half of it may be overlap" in page.reading.note.text()
    assert not page.reading.again.isVisible()
    type_in(group.overlap, "0")
    assert page.reading.sample.lines()[2:] == [
        f"1 of 2: {FIRST}".strip(),
        f"2 of 2: {SECOND}".strip(),
    ]
    assert page.reading.again.isVisible()
    assert desk.dataset.row_count == 3


def test_that_the_file_is_read_again_in_parts_and_whole_again(group, page, desk, qtbot):
    group.cut.click()
    type_in(group.overlap, "0")
    type_in(group.tokens, "40")
    page.reading.again.click()
    qtbot.waitUntil(lambda: page.table.model.rowCount() == 4)
    cut = chunked(desk.dataset)
    assert cut is not None
    assert cut.options == ChunkOptions("text", 40, 0, "")
    assert desk.dataset.columns[2:] == (
        *("chunk.number", "chunk.of", "chunk.start", "chunk.end"),
        *("chunk.paragraphs", "chunk.pages"),
    )
    assert group.note.text() == "3 rows of the file became 4.\nTokens are estimated."
    assert [group.column.itemText(n) for n in range(group.column.count())] == ["id", "text"]
    assert not page.reading.again.isVisible()
    group.cut.click()
    page.reading.again.click()
    qtbot.waitUntil(lambda: page.table.model.rowCount() == 3)
    assert chunked(desk.dataset) is None


def test_that_go_to_row_finds_the_first_part_of_a_row_of_the_file(group, page, qtbot):
    group.cut.click()
    type_in(group.overlap, "0")
    type_in(group.tokens, "40")
    page.reading.again.click()
    qtbot.waitUntil(lambda: page.table.model.rowCount() == 4)
    for number, place in (("2", 1), ("3", 3), ("99", 3)):
        page.table.go_to_row.setText(number)
        page.table.go_to_row.returnPressed.emit()
        assert page.table.table.currentIndex().row() == place


def test_that_a_number_that_cannot_be_used_is_told_and_changes_nothing(group, page):
    group.cut.click()
    type_in(group.tokens, "9")
    assert group.note.text() == "Tokens of a part: it takes a whole number from 16 on."
    assert group.options().tokens == 2000


def test_that_tokens_are_counted_for_the_jobs_model(group, desk):
    provider = desk.job.provider.model_copy(update={"preset": "openai", "model": "gpt-4"})
    desk.edit_job(desk.job.model_copy(update={"provider": provider}))
    group.cut.click()
    assert group.options() == ChunkOptions("text", 2000, 100, "cl100k_base")
    assert group.note.text() == "Tokens are counted with cl100k_base."
