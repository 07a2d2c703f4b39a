"""The CSV reader keeps every cell's text and reports what it had to mend."""

import csv

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import delimited, source
from batchdesk.tables.base import Problem, ProblemKind, ReadOptions, TableFormat
from batchdesk.tables.delimited import DelimitedReader


@pytest.fixture
def read(tmp_path):
    """Reads bytes or text as a table: columns, rows with lines, problems."""

    def read(content, options=None, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        reader = DelimitedReader(path, options or ReadOptions())
        rows = list(reader.rows())
        return reader.columns, rows, reader.problems

    return read


def test_that_text_stays_exactly_as_it_is(read):
    columns, rows, problems = read('id,a,b\n00123, x ,\n1e5,"",NULL\n')
    assert columns == ["id", "a", "b"]
    assert rows == [(2, ["00123", " x ", ""]), (3, ["1e5", "", "NULL"])]
    assert problems == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_all_line_ends_are_read(read, end):
    columns, rows, problems = read(end.join(["a,b", "1,2", "3,4", ""]))
    assert (columns, rows, problems) == (["a", "b"], [(2, ["1", "2"]), (3, ["3", "4"])], [])


def test_that_a_missing_line_end_at_the_end_does_no_harm(read):
    assert read("a,b\n1,2")[1] == [(2, ["1", "2"])]
    assert read("a,b\n1,")[1] == [(2, ["1", ""])]
    assert read('a,b\n1,"x"')[1] == [(2, ["1", "x"])]


def test_that_quoted_cells_keep_line_breaks_quotes_and_separators(read):
    _, rows, problems = read('a,b\n"x\r\ny\n\nz","say ""hi"", you"\n3,4\n')
    assert rows == [(2, ["x\r\ny\n\nz", 'say "hi", you']), (6, ["3", "4"])]
    assert problems == []


def test_that_unicode_line_separators_are_text(read):
    _, rows, _ = read("a,b\nx\u2028y\x85z\x0b\x0c\x1c,2\n")
    assert rows == [(2, ["x\u2028y\x85z\x0b\x0c\x1c", "2"])]


def test_that_a_short_row_is_filled_with_no_value(read):
    _, rows, problems = read("a,b,c\n1\n4,5,6\n")
    assert rows == [(2, ["1", None, None]), (3, ["4", "5", "6"])]
    assert problems == [Problem(ProblemKind.RAGGED_SHORT, 2, {"cells": 1, "expected": 3})]


def test_that_a_long_row_adds_columns_and_later_rows_are_as_long(read):
    columns, rows, problems = read("a,column 3\n1,2\n3,4,5,6\n7,8\n9\n1,2,3\n")
    assert columns == ["a", "column 3", "column 3 (2)", "column 4"]
    assert rows == [
        (2, ["1", "2"]),
        (3, ["3", "4", "5", "6"]),
        (4, ["7", "8", None, None]),
        (5, ["9", None, None, None]),
        (6, ["1", "2", "3", None]),
    ]
    assert [(p.kind, p.line) for p in problems] == [
        (ProblemKind.RAGGED_LONG, 3),
        (ProblemKind.DUPLICATE_COLUMN, 3),
        (ProblemKind.RAGGED_SHORT, 5),
        (ProblemKind.RAGGED_LONG, 6),
    ]


def test_that_blank_lines_are_left_out_and_reported(read):
    columns, rows, problems = read("\n  \na,b\n1,2\n\n \t\n3,4\n\n")
    assert columns == ["a", "b"]
    assert rows == [(4, ["1", "2"]), (7, ["3", "4"])]
    assert problems == [Problem(ProblemKind.BLANK_LINE, line) for line in (1, 2, 5, 6, 8)]


def test_that_an_empty_cell_of_a_single_column_is_a_row(read):
    columns, rows, problems = read('text\n""\n x\n\n')
    assert columns == ["text"]
    assert rows == [(2, [""]), (3, [" x"])]
    assert problems == [Problem(ProblemKind.BLANK_LINE, 4)]


def test_that_nul_characters_are_removed_and_reported_with_their_line(read):
    _, rows, problems = read("a,b\n1,a text of some length\n\0x\0,y\nz,\0\n")
    assert rows == [(2, ["1", "a text of some length"]), (3, ["x", "y"]), (4, ["z", ""])]
    assert problems == [
        Problem(ProblemKind.NUL_BYTES, 3, {"count": 2}),
        Problem(ProblemKind.NUL_BYTES, 4, {"count": 1}),
    ]


def test_that_broken_bytes_become_replacement_characters_with_their_line(read):
    data = (
        "文本,b\n很好的酒店住得很舒服下次还会再来的一个地方,2\n".encode() + b"x\xff,y\n\xe4\xbd,z\n"
    )
    _, rows, problems = read(data)
    assert rows[1:] == [(3, ["x\ufffd", "y"]), (4, ["\ufffd", "z"])]
    assert problems == [
        Problem(ProblemKind.UNDECODABLE, 3, {"count": 1}),
        Problem(ProblemKind.UNDECODABLE, 4, {"count": 1}),
    ]


def test_that_a_replacement_character_of_the_file_itself_is_no_problem(read):
    assert read("a\nx\ufffd\n")[1:] == ([(2, ["x\ufffd"])], [])


def test_that_column_names_are_made_usable(read):
    columns, rows, problems = read("name,name,,Answer.x\n1,2,3,4\n")
    assert columns == ["name", "name (2)", "column 3", "source.Answer.x"]
    assert rows == [(2, ["1", "2", "3", "4"])]
    assert [(p.kind, p.line) for p in problems] == [
        (ProblemKind.DUPLICATE_COLUMN, 1),
        (ProblemKind.EMPTY_COLUMN_NAME, 1),
        (ProblemKind.MOVED_COLUMN, 1),
    ]


def test_that_a_quote_that_is_never_closed_is_reported_and_its_text_kept(read):
    _, rows, problems = read('a,b\n1,2\n3,"open\n5,6\n7,8\n')
    assert rows == [(2, ["1", "2"]), (3, ["3", "open\n5,6\n7,8\n"])]
    assert problems == [Problem(ProblemKind.OPEN_QUOTE, 3, {"lines": 3})]


@pytest.mark.parametrize(
    ("text", "cell"), [('a\n1\n"', ""), ('a\n1\n"x', "x"), ('a\n1\n"x""', 'x"')]
)
def test_that_an_open_quote_in_the_very_last_line_is_reported(read, text, cell):
    _, rows, problems = read(text)
    assert rows == [(2, ["1"]), (3, [cell])]
    assert problems == [Problem(ProblemKind.OPEN_QUOTE, 3, {"lines": 1})]


def test_that_a_quote_closed_by_a_far_later_one_is_reported(read):
    lines = ["a,b", '1,"open'] + [f"{n},x" for n in range(2, 32)] + ['32,"closed",', "33,y"]
    _, rows, problems = read("\n".join(lines) + "\n")
    assert rows[0][0] == 2
    assert Problem(ProblemKind.OPEN_QUOTE, 2, {"lines": 32}) in problems
    assert rows[1] == (34, ["33", "y", None])


def test_that_a_long_quoted_text_is_no_open_quote(read):
    poem = "\n".join(["Roses are red", "violets are blue, sugar, and so on"] * 20)
    _, rows, problems = read(f'a,b\n1,"{poem}"\n')
    assert rows == [(2, ["1", poem])]
    assert problems == []


@pytest.mark.parametrize("block", [1, 2, 3, 5, 7, 64])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le", "utf-16", "utf-8-sig"])
def test_that_block_borders_do_not_show(read, monkeypatch, block, encoding):
    monkeypatch.setattr(source, "BLOCK_BYTES", block)
    text = '编号,"正\r\n文"\r\n1,"你\n好😀"\r2,"x\r\ry"\n\r\n'
    columns, rows, problems = read(text.encode(encoding), ReadOptions(encoding, ","))
    assert columns == ["编号", "正\r\n文"]
    assert rows == [(3, ["1", "你\n好😀"]), (5, ["2", "x\r\ry"])]
    assert problems == [Problem(ProblemKind.BLANK_LINE, 8)]


def test_that_broken_bytes_at_block_borders_do_not_harm_their_neighbours(read, monkeypatch):
    monkeypatch.setattr(source, "BLOCK_BYTES", 1)
    data = "a,b\n好".encode() + b"\xe5\xa5" + "好,é\n".encode()
    _, rows, problems = read(data, ReadOptions("utf-8", ","))
    assert rows == [(2, ["好\ufffd好", "é"])]
    assert problems == [Problem(ProblemKind.UNDECODABLE, 2, {"count": 1})]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "评论,标签\n很好,好\n"),
        ("utf-8-sig", "评论,标签\n很好,好\n"),
        ("utf-16", "评论,标签\n很好,好\n"),
        ("utf-16-le", "评论,标签\n很好,好\n"),
        ("utf-16-be", "评论,标签\n很好,好\n"),
        ("utf-32", "评论,标签\n很好,好\n"),
        ("gb18030", "评论,标签\n酒店的位置很好，服务不错,好\n"),
        ("cp1252", "naïveté,übung\ndéjà vu,größer\n"),
        ("cp1251", "отзыв,оценка\nОчень хорошая гостиница,отлично\n"),
    ],
)
def test_that_every_encoding_is_guessed_and_read(read, encoding, text):
    header, row = (line.split(",") for line in text.splitlines())
    assert read(text.encode(encoding)) == (header, [(2, row)], [])


def test_that_format_says_how_the_file_is_read(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes("标签\t正文\n好\t酒店的位置很好\n".encode("gb18030"))
    reader = DelimitedReader(path, ReadOptions())
    assert reader.format == TableFormat("tsv", "gb18030", "\t")
    reader.close()


def test_that_options_overrule_the_guess(read):
    columns, rows, _ = read("a;b,c\n1;2,3\n".encode("utf-16-le"), ReadOptions("utf-16-le", ","))
    assert (columns, rows) == (["a;b", "c"], [(2, ["1;2", "3"])])


def test_that_a_mark_is_no_part_of_the_first_name_even_if_the_encoding_was_told(read):
    assert read(b"\xef\xbb\xbfa,b\n1,2\n", ReadOptions("utf-8"))[0] == ["a", "b"]


def test_that_excels_separator_line_is_no_header(read):
    columns, rows, _ = read("sep=;\r\na;b\r\n1,5;2\r\n")
    assert (columns, rows) == (["a", "b"], [(3, ["1,5", "2"])])


def test_that_progress_goes_from_nothing_to_all(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK_BYTES", 100)
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 99)
    reader = DelimitedReader(path, ReadOptions())
    assert reader.progress() == 0.25
    assert len(list(reader.rows())) == 99
    assert reader.progress() == 1.0


def test_that_a_header_without_rows_is_an_error_of_its_own(read):
    with pytest.raises(TableError, match=r"^t\.csv has column names but no rows"):
        read("a,b\n\n")


@pytest.mark.parametrize("content", ["\n", "  \r\n\r\n", "\ufeff\n"])
def test_that_only_blank_lines_are_an_error(read, content):
    with pytest.raises(TableError, match=r"^t\.csv has nothing but blank lines"):
        read(content)


def test_that_an_open_quote_in_the_header_is_an_error(read):
    with pytest.raises(TableError, match=r"^The quote in line 1 of t\.csv is never closed"):
        read('a,"b\n1,2\n3,4\n')


def test_that_a_cell_without_end_is_an_error_and_not_the_end_of_memory(read, monkeypatch):
    before = csv.field_size_limit()
    monkeypatch.setattr(delimited, "CELL_CHARACTERS_MAX", 1000)
    try:
        with pytest.raises(TableError, match=r"begins in line 3 of t\.csv does not end after 1000"):
            read('a,b\n1,2\n3,"' + "x\n" * 600 + '"\n')
    finally:
        csv.field_size_limit(before)


def test_that_cells_beyond_pythons_own_limit_are_read(read):
    text = "x" * 200_000
    assert read(f"a,b\n{text},2\n")[1] == [(2, [text, "2"])]


def test_that_a_row_of_countless_cells_is_an_error(read):
    with pytest.raises(TableError, match=r"^Line 2 of t\.csv has 20000 cells; at most 10000"):
        read("a,b\n" + "," * 19_999 + "\n")


@pytest.mark.parametrize("separator", ["", "ab", '"', "\n"])
def test_that_an_impossible_separator_is_refused(read, separator):
    options = ReadOptions(separator=separator)
    if not separator:
        assert read("a,b\n1,2\n", options)[0] == ["a", "b"]
        return
    with pytest.raises(TableError, match="cannot separate cells"):
        read("a,b\n1,2\n", options)
