from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.session.matching import Change, Match, Matcher

NEW, CHANGED, UNCHANGED = Change.NEW, Change.CHANGED, Change.UNCHANGED


def matcher(rows, *, by_key, columns=("text",)):
    made = Matcher(columns, by_key=by_key)
    for row_id, (key, text) in enumerate(rows, 1):
        made.remember(row_id, key, {"text": text, "other": str(row_id)})
    return made


def test_that_rows_with_ids_are_matched_by_them_wherever_they_stand():
    found = matcher([("a", "one"), ("b", "two"), ("c", "three")], by_key=True)
    assert found.match("c", {"text": "three"}) == Match(UNCHANGED, 3)
    assert found.match("x", {"text": "one"}) == Match(NEW)
    assert found.match("a", {"text": "uno"}) == Match(CHANGED, 1)
    assert list(found.vanished()) == [2]


def test_that_a_second_row_of_one_id_is_new():
    found = matcher([("a", "one")], by_key=True)
    assert found.match("a", {"text": "one"}).change is UNCHANGED
    assert found.match("a", {"text": "one"}) == Match(NEW)


def test_that_rows_without_ids_are_matched_by_content_and_occurrence():
    found = matcher([("1", "same"), ("2", "other"), ("3", "same"), ("4", "same")], by_key=False)
    assert found.match("1", {"text": "other"}) == Match(UNCHANGED, 2)
    assert found.match("2", {"text": "same"}) == Match(UNCHANGED, 1)
    assert found.match("3", {"text": "same"}) == Match(UNCHANGED, 3)
    assert found.match("4", {"text": "new"}) == Match(NEW)
    assert list(found.vanished()) == [4]


def test_that_a_missing_cell_is_an_empty_one_and_other_columns_do_not_count():
    found = matcher([("a", "")], by_key=True)
    assert found.match("a", {"text": None, "other": "9"}) == Match(UNCHANGED, 1)


texts = st.lists(st.sampled_from(["", "a", "b", "ab"]), max_size=12)


@given(texts, texts)
def test_that_content_matching_pairs_as_many_as_there_are_equal_ones(before, after):
    found = matcher([(str(n), text) for n, text in enumerate(before)], by_key=False)
    matches = [found.match(str(n), {"text": text}) for n, text in enumerate(after)]
    unchanged = [match.earlier_id for match in matches if match.change is UNCHANGED]
    assert len(unchanged) == (Counter(before) & Counter(after)).total()
    assert len(set(unchanged)) == len(unchanged)
    assert len(found.vanished()) == len(before) - len(unchanged)


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y"])),
       st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y"])))  # fmt: skip
def test_that_key_matching_is_what_two_dictionaries_say(before, after):
    found = matcher(list(before.items()), by_key=True)
    changes = Counter(found.match(key, {"text": text}).change for key, text in after.items())
    both = before.keys() & after.keys()
    assert changes[NEW] == len(after.keys() - before.keys())
    assert changes[UNCHANGED] == sum(before[key] == after[key] for key in both)
    assert changes[CHANGED] == sum(before[key] != after[key] for key in both)
    assert len(found.vanished()) == len(before.keys() - after.keys())
