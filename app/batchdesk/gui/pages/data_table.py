"""The table of the Data page: any number of rows, columns as wide as their text, copy, go to row.

The desk's dataset is shown; rows are asked for by the model as they come into view.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QRect, QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication, QIntValidator, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QLineEdit, QWidget

from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.models.rows import Role, RowsModel, column_roles
from batchdesk.gui.theme import ROW_H, Type, theme
from batchdesk.gui.widgets.paint import text_width
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, Session, StoredRow
from batchdesk.session.reading import chunked

COPIED_ROWS_MAX = 20_000
_NARROW, _WIDE, _STRETCHED, _PADDING = 60, 220, 160, 18
_MEASURED_ROWS = 40


class RowTable(TableView):
    """Rows of a dataset with cells that can be selected and copied.

    Signals:
        copy_wanted: Ctrl+C.
    """

    copy_wanted = Signal()

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(ROW_H, header_lines=2, parent=parent)
        self._rows = model
        self._stretch_columns: list[int] = []
        self._natural: dict[int, int] = {}
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setModel(model)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def fit_columns(self, roles: dict[str, Role]) -> None:
        """Make columns as wide as the first rows need; texts to send take what is left."""
        look = theme()
        head, body, small = (look.font(t) for t in (Type.LABEL_MEDIUM, Type.BODY, Type.SMALL))
        rows = [row for n in range(_MEASURED_ROWS) if (row := self._rows.cached(n)) is not None]
        self._natural = {0: look.px(56)}
        for column, (name, role) in enumerate(roles.items(), 1):
            cells = [(row.cells.get(name) or "")[:80] for row in rows]
            widest = max((text_width(cell, body) for cell in cells), default=0.0)
            least = max(text_width(name, head), text_width(self._rows.role_word(role), small))
            extra = 14 if role is Role.LABEL else 0  # a chip's own margins
            wide = min(float(look.px(_WIDE)), max(widest + extra, least, _NARROW - _PADDING))
            self._natural[column] = int(wide) + _PADDING
        used = [n for n, role in enumerate(roles.values(), 1) if role is Role.USED]
        widest_of_all = max(self._natural, key=lambda n: self._natural[n])
        self._stretch_columns = used or [widest_of_all]
        self._share_width()

    def _share_width(self) -> None:
        header = self.horizontalHeader()
        if not self._natural or header.count() != len(self._natural):
            return
        fixed = sum(w for n, w in self._natural.items() if n not in self._stretch_columns)
        left = self.viewport().width() - fixed
        fits = left >= _STRETCHED * len(self._stretch_columns)
        each = left // len(self._stretch_columns) if fits else theme().px(_WIDE)
        for column, width in self._natural.items():
            stretched = column in self._stretch_columns
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, each if stretched else width)


class TablePanel(Panel):
    """The panel with the table, the choice of the dataset and the field that goes to a row.

    Args:
        desk: Its dataset is shown.
        words: Numbers for people.
    """

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(" ", flush=True, head_line=True, parent=parent)
        self._desk, self._words = desk, words
        self._shown_dataset: Dataset | None = None
        self._ids_asked: Asked | None = None
        self._fitted = False
        self.model = RowsModel(self._fetch)
        self.table = RowTable(self.model)
        self.table.setAccessibleName(self.tr("Rows of the table"))
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Table"))
        self.choice.setMaximumWidth(theme().px(260))
        self.choice.activated.connect(self._choose)
        self.go_to_row = QLineEdit()
        self.go_to_row.setPlaceholderText(self.tr("Go to row…"))
        self.go_to_row.setToolTip(self.tr("Go to a row (Ctrl+G)"))
        self.go_to_row.setAccessibleName(self.tr("Go to row"))
        self.go_to_row.setFixedWidth(theme().px(110))
        self.go_to_row.setValidator(QIntValidator(1, 2_000_000_000, self))
        self.go_to_row.returnPressed.connect(self._go)
        self.title.cut_in_the_middle()
        self.subtitle.keep_whole()
        self.add_tool(self.choice)
        self.add_tool(self.go_to_row)
        self.add(self.table, 1)
        self.table.copy_wanted.connect(self.copy)
        self.model.dataChanged.connect(self._fit_once)
        self._datasets: list[Dataset] = []

    def show_dataset(self) -> None:
        """Show the desk's dataset; the old rows leave when the new ones are known."""
        dataset = self._desk.dataset
        if dataset is None:
            self._shown_dataset = None
            self.model.set_table((), array("q"))
            return
        if self._ids_asked is not None:
            self._ids_asked.cancel()
        self.set_title(
            dataset.source,
            self.tr("{0} · {1}").format(
                self.tr("%Ln row(s)", "", dataset.row_count),
                self.tr("%Ln column(s)", "", len(dataset.columns)),
            ),
        )
        self._ids_asked = self._desk.ask(
            lambda session: session.row_ids(dataset.id), partial(self._take, dataset)
        )
        self._desk.ask(lambda session: session.datasets(), self._offer)

    def show_roles(self) -> None:
        """The roles of the columns are others."""
        dataset = self._desk.dataset
        if dataset is not None and dataset is self._shown_dataset:
            roles = column_roles(dataset, self._desk.job)
            self.model.set_roles(roles)
            self.table.fit_columns(roles)

    def select_row(self, row: int) -> None:
        """Make a row (counted from 0) current, in view, and give the table the focus."""
        if 0 <= row < self.model.rowCount():
            column = max(0, self.table.currentIndex().column())
            index = self.model.index(row, column)
            self.table.setCurrentIndex(index)
            whole = QItemSelectionModel.SelectionFlag.Rows
            replace = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.table.selectionModel().select(index, replace | whole)
            self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.table.setFocus()

    def select_id(self, row_id: int) -> None:
        """Make the row with this id current."""
        ids = self.model.ids(0, self.model.rowCount())
        if row_id in ids:
            self.select_row(ids.index(row_id))

    def copy(self) -> None:
        """Put the selected cells on the clipboard, as text with tabs between cells."""
        ranges = self.table.selectionModel().selection()
        if ranges.isEmpty():
            return
        first = ranges.at(0)
        box = QRect(first.left(), first.top(), first.width(), first.height())
        if box.height() > COPIED_ROWS_MAX:
            most = self._words.number(COPIED_ROWS_MAX)
            self._desk.problem.emit(
                self.tr("At most {0} rows can be copied at once. Select fewer.").format(most)
            )
            return
        ids = self.model.ids(box.top(), box.bottom())
        self._desk.ask(lambda session: session.row_page(ids), partial(self._copied, box))

    def _copied(self, box: QRect, rows: list[StoredRow]) -> None:
        columns = range(box.left(), box.right() + 1)
        lines = [
            "\t".join(_plain(row, self.model.column_name(column)) for column in columns)
            for row in rows
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _go(self) -> None:
        number, dataset = int(self.go_to_row.text() or 0), self._shown_dataset
        if dataset is None or chunked(dataset) is None:
            self._go_to_place(number - 1)
        else:
            find = partial(_place_of, dataset_id=dataset.id, number=number)
            self._desk.ask(find, self._go_to_place)

    def _go_to_place(self, place: int) -> None:
        self.select_row(min(place, self.model.rowCount() - 1))

    def _take(self, dataset: Dataset, ids: array[int]) -> None:
        self._shown_dataset = dataset
        self._fitted = False
        roles = column_roles(dataset, self._desk.job)
        self.model.set_table(dataset.columns, ids)
        self.model.set_roles(roles)
        self.table.fit_columns(roles)
        self.table.scrollToTop()

    def _fit_once(self) -> None:
        """The first rows are here: now their widths are known."""
        if not self._fitted and self.model.cached(0) is not None and self._shown_dataset:
            self._fitted = True
            self.table.fit_columns(column_roles(self._shown_dataset, self._desk.job))

    def _offer(self, datasets: list[Dataset]) -> None:
        self._datasets = datasets
        self.choice.setVisible(len(datasets) > 1)
        with QSignalBlocker(self.choice):
            self.choice.clear()
            for dataset in datasets:
                rows = self._words.number(dataset.row_count)
                id_word = dataset.key_column or self.tr("row number")
                self.choice.addItem(
                    self.tr("{0} · {1} rows · id: {2}").format(dataset.source, rows, id_word)
                )
            current = self._desk.dataset.id if self._desk.dataset else 0
            places = [n for n, dataset in enumerate(datasets) if dataset.id == current]
            self.choice.setCurrentIndex(places[0] if places else -1)

    def _choose(self, place: int) -> None:
        self._desk.choose_dataset(self._datasets[place])

    def _fetch(self, ids: Sequence[int], then: Callable[[list[StoredRow]], None]) -> None:
        self._desk.ask(lambda session: session.row_page(ids), then)


async def _place_of(session: Session, *, dataset_id: int, number: int) -> int:
    return await session.place_of_row(dataset_id, number)


def _plain(row: StoredRow, name: str) -> str:
    """A cell as one line, so that pasting it keeps the cells apart."""
    cell = row.cells.get(name) or "" if name else str(row.number)
    return " ".join(cell.split()) if any(char in cell for char in "\t\r\n") else cell
