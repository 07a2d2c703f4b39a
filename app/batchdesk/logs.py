"""Log files of this process: what went wrong, and one line for every attempt.

Loggers hand their records to a queue; a thread writes them, so that no disk holds up the loop. A
log that cannot be written is given up in silence: it must never cost a run. In comes the folder,
out go ``batchdesk.log`` (warnings and errors) and ``attempts.jsonl``, each kept to a few megabytes.
"""

from __future__ import annotations

import contextlib
import logging
import queue
from collections.abc import Iterator
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path

ATTEMPTS = "batchdesk.attempts"  # the logger of attempts; its messages are JSON
_BYTES = 5_000_000
_OLD_FILES = 3
_MOST_QUEUED = 10_000  # records; what comes beyond them is dropped


class _File(RotatingFileHandler):
    """Goes on in the same file where another process keeps it from being renamed."""

    def doRollover(self) -> None:  # noqa: N802 - the name is logging's
        with contextlib.suppress(OSError):
            super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """A full disk or a folder without permission: the line is lost."""


class _Queue(QueueHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """The disk does not keep up: the line is lost."""


@contextlib.contextmanager
def open_logs(folder: Path) -> Iterator[None]:
    """Write logs into a folder until left; warnings are told on standard error as well."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    general, attempts = logging.getLogger("batchdesk"), logging.getLogger(ATTEMPTS)
    written = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    with (
        _written(general, folder / "batchdesk.log", written, logging.WARNING),
        _written(attempts, folder / "attempts.jsonl", "%(message)s", logging.INFO),
    ):
        told, level, passed_on = logging.lastResort, attempts.level, attempts.propagate
        attempts.setLevel(logging.INFO)
        attempts.propagate = False
        if told is not None:
            general.addHandler(told)
        try:
            yield
        finally:
            attempts.setLevel(level)
            attempts.propagate = passed_on
            if told is not None:
                general.removeHandler(told)


@contextlib.contextmanager
def _written(logger: logging.Logger, path: Path, line: str, level: int) -> Iterator[None]:
    """Let a thread write a logger's records into a file."""
    file = _File(path, maxBytes=_BYTES, backupCount=_OLD_FILES, encoding="utf-8", delay=True)
    file.setFormatter(logging.Formatter(line))
    records: queue.Queue[logging.LogRecord] = queue.Queue(_MOST_QUEUED)
    handler = _Queue(records)
    handler.setLevel(level)
    listener = QueueListener(records, file)
    listener.start()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        _stop(listener, records)
        file.close()


def _stop(listener: QueueListener, records: queue.Queue[logging.LogRecord]) -> None:
    """Write what is queued, then end the thread; a full queue must not keep it from hearing so."""
    while True:
        try:
            listener.stop()
        except queue.Full:
            with contextlib.suppress(queue.Empty):
                records.get_nowait()
        else:
            return
