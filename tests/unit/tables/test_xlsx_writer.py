"""Workbooks are written with types, run nothing, and name what was cut; read by another library."""

import openpyxl
import pytest

from batchdesk.errors import TableError
from batchdesk.tables import open_reader, open_writer, xlsx_writer
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.xlsx_writer import cut, text_width


def test_that_types_are_kept_and_nothing_is_a_formula(tmp_path):
    path = tmp_path / "t.xlsx"
    row = {
        "text": "00123", "formula": "=1+1", "link": "http://x.example", "whole": 7, "number": 0.5,
        "yes": True, "long": 10**18, "none": None, "list": [1, "a"], "nan": float("nan"),
    }  # fmt: skip
    with open_writer(path, list(row)) as writer:
        writer.write([row])
    sheet = openpyxl.load_workbook(path)["rows"]
    assert [cell.value for cell in sheet[1]] == list(row)
    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [
        ("00123", "s"), ("=1+1", "s"), ("http://x.example", "s"), (7, "n"), (0.5, "n"),
        (True, "b"), ("1000000000000000000", "s"), (None, "n"), ('[1,"a"]', "s"), ("null", "s"),
    ]  # fmt: skip
    assert sheet["C2"].hyperlink is None
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_text_too_long_for_a_cell_is_cut_and_named(tmp_path):
    path = tmp_path / "t.xlsx"
    with open_writer(path, ["id", "text"]) as writer:
        writer.write([{"id": "1", "text": "x" * 32_767}, {"id": "2", "text": "y" * 40_000}])
    book = openpyxl.load_workbook(path)
    assert len(book["rows"]["B2"].value) == 32_767
    assert book["rows"]["B3"].value == "y" * 32_767
    assert [[cell.value for cell in row] for row in book["cut cells"]] == [
        ["sheet", "cell", "column", "characters", "kept"],
        ["rows", "B3", "text", 40_000, 32_767],
    ]


def test_that_a_cut_counts_as_spreadsheets_count():
    assert cut("x" * 32_767) == "x" * 32_767
    assert cut("\U0001f600" * 16_383) == "\U0001f600" * 16_383
    assert cut("\U0001f600" * 20_000) == "\U0001f600" * 16_383


def test_that_columns_are_as_wide_as_their_first_rows_and_the_names_stay_in_sight(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(xlsx_writer, "ROWS_OF_SHEET", 400)
    path = tmp_path / "t.xlsx"
    with open_writer(path, ["a", "a longer name", "text", "中文", "n"]) as writer:
        first = {"a": "1", "text": "x" * 500, "中文": "很好很好很好", "n": 1234567890}
        writer.write([first] + [{"a": "1"}] * 299 + [{"a": "y" * 40}] * 200)
    book = openpyxl.load_workbook(path)
    for name in ("rows", "rows (2)"):
        widths = {key: column.width for key, column in book[name].column_dimensions.items()}
        # Two characters more than the widest of name and values; the library adds 0.71 for Excel.
        assert widths == pytest.approx(
            {"A": 6.71, "B": 15.71, "C": 60.71, "D": 14.71, "E": 12.71}, abs=0.01
        )
        assert book[name].freeze_panes == "A2"


def test_that_a_width_is_that_of_the_widest_line():
    assert text_width("") == 0
    assert text_width("abc") == 3
    assert text_width("ab\nabcd\na") == 4
    assert text_width("好a") == 3


def test_that_rows_beyond_a_sheet_go_on_in_another(tmp_path, monkeypatch):
    monkeypatch.setattr(xlsx_writer, "ROWS_OF_SHEET", 3)
    path = tmp_path / "t.xlsx"
    with open_writer(path, ["a"]) as writer:
        writer.write([{"a": str(number)} for number in range(5)])
    read = []
    for sheet in ("rows", "rows (2)", "rows (3)"):
        read += [cells[0] for _, cells in open_reader(path, ReadOptions(sheet=sheet)).rows()]
    assert read == ["0", "1", "2", "3", "4"]


def test_that_a_failed_write_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "tmp").mkdir()
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="unannounced"), open_writer(path, ["a"]) as writer:
        writer.write([{"a": "x"}, {"b": "x"}])
    assert path.read_bytes() == b"old"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_that_more_columns_than_a_sheet_takes_are_told(tmp_path):
    with pytest.raises(TableError, match="A sheet has at most 16384 columns"):
        open_writer(tmp_path / "t.xlsx", ["c"] * 16_385)
