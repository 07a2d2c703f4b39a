"""Pasted cells are a table."""

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import read_text
from batchdesk.tables.base import ReadOptions


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("a\tb\r\n1\t2\r\n", ["a", "b"], [(2, ["1", "2"])]),
        ('a\tb\n"two\nlines"\t00123\n', ["a", "b"], [(2, ["two\nlines", "00123"])]),
        ("a,b\n1,2", ["a", "b"], [(2, ["1", "2"])]),
        ("\ufeffa;b\n1,5;2", ["a", "b"], [(2, ["1,5", "2"])]),
        ("text\ngood\0\n", ["text"], [(2, ["good"])]),
    ],
)
def test_that_pasted_text_is_read_like_a_file(text, columns, rows):
    reader = read_text(text)
    assert reader.columns == columns
    assert list(reader.rows()) == rows
    assert reader.progress() == 1.0


def test_that_rows_above_the_names_may_be_left_out():
    reader = read_text("My table\t\na\tb\n1\t2\n", ReadOptions(header_row=2))
    assert reader.columns == ["a", "b"]
    assert list(reader.rows()) == [(3, ["1", "2"])]
    assert [problem.line for problem in reader.problems] == [1]


def test_that_an_empty_clipboard_is_told():
    with pytest.raises(TableError, match="There is no table on the clipboard"):
        read_text(" \n")
