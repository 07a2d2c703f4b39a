"""A desk for page tests: everything asked is carried out at once, without a second thread.

The Session is real and lives on a loop that turns only while something is asked, or while a test
calls ``spin``.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from batchdesk.domain.task import RunState
from batchdesk.gui.desk import Desk
from batchdesk.session import Event
from batchdesk.settings import Settings


class FakeEngine:
    """Turns its own loop until an asked coroutine is done; events are heard in between.

    With ``at_once`` off, what is asked waits for ``spin``, so that a test can look at the window
    while it is under way, and call it off.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.at_once = True
        self.calls = 0
        self._later: set[asyncio.Task[Any]] = set()
        self._errors: list[BaseException] = []
        self._heard: deque[tuple[Callable[[Event], None], Event]] = deque()

    async def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        self.calls += 1
        if self.loop.is_running():
            return await work
        return self.loop.run_until_complete(work)

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any] | None:
        if not self.at_once:
            task = self.loop.create_task(work)
            self._later.add(task)
            task.add_done_callback(self._ended)
            return task
        try:
            work.send(None)
        except StopIteration:
            self._deliver()
            return None
        raise AssertionError("the desk awaited something that the fake engine cannot wait for")

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._later.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._errors.append(error)

    def listener(self, hear: Callable[[Event], None]) -> Callable[[Event], None]:
        return lambda event: self._heard.append((hear, event))

    def spin(self, seconds: float) -> None:
        """Let runs that are under way go on for a while."""
        self.loop.run_until_complete(asyncio.sleep(seconds))
        self._deliver()
        if self._errors:
            raise self._errors.pop()

    def spin_until(self, done: Callable[[], object], timeout_s: float = 20.0) -> None:
        """Let runs go on until something holds."""
        give_up_at = time.monotonic() + timeout_s
        while not done():
            assert time.monotonic() < give_up_at, f"not within {timeout_s} s"
            self.spin(0.02)

    def _deliver(self) -> None:
        while self._heard:
            hear, event = self._heard.popleft()
            hear(event)


class FakeDesk(Desk):
    """A Desk on a FakeEngine. Call ``open`` with a path; call ``shut`` at the end of the test."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.engine = FakeEngine()
        self.heard: list[RunState] = []  # filled by the fixture that prepares a run
        super().__init__(self.engine, settings or Settings())

    def open(self, path: Path) -> None:
        """Open or make a project."""
        self.engine.start(self.open_project(path, create=True))

    def import_table(self, path: Path, key: str | None = None) -> None:
        """Import a table and choose it."""
        assert self.session is not None
        dataset = self.engine.loop.run_until_complete(
            self.session.import_table(path, key_column=key)
        )
        self.choose_dataset(dataset)

    def shut(self) -> None:
        """Close the project and the loop."""
        self.engine.start(self.close_project())
        self.engine.loop.run_until_complete(self.engine.loop.shutdown_default_executor())
        self.engine.loop.close()
