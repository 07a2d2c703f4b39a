"""Tables of SQLite files are read and written, and nothing in the file is touched."""

import sqlite3

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import list_parts, open_reader, open_writer
from batchdesk.tables.base import Part, ProblemKind, ReadOptions


def database(path, *statements: str):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_that_the_only_table_is_read_as_text(tmp_path):
    path = database(
        tmp_path / "it's a \U0001f600 file?#.db",
        "CREATE TABLE t (id INTEGER, name TEXT, share REAL, raw BLOB, id2 TEXT)",
        "INSERT INTO t VALUES (1, '00123', 0.5, x'00ff', NULL), (2, 'b', 1e20, 'text', '')",
    )
    before = path.read_bytes()
    reader = open_reader(path)
    assert list(reader.rows()) == [
        (1, ["1", "00123", "0.5", "00ff", None]),
        (2, ["2", "b", "1e+20", "text", ""]),
    ]
    assert reader.columns == ["id", "name", "share", "raw", "id2"]
    assert reader.format.table == "t"
    assert reader.problem_counts == {ProblemKind.BINARY_CELL: 1}
    assert path.read_bytes() == before
    assert [child.name for child in tmp_path.iterdir()] == [path.name]


def test_that_among_several_tables_one_must_be_chosen(tmp_path):
    path = database(
        tmp_path / "t.sqlite",
        'CREATE TABLE "a""b" (x)',
        'INSERT INTO "a""b" VALUES (1)',
        "CREATE TABLE c (x)",
        'CREATE VIEW v AS SELECT x + 1 AS y FROM "a""b"',
    )
    with pytest.raises(TableError, match=r'has several tables: a"b, c\. Say which one to read'):
        open_reader(path)
    assert list_parts(path) == [Part('a"b', "table"), Part("c", "table"), Part("v", "view")]
    assert list(open_reader(path, ReadOptions(table='A"B')).rows()) == [(1, ["1"])]
    assert list(open_reader(path, ReadOptions(table="v")).rows()) == [(1, ["2"])]
    with pytest.raises(TableError, match=r'has no table .d.\. It has: a"b, c, v'):
        open_reader(path, ReadOptions(table="d"))
    with pytest.raises(TableError, match=r"The table c in t\.sqlite has no rows"):
        list(open_reader(path, ReadOptions(table="c")).rows())


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00" + b"\xff" * 500, b"not one" * 99])
def test_that_a_file_that_is_no_database_is_told(tmp_path, content):
    path = tmp_path / "t.db"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"t\.db (cannot be read as a SQLite|has no table)"):
        open_reader(path)


def test_that_written_values_keep_their_types(tmp_path):
    path = tmp_path / "t.sqlite"
    with open_writer(path, ["text", "whole", "share", "yes", "many", "Text"]) as writer:
        writer.write([{"text": "007", "whole": 7, "share": 0.5, "yes": True, "many": [1, "a"]}])
        writer.write([{"whole": 2**70}])
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT *, typeof(text), typeof(whole) FROM rows").fetchall()
    connection.close()
    assert rows == [
        ("007", 7, 0.5, 1, '[1,"a"]', None, "text", "integer"),
        (None, "1180591620717411303424", None, None, None, None, "null", "text"),
    ]
    reader = open_reader(path)
    assert reader.columns == ["text", "whole", "share", "yes", "many", "Text (2)"]
    reader.close()


def test_that_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.sqlite"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="unannounced"), open_writer(path, ["a"]) as writer:
        writer.write([{"b": 1}])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_that_more_columns_than_a_database_takes_are_told(tmp_path):
    with (
        pytest.raises(TableError, match="too many columns"),
        open_writer(tmp_path / "t.sqlite", [f"c{number}" for number in range(5000)]),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
