"""The live part of the Run page: four panels above the lower panel.

It knows which moment is read: now, or the one that the slider or the pointer stands at.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSplitter, QVBoxLayout, QWidget

from batchdesk.gui.pages.run_below import BelowPanel
from batchdesk.gui.pages.run_failures import FailuresPanel, LatencyPanel
from batchdesk.gui.pages.run_limit import LimitPanel
from batchdesk.gui.pages.run_panels import Look
from batchdesk.gui.pages.run_queue import QueuePanel
from batchdesk.gui.theme import GRID
from batchdesk.gui.widgets.chart_base import Chart
from batchdesk.gui.words import Words


class LivePanels(QWidget):
    """Queue, latency, failures and limit, two by two, and the lower panel."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.queue = QueuePanel(words)
        self.latency = LatencyPanel(words)
        self.failures = FailuresPanel(words)
        self.limit = LimitPanel(words)
        self.below = BelowPanel(words)
        self.flights = self.below.flights
        self._charts: tuple[Chart, ...] = (
            self.queue.chart,
            self.latency.chart,
            self.failures.chart,
            self.limit.chart,
        )
        self._panels = (self.queue, self.latency, self.failures, self.limit)
        self._look: Look | None = None
        self._advice = ""
        self._at: float | None = None  # where the slider stands
        self._pointed: float | None = None  # where the pointer is; it goes before
        panels = QWidget()
        grid = QGridLayout(panels)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID)
        for number, panel in enumerate(self._panels):
            panel.setMinimumSize(300, 150)
            grid.addWidget(panel, number // 2, number % 2)
            grid.setColumnStretch(number % 2, 1)
            grid.setRowStretch(number // 2, 1)
        for number, chart in enumerate(self._charts):
            chart.draw_in_turn(number, len(self._charts))
            chart.pointed.connect(self.point_at)
        self.below.moved.connect(self.read_at)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(GRID)
        split.addWidget(panels)
        split.addWidget(self.below)
        split.setStretchFactor(0, 1)
        split.setSizes([380, 180])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)

    @property
    def at(self) -> float | None:
        """The moment that is read, seconds since the epoch; None: now."""
        return self._at if self._pointed is None else self._pointed

    def refresh(self, look: Look, advice: str = "") -> None:
        """Show a run; ``advice``: what would help, in words."""
        self._look, self._advice = look, advice
        self._show()

    def read_at(self, at: float | None) -> None:
        """Read the figures of a moment; None: of now."""
        self._at = at
        self._show()

    def point_at(self, at: float | None) -> None:
        """Read the figures of the moment under the pointer, until it leaves."""
        self._pointed = at
        self._show()

    def _show(self) -> None:
        for chart in self._charts:
            chart.set_cursor(self.at)
        if self._look is None:
            return
        look = replace(self._look, at=self.at)
        for panel in self._panels:
            panel.refresh(look)
        self.below.refresh(look, self._advice)

    def forget(self) -> None:
        """Another run follows."""
        self._look, self._at, self._pointed = None, None, None
        self.failures.forget()
        self.below.forget()
        for chart in self._charts:
            chart.set_cursor(None)
