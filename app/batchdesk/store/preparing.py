"""What preparing rows leaves in the project file: planned tasks, cleaned cells, masks.

The text of the file stays in ``row``. What a run's cleaning made of it stands beside, for the
columns that it changed. What masks stand for is one mapping for the whole project.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from batchdesk.domain.task import SkipReason, TaskState


@dataclass(frozen=True, slots=True)
class Planned:
    """One row of a run that is being made.

    Attributes:
        reason: Why it is not sent; None: it is.
        detail: Of a duplicate the id of the row it equals, of an unchanged row or one of the pilot
            the id of the task that has its answer, of a row that is too long its tokens.
        cleaned: The columns that cleaning changed, with their new text.
    """

    row_id: int
    reason: SkipReason | None = None
    detail: int | None = None
    cleaned: Mapping[str, str] | None = None


def add_planned(
    connection: sqlite3.Connection,
    run_id: int,
    planned: Sequence[Planned],
    masks: Mapping[str, str],
) -> None:
    """One task per row, its cleaned cells beside, and what the new masks in them stand for."""
    add_masks(connection, masks)
    connection.executemany(
        f"INSERT INTO task (run_id, row_id, state, reason, skip_detail)"
        f" VALUES ({run_id:d}, ?, ?, ?, ?)",
        [
            (
                one.row_id,
                TaskState.PENDING if one.reason is None else TaskState.SKIPPED,
                one.reason,
                one.detail,
            )
            for one in planned
        ],
    )
    connection.executemany(
        f"INSERT INTO cleaned (run_id, row_id, cells) VALUES ({run_id:d}, ?, ?)",
        [
            (one.row_id, json.dumps(one.cleaned, ensure_ascii=False))
            for one in planned
            if one.cleaned and one.reason is None
        ],
    )


def cleaned(
    connection: sqlite3.Connection, run_id: int, row_ids: Collection[int]
) -> dict[int, dict[str, str]]:
    """Row id → the columns that cleaning changed for this run; rows without are left out."""
    found = connection.execute(
        "SELECT row_id, cells FROM cleaned WHERE run_id = ?"
        " AND row_id IN (SELECT value FROM json_each(?))",
        (run_id, json.dumps(list(row_ids))),
    )
    return {row_id: json.loads(cells) for row_id, cells in found}


def masks(connection: sqlite3.Connection, tokens: Collection[str] | None = None) -> dict[str, str]:
    """Token → what it stands for: of these tokens, or of all."""
    if tokens is None:
        return dict(connection.execute("SELECT token, value FROM mask"))
    return dict(
        connection.execute(
            "SELECT token, value FROM mask WHERE token IN (SELECT value FROM json_each(?))",
            (json.dumps(list(tokens)),),
        )
    )


def add_masks(connection: sqlite3.Connection, found: Mapping[str, str]) -> None:
    """Keep what new tokens stand for; a token never changes what it stands for."""
    connection.executemany("INSERT INTO mask (token, value) VALUES (?, ?)", list(found.items()))


# Answers that there is nothing to read in, told by the check that found it.
_UNREADABLE = (
    "SELECT 1 FROM result JOIN json_each(result.checks) AS found WHERE result.id = task.result_id"
    " AND found.value ->> 'outcome' = 'bad'"
    " AND (found.value ->> 'check' IN ('parsable', 'complete', 'filtered', 'misaligned')"
    " OR (found.value ->> 'check' = 'schema' AND found.value ->> 'code' = 'type'"
    " AND found.value ->> 'path' = ''))"
)
# An answer that need not be asked for again: a person may have accepted what no check could read.
_USABLE = (
    "task.result_id IS NOT NULL AND (task.state IN ('passed', 'accepted')"
    f" OR (task.state = 'review' AND NOT EXISTS ({_UNREADABLE})))"
)


def answered_in(
    connection: sqlite3.Connection, run_id: int, row_ids: Collection[int]
) -> dict[int, int]:
    """Row id → the task of a run that has a usable answer to it.

    Answers that a person rejected, or that nothing could be read in, are none.
    """
    found = connection.execute(
        "SELECT row_id, id FROM task WHERE run_id = ?"
        f" AND row_id IN (SELECT value FROM json_each(?)) AND {_USABLE}",
        (run_id, json.dumps(list(row_ids))),
    )
    return dict(found.fetchall())


def answered_alike(connection: sqlite3.Connection, versions: Mapping[int, str]) -> dict[int, int]:
    """Row id → the task that answered the same question about the row before it was imported again.

    The newest task decides: where its answer is not a usable one (see ``answered_in``), or it has
    none yet, an older one is not taken in its place.

    Args:
        versions: Row id → input version of the question that would be asked now.
    """
    found = connection.execute(
        "SELECT newest.key, task.id FROM"
        " (SELECT wanted.key AS key, max(task.id) AS id FROM json_each(?) AS wanted"
        " JOIN carried AS now ON now.row_id = CAST(wanted.key AS INTEGER)"
        " JOIN task ON task.input_version = wanted.value"
        " LEFT JOIN carried AS then_ ON then_.row_id = task.row_id"
        " WHERE coalesce(then_.origin_id, task.row_id) = now.origin_id"
        " GROUP BY wanted.key) AS newest"
        f" JOIN task ON task.id = newest.id WHERE {_USABLE}",
        (json.dumps({str(row_id): version for row_id, version in versions.items()}),),
    )
    return {int(row_id): task_id for row_id, task_id in found}
