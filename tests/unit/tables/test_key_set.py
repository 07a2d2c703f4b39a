"""A set of keys knows all it was given, however long ago."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.tables import key_set
from batchdesk.tables.key_set import KeySet


def test_that_what_was_put_in_is_there_and_nothing_else():
    keys = KeySet()
    assert "a" not in keys
    keys.add("a")
    assert ("a" in keys, "b" in keys, keys.is_recent("a")) == (True, False, True)
    assert list(keys.older(["a", "b"])) == [False, False]


def test_that_a_key_of_long_ago_is_known_when_the_table_has_grown(monkeypatch):
    monkeypatch.setattr(key_set, "_RECENT", 4)
    monkeypatch.setattr(key_set, "_SMALLEST", 8)
    keys = KeySet()
    for number in range(30):
        keys.older([])
        keys.add(str(number))
    assert len(keys._table) == 64  # 28 of them, and half of it is free
    assert [keys.is_recent(key) for key in ("27", "28", "29")] == [False, True, True]
    assert list(keys.older(["0", "15", "27", "28", "30"])) == [True, True, True, False, False]
    assert all(str(number) in keys for number in range(30))
    assert "30" not in keys


def test_that_keys_go_in_together_only_if_each_is_new(monkeypatch):
    monkeypatch.setattr(key_set, "_RECENT", 2)
    keys = KeySet()
    assert keys.add_new(["a", "b"])
    assert not keys.add_new(["c", "c"])
    assert not keys.add_new(["d", "a"])  # put away by now
    assert keys.add_new(["e"])
    assert not keys.add_new(["f", "e"])  # recent
    assert [key in keys for key in "abcdef"] == [True, True, False, False, True, False]


def test_that_keys_whose_places_are_the_same_are_told_apart(monkeypatch):
    class Key(str):
        __slots__ = ()

        def __hash__(self):
            return int(self) * 8

    monkeypatch.setattr(key_set, "_RECENT", 1)
    monkeypatch.setattr(key_set, "_SMALLEST", 8)
    keys = KeySet()
    for number in (1, 2, 3):
        keys.add(Key(number))
    assert list(keys.older([Key(1), Key(2), Key(3), Key(4)])) == [True, True, True, False]


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_that_it_agrees_with_a_set_of_texts(first, asked):
    with_hashes, texts = KeySet(), set(first)
    recent, key_set._RECENT = key_set._RECENT, 5
    try:
        for key in first:
            with_hashes.older([])
            with_hashes.add(key)
    finally:
        key_set._RECENT = recent
    assert [key in with_hashes for key in asked] == [key in texts for key in asked]
