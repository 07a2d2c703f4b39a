"""One line of figures a second and run, and every change of a limit, for looking at it later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason


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


def latest(connection: sqlite3.Connection, run_id: int) -> dict[str, Any]:
    """The last kept figures of a run, and ``at`` of ``add``; empty before the first."""
    found = connection.execute(
        "SELECT at, figures FROM meter WHERE run_id = ? ORDER BY at DESC LIMIT 1", (run_id,)
    ).fetchone()
    return {"at": found[0], **json.loads(found[1])} if found else {}


def add_limit_changes(
    connection: sqlite3.Connection, run_id: int, changes: Sequence[LimitChange]
) -> None:
    """Keep changes of the gate; ``at`` in seconds since the epoch."""
    connection.executemany(
        "INSERT INTO limit_change (run_id, at, what, old, new, reason) VALUES (?, ?, ?, ?, ?, ?)",
        [(run_id, one.at, one.what, one.old, one.new, one.reason) for one in changes],
    )


def limit_changes(connection: sqlite3.Connection, run_id: int) -> list[LimitChange]:
    """All kept changes of a run's limits, in the order in which they were kept."""
    found = connection.execute(
        "SELECT at, what, old, new, reason FROM limit_change WHERE run_id = ? ORDER BY id",
        (run_id,),
    )
    return [
        LimitChange(at, LimitKind(what), old, new, LimitReason(reason))
        for at, what, old, new, reason in found
    ]
