"""What is chosen in a file beyond encoding and separator: sheet, table or list, header row, depth.

The format that a table was read with comes in; ReadOptions of these four go out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QWidget

from batchdesk.gui.pages.prompt_inputs import InvalidInputError, NumberLine
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.session import ReadOptions
from batchdesk.session.reading import Part

SHEETS = frozenset({"xlsx", "xls"})
WITH_PARTS = SHEETS | {"sqlite", "json"}
_TABLES = frozenset({"sqlite", "json"})
_HEADED = SHEETS | {"csv", "tsv"}
_NESTED = frozenset({"json", "jsonl"})
_MOST_ROWS = 1000


def options_shown(read: Mapping[str, Any]) -> ReadOptions:
    """How a table was read, in what can be chosen here."""
    name = read.get("name")
    return ReadOptions(
        sheet=read.get("sheet") if name in SHEETS else None,
        header_row=(read.get("header_row") or 1) if name in _HEADED else None,
        table=read.get("table") if name in _TABLES else None,
        flatten=bool(read.get("flatten")) if name in _NESTED else False,
    )


class PartChoice(QWidget):
    """The controls; those that a format does not know are hidden.

    Signals:
        changed(): The person chose.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read: Mapping[str, Any] = {}
        self._row = 1  # the last number that could be used
        self.part = QComboBox()
        self.part.setMinimumWidth(80)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.part.setSizeAdjustPolicy(policy)
        self.header = NumberLine(self.tr("Header row"), 1, _MOST_ROWS, whole=True)
        self.flatten = QCheckBox(self.tr("Nested fields as columns"))
        self._part_name = ElidingLabel("", Type.BODY, "text2", least=60)
        self._header_name = ElidingLabel(self.tr("Header row"), Type.BODY, "text2", least=60)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, 70)
        grid.addWidget(self._part_name, 0, 0)
        grid.addWidget(self.part, 0, 1)
        grid.addWidget(self._header_name, 1, 0)
        grid.addWidget(self.header, 1, 1)
        grid.addWidget(self.flatten, 2, 0, 1, 2)
        self.part.activated.connect(lambda _index: self.changed.emit())
        self.header.edited.connect(self._header_edited)
        self.flatten.toggled.connect(lambda _on: self.changed.emit())

    def show_format(self, read: Mapping[str, Any]) -> None:
        """Show how a table was read; no signal."""
        self._read = read
        name, told = read.get("name"), options_shown(read)
        # A JSON file may be the list itself, or one object: then there is none to choose.
        has_parts = name in WITH_PARTS and (name != "json" or told.table is not None)
        words = self.tr("List") if name == "json" else self.tr("Table")
        words = self.tr("Sheet") if name in SHEETS else words
        self._part_name.set_text(words)
        self.part.setAccessibleName(words)
        current = told.sheet if name in SHEETS else told.table
        with QSignalBlocker(self.part), QSignalBlocker(self.header), QSignalBlocker(self.flatten):
            self.part.clear()
            self.part.addItem(current or "", current)
            self.header.set_value(told.header_row or 1)
            self._row = told.header_row or 1
            self.flatten.setChecked(told.flatten)
        for widget in (self.part, self._part_name):
            widget.setVisible(has_parts)
        self.header.setVisible(name in _HEADED)
        self._header_name.setVisible(name in _HEADED)
        self.flatten.setVisible(name in _NESTED)
        self.setVisible(has_parts or name in _HEADED or name in _NESTED)

    def offer_parts(self, parts: Sequence[Part]) -> None:
        """The sheets, tables or lists of the file; hidden ones are named as such."""
        if not parts:
            return
        current = self.part.currentData()
        with QSignalBlocker(self.part):
            self.part.clear()
            for one in parts:
                hidden = self.tr("{0} (hidden)")
                words = hidden.format(one.name) if one.is_hidden else one.name
                self.part.addItem(words, one.name)
            place = self.part.findData(current)
            self.part.setCurrentIndex(max(0, place))

    def _header_edited(self) -> None:
        try:
            self._row = int(self.header.number())
        except InvalidInputError as error:
            self.header.setToolTip(str(error))
            return
        self.header.setToolTip("")
        self.changed.emit()

    def options(self) -> ReadOptions:
        """What is chosen now."""
        name = self._read.get("name")
        part = self.part.currentData()
        return ReadOptions(
            sheet=part if name in SHEETS else None,
            header_row=self._row if name in _HEADED else None,
            table=part if name in _TABLES else None,
            flatten=self.flatten.isChecked() if name in _NESTED else False,
        )
