"""Changes of limits as marks: put together where they are near, bounded in memory."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason
from batchdesk.gui.models.limit_marks import Changes, grouped


def limit(at, old, new, reason=LimitReason.SLOW_START):
    return LimitChange(at, LimitKind.IN_FLIGHT, old, new, reason)


def pace(at, old, new, reason=LimitReason.REFUSED):
    return LimitChange(at, LimitKind.PACE, old, new, reason)


def test_that_a_row_of_alike_changes_is_one_from_the_first_to_the_last():
    changes = Changes()
    changes.extend([limit(1.0, 20, 21), limit(2.0, 21, 22), limit(6.0, 22, 23)])
    assert changes.all() == [limit(1.0, 20, 23)]


def test_that_alike_changes_after_a_pause_and_other_reasons_stay_apart():
    changes = Changes()
    kept = [limit(1.0, 20, 21), pace(2.0, None, 50.0), limit(9.0, 21, 30)]
    changes.extend(kept)
    assert changes.all() == kept


def test_that_marks_nearer_than_the_gap_become_one_named_after_the_weightiest():
    changes = [
        limit(0.0, 20, 40),
        pace(3.0, None, 50.0),
        pace(4.0, 50.0, 40.0),
        limit(11.0, 40, 41),
    ]
    first, second = grouped(changes, gap_s=10.0)
    assert (first.at, first.main) == (0.0, pace(3.0, None, 40.0))
    assert first.changes == tuple(changes[:3])
    assert (second.at, second.main) == (11.0, changes[3])


def test_that_an_outage_is_weightier_than_all_else():
    outage = LimitChange(1.0, LimitKind.BREAKER, 1, 0, LimitReason.OUTAGE)
    (only,) = grouped([pace(0.0, None, 9.0), outage, limit(2.0, 5, 6)], gap_s=60.0)
    assert only.main == outage


a_change = st.builds(
    LimitChange,
    at=st.floats(0, 1e5),
    what=st.sampled_from(LimitKind),
    old=st.one_of(st.none(), st.floats(0, 200)),
    new=st.one_of(st.none(), st.floats(0, 200)),
    reason=st.sampled_from(LimitReason),
)


@given(st.lists(a_change, max_size=80), st.floats(0, 1e4))
def test_that_marks_are_as_far_apart_as_asked_and_none_is_lost(found, gap_s):
    found.sort(key=lambda change: change.at)
    groups = grouped(found, gap_s)
    assert [change for group in groups for change in group.changes] == found
    begins = [group.at for group in groups]
    assert all(after - before >= gap_s for before, after in pairwise(begins))


@given(st.lists(a_change, max_size=300))
def test_that_memory_is_bounded_by_kinds_and_reasons(found):
    changes = Changes(most=120)
    for change in sorted(found, key=lambda change: change.at):
        changes.add(change)
        assert len(changes.all()) <= 120
    moments = [change.at for change in changes.all()]
    assert moments == sorted(moments)


def test_that_what_a_person_set_there_and_back_stays_two_changes_named_after_the_later():
    changes = Changes()
    there, back = limit(1.0, 4, 9, LimitReason.PERSON), limit(2.0, 9, 4, LimitReason.PERSON)
    changes.extend([there, back])
    assert changes.all() == [there, back]
    (only,) = grouped(changes.all(), gap_s=10.0)
    assert only.main == back
