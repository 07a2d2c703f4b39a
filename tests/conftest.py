"""Fixtures for tests that run the whole program, and what tells a person why a test was skipped."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.harness import SHARED_DATA, PracticeServer


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Widgets of earlier tests die on this thread alone, as in the program (gui/garbage.py), and
    soon: each one that is left makes the next test's style sheet slower."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()  # all modules are loaded by now; a collection need not go through them
    gc.disable()
    yield
    gc.collect()


@pytest.fixture(scope="session", autouse=True)
def _logs_of_tests() -> Iterator[None]:
    """Tests write no log among those of the person who runs them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["BATCHDESK_LOGS"] = folder
        yield
        del os.environ["BATCHDESK_LOGS"]


@pytest.fixture(scope="session")
def quick_server() -> Iterator[PracticeServer]:
    """A practice server that answers at once and without faults; its counts mix all its tests."""
    with PracticeServer("--latency", "0.005") as server:
        yield server


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real tables; the test is skipped where there is none."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no real tables in {SHARED_DATA}")
    return SHARED_DATA
