"""Buttons: primary (one per page), secondary, flat (inside panels) and danger.

Painted whole, since words inside a styled QPushButton lose their colours.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from batchdesk.gui.theme import RADIUS, Type, theme
from batchdesk.gui.widgets.labels import cap_size, paint_cap
from batchdesk.gui.widgets.paint import focus_ring, rounded, text_width, write

_ICON, _GAP, _PAD = 16, 6, 14
_USUAL = 30  # smaller buttons have smaller words and less room


class Kind(StrEnum):
    """How a button looks."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    FLAT = "flat"
    DANGER = "danger"


class Button(QAbstractButton):
    """A push button. Space and Enter press it.

    Args:
        text: The word on it.
        kind: Its look.
        icon: Name of an icon before the word.
        key: Name of its key, drawn as a cap behind the word. The caller makes the shortcut.
        height: 22, 30 (usual), 34 (action bar) or 40.
        menu_arrow: Draws a caret at the right, for buttons with a menu.
    """

    def __init__(
        self,
        text: str = "",
        kind: Kind = Kind.SECONDARY,
        *,
        icon: str = "",
        key: str = "",
        height: int = 30,
        menu_arrow: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setText(text)
        self._kind, self._icon, self._key = kind, icon, key
        self._arrow = menu_arrow
        self._height = height
        self._why = ""
        self.setFixedHeight(theme().px(height))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_kind(self, kind: Kind) -> None:
        """Another look."""
        self._kind = kind
        self.updateGeometry()
        self.update()

    def set_icon(self, icon: str) -> None:
        """Another icon, or none."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    def set_why_not(self, reason: str) -> None:
        """Disables with a reason in the tool tip; an empty reason enables."""
        self._why = reason
        self.setEnabled(not reason)
        self.setToolTip(reason)
        self.setAccessibleDescription(reason)

    def sizeHint(self) -> QSize:
        look = theme()
        width = text_width(self.text(), self._font()) if self.text() else 0.0
        parts = [width] if self.text() else []
        if self._icon:
            parts.append(look.px(_ICON))
        if self._key:
            parts.append(cap_size(self._key)[0] + 2)
        if self._arrow:
            parts.append(look.px(10))
        pad = 10 if self._height < _USUAL or self._kind is Kind.FLAT else _PAD
        if not self.text():
            pad = (self._height - _ICON) // 2
        total = sum(parts) + _GAP * max(0, len(parts) - 1) + 2 * pad
        return QSize(max(24, int(total + 0.999)), look.px(self._height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._ground(painter)
            self._content(painter)

    def _font(self) -> QFont:
        role = Type.PRIMARY if self._kind is Kind.PRIMARY else Type.BUTTON
        return theme().font(Type.LABEL_MEDIUM if self._height < _USUAL else role)

    def _word_colour(self) -> str:
        if not self.isEnabled():
            return "ctl"
        return {Kind.PRIMARY: "onaccent", Kind.DANGER: "failed"}.get(self._kind, "text")

    def _ground(self, painter: QPainter) -> None:
        tokens = theme().tokens
        rect = QRectF(self.rect())
        hover = self.isEnabled() and self.underMouse()
        if self._kind is Kind.PRIMARY and self.isEnabled():
            ground = tokens.colour("btn")
            if self.isDown() or hover:
                ground = ground.darker(112 if self.isDown() else 106)
            rounded(painter, rect, RADIUS, ground)
        elif self._kind is Kind.FLAT:
            if hover or self.isDown() or self.isChecked():
                shade = "sel" if self.isDown() or self.isChecked() else "hover"
                rounded(painter, rect, RADIUS, tokens.colour(shade))
        else:
            shade = "sel" if self.isDown() or self.isChecked() else "hover" if hover else "base"
            rounded(painter, rect, RADIUS, tokens.colour(shade), tokens.colour("border"))
        if self.hasFocus():
            focus_ring(painter, rect, RADIUS)
            if self._kind is Kind.PRIMARY:  # the ring is the button's own colour: part them
                inner = rect.adjusted(2, 2, -2, -2)
                rounded(painter, inner, RADIUS - 2, None, tokens.colour("onaccent"), width=1)

    def _content(self, painter: QPainter) -> None:
        look = theme()
        hint = self.sizeHint().width()
        pad = 10 if self._height < _USUAL or self._kind is Kind.FLAT else _PAD
        if not self.text():
            pad = (self._height - _ICON) // 2
        left = pad + max(0.0, (self.width() - hint) / 2)
        middle = self.height() / 2
        if self._icon:
            size = float(look.px(_ICON))
            colour = self._word_colour() if self._kind is not Kind.SECONDARY else "text2"
            box = QRectF(left, middle - size / 2, size, size)
            look.paint_icon(painter, box, self._icon, colour if self.isEnabled() else "ctl")
            left += size + _GAP
        right = float(self.width() - pad)
        if self._arrow:
            size = float(look.px(10))
            box = QRectF(right - size, middle - size / 2, size, size)
            look.paint_icon(painter, box, "caret-down", "text2")
            right -= size + _GAP
        if self._key:
            width, height = cap_size(self._key)
            box = QRectF(right - width + 4, middle - height / 2, width, height)
            paint_cap(painter, box, self._key)
            right -= width + _GAP
        if self.text():
            words = QRectF(left, 0, max(0.0, right - left + 1), self.height())
            colour_of = look.tokens.colour(self._word_colour())
            write(painter, words, self.text(), self._font(), colour_of)


class Segments(QWidget):
    """A choice of few: buttons in a row, one of them down.

    Args:
        options: Code and word of each.

    Signals:
        chosen(str): The code of the new choice; only by the person.
    """

    chosen = Signal(str)

    def __init__(self, options: list[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self._buttons: dict[str, Button] = {}
        for code, word in options:
            button = Button(word, Kind.FLAT, height=24)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.clicked.connect(lambda _on=False, code=code: self.chosen.emit(code))
            row.addWidget(button)
            self._buttons[code] = button
        self.choose(options[0][0])

    def choose(self, code: str) -> None:
        """Puts a choice down without a signal."""
        self._buttons[code].setChecked(True)

    def choice(self) -> str:
        """The code that is down."""
        return next(code for code, button in self._buttons.items() if button.isChecked())
