from __future__ import annotations

import pytest

from batchdesk.engine.growth import Growth, is_growing


@pytest.mark.parametrize(
    ("depths", "fill", "drain", "growing"),
    [
        ([10, 20, 30, 40, 50], 2.0, 1.0, True),
        ([10, 20, 30, 40], 2.0, 1.0, False),  # not a minute yet
        ([10, 20, 30, 30, 50], 2.0, 1.0, False),  # stood still for a quarter
        ([100, 800, 700, 600, 1100], 2.0, 1.0, False),  # a buffer that is refilled now and then
        ([10, 11, 12, 13, 14], 2.0, 1.0, False),  # four rows are no queue
        ([10, 20, 30, 40, 50], 1.1, 1.0, False),  # as many go as come
        ([50, 40, 30, 20, 10], 2.0, 1.0, False),
        ([10, 20, 30, 40, 50], 1.0, 0.0, True),  # none goes at all
        ([], 0.0, 0.0, False),
    ],
)
def test_that_a_queue_grows_if_it_grew_in_each_quarter_of_a_minute(depths, fill, drain, growing):
    assert is_growing(depths, fill, drain) is growing


def test_that_the_depth_is_looked_at_four_times_a_minute_however_often_it_is_told():
    growth = Growth()
    for quarter_second in range(4 * 90 + 1):
        growth.see(100.0 + quarter_second / 4, quarter_second)
    assert growth.depths == [120, 180, 240, 300, 360]


@pytest.mark.parametrize("now", [131.0, 3700.0, 50.0])
def test_that_looks_on_both_sides_of_a_gap_are_not_compared(now):
    growth = Growth()
    growth.see(85.0, 1)
    growth.see(100.0, 2)
    growth.see(now, 3)
    assert growth.depths == [3]
