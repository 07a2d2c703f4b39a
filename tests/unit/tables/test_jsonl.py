"""JSONL in: text cells without loss. JSONL out: values with their types."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.errors import TableError
from batchdesk.tables import source
from batchdesk.tables.base import Problem, ProblemKind, ReadOptions, TableFormat
from batchdesk.tables.jsonl import JsonlReader, JsonlWriter


@pytest.fixture
def read(tmp_path):
    """Reads bytes or text as JSONL: columns, rows with lines, problems."""

    def read(content, options=None):
        path = tmp_path / "t.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        reader = JsonlReader(path, options or ReadOptions())
        rows = list(reader.rows())
        return reader.columns, rows, reader.problems

    return read


def test_that_numbers_keep_the_digits_of_the_file(read):
    _, rows, _ = read(
        '{"a": 1.10, "b": 12345678901234567890123, "c": 1E400, "d": -0, "e": NaN, "f": [1.0, {"x": 1e5}]}\n'
    )
    assert rows == [
        (1, ["1.10", "12345678901234567890123", "1E400", "-0", "NaN", '[1.0,{"x":1e5}]'])
    ]


def test_that_every_kind_of_value_becomes_text(read):
    columns, rows, problems = read(
        '{"t": true, "f": false, "n": null, "s": "00123", "e": "", "o": {"好": [1, "é\\n", null]}, "l": []}'
    )
    assert columns == ["t", "f", "n", "s", "e", "o", "l"]
    assert rows == [(1, ["true", "false", None, "00123", "", '{"好":[1,"é\\n",null]}', "[]"])]
    assert problems == []


def test_that_columns_are_appended_in_order_of_first_appearance(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a":"1"}\n{"c":"2","b":"3"}\n{"b":"4","a":"5"}\n{}\n')
    reader = JsonlReader(path, ReadOptions())
    assert reader.columns == ["a"]
    assert reader.format == TableFormat("jsonl", "utf-8")
    assert list(reader.rows()) == [
        (1, ["1"]),
        (2, [None, "2", "3"]),
        (3, ["5", None, "4"]),
        (4, [None, None, None]),
    ]
    assert reader.columns == ["a", "c", "b"]
    assert reader.progress() == 1.0


def test_that_bad_lines_are_reported_and_the_rest_is_read(read):
    columns, rows, problems = read('\n[1]\n{"a":\n{"a":"1"}\n"text"\n  \n{"a":"2"} x\n{"a":"3"}\n')
    assert columns == ["a"]
    assert rows == [(4, ["1"]), (8, ["3"])]
    assert [(p.kind, p.line) for p in problems] == [
        (ProblemKind.BLANK_LINE, 1),
        (ProblemKind.NOT_AN_OBJECT, 2),
        (ProblemKind.INVALID_JSON, 3),
        (ProblemKind.NOT_AN_OBJECT, 5),
        (ProblemKind.BLANK_LINE, 6),
        (ProblemKind.INVALID_JSON, 7),
    ]


def test_that_a_line_nested_without_end_is_reported(read):
    _, rows, problems = read('{"a":"1"}\n{"a":' + "[" * 50_000 + "]" * 50_000 + "}\n")
    assert rows == [(1, ["1"])]
    assert problems == [Problem(ProblemKind.NESTED_TOO_DEEPLY, 2, {"limit": 200})]


def test_that_a_key_named_twice_loses_no_value(read):
    columns, rows, problems = read('{"a":"1","a":"2","o":{"x":1,"x":2}}\n')
    assert columns == ["a", "a (2)", "o"]
    assert rows == [(1, ["1", "2", '{"x":1,"x":2}'])]
    assert problems == [Problem(ProblemKind.DUPLICATE_COLUMN, 1, {"name": "a", "column": "a (2)"})]


def test_that_names_are_made_usable(read):
    columns, rows, problems = read('{"answer.x":"1","":"2"}\n{"":"3","answer.x":"4"}\n')
    assert columns == ["source.answer.x", "column 2"]
    assert rows == [(1, ["1", "2"]), (2, ["4", "3"])]
    assert [p.kind for p in problems] == [ProblemKind.MOVED_COLUMN, ProblemKind.EMPTY_COLUMN_NAME]


def test_that_escaped_nuls_and_surrogate_halves_are_mended_and_reported(read):
    columns, rows, problems = read(
        '{"a":"x\\u0000y","b":"\\ud800","c\\udc00":"\\ud83d\\ude00\\u597d","d":["\\udfff"]}\n'
    )
    assert columns == ["a", "b", "c\ufffd", "d"]
    assert rows == [(1, ["xy", "\ufffd", "😀好", '["\ufffd"]'])]
    assert sorted((p.kind, p.line) for p in problems) == [
        (ProblemKind.NUL_BYTES, 1),
        (ProblemKind.UNDECODABLE, 1),
        (ProblemKind.UNDECODABLE, 1),
        (ProblemKind.UNDECODABLE, 1),
    ]


def test_that_raw_tabs_and_line_separators_inside_strings_are_text(read):
    assert read('{"a":"x\ty\u2028z"}\n')[1] == [(1, ["x\ty\u2028z"])]


@pytest.mark.parametrize("block", [1, 3, 262_144])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_encodings_and_line_ends_are_read(read, monkeypatch, block, encoding, end):
    monkeypatch.setattr(source, "BLOCK_BYTES", block)
    text = '{"评论":"很好😀"}' + end + '{"评论":"差"}'
    columns, rows, problems = read(text.encode(encoding))
    assert (columns, rows, problems) == (["评论"], [(1, ["很好😀"]), (2, ["差"])], [])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("\n \n", r"^t\.jsonl has nothing but blank lines"),
        ('[{"a":1},\n{"a":2}]', r"^t\.jsonl is one JSON list, not JSONL"),
        ("a,b\n1,2\n", r"^No line of t\.jsonl is a JSON object"),
    ],
)
def test_that_a_file_without_an_object_is_an_error(read, content, sentence):
    with pytest.raises(TableError, match=sentence):
        read(content)


def test_that_ever_new_keys_are_an_error_and_not_the_end_of_memory(read):
    keys = ",".join(f'"k{number}":1' for number in range(10_000))
    assert len(read("{" + keys + "}\n")[0]) == 10_000
    with pytest.raises(TableError, match=r"^t\.jsonl has more than 10000 different keys by line 2"):
        read("{" + keys + '}\n{"more":1}\n')


def test_that_the_writer_keeps_types_and_escapes_nothing_needless(tmp_path):
    path = tmp_path / "t.jsonl"
    with JsonlWriter(path, ["a", "b", "c"]) as writer:
        writer.write([{"c": [1, {"x": None}], "a": "=1+1 好/\u2028"}, {"a": True, "b": -1.5}])
        writer.write([{"a": 'q"\n', "b": float("nan"), "c": "\ud800"}])
    expected = (
        '{"a":"=1+1 好/\u2028","b":null,"c":[1,{"x":null}]}\n'
        '{"a":true,"b":-1.5,"c":null}\n'
        '{"a":"q\\"\\n","b":null,"c":"\\ud800"}\n'
    )
    assert path.read_bytes() == expected.encode()


def test_that_an_unannounced_column_is_a_bug_and_leaves_no_file(tmp_path):
    def fail() -> None:
        with JsonlWriter(tmp_path / "t.jsonl", ["a"]) as writer:
            writer.write([{"b": 1}])

    with pytest.raises(ValueError, match=r"unannounced columns: \['b'\]"):
        fail()
    assert list(tmp_path.iterdir()) == []


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NAMES = st.lists(
    TEXTS.filter(
        lambda name: name.strip() and not name.casefold().startswith(("answer.", "batchdesk."))
    ),
    min_size=1,
    max_size=4,
    unique=True,
)


@st.composite
def tables(draw):
    names = draw(NAMES)
    row = st.lists(st.none() | TEXTS, min_size=len(names), max_size=len(names))
    return names, draw(st.lists(row, min_size=1, max_size=6))


@given(tables())
def test_that_any_table_of_texts_is_read_back_as_it_was_written(table):
    names, rows = table
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        with JsonlWriter(path, names) as writer:
            writer.write([dict(zip(names, row, strict=True)) for row in rows])
        reader = JsonlReader(path, ReadOptions(encoding="utf-8"))
        assert [row for _, row in reader.rows()] == rows
        assert reader.columns == names
        assert reader.problems == []


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON_VALUES, max_size=3) | st.dictionaries(TEXTS, JSON_VALUES, max_size=3))
def test_that_a_nested_value_survives_as_text(value):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        with JsonlWriter(path, ["v"]) as writer:
            writer.write([{"v": value}])
        ((_, [cell]),) = JsonlReader(path, ReadOptions(encoding="utf-8")).rows()
        assert cell is not None
        assert json.loads(cell) == value
