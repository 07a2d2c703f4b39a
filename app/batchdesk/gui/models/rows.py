"""The rows of a dataset for a table view: an array of ids and a cache of the rows near the screen.

``data`` never asks: it shows what the cache has, and a placeholder for the rest; the missing pages
are fetched together on the next turn of the window's loop. Roles of columns stand in the header.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer

from batchdesk.domain.job import Job
from batchdesk.gui.widgets.chips import ChipTone
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import MISSING
from batchdesk.session import Dataset, StoredRow

Fetch = Callable[[Sequence[int], Callable[[list[StoredRow]], None]], None]

PAGE_ROWS = 128
_PAGES_KEPT = 64
_PAGES_AT_ONCE = 4  # asked for together; more than a screen shows
_WAITING = "…"
_SHOWN_CHARACTERS = 400  # of a cell; no column is wider
_NUMBER = re.compile(r"[-+]?[\d\s.,]*\d\s?%?")
_BLOCK = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}", re.DOTALL)
_NAME = re.compile(r"""\w+|"[^"]*"|'[^']*'""")
_NOWHERE = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class Role(StrEnum):
    """What a column is for."""

    ID = "id"
    LABEL = "label"
    USED = "used"  # the prompt names it, so it is sent
    KEPT = "kept"


def used_columns(job: Job | None, columns: Collection[str]) -> frozenset[str]:
    """The columns that the job's prompts name in their placeholders."""
    if job is None:
        return frozenset()
    found: set[str] = set()
    for stage in job.stages:
        for block in _BLOCK.finditer(f"{stage.system}\n{stage.user}"):
            found.update(name.strip("\"'") for name in _NAME.findall(block[1] or block[2] or ""))
    return frozenset(found & set(columns))


def column_roles(dataset: Dataset, job: Job | None) -> dict[str, Role]:
    """The role of each column of a dataset, in the order of its columns."""
    used = used_columns(job, dataset.columns)
    label = job.data.label if job else None

    def role(name: str) -> Role:
        if name == dataset.key_column:
            return Role.ID
        if name == label:
            return Role.LABEL
        return Role.USED if name in used else Role.KEPT

    return {name: role(name) for name in dataset.columns}


class RowsModel(QAbstractTableModel):
    """Rows of one dataset. Column 0 is the row number.

    Args:
        fetch: Is called with ids and what to call with their rows.
    """

    def __init__(self, fetch: Fetch) -> None:
        super().__init__()
        self._fetch = fetch
        self._ids: array[int] = array("q")
        self._columns: tuple[str, ...] = ()
        self._roles: Mapping[str, Role] = {}
        self._numeric: frozenset[str] = frozenset()
        self._pages: OrderedDict[int, list[StoredRow]] = OrderedDict()
        self._wanted: list[int] = []
        self._under_way: set[int] = set()
        self._table = 0  # counts set_table, so that late pages of another table are dropped
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._fetch_wanted)

    def set_table(self, columns: Sequence[str], ids: array[int]) -> None:
        """Show another dataset; its rows come as they are looked at."""
        self.beginResetModel()
        self._columns, self._ids = tuple(columns), ids
        self._numeric = frozenset()
        self._pages.clear()
        self._wanted.clear()
        self._under_way.clear()
        self._table += 1
        self.endResetModel()

    def set_roles(self, roles: Mapping[str, Role]) -> None:
        """Other roles of the columns."""
        self._roles = roles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns))
        if self._ids:
            last = self.index(len(self._ids) - 1, len(self._columns))
            self.dataChanged.emit(self.index(0, 0), last)

    def ids(self, first: int, last: int) -> list[int]:
        """Ids of the rows from ``first`` to ``last``, both included, counted from 0."""
        return list(self._ids[first : last + 1])

    def column_name(self, column: int) -> str:
        """The table's name of a column of the model; empty for the row number."""
        return self._columns[column - 1] if column > 0 else ""

    def cached(self, row: int) -> StoredRow | None:
        """A row, if it is here."""
        page = self._pages.get(row // PAGE_ROWS)
        place = row % PAGE_ROWS
        return page[place] if page is not None and place < len(page) else None

    # -- what Qt asks -----------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() or not self._columns else len(self._columns) + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or section > len(self._columns):
            return None
        name = self.column_name(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return name if section else "#"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return name
        if section and role == Cell.SECOND:
            return self.role_word(self._roles.get(name, Role.KEPT))
        if section and role == Cell.TONE:
            return "text2" if self._roles.get(name, Role.KEPT) is Role.KEPT else "accent"
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        row = self.cached(index.row())
        if row is None:
            self._want(index.row() // PAGE_ROWS)
            if role == Qt.ItemDataRole.DisplayRole:
                return _WAITING if index.column() else str(index.row() + 1)
            return "text3" if role == Cell.TONE else None
        if index.column() == 0:
            return _number_cell(row, role)
        name = self.column_name(index.column())
        cell = row.cells.get(name)
        if role == Qt.ItemDataRole.DisplayRole:
            return cell[:_SHOWN_CHARACTERS] if cell else MISSING
        if role == Qt.ItemDataRole.ToolTipRole:
            return None
        if role == Cell.TONE and not cell:
            return "text3"
        if role == Cell.CHIP and cell and self._roles.get(name) is Role.LABEL:
            return ChipTone.PLAIN
        return None

    def role_word(self, role: Role) -> str:
        """A role in the window's language."""
        return {
            Role.ID: self.tr("Id"),
            Role.LABEL: self.tr("Label"),
            Role.USED: self.tr("Text to send"),
            Role.KEPT: self.tr("kept"),
        }[role]

    # -- fetching ---------------------------------------------------------------------------

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        right = column == 0 or self.column_name(column) in self._numeric
        across = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return across | Qt.AlignmentFlag.AlignVCenter

    def _want(self, page: int) -> None:
        if page in self._under_way:
            return
        if page in self._wanted:
            self._wanted.remove(page)
        self._wanted.append(page)
        # What has scrolled away since is not worth fetching.
        del self._wanted[:-_PAGES_AT_ONCE]
        if not self._timer.isActive():
            self._timer.start()

    def _fetch_wanted(self) -> None:
        while self._wanted and len(self._under_way) < _PAGES_AT_ONCE:
            page = self._wanted.pop()
            self._under_way.add(page)
            ids = self.ids(page * PAGE_ROWS, (page + 1) * PAGE_ROWS - 1)
            self._fetch(ids, self._taker(page, self._table))

    def _taker(self, page: int, table: int) -> Callable[[list[StoredRow]], None]:
        def take(rows: list[StoredRow]) -> None:
            if table != self._table:
                return
            self._under_way.discard(page)
            self._pages[page] = rows
            while len(self._pages) > _PAGES_KEPT:
                self._pages.popitem(last=False)
            first = page * PAGE_ROWS
            if page == 0:
                self._numeric = numeric_columns(rows, self._columns)
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns))
            last = self.index(first + len(rows) - 1, len(self._columns))
            self.dataChanged.emit(self.index(first, 0), last)
            if self._wanted:
                self._timer.start()

        return take


def numeric_columns(rows: Sequence[StoredRow], columns: Sequence[str]) -> frozenset[str]:
    """The columns whose cells all look like numbers, as far as there are cells."""

    def is_numeric(name: str) -> bool:
        cells = [cell for row in rows if (cell := row.cells.get(name))]
        return bool(cells) and all(_NUMBER.fullmatch(cell.strip()) for cell in cells)

    return frozenset(name for name in columns if is_numeric(name))


def _number_cell(row: StoredRow, role: int) -> object:
    if role == Qt.ItemDataRole.DisplayRole:
        return str(row.number)
    return "text3" if role == Cell.TONE else None
