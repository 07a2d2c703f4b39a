"""Removes, a little at a time, the rows of imports that were called off and of tables that went.

Readers have not seen them since they were abandoned; only their space is given back here. Each
step is a short write of its own, so the answers of a run that is under way are written in between.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial

from batchdesk.errors import ProjectError
from batchdesk.store import rows
from batchdesk.store.writer import Writer

STEP_ROWS = 2000


class Cleaner:
    """Cleans in the background, on the loop that calls ``start``."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._task: asyncio.Task[None] | None = None
        self._wanted = False

    def start(self) -> None:
        """There is something to remove."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._clean())

    async def finished(self) -> None:
        """Wait until nothing is left."""
        if self._task is not None:
            await self._task

    async def stop(self) -> None:
        """Leave the rest for the next time."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _clean(self) -> None:
        step = partial(rows.clear_abandoned, at_most=STEP_ROWS)
        with contextlib.suppress(ProjectError):  # a full disk, say: who writes next is told
            while self._wanted:
                self._wanted = False
                while await self._writer.upkeep(step):
                    pass
