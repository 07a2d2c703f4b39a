"""The banner: what happened, what was not lost, what to do. It pushes content, never floats."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from batchdesk.gui.theme import RADIUS_PANEL, Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.paint import rounded
from batchdesk.gui.widgets.states import BadgeState, StateShape


class BannerKind(StrEnum):
    """Which colours and shape a banner has."""

    CAUSE = "review"  # paused by a cause, or a person should look
    ALARM = "failed"  # something did not work
    NOTE = "running"  # plain news
    DONE = "passed"  # what was asked is done


_SHAPES = {
    BannerKind.CAUSE: BadgeState.CAUSE,
    BannerKind.ALARM: BadgeState.FAILED,
    BannerKind.NOTE: BadgeState.WAITING,
    BannerKind.DONE: BadgeState.PASSED,
}


class Banner(QWidget):
    """A banner; hidden until `show_message`.

    Args:
        kind: Its look.
        closable: Whether the person can put it away (not while its cause lasts).
        close_word: The word of the closing button.

    Signals:
        closed(): The person put it away.
    """

    closed = Signal()

    def __init__(
        self,
        kind: BannerKind = BannerKind.CAUSE,
        *,
        closable: bool = False,
        close_word: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._shape = StateShape(_SHAPES[kind], "", 22)
        self.title = PlainLabel("", Type.CARD_TITLE, wrap=True)
        self.body = PlainLabel("", Type.BODY, wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.body)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 12, 10)
        row.setSpacing(14)
        row.addWidget(self._shape, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(12)
        row.addLayout(self._buttons)
        self._close = Button(close_word, Kind.FLAT)
        self._close.setVisible(closable)
        self._close.clicked.connect(self._put_away)
        row.addWidget(self._close)
        self.setMinimumHeight(theme().px(44))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setVisible(False)

    def show_message(self, title: str, body: str = "", kind: BannerKind | None = None) -> None:
        """Shows words; another kind changes the look."""
        if kind is not None:
            self._kind = kind
            self._shape.set_state(_SHAPES[kind], "")
        self.title.setText(title)
        self.body.setText(body)
        self.body.setVisible(bool(body))
        self.setAccessibleName(f"{title} {body}".strip())
        self.setVisible(True)
        self.update()

    def add_button(
        self, word: str, act: Callable[[], object], kind: Kind = Kind.SECONDARY, icon: str = ""
    ) -> Button:
        """Adds one of at most two buttons; the primary one last, so at the right."""
        button = Button(word, kind, icon=icon)
        button.clicked.connect(lambda _checked=False: act())
        self._buttons.addWidget(button)
        return button

    def clear_buttons(self) -> None:
        """Removes all added buttons."""
        while (item := self._buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme().tokens
        with QPainter(self) as painter:
            ground = colours.colour(f"{self._kind.value}.tint")
            edge = colours.colour(self._kind.value)
            rounded(painter, QRectF(self.rect()), RADIUS_PANEL, ground, edge)

    def _put_away(self) -> None:
        self.setVisible(False)
        self.closed.emit()
