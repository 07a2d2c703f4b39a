"""The source of an item as plain text: paragraphs with numbers, columns with their names.

A row's cells come in; what is painted goes out. Nothing is ever read as HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from batchdesk.domain.job import Job
from batchdesk.gui.theme import MISSING, Type, theme
from batchdesk.gui.widgets.paint import write

_NUMBERS_W = 40  # room for "¶1" at the left
_LINE, _LINE_CJK = 155.0, 160.0  # percent of the font's height
_LONGEST = 200_000  # characters of a cell that are laid out: 0.2 s; more would stop the window
_NAME, _PARAGRAPH, _GAP = 1, 2, 3  # what a block of the text is

_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def used_columns(job: Job, columns: Sequence[str]) -> list[str]:
    """The columns that the job's prompt names, in the order of the table; all if it names none."""
    stage = job.stages[0]
    code = " ".join(_EXPRESSION.findall(stage.system + "\n" + stage.user))
    used = [name for name in columns if _names(code, name)]
    return used or list(columns)


def _names(code: str, column: str) -> bool:
    name = re.escape(column)
    return bool(
        re.search(rf"(?<![\w\"'.]){name}(?![\w\"'])", code)
        or re.search(rf"[\"']{name}[\"']|\brow\.{name}\b", code)
    )


def word_count(text: str) -> int:
    """Words of a text: runs of letters and figures, each Chinese or Japanese sign for itself."""
    return len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+", text))


def is_mostly_signs(text: str) -> bool:
    """Whether most of what ``word_count`` counts are Chinese or Japanese signs."""
    return 2 * len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)) > word_count(text)


class SourceText(QTextEdit):
    """Columns of one row, read-only, as plain text; paragraphs are numbered in the margin."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)
        self.setTabChangesFocus(True)
        self.setViewportMargins(_NUMBERS_W, 0, 8, 0)
        self._cells: dict[str, str | None] = {}
        self._margin = _Numbers(self)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._margin.update())
        theme().changed.connect(self._write)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 60)

    def show_cells(self, cells: Mapping[str, str | None], *, numbers: bool = True) -> None:
        """These columns, in this order; a name stands above each where there are several."""
        self._cells = dict(cells)
        self._margin.setVisible(numbers)
        self._write()

    def _write(self) -> None:
        look = theme()
        document = self.document()
        document.setDocumentMargin(4)
        self.setFont(look.font(Type.SOURCE))
        self.setUpdatesEnabled(False)
        self.clear()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        first = True
        cells = {name: self._shortened(text) for name, text in self._cells.items()}
        for kind, text in _blocks(cells):
            self._write_block(cursor, kind, text, first=first)
            first = False
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.setUpdatesEnabled(True)
        self._margin.update()

    def _shortened(self, text: str | None) -> str | None:
        """A very long cell is cut, and says so."""
        if text is None or len(text) <= _LONGEST:
            return text
        rest = QLocale().toString(len(text) - _LONGEST)
        note = self.tr("… and {0} more characters that are not shown here").format(rest)
        return f"{text[:_LONGEST]}\n{note}"

    def _write_block(self, cursor: QTextCursor, kind: int, text: str, *, first: bool) -> None:
        look = theme()
        shape, letters = QTextBlockFormat(), QTextCharFormat()
        percent = _LINE_CJK if look.language.startswith("zh") else _LINE
        if kind == _NAME:
            letters.setFont(look.font(Type.LABEL_MEDIUM))
            letters.setForeground(look.tokens.colour("text2"))
            shape.setTopMargin(4 if first else 10)
        else:
            letters.setFont(look.font(Type.SOURCE))
            letters.setForeground(look.tokens.colour("text"))
            height = int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            shape.setLineHeight(percent, height)
            shape.setTopMargin(4 if first else 0)
            shape.setBottomMargin(6)
        if first:
            cursor.setBlockFormat(shape)
            cursor.setCharFormat(letters)
        else:
            cursor.insertBlock(shape, letters)
        cursor.insertText(text, letters)
        cursor.block().setUserState(kind)

    def numbered(self) -> Iterable[tuple[QTextBlock, int]]:
        """The paragraphs that bear a number."""
        numbers = count(1)
        block = self.document().begin()
        while block.isValid():
            if block.userState() == _PARAGRAPH:
                yield block, next(numbers)
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._margin.setGeometry(inside.left(), inside.top(), _NUMBERS_W, inside.height())


def _blocks(cells: Mapping[str, str | None]) -> Iterable[tuple[int, str]]:
    for name, text in cells.items():
        if len(cells) > 1:
            yield _NAME, name
        if not (text or "").strip():
            yield _GAP, MISSING
            continue
        for line in _paragraphs(text or ""):
            yield _PARAGRAPH, line


def _paragraphs(text: str) -> list[str]:
    """Paragraphs as a person sees them: lines that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


class _Numbers(QWidget):
    """The numbers beside the paragraphs that are in view."""

    def __init__(self, text: SourceText) -> None:
        super().__init__(text)
        self._text = text

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        font = look.font(Type.LABEL)
        layout = self._text.document().documentLayout()
        shift = QPointF(0, -self._text.verticalScrollBar().value())
        with QPainter(self) as painter:
            for block, number in self._text.numbered():
                box = layout.blockBoundingRect(block).translated(shift)
                if box.bottom() < 0:
                    continue
                if box.top() > self.height():
                    break
                line = block.layout().lineAt(0)
                place = QRectF(12, box.top(), _NUMBERS_W - 14, line.height())
                write(painter, place, f"¶{number}", font, look.tokens.colour("text3"))
