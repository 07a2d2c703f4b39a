"""Failed rows as tables: by kind, and one by one (ids of all, a cache of those looked at)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from batchdesk.domain.task import ErrorKind
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import Words
from batchdesk.session import DeadKind, TaskView

Fetch = Callable[[Sequence[int], Callable[[list[TaskView]], None]], None]
_NO_INDEX = QModelIndex()
ROW, KIND, MESSAGE, TRIES = range(4)
NAME, COUNT = range(2)
_PAGE = 100
_CODE = re.compile("[a-z_]+: [a-z_]+")
_WORDS = frozenset({Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole})
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def said(words: Words, message: str | None) -> str:
    """What was said about a failure, on one line; a check's code (``check: code``) in words."""
    line = " ".join((message or "").split())
    if not _CODE.fullmatch(line):
        return line
    code = line.replace(": ", "/")
    found = words.finding(code)
    return line if found in {code, code.partition("/")[2]} else found


class DeadModel(QAbstractTableModel):
    """Rows: dead letters. Columns: row, why, the last message, tries.

    Args:
        fetch: Asks for the tasks with some ids and hands them to the callback later.
    """

    def __init__(self, words: Words, fetch: Fetch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words, self._fetch = words, fetch
        self._ids: array[int] = array("q")
        self._cache: dict[int, TaskView] = {}
        self._asked: set[int] = set()  # first lines of pages under way

    def set_ids(self, ids: array[int]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._ids, self._cache, self._asked = ids, {}, set()
        self.endResetModel()

    def id_at(self, line: int) -> int | None:
        """The task on a line."""
        return self._ids[line] if 0 <= line < len(self._ids) else None

    def line_of(self, task_id: int) -> int:
        """The line of a task; -1 if it is not shown."""
        return self._ids.index(task_id) if task_id in self._ids else -1

    def view(self, task_id: int) -> TaskView | None:
        """A task as far as it was read."""
        return self._cache.get(task_id)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """All failed rows; none below them."""
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """Four."""
        return 0 if parent.isValid() else TRIES + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Words of the head, and on which side they stand."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return {
                ROW: self.tr("Row"),
                KIND: self.tr("Why it failed"),
                MESSAGE: self.tr("Last message"),
                TRIES: self.tr("Tries"),
            }[section]
        return _RIGHT if role == Qt.ItemDataRole.TextAlignmentRole and section == TRIES else None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        """What stands in a cell; asks for what was not read yet."""
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column == TRIES else None
        if role == Cell.TONE:
            return "text2" if column == MESSAGE else None
        view = self._cache.get(self._ids[index.row()])
        if view is None:
            self._read_page(index.row())
            return None
        if role == Cell.STATE and column == KIND:
            return BadgeState.FAILED
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self._text(view, column)
        return None

    def _text(self, view: TaskView, column: int) -> str:
        if column == ROW:
            return view.row_key
        if column == KIND:
            return self._words.error(view.error_kind) if view.error_kind else ""
        if column == MESSAGE:
            return said(self._words, view.error_message)
        return self._words.number(view.attempts)

    def _read_page(self, line: int) -> None:
        first = line - line % _PAGE
        if first in self._asked:
            return
        self._asked.add(first)
        ids = self._ids
        wanted = ids[first : first + _PAGE]
        self._fetch(list(wanted), lambda views: self._take(ids, first, views))

    def _take(self, ids: array[int], first: int, views: list[TaskView]) -> None:
        if ids is not self._ids:
            return  # other rows are shown by now
        self._cache.update({view.id: view for view in views})
        last = min(first + _PAGE, len(ids)) - 1
        self.dataChanged.emit(self.index(first, 0), self.index(last, TRIES))


class KindsModel(QAbstractTableModel):
    """Rows: all kinds together, then each. Columns: name over the last message, how many rows."""

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._kinds: Mapping[ErrorKind, DeadKind] = {}
        self._lines: list[ErrorKind | None] = []

    def set_kinds(self, kinds: Mapping[ErrorKind, DeadKind]) -> None:
        """Show other kinds, in their order."""
        lines: list[ErrorKind | None] = [None, *kinds] if kinds else []
        if lines == self._lines:
            self._kinds = kinds
            if lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, COUNT))
            return
        self.beginResetModel()
        self._kinds, self._lines = kinds, lines
        self.endResetModel()

    def kind_at(self, line: int) -> ErrorKind | None:
        """The kind on a line; None for all kinds, and where there is no line."""
        return self._lines[line] if 0 <= line < len(self._lines) else None

    def line_of(self, kind: ErrorKind | None) -> int:
        """The line of a kind; the first, of all kinds, if it is not there."""
        return self._lines.index(kind) if kind in self._lines else 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """All kinds, and all together."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """Two."""
        return 0 if parent.isValid() else COUNT + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Words of the head, and on which side they stand."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return {NAME: self.tr("Kind"), COUNT: self.tr("Rows")}[section]
        return _RIGHT if role == Qt.ItemDataRole.TextAlignmentRole and section == COUNT else None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        """What stands in a cell."""
        kind = self._lines[index.row()]
        if index.column() == COUNT:
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT
            return self._words.number(self._count(kind)) if role in _WORDS else None
        if role in _WORDS:
            name = self.tr("all kinds") if kind is None else self._words.error(kind)
            return name[:1].upper() + name[1:]
        if role in {Cell.SECOND, Qt.ItemDataRole.ToolTipRole} and kind is not None:
            return said(self._words, self._kinds[kind].last_message)
        return None

    def _count(self, kind: ErrorKind | None) -> int:
        if kind is not None:
            return self._kinds[kind].count
        return sum(one.count for one in self._kinds.values())
