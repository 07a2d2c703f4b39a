"""Answers go back into a copy of the workbook, and the rest of it stays as it was."""

import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from batchdesk.errors import TableError
from batchdesk.tables import open_reader
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.workbook_copy import paste_back

ANSWERS = [
    (1, {"answer.label": "pos", "answer.score": 0.5}),
    (3, {"answer.label": "=1+1 <&> _x000D_\r\n\x01", "answer.score": True}),
]


def source_workbook(path: Path) -> Path:
    book = xlsxwriter.Workbook(str(path))
    other = book.add_worksheet("Other")
    other.write_formula(0, 0, "=Data!A4", None, 7)
    sheet = book.add_worksheet("Data")
    sheet.write(0, 0, "Title")
    sheet.write_row(1, 0, ["id", "text"], book.add_format({"bold": True, "bg_color": "red"}))
    sheet.write_row(2, 0, ["1", "good"])
    sheet.write_row(3, 0, [7, "so so"])
    sheet.write_row(5, 0, ["3", "bad"])
    sheet.write_formula(5, 3, "=LEN(B6)", None, 3)
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "=Data!$A$4:$A$4"})
    sheet.insert_chart("H2", chart)
    book.close()
    return path


def test_that_answers_stand_right_of_everything_and_the_rest_stays(tmp_path):
    source, target = source_workbook(tmp_path / "in.xlsx"), tmp_path / "out.xlsx"
    columns = ["answer.label", "answer.score"]
    assert paste_back(source, target, ReadOptions(sheet="Data"), columns, ANSWERS) == 2
    sheet = openpyxl.load_workbook(target)["Data"]
    assert [cell.value for cell in sheet[2]] == [
        "id",
        "text",
        None,
        None,
        "answer.label",
        "answer.score",
    ]
    assert [cell.value for cell in sheet[3]] == ["1", "good", None, None, "pos", 0.5]
    assert [cell.value for cell in sheet[4]] == [7, "so so", None, None, None, None]
    assert sheet["D6"].value == "=LEN(B6)"
    assert sheet["E6"].data_type == "s"
    last = list(open_reader(target, ReadOptions(sheet="Data")).rows())[-1]
    assert last == (6, ["3", "bad", None, "3", "=1+1 <&> _x000D_\r\n\x01", "TRUE"])
    assert sheet["F6"].value is True
    assert sheet["A2"].font.b
    assert sheet.dimensions == "A1:F6"
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target) as after:
        assert before.namelist() == after.namelist()
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == ["xl/worksheets/sheet2.xml"]


def test_that_sheets_of_other_programs_and_rows_without_cells_are_patched(tmp_path):
    source, target = source_workbook(tmp_path / "in.xlsx"), tmp_path / "out.xlsx"
    rebuilt = tmp_path / "rebuilt.xlsx"
    sheet = (
        '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c></x:row><x:row r="5" spans="1:1">'
        '<x:c t="str"><x:v>x</x:v></x:c></x:row><x:row/></x:sheetData></x:worksheet>'
    )
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(rebuilt, "w") as new:
        for name in old.namelist():
            new.writestr(name, sheet if name.endswith("sheet2.xml") else old.read(name))
    assert paste_back(rebuilt, target, ReadOptions(sheet="Data"), ["b"], [(1, {"b": "y"})]) == 1
    data = openpyxl.load_workbook(target)["Data"]
    assert [[cell.value for cell in row] for row in (data[1], data[5])] == [["a", "b"], ["x", "y"]]


def test_that_a_workbook_that_lost_rows_since_is_told(tmp_path):
    source, target = source_workbook(tmp_path / "in.xlsx"), tmp_path / "out.xlsx"
    with pytest.raises(TableError, match="it was changed since"):
        paste_back(source, target, ReadOptions(sheet="Data"), ["b"], [(4, {"b": "y"})])
    assert not target.exists()


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("in.xls", "out.xls", "Answers can be put back into XLSX and XLSM workbooks only"),
        ("in.xlsx", "out.csv", "needs the same suffix: .xlsx"),
        ("in.xlsx", "in.xlsx", "is the table that the rows were read from"),
    ],
)
def test_that_a_copy_that_cannot_be_is_told(tmp_path, source, target, sentence):
    source_workbook(tmp_path / "in.xlsx")
    with pytest.raises(TableError, match=sentence):
        paste_back(tmp_path / source, tmp_path / target, ReadOptions(), ["b"], [])
