"""Keys are unique, whatever the id column holds."""

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.tables.base import Problem, ProblemKind
from batchdesk.tables.keys import KeyAssigner


def keys_of(*values: str | None) -> tuple[list[str], list[Problem]]:
    assigner = KeyAssigner(has_key_column=True)
    keys = assigner.assign((line, value) for line, value in enumerate(values, start=2))
    return keys, assigner.log.problems


def test_that_unique_ids_stay_exactly_as_they_are():
    assert keys_of("A-7", "a-7", " A 7", "00123") == (["A-7", "a-7", " A 7", "00123"], [])


def test_that_ids_that_differ_in_white_space_or_composition_alone_count_as_one():
    keys, problems = keys_of("a b", "a\nb", " a\tb", "\u00e9", "e\u0301")
    assert keys == ["a b", "a\nb (2)", " a\tb (3)", "\u00e9", "e\u0301 (2)"]
    assert [problem.kind for problem in problems] == [ProblemKind.DUPLICATE_KEY] * 3


def test_that_a_second_row_of_one_id_is_numbered_and_reported():
    assert keys_of("A-7", "B", "A-7", "A-7") == (
        ["A-7", "B", "A-7 (2)", "A-7 (3)"],
        [
            Problem(ProblemKind.DUPLICATE_KEY, 4, {"value": "A-7", "key": "A-7 (2)"}),
            Problem(ProblemKind.DUPLICATE_KEY, 5, {"value": "A-7", "key": "A-7 (3)"}),
        ],
    )


def test_that_a_numbered_id_does_not_collide_with_a_real_one_before_or_after():
    assert keys_of("A (2)", "A", "A")[0] == ["A (2)", "A", "A (3)"]
    assert keys_of("A", "A", "A (2)")[0] == ["A", "A (2)", "A (2) (2)"]


def test_that_an_empty_id_becomes_the_row_number():
    assert keys_of("x", "", None, "  ") == (
        ["x", "row 2", "row 3", "row 4"],
        [
            Problem(ProblemKind.EMPTY_KEY, 3, {"key": "row 2"}),
            Problem(ProblemKind.EMPTY_KEY, 4, {"key": "row 3"}),
            Problem(ProblemKind.EMPTY_KEY, 5, {"key": "row 4"}),
        ],
    )
    assert keys_of("row 2", "")[0] == ["row 2", "row 2 (2)"]


def test_that_without_an_id_column_the_key_is_the_row_number_over_all_batches():
    assigner = KeyAssigner(has_key_column=False)
    assert assigner.assign([(2, None), (3, "x")]) == ["1", "2"]
    assert assigner.assign([(9, None)]) == ["3"]
    assert assigner.log.problems == []


def test_that_two_hundred_thousand_rows_of_one_id_take_linear_time():
    assigner = KeyAssigner(has_key_column=True)
    keys = assigner.assign((line, "same") for line in range(200_000))
    assert keys[-1] == "same (200000)"
    assert len(set(keys)) == 200_000


@given(
    st.lists(st.sampled_from([None, "", "A", "A (2)", "A (2) (2)", "row 2", "row 3 (2)"])),
    st.integers(0, 10),
)
def test_that_keys_are_unique_and_do_not_depend_on_batches(values, cut):
    rows = list(enumerate(values, start=2))
    whole = KeyAssigner(has_key_column=True).assign(rows)
    halves = KeyAssigner(has_key_column=True)
    assert halves.assign(rows[:cut]) + halves.assign(rows[cut:]) == whole
    assert len(set(whole)) == len(values)
    for value, key in zip(values, whole, strict=True):
        assert key.startswith(value or "row ")
