from __future__ import annotations

import sqlite3

import pytest
from tests.unit.store.files import add_table, in_memory

from batchdesk.store import rows


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


def test_that_a_dataset_counts_only_once_its_import_is_whole(connection):
    half = rows.begin_dataset(connection, name="t", source="t.csv", key_column="id")
    rows.add_rows(connection, half, [(1, "a", '{"id": "a"}')])
    assert rows.dataset(connection, half) is None
    assert rows.datasets(connection) == []
    assert rows.same_dataset(connection, "", "id") is None
    rows.finish_dataset(
        connection, half, table_format={"kind": "csv", "separator": ";"}, columns=["id", "名前"],
        content_hash="h", row_count=1,
        problems=[("short_row", 3, {"cells": 1}), ("bad_bytes", None, {"text": "é"})],
        problem_counts={"short_row": 1, "bad_bytes": 1},
    )  # fmt: skip
    found = rows.dataset(connection, half)
    assert found is not None
    assert (found.name, found.source, found.key_column) == ("t", "t.csv", "id")
    assert found.columns == ("id", "名前")
    assert found.format == {"kind": "csv", "separator": ";"}
    assert (found.content_hash, found.row_count) == ("h", 1)
    assert found.problem_counts == {"short_row": 1, "bad_bytes": 1}
    assert rows.problems(connection, half) == [
        ("short_row", 3, '{"cells": 1}'),
        ("bad_bytes", None, '{"text": "é"}'),
    ]


def test_that_many_rows_added_at_once_are_kept_in_their_order(connection):
    table = rows.begin_dataset(connection, name="t", source="t.csv", key_column="id")
    rows.add_rows(connection, table, [(n, f"k{n}", f'{{"id": "k{n}"}}') for n in range(1, 702)])
    rows.add_rows(connection, table, [])
    found = rows.rows_after(connection, table, 0, 1000)
    assert [(row.number, row.key) for row in found] == [(n, f"k{n}") for n in range(1, 702)]
    assert found[700].cells == {"id": "k701"}


def test_that_cells_given_as_bytes_are_stored_as_text(connection):
    table = rows.begin_dataset(connection, name="t", source="t.csv", key_column=None)
    rows.add_rows(connection, table, [(1, "1", '{"a":"é😀"}'.encode()), (2, "2", '{"a":"b"}')])
    kinds = connection.execute("SELECT typeof(cells), cells FROM row ORDER BY id").fetchall()
    assert kinds == [("text", '{"a":"é😀"}'), ("text", '{"a":"b"}')]


def test_that_the_same_content_is_found_by_hash_and_key_column_the_latest_first(connection):
    add_table(connection, [{"text": "a"}])
    second = add_table(connection, [{"text": "a"}])
    found = rows.same_dataset(connection, "hash", "id")
    assert found is not None
    assert found.id == second
    assert rows.same_dataset(connection, "hash", None) is None  # other keys: another dataset
    assert rows.same_dataset(connection, "other", "id") is None


def test_that_an_abandoned_dataset_is_gone_at_once_and_its_rows_go_step_by_step(connection):
    dropped = add_table(connection, [{"text": "a"}, {"text": "b"}])
    kept = add_table(connection, [{"text": "c"}])
    connection.execute(
        "INSERT INTO dataset_problem (dataset_id, kind, detail) VALUES (?, 'x', '{}')", (dropped,)
    )
    assert not rows.has_abandoned(connection)
    rows.abandon_dataset(connection, dropped)
    assert rows.dataset(connection, dropped) is None
    assert [table.id for table in rows.datasets(connection)] == [kept]
    assert rows.has_abandoned(connection)
    assert [rows.clear_abandoned(connection, 1) for _ in range(4)] == [True, True, False, False]
    assert [row.key for row in rows.rows_after(connection, kept, 0, 9)] == ["k1"]
    for table, count in (("row", 1), ("dataset", 1), ("dataset_problem", 0)):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (count,)


def test_that_rows_come_in_pages_in_the_order_of_the_table(connection):
    table = add_table(connection, [{"text": str(n)} for n in range(5)])
    add_table(connection, [{"text": "of another table"}])
    first = rows.rows_after(connection, table, 0, 2)
    assert [(row.number, row.key, row.cells) for row in first] == [
        (1, "k1", {"text": "0"}),
        (2, "k2", {"text": "1"}),
    ]
    rest = rows.rows_after(connection, table, first[-1].id, 100)
    assert [row.key for row in rest] == ["k3", "k4", "k5"]
    assert rows.rows_after(connection, table, rest[-1].id, 100) == []


def test_that_rows_are_found_by_id_in_the_order_asked_for(connection):
    table = add_table(connection, [{"text": str(n)} for n in range(4)])
    ids = rows.row_ids(connection, table)
    assert list(ids) == [1, 2, 3, 4]
    assert [row.key for row in rows.row_page(connection, [4, 99, 1])] == ["k4", "k1"]
    assert rows.row_page(connection, []) == []


def test_that_a_key_occurs_once_per_table(connection):
    table = add_table(connection, [{"text": "a"}])
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        rows.add_rows(connection, table, [(2, "k1", "{}")])
    add_table(connection, [{"text": "a"}])  # in another table it may
