"""What floats over the window because the person asked: command palette and page help.

Both are children of the window, close on Escape and when the focus leaves, and give the focus
back to where it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.theme import RADIUS, RADIUS_PANEL, Type, theme
from batchdesk.gui.widgets.labels import KeyHint, PlainLabel, cap_size, paint_cap
from batchdesk.gui.widgets.page import Command
from batchdesk.gui.widgets.paint import rounded, write
from batchdesk.gui.widgets.table import Index

_ROWS, _ROW_H = 9, 32


class Overlay(QFrame):
    """A floating panel; a subclass fills ``column``."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._before: QWidget | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 12, 12, 12)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    def open_over(self, focus: QWidget | None = None) -> None:
        """Shows it and takes the focus."""
        before = QApplication.focusWidget()
        if before is not None and not self.isAncestorOf(before):
            self._before = before
        self.adjustSize()
        self.raise_()
        self.show()
        (focus or self).setFocus(Qt.FocusReason.PopupFocusReason)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved, Qt.ConnectionType.UniqueConnection)

    def close_over(self) -> None:
        """Hides it and gives the focus back."""
        if self.isVisible():
            inside = QApplication.focusWidget()
            held = inside is None or inside is self or self.isAncestorOf(inside)
            self.hide()
            if held and self._before is not None:
                self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_over()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            edge, ground = tokens.colour("ctl"), tokens.colour("base")
            rounded(painter, QRectF(self.rect()), RADIUS_PANEL, ground, edge)

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self.isVisible() and new is not None and new is not self and not self.isAncestorOf(new):
            self._before = None
            self.close_over()


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """Commands whose words hold every typed word; those that begin with the first come first."""
    wanted = typed.casefold().split()
    found = [c for c in commands if all(part in c.words.casefold() for part in wanted)]
    if wanted:
        found.sort(key=lambda c: not c.words.casefold().startswith(wanted[0]))
    return found


class CommandPalette(Overlay):
    """Finds any page or command by words.

    Args:
        parent: The window.
        hint: Placeholder of the field.
        nothing: What it says when nothing matches.
    """

    def __init__(self, parent: QWidget, hint: str, nothing: str) -> None:
        super().__init__(parent)
        self._commands: list[Command] = []
        self._found: list[Command] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(hint)
        self.list = QListView()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._model = QStringListModel(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_CommandDelegate(self))
        self._nothing = PlainLabel(nothing, Type.BODY, "text2")
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(6)
        self.column.addWidget(self.field)
        self.column.addWidget(self.list)
        self.column.addWidget(self._nothing)
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda index: self._do(index.row()))

    @property
    def found(self) -> list[Command]:
        """What matches now."""
        return self._found

    def open_with(self, commands: Sequence[Command], centre: int, top: int) -> None:
        """Shows it.

        Args:
            commands: What can be done now.
            centre: Middle of the panel in the window, pixels.
            top: Its upper edge.
        """
        self._commands = [command for command in commands if command.enabled()]
        self.field.clear()
        self._find("")
        width = min(560, self.window().width() - 32)
        self.setFixedWidth(width)
        self.move(max(16, centre - width // 2), top)
        self.open_over(self.field)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up, Down and Enter in the field act on the list."""
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() != QEvent.Type.KeyPress:
                return False
            key = Qt.Key(event.key())
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key, 0)
            if step and self._found:
                row = (self.list.currentIndex().row() + step) % len(self._found)
                self.list.setCurrentIndex(self._model.index(row, 0))
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._do(self.list.currentIndex().row())
                return True
        return super().eventFilter(watched, event)

    def command_at(self, row: int) -> Command:
        """A command of the list."""
        return self._found[row]

    def _find(self, typed: str) -> None:
        self._found = matching(self._commands, typed)
        self._model.setStringList([command.words for command in self._found])
        self.list.setVisible(bool(self._found))
        self._nothing.setVisible(not self._found)
        self.list.setFixedHeight(theme().px(_ROW_H) * max(1, min(_ROWS, len(self._found))))
        self.list.setCurrentIndex(self._model.index(0, 0))
        self.adjustSize()

    def _do(self, row: int) -> None:
        if 0 <= row < len(self._found):
            command = self._found[row]
            self.close_over()
            command.act()


class _CommandDelegate(QStyledItemDelegate):
    """A command's words, and its key at the right."""

    def __init__(self, palette: CommandPalette) -> None:
        super().__init__(palette)
        self._palette = palette

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = theme()
        rect = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            rounded(painter, rect.adjusted(0, 1, 0, -1), RADIUS, look.tokens.colour("sel"))
        command = self._palette.command_at(index.row())
        right = rect.right() - 8
        if command.key:
            width, height = cap_size(command.key)
            cap = QRectF(right - width, rect.center().y() - height / 2, width, height)
            paint_cap(painter, cap, command.key)
            right = cap.left() - 8
        words = QRectF(rect.left() + 8, rect.top(), right - rect.left() - 8, rect.height())
        write(painter, words, command.words, look.font(Type.BODY), look.tokens.colour("text"))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        size.setHeight(theme().px(_ROW_H))
        return size


class HelpPopover(Overlay):
    """What F1 shows: the page in plain words and the keys that work everywhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = PlainLabel("", Type.CARD_TITLE)
        self._words = PlainLabel("", Type.BODY, "text2", wrap=True)
        self._keys = QVBoxLayout()
        self._keys.setSpacing(6)
        self.column.setContentsMargins(16, 14, 16, 14)
        self.column.setSpacing(10)
        self.column.addWidget(self._title)
        self.column.addWidget(self._words)
        self.column.addLayout(self._keys)

    def words(self) -> str:
        """The text shown."""
        return self._words.text()

    def open_with(
        self, title: str, words: str, keys: Sequence[tuple[list[str], str]], *, right: int, top: int
    ) -> None:
        """Shows it.

        Args:
            title: The page's name.
            words: What it is for.
            keys: Key names and meanings.
            right: Its right edge in the window, pixels.
            top: Its upper edge.
        """
        self._title.setText(title)
        self._words.setText(words)
        self._words.setVisible(bool(words))
        while (item := self._keys.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for names, meaning in keys:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(KeyHint(names, meaning))
            row.addStretch(1)
            self._keys.addWidget(line)
        width = theme().px(380)
        self.setFixedWidth(width)
        self._words.setFixedWidth(width - 32)
        self.setAccessibleName(f"{title}. {words}")
        self.move(right - width, top)
        self.open_over()
