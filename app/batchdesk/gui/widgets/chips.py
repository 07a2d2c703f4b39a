"""Chips: labels of answers, and filters that can be taken away."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from batchdesk.gui.theme import RADIUS_CHIP, Type, theme
from batchdesk.gui.widgets.paint import focus_ring, rounded, text_width, write


class ChipTone(StrEnum):
    """What a chip says beside its word; "≠" stands in front of the last two."""

    PLAIN = "waiting"
    FILTER = "running"
    UNSTABLE = "review"  # differs between answers
    WRONG = "failed"  # differs from the label


_DIFFERS = frozenset({ChipTone.UNSTABLE, ChipTone.WRONG})


def chip_text(word: str, tone: ChipTone) -> str:
    """The word as it stands on the chip."""
    return f"≠ {word}" if tone in _DIFFERS else word


def chip_width(text: str) -> float:
    """Width of a chip with this text, pixels."""
    return text_width(text, theme().font(Type.LABEL)) + 14


def paint_chip(painter: QPainter, rect: QRectF, text: str, tone: ChipTone) -> None:
    """Paints a chip that fills ``rect``."""
    tokens = theme().tokens
    rounded(painter, rect, RADIUS_CHIP, tokens.colour(f"{tone.value}.tint"))
    colour = "text" if tone is not ChipTone.FILTER else "running"
    inner = rect.adjusted(7, 0, -5, 0)
    write(painter, inner, text, theme().font(Type.LABEL), tokens.colour(colour))


class Chip(QWidget):
    """A label that only shows."""

    def __init__(
        self, word: str, tone: ChipTone = ChipTone.PLAIN, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text, self._tone = chip_text(word, tone), tone
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._text)

    def sizeHint(self) -> QSize:
        return QSize(int(chip_width(self._text) + 0.999), theme().px(22))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_chip(painter, QRectF(self.rect()), self._text, self._tone)


class FilterChip(QAbstractButton):
    """A chip that goes away when clicked, or with Delete or Space.

    Args:
        text: What is filtered, such as "label: neutral".
        remove_words: Accessible name, such as "Remove the filter label: neutral".

    Signals:
        clicked(): It is to go (inherited).
        removed(): The same.
    """

    removed = Signal()

    def __init__(self, text: str, remove_words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setAccessibleName(remove_words)
        self.setToolTip(remove_words)
        self.setShortcut("")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.removed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.click()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(int(chip_width(self.text()) + 18), theme().px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            paint_chip(painter, rect, "", ChipTone.FILTER)
            words = rect.adjusted(7, 0, -20, 0)
            colour = look.tokens.colour("running")
            write(painter, words, self.text(), look.font(Type.LABEL_MEDIUM), colour)
            size = float(look.px(10))
            box = QRectF(rect.right() - size - 7, rect.center().y() - size / 2, size, size)
            look.paint_icon(painter, box, "x", "running")
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS_CHIP)
