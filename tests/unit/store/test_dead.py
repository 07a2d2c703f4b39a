"""Dead letters by kind, and each with what the service said last."""

from __future__ import annotations

import pytest
from tests.unit.store.files import add_run, attempt, failed, in_memory, task_ids

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.store import dead, tasks
from batchdesk.store.dead import DeadKind
from batchdesk.store.tasks import TaskOutcome

DEAD, WAITING = TaskState.DEAD, TaskState.WAITING


@pytest.fixture
def connection():
    found = in_memory()
    yield found
    found.close()


def die(connection, task_id, kind, message, *, number=1, state=DEAD, response="got"):
    sent = attempt(
        task_id, number, error_kind=kind, error_message=message, response=response,
        http_status=500, input_tokens=None, output_tokens=None,
    )  # fmt: skip
    outcome = failed(task_id, kind, state, attempt=sent, error_message=message)
    tasks.record(connection, outcome)


@pytest.fixture
def ids(connection):
    """The third dies of a server error before the first does; the second of a filter."""
    found = task_ids(connection, add_run(connection, 5))
    die(connection, found[2], ErrorKind.SERVER_ERROR, "earlier")
    die(connection, found[1], ErrorKind.CONTENT_FILTERED, "filtered")
    die(connection, found[0], ErrorKind.SERVER_ERROR, "later", state=WAITING)
    die(connection, found[0], ErrorKind.SERVER_ERROR, "latest", number=2)
    die(connection, found[3], ErrorKind.SERVER_ERROR, "still tried", state=WAITING)
    return found


def test_that_dead_letters_are_counted_by_kind_with_what_was_said_last(connection, ids):
    assert dead.kinds(connection, 1) == {
        ErrorKind.SERVER_ERROR: DeadKind(2, "latest"),
        ErrorKind.CONTENT_FILTERED: DeadKind(1, "filtered"),
    }
    assert list(dead.kinds(connection, 1)) == [ErrorKind.SERVER_ERROR, ErrorKind.CONTENT_FILTERED]
    assert dead.kinds(connection, 2) == {}


def test_that_a_row_that_was_never_sent_counts_too(connection, ids):
    never = TaskOutcome(ids[4], DEAD, 1.0, error_kind=ErrorKind.TEMPLATE_FAILED, error_message=None)
    tasks.record(connection, never)
    assert dead.kinds(connection, 1)[ErrorKind.TEMPLATE_FAILED] == DeadKind(1, "")
    (letter,) = dead.letters_after(connection, 1, ErrorKind.TEMPLATE_FAILED, 0, 10)
    assert (letter.attempts, letter.message, letter.response) == (0, "", None)


def test_that_letters_come_in_order_page_by_page_with_their_row_and_last_answer(connection, ids):
    first, second = dead.letters_after(connection, 1, None, 0, 2)
    (third,) = dead.letters_after(connection, 1, None, second.task_id, 2)
    assert [one.task_id for one in (first, second, third)] == ids[:3]
    assert (first.row_key, first.cells) == ("k1", {"text": "text 1"})
    assert (first.kind, first.message, first.attempts, first.response) == (
        ErrorKind.SERVER_ERROR, "latest", 2, "got",
    )  # fmt: skip
    assert dead.letters_after(connection, 1, None, third.task_id, 2) == []


def test_that_letters_of_one_kind_are_only_of_that_kind(connection, ids):
    found = dead.letters_after(connection, 1, ErrorKind.CONTENT_FILTERED, 0, 10)
    assert [one.task_id for one in found] == [ids[1]]


def test_that_the_last_response_is_the_last_that_came(connection):
    (task_id,) = task_ids(connection, add_run(connection, 1))
    die(connection, task_id, ErrorKind.SERVER_ERROR, "x", state=WAITING, response="first")
    die(connection, task_id, ErrorKind.SERVER_ERROR, "x", number=2, state=WAITING, response="next")
    die(connection, task_id, ErrorKind.READ_TIMEOUT, "x", number=3, response=None)
    (letter,) = dead.letters_after(connection, 1, None, 0, 10)
    assert (letter.kind, letter.attempts, letter.response) == (ErrorKind.READ_TIMEOUT, 3, "next")
