"""Fixtures of the tests of the session."""

from __future__ import annotations

import pytest

from batchdesk.session import Session


@pytest.fixture
async def session(tmp_path):
    """A session with a project of its own."""
    opened = await Session.open(tmp_path / "p.batchdesk", create=True)
    yield opened
    await opened.close()
