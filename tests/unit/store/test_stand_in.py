"""The file of an older program is read as if it had every migration, and stays as it is."""

import contextlib
import sqlite3

import pytest

from batchdesk.store.schema import STEPS
from batchdesk.store.stand_in import stand_in


def file_of_version(path, version):
    """A project file as a program left it that knew so many migrations."""
    connection = sqlite3.connect(path)
    for _, statements in STEPS[:version]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    return connection


def columns_of(connection, tables):
    return {
        table: {info[0] for info in connection.execute(f"SELECT * FROM {table}").description}
        for table in tables
    }


def tables_in(connection):
    """Names of the tables of the file itself."""
    found = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
    return {name for (name,) in found if not name.startswith("sqlite_")}


@pytest.mark.parametrize("version", range(1, len(STEPS) + 1))
def test_that_every_table_and_column_of_today_can_be_read_of_every_older_file(tmp_path, version):
    with contextlib.closing(file_of_version(tmp_path / "new", len(STEPS))) as new:
        expected = columns_of(new, tables_in(new))
    assert {"run", "task", "dataset", "review", "cleaned", "agreed"} <= set(expected)
    file_of_version(tmp_path / "old", version).close()
    before = (tmp_path / "old").read_bytes()
    old = sqlite3.connect(f"file:{tmp_path / 'old'}?mode=ro", uri=True)
    with contextlib.closing(old):
        stand_in(old)
        assert columns_of(old, expected) == expected
    assert (tmp_path / "old").read_bytes() == before
