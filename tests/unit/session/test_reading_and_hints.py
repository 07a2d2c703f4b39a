"""Pasted tables, the first table of a database, and hints about a prompt with their fixes."""

from __future__ import annotations

import sqlite3

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.clean import MaskStep
from batchdesk.errors import TableError
from batchdesk.session.authoring import Figures, rendered, row_figures
from batchdesk.session.hints import LintCode, hints, mended
from batchdesk.session.reading import first_choice, import_pasted
from batchdesk.tables.base import ReadOptions


async def test_that_pasted_cells_are_a_table_and_leave_no_file(session):
    dataset = await import_pasted(session, text="a\tb\n1\tx, y\n2\t\n")
    assert (dataset.columns, dataset.row_count, dataset.source) == (("a", "b"), 2, "pasted.csv")
    rows = await session.row_page(await session.row_ids(dataset.id))
    assert [row.cells for row in rows] == [{"a": "1", "b": "x, y"}, {"a": "2", "b": ""}]


async def test_that_nothing_pasted_is_no_table(session):
    with pytest.raises(TableError, match="no table on the clipboard"):
        await import_pasted(session, text=" \n")


def test_that_the_first_of_several_tables_is_chosen_unless_one_was(tmp_path):
    path = tmp_path / "d.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE b (x TEXT)")
    assert first_choice(path, ReadOptions()) == ReadOptions()
    connection.execute("CREATE TABLE a (x TEXT)")
    connection.close()
    assert first_choice(path, ReadOptions()) == ReadOptions(table="a")
    assert first_choice(path, ReadOptions(table="b")) == ReadOptions(table="b")


async def test_that_a_rendering_is_masked_as_a_run_would_mask_it(session, tmp_path):
    table = await a_table(session, tmp_path, b"id,text\n1,Call 13812345678 now\n")
    (row,) = await session.row_page(await session.row_ids(table.id))
    job = a_job(clean=(MaskStep(step="mask"),))
    (message,) = await rendered(session, job=job, dataset=table, row=row)
    assert message.content == "Call [PHONE_1] now\n\nrow_key: row-1"
    figures = await row_figures(session, job=job, dataset=table, row=row)
    assert figures.row > 0


async def test_that_a_hint_s_fix_is_a_whole_job_without_the_hint(session, tmp_path):
    table = await a_table(session, tmp_path)
    job = a_job(stage={"system": "Answer briefly."})
    found = await hints(session, job=job, dataset=table)
    vague = next(one for one in found if one.code is LintCode.VAGUE_QUANTITY)
    fixed = mended(job, vague)
    assert fixed.stages[0].system.startswith("Answer briefly.")
    left = await hints(session, job=fixed, dataset=table)
    assert all(one.code is not LintCode.VAGUE_QUANTITY for one in left)


async def test_that_a_long_system_text_is_told_from_the_measured_figures(session, tmp_path):
    table = await a_table(session, tmp_path)
    figures = Figures(fixed=900, row=30, answer=5, off_by=0, amount=None)
    found = await hints(session, job=a_job(), dataset=table, figures=figures, rows=5000)
    told = next(one for one in found if one.code is LintCode.SYSTEM_LONGER)
    assert told.params["system_tokens"] == 900
    assert told.params["rows"] == 5000
    quiet = await hints(session, job=a_job(), dataset=table)
    assert all(one.code is not LintCode.SYSTEM_LONGER for one in quiet)
