"""The confusion matrix: labels down, answers across; a cell opens its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import MISSING, NBSP, Type, theme
from batchdesk.gui.widgets.paint import CENTRE, rounded, text_width, write

_GAP, _HEAD, _LINE = 2, 40, 24
_CELL_H, _CELL_W, _SIDE = (24, 60), (48, 140), 62
_RIGHT_SHADES, _WRONG_SHADES = (0.14, 0.64), (0.05, 0.50)


def share(part: int, whole: int, words: str = f"{{0}}{NBSP}%") -> str:
    """A share as words: "96 %", or the sign for "not known" when there is nothing."""
    return words.format(f"{100 * part / whole:.0f}") if whole else MISSING


def shade(part: int, whole: int, *, right: bool) -> float:
    """How strong a cell's colour is, 0 to 1; 0 for an empty cell."""
    if not part or not whole:
        return 0.0
    low, high = _RIGHT_SHADES if right else _WRONG_SHADES
    strength = part / whole if right else min(1.0, 4 * part / whole)
    return low + (high - low) * strength


class ConfusionMatrix(QWidget):
    """Painted; arrow keys move, Enter and a click select, Escape takes the selection away.

    Args:
        words: "your label", "the model answered", "found" (recall), "right" (precision).

    Signals:
        cell_selected(str, str): Label and answer; both empty when the selection is taken away.
    """

    cell_selected = Signal(str, str)

    def __init__(self, words: tuple[str, str, str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._labels: tuple[str, ...] = ()
        self._counts: Mapping[tuple[str, str], int] = {}
        self._at = (0, 0)
        self._selected: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._tell()

    def set_counts(self, labels: Sequence[str], counts: Mapping[tuple[str, str], int]) -> None:
        """Shows counts.

        Args:
            labels: Rows and columns, in order.
            counts: By (label, answer); missing means 0.
        """
        self._labels, self._counts = tuple(labels), dict(counts)
        self._at, self._selected = (0, 0), None
        self._tell()
        self.updateGeometry()
        self.update()

    def selected(self) -> tuple[str, str] | None:
        """The selected label and answer."""
        if self._selected is None:
            return None
        return self._labels[self._selected[0]], self._labels[self._selected[1]]

    def clear_selection(self) -> None:
        """Takes the selection away without a signal."""
        self._selected = None
        self.update()

    def cell_words(self, row: int, column: int) -> str:
        """A cell in words for screen readers."""
        label, answer = self._labels[row], self._labels[column]
        count = self._counts.get((label, answer), 0)
        return f"{self._words[0]} {label}, {self._words[1]} {answer}: {count:,}"

    def sizeHint(self) -> QSize:
        number = max(2, len(self._labels))
        return QSize(self._left() + number * 90 + _SIDE, _HEAD + number * 40 + _LINE)

    def minimumSizeHint(self) -> QSize:
        number = max(2, len(self._labels))
        width = self._left() + number * _CELL_W[0] + _SIDE
        return QSize(width, _HEAD + number * (_CELL_H[0] + _GAP) + _LINE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        key = Qt.Key(event.key())
        last = len(self._labels) - 1
        if key in moves and last >= 0:
            down, across = moves[key]
            self._at = (
                min(last, max(0, self._at[0] + down)),
                min(last, max(0, self._at[1] + across)),
            )
            self._tell()
            self.update()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and last >= 0:
            self._select(self._at)
        elif key is Qt.Key.Key_Escape and self._selected is not None:
            self._select(None)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position())
        if cell is not None:
            self._at = cell
            self._select(None if cell == self._selected else cell)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._labels:
            return
        with QPainter(self) as painter:
            self._paint_heads(painter)
            for row in range(len(self._labels)):
                for column in range(len(self._labels)):
                    self._paint_cell(painter, row, column)

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Where a cell stands, pixels."""
        width, height = self._cell_size()
        left = self._left() + column * (width + _GAP)
        return QRectF(left, _HEAD + row * (height + _GAP), width, height)

    def _paint_heads(self, painter: QPainter) -> None:
        look = theme()
        text, quiet = look.tokens.colour("text"), look.tokens.colour("text2")
        label, strong = look.font(Type.LABEL_MEDIUM), look.font(Type.LABEL_MEDIUM)
        percent = self.tr("{0} %")
        number = len(self._labels)
        first, last = self.cell_rect(0, 0), self.cell_rect(number - 1, number - 1)
        across = QRectF(first.left(), 0, last.right() - first.left(), 20)
        write(painter, across, self._words[1], look.font(Type.LABEL), quiet, align=CENTRE)
        corner = QRectF(2, 20, first.left() - 8, 18)
        write(painter, corner, self._words[0], look.font(Type.LABEL), quiet)
        side = QRectF(last.right() + 6, 20, _SIDE - 8, 18)
        write(painter, side, self._words[2], look.font(Type.LABEL), quiet, align=CENTRE)
        foot = QRectF(2, last.bottom() + 2, first.left() - 8, 20)
        write(painter, foot, self._words[3], look.font(Type.LABEL), quiet)
        for place, name in enumerate(self._labels):
            right = self._counts.get((name, name), 0)
            given = sum(self._counts.get((name, other), 0) for other in self._labels)
            answered = sum(self._counts.get((other, name), 0) for other in self._labels)
            column, row = self.cell_rect(0, place), self.cell_rect(place, 0)
            above = QRectF(column.left(), 20, column.width(), 18)
            write(painter, above, name, label, quiet, align=CENTRE)
            before = QRectF(2, row.top(), first.left() - 8, row.height())
            write(painter, before, name, label, quiet)
            recall = QRectF(last.right() + 6, row.top(), _SIDE - 8, row.height())
            write(painter, recall, share(right, given, percent), strong, text, align=CENTRE)
            below = QRectF(column.left(), last.bottom() + 2, column.width(), 20)
            write(painter, below, share(right, answered, percent), strong, text, align=CENTRE)

    def _paint_cell(self, painter: QPainter, row: int, column: int) -> None:
        look = theme()
        rect = self.cell_rect(row, column)
        label = self._labels[row]
        count = self._counts.get((label, self._labels[column]), 0)
        given = sum(self._counts.get((label, other), 0) for other in self._labels)
        rounded(painter, rect, 4, look.tokens.colour("alt"))
        fill = QColor(look.tokens.colour("running.fill" if row == column else "failed.fill"))
        fill.setAlphaF(shade(count, given, right=row == column))
        rounded(painter, rect, 4, fill)
        font = look.font(Type.PANEL_TITLE if row == column else Type.BODY)
        colour = look.tokens.colour("text" if count else "text3")
        write(painter, rect, f"{count:,}", font, colour, align=CENTRE)
        if (row, column) == self._selected:
            rounded(painter, rect, 4, None, look.tokens.colour("accent"), width=2)
        elif self.hasFocus() and (row, column) == self._at:
            rounded(painter, rect, 4, None, look.tokens.colour("text"), width=1)

    def _left(self) -> int:
        font = theme().font(Type.LABEL_MEDIUM)
        wide = [text_width(words, font) for words in (*self._labels, self._words[0])]
        return int(min(120, max(wide))) + 14

    def _cell_size(self) -> tuple[float, float]:
        number = max(1, len(self._labels))
        width = (self.width() - self._left() - _SIDE) / number - _GAP
        height = (self.height() - _HEAD - _LINE) / number - _GAP
        return (
            min(float(_CELL_W[1]), max(float(_CELL_W[0] - _GAP), width)),
            min(float(_CELL_H[1]), max(float(_CELL_H[0]), height)),
        )

    def _cell_at(self, point: QPointF) -> tuple[int, int] | None:
        for row in range(len(self._labels)):
            for column in range(len(self._labels)):
                if self.cell_rect(row, column).contains(point):
                    return row, column
        return None

    def _select(self, cell: tuple[int, int] | None) -> None:
        self._selected = cell
        self.update()
        if cell is None:
            self.cell_selected.emit("", "")
        else:
            self._tell()
            self.cell_selected.emit(self._labels[cell[0]], self._labels[cell[1]])

    def _tell(self) -> None:
        self.setAccessibleName(self.cell_words(*self._at) if self._labels else self._words[1])
