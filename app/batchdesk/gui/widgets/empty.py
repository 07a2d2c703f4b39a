"""The empty state: icon, one sentence what to do, one button and its shortcut, maybe a second."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import KeyCap, PlainLabel

_ICON, _LEAST = 28, 240


class IconMark(QWidget):
    """A painted icon of a token's colour.

    Args:
        name: Icon of ``resources/icons``.
        size: Edge, pixels.
        colour: Token.
    """

    def __init__(
        self, name: str, size: int = 16, colour: str = "text2", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._colour = name, colour
        self.setFixedSize(theme().px(size), theme().px(size))

    def set_icon(self, name: str, colour: str = "text2") -> None:
        """Another icon."""
        self._name, self._colour = name, colour
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme().paint_icon(painter, QRectF(self.rect()), self._name, self._colour)


class EmptyState(QWidget):
    """What an empty page or panel shows.

    Args:
        icon: Icon name.
        sentence: What to do, one sentence.
        button: The word of the one button; without it there is none.
        shortcut: Its key, shown beside it.
        detail: A second line in secondary text.
        second: The word of another button; without it there is none.

    Signals:
        activated(): The button was pressed.
        second_activated(): The other one was.
    """

    activated = Signal()
    second_activated = Signal()

    def __init__(
        self,
        icon: str,
        sentence: str,
        button: str = "",
        *,
        shortcut: str = "",
        detail: str = "",
        second: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        centre = Qt.AlignmentFlag.AlignCenter
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addStretch(1)
        self.icon = IconMark(icon, _ICON, "text3")
        column.addWidget(self.icon, 0, centre)
        self.sentence = PlainLabel(sentence, Type.CARD_TITLE, wrap=True)
        self.sentence.setAlignment(centre)
        column.addWidget(self.sentence)
        self.detail = PlainLabel(detail, Type.BODY, "text2", wrap=True)
        self.detail.setAlignment(centre)
        self.detail.setVisible(bool(detail))
        for words in (self.sentence, self.detail):  # else a line a word is what it needs at least
            words.setMinimumWidth(theme().px(_LEAST))
        column.addWidget(self.detail)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        self.button = Button(button, Kind.PRIMARY)
        self.button.setVisible(bool(button))
        self.button.clicked.connect(lambda _checked=False: self.activated.emit())
        row.addWidget(self.button)
        if shortcut:
            row.addWidget(KeyCap(shortcut))
        self.second = Button(second)
        self.second.setVisible(bool(second))
        self.second.clicked.connect(lambda _checked=False: self.second_activated.emit())
        row.addWidget(self.second)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def set_words(self, sentence: str, detail: str = "") -> None:
        """Other words."""
        self.sentence.setText(sentence)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
