"""The tile strip: one panel with a few large figures, parted by hairlines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from batchdesk.gui.theme import INSIDE, MISSING, RADIUS_PANEL, Type, theme
from batchdesk.gui.widgets.paint import hairline, rounded, text_width, write
from batchdesk.gui.widgets.states import BadgeState, paint_shape


class Tile(QWidget):
    """Name (with a state's shape), figure, and a line that puts it in relation.

    Args:
        name: What is counted.
        state: Whose shape stands before the name.
        short: Another name where there is no room for the whole one.
    """

    def __init__(
        self,
        name: str,
        state: BadgeState | None = None,
        *,
        short: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._state, self._short = name, state, short
        self._figure, self._context = MISSING, ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def figure(self) -> str:
        """The figure shown."""
        return self._figure

    def context(self) -> str:
        """The line below the figure."""
        return self._context

    def set(self, figure: str, context: str = "") -> None:
        """Shows another figure in place; no animation."""
        if (figure, context) == (self._figure, self._context):
            return
        self._figure, self._context = figure, context
        self.setAccessibleName(f"{self._name}: {figure}; {context}")
        self.update()

    def sizeHint(self) -> QSize:
        look = theme()
        width = max(
            text_width(self._name, look.font(Type.LABEL)) + (20 if self._state else 0),
            text_width(self._figure, look.font(Type.FIGURE)),
            text_width(self._context, look.font(Type.LABEL)),
        )
        return QSize(int(width) + 2 * INSIDE, look.px(74))

    def minimumSizeHint(self) -> QSize:
        return QSize(84, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        tokens = look.tokens
        self.setToolTip("\n".join(self._cut()))
        with QPainter(self) as painter:
            left, width = float(INSIDE), self.width() - INSIDE - 4.0
            top = (self.height() - look.px(66)) / 2
            name_left = left
            if self._state is not None:
                size = float(look.px(13))
                shape = QRectF(left, top + (look.px(20) - size) / 2, size, size)
                paint_shape(painter, shape, self._state)
                name_left += size + 7
            line = QRectF(name_left, top, width - (name_left - left), look.px(20))
            name = self._short if self._short and not self._has_room() else self._name
            write(painter, line, name, look.font(Type.LABEL), tokens.colour("text2"))
            line = QRectF(left, top + look.px(20), width, look.px(27))
            write(painter, line, self._figure, look.font(Type.FIGURE), tokens.colour("text"))
            line = QRectF(left, top + look.px(47), width, look.px(18))
            write(painter, line, self._context, look.font(Type.LABEL), tokens.colour("text2"))

    def _has_room(self) -> bool:
        """For the whole name."""
        return self._name not in self._cut()

    def _cut(self) -> list[str]:
        """The lines that the tile has no room for."""
        look, room = theme(), self.width() - INSIDE - 4
        shape = look.px(13) + 7 if self._state is not None else 0
        lines = (
            (self._name, Type.LABEL, room - shape),
            (self._figure, Type.FIGURE, room),
            (self._context, Type.LABEL, room),
        )
        return [text for text, role, width in lines if text_width(text, look.font(role)) > width]


class TileStrip(QWidget):
    """Tiles side by side on one panel, 76 high.

    Args:
        tiles: Left to right; all get the same width.
    """

    def __init__(self, tiles: list[Tile], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles = tiles
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 1)
        row.setSpacing(0)
        for tile in tiles:
            row.addWidget(tile, 1)
        self.setFixedHeight(theme().px(76))

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            edge, ground = tokens.colour("border"), tokens.colour("base")
            rounded(painter, QRectF(self.rect()), RADIUS_PANEL, ground, edge)
            for tile in self._tiles[1:]:
                x = tile.geometry().left()
                hairline(painter, QPointF(x, 10), QPointF(x, self.height() - 11))
