"""What was wrong in the file: counts by kind, and every line with its fault.

Problems of a dataset come in; the row that a line is about goes out, if it can be found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.theme import ROW_DENSE_H, Type, theme
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell, TableView
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import Dataset, Session
from batchdesk.session.reading import chunked

Index = QModelIndex | QPersistentModelIndex
Problems = Sequence[tuple[str, int | None, str]]

_NOWHERE = QModelIndex()
_BLOCK_ROWS = 2000
_SHOWN_LINES = 7
_LEFT_OUT = frozenset(
    {
        *("blank_line", "not_an_object", "invalid_json", "nested_too_deeply", "above_header"),
        "unreadable_file",
    }
)
_OF_COLUMNS = frozenset({"duplicate_column", "empty_column_name", "moved_column"})
_DELIMITED = frozenset({"csv", "tsv"})
_LINES = frozenset({*_DELIMITED, "jsonl", "batch-input"})  # formats with lines, not rows
_UNTOLD = frozenset({"xlsx", "xls", "json"})  # whose rows need not stand in consecutive lines
_LINE_END = re.compile("\r\n|\r|\n")


async def row_of_line(session: Session, dataset: Dataset, line: int, problems: Problems) -> int:
    """The place of the row that a line of the file is in, counted from 0; -1 if there is none.

    A row takes as many lines as its cells have; the lines that gave no row are known.
    """
    name = dataset.format.get("name")
    has_breaks = name in _DELIMITED
    if name in _UNTOLD or (has_breaks and chunked(dataset) is not None):
        return -1  # how many lines a text has cannot be told from its parts
    left_out = {at for kind, at, _ in problems if kind in _LEFT_OUT}

    def next_line(at: int) -> int:
        while at in left_out:
            at += 1
        return at

    at = 1
    if has_breaks:
        at = next_line(at) + 1  # below the line of column names
    number = 0  # parts of one row of the file have the same
    ids = await session.row_ids(dataset.id)
    for first in range(0, len(ids), _BLOCK_ROWS):
        for place, row in enumerate(
            await session.row_page(ids[first : first + _BLOCK_ROWS]), first
        ):
            if row.number == number:
                continue
            at, number = next_line(at), row.number
            if at >= line:
                return place if at == line else place - 1
            breaks = sum(len(_LINE_END.findall(cell)) for cell in row.cells.values() if cell)
            at += 1 + (breaks if has_breaks else 0)
    return len(ids) - 1 if at > line else -1


class ProblemsModel(QAbstractTableModel):
    """One line per problem: where, and what."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._problems: Problems = ()
        self._has_lines = True

    def set_problems(self, problems: Problems, format_name: str = "csv") -> None:
        """Other problems, of a file of this format."""
        self.beginResetModel()
        self._problems = problems
        self._has_lines = format_name in _LINES
        self.endResetModel()

    def line(self, row: int) -> int | None:
        """The line of the file that a row of the list is about; None for none."""
        kind, line, _ = self._problems[row]
        return None if kind in _OF_COLUMNS or kind in _LEFT_OUT else line

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        kind, line, detail = self._problems[index.row()]
        if index.column() == 0:
            if role == Cell.STATE:
                return BadgeState.REVIEW
            if role == Qt.ItemDataRole.DisplayRole:
                return self._place(line, json.loads(detail))
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.sentence(kind, json.loads(detail))
        return "text2" if role == Cell.TONE else None

    def _place(self, line: int | None, detail: Mapping[str, Any]) -> str:
        """``line 12``; of formats without lines ``row 12``, or the cell where it is known."""
        if "cell" in detail:
            return self.tr("cell {0}").format(detail["cell"])
        if not line:
            return MISSING
        words = self.tr("line {0}") if self._has_lines else self.tr("row {0}")
        return words.format(self._words.number(line))

    def sentence(self, kind: str, detail: Mapping[str, Any]) -> str:
        """One problem in a few words."""
        template = {
            "ragged_short": self.tr("{cells} cells instead of {expected}"),
            "ragged_long": self.tr("{cells} cells instead of {expected}"),
            "nul_bytes": self.tr("NUL characters, removed"),
            "undecodable": self.tr("characters that do not fit the encoding"),
            "duplicate_column": self.tr("column “{name}” again, now “{column}”"),
            "empty_column_name": self.tr("column without a name, now “{column}”"),
            "duplicate_key": self.tr("id “{value}” again, now “{key}”"),
            "empty_key": self.tr("no id, now “{key}”"),
            "not_an_object": self.tr("not an object, left out"),
            "invalid_json": self.tr("not JSON, left out"),
            "nested_too_deeply": self.tr("nested deeper than {limit} levels, left out"),
            "blank_line": self.tr("blank line, left out"),
            "open_quote": self.tr("quote not closed over {lines} lines"),
            "moved_column": self.tr("column “{name}” is reserved, now “{column}”"),
            "above_header": self.tr("above the column names, left out"),
            "cell_error": self.tr("an error, kept as “{value}”"),
            "no_cached_value": self.tr("formula without a saved result, empty"),
            "bad_cell": self.tr("cannot be read, empty"),
            "binary_cell": self.tr("{bytes} bytes that are no text, shown as hexadecimal"),
            "hidden_sheet": self.tr("hidden sheet “{name}”, not read"),
            "other_table": self.tr("“{name}” is there as well, not read"),
            "unreadable_file": self.tr("“{name}” cannot be read: {reason}"),
            "no_text": self.tr("“{name}” has no text, such as a scan"),
        }.get(kind)
        if template is None:
            return self._words.file_problem(kind, 1)
        try:
            return template.format(**detail)
        except KeyError:  # a detail that this version does not know
            return self._words.file_problem(kind, 1)


class ProblemsSection(QWidget):
    """Counts by kind over the list of lines; hidden by the page when nothing is wrong.

    Args:
        desk: Is asked for the problems.
        words: Words for kinds.

    Signals:
        row_found(int): The row of the chosen line, counted from 0.
    """

    row_found = Signal(int)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, words
        self._dataset: Dataset | None = None
        self._problems: Problems = ()
        self._asked: Asked | None = None
        self.counts = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.model = ProblemsModel(words)
        self.table = TableView(ROW_DENSE_H)
        self.table.horizontalHeader().setVisible(False)
        self.table.setAccessibleName(self.tr("Lines with faults"))
        self.table.setModel(self.model)
        self.table.set_columns({0: 100}, stretch=(1,))
        self.table.current_row.connect(self._look_up)
        self.note = PlainLabel("", Type.LABEL, "text2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.counts, self.table, self.note):
            column.addWidget(widget)

    def show_dataset(self, dataset: Dataset | None) -> None:
        """Show what was wrong in a dataset's file."""
        self._dataset, self._problems = dataset, ()
        self.model.set_problems(())
        self.note.setVisible(False)
        counts = dataset.problem_counts if dataset else {}
        listed = [self._words.file_problem(kind, count) for kind, count in counts.items()]
        self.counts.setText("\n".join(listed) or self.tr("Nothing: every line was read."))
        self.table.setVisible(bool(counts))
        if dataset is not None and counts:
            self._desk.ask(lambda session: session.problems(dataset.id), self._take)

    def _take(self, problems: Problems) -> None:
        self._problems = problems
        dataset = self._dataset
        self.model.set_problems(problems, str(dataset.format.get("name")) if dataset else "")
        lines = min(len(problems), _SHOWN_LINES)
        self.table.setFixedHeight(theme().px(ROW_DENSE_H) * lines + 6)

    def _look_up(self, row: int) -> None:
        dataset = self._dataset
        line = self.model.line(row) if 0 <= row < len(self._problems) else None
        if self._asked is not None:
            self._asked.cancel()
        self.note.setVisible(False)
        if dataset is None or line is None:
            return
        problems = self._problems
        self._asked = self._desk.ask(
            lambda session: row_of_line(session, dataset, line, problems), self._found
        )

    def _found(self, row: int) -> None:
        if row >= 0:
            self.row_found.emit(row)
        else:
            self.note.setText(self.tr("The row of this line cannot be told."))
            self.note.setVisible(True)
