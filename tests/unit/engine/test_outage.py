from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.engine.bench import Bench, texts

from batchdesk.domain.task import Attempt, ErrorKind, TaskState
from batchdesk.engine.outage import OUTAGE_KINDS, Outages
from batchdesk.store import amnesty, tasks
from batchdesk.store.tasks import ClaimedTask, TaskOutcome

DOWN = ErrorKind.SERVER_ERROR


def an_attempt(task_id, number, kind, *, counted=True, sent_at=None):
    return Attempt(
        task_id, number, 1, "trace", "key", float(number) if sent_at is None else sent_at, 0.0, 0.1, None, kind, None, None, counted,
        None, None, None, None, None, None,
    )  # fmt: skip


def an_outcome(
    task_id, number, tries, kind=DOWN, state=TaskState.WAITING, *, counted=True, sent_at=None
):
    attempt = an_attempt(task_id, number, kind, counted=counted, sent_at=sent_at)
    return TaskOutcome(task_id, state, 0.0, attempt, tries=tries, error_kind=kind, due_at=0.0)


def a_task(task_id, tries):
    return ClaimedTask(task_id, task_id, "key", {}, tries, tries, 0, DOWN, "", 0.0)


def good(task_id):
    return an_outcome(task_id, 1, 1, None, TaskState.PASSED)


@pytest.mark.parametrize("kind", sorted(OUTAGE_KINDS))
def test_that_an_outage_explains_what_fails_while_it_lasts_or_was_sent_before_it_ended(kind):
    outages = Outages()
    assert not outages.excuses(kind, a_task(9, 0), sent_at=1.0)
    outages.opened()
    assert outages.excuses(kind, a_task(9, 0), sent_at=1.0)
    assert not outages.excuses(ErrorKind.BAD_REQUEST, a_task(9, 0), sent_at=1.0)
    outages.closed(10.0)
    assert outages.excuses(kind, a_task(9, 0), sent_at=9.9)
    assert not outages.excuses(kind, a_task(9, 0), sent_at=10.0)


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
        outages.decided(outcome, 0.0)
    assert outages.opened() == {1: (1, 2), 4: (5,)}
    assert outages.tries(a_task(1, 2)) == 0  # as it was read before the file knew
    assert outages.tries(a_task(1, 0)) == 0  # and after
    assert outages.tries(a_task(4, 5)) == 4
    assert outages.tries(a_task(9, 3)) == 3


def test_that_a_task_with_a_new_outcome_is_counted_from_there():
    outages = Outages()
    outages.decided(an_outcome(1, 1, 1), 0.0)
    outages.opened()
    outages.decided(an_outcome(1, 2, 1, ErrorKind.MALFORMED_OUTPUT), 0.0)
    assert outages.tries(a_task(1, 1)) == 1


def test_that_a_row_that_failed_among_others_that_did_not_gets_back_what_came_after_them():
    outages = Outages()
    for number, kind in enumerate([DOWN, ErrorKind.MALFORMED_OUTPUT, DOWN, DOWN], 1):
        outages.decided(an_outcome(1, number, number, kind), 0.0)
    assert outages.blames(1)
    assert outages.opened() == {1: (3, 4)}
    assert outages.tries(a_task(1, 4)) == 2


def test_that_silence_neither_excuses_nor_frees_a_row_that_failed_among_others_that_did_not():
    outages = Outages()
    outages.decided(an_outcome(1, 1, 1), 0.0)
    outages.decided(an_outcome(5, 1, 1, None, TaskState.PASSED, sent_at=1.5), 0.0)
    last = [an_outcome(1, number, number) for number in (2, 3, 4)]
    last.append(an_outcome(1, 5, 5, state=TaskState.DEAD))
    for outcome in last:
        outages.decided(outcome, 0.0)
    assert not outages.is_silence(last[-1])
    assert outages.is_silence(all_tries_of(outages, 2, numbers=(1, 2, 3), start=2.0))
    assert outages.hand_out() == {2: (1, 2, 3)}
    assert outages.excuses(DOWN, a_task(2, 0), sent_at=9.0)
    assert not outages.excuses(DOWN, a_task(1, 4), sent_at=9.0)


def first_tries(outages, failed, passed):
    for task_id in range(100, 100 + failed):
        outages.decided(an_outcome(task_id, 1, 1, sent_at=1.0), 0.0)
    for task_id in range(200, 200 + passed):
        outages.decided(an_outcome(task_id, 1, 1, None, TaskState.PASSED, sent_at=2.0), 0.0)


def test_that_every_second_failure_counts_where_more_than_a_fifth_of_the_rows_fail_at_first():
    outages = Outages()
    first_tries(outages, failed=9, passed=31)
    assert outages.is_unwell
    counted = [
        not outages.excuses(DOWN, replace(a_task(9, 0), attempts=before), sent_at=5.0)
        for before in range(6)
    ]
    assert counted == [False, True, False, True, False, True]
    assert not outages.excuses(DOWN, replace(a_task(9, 0), attempts=20), sent_at=5.0)
    assert not outages.excuses(ErrorKind.BAD_REQUEST, a_task(9, 0), sent_at=5.0)


@pytest.mark.parametrize(("failed", "passed"), [(8, 32), (19, 0)])
def test_that_a_fifth_or_fewer_than_twenty_rows_are_not_enough_for_that(failed, passed):
    outages = Outages()
    first_tries(outages, failed, passed)
    assert not outages.is_unwell


def test_that_ten_good_answers_in_a_row_clear_what_came_before():
    outages = Outages()
    outages.decided(an_outcome(1, 1, 1), 0.0)
    for task_id in range(10, 19):
        outages.decided(good(task_id), 0.0)
    outages.decided(an_outcome(2, 1, 1), 0.0)  # nine were not enough, and this begins anew
    for task_id in range(20, 30):
        outages.decided(good(task_id), 0.0)
    outages.decided(an_outcome(3, 1, 1), 0.0)
    assert outages.opened() == {3: (1,)}


def all_tries_of(outages, task_id, *, numbers=(1, 2, 3), before_the_last=None, start=0.0):
    """A row that fails at each of its tries; returns its last outcome, which is a dead letter."""
    outcome = None
    for number in numbers:
        if number == numbers[-1] and before_the_last is not None:
            outages.decided(before_the_last, 0.0)
        state = TaskState.DEAD if number == numbers[-1] else TaskState.WAITING
        outcome = an_outcome(task_id, number, number, state=state, sent_at=start + number)
        outages.decided(outcome, 0.0)
    assert outcome is not None
    return outcome


def test_that_a_row_without_a_sign_of_life_is_not_blamed():
    outages = Outages()
    outages.decided(good(1), 0.0)
    assert outages.is_silence(all_tries_of(outages, 2))
    assert outages.hand_out() == {2: (1, 2, 3)}
    assert outages.excuses(DOWN, a_task(9, 0), sent_at=5.0)  # as long as it lasts
    outages.decided(good(3), 0.0)
    assert not outages.excuses(DOWN, a_task(9, 0), sent_at=5.0)


@pytest.mark.parametrize(
    "sign",
    [
        an_outcome(1, 1, 1, None, TaskState.PASSED, sent_at=1.1),
        an_outcome(1, 1, 1, ErrorKind.MALFORMED_OUTPUT, sent_at=1.1),
        an_outcome(1, 1, 0, ErrorKind.RATE_LIMITED, counted=False, sent_at=1.1),
        an_outcome(1, 1, 1, ErrorKind.BAD_REQUEST, TaskState.DEAD, sent_at=1.1),
    ],
)
def test_that_a_row_is_blamed_if_the_service_gave_a_sign_of_life_meanwhile(sign):
    outages = Outages()
    assert not outages.is_silence(all_tries_of(outages, 2, before_the_last=sign))
    assert not outages.is_open


def test_that_a_row_is_blamed_for_a_try_of_an_earlier_session_and_after_twenty_tries():
    outages = Outages()
    assert not outages.is_silence(all_tries_of(outages, 2, numbers=(2, 3)))
    for number in range(1, 20):
        outages.decided(an_outcome(3, number, number), 0.0)
    last = an_outcome(3, 20, 20, state=TaskState.DEAD)
    outages.decided(last, 0.0)
    assert not outages.is_silence(last)


def test_that_an_answer_to_what_was_sent_before_says_nothing_of_what_came_after():
    outages = Outages()
    earlier = an_outcome(1, 1, 1, None, TaskState.PASSED, sent_at=0.9)
    assert outages.is_silence(all_tries_of(outages, 2, before_the_last=earlier))


def test_that_a_fault_of_our_own_is_no_sign_of_life():
    outages = Outages()
    ours = an_outcome(1, 1, 1, ErrorKind.INTERNAL, TaskState.DEAD, sent_at=1.1)
    assert outages.is_silence(all_tries_of(outages, 2, before_the_last=ours))


def test_that_it_has_lasted_too_long_after_fifteen_minutes_with_few_rows_left():
    outages = Outages()
    outages.decided(good(1), 100.0)
    assert not outages.lasts_too_long(3, 1000.0)  # it is not down
    outages.opened()
    outages.decided(an_outcome(2, 1, 1), 999.0)
    assert not outages.lasts_too_long(3, 999.0)
    assert outages.lasts_too_long(3, 1000.0)
    assert not outages.lasts_too_long(20, 1000.0)  # that many cannot all be to blame


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
