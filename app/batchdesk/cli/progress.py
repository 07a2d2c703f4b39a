"""The progress line: rewritten in place on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from typing import TextIO

from batchdesk.cli.limit_words import hold_words
from batchdesk.cli.words import duration
from batchdesk.domain.snapshot import Advice, Snapshot
from batchdesk.domain.task import TaskState

_LINE_EVERY_S = 5.0


class ProgressLine:
    """Shows snapshots on a stream, standard error by default.

    Attributes:
        advice: The latest there was.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._in_place = self._stream.isatty()
        self._shown_at = float("-inf")
        self._open = False
        self.advice: tuple[Advice, ...] = ()

    def importing(self, share: float) -> None:
        """How much of the table has been read."""
        self._show(f"reading the table: {share:.0%}")

    def snapshot(self, snapshot: Snapshot) -> None:
        """Where the run stands."""
        self.advice = snapshot.advice or self.advice
        self._show(line_of(snapshot))

    def end(self) -> None:
        """Leave the line as it is and go to the next."""
        if self._open:
            self._write("\n")
            self._open = False

    def _show(self, text: str) -> None:
        if self._in_place:
            width = shutil.get_terminal_size().columns - 1
            self._write("\r" + text[:width].ljust(width))
            self._open = True
        elif time.monotonic() - self._shown_at >= _LINE_EVERY_S:
            self._shown_at = time.monotonic()
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # nobody looks any more; the run goes on
            self._stream.write(text)
            self._stream.flush()


def line_of(snapshot: Snapshot) -> str:
    """Counts, rate, time left, and what holds the run back."""
    counts = snapshot.counts
    parts = [f"{snapshot.done:,} of {snapshot.total:,}"]
    for state, word in (
        (TaskState.PASSED, "passed"),
        (TaskState.REVIEW, "review"),
        (TaskState.DEAD, "dead"),
        (TaskState.WAITING, "waiting"),
        (TaskState.SKIPPED, "skipped"),
    ):
        if counts.get(state) or state is TaskState.PASSED:
            parts.append(f"{word} {counts.get(state, 0):,}")
    parts.append(f"{snapshot.finished_per_s:.1f}/s")
    if snapshot.eta_s is not None and snapshot.done < snapshot.total:
        parts.append(f"{duration(snapshot.eta_s)} left")
    if (hold := hold_words(snapshot)) != "":
        parts.append(hold)
    return " · ".join(parts)
