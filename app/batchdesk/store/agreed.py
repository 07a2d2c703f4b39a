"""What a person agreed to send to another computer, once for each address."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """What may go to an address without asking again.

    Attributes:
        columns: The columns whose texts may go there.
        masked: Column → what stood masked in it then.
    """

    columns: frozenset[str]
    masked: Mapping[str, frozenset[str]]


def agreement(connection: sqlite3.Connection, address: str) -> Agreement | None:
    """What was agreed for an address; None if nothing was."""
    found = connection.execute(
        "SELECT columns, masked FROM agreed WHERE address = ?", (address,)
    ).fetchone()
    if found is None:
        return None
    masked = {column: frozenset(kinds) for column, kinds in json.loads(found[1]).items()}
    return Agreement(frozenset(json.loads(found[0])), masked)


def agree(
    connection: sqlite3.Connection,
    address: str,
    columns: Collection[str],
    masked: Mapping[str, Collection[str]],
    at: float,
) -> None:
    """Keep what was agreed, in place of what was agreed before; ``at`` in epoch seconds."""
    kinds = {column: sorted(found) for column, found in masked.items()}
    connection.execute(
        "INSERT OR REPLACE INTO agreed (address, columns, masked, agreed_at) VALUES (?, ?, ?, ?)",
        (
            address,
            json.dumps(sorted(columns), ensure_ascii=False),
            json.dumps(kinds, ensure_ascii=False),
            at,
        ),
    )
