"""Collects cyclic garbage on the window's thread only, and little of it while something is busy.

Python collects in whichever thread allocates; a widget that dies on the engine's thread takes the
program with it. And a collection of everything goes through each module, class and widget, which
takes 70 ms: during a run or an import the window must not stop so long.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

_LOOK_EVERY_MS = 100
_EVERYTHING_EVERY_S = 60.0


class Garbage(QObject):
    """Takes over from Python's own collections for as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._busy = False
        self._everything_at = time.monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        gc.disable()
        self._timer.start(_LOOK_EVERY_MS)

    def shorten(self, *, wanted: bool) -> None:
        """Spare what was there before while something is under way; said twice changes nothing."""
        if wanted and not self._busy:
            gc.freeze()
        elif self._busy and not wanted:
            gc.unfreeze()
        self._busy = wanted

    def look(self) -> None:
        """Collect what is due by Python's own thresholds, the oldest at most once a minute."""
        due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        now = time.monotonic()
        if due[2] and now - self._everything_at >= _EVERYTHING_EVERY_S:
            self._everything_at = now
            gc.collect()
        elif due[1]:
            gc.collect(1)
        elif due[0]:
            gc.collect(0)
