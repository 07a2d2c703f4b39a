"""The prompt's two texts, with placeholders in colour, and the columns as chips to insert."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.pages.prompt_inputs import scrolled
from batchdesk.gui.theme import RADIUS_CHIP, Type, theme
from batchdesk.gui.widgets.chips import ChipTone, chip_width, paint_chip
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import focus_ring
from batchdesk.gui.widgets.panel import Hairline, Panel

_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}")
_RESERVED = frozenset({"row", "true", "false", "none", "True", "False", "None"})
_RESERVED_WORDS = frozenset({"not", "and", "or", "in", "is", "if", "else"})
_MOST_CHIPS = 60  # of a very wide table; the others are typed
_CHIP_ROWS = 2  # seen without scrolling


def placeholder(column: str) -> str:
    """How a template names a column."""
    if column.isidentifier() and column not in _RESERVED | _RESERVED_WORDS:
        return "{{ " + column + " }}"
    return "{{ row[" + json.dumps(column, ensure_ascii=False) + "] }}"


class PromptText(QPlainTextEdit):
    """An editor of template text; Tab leaves it.

    Signals:
        focused(): The keyboard came here.
    """

    focused = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        self.setMinimumHeight(56)
        self.document().setDocumentMargin(4)
        self._colours = _Placeholders(self.document())
        theme().changed.connect(self._restyle)
        self._restyle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def _restyle(self) -> None:
        self.setFont(theme().font(Type.BODY))
        with QSignalBlocker(self):  # other colours are no edit
            self._colours.rehighlight()


class _Placeholders(QSyntaxHighlighter):
    """Placeholders and statements in the colour of what is inserted."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)

    def highlightBlock(self, text: str) -> None:
        form = QTextCharFormat()
        form.setForeground(theme().tokens.colour("accent"))
        form.setBackground(theme().tokens.colour("running.tint"))
        for found in _PLACEHOLDER.finditer(text):
            self.setFormat(found.start(), found.end() - found.start(), form)


class ColumnChip(QAbstractButton):
    """A column that a click, Space or Enter inserts. ``used``: the prompt names it already."""

    def __init__(self, column: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column, self.used = column, False
        self.setText(column)
        self.setAccessibleName(words)
        self.setToolTip(f"{words}\n{placeholder(column)}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the editor its cursor
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = min(chip_width(self.column) + 2, theme().px(180))
        return QSize(int(width), theme().px(24))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            tone = ChipTone.FILTER if self.used else ChipTone.PLAIN
            paint_chip(painter, rect, self.column, tone)
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS_CHIP)


class ColumnChips(QWidget):
    """All columns, flowing over as many lines as they need.

    Signals:
        chosen(str): Insert this column.
        height_changed(int): So many pixels are needed now.
    """

    chosen = Signal(str)
    height_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[ColumnChip] = []
        self._more = ElidingLabel("", Type.LABEL, "text2")
        self._more.setParent(self)

    def set_columns(self, columns: Sequence[str]) -> None:
        """Offer other columns."""
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for column in columns[:_MOST_CHIPS]:
            chip = ColumnChip(column, self.tr("Insert the column {0}").format(column), self)
            chip.clicked.connect(lambda _on=False, name=column: self.chosen.emit(name))
            chip.show()
            self.chips.append(chip)
        rest = len(columns) - len(self.chips)
        self._more.set_text(self.tr("and %Ln more column(s)", "", rest) if rest > 0 else "")
        self._more.setVisible(rest > 0)
        self._place()

    def set_used(self, used: Collection[str]) -> None:
        """Which columns the prompt names."""
        for chip in self.chips:
            if chip.used != (chip.column in used):
                chip.used = chip.column in used
                chip.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        left, top, gap = 0, 0, 6
        line = theme().px(24)
        for widget in (*self.chips, self._more):
            size = widget.sizeHint()
            if left and left + size.width() > self.width():
                left, top = 0, top + line + gap
            widget.setGeometry(left, top, size.width(), line)
            left += size.width() + gap
        if self.minimumHeight() != top + line:
            self.setMinimumHeight(top + line)
            self.height_changed.emit(top + line)


class TextsPanel(Panel):
    """System text over the text per row, and the columns below.

    Signals:
        edited(): The person changed a text.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, parent=parent)
        self.system = PromptText(self.tr("System text"))
        self.user = PromptText(self.tr("Text per row"))
        self.chips = ColumnChips()
        self._last = self.user
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        parts = (
            (self.system, self.tr("System text"), self.tr("the same for every row")),
            (self.user, self.tr("Text per row"), self.tr("with the row's columns")),
        )
        for editor, title, subtitle in parts:
            splitter.addWidget(_titled(editor, title, subtitle))
            editor.textChanged.connect(self.edited)
            editor.focused.connect(lambda editor=editor: self._remember(editor))
        splitter.setSizes([110, 150])
        self.add(splitter, 1)
        self.add(Hairline())
        self.add(self._insert_row())
        self.chips.chosen.connect(self.insert)

    def show_texts(self, system: str, user: str) -> None:
        """Show other texts; no signal."""
        for editor, text in ((self.system, system), (self.user, user)):
            if editor.toPlainText() != text:
                with QSignalBlocker(self):
                    editor.setPlainText(text)
                    editor.moveCursor(QTextCursor.MoveOperation.End)

    def texts(self) -> tuple[str, str]:
        """System text and text per row."""
        return self.system.toPlainText(), self.user.toPlainText()

    def show_place(self, part: str, start: int, end: int) -> None:
        """Select some characters of a text (system or user) and go there."""
        editor = self.system if part == "system" else self.user
        cursor = editor.textCursor()
        last = max(0, editor.document().characterCount() - 1)
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        editor.ensureCursorVisible()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def insert(self, column: str) -> None:
        """Insert a column's placeholder where the cursor was last."""
        self._last.insertPlainText(placeholder(column))
        self._last.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remember(self, editor: PromptText) -> None:
        self._last = editor

    def _insert_row(self) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(11, 0, 11, 2)
        line.setSpacing(10)
        line.addWidget(ElidingLabel(self.tr("Insert"), Type.LABEL, "text2", least=20))
        area = scrolled(self.chips)
        most = _CHIP_ROWS * theme().px(24) + 6
        area.setFixedHeight(theme().px(24))
        self.chips.height_changed.connect(lambda height: area.setFixedHeight(min(most, height)))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line.addWidget(area, 1)
        return row


def _titled(editor: QWidget, title: str, subtitle: str) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(8, 4, 2, 0)
    column.setSpacing(0)
    head = QHBoxLayout()
    head.setContentsMargins(4, 4, 8, 0)
    head.addWidget(ElidingLabel(title, Type.PANEL_TITLE, "text", least=80))
    head.addStretch(1)
    head.addWidget(ElidingLabel(subtitle, Type.LABEL, "text2", least=0))
    column.addLayout(head)
    column.addWidget(editor, 1)
    return box
