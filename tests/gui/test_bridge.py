"""The window waits for nobody: neither for the engine's thread nor for a collection of everything."""

from __future__ import annotations

import gc
import sys

import pytest

from batchdesk.gui.bridge import Collections, EngineThread


@pytest.fixture
def interval():
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_that_the_engines_thread_gives_way_to_the_window_within_a_millisecond(interval):
    thread = EngineThread()
    thread.close()
    assert sys.getswitchinterval() == pytest.approx(0.001)


def test_that_what_was_there_before_is_spared_until_nothing_is_under_way():
    collections = Collections()
    collections.shorten(wanted=False)
    assert gc.get_freeze_count() == 0
    collections.shorten(wanted=True)
    spared = gc.get_freeze_count()
    assert spared > 1000
    kept: list[list[int]] = [[] for _ in range(100)]
    collections.shorten(wanted=True)
    assert gc.get_freeze_count() == spared
    collections.shorten(wanted=False)
    assert gc.get_freeze_count() == 0
    assert len(kept) == 100
