"""Workbooks are read as a person sees them."""

import datetime as dt
import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
import xlwt

from batchdesk.errors import TableError
from batchdesk.tables import list_parts, open_reader
from batchdesk.tables.base import Part, ProblemKind, ReadOptions

CONTENT = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"/>'
)


def rows_of(path: Path, **options):
    reader = open_reader(path, ReadOptions(**options))
    rows = list(reader.rows())
    reader.close()
    return reader, rows


def workbook(path: Path, fill) -> Path:
    book = xlsxwriter.Workbook(str(path))
    fill(book)
    book.close()
    return path


def test_that_cells_read_as_they_are_shown(tmp_path):
    def fill(book):
        sheet = book.add_worksheet("Orders")
        sheet.write_row(0, 0, ["id", "share", "day", "at", "price", "note", "sum", "ok"])
        sheet.write_number(1, 0, 123, book.add_format({"num_format": "00000"}))
        sheet.write_number(1, 1, 0.256, book.add_format({"num_format": "0.0%"}))
        sheet.write_datetime(1, 2, dt.date(2024, 3, 9), book.add_format({"num_format": 14}))
        sheet.write_number(1, 3, 0.75, book.add_format({"num_format": "hh:mm"}))
        sheet.write_number(1, 4, 1234.5, book.add_format({"num_format": "#,##0.00 [$€-1]"}))
        sheet.write_string(1, 5, "0042")
        sheet.write_formula(1, 6, "=1+2", None, 3)
        sheet.write(1, 7, *[True])

    path = workbook(tmp_path / "t.xlsx", fill)
    reader, rows = rows_of(path)
    assert reader.columns == ["id", "share", "day", "at", "price", "note", "sum", "ok"]
    assert rows == [
        (2, ["00123", "25.6%", "2024-03-09", "18:00", "1,234.50 €", "0042", "3", "TRUE"])
    ]
    assert (reader.format.name, reader.format.sheet, reader.format.header_row) == (
        "xlsx",
        "Orders",
        1,
    )
    assert reader.problem_counts == {}


def test_that_errors_and_formulas_without_a_result_are_named_by_cell(tmp_path):
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    sheet = book.create_sheet("S")
    sheet.append(["a", "b", "c"])
    sheet.append(["x", "=A2&A2", None])
    sheet["C2"].value = "#N/A"
    sheet["C2"].data_type = "e"
    book.save(path)
    reader, rows = rows_of(path)
    assert rows == [(2, ["x", None, "#N/A"])]
    assert [(one.kind, one.line, one.detail["cell"]) for one in reader.problems] == [
        (ProblemKind.NO_CACHED_VALUE, 2, "B2"),
        (ProblemKind.CELL_ERROR, 2, "C2"),
    ]


def test_that_a_merged_cell_counts_for_all_cells_it_covers(tmp_path):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["region", "city", "sales"])
        sheet.merge_range(1, 0, 2, 0, "North")
        sheet.write_row(1, 1, ["Oslo", 5])
        sheet.write_row(2, 1, ["Bergen", 7])
        sheet.write_row(3, 0, ["South", "Rome", 9])

    _, rows = rows_of(workbook(tmp_path / "t.xlsx", fill))
    assert [cells for _, cells in rows] == [
        ["North", "Oslo", "5"],
        ["North", "Bergen", "7"],
        ["South", "Rome", "9"],
    ]


def test_that_a_title_above_the_names_is_left_out_and_reported(tmp_path):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.merge_range(0, 0, 0, 2, "Sales of May")
        sheet.write_row(2, 0, ["id", "text", "label"])
        sheet.write_row(3, 0, ["1", "good", "pos"])
        sheet.write_row(5, 0, ["2", "bad", "neg"])

    path = workbook(tmp_path / "t.xlsx", fill)
    reader, rows = rows_of(path)
    assert reader.columns == ["id", "text", "label"]
    assert rows == [(4, ["1", "good", "pos"]), (6, ["2", "bad", "neg"])]
    assert [(one.kind, one.line) for one in reader.problems] == [(ProblemKind.ABOVE_HEADER, 1)]
    reader, rows = rows_of(path, header_row=4)
    assert reader.columns == ["1", "good", "pos"]
    assert reader.problem_counts == {ProblemKind.ABOVE_HEADER: 2}
    with pytest.raises(TableError, match=r"Row 2 of the sheet in t\.xlsx is empty"):
        open_reader(path, ReadOptions(header_row=2))


def test_that_the_first_visible_sheet_is_read_and_the_others_are_named(tmp_path):
    def fill(book):
        secret = book.add_worksheet("secret")
        secret.write_row(0, 0, ["k"])
        secret.write_row(1, 0, ["v"])
        shown = book.add_worksheet("shown")
        shown.write_row(0, 0, ["a"])
        shown.write_row(1, 0, ["1"])
        shown.activate()
        secret.hide()
        book.add_worksheet("empty")
        other = book.add_worksheet("other")
        other.write_row(0, 0, ["b"])
        other.write_row(1, 0, ["2"])
        book.add_chartsheet("chart").set_chart(_chart(book))

    path = workbook(tmp_path / "t.xlsx", fill)
    reader, rows = rows_of(path)
    assert rows == [(2, ["1"])]
    assert [(one.kind, one.detail["name"]) for one in reader.problems] == [
        (ProblemKind.HIDDEN_SHEET, "secret"),
        (ProblemKind.OTHER_TABLE, "other"),
    ]
    assert list_parts(path) == [
        Part("secret", "sheet", is_hidden=True),
        Part("shown", "sheet"),
        Part("empty", "sheet"),
        Part("other", "sheet"),
    ]
    assert rows_of(path, sheet="secret")[1] == [(2, ["v"])]
    with pytest.raises(
        TableError, match=r"t\.xlsx has no sheet .x.\. It has: secret, shown, empty"
    ):
        open_reader(path, ReadOptions(sheet="x"))


def _chart(book):
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "=shown!$A$2:$A$2"})
    return chart


def raw_workbook(path: Path, sheet: str, styles: str = "") -> Path:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT)
        archive.writestr(
            "xl/workbook.xml",
            f'<x:workbook xmlns:x="{main}" xmlns:q="{rel}"><x:sheets>'
            '<x:sheet name="S" sheetId="1" q:id="rId1"/></x:sheets></x:workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="rId1" Type="{rel}/worksheet" Target="/xl/worksheets/s.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "xl/worksheets/s.xml", f'<x:worksheet xmlns:x="{main}">{sheet}</x:worksheet>'
        )
        if styles:
            archive.writestr("xl/styles.xml", styles)
    return path


def test_that_sheets_of_other_programs_are_read(tmp_path):
    sheet = (
        '<x:dimension ref="A1"/><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is>'
        '</x:c><x:c t="str"><x:v>b</x:v></x:c></x:row><x:row><x:c><x:v>1</x:v></x:c>'
        '<x:c t="d"><x:v>2024-01-02</x:v></x:c></x:row><x:row r="9"><x:c r="B9" t="inlineStr">'
        "<x:is><x:r><x:t>two </x:t></x:r><x:r><x:t>runs</x:t></x:r><x:rPh><x:t>kana</x:t></x:rPh>"
        "</x:is></x:c></x:row></x:sheetData>"
    )
    reader, rows = rows_of(raw_workbook(tmp_path / "t.xlsx", sheet, styles="<broken"))
    assert reader.columns == ["a", "b"]
    assert rows == [(2, ["1", "2024-01-02"]), (9, [None, "two runs"])]


def test_that_a_cell_that_refers_to_nothing_is_reported(tmp_path):
    sheet = (
        '<x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>a</x:v></x:c></x:row><x:row r="2">'
        '<x:c r="A2" t="s"><x:v>99</x:v></x:c><x:c r="B2"><x:v>abc</x:v></x:c>'
        '<x:c r="C2" t="str"><x:v>kept</x:v></x:c></x:row></x:sheetData>'
    )
    reader, rows = rows_of(raw_workbook(tmp_path / "t.xlsx", sheet))
    assert rows == [(2, [None, None, "kept"])]
    assert [one.detail["cell"] for one in reader.problems[:2]] == ["A2", "B2"]
    assert reader.problem_counts == {
        ProblemKind.BAD_CELL: 2,
        ProblemKind.EMPTY_COLUMN_NAME: 2,
    }


def test_that_a_cell_whose_reference_no_sheet_has_is_reported_and_moves_no_other(tmp_path):
    sheet = (
        '<x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>a</x:v></x:c><x:c t="str"><x:v>b</x:v>'
        '</x:c></x:row><x:row r="2"><x:c r="ZZZZZZ2" t="str"><x:v>lost</x:v></x:c>'
        '<x:c t="str"><x:v>1</x:v></x:c><x:c r="ZZZ2" t="str"><x:v>lost</x:v></x:c>'
        '<x:c r="B2" t="str"><x:v>2</x:v></x:c></x:row>'
        f'<x:row r="3"><x:c r="{"?" * 90}"><x:v>7</x:v></x:c><x:c r="?3"/>'
        '<x:c r="B3"><x:v>3</x:v></x:c></x:row></x:sheetData>'
    )
    reader, rows = rows_of(raw_workbook(tmp_path / "t.xlsx", sheet))
    assert rows == [(2, ["1", "2"]), (3, [None, "3"])]
    assert [(one.kind, one.line, one.detail["cell"]) for one in reader.problems] == [
        (ProblemKind.BAD_CELL, 2, "ZZZZZZ2"),
        (ProblemKind.BAD_CELL, 2, "ZZZ2"),
        (ProblemKind.BAD_CELL, 3, "?" * 20),
    ]


def test_that_entities_in_a_sheet_are_refused(tmp_path):
    path = tmp_path / "t.xlsx"
    raw_workbook(path, "")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(
            "xl/worksheets/s.xml",
            '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row>'
            "<c><v>&b;</v></c></row></sheetData></worksheet>",
        )
    with pytest.raises(TableError, match=r"t\.xlsx is damaged or not an Excel workbook"):
        open_reader(path)


def test_that_a_workbook_with_a_password_says_so(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000)
    with pytest.raises(TableError, match=r"t\.xlsx is (damaged|protected)"):
        open_reader(path)


def test_that_an_old_workbook_reads_as_it_is_shown(tmp_path):
    book = xlwt.Workbook()
    sheet = book.add_sheet("Old")
    for column, name in enumerate(["id", "day", "ok", "err"]):
        sheet.write(0, column, name)
    sheet.write(1, 0, 42, xlwt.easyxf(num_format_str="00000"))
    sheet.write(1, 1, dt.date(2024, 3, 9), xlwt.easyxf(num_format_str="yyyy-mm-dd"))
    sheet.write(1, 2, label=True)
    sheet.write(1, 3, "café")
    sheet.write_merge(2, 3, 0, 0, "both")
    sheet.write(2, 3, "x")
    sheet.write(3, 3, "y")
    path = tmp_path / "t.xls"
    book.save(str(path))
    reader, rows = rows_of(path)
    assert rows == [
        (2, ["00042", "2024-03-09", "TRUE", "café"]),
        (3, ["both", None, None, "x"]),
        (4, ["both", None, None, "y"]),
    ]
    assert (reader.format.name, reader.format.sheet) == ("xls", "Old")
    assert list_parts(path) == [Part("Old", "sheet")]
    renamed = path.rename(tmp_path / "t.xlsx")
    assert len(rows_of(renamed)[1]) == 3


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"<html><table></table></html>",
            "t.xls is a web page or XML under the name of a workbook",
        ),
        (b"a,b\n1,2\n", "t.xls is no Excel workbook: if it is text, give it the suffix .csv"),
        (b"", "t.xls is empty"),
    ],
)
def test_that_what_other_programs_call_xls_is_told(tmp_path, content, sentence):
    path = tmp_path / "t.xls"
    path.write_bytes(content)
    with pytest.raises(TableError, match=sentence):
        open_reader(path)
