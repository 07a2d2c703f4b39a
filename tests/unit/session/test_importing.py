"""An import is whole or not there, and the same content is imported once."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.session.tables import REVIEWS, a_job, a_table

from batchdesk.errors import ProjectError, TableError
from batchdesk.session import ReadOptions, importing
from batchdesk.tables.keys import KeyAssigner

LONG = b"id,text\n" + b"".join(b"%d,text %d\n" % (n, n) for n in range(1, 9001))


async def test_that_a_table_comes_in_with_its_keys_rows_and_format(session, tmp_path):
    table = await a_table(session, tmp_path)
    assert (table.name, table.source, table.columns) == (
        *("reviews", "reviews.csv"),
        ("id", "text", "label"),
    )
    assert (table.row_count, table.key_column, table.format["name"]) == (4, "id", "csv")
    rows = await session.row_page(await session.row_ids(table.id))
    assert [(row.number, row.key, row.cells["text"]) for row in rows] == [
        (1, "1", "I love it"),
        (2, "2", "It broke at once"),
        (3, "3", " "),
        (4, "4", "Fine"),
    ]


async def test_that_an_import_of_a_view_that_never_ends_can_be_called_off(session, tmp_path):
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute(
        "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i FROM n WHERE i < 0"
    )
    connection.close()
    options = ReadOptions(table="v")
    importing_it = asyncio.create_task(session.import_table(tmp_path / "t.db", options=options))
    await asyncio.sleep(0.3)
    began = time.monotonic()
    importing_it.cancel()
    with pytest.raises(asyncio.CancelledError):
        await importing_it
    while any(frame.f_code.co_name == "_values" for frame in sys._current_frames().values()):
        await asyncio.sleep(0.01)  # the thread that reads ends as well
    assert time.monotonic() - began < 5
    assert await session.datasets() == []


async def test_that_the_same_content_is_found_again_under_another_name(session, tmp_path):
    table = await a_table(session, tmp_path)
    (tmp_path / "copy.csv").write_bytes(REVIEWS)
    again = await session.import_table(tmp_path / "copy.csv", key_column="id")
    assert again == replace(table, path=str(tmp_path / "copy.csv"))
    assert await session.datasets() == [again]


async def test_that_other_content_key_or_options_make_another_dataset(session, tmp_path):
    first = await a_table(session, tmp_path)
    by_text = await a_table(session, tmp_path, key_column="text")
    by_number = await a_table(session, tmp_path, key_column=None)
    told = await session.import_table(
        tmp_path / "reviews.csv", key_column="id", options=ReadOptions(encoding="latin-1")
    )
    changed = await a_table(session, tmp_path, REVIEWS + b"5,Good,positive\n")
    ids = [table.id for table in (first, by_text, by_number, told, changed)]
    assert len(set(ids)) == 5
    assert [table.id for table in await session.datasets()] == ids[::-1]
    rows = await session.row_page(await session.row_ids(by_number.id))
    assert [row.key for row in rows] == ["1", "2", "3", "4"]


async def test_that_a_cancelled_import_leaves_nothing(session, tmp_path):
    shares: list[float] = []

    def cancel_at_the_second_chunk(share):
        shares.append(share)
        if len(shares) == 2:
            importing_task.cancel()

    (tmp_path / "long.csv").write_bytes(LONG)
    importing_task = asyncio.create_task(
        session.import_table(tmp_path / "long.csv", on_progress=cancel_at_the_second_chunk)
    )
    with pytest.raises(asyncio.CancelledError):
        await importing_task
    assert len(shares) == 2
    assert await session.datasets() == []
    await session._project.cleaned()

    def left(connection):
        return [
            connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for name in ("dataset", "row", "dataset_problem")
        ]

    assert await session._project.read(left) == [0, 0, 0]
    table = await session.import_table(tmp_path / "long.csv")
    assert table.row_count == 9000


async def test_that_where_a_table_was_read_from_and_how_is_kept(session, tmp_path):
    table = await a_table(session, tmp_path)
    assert table.path == str(tmp_path / "reviews.csv")
    assert importing.told_options(table) == ReadOptions()
    options = ReadOptions(encoding="latin-1", separator=",")
    told = await session.import_table(tmp_path / "reviews.csv", options=options)
    assert importing.told_options(told) == options
    later = replace(told, told={**told.told, "of a later program": 1})
    assert importing.told_options(later) == options
    assert await session.datasets() == [told, table]


async def test_that_any_other_option_makes_another_dataset(session, tmp_path):
    table = await a_table(session, tmp_path)
    path = tmp_path / "reviews.csv"
    headed = await session.import_table(path, key_column="id", options=ReadOptions(header_row=1))
    assert headed.id != table.id
    assert importing.is_source_of(path, headed)
    assert importing.is_source_of(path, replace(table, told={}))  # of an older program
    path.write_bytes(REVIEWS + b"5,Good,positive\n")
    assert not importing.is_source_of(path, headed)


async def test_that_a_table_is_removed_unless_a_run_was_made_over_it(session, tmp_path):
    used = await a_table(session, tmp_path)
    other = await a_table(session, tmp_path, key_column=None)
    await session.make_run(a_job(), used)
    with pytest.raises(ProjectError, match="so it stays"):
        await session.remove_dataset(used.id)
    await session.remove_dataset(other.id)
    assert await session.datasets() == [used]
    await session._project.cleaned()
    count = await session._project.read(
        lambda connection: connection.execute("SELECT count(*) FROM row").fetchone()
    )
    assert count == (4,)


async def test_that_progress_rises_to_the_whole(session, tmp_path):
    shares: list[float] = []
    (tmp_path / "long.csv").write_bytes(LONG)
    await session.import_table(tmp_path / "long.csv", on_progress=shares.append)
    assert len(shares) == 2  # some 5000 rows at a time
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


async def test_that_a_wrong_key_column_is_told_with_the_nearest(session, tmp_path):
    with pytest.raises(TableError) as caught:
        await a_table(session, tmp_path, key_column="idd")
    assert str(caught.value) == (
        "reviews.csv has no column 'idd' to take the keys from. Did you mean 'id'?"
    )
    with pytest.raises(TableError, match=r"It has: id, text, label\."):
        await a_table(session, tmp_path, key_column="zzzz")


async def test_that_problems_of_keys_and_rows_stand_together_in_the_order_of_lines(
    session, tmp_path
):
    content = b"id,text\n7,a\n7,b\n8\n,d\n"
    table = await a_table(session, tmp_path, content)
    assert table.problem_counts == {"ragged_short": 1, "duplicate_key": 1, "empty_key": 1}
    found = await session.problems(table.id)
    assert [(kind, line) for kind, line, _ in found] == [
        ("duplicate_key", 3),
        ("ragged_short", 4),
        ("empty_key", 5),
    ]
    assert all(isinstance(json.loads(detail), dict) for _, _, detail in found)
    keys = [row.key for row in await session.row_page(await session.row_ids(table.id))]
    assert len(set(keys)) == 4


async def test_that_a_file_that_breaks_off_leaves_nothing(session, tmp_path, monkeypatch):
    def breaks(*_):
        raise TableError("The disk is gone.")

    monkeypatch.setattr(importing, "RowJson", breaks)
    with pytest.raises(TableError, match="The disk is gone"):
        await a_table(session, tmp_path)
    assert await session.datasets() == []


async def test_that_the_same_bytes_under_another_suffix_are_read_as_that_format(session, tmp_path):
    read = {}
    for name in ("t.csv", "t.tsv"):
        (tmp_path / name).write_bytes(b"a,b\tc\n1,2\t3\n")
        read[name] = (await session.import_table(tmp_path / name)).columns
    assert read == {"t.csv": ("a", "b\tc"), "t.tsv": ("a,b", "c")}


async def test_that_a_table_whose_name_is_no_text_is_imported(session, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    try:
        path.write_bytes(b"a\n1\n")
    except OSError:
        pytest.skip("this file system takes names of text only")
    assert (await session.import_table(path)).source == "caf?.csv"


class LongTexts:
    """A reader of rows with two million characters each, which notes how far it was read."""

    path, columns = Path("long.csv"), ["text"]

    def __init__(self):
        self.read = 0

    def rows(self):
        for line in range(2, 22):
            self.read += 1
            yield line, ["x" * 2_000_000]


def test_that_of_long_texts_few_rows_are_held_at_once():
    reader: Any = LongTexts()
    sizes = [
        len(chunk)
        for chunk in importing.read_chunks(reader, None, KeyAssigner(has_key_column=False))
    ]
    assert sizes == [8, 4, 4, 4]  # 8 million characters of JSON make a chunk; two rows are 4
