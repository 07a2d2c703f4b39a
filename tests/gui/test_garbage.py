"""Widgets die on the window's thread, and nothing collects everything while a run is under way."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject

from batchdesk.gui.garbage import Garbage


class Knot:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def garbage(qapp):
    parent = QObject()
    yield Garbage(parent)
    parent.deleteLater()


def test_that_another_thread_collects_nothing(garbage):
    knot = weakref.ref(Knot())
    made = [threading.Thread(target=lambda: [Knot() for _ in range(50_000)])]
    made[0].start()
    made[0].join()
    assert knot() is not None
    garbage.look()
    assert knot() is None


def test_that_garbage_is_collected_without_being_asked(garbage, qtbot):
    knot = weakref.ref(Knot())
    kept = [Knot() for _ in range(5000)]
    qtbot.waitUntil(lambda: knot() is None, timeout=10_000)
    assert len(kept) == 5000


def test_that_what_was_there_before_is_spared_until_nothing_is_under_way(garbage):
    gc.unfreeze()
    garbage.shorten(wanted=False)
    assert gc.get_freeze_count() == 0
    garbage.shorten(wanted=True)
    spared = gc.get_freeze_count()
    assert spared > 1000
    kept: list[list[int]] = [[] for _ in range(100)]
    garbage.shorten(wanted=True)
    assert gc.get_freeze_count() == spared
    garbage.shorten(wanted=False)
    assert gc.get_freeze_count() == 0
    assert len(kept) == 100
