"""The rows of a preview, each with both of its answers, for a table.

Tasks of two runs come in; rows that say what differs go out. Rows stand in the order of the table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from batchdesk.domain.job import Job
from batchdesk.domain.labels import folded_label
from batchdesk.domain.task import TaskState
from batchdesk.gui.models.results import ANSWERED, BADGES, Index, text_column
from batchdesk.gui.models.rows import used_columns
from batchdesk.gui.widgets.chips import ChipTone
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import TaskView

KEY, TEXT, FIRST, SECOND, LABEL, CONFIDENCE, CHECK = range(7)
_SHOWN = 300
_OPEN = frozenset({TaskState.PENDING, TaskState.RUNNING, TaskState.WAITING, TaskState.BLOCKED})


class Found(StrEnum):
    """What there is to say of a row; the first that holds."""

    WAITING = "waiting"
    FAILED = "failed"
    CHANGED = "changed"  # the two answers differ
    LABEL_DIFFERS = "label"
    REVIEW = "review"  # a check is in doubt
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class TriedRow:
    """A row with both of its answers as words; None: none (yet)."""

    key: str
    text: str
    first: str | None
    second: str | None
    label: str | None
    confidence: float | None
    found: Found
    badge: BadgeState
    view: TaskView


def tried_rows(job: Job, first: Sequence[TaskView], second: Sequence[TaskView]) -> list[TriedRow]:
    """Both runs' tasks, row by row."""
    again = {one.row_key: one for one in second}
    text = _text_column(job, first)
    return [_row(job, one, again.get(one.row_key), text) for one in first]


def _text_column(job: Job, tasks: Sequence[TaskView]) -> str | None:
    if not tasks:
        return None
    columns = list(tasks[0].cells)
    used = used_columns(job, columns)
    ignored = {job.data.label, job.data.key}
    return text_column([name for name in columns if name in used and name not in ignored], tasks)


def _row(job: Job, one: TaskView, other: TaskView | None, text: str | None) -> TriedRow:
    field, column = job.stages[0].answer_field, job.data.label
    first, second = _answer(one, field), _answer(other, field)
    label = one.cells.get(column) if column is not None else None
    found = _found(one, other, (first, second, label if field is not None else None))
    badges = {Found.CHANGED: BadgeState.REVIEW, Found.LABEL_DIFFERS: BadgeState.REVIEW}
    worst = other if other is not None and other.state is not TaskState.PASSED else one
    return TriedRow(
        key=one.row_key,
        text=(one.cells.get(text) or "")[:_SHOWN] if text is not None else "",
        first=first,
        second=second,
        label=label or None,
        confidence=one.confidence,
        found=found,
        badge=badges.get(found) or BADGES[worst.state],
        view=worst,
    )


def _found(
    one: TaskView, other: TaskView | None, words: tuple[str | None, str | None, str | None]
) -> Found:
    first, second, label = words
    both = [one, *([other] if other is not None else [])]
    if other is None or any(task.state in _OPEN for task in both):
        return Found.WAITING
    if any(task.state not in ANSWERED for task in both) or first is None or second is None:
        return Found.FAILED
    if folded_label(first) != folded_label(second):
        return Found.CHANGED
    if label and folded_label(label) != folded_label(first):
        return Found.LABEL_DIFFERS
    if any(task.state is TaskState.REVIEW for task in both):
        return Found.REVIEW
    return Found.PASSED


def _answer(task: TaskView | None, field: str | None) -> str | None:
    """The compared field of an answer, else all of it, as words."""
    if task is None or task.answer is None:
        return None
    answer = task.answer
    if isinstance(answer, dict) and field is not None:
        answer = answer.get(field)
    if answer is None:
        return None
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


class PreviewModel(QAbstractTableModel):
    """The rows that were tried.

    Args:
        words: Numbers and findings for people.
    """

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._all: list[TriedRow] = []
        self.rows: list[TriedRow] = []
        self._wanted: Found | None = None

    def set_rows(self, rows: list[TriedRow]) -> None:
        """Other rows, or the same ones further on."""
        self._all = rows
        self._choose()

    def show_only(self, found: Found | None) -> None:
        """Only rows of which this is to be said; None for all."""
        self._wanted = found
        self._choose()

    def count(self, found: Found) -> int:
        """How many rows there are of which this is to be said."""
        return sum(row.found is found for row in self._all)

    def _choose(self) -> None:
        rows = [row for row in self._all if self._wanted in {None, row.found}]
        if len(rows) == len(self.rows) and rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, CHECK))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else CHECK + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section == CONFIDENCE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            KEY: self.tr("Row"),
            TEXT: self.tr("Text"),
            FIRST: self.tr("First"),
            SECOND: self.tr("Second"),
            LABEL: self.tr("Label"),
            CONFIDENCE: self.tr("Confidence"),
            CHECK: self.tr("Check"),
        }[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column == CONFIDENCE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Cell.STATE and column == CHECK:
            return row.badge
        if role == Cell.CHIP and column in {FIRST, SECOND, LABEL}:
            return self._tone(row, column)
        if role == Cell.TONE and column == TEXT:
            return "text2"
        if role == Qt.ItemDataRole.ToolTipRole and column == CHECK:
            return self._reason(row)
        return None

    def _text(self, row: TriedRow, column: int) -> str:
        return {
            KEY: row.key,
            TEXT: " ".join(row.text.split()),
            FIRST: row.first or MISSING,
            SECOND: row.second or MISSING,
            LABEL: row.label or MISSING,
            CONFIDENCE: self._words.number(row.confidence, 2),
            CHECK: self._reason(row),
        }[column]

    def _tone(self, row: TriedRow, column: int) -> ChipTone | None:
        words = {FIRST: row.first, SECOND: row.second, LABEL: row.label}[column]
        if words is None:
            return None
        if column == SECOND and row.found is Found.CHANGED:
            return ChipTone.UNSTABLE
        if column == FIRST and row.found is Found.LABEL_DIFFERS:
            return ChipTone.WRONG
        return ChipTone.PLAIN

    def _reason(self, row: TriedRow) -> str:
        if row.found is Found.FAILED and row.view.error_kind is not None:
            return self._words.error(row.view.error_kind)
        if row.found is Found.REVIEW and row.view.checks:
            one = row.view.checks[0]
            return self._words.finding(f"{one['check']}/{one['code']}", one.get("detail"))
        if row.found is Found.WAITING:
            return self._words.task_state(row.view.state)
        return {
            Found.CHANGED: self.tr("changed"),
            Found.LABEL_DIFFERS: self.tr("label differs"),
            Found.FAILED: self.tr("no answer"),
            Found.REVIEW: self.tr("Review"),
        }.get(row.found, self.tr("Passed"))
