"""Why a run pauses by itself: the first cause that comes up, in a kind and a message.

In come causes that a row met and faults on our own side; a bug is logged with its stack.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from batchdesk.domain.task import ErrorKind
from batchdesk.errors import StorageFullError, UserError

_log = logging.getLogger(__name__)


def told_to_wait(until: float, now: float, said: str) -> str:
    """The message of a service that asks to wait: until when by this computer's clock, its words.

    Args:
        until: When to come again, epoch seconds.
        now: Epoch seconds.
    """
    when, today = (datetime.fromtimestamp(at, UTC).astimezone() for at in (until, now))
    time = f"{when:%H:%M}" if when.date() == today.date() else f"{when:%Y-%m-%d %H:%M}"
    return f"{time} · {said}" if said else time


class PauseCause:
    """The cause of one run; later ones do not replace the first.

    Args:
        on_cause: Is called whenever one comes up.
    """

    def __init__(self, run_id: int, on_cause: Callable[[], None]) -> None:
        self._run_id = run_id
        self._on_cause = on_cause
        self.first: tuple[ErrorKind, str] | None = None

    def met(self, kind: ErrorKind, message: str) -> None:
        """Something that no further request would survive."""
        self.first = self.first or (kind, message)
        self._on_cause()

    def met_error(self, error: BaseException) -> None:
        """A fault on our own side."""
        self.met(*self.of(error))

    def of(self, error: BaseException) -> tuple[ErrorKind, str]:
        """A fault on our own side as a cause."""
        if isinstance(error, StorageFullError):
            return ErrorKind.STORAGE_FULL, str(error)
        if not isinstance(error, UserError):
            _log.error("a bug paused run %s", self._run_id, exc_info=error)
        return ErrorKind.INTERNAL, str(error) or type(error).__name__
