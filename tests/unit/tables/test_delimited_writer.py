"""The CSV writer writes what a spreadsheet reads rightly, and what the reader reads back."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.tables.base import ReadOptions
from batchdesk.tables.cells import harmless
from batchdesk.tables.delimited import DelimitedReader, DelimitedWriter


def written(
    path: Path, columns: list[str], rows: list[dict[str, Any]], separator: str = ","
) -> bytes:
    with DelimitedWriter(path, columns, separator) as writer:
        writer.write(rows)
    return path.read_bytes()


def test_that_the_bytes_are_what_excel_wants(tmp_path):
    data = written(
        tmp_path / "t.csv",
        ["id", "text", "n"],
        [
            {"id": "00123", "text": 'say "hi", 你好', "n": -3.5},
            {"id": "2", "text": "a\nb", "n": None},
            {"id": "3", "n": {"x": [1]}, "text": True},
        ],
    )
    expected = (
        '\ufeffid,text,n\r\n00123,"say ""hi"", 你好",-3.5\r\n2,"a\nb",\r\n3,true,"{""x"":[1]}"\r\n'
    )
    assert data == expected.encode()


def test_that_tsv_has_tabs(tmp_path):
    data = written(tmp_path / "t.tsv", ["a", "b"], [{"a": "x,y", "b": "p\tq"}], "\t")
    assert data == b'\xef\xbb\xbfa\tb\r\nx,y\t"p\tq"\r\n'


def test_that_formulas_are_made_harmless_in_cells_and_names(tmp_path):
    data = written(tmp_path / "t.csv", ["=x", "n"], [{"=x": "@SUM(A1)", "n": "-1e5"}])
    assert data == b"\xef\xbb\xbf'=x,n\r\n'@SUM(A1),-1e5\r\n"


def test_that_halves_of_surrogate_pairs_become_replacement_characters(tmp_path):
    data = written(tmp_path / "t.csv", ["a"], [{"a": "x\ud800y"}])
    assert data == "\ufeffa\r\nx\ufffdy\r\n".encode()


def test_that_rows_may_come_in_several_batches_or_none(tmp_path):
    with DelimitedWriter(tmp_path / "t.csv", ["a"]) as writer:
        writer.write([{"a": "1"}])
        writer.write([])
        writer.write([{"a": "2"}, {}])
    assert (tmp_path / "t.csv").read_bytes() == b'\xef\xbb\xbfa\r\n1\r\n2\r\n""\r\n'


def test_that_a_column_that_was_not_announced_is_a_bug_and_leaves_no_file(tmp_path):
    with pytest.raises(ValueError, match=r"unannounced columns: \['b'\]"):
        written(tmp_path / "t.csv", ["a"], [{"a": "1", "b": "2"}])
    assert list(tmp_path.iterdir()) == []


# Pieces that have broken CSV readers before, mixed with any other text.
NASTY = st.text(
    st.sampled_from(list("\"',;|\t\r\n \\#=aé好😀\u2028\u2029\x85\x0b\x0c\x1c\ufeff\ufffd0"))
    | st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    max_size=12,
)
PLAIN_CELL = NASTY.filter(lambda text: harmless(text) == text)
NAMES = st.lists(
    PLAIN_CELL.filter(
        lambda name: (
            name.strip("\ufeff")
            and name.strip()
            and not name.startswith("\ufeff")
            and not name.casefold().startswith(("answer.", "batchdesk.", "sep="))
        )
    ),
    min_size=1,
    max_size=5,
    unique=True,
)


@st.composite
def tables(draw):
    names = draw(NAMES)
    width = len(names)
    rows = st.lists(PLAIN_CELL, min_size=width, max_size=width)
    return names, draw(st.lists(rows, min_size=1, max_size=6))


@given(tables(), st.sampled_from([",", ";", "\t", "|"]))
def test_that_any_table_is_read_back_as_it_was_written(table, separator):
    names, rows = table
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        written(path, names, [dict(zip(names, row, strict=True)) for row in rows], separator)
        reader = DelimitedReader(path, ReadOptions(separator=separator))
        assert [row for _, row in reader.rows()] == rows
        assert reader.columns == names
        assert reader.problems == []


@given(st.lists(st.tuples(NASTY, NASTY), min_size=1, max_size=8))
def test_that_the_separator_of_a_written_table_is_guessed_right(cells):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        written(path, ["id", "text"], [{"id": a, "text": b} for a, b in cells])
        reader = DelimitedReader(path, ReadOptions())
        assert [row for _, row in reader.rows()] == [[harmless(a), harmless(b)] for a, b in cells]
