"""The Data page: the chosen table at the left; how it was read and its columns at the right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
)

from batchdesk.domain.clean import CleanStep
from batchdesk.gui.desk import Desk
from batchdesk.gui.desk_files import TABLE_SUFFIXES, files_of
from batchdesk.gui.models.rows import column_roles, used_columns
from batchdesk.gui.pages.data_cleaning import CleaningSection
from batchdesk.gui.pages.data_columns import ColumnsSection
from batchdesk.gui.pages.data_import import ImportStrip
from batchdesk.gui.pages.data_newer import Newer
from batchdesk.gui.pages.data_problems import ProblemsSection
from batchdesk.gui.pages.data_profile import ProfilePanel
from batchdesk.gui.pages.data_reading import ReadingSection
from batchdesk.gui.pages.data_removal import RemovalSection
from batchdesk.gui.pages.data_sent import SentSection
from batchdesk.gui.pages.data_table import TablePanel
from batchdesk.gui.pages.prompt_first import first_jobs_of
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.column import ScrolledColumn
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.folder_dialog import ask_folder
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.words import Words
from batchdesk.session import ReadOptions
from batchdesk.session.reading import import_pasted

_SIDE, _SIDE_LEAST, _PROFILE = 320, 250, 190


class DataPage(Page):
    """Shows the desk's dataset and imports files.

    Args:
        desk: What is shown and asked.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("Data")
        self.head.set_title(self.tr("Data"))
        self.head.subtitle.cut_in_the_middle()
        self.setAcceptDrops(True)
        self._desk, self._files = desk, files_of(desk)
        words = Words(self)
        self.paste = Button(self.tr("Paste"), icon="clipboard-text")
        self.add_file = Button(self.tr("Add another file…"), icon="plus")
        self.go_on = Button(self.tr("Continue to prompt"), Kind.PRIMARY, icon="arrow-right")
        self.head.add_tool(self.paste)
        self.head.add_tool(self.add_file)
        self.add_folder = Button(self.tr("Add a folder…"), icon="folder-open")
        self.head.add_tool(self.add_folder)
        self.head.add_tool(self.go_on)
        self.importing = ImportStrip(self._files, words)
        self.table = TablePanel(desk, words)
        self.reading = ReadingSection(desk, self._files, words)
        self.columns = ColumnsSection()
        self.sent = SentSection(desk, words)
        self.cleaning = CleaningSection(desk, words)
        self.profile = ProfilePanel(desk, words)
        self.newer = Newer(desk, words, self)
        self.problems = ProblemsSection(desk, words)
        self.removal = RemovalSection(desk)
        self.empty = EmptyState(
            "table",
            self.tr("Open a table, or drop it here."),
            self.tr("Open file…"),
            shortcut=self.tr("Ctrl Shift O"),
            detail=self.tr(
                "CSV, Excel, JSON, Parquet or SQLite; Ctrl V pastes copied cells. The file itself "
                "is never changed. A folder of text, Markdown, PDF and Word files is a table with "
                "a row for each."
            ),
            second=self.tr("Open folder…"),
        )
        self.folder_dialog: QFileDialog | None = None
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty_panel())
        self._stack.addWidget(self._splitter())
        self.column.addWidget(self.importing)
        self.column.addWidget(self._stack, 1)
        self._connect()
        self._show_dataset()
        first_jobs_of(desk).make()

    def help_text(self) -> str:
        """See Page."""
        return self.tr(
            "The rows as they were read from the file. At the right you see how the file was read, "
            "choose the id and the label column, what is cleaned before a run, and find the lines "
            "with faults. Ctrl+C copies the selected cells, Ctrl+V pastes a table, Ctrl+G goes to "
            "a row."
        )

    def commands(self) -> Sequence[Command]:
        """See Page."""
        return (
            Command(self.tr("Add a file…"), self.choose_file, self.tr("Ctrl Shift O")),
            Command(self.tr("Add a folder of documents…"), self.choose_folder),
            Command(
                self.tr("Paste a table"), self.paste_table, self.tr("Ctrl V"), self.paste.isEnabled
            ),
            Command(self.newer.button.text(), self.newer.choose, "", self.newer.button.isEnabled),
            Command(
                self.tr("Go to row…"),
                self._go_to_row,
                self.tr("Ctrl G"),
                lambda: self._desk.dataset is not None,
            ),
            Command(self.tr("Remove this table…"), self.removal.ask, "", self.removal.can),
        )

    def shown(self) -> None:
        """See Page."""
        has_rows = self._desk.dataset is not None
        (self.table.table if has_rows else self.empty.button).setFocus()

    def choose_file(self) -> None:
        """Let the person choose a table."""
        dialog = QFileDialog(self, self.tr("Open a table"))
        patterns = " ".join(f"*{suffix}" for suffix in TABLE_SUFFIXES)
        tables = self.tr("Tables ({0})").format(patterns)
        dialog.setNameFilters([tables, self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self._files.open_any(Path(name)))
        dialog.open()

    def choose_folder(self) -> None:
        """Let the person choose a folder of documents."""
        title = self.tr("Open a folder of documents")
        self.folder_dialog = ask_folder(self, title, self._files.open_any)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self._files.open_any(Path(paths[0]))

    # -- parts ------------------------------------------------------------------------------

    def _empty_panel(self) -> Panel:
        panel = Panel()
        panel.add(self.empty, 1)
        return panel

    def _splitter(self) -> QSplitter:
        side = ScrolledColumn()
        column = QVBoxLayout(side)
        column.setContentsMargins(1, 6, 1, 8)
        column.setSpacing(8)
        sections = (
            (self.tr("Reading"), self.reading),
            (self.tr("Columns"), self.columns),
            (self.tr("Rows that are sent"), self.sent),
            (self.tr("Cleaning before a run"), self.cleaning),
            (self.tr("Wrong in the file"), self.problems),
        )
        for place, (title, section) in enumerate(sections):
            if place:
                column.addWidget(Hairline())
            inner = QVBoxLayout()
            inner.setContentsMargins(12, 0, 12, 0)
            inner.setSpacing(6)
            inner.addWidget(ElidingLabel(title, Type.PANEL_TITLE, "text", least=60))
            inner.addWidget(section)
            if section is self.reading:
                inner.addWidget(self.newer.button)
            column.addLayout(inner)
        column.addWidget(self.removal)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(side)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        side.setAutoFillBackground(False)
        panel = Panel(flush=True)
        panel.add(scroll, 1)
        panel.setMinimumWidth(theme().px(_SIDE_LEAST))
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.table)
        left.addWidget(self.profile)
        left.setChildrenCollapsible(False)
        left.setStretchFactor(0, 1)
        left.setSizes([520, theme().px(_PROFILE)])
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(panel)
        splitter.setStretchFactor(0, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([760, theme().px(_SIDE)])
        return splitter

    def _connect(self) -> None:
        desk = self._desk
        self.add_file.clicked.connect(self.choose_file)
        self.empty.activated.connect(self.choose_file)
        self.add_folder.clicked.connect(self.choose_folder)
        self.empty.second_activated.connect(self.choose_folder)
        self.go_on.clicked.connect(lambda: desk.go_to.emit("prompt"))
        self.sent.change_wanted.connect(lambda: desk.go_to.emit("prompt"))
        self.reading.read_again.connect(self._read_again)
        self.columns.id_chosen.connect(self._choose_id)
        self.columns.label_chosen.connect(self._choose_label)
        self.problems.row_found.connect(self.table.select_row)
        self.profile.row_wanted.connect(self.table.select_id)
        self.profile.measured.connect(
            lambda found: self.columns.show_figures(found.figures.columns)
        )
        self.cleaning.edited.connect(self._clean)
        self.paste.clicked.connect(lambda _on=False: self.paste_table())
        self._files.changed.connect(self._show_ways)
        desk.dataset_changed.connect(self._show_dataset)
        desk.project_changed.connect(self._show_dataset)
        desk.job_changed.connect(self._show_roles)
        for keys, act in (
            ("Ctrl+G", self._go_to_row),
            ("Ctrl+Shift+O", self.choose_file),
            ("Ctrl+V", self.paste_table),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    # -- showing ----------------------------------------------------------------------------

    def _show_dataset(self) -> None:
        dataset = self._desk.dataset
        self.table.show_dataset()
        self.reading.show_dataset(dataset)
        self.problems.show_dataset(dataset)
        self._stack.setCurrentIndex(0 if dataset is None else 1)
        self._show_roles()
        self._show_ways()

    def _show_roles(self) -> None:
        dataset, job = self._desk.dataset, self._desk.job
        self._show_preparing()
        if dataset is None:
            return
        place = self._files.place(dataset)
        why_no_id = "" if place else self.tr("Add the file again to choose another id column.")
        why_no_label = (
            "" if job else self.tr("The label is kept in the prompt, which is being made.")
        )
        label = job.data.label if job else None
        roles = column_roles(dataset, job)
        self.columns.show_roles(roles, label, why_no_id=why_no_id, why_no_label=why_no_label)
        self.columns.warn(
            self.tr(
                "The prompt sends the label column “{0}”, so the model sees the right answer."
            ).format(label)
            if label in used_columns(job, dataset.columns)
            else ""
        )
        self.table.show_roles()

    def _show_preparing(self) -> None:
        """Rows sent, cleaning and lengths, which take some reckoning: only while somebody looks."""
        if self.isVisible():
            self.sent.show_rows(self._desk.dataset, self._desk.job)
            self.cleaning.show_job(self._desk.job, self._desk.dataset)
            self.profile.show_table(self._desk.dataset, self._desk.job)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_preparing()

    def _show_ways(self) -> None:
        reading = self._files.importing is not None
        nothing = self.tr("Open a table first.") if self._desk.dataset is None else ""
        wait = self.tr("A file is being read.") if reading else ""
        self.go_on.set_why_not(nothing or wait)
        for button in (self.add_file, self.add_folder):
            button.setVisible(self._desk.dataset is not None)
            button.set_why_not(wait)
        no_project = self.tr("Open a project first.") if self._desk.session is None else ""
        self.paste.set_why_not(no_project or wait)
        self.newer.show_ways(wait)
        self.empty.setVisible(not reading)
        path = self._desk.project_path
        self.head.set_subtitle(self.tr("in {0}").format(path) if path else "")

    # -- acting -----------------------------------------------------------------------------

    def _go_to_row(self) -> None:
        if self._desk.dataset is not None:
            self.table.go_to_row.setFocus()
            self.table.go_to_row.selectAll()

    def paste_table(self) -> None:
        """Read copied cells in as a table."""
        if self._desk.session is not None and self.paste.isEnabled():
            text = QGuiApplication.clipboard().text()
            self._desk.ask(partial(import_pasted, text=text), self._desk.choose_dataset)

    def _clean(self, steps: tuple[CleanStep, ...]) -> None:
        job = self._desk.job
        if job is not None and steps != job.clean:
            self._desk.edit_job(job.model_copy(update={"clean": steps}))

    def _read_again(self, options: ReadOptions) -> None:
        dataset = self._desk.dataset
        place = self._files.place(dataset)
        if dataset is not None and place is not None:
            key = dataset.key_column
            self._files.read_table(place.path, options, key)

    def _choose_id(self, column: str | None) -> None:
        dataset = self._desk.dataset
        place = self._files.place(dataset)
        if dataset is None or place is None or column == dataset.key_column:
            return
        self._files.read_table(place.path, place.options, column)

    def _choose_label(self, column: str | None) -> None:
        job = self._desk.job
        if job is not None and column != job.data.label:
            data = job.data.model_copy(update={"label": column})
            self._desk.edit_job(job.model_copy(update={"data": data}))
