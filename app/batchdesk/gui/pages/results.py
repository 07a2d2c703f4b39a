"""The Results page: what came of a run in figures, where answers differ from labels, every row.

It follows the run that the desk has chosen, also while that goes on: figures and the rows in view
are read again at most once a second, and what is selected stays. Export writes all rows to a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QSplitter, QVBoxLayout, QWidget

from batchdesk.domain.progress import to_do
from batchdesk.domain.task import ErrorKind, RunKind, RunState
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.rows import used_columns
from batchdesk.gui.pages.results_course import CoursePanel
from batchdesk.gui.pages.results_export import Exporting, masks
from batchdesk.gui.pages.results_facts import Group, Wanted
from batchdesk.gui.pages.results_quality import QualityPanel
from batchdesk.gui.pages.results_reading import Opened, Read, ResultsReader
from batchdesk.gui.pages.results_rows import RowsPanel
from batchdesk.gui.pages.results_tiles import ResultsTiles
from batchdesk.gui.theme import GRID, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.states import BadgeState, StateBadge
from batchdesk.gui.words import Words
from batchdesk.session import RunSummary, StoredRun

_BADGES = {
    RunState.PREPARING: BadgeState.WAITING,
    RunState.READY: BadgeState.WAITING,
    RunState.RUNNING: BadgeState.RUNNING,
    RunState.PAUSED: BadgeState.PAUSED,
    RunState.STOPPED: BadgeState.PAUSED,
    RunState.FINISHED: BadgeState.FINISHED,
}
_CHOOSER_W = 400
_CHOOSER_EDGE = 48  # arrow and margins
_UPPER_H, _ROWS_H = 224, 300


class ResultsPage(Page):
    """Shows the run that the desk has chosen.

    Args:
        desk: What is shown and asked.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.head.set_title(self.tr("Results"))
        self.head.setVisible(True)
        self._desk = desk
        self._words = Words(self)
        self._summary: RunSummary | None = None
        self._skipped: Mapping[str, int] | None = None
        self._changed: set[int] = set()  # tasks that are others since the last reading
        self.reader = ResultsReader(desk, self)
        self.exporting = Exporting(desk, self._words)
        self.tiles = ResultsTiles(self._words)
        self.quality = QualityPanel(self._words)
        self.course = CoursePanel(self._words)
        self.rows = RowsPanel(desk, self._words)
        self._target = "runs"
        self._make_head()
        self._lay_out()
        self._listen()
        self.reader.open(desk.run_id)

    def _make_head(self) -> None:
        self.chooser = QComboBox()
        self.chooser.setAccessibleName(self.tr("Run"))
        self.chooser.setFixedWidth(theme().px(_CHOOSER_W))
        self.chooser.activated.connect(
            lambda _row: self._desk.choose_run(self.chooser.currentData())
        )
        self.badge = StateBadge(BadgeState.WAITING, "", turning=True)
        self.head.add_badge(self.chooser)
        self.head.add_badge(self.badge)
        self.export_button = Button(self.tr("Export…"), Kind.PRIMARY, icon="download-simple")
        self.export_button.clicked.connect(lambda _checked=False: self.export())
        self.unmask = QCheckBox(self.tr("Undo masks"))
        self.unmask.setToolTip(
            self.tr(
                "Exported answers, and the answer of a row in full, have what was masked instead "
                "of marks such as [PHONE_1]."
            )
        )
        self.unmask.setChecked(True)
        self.unmask.toggled.connect(lambda undo: self._undo_masks(undo=undo))
        self.head.add_tool(self.unmask)
        self.head.add_tool(self.export_button)

    def _lay_out(self) -> None:
        upper = QSplitter(Qt.Orientation.Horizontal)
        lower = QSplitter(Qt.Orientation.Vertical)
        for splitter, parts in ((upper, (self.quality, self.course)), (lower, (upper, self.rows))):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(GRID)
            for part in parts:
                splitter.addWidget(part)
        upper.setStretchFactor(0, 11)
        upper.setStretchFactor(1, 10)
        upper.setSizes([550, 500])
        lower.setStretchFactor(1, 1)
        lower.setSizes([theme().px(_UPPER_H), theme().px(_ROWS_H)])
        self._whole = QWidget()
        column = QVBoxLayout(self._whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.exporting)
        column.addWidget(self.tiles)
        column.addWidget(lower, 1)
        self.empty = EmptyState("chart-bar", "", " ")
        self.empty.activated.connect(lambda: self._desk.go_to.emit(self._target))
        self.column.addWidget(self._whole, 1)
        self.column.addWidget(self.empty, 1)

    def _listen(self) -> None:
        desk = self._desk
        self.reader.opened.connect(self._opened)
        self.reader.read.connect(self._read)
        self.reader.nothing.connect(self._nothing)
        self.rows.wanted_changed.connect(self._wanted)
        self.quality.cell_selected.connect(self.show_cell)
        self.quality.go_to.connect(desk.go_to)
        self.course.kind_chosen.connect(self.show_kind)
        self.course.group_chosen.connect(self.show_group)
        self.exporting.busy_changed.connect(lambda _busy: self._allow())
        desk.project_changed.connect(self._project_changed)
        desk.run_changed.connect(lambda run_id: self.reader.open(run_id or None))
        desk.runs_changed.connect(self._runs_read)
        desk.tasks_changed.connect(self._tasks_changed)

    # -- what the window asks ---------------------------------------------------------------

    def help_text(self) -> str:
        """What the page is for."""
        return self.tr(
            "Here you see what came of a run: how many rows have an answer, how often answers are "
            "right where a label is known, and every row. A cell of the matrix or a failed kind "
            "shows its rows. Export writes all rows to a file, also while the run goes on."
        )

    def commands(self) -> Sequence[Command]:
        """Export, search, and all rows."""
        there = self.export_button.isEnabled
        return (
            Command(self.tr("Export the rows of the run…"), self.export, enabled=there),
            Command(self.tr("Search the rows of the run"), self.rows.search.setFocus),
            Command(self.tr("Show all rows of the run"), lambda: self.rows.want(Wanted())),
        )

    def shown(self) -> None:
        """The rows have the focus."""
        self.rows.table.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._summary is not None:  # reviewed, or gone on, while another page was shown
            self.rows.changed()
            self.reader.now()

    # -- commands ---------------------------------------------------------------------------

    def export(self) -> None:
        """Ask where to, then export."""
        if self._summary is not None and not self.exporting.busy:
            self.exporting.ask_where(self._summary.run)

    def export_to(self, path: Path) -> None:
        """Export the run to a file; its suffix decides the format."""
        if self._summary is not None:
            self.exporting.export(self._summary.run.id, path)

    def _undo_masks(self, *, undo: bool) -> None:
        self.exporting.unmask = undo
        self.rows.detail.undo_masks(undo=undo)

    def show_cell(self, label: str, answer: str) -> None:
        """Show the rows of a cell of the matrix; two empty words: no cell any more."""
        cell = (label, answer) if label or answer else (None, None)
        self.rows.want(self.rows.wanted().with_cell(*cell))

    def show_kind(self, kind: ErrorKind) -> None:
        """Show the rows that failed for this reason."""
        self.rows.want(Wanted(group=Group.FAILED, kind=kind))

    def show_group(self, group: Group) -> None:
        """Show the rows in these states."""
        self.rows.want(replace(Wanted(), group=group))

    # -- what comes in ----------------------------------------------------------------------

    def _opened(self, opened: Opened) -> None:
        job = opened.summary.run.job
        named = used_columns(job, opened.columns)
        used = [name for name in opened.columns if name in named] or list(opened.columns)
        self._skipped = opened.skipped
        self._changed.clear()
        self.quality.select_cell(None, None)
        self.rows.open(opened, used)
        self._show(opened.summary)

    def _read(self, read: Read) -> None:
        self._show(read.summary)
        self.rows.take_over(read.ids)
        if self._changed:
            changed, self._changed = self._changed, set()
            self.rows.changed(changed)

    def _wanted(self, wanted: Wanted) -> None:
        self.quality.select_cell(wanted.label, wanted.answer)
        self.reader.want(wanted)

    def _tasks_changed(self, run_id: int, ids: Sequence[int]) -> None:
        if run_id == self.reader.run_id and self.isVisible():
            self._changed.update(ids)
            self.reader.changed()

    def _runs_read(self) -> None:
        self._fill_chooser()
        if self._summary is None:
            self._show_empty()
        elif self.isVisible():
            self.reader.now()

    def _project_changed(self) -> None:
        if self._desk.session is None:
            self.reader.open(None)

    def _nothing(self) -> None:
        self._summary = None
        self._fill_chooser()
        self._show_empty()

    # -- what is shown ----------------------------------------------------------------------

    def _show(self, summary: RunSummary) -> None:
        self._summary = summary
        for widget in (self._whole, self.chooser, self.badge, self.export_button):
            widget.setVisible(True)
        self.empty.setVisible(False)
        run = summary.run
        self.unmask.setVisible(masks(run.job))
        self.rows.detail.undo_masks(undo=masks(run.job) and self.unmask.isChecked())
        self._fill_chooser()
        by_cause = run.state is RunState.PAUSED and run.cause is not None
        shape = BadgeState.CAUSE if by_cause else _BADGES[run.state]
        self.badge.set_state(shape, self._words.run_state(run.state, run.cause))
        self.tiles.refresh(summary)
        self.quality.refresh(summary)
        self.course.refresh(summary, self._skipped)
        self.rows.show_counts(summary.counts)
        self._allow()

    def _show_empty(self) -> None:
        head = (self.chooser, self.badge, self.export_button, self.unmask)
        for widget in (self._whole, *head):
            widget.setVisible(False)
        self.empty.setVisible(True)
        desk = self._desk
        if desk.run_id is not None:
            sentence, word = self.tr("The run is being read."), ""
        elif desk.session is None:
            sentence = self.tr("Open a project to see what came of its runs.")
            word, self._target = self.tr("Go to Runs"), "runs"
        else:
            sentence = self.tr("Nothing has been run yet. Write the prompt, try it, then run it.")
            word, self._target = self.tr("Go to Prompt"), "prompt"
        self.empty.set_words(sentence)
        self.empty.button.setText(word)
        self.empty.button.setVisible(bool(word))
        self.empty.button.updateGeometry()

    def _allow(self) -> None:
        busy = self.exporting.busy
        self.export_button.setText(self.tr("Exporting…") if busy else self.tr("Export…"))
        self.export_button.updateGeometry()
        empty = self._summary is None or not self._summary.tasks
        why = self.tr("An export is under way.") if busy else ""
        self.export_button.set_why_not(self.tr("The run has no rows.") if empty else why)

    def _fill_chooser(self) -> None:
        runs = [(one.run, to_do(one.counts)) for one in self._desk.runs]
        items = [(self._run_words(run, tasks), run.id) for run, tasks in runs]
        shown = [
            (self.chooser.itemText(row), self.chooser.itemData(row))
            for row in range(self.chooser.count())
        ]
        with QSignalBlocker(self.chooser):
            if items != shown:
                self.chooser.clear()
                for words, run_id in items:
                    self.chooser.addItem(words, userData=run_id)
            self.chooser.setCurrentIndex(self.chooser.findData(self.reader.run_id))
        self.chooser.setToolTip(self.chooser.currentText())

    def _run_words(self, run: StoredRun, tasks: int) -> str:
        kinds = {
            RunKind.PREVIEW: self.tr("preview"),
            RunKind.PILOT: self.tr("pilot"),
        }
        kind = kinds.get(run.kind, self.tr("all rows"))
        rows = f"{kind} ({self._words.number(tasks)})"
        at = QDateTime.fromSecsSinceEpoch(int(run.started_at or run.created_at))
        when = QLocale().toString(at, QLocale.FormatType.ShortFormat)
        tail = f" · {rows} · {when}"
        metrics = self.chooser.fontMetrics()
        room = self.chooser.width() - theme().px(_CHOOSER_EDGE) - metrics.horizontalAdvance(tail)
        name = metrics.elidedText(run.job.name, Qt.TextElideMode.ElideRight, max(0, room))
        return name + tail
