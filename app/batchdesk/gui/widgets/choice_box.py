"""A floating box to choose one of several things while reading what each of them says.

Names come in and the text of the chosen one; the number of the chosen one goes out. Subclasses
add the buttons that do something with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.overlay import Overlay

_WIDTH, _HEIGHT, _LIST, _ROW = 720, 460, 210, 28

# A piece of text with the token of its colour, and whether it is a heading.
Piece = tuple[str, str, bool]


class ChoiceBox(Overlay):
    """A list at the left, text at the right, a row of buttons below.

    Args:
        parent: The window.
        title: What is chosen.
        about: A sentence under the title.

    Signals:
        chosen(int): Another one is chosen; -1: none.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget, title: str, about: str) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.list = QListWidget()
        self.text = QTextEdit()
        self.buttons = QHBoxLayout()
        self.close_button = Button("", Kind.FLAT, icon="x", height=24)
        self._about = about
        self._lay_out(title)
        self.list.currentRowChanged.connect(self.chosen)
        self.close_button.clicked.connect(lambda _on=False: self.close_over())

    def open_centred(self) -> None:
        """Shows it in the middle of the window, with the focus on the list."""
        window = self.parentWidget() or self
        width = min(theme().px(_WIDTH), window.width() - 32)
        height = min(theme().px(_HEIGHT), window.height() - 32)
        self.setFixedSize(width, height)
        self.move((window.width() - width) // 2, (window.height() - height) // 2)
        self.open_over(self.list)

    def offer(self, names: Sequence[str], current: int = 0) -> None:
        """Other things to choose from; tells of the chosen one."""
        with QSignalBlocker(self.list):
            self.list.clear()
            for name in names:
                item = QListWidgetItem(name)
                item.setSizeHint(QSize(10, theme().px(_ROW)))
                self.list.addItem(item)
            self.list.setCurrentRow(min(current, len(names) - 1))
        self.chosen.emit(self.list.currentRow())

    def read(self, pieces: Sequence[Piece]) -> None:
        """Shows the text of the chosen one."""
        self.text.clear()
        cursor, look = self.text.textCursor(), theme()
        for words, colour, is_heading in pieces:
            form = QTextCharFormat()
            form.setFont(look.font(Type.LABEL_MEDIUM if is_heading else Type.BODY))
            form.setForeground(look.tokens.colour(colour))
            cursor.insertText(words, form)
        self.text.verticalScrollBar().setValue(0)

    def _lay_out(self, title: str) -> None:
        self.close_button.setAccessibleName(self.tr("Close"))
        self.close_button.setToolTip(self.tr("Close"))
        self.list.setAccessibleName(title)
        self.list.setFixedWidth(theme().px(_LIST))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.setAcceptRichText(False)
        self.text.setAccessibleName(self.tr("What it says"))
        head = QHBoxLayout()
        head.addWidget(ElidingLabel(title, Type.CARD_TITLE, "text", least=120), 1)
        head.addWidget(self.close_button)
        middle = QHBoxLayout()
        middle.setSpacing(8)
        middle.addWidget(self.list)
        right = QVBoxLayout()
        right.addWidget(self.text, 1)
        middle.addLayout(right, 1)
        self.column.setSpacing(8)
        self.column.addLayout(head)
        self.column.addWidget(PlainLabel(self._about, Type.LABEL, "text2", wrap=True))
        self.column.addLayout(middle, 1)
        self.buttons.setSpacing(8)
        self.column.addLayout(self.buttons)
