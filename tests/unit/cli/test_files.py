"""``inspect`` and ``convert`` say what is in a table and write it in another format."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from batchdesk.cli.main import main
from batchdesk.tables import open_reader

FOLDER = Path(
    os.environ.get("BATCHDESK_TEST_DATA", Path(__file__).parents[3].parent / "shared" / "data")
)


def inspected(capsys, *words: object) -> Any:
    assert main(["inspect", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real tables in {FOLDER}")
@pytest.mark.parametrize(
    ("name", "encoding", "rows", "column", "values"),
    [
        ("amazon_review_snippets_utf8bom.csv", "utf-8-sig", 3708, "label",
         {"positive": 1750, "negative": 1235, "neutral": 723}),
        ("chinese_reviews_gbk.csv", "gb18030", 11_997, "标签", {"neg": 6286, "pos": 5711}),
        ("genai_incidents_sample.csv", "utf-8", 4000, "severity",
         {"Medium": 1637, "High": 1540, "Critical": 690, "Low": 133}),
    ],
)  # fmt: skip
def test_that_inspect_gives_the_figures_of_real_tables(  # noqa: PLR0917 - parameters of a table
    capsys, name, encoding, rows, column, values
):
    found = inspected(capsys, FOLDER / name)
    columns = {one["name"]: one for one in found["columns"]}
    assert (found["format"]["encoding"], found["rows"]) == (encoding, rows)
    assert columns[column]["values"] == values
    assert columns[column]["blank"] == 0
    assert found["problems"] == {}


def test_that_inspect_counts_blanks_distinct_values_and_problems(capsys, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,1\nx, \nyy\n\nx,2\n")
    found = inspected(capsys, path)
    assert found["rows"] == 4
    assert found["columns"] == [
        {"name": "a", "filled": 4, "blank": 0, "distinct": 2, "is_exact": True, "longest": 2,
         "values": {"x": 3, "yy": 1}},
        {"name": "b", "filled": 2, "blank": 2, "distinct": 2, "is_exact": True, "longest": 1,
         "values": {"1": 1, "2": 1}},
    ]  # fmt: skip
    assert found["problems"] == {"ragged_short": 1, "blank_line": 1}
    assert main(["inspect", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "t.csv: csv, encoding utf-8, separator comma",
        "4 rows, 2 columns",
        "  a: 0 blank, 2 distinct, longest 2 characters",
        "    x 3, yy 1",
    ]
    assert "  line 5: blank_line" in lines


def test_that_convert_writes_columns_that_turn_up_late(capsys, tmp_path):
    source, target = tmp_path / "t.jsonl", tmp_path / "t.xlsx"
    source.write_text('{"a": "001"}\n' * 1500 + '{"a": "2", "late": {"n": 1}}\n')
    assert main(["convert", str(source), "--to", str(target), "--flatten"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"1,501 rows are in {target}"
    reader = open_reader(target)
    rows = [row for _, row in reader.rows()]
    assert reader.columns == ["a", "late.n"]
    assert (rows[0], rows[-1], len(rows)) == (["001", None], ["2", "1"], 1501)


def test_that_convert_overwrites_nothing_unasked_and_never_its_source(capsys, tmp_path):
    source, target = tmp_path / "t.csv", tmp_path / "t.parquet"
    source.write_text("a\n1\n")
    target.write_bytes(b"old")
    words = ["convert", str(source), "--to"]
    assert main([*words, str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert target.read_bytes() == b"old"
    assert main([*words, str(source), "--force"]) == 2
    assert "is the table that the rows are read from" in capsys.readouterr().err
    assert main([*words, str(target), "--force"]) == 0
    assert [row for _, row in open_reader(target).rows()] == [["1"]]


def test_that_a_file_that_cannot_be_read_is_a_sentence(capsys, tmp_path):
    assert main(["inspect", str(tmp_path / "no.xlsx")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_that_one_row_and_one_column_are_said_as_one(capsys, tmp_path):
    (tmp_path / "t.csv").write_text("text\ngood\n", encoding="utf-8")
    assert main(["inspect", str(tmp_path / "t.csv")]) == 0
    assert "1 row, 1 column" in capsys.readouterr().out.splitlines()
    assert main(["convert", str(tmp_path / "t.csv"), "--to", str(tmp_path / "o.csv")]) == 0
    assert capsys.readouterr().out == f"1 row is in {tmp_path / 'o.csv'}\n"
