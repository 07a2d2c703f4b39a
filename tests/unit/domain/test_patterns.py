"""Patterns of other people's making end, whatever they are."""

import time

import pytest

from batchdesk.domain.patterns import PatternError, compiled, search


def test_that_a_pattern_finds_its_place():
    match = search(compiled(r"\d+"), "no 42")
    assert match is not None
    assert match.span() == (3, 5)
    assert search(compiled(r"\d+"), "none") is None


def test_that_a_pattern_without_end_is_given_up():
    begun = time.process_time()
    with pytest.raises(TimeoutError):
        search(compiled(r"^(a?){60}b(a|b|ab)*c\1$"), "a" * 60 + "b" * 40)
    assert time.process_time() - begun < 5  # it would take years


def test_that_what_is_no_pattern_is_refused():
    with pytest.raises(PatternError, match="missing \\)"):
        compiled("(")
