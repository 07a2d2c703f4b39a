"""The header bar: the project and its menu, who answers, the search field, and the saved mark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from batchdesk.gui.theme import HEADER_H, PAGE_X, RADIUS, Type, theme
from batchdesk.gui.widgets.labels import cap_size, paint_cap
from batchdesk.gui.widgets.paint import focus_ring, hairline, rounded, text_width, write
from batchdesk.gui.widgets.states import BadgeState, StateWord

_ICON, _CARET = 16, 10
_SEARCH_WIDE, _SEARCH_NARROW, _NARROW_BELOW = 312, 160, 1180
_LONGEST = 240


class HeaderButton(QAbstractButton):
    """An icon and a name on the frame, with a caret when it has a menu.

    Args:
        icon: Icon name.
        strong: Weight 600.
        caret: Draws the caret.
    """

    def __init__(
        self,
        icon: str,
        *,
        strong: bool = False,
        caret: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._caret = icon, caret
        self._role = Type.PANEL_TITLE if strong else Type.BODY
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setShortcut("")

    def set_words(self, words: str, tip: str = "") -> None:
        """Another name."""
        self.setText(words)
        self.setShortcut("")  # an ampersand in a file's name is no shortcut
        self.setToolTip(tip or words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        words = min(_LONGEST, text_width(self.text(), theme().font(self._role)) + 2)
        caret = _CARET + 10 if self._caret else 0
        return QSize(int(words) + _ICON + 6 + caret + 16, theme().px(30))

    def minimumSizeHint(self) -> QSize:
        return QSize(90, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            if self.underMouse() or self.isDown():
                rounded(painter, rect, RADIUS, look.tokens.colour("hover"))
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS)
            middle = rect.center().y()
            box = QRectF(8, middle - _ICON / 2, _ICON, _ICON)
            look.paint_icon(painter, box, self._icon, "text2")
            right = rect.right() - 8
            if self._caret:
                caret = QRectF(right - _CARET, middle - _CARET / 2, _CARET, _CARET)
                look.paint_icon(painter, caret, "caret-down", "text2")
                right = caret.left() - 6
            words = QRectF(30, 0, right - 30, rect.height())
            font, colour = look.font(self._role), look.tokens.colour("text")
            write(painter, words, self.text(), font, colour, elide=Qt.TextElideMode.ElideMiddle)


class SearchButton(QAbstractButton):
    """Looks like a field; opens the command palette."""

    def __init__(self, words: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setText(words)
        self.setShortcut("")
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(theme().px(28))

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            ground, edge = look.tokens.colour("base"), look.tokens.colour("ctl2")
            rounded(painter, rect, RADIUS, ground, edge)
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS)
            middle = rect.center().y()
            look.paint_icon(painter, QRectF(8, middle - 7, 14, 14), "magnifying-glass", "text2")
            width, height = cap_size(self._key)
            cap = QRectF(rect.right() - width - 4, middle - height / 2, width, height)
            paint_cap(painter, cap, self._key)
            words = QRectF(28, 0, cap.left() - 32, rect.height())
            write(painter, words, self.text(), look.font(Type.LABEL), look.tokens.colour("text3"))


class Header(QWidget):
    """The bar on top.

    Signals:
        new_wanted(), open_wanted(), copy_wanted(), close_wanted(): From the project's menu.
        recent_wanted(object): A Path from "Open recent".
        provider_wanted(): The provider's name was pressed.
        search_wanted(): The search field was pressed.
    """

    new_wanted = Signal()
    open_wanted = Signal()
    copy_wanted = Signal()
    close_wanted = Signal()
    recent_wanted = Signal(object)
    provider_wanted = Signal()
    search_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme().px(HEADER_H))
        self.project = HeaderButton("file-text", strong=True)
        self.provider = HeaderButton("cpu", caret=False)
        self.search = SearchButton(self.tr("Find a page or a command"), self.tr("Ctrl K"))
        self.saved = StateWord(BadgeState.PASSED, self.tr("Saved"))
        row = QHBoxLayout(self)
        row.setContentsMargins(PAGE_X - 8, 0, PAGE_X, 0)
        row.setSpacing(8)
        row.addWidget(self.project)
        row.addWidget(self.provider)
        row.addStretch(1)
        row.addWidget(self.search)
        row.addStretch(1)
        row.addWidget(self.saved)
        self._menu = QMenu(self)
        self._recent = QMenu(self.tr("Open recent"), self._menu)
        self._fill_menu()
        self.project.clicked.connect(self._show_menu)
        self.provider.clicked.connect(self.provider_wanted)
        self.search.clicked.connect(self.search_wanted)
        self.set_project(None)
        self.set_provider("")

    def set_project(self, path: Path | None) -> None:
        """The open project; None for none."""
        name = path.stem if path is not None else self.tr("No project")
        self.project.set_words(name, str(path) if path is not None else "")
        for action in (self._copy, self._close):
            action.setEnabled(path is not None)
            action.setToolTip("" if path is not None else self.tr("No project is open"))
        self.saved.setVisible(path is not None)

    def set_provider(self, name: str) -> None:
        """Who answers; empty hides it."""
        self.provider.setVisible(bool(name))
        self.provider.set_words(name, self.tr("Who answers: {0}").format(name))

    def set_recent(self, paths: Sequence[Path]) -> None:
        """Projects for "Open recent"."""
        self._recent.clear()
        for path in paths:
            action = self._recent.addAction(path.stem.replace("&", "&&"))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _on=False, path=path: self.recent_wanted.emit(path))
        self._recent.setEnabled(bool(paths))

    def set_unsaved(self, rows: int) -> None:
        """How many answers are not on disk yet."""
        if rows:
            self.saved.set_state(BadgeState.RUNNING, self.tr("Saving %n row(s)", "", rows))
        else:
            self.saved.set_state(BadgeState.PASSED, self.tr("Saved"))

    def search_place(self) -> tuple[int, int]:
        """Middle and lower edge of the search field in this bar, pixels."""
        place = self.search.geometry()
        return place.center().x(), place.bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW_BELOW
        self.search.setFixedWidth(_SEARCH_NARROW if narrow else _SEARCH_WIDE)
        self.search.setText(self.tr("Find") if narrow else self.tr("Find a page or a command"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), tokens.colour("frame"))
            y = self.height() - 1
            hairline(painter, QPointF(0, y), QPointF(self.width(), y), "border")

    def actions_for_window(self) -> list[QAction]:
        """Actions whose shortcuts work in the whole window."""
        return [self._new, self._open]

    def _fill_menu(self) -> None:
        menu = self._menu
        self._new = menu.addAction(self.tr("New project…"))
        self._new.setShortcut(QKeySequence.StandardKey.New)
        self._new.triggered.connect(lambda _on=False: self.new_wanted.emit())
        self._open = menu.addAction(self.tr("Open project…"))
        self._open.setShortcut(QKeySequence.StandardKey.Open)
        self._open.triggered.connect(lambda _on=False: self.open_wanted.emit())
        menu.addMenu(self._recent)
        menu.addSeparator()
        self._copy = menu.addAction(self.tr("Save a copy…"))
        self._copy.triggered.connect(lambda _on=False: self.copy_wanted.emit())
        self._close = menu.addAction(self.tr("Close project"))
        self._close.triggered.connect(lambda _on=False: self.close_wanted.emit())
        menu.setToolTipsVisible(True)
        self._recent.setToolTipsVisible(True)

    def _show_menu(self) -> None:
        self._menu.popup(self.project.mapToGlobal(self.project.rect().bottomLeft()))
