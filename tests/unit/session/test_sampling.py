from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.session.sampling import Choice, Chooser, How


def chosen(choice, rows):
    """Ids chosen of (size, stratum) rows with ids from 1; checks that all others were dropped."""
    chooser = Chooser(choice)
    dropped = []
    for row_id, (size, stratum) in enumerate(rows, 1):
        dropped += chooser.see(row_id, size, stratum)
    found = chooser.chosen()
    assert not set(found) & set(dropped)
    assert chooser.chosen() == found
    return found


def test_that_the_first_rows_are_the_first():
    assert chosen(Choice(How.FIRST, 3), [(1, "")] * 9) == [1, 2, 3]
    assert chosen(Choice(How.FIRST, 3), [(1, "")] * 2) == [1, 2]


def test_that_the_longest_are_chosen_and_of_equal_ones_the_first():
    assert chosen(Choice(How.LONGEST, 3), [(5, ""), (9, ""), (5, ""), (1, ""), (7, "")]) == [
        1, 2, 5,
    ]  # fmt: skip


def test_that_kinds_take_turns_and_a_rare_one_leaves_its_place_to_others():
    rows = [(1, "a")] * 50 + [(1, "b")] * 50 + [(1, "c")] * 1
    found = chosen(Choice(How.STRATIFIED, 9, "kind"), rows)
    kinds = [rows[row_id - 1][1] for row_id in found]
    assert [kinds.count(kind) for kind in "abc"] == [4, 4, 1]


def test_that_the_seed_decides_which_random_rows():
    rows = [(1, "")] * 1000
    first = chosen(Choice(How.RANDOM, 20, seed=1), rows)
    assert first == chosen(Choice(How.RANDOM, 20, seed=1), rows)
    assert first != chosen(Choice(How.RANDOM, 20, seed=2), rows)


def test_that_every_row_is_as_likely_as_any_other():
    counts = [0] * 20
    for seed in range(2000):
        for row_id in chosen(Choice(How.RANDOM, 5, seed=seed), [(1, "")] * 20):
            counts[row_id - 1] += 1
    assert all(400 <= count <= 600 for count in counts)  # 500 expected, deviation 19


@pytest.mark.parametrize("how", list(How))
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc")), max_size=40), st.integers(1, 9)
)
def test_that_as_many_as_asked_for_are_chosen_each_once(how, rows, count):
    found = chosen(Choice(how, count, "kind"), rows)
    assert len(found) == len(set(found)) == min(count, len(rows))
    assert found == sorted(found)
