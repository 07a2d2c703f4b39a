"""How late the window's own timer is: the measure of its smoothness."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer


class Lateness(QObject):
    """Milliseconds by which each tick of a 10 ms timer came late."""

    def __init__(self):
        super().__init__()
        self.found = []
        self._before = time.perf_counter()
        self._timer = QTimer(self, interval=10, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self):
        now = time.perf_counter()
        self.found.append(max(0.0, (now - self._before) * 1000 - 10))
        self._before = now

    def take(self):
        """p50, p99 and the largest since the last call."""
        found, self.found = sorted(self.found), []
        last = len(found) - 1
        if not found:
            return [0.0, 0.0, 0.0]
        return [found[last // 2], found[last * 99 // 100], found[-1]]
