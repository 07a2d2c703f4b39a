"""Dead letters of a project's runs: counted by kind, read, asked again, written to a table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from batchdesk import tables
from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.session.exporting import check_target
from batchdesk.store import bulk, dead
from batchdesk.store.bulk import Chosen
from batchdesk.store.dead import DeadKind, DeadLetter
from batchdesk.store.project import Project
from batchdesk.store.reviews import Move
from batchdesk.store.rows import Dataset

_OWN_COLUMNS = (
    "batchdesk.row",
    "batchdesk.error_kind",
    "batchdesk.error_message",
    "batchdesk.attempts",
    "batchdesk.response",
)
_CHUNK_ROWS = 1000


class DeadLetters:
    """The dead letters of one project.

    Args:
        on_move: Told of the tasks that go back to the file: a run under way looks for them.
    """

    def __init__(self, project: Project, on_move: Callable[[Move], None]) -> None:
        self._project = project
        self._on_move = on_move

    async def kinds(self, run_id: int) -> Mapping[ErrorKind, DeadKind]:
        """How many of which kind, the most frequent first, and what was said last."""
        return await self._project.read(partial(dead.kinds, run_id=run_id))

    async def page(
        self, run_id: int, *, kind: ErrorKind | None, after_id: int, count: int
    ) -> list[DeadLetter]:
        """The next dead letters by task id."""
        read = partial(dead.letters_after, run_id=run_id, kind=kind, after_id=after_id, count=count)
        return await self._project.read(read)

    async def rerun(
        self,
        run_id: int,
        *,
        task_ids: Collection[int] | None,
        kind: ErrorKind | None,
        reviewer: str,
    ) -> int:
        """Put dead letters back to be asked again, in one commit; returns how many."""
        chosen = Chosen(
            run_id, TaskState.DEAD, task_ids=task_ids, kinds=None if kind is None else [kind]
        )
        decide = partial(
            bulk.decide_many,
            chosen=chosen,
            decision=Decision.RERUN,
            note=None,
            reviewer=reviewer,
            at=time.time(),
        )
        count = len(await self._project.writer.run(decide))
        if count:
            self._on_move(Move(run_id, TaskState.DEAD, TaskState.PENDING, count))
        return count

    async def export(
        self,
        run_id: int,
        dataset: Dataset,
        target: Path,
        *,
        kind: ErrorKind | None,
        overwrite: bool,
    ) -> int:
        """Write dead letters to a file; returns how many. See ``exporting.check_target``."""
        write = partial(self._export, run_id, dataset, target, kind, overwrite=overwrite)
        return await asyncio.to_thread(write)

    def _export(
        self,
        run_id: int,
        dataset: Dataset,
        target: Path,
        kind: ErrorKind | None,
        *,
        overwrite: bool,
    ) -> int:
        check_target(self._project, dataset, target, overwrite=overwrite)
        after, written = 0, 0
        with (
            self._project.frozen() as connection,
            tables.open_writer(target, [*dataset.columns, *_OWN_COLUMNS]) as writer,
        ):
            while page := dead.letters_after(connection, run_id, kind, after, _CHUNK_ROWS):
                writer.write([_row(letter) for letter in page])
                after, written = page[-1].task_id, written + len(page)
        return written


def _row(letter: DeadLetter) -> dict[str, Any]:
    return {
        **letter.cells,
        "batchdesk.row": letter.row_number,
        "batchdesk.error_kind": letter.kind.value,
        "batchdesk.error_message": letter.message,
        "batchdesk.attempts": letter.attempts,
        "batchdesk.response": letter.response,
    }
