"""Fixtures of the tests of the project file."""

from __future__ import annotations

import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "p.batchdesk"
