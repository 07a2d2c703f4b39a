"""The rail at the left: the order of work, what is missing for a step, and what waits there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from batchdesk.gui.theme import RADIUS, RAIL_NARROW, RAIL_W, Type, theme
from batchdesk.gui.widgets.paint import CENTRE, focus_ring, hairline, rounded, text_width, write
from batchdesk.gui.widgets.states import BadgeState, paint_shape

_SIDE, _GAP, _TOP = 8, 4, 12
_ICON, _ICON_X, _WORD_X = 18, 13, 40
_LINE_H = 17


class RailItem(QAbstractButton):
    """One step. Disabled, it says in a second line what is missing.

    Args:
        name: Code of the page.
        word: What it is called.
        icon: Icon name.
        key: Its shortcut as words, for the tool tip.
    """

    def __init__(
        self, name: str, word: str, icon: str, key: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.name = name
        self._icon, self._key = icon, key
        self._reason = ""
        self._badge, self._badge_state = "", BadgeState.RUNNING
        self._narrow = False
        self.setText(word)
        self.setShortcut("")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    @property
    def reason(self) -> str:
        """What is missing; empty when the step can be done."""
        return self._reason

    @property
    def badge(self) -> str:
        """The words of the badge; empty for none."""
        return self._badge

    def set_reason(self, reason: str) -> None:
        """Disables with a reason, or enables with none."""
        if reason != self._reason:
            self._reason = reason
            self.setEnabled(not reason)
            self._tell()
            self.updateGeometry()
            self.update()

    def set_badge(self, words: str, state: BadgeState) -> None:
        """Shows what waits: progress (running), a count (review) or a cause; "" for none."""
        if (words, state) != (self._badge, self._badge_state):
            self._badge, self._badge_state = words, state
            self._tell()
            self.update()

    def set_narrow(self, *, narrow: bool) -> None:
        """Icon only, or icon and words."""
        self._narrow = narrow
        self._tell()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        tall = bool(self._reason) and not self._narrow
        return QSize(40, theme().px(48 if tall else 32))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, tokens = theme(), theme().tokens
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            if self.isChecked():
                rounded(painter, rect, RADIUS, tokens.colour("sel"))
                bar = QRectF(0, rect.center().y() - 8, 3, 16)
                rounded(painter, bar, 1.5, tokens.colour("accent"))
            elif self.underMouse() and self.isEnabled():
                rounded(painter, rect, RADIUS, tokens.colour("hover"))
            line = QRectF(0, 0, rect.width(), look.px(32))
            size = float(look.px(_ICON))
            left = (rect.width() - size) / 2 if self._narrow else float(_ICON_X)
            colour = "accent" if self.isChecked() else "text2" if self.isEnabled() else "text3"
            box = QRectF(left, line.center().y() - size / 2, size, size)
            look.paint_icon(painter, box, self._icon, colour)
            if self._narrow:
                self._paint_dot(painter, box)
            else:
                self._paint_words(painter, line)
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS)

    def _paint_words(self, painter: QPainter, line: QRectF) -> None:
        look = theme()
        role = Type.PANEL_TITLE if self.isChecked() else Type.BUTTON
        colour = "text" if self.isChecked() else "text2" if self.isEnabled() else "text3"
        right = self._paint_badge(painter, line) if self._badge else line.right() - 6
        if self._reason:
            line = QRectF(0, look.px(5), line.width(), look.px(20))
            below = QRectF(_WORD_X, look.px(25), line.width() - _WORD_X - 4, look.px(_LINE_H))
            quiet = look.tokens.colour("text3")
            write(painter, below, self._reason, look.font(Type.SMALL), quiet)
        words = QRectF(_WORD_X, line.top(), right - _WORD_X, line.height())
        write(painter, words, self.text(), look.font(role), look.tokens.colour(colour))

    def _paint_badge(self, painter: QPainter, line: QRectF) -> float:
        look = theme()
        font = look.font(Type.LABEL_MEDIUM)
        if self._badge_state is BadgeState.CAUSE:
            box = QRectF(line.right() - 26, line.center().y() - 7, 14, 14)
            paint_shape(painter, box, BadgeState.CAUSE)
            return box.left() - 4
        width = text_width(self._badge, font) + 14
        box = QRectF(line.right() - width - 8, line.center().y() - 10, width, 20)
        if self._badge_state is BadgeState.REVIEW:
            rounded(painter, box, RADIUS, look.tokens.colour("review.tint"))
        colour = look.tokens.colour(self._badge_state.value)
        write(painter, box, self._badge, font, colour, align=CENTRE)
        return box.left() - 4

    def _paint_dot(self, painter: QPainter, icon: QRectF) -> None:
        if self._badge:
            state = "review" if self._badge_state is BadgeState.CAUSE else self._badge_state.value
            dot = QRectF(icon.right() + 1, icon.top() - 3, 7, 7)
            rounded(painter, dot, 3.5, theme().tokens.colour(state))

    def _tell(self) -> None:
        notes = [note for note in (self._badge, self._reason) if note]
        words = ", ".join([self.text(), *notes])
        self.setAccessibleName(words)
        self.setToolTip(f"{words} ({self._key})" if self._key else words)


class Rail(QWidget):
    """All items; ``other`` items stand below a hairline.

    Signals:
        chosen(str): The person chose a page by its code.
    """

    chosen = Signal(str)

    def __init__(
        self, items: list[RailItem], other: list[RailItem], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._items = {item.name: item for item in [*items, *other]}
        self._first_other = other[0] if other else None
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, _TOP, _SIDE + 1, _TOP)
        column.setSpacing(_GAP)
        for item in items:
            column.addWidget(item)
        if other:
            column.addSpacing(20)
        for item in other:
            column.addWidget(item)
        column.addStretch(1)
        for item in self._items.values():
            item.clicked.connect(lambda _on=False, name=item.name: self.chosen.emit(name))
        self.set_narrow(narrow=False)

    def item(self, name: str) -> RailItem:
        """An item by its page's code."""
        return self._items[name]

    def items(self) -> list[RailItem]:
        """All items, top to bottom."""
        return list(self._items.values())

    def choose(self, name: str) -> None:
        """Shows a page as the chosen one; no signal."""
        self._items[name].setChecked(True)

    def set_narrow(self, *, narrow: bool) -> None:
        """Icons only."""
        for item in self._items.values():
            item.set_narrow(narrow=narrow)
        self.setFixedWidth(RAIL_NARROW if narrow else theme().px(RAIL_W))

    def event(self, event: QEvent) -> bool:
        """Items that change their height move the line: all is painted anew."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.update()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        able = [item for item in self._items.values() if item.isEnabled()]
        current = next((i for i, item in enumerate(able) if item.hasFocus()), None)
        if step and current is not None:
            able[(current + step) % len(able)].setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), tokens.colour("frame"))
            right = self.width() - 1
            hairline(painter, QPointF(right, 0), QPointF(right, self.height()), "border")
            if self._first_other is not None:
                y = self._first_other.geometry().top() - 12
                hairline(painter, QPointF(16, y), QPointF(self.width() - 17, y), "border")
