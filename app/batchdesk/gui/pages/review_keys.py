"""The keys of Review, and the list of them as a popover over the action bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.gui.theme import INSIDE, theme
from batchdesk.gui.widgets.labels import KeyCap, PlainLabel
from batchdesk.gui.widgets.panel import Panel


def add_key(page: QWidget, key: str, act: Callable[[], None], *, repeats: bool) -> QShortcut:
    """A key that acts wherever on the page the focus is, except where it types."""
    shortcut = QShortcut(QKeySequence(key), page)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.setAutoRepeat(repeats)
    shortcut.activated.connect(act)
    return shortcut


class KeysPopover(QWidget):
    """All keys and what they do; any key or click takes it away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        panel = Panel(self.tr("Keys"))
        outer.addWidget(panel)
        grid = QGridLayout()
        grid.setHorizontalSpacing(INSIDE)
        grid.setVerticalSpacing(6)
        for row, (keys, words) in enumerate(self.lines()):
            caps = QHBoxLayout()
            caps.setSpacing(4)
            for key in keys:
                caps.addWidget(KeyCap(key))
            caps.addStretch(1)
            grid.addLayout(caps, row, 0)
            grid.addWidget(PlainLabel(words), row, 1)
        panel.add(grid)

    def lines(self) -> list[tuple[tuple[str, ...], str]]:
        """Keys and words, in order of use."""
        return [
            (("A",), self.tr("Accept the answer")),
            (("E",), self.tr("Edit the answer")),
            (("R",), self.tr("Reject it, with a note")),
            (("T",), self.tr("Try again, with a note for the model")),
            (("S",), self.tr("Later: to the end of the queue")),
            (("U",), self.tr("Undo the last step, any number of times")),
            (("J", "↓"), self.tr("Next")),
            (("K", "↑"), self.tr("Previous")),
            ((self.tr("Space"),), self.tr("Scroll the source")),
            (("/",), self.tr("Search")),
            ((self.tr("Ctrl+Enter"),), self.tr("Accept what was edited")),
            (("Esc",), self.tr("Leave editing, a note or the search")),
        ]

    def open_above(self, anchor: QWidget) -> None:
        """Shows the list with its lower right corner at the anchor's upper right."""
        self.adjustSize()
        corner = anchor.mapToGlobal(QPoint(anchor.width(), 0))
        self.move(corner - QPoint(self.width(), self.height() + 6))
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """No key of the page acts while the list is open."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground behind the round corners: not every desktop can show through there."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme().tokens.colour("base"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        self.close()
