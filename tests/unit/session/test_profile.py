from __future__ import annotations

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.errors import JobFileError


async def test_that_a_table_is_told_in_figures(session, tmp_path):
    content = b"id,text\n1,good\n2,good\n3,\n4," + b"word " * 400 + b"\n"
    table = await a_table(session, tmp_path, content)
    heard: list[float] = []
    found = await session.profile(table.id, on_progress=heard.append)
    text = found.figures.columns[1]
    assert (found.figures.rows, text.blanks, text.distinct) == (4, 1, 2)
    assert text.common[0] == ("good", 2)
    assert (found.room, found.instructions, heard) == (None, 0, [1.0])


async def test_that_a_job_tells_the_window_and_the_lane(session, tmp_path):
    content = b"id,text\n1,good\n2,fine\n3,bad\n4," + b"word " * 400 + b"\n"
    table = await a_table(session, tmp_path, content)
    job = a_job(clean=[{"step": "length", "window": 500, "reserve": 200}])
    found = await session.profile(table.id, job)
    assert found.instructions > 0
    assert found.room == 300 - found.instructions
    assert found.figures.tokens.over == 1
    row_id, tokens = found.figures.tokens.longest[0]
    assert (await session.row_page([row_id]))[0].key == "4"
    assert tokens > found.slow_from > 4
    with pytest.raises(JobFileError):
        await session.profile(table.id, a_job(stage={"user": "{{ texts }}"}))


async def test_that_an_unknown_window_is_none(session, tmp_path):
    found = await session.profile((await a_table(session, tmp_path)).id, a_job())
    assert found.room is None
    assert found.off_by > 0


async def test_that_columns_of_few_values_are_found(session, tmp_path):
    lines = "".join(f"{n},{n % 3 or ''},{n % 5},same\n" for n in range(30))
    table = await a_table(session, tmp_path, f"id,kind,five,one\n{lines}".encode())
    assert await session.few_values(table.id, 4) == {"kind": 3}  # a blank one among them
    assert await session.few_values(table.id, 5) == {"kind": 3, "five": 5}
