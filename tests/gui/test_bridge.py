"""The window does not wait for the engine's thread."""

from __future__ import annotations

import sys

import pytest

from batchdesk.gui.bridge import EngineThread


@pytest.fixture
def interval():
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_that_the_engines_thread_gives_way_to_the_window_within_a_millisecond(interval):
    thread = EngineThread()
    thread.close()
    assert sys.getswitchinterval() == pytest.approx(0.001)
