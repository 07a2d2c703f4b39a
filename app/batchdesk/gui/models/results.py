"""The rows of a run for the results table: an array of task ids and a cache of what was read.

Ids and tasks come in from the page; out go the cells that the table paints, and the ids that it
misses. Nothing here queries: an unknown row is empty until its page is there, and a row that has
changed shows what it was until it is read anew.
"""

from __future__ import annotations

import json
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
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

from batchdesk.domain.job import Job
from batchdesk.domain.labels import folded_label
from batchdesk.domain.task import TaskState
from batchdesk.gui.theme import MISSING
from batchdesk.gui.widgets.chips import ChipTone
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import Words
from batchdesk.session import TaskView

PAGE = 64  # tasks read at once
_KEPT = 40 * PAGE  # tasks whose cells are kept
_MOST_FIELDS = 5  # answer fields that have a column; the rest stands in the details
_LONG = 20  # characters: the mean length from which a column counts as text
_SHOWN = 400  # characters of a cell; no column is wider

ANSWERED = frozenset({TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED})
"""States in which an answer stands: what the evaluation and the export count as answered."""

STANDS = ANSWERED | {TaskState.SKIPPED}
"""States whose answer is shown: a skipped row may have one that stands for it (of the pilot)."""

BADGES = {
    TaskState.BLOCKED: BadgeState.WAITING,
    TaskState.PENDING: BadgeState.WAITING,
    TaskState.RUNNING: BadgeState.RUNNING,
    TaskState.WAITING: BadgeState.RETRY,
    TaskState.PASSED: BadgeState.PASSED,
    TaskState.REVIEW: BadgeState.REVIEW,
    TaskState.ACCEPTED: BadgeState.ACCEPTED,
    TaskState.REJECTED: BadgeState.REJECTED,
    TaskState.DEAD: BadgeState.FAILED,
    TaskState.SKIPPED: BadgeState.SKIPPED,
}

Index = QModelIndex | QPersistentModelIndex


class Role(Enum):
    """What a column of the table shows."""

    KEY = "key"
    TEXT = "text"
    LABEL = "label"
    FIELD = "field"
    CONFIDENCE = "confidence"
    STATE = "state"
    REASON = "reason"
    ATTEMPTS = "attempts"
    DECISION = "decision"


_PLACES = 2  # decimals of a confidence


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        name: The table's column or the answer's field; empty for all others.
        whole: Shows the whole answer, where answers have no fields.
        numeric: The schema says that the field is a number.
    """

    role: Role
    name: str = ""
    whole: bool = False
    numeric: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its cells stand at the right."""
        return self.numeric or self.role in {Role.CONFIDENCE, Role.ATTEMPTS}


def result_columns(job: Job, used: Sequence[str], sample: Sequence[TaskView]) -> list[Column]:
    """The table's columns for a job.

    Args:
        job: Its label, its output and its answer field.
        used: Columns that the prompt names, in the order of the table.
        sample: Some tasks, to tell which column is text and which fields answers have.
    """
    label = job.data.label
    columns = [Column(Role.KEY)]
    text = text_column([name for name in used if name not in {label, job.data.key}], sample)
    if text is not None:
        columns.append(Column(Role.TEXT, text))
    if label is not None:
        columns.append(Column(Role.LABEL, label))
    fields = shown_fields(job, sample)
    properties = (job.stages[0].output or {}).get("properties") or {}
    compared, *others = [
        Column(Role.FIELD, name, not name, _is_number(properties.get(name))) for name in fields
    ]
    columns += [compared, Column(Role.CONFIDENCE), Column(Role.STATE), *others]
    return columns + [Column(role) for role in (Role.REASON, Role.ATTEMPTS, Role.DECISION)]


def _is_number(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") in {"number", "integer"}


def text_column(used: Sequence[str], sample: Sequence[TaskView]) -> str | None:
    """The first used column that is long in the sample, else the longest; None without any."""
    if not used or not sample:
        return used[0] if used else None

    def length(name: str) -> float:
        return sum(len(view.cells.get(name) or "") for view in sample) / len(sample)

    return next((name for name in used if length(name) >= _LONG), max(used, key=length))


def shown_fields(job: Job, sample: Sequence[TaskView]) -> list[str]:
    """Answer fields that get a column, the one that is compared first; "" for a plain text."""
    stage = job.stages[0]
    if stage.output is None:
        return [""]
    fields = list(stage.output.get("properties") or {})
    if not fields:
        answers = [view.answer for view in sample if isinstance(view.answer, Mapping)]
        fields = list(dict.fromkeys(name for answer in answers for name in answer))
    if stage.answer_field in fields:
        fields = [stage.answer_field, *(name for name in fields if name != stage.answer_field)]
    return fields[:_MOST_FIELDS] or [""]


def value_text(value: Any) -> str:
    """A value of an answer in one line: text as it is, anything else as JSON; None is empty."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def reason_text(view: TaskView, words: Words) -> str:
    """Why a row is where it is, in words; the same cases as in an exported file."""
    if view.state is TaskState.SKIPPED:
        return words.skipped(view.reason)
    if view.state in {TaskState.DEAD, TaskState.WAITING} and view.error_kind is not None:
        kind = words.error(view.error_kind)
        message = " ".join((view.error_message or "").split())
        return f"{kind}: {message}" if message else kind
    if view.state is not TaskState.REVIEW:
        return ""
    if view.checks:
        found = (
            words.finding(f"{one['check']}/{one['code']}", one.get("detail")) for one in view.checks
        )
        return "; ".join(dict.fromkeys(found))
    return words.error(view.error_kind) if view.error_kind else ""


class ResultsModel(QAbstractTableModel):
    """Tasks of one run that match the filters, in the order of the table.

    Args:
        words: Words for states, findings and decisions.
        heads: Names of the columns that have none of their own.

    Signals:
        wanted(object): A tuple of task ids to read; answer with ``keep``.
    """

    wanted = Signal(object)

    def __init__(
        self, words: Words, heads: Mapping[Role, str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._words, self._heads = words, heads
        self._ids: array[int] = array("q")
        self._columns: list[Column] = []
        self._answer_field: str | None = None
        self._label: str | None = None
        self._known: OrderedDict[int, TaskView] = OrderedDict()
        self._stale: set[int] = set()  # known, but others by now
        self._missing: set[int] = set()  # first rows of pages to ask for
        self._asked: set[int] = set()  # ids under way
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._ask)

    # -- what is shown ----------------------------------------------------------------------

    def set_run(self, job: Job, columns: Sequence[Column]) -> None:
        """Another run; its ids follow."""
        self.beginResetModel()
        self._columns = list(columns)
        self._label, self._answer_field = job.data.label, job.stages[0].answer_field
        self._ids = array("q")
        for kept in (self._known, self._stale, self._missing, self._asked):
            kept.clear()
        self.endResetModel()

    def set_ids(self, ids: array[int]) -> None:
        """Other rows of the same run; what was read of them stays."""
        self.beginResetModel()
        self._ids = ids
        self._missing.clear()
        self.endResetModel()

    def ids(self) -> array[int]:
        """The tasks in order; not to be changed by the caller."""
        return self._ids

    def row_of(self, task_id: int) -> int:
        """Where a task stands; -1 if it is not shown."""
        try:
            return self._ids.index(task_id)
        except ValueError:
            return -1

    def columns(self) -> Sequence[Column]:
        """The columns, left to right."""
        return self._columns

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
            gone, _ = self._known.popitem(last=False)
            self._stale.discard(gone)
        self._repaint()

    def changed(self, ids: Iterable[int] | None = None) -> None:
        """These tasks, or all, are others now; those in view are read anew."""
        self._stale |= self._known.keys() if ids is None else self._known.keys() & set(ids)
        self._repaint()

    def _repaint(self) -> None:
        if self._ids and self._columns:  # one range for all: only what is in view is painted
            last = self.index(len(self._ids) - 1, len(self._columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _ask(self) -> None:
        """Ask for the pages that the table missed; what is known or under way is left out."""
        wanted: list[int] = []
        for first in sorted(self._missing):
            wanted += [
                id_
                for id_ in self._ids[first : first + PAGE]
                if (id_ not in self._known or id_ in self._stale) and id_ not in self._asked
            ]
        self._missing.clear()
        if wanted:
            self._asked.update(wanted)
            self._stale.difference_update(wanted)  # what changes from now on is stale again
            self.wanted.emit(tuple(wanted))

    # -- Qt's questions ---------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.name or None
        return self._head(column) if role == Qt.ItemDataRole.DisplayRole else None

    def _head(self, column: Column) -> str:
        named = column.role in {Role.TEXT, Role.FIELD} and column.name
        return column.name if named else self._heads[column.role]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            return right if column.is_number else None
        id_ = self._ids[index.row()]
        view = self._known.get(id_)
        if role == Qt.ItemDataRole.DisplayRole and (view is None or id_ in self._stale):
            self._missing.add(index.row() - index.row() % PAGE)
            self._soon.start()
        if view is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(column, view)[:_SHOWN]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._head(column)}: {self._text(column, view)[:_SHOWN]}"
        return self._look(column, view, role)

    def _text(self, column: Column, view: TaskView) -> str:
        words = self._words
        texts: dict[Role, Callable[[], str]] = {
            Role.KEY: lambda: view.row_key,
            Role.TEXT: lambda: view.cells.get(column.name) or MISSING,
            Role.LABEL: lambda: view.cells.get(column.name) or MISSING,
            Role.FIELD: lambda: field_text(view, column) or MISSING,
            Role.CONFIDENCE: lambda: words.number(view.confidence, _PLACES),
            Role.STATE: lambda: words.task_state(view.state),
            Role.REASON: lambda: reason_text(view, words),
            Role.ATTEMPTS: lambda: words.number(view.attempts),
            Role.DECISION: lambda: words.decision(view.decision) if view.decision else "",
        }
        return texts[column.role]()

    def _look(self, column: Column, view: TaskView, role: int) -> Any:
        if column.role is Role.STATE:
            return BADGES[view.state] if role == Cell.STATE else None
        if role == Cell.CHIP:
            return self._chip(column, view)
        if role != Cell.TONE:
            return None
        is_zero = column.role is Role.ATTEMPTS and not view.attempts
        if is_zero or (column.role is not Role.KEY and self._text(column, view) == MISSING):
            return "text3"
        return "text2" if column.role in {Role.REASON, Role.DECISION} else None

    def _chip(self, column: Column, view: TaskView) -> ChipTone | None:
        if column.role is Role.LABEL:
            return ChipTone.PLAIN if view.cells.get(column.name) else None
        if column.role is not Role.FIELD or column.name != self._answer_field:
            return None
        said = field_text(view, column)
        label = view.cells.get(self._label) if self._label is not None else None
        if not said or not isinstance(view.answer, Mapping):
            return None
        differs = bool(label and label.strip()) and folded_label(label or "") != folded_label(said)
        return ChipTone.WRONG if differs else ChipTone.PLAIN


def field_text(view: TaskView, column: Column) -> str:
    """What a column shows of the answer that stands, in one line; empty where there is nothing."""
    if view.state not in STANDS:
        return ""
    if isinstance(view.answer, Mapping) and column.name:
        return value_text(view.answer.get(column.name))
    return value_text(view.answer) if column.whole else ""
