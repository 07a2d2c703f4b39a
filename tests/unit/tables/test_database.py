"""Tables of SQLite files are read and written, and nothing in the file is touched."""

import sqlite3
import threading
import time
from typing import Any

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import database as database_module
from batchdesk.tables import list_parts, open_reader, open_writer
from batchdesk.tables.base import Part, ProblemKind, ReadOptions

COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
SILENT = f"CREATE VIEW v AS {COUNTING} SELECT i FROM n WHERE i < 0"


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


def test_that_a_view_that_computes_for_ever_is_given_up_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PATIENCE_S", 0.2)
    path = database(tmp_path / "t.db", SILENT)
    reader = open_reader(path, ReadOptions(table="v"))  # opening runs nothing of the view
    assert reader.columns == ["i"]
    with pytest.raises(TableError, match=r"v in t\.db gave no row for 0 seconds"):
        list(reader.rows())


def test_that_waiting_for_whoever_takes_the_rows_is_not_waiting_for_the_view(tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PATIENCE_S", 0.2)
    limited = f"CREATE VIEW v AS {COUNTING} SELECT i FROM n LIMIT 200000"
    rows = open_reader(database(tmp_path / "t.db", limited), ReadOptions(table="v")).rows()
    next(rows)
    time.sleep(0.3)
    assert sum(1 for _ in rows) == 199_999


def test_that_a_view_that_gives_rows_for_ever_is_given_up_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "VIEW_ROWS_MAX", 1000)
    path = database(tmp_path / "t.db", f"CREATE VIEW v AS {COUNTING} SELECT i FROM n")
    reader = open_reader(path, ReadOptions(table="v"))
    with pytest.raises(TableError, match=r"The view v in t\.db gave 1000 rows and has more"):
        list(reader.rows())
    some = f"CREATE VIEW v AS {COUNTING} SELECT i FROM n LIMIT 1000"
    limited = database(tmp_path / "u.db", some)
    assert len(list(open_reader(limited, ReadOptions(table="v")).rows())) == 1000


def test_that_closing_ends_a_view_that_computes_on_another_thread(tmp_path):
    reader = open_reader(database(tmp_path / "t.db", SILENT), ReadOptions(table="v"))
    told = []

    def read():
        try:
            list(reader.rows())
        except TableError as error:
            told.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.2)
    began = time.monotonic()
    reader.close()
    thread.join(5)
    assert not thread.is_alive()
    assert time.monotonic() - began < 2
    assert len(told) == 1
    reader.close()


def test_that_ctrl_c_during_a_statement_is_not_lost(tmp_path, monkeypatch):
    reader: Any = open_reader(database(tmp_path / "t.db", SILENT), ReadOptions(table="v"))

    def pressed():
        raise KeyboardInterrupt

    times = iter([1.0])  # when the statement begins; the next look is disturbed
    monkeypatch.setattr(reader._watch, "_clock", lambda: next(times, None) or pressed())
    with pytest.raises(KeyboardInterrupt):
        list(reader.rows())


def test_that_names_of_columns_are_those_that_a_query_gives(tmp_path):
    path = database(
        tmp_path / "t.db",
        "CREATE TABLE t (a, b AS (a + 1), c AS (a * 2) STORED)",
        "INSERT INTO t (a) VALUES (1)",
        "CREATE VIRTUAL TABLE f USING fts5(text)",
        "INSERT INTO f VALUES ('hello')",
        "CREATE VIEW v AS SELECT a, a AS A, b FROM t",
    )
    for name, columns, cells in (
        ("t", ["a", "b", "c"], ["1", "2", "2"]),
        ("f", ["text"], ["hello"]),
        ("v", ["a", "A:1", "b"], ["1", "1", "2"]),
    ):
        reader = open_reader(path, ReadOptions(table=name))
        assert reader.columns == columns
        assert list(reader.rows()) == [(1, cells)]


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
