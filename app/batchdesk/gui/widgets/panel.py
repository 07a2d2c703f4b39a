"""The panel: white ground, one edge, a head. Panels stand beside each other, never inside."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QSplitter, QVBoxLayout, QWidget

from batchdesk.gui.theme import INSIDE, PANEL_HEAD_H, RADIUS_PANEL, Type, theme
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import hairline, rounded


class Panel(QFrame):
    """A panel with an optional head; put content into ``body``.

    Args:
        title: Panel title; without one there is no head.
        subtitle: Secondary text that elides first (units stand here).
        flush: Content touches the panel's edges (tables); 5 pixels stay free below it.
        head_line: A hairline under the head.
    """

    def __init__(
        self,
        title: str = "",
        subtitle: str = "",
        *,
        flush: bool = False,
        head_line: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._head_line = head_line
        self._bar: str | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        self.title = ElidingLabel(title, Type.PANEL_TITLE, "text", least=180)
        self.subtitle = ElidingLabel(subtitle, Type.LABEL, "text2", least=0)
        self._head = QWidget()
        self._head.setFixedHeight(theme().px(PANEL_HEAD_H))
        self._tools = QHBoxLayout(self._head)
        self._tools.setContentsMargins(INSIDE - 1, 0, 8, 0)
        self._tools.setSpacing(8)
        self._tools.addWidget(self.title)
        self._tools.addWidget(self.subtitle)
        self._tools.addStretch(1)
        outer.addWidget(self._head)
        self._head.setVisible(bool(title))
        self.body = QVBoxLayout()
        side = 0 if flush else INSIDE - 1
        top = 0 if title else 3 if flush else side  # square corners must not cut the edge
        self.body.setContentsMargins(side, top, side, 5 if flush else side)
        self.body.setSpacing(8)
        outer.addLayout(self.body, 1)

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Another head; the head appears if there was none."""
        self.title.set_text(title)
        self.subtitle.set_text(subtitle)
        self._head.setVisible(bool(title))

    def set_subtitle(self, subtitle: str) -> None:
        """Another subtitle."""
        self.subtitle.set_text(subtitle)

    def add_tool(self, widget: QWidget) -> None:
        """Puts a control at the right end of the head."""
        self._tools.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add(self, content: QWidget | QLayout, stretch: int = 0) -> None:
        """Adds content below what is there."""
        if isinstance(content, QWidget):
            self.body.addWidget(content, stretch)
        else:
            self.body.addLayout(content, stretch)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            rounded(
                painter,
                QRectF(self.rect()),
                RADIUS_PANEL,
                tokens.colour("base"),
                tokens.colour("border"),
            )
            if self._head_line and self._head.isVisible():
                y = self._head.geometry().bottom()
                hairline(painter, QPointF(1, y), QPointF(self.width() - 2, y))


class Hairline(QWidget):
    """A line between the parts of a panel, horizontal or vertical."""

    def __init__(self, *, vertical: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme().tokens.colour("border2"))


def side_by_side(*widgets: QWidget, sizes: Sequence[int], wide: int) -> QSplitter:
    """Widgets with handles between them; ``sizes`` at first, and ``wide`` takes what is left."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setStretchFactor(wide, 1)
    splitter.setSizes(list(sizes))
    return splitter
