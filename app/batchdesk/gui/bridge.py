"""The two event loops and the way between them.

The window's loop is qasync; the Session and every run live on an asyncio loop of their own in one
thread, so that the window stays smooth while rows are rendered, parsed and checked. Calls go down
with ``run_coroutine_threadsafe``; events come up through one queue that is emptied on the window's
loop. Only this module knows which loop is which.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

os.environ.setdefault("QT_API", "pyside6")

import qasync
from PySide6.QtWidgets import QApplication

from batchdesk.runtime import loop_factory
from batchdesk.session import Event

T = TypeVar("T")

_TURN_S = 0.001  # Python's own 5 ms are felt: painting gives the interpreter away at each Qt call


class EngineThread:
    """A thread with an asyncio loop on which everything below the window runs."""

    def __init__(self) -> None:
        sys.setswitchinterval(_TURN_S)  # how long the window may wait for this thread
        factory = loop_factory() or asyncio.new_event_loop
        self.loop = factory()
        self._thread = threading.Thread(target=self._work, name="batchdesk-engine", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    async def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry out a coroutine on the engine's loop; awaited on the window's loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def close(self) -> None:
        """End the loop and the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()


class EventQueue:
    """Events from the engine's thread, handed over on the window's loop in their order.

    Args:
        loop: The window's loop.
        hear: Is called on the window's loop with each event.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, hear: Callable[[Event], None]) -> None:
        self._loop = loop
        self._hear = hear
        self._events: deque[Event] = deque()
        self._lock = threading.Lock()
        self._woken = False

    def put(self, event: Event) -> None:
        """Called on the engine's loop: one wake-up however many events gather."""
        with self._lock:
            self._events.append(event)
            if self._woken:
                return
            self._woken = True
        self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        with self._lock:
            events = list(self._events)
            self._events.clear()
            self._woken = False
        for event in events:
            self._hear(event)


class Tasks:
    """Owns coroutines of the window's loop, since qasync keeps no strong reference to them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a coroutine and keep hold of it until it ends."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel what is still under way, except the caller."""
        others = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def window_loop(application: QApplication) -> qasync.QEventLoop:
    """The loop that drives the window."""
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    return loop
