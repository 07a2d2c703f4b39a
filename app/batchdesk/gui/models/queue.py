"""The review queue as an item model: an array of task ids and a cache of what was read of them.

Ids come in from the page, which also reads the pages of tasks that the model asks for; out go the
cells that the table paints. Nothing here queries: a cell that is not known yet is empty, and its
page is asked for once the table has painted.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from batchdesk.domain.task import TaskState
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import Words
from batchdesk.session import TaskView

PAGE = 64  # tasks read at once
_KEPT = 40 * PAGE  # tasks whose cells are kept
ITEM, CONFIDENCE = 0, 1  # columns

Index = QModelIndex | QPersistentModelIndex


class QueueModel(QAbstractTableModel):
    """Tasks that wait for a person, in the order in which they come up.

    Args:
        words: Words for findings.

    Signals:
        wanted(object): A tuple of task ids to read; answer with ``keep``.
    """

    wanted = Signal(object)

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._ids: array[int] = array("q")
        self._known: OrderedDict[int, TaskView] = OrderedDict()
        self._missing: set[int] = set()  # first rows of pages to ask for
        self._asked: set[int] = set()  # ids under way
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._ask)

    # -- ids --------------------------------------------------------------------------------

    def ids(self) -> array[int]:
        """The tasks in order; not to be changed by the caller."""
        return self._ids

    def row_of(self, task_id: int) -> int:
        """Where a task stands; -1 if it is not in the queue."""
        try:
            return self._ids.index(task_id)
        except ValueError:
            return -1

    def set_ids(self, ids: Iterable[int]) -> None:
        """Another queue; what was read of it before is forgotten."""
        self.beginResetModel()
        self._ids = array("q", ids)
        self._known.clear()
        self._missing.clear()
        self._asked.clear()
        self.endResetModel()

    def append(self, ids: Iterable[int]) -> None:
        """Tasks join the end; those that are here already stay where they are."""
        here = set(self._ids)
        new = array("q", (id_ for id_ in ids if id_ not in here))
        if new:
            first = len(self._ids)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._ids.extend(new)
            self.endInsertRows()

    def insert(self, row: int, task_id: int) -> int:
        """A task comes back near where it was; returns its row."""
        row = max(0, min(row, len(self._ids)))
        self.beginInsertRows(QModelIndex(), row, row)
        self._ids.insert(row, task_id)
        self.endInsertRows()
        return row

    def remove(self, row: int) -> None:
        """A task leaves the queue."""
        self.beginRemoveRows(QModelIndex(), row, row)
        self._ids.pop(row)
        self.endRemoveRows()

    # -- what is known ----------------------------------------------------------------------

    def view(self, row: int) -> TaskView | None:
        """What was read of the task in this row; None if nothing yet."""
        return self._known.get(self._ids[row]) if 0 <= row < len(self._ids) else None

    def keep(self, asked: Sequence[int], views: Iterable[TaskView]) -> None:
        """What was read of the tasks ``asked``, in answer to ``wanted``."""
        self._asked.difference_update(asked)
        for view in views:
            self._known[view.id] = view
            self._known.move_to_end(view.id)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        if self._ids:  # one range for all: the table repaints only what is in view
            last = len(self._ids) - 1
            self.dataChanged.emit(self.index(0, ITEM), self.index(last, CONFIDENCE))

    def forget(self, ids: Iterable[int]) -> None:
        """These tasks have changed: they are read anew when next they are shown."""
        for id_ in ids:
            self._known.pop(id_, None)

    def ask_around(self, row: int) -> None:
        """Ask for the page of this row, and for its neighbour where the row is near an edge."""
        for near in (row - 4, row, row + 8):
            if 0 <= near < len(self._ids) and self._ids[near] not in self._known:
                self._missing.add(near - near % PAGE)
        self._ask()

    def _ask(self) -> None:
        """Ask for the pages that the table missed; what is known or under way is left out."""
        wanted: list[int] = []
        for first in sorted(self._missing):
            wanted += [
                id_
                for id_ in self._ids[first : first + PAGE]
                if id_ not in self._known and id_ not in self._asked
            ]
        self._missing.clear()
        if wanted:
            self._asked.update(wanted)
            self.wanted.emit(tuple(wanted))

    # -- Qt's questions ---------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        view = self.view(index.row())
        if view is None:
            if role == Qt.ItemDataRole.DisplayRole:
                self._missing.add(index.row() - index.row() % PAGE)
                self._soon.start()
            return None
        if index.column() == CONFIDENCE:
            return self._confidence_data(view, role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return view.row_key
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return f"{view.row_key}: {self._words.finding(*first_finding(view))}"
            case Cell.STATE:
                return item_state(view)
            case Cell.SECOND:
                return short_finding(view, self._words)
        return None

    def _confidence_data(self, view: TaskView, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._words.number(view.confidence, 2)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Cell.TONE:
                return "text2"
        return None


def first_finding(view: TaskView) -> tuple[str, dict[str, Any]]:
    """Why a task waits: ``check/code`` and its values; else the kind of its last error."""
    if view.checks:
        first = view.checks[0]
        return f"{first['check']}/{first['code']}", dict(first.get("detail") or {})
    return (f"error/{view.error_kind}" if view.error_kind else "other/other"), {}


def short_finding(view: TaskView, words: Words) -> str:
    """Why a task waits, in few words: a low confidence stands beside them as a number."""
    code, detail = first_finding(view)
    return words.finding(code, None if code == "confidence/low" else detail)


def is_unusable(view: TaskView) -> bool:
    """Whether the answer failed a check or is of no use; accepting it is to be confirmed."""
    bad = any(check.get("outcome") == "bad" for check in view.checks)
    return bad or (view.error_kind is not None and view.error_kind.is_of_answer)


def names_another_row(view: TaskView) -> bool:
    """Whether the answer says that it is the answer for another row."""
    return "misaligned/other_row" in {f"{one['check']}/{one['code']}" for one in view.checks}


def item_state(view: TaskView) -> BadgeState:
    """Failed where there is no usable answer, else doubtful."""
    dead = view.state is TaskState.DEAD
    return (
        BadgeState.FAILED if is_unusable(view) or dead or view.answer is None else BadgeState.REVIEW
    )
