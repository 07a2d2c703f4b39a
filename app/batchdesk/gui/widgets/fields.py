"""A form made from a JSON Schema object: one field per property, each with its check's finding.

``enum`` becomes a choice, a string a line (or a few lines when it may be long), numbers a line
with a check of the figure, booleans a check box, an array of strings a line with commas, anything
else its JSON. `SchemaForm.value` gives the answer back; what was not touched comes back unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.theme import INSIDE, RADIUS, Type, theme
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import rounded
from batchdesk.gui.widgets.states import BadgeState, StateShape

_LONG = 60  # characters; a longer text gets several lines
_SPLIT = re.compile("[,\uff0c\u3001;\uff1b]")  # people type the full-width ones too


class FieldKind(Enum):
    """Which control a property gets."""

    CHOICE = "choice"
    LINE = "line"
    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"
    JSON = "json"


def kind_of(schema: Mapping[str, Any]) -> FieldKind:
    """The control for a property's schema."""
    types = schema.get("type")
    names = {types} if isinstance(types, str) else set(types or ())
    if "enum" in schema and all(isinstance(one, str | None) for one in schema["enum"]):
        return FieldKind.CHOICE
    names.discard("null")
    if names == {"string"}:
        short = schema.get("maxLength", _LONG + 1) <= _LONG
        return FieldKind.LINE if short else FieldKind.TEXT
    if names and names <= {"number", "integer"}:
        return FieldKind.NUMBER
    if names == {"boolean"}:
        return FieldKind.FLAG
    items = schema.get("items")
    if names == {"array"} and isinstance(items, Mapping) and kind_of(items) in _SINGLE:
        return FieldKind.LIST
    return FieldKind.JSON


_SINGLE = frozenset({FieldKind.LINE, FieldKind.TEXT, FieldKind.CHOICE})


def to_text(kind: FieldKind, value: Any) -> str:
    """A value as it stands in its control; None is empty."""
    if value is None:
        return ""
    if kind is FieldKind.LIST and isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, str) and kind is not FieldKind.JSON:
        return value
    return json.dumps(value, ensure_ascii=False)


def from_text(kind: FieldKind, text: str) -> Any:
    """The value that a control's text means; a number that is none stays text for the checks."""
    if kind is FieldKind.LIST:
        return [part.strip() for part in _SPLIT.split(text) if part.strip()]
    if kind in {FieldKind.NUMBER, FieldKind.JSON}:
        try:
            return json.loads(text) if text.strip() else None
        except ValueError:
            return text
    return text


class Field(QWidget):
    """One property: name, hint, shape at the right, control, message.

    Args:
        name: The property's name.
        schema: Its JSON Schema.
        hint: Secondary words after the name.

    Signals:
        changed(): The person changed it.
    """

    changed = Signal()

    def __init__(
        self,
        name: str,
        schema: Mapping[str, Any],
        hint: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.name = name
        self.kind = kind_of(schema)
        self._original: Any = None
        self._shown = ""
        self._state: BadgeState | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(INSIDE, 4, INSIDE, 4)
        column.setSpacing(3)
        head = QHBoxLayout()
        head.setSpacing(8)
        self._title = ElidingLabel(name, Type.LABEL_MEDIUM, "text2", least=80)
        head.addWidget(self._title)
        self._title.setVisible(self.kind is not FieldKind.FLAG)  # the box says its name itself
        head.addWidget(ElidingLabel(hint, Type.LABEL, "text3", least=0))
        head.addStretch(1)
        self._shape = StateShape(BadgeState.PASSED, "")
        self._shape.setVisible(False)
        head.addWidget(self._shape)
        column.addLayout(head)
        self.control = self._make(schema)
        self.control.setAccessibleName(name)
        self.control.installEventFilter(self)
        column.addWidget(self.control)
        self._message = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self._message.setVisible(False)
        column.addWidget(self._message)

    def value(self) -> Any:
        """What the field says; unchanged text gives the very value that was set."""
        control = self.control
        if isinstance(control, QCheckBox):
            if control.checkState() is Qt.CheckState.PartiallyChecked:
                return self._original
            return control.isChecked()
        text = self._text()
        return self._original if text == self._shown else from_text(self.kind, text)

    def set_value(self, value: Any) -> None:
        """Shows a value; no signal."""
        self._original = value
        control = self.control
        blocker = QSignalBlocker(control)
        if isinstance(control, QCheckBox):
            state = Qt.CheckState.PartiallyChecked if value is None else None
            control.setTristate(value is None)
            control.setCheckState(
                state or (Qt.CheckState.Checked if value is True else Qt.CheckState.Unchecked)
            )
        else:
            self._show(to_text(self.kind, value))
        blocker.unblock()
        self._shown = self._text()

    def set_check(self, state: BadgeState | None, message: str = "") -> None:
        """The finding of its checks: passed, review or failed; None takes it away."""
        self._state = state
        self._shape.setVisible(state is not None)
        if state is not None:
            self._shape.set_state(state, message or state.value)
        bad = state if state in {BadgeState.REVIEW, BadgeState.FAILED} else None
        self._message.set_colour(bad.value if bad else "text2")
        self._message.setText(message)
        self._message.setVisible(bool(message))
        self.control.setAccessibleDescription(message)
        self.control.setProperty("state", bad.value if bad else "")
        self.control.style().unpolish(self.control)
        self.control.style().polish(self.control)
        self.update()

    def set_read_only(self, *, read_only: bool) -> None:
        """Whether the person may change it."""
        control = self.control
        if isinstance(control, QLineEdit | QPlainTextEdit):
            control.setReadOnly(read_only)
        else:
            control.setEnabled(not read_only)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A wheel that scrolls the form must not change a choice."""
        if isinstance(event, QWheelEvent) and isinstance(watched, QComboBox):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._state not in {BadgeState.REVIEW, BadgeState.FAILED}:
            return
        with QPainter(self) as painter:
            painter.fillRect(
                QRectF(0, 2, 3, self.height() - 4), theme().tokens.colour(self._state.value)
            )

    def _make(self, schema: Mapping[str, Any]) -> QWidget:
        if self.kind is FieldKind.CHOICE:
            combo = QComboBox()
            combo.addItems(["" if one is None else str(one) for one in schema["enum"]])
            combo.setMinimumContentsLength(8)
            policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            combo.setSizeAdjustPolicy(policy)
            combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            combo.currentTextChanged.connect(lambda _text: self.changed.emit())
            return combo
        if self.kind is FieldKind.FLAG:
            box = QCheckBox(self.name)
            box.checkStateChanged.connect(lambda _state: self.changed.emit())
            return box
        if self.kind in {FieldKind.TEXT, FieldKind.JSON}:
            text = TextBox()
            text.textChanged.connect(self.changed)
            return text
        line = QLineEdit()
        line.textEdited.connect(lambda _text: self.changed.emit())
        return line

    def _text(self) -> str:
        control = self.control
        if isinstance(control, QComboBox):
            return control.currentText()
        if isinstance(control, QPlainTextEdit):
            return control.toPlainText()
        return control.text() if isinstance(control, QLineEdit) else ""

    def _show(self, text: str) -> None:
        control = self.control
        if isinstance(control, QComboBox):
            if control.findText(text) < 0:  # an answer outside the choices is shown as it is
                control.addItem(text)
            control.setCurrentText(text)
        elif isinstance(control, QPlainTextEdit):
            control.setPlainText(text)
        elif isinstance(control, QLineEdit):
            control.setText(text)
            control.setCursorPosition(0)


class TextBox(QPlainTextEdit):
    """A few lines of plain text in the look of an input; Tab leaves it.

    Args:
        lines: Height in lines.
        mono: For raw text.
    """

    def __init__(
        self, lines: int = 3, *, mono: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._lines, self._mono = lines, mono
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setViewportMargins(4, 2, 4, 2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        theme().changed.connect(self._restyle)
        self._restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        state = self.property("state")
        edge = "accent" if self.hasFocus() else str(state) if state else "ctl"
        with QPainter(self.viewport()) as painter:
            box = QRectF(self.viewport().rect())
            ground = tokens.colour("alt" if self.isReadOnly() else "base")
            rounded(painter, box, RADIUS, ground, tokens.colour(edge))
        super().paintEvent(event)

    def _restyle(self) -> None:
        self.setFont(theme().font(Type.MONO if self._mono else Type.BODY))
        self.setViewportMargins(0, 0, 0, 0)
        self.document().setDocumentMargin(7)
        self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing() + 16)


class SchemaForm(QWidget):
    """All properties of a JSON Schema object, top to bottom; put it into a scroll area.

    Signals:
        changed(str): The person changed this property.
    """

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 6)
        self._column.setSpacing(2)
        self._column.addStretch(1)
        self._answer: dict[str, Any] = {}
        self.fields: dict[str, Field] = {}

    def set_schema(
        self, schema: Mapping[str, Any], hint: Callable[[Mapping[str, Any]], str] | None = None
    ) -> None:
        """Makes the fields.

        Args:
            schema: A JSON Schema of type object.
            hint: Words after a name, from the property's schema ("one of 4").
        """
        for field in self.fields.values():
            self._column.removeWidget(field)
            field.deleteLater()
        self.fields = {}
        properties: Mapping[str, Any] = schema.get("properties") or {}
        for place, (name, part) in enumerate(properties.items()):
            field = Field(name, part, hint(part) if hint else "")
            field.changed.connect(lambda name=name: self.changed.emit(name))
            self._column.insertWidget(place, field)
            self.fields[name] = field

    def value(self) -> dict[str, Any]:
        """The whole answer; properties that have no field stay as they were."""
        answer = dict(self._answer)
        for name, field in self.fields.items():
            value = field.value()
            if value is not None or name in self._answer:
                answer[name] = value
        return answer

    def set_value(self, answer: Mapping[str, Any]) -> None:
        """Shows an answer and takes all findings away."""
        self._answer = dict(answer)
        for name, field in self.fields.items():
            field.set_value(answer.get(name))
            field.set_check(None)

    def set_check(self, path: str, state: BadgeState | None, message: str = "") -> bool:
        """A finding for a path such as ``topics/0``; False if no field stands for it."""
        field = self.fields.get(path.partition("/")[0])
        if field is None:
            return False
        field.set_check(state, message)
        return True

    def set_read_only(self, *, read_only: bool) -> None:
        """Whether the person may change anything."""
        for field in self.fields.values():
            field.set_read_only(read_only=read_only)

    def focus_field(self, name: str = "") -> None:
        """Puts the focus into a field, or into the first."""
        field = self.fields.get(name) or next(iter(self.fields.values()), None)
        if field is not None:
            field.control.setFocus(Qt.FocusReason.OtherFocusReason)
