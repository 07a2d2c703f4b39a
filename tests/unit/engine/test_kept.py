"""What a resumed run may begin with, by the figures that were kept."""

from __future__ import annotations

import pytest

from batchdesk.engine.kept import Kept, kept_of

FIGURES = {"at": 1000.0, "pace_per_s": 9.8, "limit": 40, "pinned": False, "degraded": False}


def test_that_figures_of_less_than_an_hour_ago_are_begun_with():
    assert kept_of(FIGURES, 4599.0) == Kept(9.8, 40)
    assert kept_of(FIGURES, 4600.0) == Kept()


@pytest.mark.parametrize("figures", [{}, {"pace_per_s": 9.8, "limit": 40}])
def test_that_without_a_time_nothing_is_known(figures):
    assert kept_of(figures, 1000.0) == Kept()


def test_that_a_clock_that_was_set_back_makes_nothing_fresh():
    assert kept_of(FIGURES, 999.0) == Kept()


@pytest.mark.parametrize("why", ["pinned", "degraded"])
def test_that_a_limit_by_hand_or_of_an_alarm_is_not_begun_with(why):
    assert kept_of({**FIGURES, why: True}, 1001.0) == Kept(9.8, None)


def test_that_no_pace_is_none():
    assert kept_of({**FIGURES, "pace_per_s": None}, 1001.0) == Kept(None, 40)
