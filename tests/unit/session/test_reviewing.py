"""Reviewing through the session: decisions on disk at once, and rows put back that are answered."""

from __future__ import annotations

from functools import partial

import pytest
from tests.unit.session.tables import a_job, a_table, until

from batchdesk.domain.task import RunState, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import ProjectError
from batchdesk.session import QueueFilter, Session, TaskFilter

# The practice server says positive, which this job does not take: every answer is doubtful.
DOUBTFUL = {"checks": [{"kind": "labels", "field": "label", "allowed": ["negative"]}]}
ROWS = b"id,text\n" + b"".join(b"%d,I love number %d\n" % (n, n) for n in range(1, 5))


async def reviewed_run(session, folder, **changes):
    """A finished run whose four answers wait; returns its id and the tasks."""
    table = await a_table(session, folder, ROWS)
    run_id = await session.make_run(a_job(stage=DOUBTFUL, **changes), table)
    await session.start(run_id)
    assert await session.wait(run_id) is RunState.FINISHED
    queue = list(await session.review.queue(run_id))
    assert len(queue) == 4
    return run_id, queue


async def state_of(session, task_id):
    (view,) = await session.task_page([task_id])
    return view.state


async def test_that_a_decision_is_on_disk_before_its_call_returns(session, tmp_path):
    run_id, queue = await reviewed_run(session, tmp_path)
    await session.review.decide(queue[0], Decision.ACCEPTED, reviewer="Ana", seconds=2.0)
    await session.review.decide(queue[1], Decision.EDITED, answer={"label": "negative"})
    await session.review.decide(queue[2], Decision.REJECTED, note="neither")
    looking = await Session.open(session.path, read_only=True)
    assert list(await looking.review.queue(run_id)) == [queue[3]]
    views = await looking.task_page(queue)
    assert [(view.state, view.decision) for view in views] == [
        (TaskState.ACCEPTED, Decision.ACCEPTED),
        (TaskState.ACCEPTED, Decision.EDITED),
        (TaskState.REJECTED, Decision.REJECTED),
        (TaskState.REVIEW, None),
    ]
    assert views[1].answer == {"label": "negative"}
    assert (await looking.review.history(queue[1]))[0].before == {"label": "positive"}
    assert (await looking.review.history(queue[2]))[0].note == "neither"
    progress = await looking.review.progress(run_id)
    assert (progress.waiting, progress.decided, progress.accepted, progress.rejected) == (
        1,
        3,
        2,
        1,
    )
    assert [count for _, count in await looking.review.reasons(run_id)] == [1]
    await looking.close()


async def test_that_a_row_that_no_longer_waits_and_a_decision_that_is_gone_are_told(
    session, tmp_path
):
    run_id, queue = await reviewed_run(session, tmp_path)
    review_id = await session.review.decide(queue[0], Decision.RERUN)
    with pytest.raises(ProjectError, match="no longer waits for a decision"):
        await session.review.decide(queue[0], Decision.ACCEPTED)
    await session.review.undo(review_id)
    assert (await session.run(run_id)).state is RunState.FINISHED
    assert await session.review.queue(run_id, QueueFilter()) == await session.task_ids(run_id)
    with pytest.raises(ProjectError, match="cannot be undone"):
        await session.review.undo(review_id)


async def test_that_a_row_put_back_is_asked_again_with_the_note_when_the_run_is_resumed(
    session, tmp_path
):
    run_id, queue = await reviewed_run(session, tmp_path)
    review_id = await session.review.decide(queue[0], Decision.RERUN, note="Look at the tone")
    assert (await session.run(run_id)).state is RunState.PAUSED
    attempts_before = len(await session.attempts(queue[0]))
    await session.start(run_id)
    assert await session.wait(run_id) is RunState.FINISHED
    newest, *older = await session.attempts(queue[0])
    assert len(older) >= attempts_before
    assert any("Look at the tone" in one.request for one in (newest, *older))
    assert (await session.run(run_id)).state is RunState.FINISHED
    with pytest.raises(ProjectError, match="cannot be undone"):
        await session.review.undo(review_id)


async def test_that_a_row_put_back_during_the_run_is_answered_before_it_ends(session, tmp_path):
    table = await a_table(session, tmp_path, ROWS)
    job = a_job(
        stage=DOUBTFUL, practice={"latency_s": 0.5}, limits={"concurrency_max": 1, "batch_size": 1}
    )
    run_id = await session.make_run(job, table)
    await session.start(run_id)
    task_id = (await until(partial(session.review.queue, run_id)))[0]
    await session.review.decide(task_id, Decision.RERUN, note="Look at the tone")
    assert session.snapshot(run_id) is not None, "the run had ended before the row was put back"
    assert await session.wait(run_id) is RunState.FINISHED
    assert await state_of(session, task_id) is TaskState.REVIEW
    asked = [one.request for one in await session.attempts(task_id)]
    assert any("Look at the tone" in request for request in asked)
    open_states = frozenset(state for state in TaskState if state.is_open)
    assert not await session.task_ids(run_id, TaskFilter(states=open_states))


async def test_that_an_edited_answer_is_checked_like_one_of_the_model(session):
    job = a_job(stage=DOUBTFUL)
    assert session.review.check(job, {"label": "negative"}) == ()
    (found,) = session.review.check(job, {"label": "positive"})
    assert (found.check, found.path) == ("labels", "label")
    assert session.review.check(job, {})
