from __future__ import annotations

import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Cost, Ending, Ticket
from batchdesk.engine.early_release import EarlyRelease

REFUSED = ErrorKind.RATE_LIMITED


def ended(sent_at, ended_at, kind=None, *, cancelled=False):
    return Ending(Ticket(1, 1, Cost(), sent_at), ended_at, kind=kind, cancelled=cancelled)


def heard(*endings):
    early = EarlyRelease()
    return [early.hear(one) for one in endings]


@pytest.mark.parametrize("kind", [REFUSED, ErrorKind.OVERLOADED])
def test_that_five_seconds_of_accepted_requests_release_what_was_refused_once(kind):
    assert heard(
        ended(0.0, 0.1, kind),
        ended(0.2, 1.0),
        ended(1.0, 5.9),
        ended(1.0, 6.0),
        ended(1.0, 60.0),
    ) == [False, False, False, True, False]


def test_that_answers_to_requests_sent_before_the_refusal_say_nothing():
    assert (
        heard(ended(0.0, 0.5, REFUSED), ended(0.4, 1.0), ended(0.4, 9.0), ended(0.6, 10.0))
        == [False] * 4
    )


def test_that_another_refusal_begins_the_five_seconds_anew():
    assert heard(
        ended(0.0, 0.1, REFUSED),
        ended(0.2, 1.0),
        ended(0.2, 4.0, REFUSED),
        ended(4.5, 5.0),
        ended(4.5, 9.9),
        ended(4.5, 10.0),
    ) == [False, False, False, False, False, True]


def test_that_faults_and_cancelled_requests_are_no_acceptance():
    assert heard(
        ended(0.0, 0.1, REFUSED),
        ended(0.2, 1.0, ErrorKind.SERVER_ERROR),
        ended(0.2, 2.0, cancelled=True),
        ended(0.2, 6.5),
        ended(0.2, 11.5, ErrorKind.MALFORMED_OUTPUT),
    ) == [False, False, False, False, True]


def test_that_without_a_refusal_there_is_nothing_to_release():
    assert heard(ended(0.0, 1.0), ended(0.0, 9.0)) == [False, False]
