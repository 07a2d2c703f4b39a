"""The window waits for nobody: neither for the engine's thread nor for a collection of everything."""

from __future__ import annotations

import gc
import sys

import pytest

from batchdesk.gui.bridge import EngineThread, shorten_collections


@pytest.fixture
def interval():
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_that_the_engines_thread_gives_way_to_the_window_within_a_millisecond(interval):
    thread = EngineThread()
    thread.close()
    assert sys.getswitchinterval() == pytest.approx(0.001)


def test_that_a_run_spares_what_was_there_before_it_and_its_end_does_not():
    shorten_collections(running=True)
    assert gc.get_freeze_count() > 1000
    shorten_collections(running=False)
    assert gc.get_freeze_count() == 0
