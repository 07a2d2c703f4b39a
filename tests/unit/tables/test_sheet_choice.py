"""Which sheet of a workbook is read where nobody says: not a title page, if there is a table."""

from pathlib import Path

import pytest
import xlsxwriter
import xlwt

from batchdesk.errors import TableError
from batchdesk.tables import open_reader
from batchdesk.tables.base import ProblemKind


def new_kind(path: Path, sheets: dict[str, list[list[str]]]) -> None:
    book = xlsxwriter.Workbook(str(path))
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for line, row in enumerate(rows):
            sheet.write_row(line, 0, row)
    book.close()


def old_kind(path: Path, sheets: dict[str, list[list[str]]]) -> None:
    book = xlwt.Workbook()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for line, row in enumerate(rows):
            for column, text in enumerate(row):
                sheet.write(line, column, text)
    book.save(str(path))


KINDS = [("t.xlsx", new_kind), ("t.xls", old_kind)]


@pytest.mark.parametrize(("name", "write"), KINDS)
def test_that_a_title_page_is_passed_over_and_named(tmp_path, name, write):
    path = tmp_path / name
    write(path, {"Cover": [["Report of June"]], "Orders": [["id"], ["7"]]})
    reader = open_reader(path)
    assert reader.format.sheet == "Orders"
    assert list(reader.rows()) == [(2, ["7"])]
    assert [(one.kind, one.detail["name"]) for one in reader.problems] == [
        (ProblemKind.OTHER_TABLE, "Cover")
    ]


@pytest.mark.parametrize(("name", "write"), KINDS)
def test_that_a_workbook_of_title_pages_says_that_there_are_no_rows(tmp_path, name, write):
    path = tmp_path / name
    write(path, {"One": [["a", "b"]], "Two": [["c"]]})
    reader = open_reader(path)
    assert reader.format.sheet == "One"
    with pytest.raises(TableError, match="has column names but no rows"):
        list(reader.rows())


def sheet_read(path: Path) -> str | None:
    reader = open_reader(path)
    reader.close()
    return reader.format.sheet


COVERS = [
    [["Report of June"], [""], ["made by the shop"], ["for the board"]],
    [["Report of June"], ["Author", "Li Na"], ["Date", "2024-06-30"], ["Pages", "3"]],
    [["Report"], ["How to read it"], ["Column", "Meaning"], ["see below"], ["and the notes"]],
]


@pytest.mark.parametrize(("name", "write"), KINDS)
@pytest.mark.parametrize("cover", COVERS)
def test_that_a_cover_of_several_lines_is_passed_over(tmp_path, name, write, cover):
    path = tmp_path / name
    write(path, {"Cover": cover, "Orders": [["id", "text"], ["7", "good"]]})
    assert sheet_read(path) == "Orders"


@pytest.mark.parametrize(("name", "write"), KINDS)
@pytest.mark.parametrize(
    "first",
    [
        [["id", "text"], ["7", "good"]],
        [["A title"], ["id", "text", "date"], ["7", "good", "today"], ["8", "bad", "today"]],
        [["text"], *[[f"review {n}"] for n in range(20)]],
    ],
)
def test_that_a_first_sheet_that_is_a_table_is_read(tmp_path, name, write, first):
    path = tmp_path / name
    write(path, {"One": first, "Two": [["a", "b", "c"]] * 50})
    assert sheet_read(path) == "One"


@pytest.mark.parametrize(("name", "write"), KINDS)
def test_that_of_lists_the_first_with_two_rows_is_read(tmp_path, name, write):
    path = tmp_path / name
    write(path, {"Title": [["Texts"]], "One": [["text"], ["good"]], "Two": [["note"], ["x"]]})
    assert sheet_read(path) == "One"
