"""A run that masks sends no id of the table, and knows each answer's row all the same."""

import json

import pytest
from tests.unit.session.tables import a_job, a_table

KEYS = ["ann@example.com", "bob@example.com", "Ann Li"]
TABLE = b"id,text\nann@example.com,I love it\nbob@example.com,It broke\nAnn Li,Fine\n"


@pytest.mark.parametrize("masks", [True, False])
async def test_that_a_masking_run_sends_no_ids_and_matches_every_answer(session, tmp_path, masks):
    job = a_job(clean=[{"step": "mask"}] if masks else [])
    run_id = await session.make_run(job, await a_table(session, tmp_path, TABLE))
    await session.start(run_id)
    await session.wait(run_id)
    counts = (await session.summary(run_id)).counts
    assert {state: count for state, count in counts.items() if count} == {"passed": 3}
    bodies = [(await session.attempts(id_))[0].request for id_ in await session.task_ids(run_id)]
    assert all("row_key: " in body for body in bodies)
    found = [key in body for key, body in zip(KEYS, bodies, strict=True)]
    assert found == [not masks] * 3
    await session.export(run_id, tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == KEYS
