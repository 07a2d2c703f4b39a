"""The table of tasks under way: what each row waits for, updated in place four times a second.

A task keeps its line as long as it is shown; the line of one that has gone is taken by the next
new one. So nothing jumps, and the view keeps its selection and its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from batchdesk.domain.snapshot import InFlight, Waiting
from batchdesk.domain.task import TaskState
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import MISSING, Words

Shown = InFlight | Waiting
_NO_INDEX = QModelIndex()
ROW, LANE, STATE, DOING, WAITED, TRY = range(6)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def arrange(lines: Sequence[Shown], now: Sequence[Shown]) -> list[Shown]:
    """The tasks of this moment, each on the line that it had; new ones fill the gaps."""
    latest = {task.task_id: task for task in now}
    kept = [latest.pop(line.task_id, None) for line in lines]
    new = iter(latest.values())
    filled = [line if line is not None else next(new, None) for line in kept]
    return [*(line for line in filled if line is not None), *new]


class FlightsModel(QAbstractTableModel):
    """Rows: the tasks of a Snapshot. Columns: row, lane, state, what it waits for, waited, try."""

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._lines: list[Shown] = []

    def show_tasks(self, tasks: Sequence[Shown]) -> None:
        """Show the tasks of this moment."""
        before, lines = self._lines, arrange(self._lines, tasks)
        if len(lines) < len(before):
            self.beginRemoveRows(_NO_INDEX, len(lines), len(before) - 1)
            self._lines = lines
            self.endRemoveRows()
        elif len(lines) > len(before):
            self.beginInsertRows(_NO_INDEX, len(before), len(lines) - 1)
            self._lines = lines
            self.endInsertRows()
        self._lines = lines
        if lines and before:
            last = min(len(lines), len(before)) - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, TRY))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """Tasks under way; none below them."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_INDEX) -> int:
        """Six."""
        return 0 if parent.isValid() else TRY + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Words of the head, and on which side they stand."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return {
                ROW: self.tr("Row"),
                LANE: self.tr("Lane"),
                STATE: self.tr("State"),
                DOING: self.tr("What it waits for"),
                WAITED: self.tr("Waited"),
                TRY: self.tr("Try"),
            }[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in {WAITED, TRY}:
            return _RIGHT
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        """What stands in a cell."""
        task, column = self._lines[index.row()], index.column()
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self._text(task, column)
        if role == Cell.STATE and column == STATE:
            return BadgeState.RUNNING if isinstance(task, InFlight) else BadgeState.RETRY
        if role == Qt.ItemDataRole.TextAlignmentRole and column in {WAITED, TRY}:
            return _RIGHT
        if role == Cell.TONE and column in {LANE, DOING}:
            return "text2"
        return None

    def _text(self, task: Shown, column: int) -> str:
        words = self._words
        if column == ROW:
            return task.row_key
        if column == LANE:
            return self.tr("slow") if task.slow else self.tr("fast")
        if column == STATE:
            sent = isinstance(task, InFlight)
            return words.task_state(TaskState.RUNNING if sent else TaskState.WAITING)
        if column == DOING:
            return self._doing(task)
        if column == WAITED:
            return words.duration(task.since_s) if isinstance(task, InFlight) else MISSING
        return words.number(task.attempt)

    def _doing(self, task: Shown) -> str:
        if isinstance(task, InFlight):
            if task.doing == "writing":
                return self.tr("being saved")
            return self.tr("waiting for the answer")
        why = self._words.error(task.error_kind)
        if task.due_s < 1:
            return self.tr("to be sent again now ({0})").format(why)
        return self.tr("Retry in {0} ({1})").format(self._words.duration(max(task.due_s, 1)), why)
