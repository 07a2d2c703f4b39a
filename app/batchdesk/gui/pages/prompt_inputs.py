"""Small inputs of the prompt page: lines that hold numbers, choices, and named rows of a form.

What a person types stays as typed; ``value`` gives what it means, or raises InvalidInputError
with a sentence that says what would be right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.column import ScrolledColumn
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel


class InvalidInputError(ValueError):
    """A sentence for the person: what was typed cannot be used, and what would be right."""


class NumberLine(QLineEdit):
    """A line for a number, or for none where that has a meaning of its own.

    Args:
        name: How sentences and screen readers call it.
        low: Smallest number; with ``above`` the number must be larger than it.
        high: Largest number, or None.
        whole: Whether only whole numbers are meant.
        empty: What an empty line means, shown in it; without it a number is needed.

    Signals:
        edited(): The person changed it.
    """

    edited = Signal()

    def __init__(
        self,
        name: str,
        low: float = 0,
        high: float | None = None,
        *,
        whole: bool = False,
        above: bool = False,
        empty: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._low, self._high = name, low, high
        self._whole, self._above, self._needed = whole, above, not empty
        self.setPlaceholderText(empty)
        self.setAccessibleName(name)
        self.setMinimumWidth(48)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.textEdited.connect(lambda _text: self.edited.emit())

    def set_value(self, value: float | None) -> None:
        """Show a number; no signal."""
        with QSignalBlocker(self):
            self.setText("" if value is None else str(value).removesuffix(".0"))
        self._mark(bad=False)

    def value(self) -> float | None:
        """The number, or None for an empty line.

        Raises:
            InvalidInputError: it is none, or not one that can be used.
        """
        try:
            number = self._parsed()
        except InvalidInputError:
            self._mark(bad=True)
            raise
        self._mark(bad=False)
        return number

    def number(self) -> float:
        """The number of a line that needs one.

        Raises:
            InvalidInputError: as ``value``, also for an empty line.
        """
        found = self.value()
        if found is None:  # only where empty has a meaning, so where nobody asks like this
            raise InvalidInputError(self._sentence())
        return found

    def _parsed(self) -> float | None:
        text = self.text().strip().replace("\u00a0", "")
        if not text and not self._needed:
            return None
        if "," in text and "." not in text and not self._whole:
            text = text.replace(",", ".")  # a decimal comma
        try:
            number = int(text.replace(",", "")) if self._whole else float(text)
        except ValueError:
            raise InvalidInputError(self._sentence()) from None
        too_low = number <= self._low if self._above else number < self._low
        too_high = self._high is not None and number > self._high
        if not math.isfinite(number) or too_low or too_high:
            raise InvalidInputError(self._sentence())
        return number

    def _sentence(self) -> str:
        kind = self.tr("a whole number") if self._whole else self.tr("a number")
        low, high = f"{self._low:.12g}", f"{self._high:.12g}" if self._high is not None else ""
        if high:
            need = self.tr("{0} from {1} to {2}").format(kind, low, high)
        elif self._above:
            need = self.tr("{0} above {1}").format(kind, low)
        elif math.isfinite(self._low):
            need = self.tr("{0} from {1} on").format(kind, low)
        else:
            need = kind
        if self._needed:
            return self.tr("{0}: it takes {1}.").format(self._name, need)
        return self.tr("{0}: it takes {1}, or nothing.").format(self._name, need)

    def _mark(self, *, bad: bool) -> None:
        state = "failed" if bad else ""
        if self.property("state") != state:
            self.setProperty("state", state)
            self.style().unpolish(self)
            self.style().polish(self)


class Choice(QComboBox):
    """A choice of values with words; the wheel scrolls the page instead of changing it.

    Signals:
        edited(): The person chose.
    """

    edited = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setMinimumContentsLength(5)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(lambda _index: self.edited.emit())

    def offer(self, options: Sequence[tuple[str | None, str]], current: str | None) -> None:
        """Offer values with their words; a current value that is none of them is added."""
        known = [value for value, _ in options]
        if current not in known:
            options = [*options, (current, current or "")]
            known.append(current)
        with QSignalBlocker(self):
            self.clear()
            for value, word in options:
                self.addItem(word, value)
            self.setCurrentIndex(known.index(current))

    def choice(self) -> str | None:
        """The value that is chosen."""
        chosen = self.currentData()
        return None if chosen is None else str(chosen)

    def choose(self, value: str | None) -> None:
        """Choose a value that is offered; no signal."""
        with QSignalBlocker(self):
            found = next((n for n in range(self.count()) if self.itemData(n) == value), 0)
            self.setCurrentIndex(found)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FormRows(QWidget):
    """Controls under each other, each with its name at the left.

    Args:
        control: Share of the width for the controls; the names have a share of 2.
    """

    def __init__(self, control: int = 3, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, control)
        self._names: dict[QWidget, QWidget] = {}

    def add(self, name: str, control: QWidget) -> None:
        """Add a row."""
        row = self._grid.rowCount()
        label = PlainLabel(name, Type.LABEL, "text2", wrap=True)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(control, row, 1)
        self._names[control] = label

    def add_wide(self, control: QWidget) -> None:
        """Add something over the whole width."""
        self._grid.addWidget(control, self._grid.rowCount(), 0, 1, 2)

    def show_row(self, control: QWidget, *, visible: bool) -> None:
        """Show or hide a row."""
        control.setVisible(visible)
        if control in self._names:
            self._names[control].setVisible(visible)


def section_title(words: str) -> ElidingLabel:
    """The title of a part of a panel."""
    return ElidingLabel(words, Type.PANEL_TITLE, "text", least=60)


def note(words: str = "", colour: str = "text2") -> PlainLabel:
    """A wrapped line of secondary text."""
    label = PlainLabel(words, Type.LABEL, colour, wrap=True)
    # Else the height that it would like at its own width is its least one, whatever the width.
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    return label


def scrolled(content: QWidget) -> QScrollArea:
    """A frameless scroll area that grows only downwards."""
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    return area


def padded(parts: Sequence[QWidget]) -> QWidget:
    """Parts under each other with the margins of a panel's inside."""
    inside = ScrolledColumn()
    column = QVBoxLayout(inside)
    column.setContentsMargins(11, 10, 11, 10)
    column.setSpacing(8)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    return inside
