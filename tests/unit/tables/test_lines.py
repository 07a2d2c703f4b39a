"""Lines end with LF, CR LF or a lone CR; quick splitting and the numbers of lines are exact."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.tables import read_text
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.row_json import RowJson
from batchdesk.tables.source import split_lines


@given(st.text(st.sampled_from("ab\n\r\x0b\x0c\x1c\x85\u2028\u2029")))
def test_that_lines_are_split_at_line_ends_alone(text):
    assert split_lines(text) == io.StringIO(text, newline="").readlines()


def test_that_a_form_feed_splits_no_line():
    assert split_lines("a\x0cb\nc\u2028d\r\n") == ["a\x0cb\n", "c\u2028d\r\n"]


cells = st.text(st.sampled_from('ab,"\n\r\x0c'), max_size=6)


@given(st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=30))
def test_that_every_record_has_the_number_of_its_first_line(rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([["h1", "h2"], *rows])
    text = buffer.getvalue()
    expected = []
    records = csv.reader(split_lines(text))
    next(records)
    before = records.line_num
    for record in records:
        expected.append((before + 1, record))
        before = records.line_num
    text += '"last","row"\r\n'
    expected.append((before + 1, ["last", "row"]))
    reader = read_text(text, ReadOptions(separator=","))
    found = [(line, [cell for cell in row if cell is not None]) for line, row in reader.rows()]
    kept = [(line, row) for line, row in expected if not (len(row) == 1 and not row[0].strip())]
    assert found == kept


@given(
    st.lists(st.text(), min_size=1, max_size=4, unique=True),
    st.lists(st.lists(st.none() | st.text(), max_size=4), max_size=4),
)
def test_that_rows_become_the_json_of_a_dictionary(columns, rows):
    import json

    expected = [dict(zip(columns, row, strict=False)) for row in rows]
    assert [json.loads(cells.decode()) for cells in RowJson(columns).many(rows)] == expected


def test_that_a_row_s_json_keeps_every_character_as_utf_8_or_escape():
    row = ['"\\\x1f\u2028é😀/', None, "surplus"]
    assert RowJson(["a", "%s"]).many([row]) == [
        b'{"a":"\\"\\\\\\u001f\xe2\x80\xa8\xc3\xa9\xf0\x9f\x98\x80/","%s":null}'
    ]
