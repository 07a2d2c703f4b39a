"""One line of figures a second and run, for looking at a run afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any


def add(connection: sqlite3.Connection, run_id: int, at: float, figures: Mapping[str, Any]) -> None:
    """Keep one second's figures; ``at`` in seconds since the epoch."""
    connection.execute(
        "INSERT OR REPLACE INTO meter (run_id, at, figures) VALUES (?, ?, ?)",
        (run_id, at, json.dumps(figures)),
    )


def series(connection: sqlite3.Connection, run_id: int) -> list[tuple[float, dict[str, Any]]]:
    """All kept figures of a run in the order of time."""
    found = connection.execute(
        "SELECT at, figures FROM meter WHERE run_id = ? ORDER BY at", (run_id,)
    )
    return [(at, json.loads(figures)) for at, figures in found]
