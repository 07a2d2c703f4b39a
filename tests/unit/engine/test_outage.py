from __future__ import annotations

import pytest
from tests.unit.engine.bench import Bench, texts

from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.engine.outage import OUTAGE_KINDS, Outages
from batchdesk.store import amnesty, tasks
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

DOWN = ErrorKind.SERVER_ERROR


def an_attempt(task_id, number, kind, *, counted=True):
    return Attempt(
        task_id, number, 1, "trace", "key", 0.0, 0.0, 0.1, None, kind, None, None, counted,
        None, None, None, None, None, None,
    )  # fmt: skip


def an_outcome(task_id, number, tries, kind=DOWN, state=TaskState.WAITING, *, counted=True):
    attempt = an_attempt(task_id, number, kind, counted=counted)
    return TaskOutcome(task_id, state, 0.0, attempt, tries=tries, error_kind=kind, due_at=0.0)


def a_task(task_id, tries):
    return ClaimedTask(task_id, task_id, "key", {}, tries, tries, 0, DOWN, "", 0.0)


def good(task_id):
    return an_outcome(task_id, 1, 1, None, TaskState.PASSED)


@pytest.mark.parametrize("kind", sorted(OUTAGE_KINDS))
def test_that_an_outage_explains_what_fails_while_it_lasts_or_was_sent_before_it_ended(kind):
    outages = Outages()
    assert not outages.excuses(kind, sent_at=1.0)
    outages.opened()
    assert outages.excuses(kind, sent_at=1.0)
    assert not outages.excuses(ErrorKind.BAD_REQUEST, sent_at=1.0)
    outages.closed(10.0)
    assert outages.excuses(kind, sent_at=9.9)
    assert not outages.excuses(kind, sent_at=10.0)


def test_that_tries_lost_while_it_built_up_are_given_back_and_no_others():
    outages = Outages()
    for outcome in (
        an_outcome(1, 1, 1),
        an_outcome(2, 3, 3, counted=False),  # was not counted in the first place
        an_outcome(3, 1, 1, ErrorKind.BAD_REQUEST, TaskState.DEAD),  # the row's own fault
        an_outcome(1, 2, 2),
        an_outcome(4, 5, 5, state=TaskState.DEAD),
        an_outcome(5, 1, 1),
        good(5),  # it has its answer: nothing to give back
    ):
        outages.decided(outcome)
    assert outages.opened() == {1: (1, 2), 4: (5,)}
    assert outages.tries(a_task(1, 2)) == 0  # as it was read before the file knew
    assert outages.tries(a_task(1, 0)) == 0  # and after
    assert outages.tries(a_task(4, 5)) == 4
    assert outages.tries(a_task(9, 3)) == 3


def test_that_a_task_with_a_new_outcome_is_counted_from_there():
    outages = Outages()
    outages.decided(an_outcome(1, 1, 1))
    outages.opened()
    outages.decided(an_outcome(1, 2, 1, ErrorKind.MALFORMED_OUTPUT))
    assert outages.tries(a_task(1, 1)) == 1


def test_that_a_count_between_two_suspects_stays():
    outages = Outages()
    for number, kind in enumerate([DOWN, ErrorKind.MALFORMED_OUTPUT, DOWN], 1):
        outages.decided(an_outcome(1, number, number, kind))
    assert outages.opened() == {1: (1, 3)}
    assert outages.tries(a_task(1, 3)) == 1


def test_that_ten_good_answers_in_a_row_clear_what_came_before():
    outages = Outages()
    outages.decided(an_outcome(1, 1, 1))
    for task_id in range(10, 19):
        outages.decided(good(task_id))
    outages.decided(an_outcome(2, 1, 1))  # nine were not enough, and this begins anew
    for task_id in range(20, 30):
        outages.decided(good(task_id))
    outages.decided(an_outcome(3, 1, 1))
    assert outages.opened() == {3: (1,)}


def test_that_the_file_gives_tries_back_and_revives_who_died_of_it():
    bench = Bench(texts(3))
    run_id = bench.make_run()
    ids = [task["id"] for task in bench.tasks(run_id).values()]
    for number in (1, 2):
        tasks.record(bench.connection, an_outcome(ids[0], number, number))
    tasks.record(bench.connection, an_outcome(ids[1], 1, 1))
    tasks.record(bench.connection, an_outcome(ids[1], 2, 2, state=TaskState.DEAD))
    tasks.record(bench.connection, an_outcome(ids[2], 1, 1))
    tasks.record(bench.connection, an_outcome(ids[2], 2, 2, ErrorKind.BAD_REQUEST, TaskState.DEAD))
    revived = amnesty.give_back(
        bench.connection, {ids[0]: (2,), ids[1]: (1, 2), ids[2]: (1,)}, due_at=77.0
    )
    assert [(one.id, one.due_at, one.attempts, one.kind) for one in revived] == [
        (ids[1], 77.0, 2, DOWN)
    ]
    found = [
        (task["tries"], task["attempts"], task["state"]) for task in bench.tasks(run_id).values()
    ]
    assert found == [(1, 2, "waiting"), (0, 2, "waiting"), (1, 2, "dead")]
    counted = [(one["task_id"], one["number"], one["counted"]) for one in bench.attempts(run_id)]
    assert [one for one in counted if one[2]] == [(ids[0], 1, 1), (ids[2], 2, 1)]
    again = amnesty.give_back(bench.connection, {ids[0]: (2,)}, due_at=99.0)
    assert again == []
    assert bench.tasks(run_id)["text 1"]["tries"] == 1  # what is uncounted stays so
    assert bench.states(run_id) == {"waiting": 2, "dead": 1}
