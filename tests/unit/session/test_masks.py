"""What is wrong with a pattern of a person's own."""

from __future__ import annotations

from batchdesk.domain.clean import MaskPattern
from batchdesk.session.masks import pattern_fault, phone_regions


def test_that_a_pattern_that_is_no_regular_expression_is_told_with_the_reason():
    fault = pattern_fault(MaskPattern(name="ORDER", pattern="(ab"))
    assert fault is not None
    assert "The mask pattern ORDER is not a regular expression" in str(fault)
    assert "missing )" in str(fault)


def test_that_a_good_pattern_has_no_fault():
    assert pattern_fault(MaskPattern(name="ORDER", pattern=r"AB-\d{6}")) is None


def test_that_countries_are_known_by_their_two_letters():
    known = phone_regions()
    assert {"CN", "US", "DE"} <= known
    assert "ZZ" not in known
