"""Previews, pilots and their promises, on the practice server."""

from __future__ import annotations

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.errors import ProjectError, UserError
from batchdesk.session.gates import Gate, GateState
from batchdesk.session.sampling import Choice, How

WORDS = ("love", "broke", "fine", "bad", "good", "poor", "nice", "hate")
TABLE = "id,text,label\n" + "".join(
    f"{n},I think it is {WORDS[n % 8]} {'really ' * (n % 5)}number {n},"
    f"{'positive' if n % 2 else 'negative'}\n"
    for n in range(1, 101)
)


async def run_all(session, *run_ids):
    for run_id in run_ids:
        await session.start(run_id)
    return [await session.wait(run_id) for run_id in run_ids]


async def previewed(session, table, job, choice=Choice()):  # noqa: B008 - frozen
    made = await session.make_preview(job, table, choice)
    assert await run_all(session, made.first_run_id, made.second_run_id) == [RunState.FINISHED] * 2
    return await session.preview(made.id)


async def keys(session, run_id):
    page = await session.task_page(await session.task_ids(run_id))
    return [int(view.row_key) for view in page]


async def test_that_twenty_rows_are_run_twice_and_pass_the_gates(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    job = a_job(data={"label": "label"}, stage={"echo_key": True, "temperature": 1})
    found = await previewed(session, table, job)
    assert await keys(session, found.first_run_id) == list(range(1, 21))
    assert await keys(session, found.second_run_id) == list(range(1, 21))
    run = await session.run(found.second_run_id)
    assert run.kind is RunKind.PREVIEW
    assert found.is_finished
    assert found.gates.format == Gate(GateState.PASSED, 40, 40)
    assert found.gates.stable == Gate(GateState.PASSED, 20, 20)
    assert found.gates.matched == Gate(GateState.PASSED, 40, 40)
    assert found.gates.unanswered == 0
    assert found.evaluation.answered.of == 20
    assert (found.work.rows, found.work.too_long) == (100, 0)
    assert found.forecast.rows == 100
    assert found.forecast.micros.high == 0  # the practice server costs nothing


async def test_that_a_preview_stands_before_it_has_begun(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    made = await session.make_preview(a_job(), table)
    found = await session.preview(made.id)
    assert (found.is_finished, found.forecast) == (False, None)
    assert found.gates.format == Gate(GateState.OPEN)
    with pytest.raises(ProjectError, match="no preview 9"):
        await session.preview(9)


async def test_that_the_longest_rows_or_each_kind_of_row_can_be_chosen(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    longest = await session.make_preview(a_job(), table, Choice(How.LONGEST, count=10))
    assert all(n % 5 == 4 for n in await keys(session, longest.first_run_id))
    each = await session.make_preview(a_job(), table, Choice(How.STRATIFIED, 10, "label", seed=3))
    chosen = await keys(session, each.first_run_id)
    assert sorted(n % 2 for n in chosen) == [0] * 5 + [1] * 5
    with pytest.raises(UserError, match="no column 'labels'"):
        await session.make_preview(a_job(), table, Choice(How.STRATIFIED, 10, "labels"))


async def test_that_faulty_answers_are_counted_by_the_gates(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    practice = {"faults": {"malformed": 0.5}, "seed": 4}
    found = await previewed(session, table, a_job(practice=practice, stage={"temperature": 1}))
    assert found.gates.format.state is GateState.FAILED
    assert found.gates.format.right < found.gates.format.of == 40
    assert found.gates.matched.state in (GateState.NOT_ASKED, GateState.PASSED)


async def test_that_a_full_run_is_held_against_what_the_preview_promised(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    await previewed(session, table, a_job())
    run_id = await session.make_run(a_job(), table)
    promised = (await session.run(run_id)).forecast
    assert (promised["rows"], promised["reused"]) == (80, 20)
    before = await session.forecast_against_truth(run_id)
    assert {one.is_kept for one in before} == {None}
    await run_all(session, run_id)
    kept = {one.name: one for one in await session.forecast_against_truth(run_id)}
    assert kept["requests"].truth == 80
    assert {"requests", "input_tokens", "output_tokens", "seconds", "micros"} == set(kept)
    assert all(one.is_kept for one in kept.values()), kept
    other = await session.make_run(a_job(name="another"), table)
    assert await session.forecast_against_truth(other) == []


async def test_that_rows_answered_since_the_promise_explain_why_a_run_took_less(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    await previewed(session, table, a_job())
    first, second = [await session.make_run(a_job(), table) for _ in "ab"]
    await run_all(session, first)
    await run_all(session, second)
    kept = {one.name: one for one in await session.forecast_against_truth(second)}
    assert (kept["requests"].truth, kept["requests"].is_kept, kept["requests"].spared) == (
        0, False, 80,
    )  # fmt: skip


async def test_that_a_pilot_sends_a_tenth_and_its_release_the_rest(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    job = a_job(stage={"temperature": 1})
    await previewed(session, table, job)
    pilot_id = await session.make_pilot(job, table, seed=2)
    pilot_keys = await keys(session, pilot_id)
    assert len(pilot_keys) == 10
    assert pilot_keys != list(range(1, 11))
    with pytest.raises(ProjectError, match="has not finished"):
        await session.release_pilot(pilot_id)
    await run_all(session, pilot_id)
    assert all(one.is_kept for one in await session.forecast_against_truth(pilot_id))
    compared = {one.name: one for one in await session.pilot_against_preview(pilot_id)}
    assert (compared["format"].preview.value, compared["format"].pilot.value) == (1.0, 1.0)
    assert compared["accuracy"].pilot is None
    assert not compared["format"].differs
    rest_id = await session.release_pilot(pilot_id)
    rest = await session.run(rest_id)
    assert (rest.kind, rest.pilot_run_id) == (RunKind.FULL, pilot_id)
    counts = (await session.summary(rest_id)).counts
    assert counts == {TaskState.PENDING: 90, TaskState.SKIPPED: 10}
    assert rest.forecast["rows"] == 90
    await run_all(session, rest_id)
    assert (await session.summary(rest_id)).requests == 90
    target = tmp_path / "out.jsonl"
    assert await session.export(rest_id, target) == 100
    assert target.read_text("utf-8").count('"answer.label":"') == 100
    with pytest.raises(ProjectError, match="not a pilot"):
        await session.release_pilot(rest_id)


async def test_that_a_table_of_which_nothing_is_sent_has_no_preview(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    job = a_job(data={"where": "false"})
    with pytest.raises(UserError, match="sends no row"):
        await session.make_preview(job, table)
    with pytest.raises(UserError, match="sends no row"):
        await session.make_pilot(job, table)
    assert await session.runs() == []


async def test_that_a_promise_counts_what_was_answered_since(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    found = await previewed(session, table, a_job())
    assert (found.forecast.rows, found.forecast.reused) == (80, 20)
    pilot_id = await session.make_pilot(a_job(), table)  # 10 rows, by chance
    await run_all(session, pilot_id)
    known = set(await keys(session, found.first_run_id)) | set(await keys(session, pilot_id))
    promised = await session.refresh_promise(found.id)
    assert (promised.rows, promised.reused) == (100 - len(known), len(known))
    assert len(known) > 20
    assert (await session.preview(found.id)).forecast == promised
    run_id = await session.make_run(a_job(), table)
    await run_all(session, run_id)
    kept = {one.name: one for one in await session.forecast_against_truth(run_id)}
    assert kept["requests"].truth == 100 - len(known)
    assert kept["requests"].is_kept


async def test_that_a_preview_that_has_not_ended_promises_nothing_anew(session, tmp_path):
    table = await a_table(session, tmp_path, TABLE.encode())
    made = await session.make_preview(a_job(), table)
    assert await session.refresh_promise(made.id) is None
