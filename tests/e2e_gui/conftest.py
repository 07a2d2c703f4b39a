"""A display for the windows of these tests; they are skipped where none can be made."""

from __future__ import annotations

import pytest
from tests.e2e_gui.screen import HAS_XVFB, NO_SCREEN, display


@pytest.fixture(scope="session")
def screen():
    """The name of a display that nobody sees."""
    if not HAS_XVFB:
        pytest.skip(NO_SCREEN)
    with display() as name:
        yield name
