"""Lines of the table of tasks under way stay where they are."""

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import InFlight
from batchdesk.gui.models.flights import arrange


def flights(*ids):
    return [InFlight(id_, f"r{id_}", 1, 0.0, "service") for id_ in ids]


def ids(lines):
    return [line.task_id for line in lines]


def test_that_a_task_keeps_its_line_and_a_new_one_fills_the_gap():
    assert ids(arrange(flights(1, 2, 3), flights(3, 1, 9))) == [1, 9, 3]


def test_that_lines_close_up_when_fewer_tasks_are_left():
    assert ids(arrange(flights(1, 2, 3, 4), flights(4, 2))) == [2, 4]


def test_that_more_tasks_are_added_at_the_end():
    assert ids(arrange(flights(1), flights(5, 6, 1))) == [1, 5, 6]


_IDS = st.lists(st.integers(1, 30), unique=True, max_size=12)


@given(_IDS, _IDS)
def test_that_exactly_the_tasks_of_now_are_shown(before, now):
    lines = ids(arrange(flights(*before), flights(*now)))
    assert sorted(lines) == sorted(now)
    if len(now) >= len(before):
        assert all(lines[at] == id_ for at, id_ in enumerate(before) if id_ in now)
