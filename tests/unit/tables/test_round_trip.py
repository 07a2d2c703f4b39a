"""Written and read again, a table has the same cells, whatever strange text is in them."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from batchdesk.tables import open_reader, open_writer
from batchdesk.tables.cells import harmless

FOLDER = Path(
    os.environ.get("BATCHDESK_TEST_DATA", Path(__file__).parents[3].parent / "shared" / "data")
)
NASTY = [
    "00123", "1e5", "=1+1", "-", "@x", "TRUE", "null", "NaN", "2024-01-02", " lead", "trail ",
    "\t", "line\nbreak", "cr\rlf\r\n", '"', "a,b;c|d", "_x000D_", "_x005F_x000D_", "\x01\x1f\x7f",
    "\u2028", "\x85", "<b>&amp;</b>", "]]>", "😀", "e\u0301", "\u202eabc", "#N/A", "'quoted", "{}",
    "[1, 2]", "0.1", "1" * 20,
]  # fmt: skip
# What no file of ours can hold: NUL, halves of surrogate pairs, the two non-characters of XML.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufffe\uffff"))
cells = st.sampled_from(NASTY) | text
SUFFIXES = [".xlsx", ".jsonl", ".parquet", ".sqlite", ".csv", ".tsv"]


def written_and_read(suffix: str, columns: list[str], rows: list[list[str | None]]):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        with open_writer(path, columns) as writer:
            writer.write([dict(zip(columns, row, strict=True)) for row in rows])
        reader = open_reader(path)
        read = [row for _, row in reader.rows()]
        reader.close()
        assert reader.columns == columns
        assert dict(reader.problem_counts) == {}
        return read


@pytest.mark.parametrize("suffix", [".xlsx", ".jsonl", ".parquet", ".sqlite"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(cells.filter(bool), cells, st.none() | cells), min_size=1, max_size=8))
@example([(cell, cell, None) for cell in NASTY])
def test_that_formats_that_know_text_give_every_cell_back(suffix, rows):
    rows = [list(row) for row in rows]
    read = written_and_read(suffix, ["a", "b", "c"], rows)
    if suffix == ".xlsx":  # a sheet knows no difference between empty text and no cell
        read = [[cell or None for cell in row] for row in read]
        rows = [[cell or None for cell in row] for row in rows]
    assert read == rows


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cells.filter(bool), cells, st.none() | cells), min_size=1, max_size=8))
@example([(cell, cell, None) for cell in NASTY])
def test_that_csv_gives_every_cell_back_with_formulas_made_harmless(suffix, rows):
    read = written_and_read(suffix, ["a", "b", "c"], [list(row) for row in rows])
    assert read == [[harmless(cell or "") for cell in row] for row in rows]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real tables in {FOLDER}")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("amazon_review_snippets_utf8bom.csv", 3708),
        ("chinese_reviews_gbk.csv", 11_997),
        ("genai_incidents_sample.csv", 4000),
        ("tech_support_qa.jsonl", 1050),
    ],
)
def test_that_real_tables_come_back_from_every_format(name, count, suffix):
    reader = open_reader(FOLDER / name)
    rows = [row for _, row in reader.rows()]
    expected = rows
    if suffix in (".csv", ".tsv"):
        expected = [[harmless(cell or "") for cell in row] for row in rows]
    if suffix == ".xlsx":
        expected = [[cell or None for cell in row] for row in rows]
    read = written_and_read(suffix, reader.columns, rows)
    if suffix == ".xlsx":
        read = [[cell or None for cell in row] for row in read]
    assert len(read) == count
    assert read == expected
