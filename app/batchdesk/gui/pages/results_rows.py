"""The rows of a run: filters, the table, and the selected row in full beside it.

Columns, ids and counts come in from the page; the filters as the person set them go out. Rows are
read page by page as they come into view.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.results import ResultsModel, Role, result_columns
from batchdesk.gui.pages.results_detail import DetailPane
from batchdesk.gui.pages.results_facts import Counts, Group, Wanted, group_count
from batchdesk.gui.pages.results_reading import Opened
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import INSIDE, Type, theme
from batchdesk.gui.widgets.chips import FilterChip
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import Session, TaskView

_TYPING_MS = 300
_DETAIL_W = 360
_HEAD_H = 42
_WIDTHS = {
    Role.KEY: 84,
    Role.LABEL: 104,
    Role.FIELD: 112,
    Role.CONFIDENCE: 86,
    Role.STATE: 104,
    Role.ATTEMPTS: 56,
    Role.DECISION: 96,
}
_LEAST = {Role.TEXT: 160, Role.REASON: 120}  # these share what is left, text the larger part
_NARROW = 700  # a table without room for the confidence
_IN_DETAILS = frozenset({Role.REASON, Role.ATTEMPTS, Role.DECISION})  # hidden beside the details


class ResultsTable(TableView):
    """A table whose text and reason take the room that is left, but never less than they need.

    Attributes:
        beside: The details stand beside it, so columns that they show are hidden.
    """

    beside = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Share the width out."""
        model, look = self.model(), theme()
        if not isinstance(model, ResultsModel):
            return
        header = self.horizontalHeader()
        narrow = self.viewport().width() < look.px(_NARROW)
        for place, column in enumerate(model.columns()):
            spare = column.role in _IN_DETAILS or (narrow and column.role is Role.CONFIDENCE)
            self.setColumnHidden(place, self.beside and spare)
        columns = [
            (place, column.role)
            for place, column in enumerate(model.columns())
            if not self.isColumnHidden(place)
        ]
        fixed = sum(look.px(_WIDTHS.get(role, 0)) for _, role in columns)
        left = self.viewport().width() - fixed
        text = next((place for place, role in columns if role is Role.TEXT), None)
        reason = next((place for place, role in columns if role is Role.REASON), None)
        least_text, least_reason = look.px(_LEAST[Role.TEXT]), look.px(_LEAST[Role.REASON])
        reason_w = 0 if reason is None else max(least_reason, left * 2 // 5 if text else left)
        for place, role in columns:
            if role in _WIDTHS:
                header.resizeSection(place, look.px(_WIDTHS[role]))
        if reason is not None:
            header.resizeSection(reason, reason_w)
        if text is not None:
            header.resizeSection(text, max(least_text, left - reason_w))


class RowsPanel(Panel):
    """Filters, table and details.

    Signals:
        wanted_changed(object): Other filters, as ``Wanted``.
    """

    wanted_changed = Signal(object)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, parent=parent)
        self._desk, self._words = desk, words
        self._wanted = Wanted()
        self._counts: Counts = {}
        self._run_id = 0
        self._current: int | None = None  # the selected task
        self._own = False  # the panel itself moves the selection
        self.model = ResultsModel(words, self._heads(), self)
        self.table = ResultsTable()
        self.table.setAccessibleName(self.tr("Rows of the run"))
        self.table.setModel(self.model)
        self.detail = DetailPane(desk, words)
        self.detail.setMinimumWidth(theme().px(240))
        self.title = ElidingLabel(self.tr("Rows"), Type.PANEL_TITLE, "text", least=180)
        self.count = ElidingLabel("", Type.LABEL, "text2", least=60)
        self.group = QComboBox()
        self.group.setAccessibleName(self.tr("Show rows in this state"))
        self.group.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.search = QLineEdit(placeholderText=self.tr("Search rows"), clearButtonEnabled=True)
        self.search.setAccessibleName(self.tr("Search in row keys and cells"))
        self.search.setFixedWidth(theme().px(180))
        self._chips = QHBoxLayout()
        self._chips.setSpacing(8)
        self._none = EmptyState("funnel", "", self.tr("Show all rows"))
        self._none.activated.connect(lambda: self.want(Wanted()))
        self._lay_out()
        self._listen()
        self.close_detail()

    def _heads(self) -> dict[Role, str]:
        return {
            Role.KEY: self.tr("Row"),
            Role.LABEL: self.tr("Label"),
            Role.FIELD: self.tr("Answer"),
            Role.CONFIDENCE: self.tr("Confidence"),
            Role.STATE: self.tr("State"),
            Role.REASON: self.tr("Reason"),
            Role.ATTEMPTS: self.tr("Tries"),
            Role.DECISION: self.tr("Decision"),
        }

    def _lay_out(self) -> None:
        head = QWidget()
        head.setFixedHeight(theme().px(_HEAD_H))
        row = QHBoxLayout(head)
        row.setContentsMargins(INSIDE - 1, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addLayout(self._chips)
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.group)
        row.addWidget(self.search)
        self.body.setSpacing(0)
        self.add(head)
        self.add(Hairline())
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._none)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._stack)
        self._split.addWidget(self.detail)
        self._split.setStretchFactor(0, 1)
        self._split.setSizes([10 * _DETAIL_W, theme().px(_DETAIL_W)])
        self.add(self._split, 1)

    def _listen(self) -> None:
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._searched)
        self.search.textChanged.connect(lambda _text: self._typing.start())
        self.search.returnPressed.connect(self._searched)
        self.group.activated.connect(
            lambda _row: self.want(replace(self._wanted, group=self.group.currentData()))
        )
        self.model.wanted.connect(self._read)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        self.table.opened.connect(lambda index: self._selected(index.row()))
        self.detail.closed.connect(self.close_detail)
        leave = QShortcut(QKeySequence("Esc"), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self._leave)

    # -- the run ----------------------------------------------------------------------------

    def open(self, opened: Opened, used: Sequence[str]) -> None:
        """Another run, without filters; its ids follow."""
        job, self._run_id = opened.summary.run.job, opened.summary.run.id
        columns = result_columns(job, used, opened.sample)
        self._current = None
        self.detail.forget()
        self.model.set_run(job, columns)
        self.close_detail()
        first = [column.name for column in columns if column.role in {Role.TEXT, Role.LABEL}]
        self.detail.set_columns(first)
        self._show_wanted(Wanted())
        self.table.fit()

    def show_counts(self, counts: Counts) -> None:
        """How many rows are in which state; the choice stays."""
        if counts != self._counts or not self.group.count():
            self._counts = dict(counts)
            self._fill_groups()

    def take_over(self, ids: array[int]) -> None:
        """The rows that match now; what is selected and in view stays where it is."""
        shown, total = self._words.number(len(ids)), sum(self._counts.values())
        of = self._words.number(total)
        self.count.set_text(
            shown if self._wanted == Wanted() else self.tr("{0} of {1}").format(shown, of)
        )
        filtered = self._wanted != Wanted()
        sentence = self.tr("No row matches.") if filtered else self.tr("The run has no rows.")
        self._none.set_words(sentence)
        self._none.button.setVisible(filtered)
        if ids != self.model.ids():
            self._replace(ids)
        self._stack.setCurrentIndex(0 if ids else 1)

    def _replace(self, ids: array[int]) -> None:
        """Other ids under the same eyes: the row at the top and the selected one stay."""
        bar, rows = self.table.verticalScrollBar(), self.table.verticalHeader()
        top = rows.logicalIndexAt(0)
        before = self.model.ids()
        anchor = before[top] if 0 <= top < len(before) else None
        inset = bar.value() - (rows.sectionPosition(top) if anchor is not None else 0)
        self._own = True
        self.model.set_ids(ids)
        if self._current is not None:
            row = self.model.row_of(self._current)
            self.table.setAutoScroll(False)
            self.table.select_row(row)
            self.table.setAutoScroll(True)
            if row < 0:
                self.close_detail()
        self._own = False
        row = -1 if anchor is None else self.model.row_of(anchor)
        bar.setValue(rows.sectionPosition(row) + inset if row >= 0 else 0)

    def changed(self, ids: Collection[int] | None = None) -> None:
        """These rows, or all, are others by now: those in view are read anew."""
        self.model.changed(ids)
        if self._current is not None and (ids is None or self._current in ids):
            self._read_current(self._current)

    # -- filters ----------------------------------------------------------------------------

    def wanted(self) -> Wanted:
        """The filters as they are set."""
        return self._wanted

    def want(self, wanted: Wanted) -> None:
        """Set other filters."""
        if wanted != self._wanted:
            self._show_wanted(wanted)
            self.wanted_changed.emit(wanted)

    def _show_wanted(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._typing.stop()
        if self.search.text().strip() != wanted.text:
            with QSignalBlocker(self.search):
                self.search.setText(wanted.text)
        self._fill_groups()
        while (item := self._chips.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        if wanted.label is not None:
            self._chip(self.tr("label: {0}").format(wanted.label), wanted.with_cell(None, None))
        if wanted.answer is not None:
            rest = replace(wanted, answer=None)
            self._chip(self.tr("answer: {0}").format(wanted.answer), rest)
        if wanted.kind is not None:
            words = self.tr("failed: {0}").format(self._words.error(wanted.kind))
            self._chip(words, replace(wanted, kind=None))

    def _chip(self, words: str, rest: Wanted) -> None:
        chip = FilterChip(words, self.tr("Remove the filter {0}").format(words))
        chip.removed.connect(lambda: self.want(rest))
        self._chips.addWidget(chip)

    def chips(self) -> list[FilterChip]:
        """The filters that can be taken away."""
        items = (self._chips.itemAt(place) for place in range(self._chips.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [chip for chip in widgets if isinstance(chip, FilterChip)]

    def _searched(self) -> None:
        self._typing.stop()
        self.want(replace(self._wanted, text=self.search.text().strip()))

    def _fill_groups(self) -> None:
        shown = [
            group
            for group in Group
            if group in {Group.ALL, self._wanted.group} or group_count(group, self._counts)
        ]
        with QSignalBlocker(self.group):
            self.group.clear()
            for group in shown:
                count = self._words.number(group_count(group, self._counts))
                self.group.addItem(f"{self._group_word(group)} ({count})", userData=group)
            self.group.setCurrentIndex(shown.index(self._wanted.group))

    def _group_word(self, group: Group) -> str:
        return {
            Group.ALL: self.tr("All rows"),
            Group.ANSWERED: self.tr("Answered"),
            Group.PASSED: self.tr("Passed"),
            Group.ACCEPTED: self.tr("Accepted by a reviewer"),
            Group.REVIEW: self.tr("In review"),
            Group.REJECTED: self.tr("Rejected"),
            Group.FAILED: self.tr("Failed"),
            Group.SKIPPED: self.tr("Skipped"),
            Group.OPEN: self.tr("Still to do"),
        }[group]

    # -- rows and the selected one ----------------------------------------------------------

    def _read(self, ids: Sequence[int]) -> None:
        def failed(error: UserError) -> None:
            self.model.keep(ids, ())
            self._desk.problem.emit(sentence(error))

        self._desk.ask(
            partial(_answered, run_id=self._run_id, ids=ids),
            lambda views: self.model.keep(ids, views),
            failed,
        )

    def _selection_changed(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        self._selected(rows[0].row() if rows else -1)

    def _selected(self, row: int) -> None:
        if self._own or row < 0:
            return
        self._current = self.model.ids()[row]
        view = self.model.view(row)
        if view is not None:
            self._show_detail(view)
        self._read_current(self._current)

    def _read_current(self, task_id: int) -> None:
        def show(views: Sequence[TaskView]) -> None:
            if views and task_id == self._current:
                self._show_detail(views[0])

        self._desk.ask(partial(_answered, run_id=self._run_id, ids=[task_id]), show)

    def _show_detail(self, view: TaskView) -> None:
        self.detail.show_task(view)
        if self.detail.isHidden():
            self._set_beside(beside=True)
            self.table.scrollTo(self.table.currentIndex())

    def close_detail(self) -> None:
        """The table alone, with all columns; nothing is selected."""
        self._current = None
        self.detail.forget()
        self._set_beside(beside=False)
        self.table.clearSelection()
        self.table.selectionModel().clearCurrentIndex()

    def _set_beside(self, *, beside: bool) -> None:
        self.detail.setVisible(beside)
        self.table.beside = beside
        self.table.fit()

    def _leave(self) -> None:
        if self.search.hasFocus() and self.search.text():
            self.search.clear()
            self._searched()
        elif not self.detail.isHidden():
            self.close_detail()
            self.table.setFocus()


async def _answered(session: Session, *, run_id: int, ids: Sequence[int]) -> list[TaskView]:
    return await session.answered_page(run_id, ids)
