"""The rows that were tried, each with both of its answers; all of them or those that differ.

TriedRows come in; nothing goes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from batchdesk.gui.models.preview import (
    CHECK,
    CONFIDENCE,
    FIRST,
    KEY,
    LABEL,
    SECOND,
    TEXT,
    Found,
    PreviewModel,
    TriedRow,
)
from batchdesk.gui.widgets.buttons import Segments
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words

_ALL = "all"


class TriedPanel(Panel):
    """The table under the gates.

    Args:
        words: Numbers for people.
    """

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("Rows tried", flush=True, parent=parent)
        self.set_title(self.tr("Rows tried"))
        self.model = PreviewModel(words, self)
        self.table = TableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Rows tried"))
        self.table.set_columns(
            {KEY: 80, FIRST: 100, SECOND: 100, LABEL: 92, CONFIDENCE: 82, CHECK: 132},
            stretch=(TEXT,),
        )
        self.filter = Segments(
            [
                (_ALL, self.tr("All")),
                (Found.CHANGED, self.tr("Changed")),
                (Found.LABEL_DIFFERS, self.tr("Label differs")),
            ]
        )
        self.filter.chosen.connect(
            lambda code: self.model.show_only(None if code == _ALL else Found(code))
        )
        self.add_tool(self.filter)
        self.add(self.table, 1)

    def show_rows(self, rows: Sequence[TriedRow]) -> None:
        """Other rows, or the same with more answers."""
        self.model.set_rows(list(rows))
        self.set_subtitle(
            self.tr("%Ln row(s), each twice", "", len(rows)) if rows else self.tr("none yet")
        )

    def show_label(self, *, wanted: bool) -> None:
        """With or without the label column."""
        self.table.setColumnHidden(LABEL, not wanted)

    def show_all(self) -> None:
        """All rows rather than those that differ."""
        self.filter.choose(_ALL)
        self.model.show_only(None)
