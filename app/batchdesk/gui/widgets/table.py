"""Tables: one view and one delegate that paints every cell from data roles.

A model answers the roles of `Cell`; nothing else is needed for badges, bars, chips, two-line
cells and right-aligned numbers. Row heights are fixed, so that a million rows scroll smoothly.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from html import escape

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from batchdesk.gui.theme import ROW_H, TABLE_HEAD_H, TABLE_HEAD_TWO_H, Type, theme
from batchdesk.gui.widgets.bars import Parts, paint_bar
from batchdesk.gui.widgets.chips import ChipTone, chip_text, chip_width, paint_chip
from batchdesk.gui.widgets.paint import hairline, text_width, write
from batchdesk.gui.widgets.states import BadgeState, badge_width, paint_badge, paint_shape

_PAD, _FIRST = 8, 12
_BAR_H = 8

Index = QModelIndex | QPersistentModelIndex


class Cell(IntEnum):
    """Data roles beside DisplayRole (the words) and TextAlignmentRole (AlignRight for numbers)."""

    STATE = Qt.ItemDataRole.UserRole + 1  # BadgeState: its shape before the words
    TINTED = Qt.ItemDataRole.UserRole + 2  # bool: the state as a badge on its tint
    SECOND = Qt.ItemDataRole.UserRole + 3  # str: the second line (cells and header)
    PARTS = Qt.ItemDataRole.UserRole + 4  # Parts: a segmented bar, the words below it
    CHIP = Qt.ItemDataRole.UserRole + 5  # ChipTone: the words stand on a chip
    TONE = Qt.ItemDataRole.UserRole + 6  # str: token of the words (in a header: of its second line)
    STRONG = Qt.ItemDataRole.UserRole + 7  # bool: weight 600
    ICON = Qt.ItemDataRole.UserRole + 8  # str: an icon before the words


class TableView(QTableView):
    """A table in the look of the product.

    Args:
        row_height: Height of all rows: 32, dense 26, two lines 44 to 56.
        header_lines: 2 where columns have roles.

    Signals:
        opened(QModelIndex): Enter or a double click.
        current_row(int): The current row is another; -1 for none.
    """

    opened = Signal(QModelIndex)
    current_row = Signal(int)

    def __init__(
        self, row_height: int = ROW_H, header_lines: int = 1, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sizes: dict[int, int] = {}
        self._stretch: tuple[int, ...] = ()
        self.setItemDelegate(CellDelegate(self))
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlternatingRowColors(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMinimumHeight(60)
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(20)
        rows.setDefaultSectionSize(theme().px(row_height))
        header = TableHeader(header_lines, self)
        self.setHorizontalHeader(header)
        self.doubleClicked.connect(self.opened)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        self._apply_columns()
        if model is not None:
            self.selectionModel().currentRowChanged.connect(self._tell_row)
            model.modelReset.connect(lambda: self.current_row.emit(-1))

    def set_columns(self, widths: Mapping[int, int], stretch: tuple[int, ...]) -> None:
        """Fixed widths by column, and which columns take the rest.

        Args:
            widths: Pixels at 100 %; columns that are named nowhere stay as they are.
            stretch: Columns that share what is left.
        """
        self._sizes, self._stretch = dict(widths), stretch
        self._apply_columns()

    def select_row(self, row: int) -> None:
        """Makes a row current, selects it and scrolls to it."""
        if self.model() is not None and 0 <= row < self.model().rowCount():
            self.setCurrentIndex(self.model().index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    def _apply_columns(self) -> None:
        model: QAbstractItemModel | None = self.model()
        if model is None:
            return
        header = self.horizontalHeader()
        for column, width in self._sizes.items():
            if column < model.columnCount():
                header.resizeSection(column, theme().px(width))
        for column in self._stretch:
            if column < model.columnCount():
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def _tell_row(self, current: QModelIndex) -> None:
        self.current_row.emit(current.row() if current.isValid() else -1)


class TableHeader(QHeaderView):
    """A header whose sections follow their column's alignment and may have a second line."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._lines = lines
        self.setFixedHeight(theme().px(TABLE_HEAD_TWO_H if lines > 1 else TABLE_HEAD_H))
        self.setMinimumSectionSize(24)
        self.setHighlightSections(False)
        self.setSectionsClickable(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model: QAbstractItemModel | None = self.model()
        look, tokens = theme(), theme().tokens
        painter.fillRect(rect, tokens.colour("base"))
        below = QRectF(rect)
        below.adjust(0, 0, 0, -1)  # the last line of pixels
        hairline(painter, below.bottomLeft(), below.bottomRight(), "border")
        if model is None:
            return
        across = Qt.Orientation.Horizontal
        words = str(model.headerData(section, across, Qt.ItemDataRole.DisplayRole) or "")
        second = model.headerData(section, across, Cell.SECOND)
        align = model.headerData(section, across, Qt.ItemDataRole.TextAlignmentRole)
        side = _side(align)
        first = _FIRST if self.visualIndex(section) == 0 else _PAD
        box = below.adjusted(first, 0, -_PAD, -1)
        if self._lines > 1 and second:
            middle = box.center().y()
            upper = QRectF(box.left(), middle - look.px(17), box.width(), look.px(17))
            lower = QRectF(box.left(), middle, box.width(), look.px(16))
            font = look.font(Type.LABEL_MEDIUM)
            write(painter, upper, words, font, tokens.colour("text"), align=side)
            tone = str(model.headerData(section, across, Cell.TONE) or "text2")
            write(
                painter, lower, str(second), look.font(Type.SMALL), tokens.colour(tone), align=side
            )
        else:
            write(painter, box, words, look.font(Type.LABEL), tokens.colour("text2"), align=side)


class CellDelegate(QStyledItemDelegate):
    """Paints ground, accent bar, line and content of every cell."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        rect = QRectF(option.rect)
        view = self.parent()
        _paint_ground(painter, option, rect, index, view)
        first = _FIRST if index.column() == 0 else _PAD
        painter.setClipRect(rect)
        _paint_cell(painter, rect.adjusted(first, 0, -_PAD, -1), index)
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """The model's tool tip; without one, the words of a cell that has no room for them."""
        told = index.data(Qt.ItemDataRole.ToolTipRole) is not None
        if told or event.type() is not QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), cut_words(index, option.rect.width()), view)
        return True

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        words = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        width = badge_width(words) + 2 * _PAD
        return QSize(int(width), theme().px(ROW_H))


def cut_words(index: Index, width: int) -> str:
    """The lines of a cell that a column of this width cuts, so written that no markup counts."""
    look, room = theme(), width - 2 * _PAD - (_FIRST - _PAD if index.column() == 0 else 0)
    lines = (
        (index.data(Qt.ItemDataRole.DisplayRole), Type.BODY),
        (index.data(Cell.SECOND), Type.LABEL),
    )
    cut = [
        str(words)
        for words, role in lines
        if words is not None and text_width(str(words), look.font(role)) > room
    ]
    return f"<p>{'<br>'.join(escape(words) for words in cut)}</p>" if cut else ""


def _paint_ground(
    painter: QPainter,
    option: QStyleOptionViewItem,
    rect: QRectF,
    index: Index,
    view: object,
) -> None:
    tokens = theme().tokens
    state: QStyle.StateFlag = option.state
    selected = bool(state & QStyle.StateFlag.State_Selected)
    if selected:
        painter.fillRect(rect, tokens.colour("sel"))
    if index.column() == 0 and selected:
        bar = QRectF(rect.left(), rect.top(), 3, rect.height() - 1)
        painter.fillRect(bar, tokens.colour("accent"))
    line = rect.adjusted(0, 0, 0, -1)  # the last line of pixels
    hairline(painter, line.bottomLeft(), line.bottomRight())
    if not isinstance(view, QTableView) or not view.hasFocus() or selected:
        return
    if view.currentIndex().row() == index.row():  # current but not selected
        hairline(painter, rect.topLeft(), rect.topRight(), "accent")
        hairline(painter, line.bottomLeft(), line.bottomRight(), "accent")


def _paint_cell(painter: QPainter, box: QRectF, index: Index) -> None:
    look = theme()
    words = index.data(Qt.ItemDataRole.DisplayRole)
    text = "" if words is None else str(words)
    state, parts, chip = _state(index), index.data(Cell.PARTS), index.data(Cell.CHIP)
    if isinstance(parts, Parts):
        _paint_parts(painter, box, parts, text)
    elif state is not None and index.data(Cell.SECOND) is None:
        _paint_state(painter, box, state, text, tinted=bool(index.data(Cell.TINTED)))
    elif chip and text:
        tone = ChipTone(chip)
        shown = chip_text(text, tone)
        height = float(look.px(20))
        width = min(box.width() + 4, chip_width(shown))
        top = box.center().y() - height / 2
        paint_chip(painter, QRectF(box.left(), top, width, height), shown, tone)
    else:
        _paint_words(painter, box, index, text)


def _paint_state(
    painter: QPainter, box: QRectF, state: BadgeState, text: str, *, tinted: bool
) -> None:
    height = float(theme().px(22))
    width = min(badge_width(text), box.width() + _PAD) if tinted else box.width()
    place = QRectF(box.left(), box.center().y() - height / 2, width, height)
    paint_badge(painter, place, state, text, tinted=tinted)


def _paint_parts(painter: QPainter, box: QRectF, parts: Parts, text: str) -> None:
    look = theme()
    if not text:
        bar = QRectF(box.left(), box.center().y() - _BAR_H / 2, box.width(), _BAR_H)
        paint_bar(painter, bar, parts)
        return
    middle = box.center().y()
    paint_bar(painter, QRectF(box.left(), middle - 13, box.width(), _BAR_H), parts)
    line = QRectF(box.left(), middle + 1, box.width(), look.px(18))
    write(painter, line, text, look.font(Type.LABEL), look.tokens.colour("text2"))


def _paint_words(painter: QPainter, box: QRectF, index: Index, text: str) -> None:
    look = theme()
    tone = look.tokens.colour(str(index.data(Cell.TONE) or "text"))
    font = look.font(Type.PANEL_TITLE if index.data(Cell.STRONG) else Type.BODY)
    side = _side(index.data(Qt.ItemDataRole.TextAlignmentRole))
    icon, state, second = index.data(Cell.ICON), _state(index), index.data(Cell.SECOND)
    size = float(look.px(14))
    place = QRectF(box.left(), box.center().y() - size / 2, size, size)
    if state is not None:
        paint_shape(painter, place, state)
        box = box.adjusted(size + 8, 0, 0, 0)
    elif icon:
        look.paint_icon(painter, place, str(icon), "text2")
        box = box.adjusted(size + 8, 0, 0, 0)
    text = " ".join(text.split()) if "\n" in text else text
    if second is None:
        write(painter, box, text, font, tone, align=side)
        return
    middle = box.center().y()
    upper = QRectF(box.left(), middle - look.px(19), box.width(), look.px(20))
    lower = QRectF(box.left(), middle + 1, box.width(), look.px(18))
    write(painter, upper, text, font, tone, align=side)
    quiet = look.tokens.colour("text2")
    write(painter, lower, str(second), look.font(Type.LABEL), quiet, align=side)


def _state(index: Index) -> BadgeState | None:
    value = index.data(Cell.STATE)  # Qt gives a text enum back as text
    return BadgeState(value) if value else None


def _side(alignment: object) -> Qt.AlignmentFlag:
    value = alignment if isinstance(alignment, Qt.AlignmentFlag) else Qt.AlignmentFlag.AlignLeft
    right = bool(value & Qt.AlignmentFlag.AlignRight)
    across = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter
