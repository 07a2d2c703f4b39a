"""The Runs page: the first start while there is nothing, then all runs of the project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget

from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import RunState
from batchdesk.gui.desk import Desk
from batchdesk.gui.desk_files import TABLE_SUFFIXES, files_of
from batchdesk.gui.pages.runs_cards import dropped_file
from batchdesk.gui.pages.runs_details import DetailsPanel
from batchdesk.gui.pages.runs_list import (
    DONE,
    FAILED,
    NAME,
    PASSED,
    PROGRESS,
    RATE,
    REVIEW,
    STATE,
    RunsModel,
)
from batchdesk.gui.pages.runs_start import StartView
from batchdesk.gui.theme import ROW_TWO_H
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.folder_dialog import ask_folder
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import PROJECT_SUFFIX, StoredJob

_START, _LIST = range(2)
_WIDTHS = {PROGRESS: 180, DONE: 84, PASSED: 84, REVIEW: 76, FAILED: 76, RATE: 100, STATE: 176}
_HALTED = (RunState.PAUSED, RunState.STOPPED, RunState.READY)


class RunsPage(Page):
    """Home: all runs of the project, or how to begin.

    Args:
        desk: What is shown and asked.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("Runs")
        self.head.set_title(self.tr("Runs"))
        self.setAcceptDrops(True)
        self._desk, self._files = desk, files_of(desk)
        words = Words(self)
        self.new_run = Button(self.tr("New run"), Kind.PRIMARY, icon="plus")
        self.head.add_tool(self.new_run)
        self.start = StartView(desk, self._files, words)
        self.model = RunsModel(words)
        self.table = TableView(ROW_TWO_H)
        self.table.setAccessibleName(self.tr("Runs of this project"))
        self.table.setModel(self.model)
        self.table.set_columns(_WIDTHS, stretch=(NAME,))
        self.details = DetailsPanel(desk, words)
        self.folder_dialog: QFileDialog | None = None
        self._to_select = desk.run_id or 0  # as soon as it is in the list
        self._stack = QStackedWidget()
        for part in (self.start, self._splitter()):
            self._stack.addWidget(part)
        self.column.addWidget(self._stack, 1)
        self._connect()
        self._show_project()

    def help_text(self) -> str:
        """See Page."""
        return self.tr(
            "All runs of this project. Enter or a double click opens a run; the panel below says "
            "how the selected run stands and what can be done. Without a project, begin with a "
            "sample or with your own file."
        )

    def commands(self) -> Sequence[Command]:
        """See Page."""
        return (
            Command(self.tr("Open a file…"), self.choose_file, self.tr("Ctrl Shift O")),
            Command(self.tr("Open a folder of documents…"), self.choose_folder),
            Command(self.tr("New run"), self._new_run, "", lambda: self._desk.session is not None),
            Command(self.tr("Resume the run"), self._resume, "", self._can_resume),
            Command(self.tr("Pause the run"), self._pause, "", self._can_pause),
        )

    def shown(self) -> None:
        """See Page."""
        self._desk.refresh_runs()
        place = self._stack.currentIndex()
        self.table.setFocus() if place == _LIST else self.start.focus_first()

    def choose_file(self) -> None:
        """Let the person choose a table or a project."""
        dialog = QFileDialog(self, self.tr("Open a file"), str(Path.home()))
        patterns = " ".join(f"*{suffix}" for suffix in (*TABLE_SUFFIXES, PROJECT_SUFFIX))
        named = self.tr("Tables and projects ({0})").format(patterns)
        dialog.setNameFilters([named, self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self._files.open_any(Path(name)))
        dialog.open()

    def choose_folder(self) -> None:
        """Let the person choose a folder of documents."""
        title = self.tr("Open a folder of documents")
        self.folder_dialog = ask_folder(self, title, self._files.open_any)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            self._files.open_any(path)

    # -- parts ------------------------------------------------------------------------------

    def _splitter(self) -> QSplitter:
        runs = Panel(flush=True)
        runs.add(self.table, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(runs)
        splitter.addWidget(self.details)
        splitter.setStretchFactor(0, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(12)
        splitter.setSizes([430, 250])
        return splitter

    def _connect(self) -> None:
        desk = self._desk
        self.new_run.clicked.connect(self._new_run)
        self.start.new_run.clicked.connect(self._new_run)
        self.start.choose_file.connect(self.choose_file)
        self.start.choose_folder.connect(self.choose_folder)
        self.table.current_row.connect(self._show_details)
        self.table.opened.connect(self._open)
        self.details.open_wanted.connect(lambda: self._open(self.table.currentIndex()))
        desk.project_changed.connect(self._show_project)
        desk.dataset_changed.connect(self._show_what_there_is)
        desk.runs_changed.connect(self._show_runs)
        desk.run_changed.connect(self._select)
        desk.snapshot.connect(self._show_snapshot)
        shortcut = QShortcut(QKeySequence("Ctrl+Shift+O"), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.choose_file)

    # -- showing ----------------------------------------------------------------------------

    def _show_project(self) -> None:
        self.start.show_recent()
        self._show_runs()

    def _show_runs(self) -> None:
        live = {
            run_id: snapshot
            for run_id, snapshot in self._desk.snapshots.items()
            if run_id in self._desk.under_way
        }
        chosen = self._to_select or self._chosen_id() or self._desk.run_id
        self._to_select = 0
        self.model.set_runs(self._desk.runs, live)
        self._show_what_there_is()
        if not self._desk.runs:
            return
        self.table.select_row(max(0, self.model.row_of(chosen)))
        self._show_details(self.table.currentIndex().row())
        self._desk.ask(lambda session: session.jobs(), self._take_jobs)

    def _select(self, run_id: int) -> None:
        row = self.model.row_of(run_id)
        self._to_select = run_id if row < 0 else 0
        self.table.select_row(row)

    def _show_what_there_is(self) -> None:
        desk = self._desk
        place = _LIST if desk.runs else _START
        self.start.show_project(desk.dataset)
        self._stack.setCurrentIndex(place)
        self.head.setVisible(place != _START)
        self.new_run.setVisible(place == _LIST)
        under_way = len(desk.under_way)
        parts = [self.tr("%Ln run(s)", "", len(desk.runs))]
        if under_way:
            parts.append(self.tr("%Ln under way", "", under_way))
        self.head.set_subtitle(" · ".join(parts) if desk.runs else "")

    def _take_jobs(self, jobs: list[StoredJob]) -> None:
        self.model.set_versions({job.id: job.version for job in jobs})
        self._show_details(self.table.currentIndex().row())

    def _show_details(self, row: int) -> None:
        summary = self.model.summary(row)
        self.details.setVisible(summary is not None)
        if summary is not None:
            figures = self.model.figures(row)
            self.details.show_run(summary, figures, self.model.second_line(row))

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        row = self.model.row_of(snapshot.run_id)
        if row >= 0:
            self.model.show_snapshot(snapshot)
            self.details.show_snapshot(snapshot, self.model.figures(row))

    # -- acting -----------------------------------------------------------------------------

    def _chosen_id(self) -> int | None:
        summary = self.model.summary(self.table.currentIndex().row())
        return summary.run.id if summary else None

    def _open(self, index: QModelIndex) -> None:
        summary = self.model.summary(index.row())
        if summary is not None:
            self._desk.choose_run(summary.run.id)
            self._desk.go_to.emit("run")

    def _new_run(self) -> None:
        self._desk.go_to.emit("data" if self._desk.dataset is None else "prompt")

    def _state(self) -> RunState | None:
        row = self.table.currentIndex().row()
        return self.model.figures(row).state if self.model.summary(row) else None

    def _can_resume(self) -> bool:
        return self._state() in _HALTED

    def _can_pause(self) -> bool:
        return self._state() is RunState.RUNNING

    def _resume(self) -> None:
        run_id = self._chosen_id()
        if run_id is not None:
            self._desk.resume(run_id)

    def _pause(self) -> None:
        run_id = self._chosen_id()
        if run_id is not None:
            self._desk.pause(run_id)
