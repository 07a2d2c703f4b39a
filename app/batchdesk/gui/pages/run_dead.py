"""The failed rows of a run: by kind, one by one with their raw exchanges; asked again or exported.

In comes the run; out go the Session's commands. Rows are put back in one commit, however many: a
run under way sends them at once, a run that had finished is resumed for them, and one that a person
or a cause halted sends them once it is resumed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QSplitter, QWidget

from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.dead import COUNT, KIND, MESSAGE, NAME, ROW, TRIES, DeadModel, KindsModel
from batchdesk.gui.pages.run_dead_details import DeadDetails
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import GRID, ROW_DENSE_H
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, DeadKind, RunStateChanged, Session, TaskFilter, TaskView

_AGAIN_MS = 1000
_KIND_ROW_H = 44
_DEAD = frozenset({TaskState.DEAD})


class DeadPanel(Panel):
    """Kinds at the left, the rows of the chosen kind beside them, details below.

    Args:
        desk: Is asked for rows and told of reruns.
    """

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", flush=True, parent=parent)
        self.set_title(self.tr("Failed rows"))
        self._desk, self._words = desk, words
        self._run_id: int | None = None
        self._facts: RunFacts | None = None
        self._known: int | None = None  # how many were failed when the list was read
        self._busy = ""  # what is being done, in words
        self._resumes = False  # the run had finished, and goes on for the rows put back last
        self.dialog: QFileDialog | None = None
        self.native = True
        self.ask_some = Button(icon="arrow-counter-clockwise")
        self.ask_all = Button()
        self.export_button = Button(self.tr("Export…"), icon="download-simple")
        self.ask_some.clicked.connect(self._ask_some)
        self.ask_all.clicked.connect(self._ask_all)
        self.export_button.clicked.connect(self.choose_file)
        for tool in (self.ask_some, self.ask_all, self.export_button):
            self.add_tool(tool)
        self.told = Banner(BannerKind.NOTE, closable=True, close_word=self.tr("Close"))
        self.resume = self.told.add_button(
            self.tr("Resume the run"), self._resume, Kind.PRIMARY, "play"
        )
        self.add(self.told)
        self._make_tables()
        self.none = EmptyState("check", self.tr("No row has failed."))
        self.add(self.split, 1)
        self.add(self.none, 1)
        self._later = QTimer(self, interval=_AGAIN_MS, singleShot=True)
        self._later.timeout.connect(self._read)
        desk.run_state.connect(self._moved)

    def _make_tables(self) -> None:
        self.kinds = KindsModel(self._words, self)
        self.kind_table = TableView(_KIND_ROW_H)
        self.kind_table.setModel(self.kinds)
        self.kind_table.setAccessibleName(self.tr("Kinds of failure"))
        self.kind_table.set_columns({COUNT: 64}, (NAME,))
        self.kind_table.setMinimumWidth(200)
        self.kind_table.current_row.connect(self._choose_kind)
        self.model = DeadModel(self._words, self._fetch, self)
        self.table = TableView(ROW_DENSE_H)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Failed rows"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.set_columns({ROW: 110, KIND: 190, TRIES: 64}, (MESSAGE,))
        self.table.current_row.connect(self._choose)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.details = DeadDetails(self._words)
        rows = QSplitter(Qt.Orientation.Vertical)
        rows.addWidget(self.table)
        rows.addWidget(self.details)
        rows.setSizes([200, 260])
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.kind_table)
        self.split.addWidget(rows)
        self.split.setSizes([270, 830])
        for split in (rows, self.split):
            split.setChildrenCollapsible(False)
            split.setHandleWidth(GRID)

    # -- which rows -------------------------------------------------------------------------

    def refresh(self, facts: RunFacts) -> None:
        """A run as it stands; reads the list anew when other rows have failed."""
        self._facts = facts
        if facts.summary.run.id != self._run_id:
            self._run_id, self._known, self._busy = facts.summary.run.id, None, ""
            self._resumes = False
            self.told.setVisible(False)
            self.kinds.set_kinds({})
        self._enable()
        if not self.isVisible():
            return
        dead = facts.count(TaskState.DEAD)
        if self._known is None:
            self._known = dead
            self._read()
        elif dead != self._known and not self._later.isActive():
            self._known = dead
            self._later.start()

    def _moved(self, event: RunStateChanged) -> None:
        """The run has started or ended: what was said of rows that wait, or go, no longer holds."""
        starts = event.state is RunState.RUNNING
        if event.run_id == self._run_id and not (starts and self._resumes):
            self.told.setVisible(False)

    @property
    def kind(self) -> ErrorKind | None:
        """The kind whose rows are shown; None: all."""
        return self.kinds.kind_at(self.kind_table.currentIndex().row())

    def _read(self) -> None:
        """Read which rows have failed, by kind and those of the chosen kind."""
        run_id, kind = self._run_id, self.kind
        if run_id is not None:
            self._desk.ask(
                partial(_dead, run_id=run_id, kind=kind), partial(self._show, run_id=run_id)
            )

    def _show(
        self,
        found: tuple[Mapping[ErrorKind, DeadKind], array[int], ErrorKind | None],
        *,
        run_id: int,
    ) -> None:
        if run_id != self._run_id:
            return
        kinds, ids, kind = found
        with QSignalBlocker(self.kind_table):  # the choice stays the person's
            self.kinds.set_kinds(kinds)
            self.kind_table.select_row(self.kinds.line_of(kind))
        chosen = self.model.id_at(self.table.currentIndex().row())
        self.model.set_ids(ids)
        self.split.setVisible(bool(kinds))
        self.none.setVisible(not kinds)
        if ids:
            line = self.model.line_of(chosen) if chosen is not None else -1
            self.table.select_row(max(0, line))
        self._enable()

    def _choose_kind(self, line: int) -> None:
        if line >= 0:
            self._read()

    def _fetch(self, ids: Sequence[int], then: Callable[[list[TaskView]], None]) -> None:
        self._desk.ask(lambda session: session.task_page(ids), then)

    def _choose(self, line: int) -> None:
        task_id = self.model.id_at(line)
        self._enable()
        if task_id is None:
            self.details.clear()
            return
        self._desk.ask(
            lambda session: _one(session, task_id), partial(self._show_one, task_id=task_id)
        )

    def _show_one(self, found: tuple[TaskView | None, list[AttemptView]], *, task_id: int) -> None:
        if task_id == self.model.id_at(self.table.currentIndex().row()):
            self.details.show_row(*found)

    # -- asking again -----------------------------------------------------------------------

    def chosen(self) -> list[int]:
        """The ids of the selected rows, in their order."""
        lines = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [task_id for line in lines if (task_id := self.model.id_at(line)) is not None]

    def _enable(self) -> None:
        count, some = self.model.rowCount(), len(self.chosen())
        for button, words in (
            (self.ask_some, self.tr("Ask %Ln selected again", "", some)),
            (self.ask_all, self.tr("Ask all %Ln again", "", count)),
        ):
            if button.text() != words:
                button.setText(words)
                button.updateGeometry()
        reason = self._busy or ("" if count else self.tr("No row has failed."))
        self.ask_all.set_why_not(reason)
        self.export_button.set_why_not(reason)
        self.ask_some.set_why_not(reason or ("" if some else self.tr("Choose a row first.")))

    def _ask_some(self) -> None:
        if ids := self.chosen():
            self._ask_again(ids, None)

    def _ask_all(self) -> None:
        self._ask_again(None, self.kind)

    def _ask_again(self, ids: Sequence[int] | None, kind: ErrorKind | None) -> None:
        if self._run_id is None:
            return
        facts = self._facts
        self._resumes = facts is not None and facts.state is RunState.FINISHED
        self._set_busy(self.tr("Rows are being put back."))
        reviewer = self._desk.settings.reviewer
        ask = partial(_rerun, run_id=self._run_id, ids=ids, kind=kind, reviewer=reviewer)
        self._desk.ask(ask, self._asked, self._could_not)

    def _asked(self, count: int) -> None:
        running = self._facts is not None and self._facts.is_running
        self.resume.setVisible(not running)
        resumes = self._resumes and not running and count > 0
        self.told.show_message(
            self.tr("%Ln row(s) will be asked again.", "", count),
            self.tr("The run sends them now.")
            if running or resumes
            else self.tr("They wait until the run is resumed."),
            BannerKind.NOTE,
        )
        self._set_busy("")
        self._read()
        if resumes and self._run_id is not None:
            self.resume.setVisible(False)
            self._desk.resume(self._run_id)
        else:
            self._desk.refresh_runs()

    def _could_not(self, error: UserError) -> None:
        self._set_busy("")
        self._desk.problem.emit(sentence(error))
        self._read()

    def _set_busy(self, words: str) -> None:
        self._busy = words
        self._enable()

    def _resume(self) -> None:
        if self._run_id is not None:
            self.told.setVisible(False)
            self._desk.resume(self._run_id)

    # -- exporting --------------------------------------------------------------------------

    def choose_file(self) -> None:
        """Ask where the rows of the chosen kind are to be written."""
        dialog = QFileDialog(self.window(), self.tr("Export the failed rows"))
        if not self.native:
            dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(
            [
                self.tr("CSV, for spreadsheets (*.csv)"),
                self.tr("TSV, tab between cells (*.tsv)"),
                self.tr("JSON Lines (*.jsonl)"),
            ]
        )
        dialog.setDefaultSuffix("csv")
        if self._desk.project_path is not None:
            dialog.setDirectory(str(self._desk.project_path.parent))
        dialog.selectFile(f"{self.tr('failed rows')} {self._run_id}.csv")
        dialog.fileSelected.connect(lambda name: self.export(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()

    def export(self, target: Path) -> None:
        """Write the rows of the chosen kind to a file, in the background."""
        run_id, kind = self._run_id, self.kind
        if run_id is None or self._busy:
            return
        self._set_busy(self.tr("Failed rows are being written."))
        self._desk.ask(
            partial(_export, run_id=run_id, target=target, kind=kind),
            partial(self._exported, target),
            self._not_exported,
        )

    def _exported(self, target: Path, count: int) -> None:
        self._set_busy("")
        self.resume.setVisible(False)
        title = self.tr("%Ln failed row(s) are in {0}", "", count).format(target.name)
        self.told.show_message(title, str(target.parent), BannerKind.DONE)

    def _not_exported(self, error: UserError) -> None:
        self._set_busy("")
        self.resume.setVisible(False)
        title = self.tr("The failed rows were not exported")
        self.told.show_message(title, sentence(error), BannerKind.ALARM)


async def _dead(
    session: Session, *, run_id: int, kind: ErrorKind | None
) -> tuple[Mapping[ErrorKind, DeadKind], array[int], ErrorKind | None]:
    """How many rows failed by kind, the ids of those that are wanted, and of which kind they are.

    Once none of the kind is left, all are wanted.
    """
    kinds = await session.dead_letters(run_id)
    kind = kind if kind in kinds else None
    wanted = TaskFilter(states=_DEAD, error_kinds=frozenset({kind} if kind else ()))
    return kinds, await session.task_ids(run_id, wanted), kind


async def _one(session: Session, task_id: int) -> tuple[TaskView | None, list[AttemptView]]:
    """A task and all its tries."""
    attempts = await session.attempts(task_id)
    return next(iter(await session.task_page([task_id])), None), attempts


async def _rerun(
    session: Session,
    *,
    run_id: int,
    reviewer: str,
    ids: Sequence[int] | None,
    kind: ErrorKind | None,
) -> int:
    return await session.rerun(run_id, task_ids=ids, kind=kind, reviewer=reviewer)


async def _export(session: Session, *, run_id: int, target: Path, kind: ErrorKind | None) -> int:
    return await session.export_dead(run_id, target, kind=kind)
