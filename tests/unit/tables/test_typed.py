"""Columns that came typed are written typed where no cell looks different, else as text."""

from __future__ import annotations

import math
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.cli.main import main
from batchdesk.tables import open_reader
from batchdesk.tables.typed import ColumnTypes, has_types

XLSX, PARQUET = Path("t.xlsx"), Path("t.parquet")


def typed(target, *texts):
    types = ColumnTypes(target, ["a"])
    for text in texts:
        types.see({"a": text})
    return [types.typed({"a": text})["a"] for text in texts]


@pytest.mark.parametrize(
    ("target", "texts", "values"),
    [
        (XLSX, ["12.5", None, "3"], [12.5, None, 3]),
        (XLSX, ["TRUE", "FALSE"], [True, False]),
        (XLSX, ["2024-01-02"], [date(2024, 1, 2)]),
        (XLSX, ["2024-01-02 03:04:05"], [datetime.fromisoformat("2024-01-02 03:04:05")]),
        (PARQUET, ["7", "-8"], [7, -8]),
        (PARQUET, ["1.5", "3.0", "inf"], [1.5, 3.0, math.inf]),
        (PARQUET, ["true", None], [True, None]),
        (PARQUET, ["2024-01-02"], [date(2024, 1, 2)]),
        (
            PARQUET,
            ["2024-01-02 03:04:05.000001"],
            [datetime.fromisoformat("2024-01-02 03:04:05.000001")],
        ),
    ],
)
def test_that_a_column_is_typed_if_every_cell_can_be(target, texts, values):
    assert typed(target, *texts) == values
    assert [type(one) for one in typed(target, *texts)] == [type(one) for one in values]


@pytest.mark.parametrize(
    ("target", "texts"),
    [
        (XLSX, ["00123", "7"]),
        (XLSX, ["1.50"]),
        (XLSX, ["7", "n/a"]),
        (XLSX, ["1234567890123456"]),  # a spreadsheet would round it
        (XLSX, ["-0"]),
        (XLSX, ["7", ""]),
        (XLSX, ["true"]),
        (XLSX, ["1899-01-02"]),
        (XLSX, ["2024-01-02", "2024-01-02 00:00:00"]),
        (XLSX, ["2024-01-02T03:04:05"]),
        (PARQUET, ["1.5", "3"]),
        (PARQUET, ["1.50"]),
        (PARQUET, ["1.5", "nan"]),  # it would come back as NaN
        (PARQUET, ["2024-02-30"]),
        (PARQUET, ["20240102x", "W"]),
        (PARQUET, ["2024-01-02 03:04:05+00:00"]),
    ],
)
def test_that_a_column_stays_text_if_a_cell_would_look_different(target, texts):
    assert typed(target, *texts) == texts


@given(st.sampled_from([XLSX, PARQUET]), st.lists(st.text("0123456789.-+eE TRUaln:", max_size=12)))
def test_that_any_text_is_taken_and_what_stays_text_is_the_same(target, texts):
    for text, value in zip(texts, typed(target, *texts), strict=True):
        assert not isinstance(value, str) or value == text


def test_that_only_tables_that_had_types_are_typed():
    assert has_types("xlsx", PARQUET)
    assert not has_types("csv", XLSX)
    assert not has_types("parquet", Path("t.csv"))


def converted(source, target):
    assert main(["convert", str(source), "--to", str(target)]) == 0
    return target


def test_that_parquet_comes_back_as_it_was_with_nan_and_dates(tmp_path):
    table = pa.table(
        {
            "whole": pa.array([1, None, 3]),
            "number": pa.array([1.5, float("nan"), None]),
            "day": pa.array([date(2024, 1, 2), None, date(1850, 1, 1)]),
            "at": pa.array(
                [datetime.fromisoformat("2024-01-02 03:04:05"), None, None], pa.timestamp("us")
            ),
            "text": ["00123", "x", None],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    reader = open_reader(tmp_path / "a.parquet")
    assert [row[1] for _, row in reader.rows()] == ["1.5", "NaN", None]
    again = pq.read_table(converted(tmp_path / "a.parquet", tmp_path / "b.parquet"))
    assert again.schema.types == table.schema.types
    assert [str(one) for one in again["number"].to_pylist()] == ["1.5", "nan", "None"]
    assert again.drop_columns(["number"]).equals(table.drop_columns(["number"]))


def test_that_a_workbook_s_numbers_and_dates_come_back_as_such(tmp_path):
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.append(["id", "price", "day", "code"])
    sheet.append([1, 12.5, date(2024, 1, 2), "00123"])
    sheet.append([2, 3, date(2024, 1, 3), "7"])
    for row in (2, 3):
        sheet.cell(row, 3).number_format = "yyyy-mm-dd"
    book.save(tmp_path / "a.xlsx")
    again: Any = openpyxl.load_workbook(converted(tmp_path / "a.xlsx", tmp_path / "b.xlsx")).active
    assert [[cell.value for cell in row] for row in again.iter_rows(min_row=2)] == [
        [1, 12.5, datetime.fromisoformat("2024-01-02 00:00:00"), "00123"],
        [2, 3, datetime.fromisoformat("2024-01-03 00:00:00"), "7"],
    ]
    texts = [row for _, row in open_reader(tmp_path / "b.xlsx").rows()]
    assert texts == [["1", "12.5", "2024-01-02", "00123"], ["2", "3", "2024-01-03", "7"]]
