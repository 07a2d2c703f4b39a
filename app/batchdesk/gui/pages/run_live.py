"""The live part of the Run page: four panels above the table of tasks under way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSplitter, QVBoxLayout, QWidget

from batchdesk.domain.task import TaskState
from batchdesk.gui.models.flights import DOING, ROW, STATE, TRY, WAITED, FlightsModel
from batchdesk.gui.models.history import History
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.pages.run_failures import FailuresPanel, LatencyPanel
from batchdesk.gui.pages.run_panels import LimitPanel, QueuePanel
from batchdesk.gui.theme import GRID, ROW_DENSE_H
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words


class FlightsPanel(Panel):
    """Tasks under way and what each waits for."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", flush=True, parent=parent)
        self.set_title(self.tr("Tasks in flight"))
        self._words = words
        self._due = False
        self.model = FlightsModel(words, self)
        self.table = TableView(ROW_DENSE_H)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Tasks in flight"))
        self.table.set_columns({ROW: 130, STATE: 130, WAITED: 90, TRY: 60}, (DOING,))
        self.add(self.table, 1)

    def refresh(self, facts: RunFacts) -> None:
        """Show a run as it stands; nothing is under way while it rests."""
        words, snapshot = self._words, facts.snapshot
        running = facts.is_running and snapshot is not None
        self._due = not running or not self._due
        if not self._due:
            return  # every second time: painting the table is the dearest part of the page
        self.model.show_tasks(snapshot.tasks if running and snapshot else ())
        if running and snapshot:
            subtitle = self.tr("{0} in flight, {1} to retry").format(
                words.number(snapshot.in_flight), words.number(facts.count(TaskState.WAITING))
            )
        else:
            subtitle = self.tr("none in flight; %Ln row(s) wait", "", facts.open)
        self.set_subtitle(subtitle)


class LivePanels(QWidget):
    """Queue, latency, failures and limit, two by two, and the tasks below them."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.queue = QueuePanel(words)
        self.latency = LatencyPanel(words)
        self.failures = FailuresPanel(words)
        self.limit = LimitPanel(words)
        self.flights = FlightsPanel(words)
        panels = QWidget()
        grid = QGridLayout(panels)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID)
        for number, panel in enumerate((self.queue, self.latency, self.failures, self.limit)):
            panel.setMinimumSize(300, 150)
            grid.addWidget(panel, number // 2, number % 2)
            grid.setColumnStretch(number % 2, 1)
            grid.setRowStretch(number // 2, 1)
        charts = (self.queue.chart, self.latency.chart, self.failures.chart, self.limit.chart)
        for number, chart in enumerate(charts):
            chart.draw_in_turn(number, len(charts))
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(GRID)
        split.addWidget(panels)
        split.addWidget(self.flights)
        split.setStretchFactor(0, 1)
        split.setSizes([380, 180])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)

    def refresh(self, history: History, facts: RunFacts) -> None:
        """Show a run as it stands."""
        self.queue.refresh(history, facts)
        self.latency.refresh(history, facts)
        self.failures.refresh(history, facts)
        self.limit.refresh(history, facts)
        self.flights.refresh(facts)

    def forget(self) -> None:
        """Another run follows."""
        self.failures.forget()
        self.flights.model.show_tasks(())
