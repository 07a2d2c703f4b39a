"""The fields of the answer: a line for each, and the editor of the chosen one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.job import ROW_KEY_FIELD
from batchdesk.gui.pages.prompt_check_edits import pairs_of, pairs_text
from batchdesk.gui.pages.prompt_inputs import Choice, FormRows, InvalidInputError, NumberLine, note
from batchdesk.gui.pages.prompt_schema import NUMBERS, AnswerField, FieldKind
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.fields import TextBox
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.paint import RIGHT, focus_ring, hairline, write

_LOWEST = float("-inf")


class FieldWords(QObject):
    """Kinds of fields in the window's language."""

    def kind(self, kind: FieldKind) -> str:
        """A kind in a word or two."""
        return {
            FieldKind.TEXT: self.tr("text"),
            FieldKind.NUMBER: self.tr("number"),
            FieldKind.WHOLE: self.tr("whole number"),
            FieldKind.FLAG: self.tr("yes or no"),
            FieldKind.CHOICE: self.tr("one of…"),
        }[kind]

    def short(self, field: AnswerField) -> str:
        """A field's kind as the list shows it."""
        if field.kind is FieldKind.CHOICE:
            return self.tr("one of %Ln", "", len(field.allowed))
        return self.kind(field.kind)

    def second_line(self, field: AnswerField) -> str:
        """What the list says below the name."""
        parts = [field.description] if field.description else []
        if field.kind is FieldKind.CHOICE:
            parts.insert(0, ", ".join(field.allowed))
        if not field.required:
            parts.append(self.tr("may be left out"))
        return " · ".join(parts)


class FieldLine(QAbstractButton):
    """One field in the list. Space or a click chooses it; up and down go to its neighbours.

    Signals:
        stepped(int): Go to the line before (-1) or after (1).
    """

    stepped = Signal(int)

    def __init__(
        self, field: AnswerField, words: FieldWords, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(field.name)
        self._kind, self._below = words.short(field), words.second_line(field)
        self.setAccessibleName(f"{field.name}, {self._kind}")
        self.setAccessibleDescription(self._below)

    def nextCheckState(self) -> None:
        """Choosing the chosen one again changes nothing."""
        self.setChecked(True)

    def sizeHint(self) -> QSize:
        return QSize(120, theme().px(44))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        tokens = look.tokens
        rect = QRectF(self.rect())
        with QPainter(self) as painter:
            if self.isChecked() or self.underMouse():
                painter.fillRect(rect, tokens.colour("sel" if self.isChecked() else "hover"))
            if self.isChecked():
                painter.fillRect(QRectF(0, 0, 3, rect.height()), tokens.colour("accent"))
            right = look.px(96)
            half = rect.height() / 2
            top = QRectF(12, 4, rect.width() - right - 20, half - 2)
            below = QRectF(12, half, rect.width() - 24, half - 4)
            name = top if self._below else rect.adjusted(12, 0, -right - 8, 0)
            write(painter, name, self.text(), look.font(Type.PANEL_TITLE), tokens.colour("text"))
            small = look.font(Type.LABEL)
            write(painter, below, self._below, small, tokens.colour("text2"))
            kind = QRectF(rect.width() - right - 12, name.top(), right, name.height())
            write(painter, kind, self._kind, small, tokens.colour("text2"), align=RIGHT)
            hairline(painter, rect.bottomLeft(), rect.bottomRight())
            if self.hasFocus():
                focus_ring(painter, rect, 2)


@dataclass(frozen=True, slots=True)
class EditedField:
    """What the editor says: the field, synonyms of its values, and whether it may be blank."""

    field: AnswerField
    synonyms: dict[str, str]
    not_blank: bool


class FieldEditor(QWidget):
    """Edits one field.

    Signals:
        edited(): The person changed something.
        removed(): The field is to go.
    """

    edited = Signal()
    removed = Signal()

    def __init__(self, words: FieldWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = AnswerField("")
        self._pairs: dict[str, str] = {}
        self._shown = ("", "", "")
        self.name = QLineEdit()
        self.kind = Choice(self.tr("Type"))
        self.kind.offer([(str(kind), words.kind(kind)) for kind in FieldKind], FieldKind.TEXT)
        self.allowed = TextBox(4)
        self.synonyms = TextBox(2)
        empty = self.tr("no limit")
        self.least = NumberLine(self.tr("Smallest number"), _LOWEST, empty=empty)
        self.most = NumberLine(self.tr("Largest number"), _LOWEST, empty=empty)
        self.longest = NumberLine(self.tr("Characters at most"), 1, whole=True, empty=empty)
        self.description = QLineEdit()
        self.required = QCheckBox(self.tr("Must be in the answer"))
        self.not_blank = QCheckBox(self.tr("Must not be blank"))
        self.remove = Button(self.tr("Remove field"), Kind.FLAT, icon="trash", height=24)
        self._lay_out()
        self._connect()

    def show_field(self, field: AnswerField, synonyms: dict[str, str], *, not_blank: bool) -> None:
        """Show a field; no signal."""
        self._field, self._pairs = field, synonyms
        was = self.blockSignals(True)  # noqa: FBT003 - Qt's own
        self.name.setText(field.name)
        self.kind.choose(str(field.kind))
        self.allowed.setPlainText("\n".join(field.allowed))
        self.synonyms.setPlainText(pairs_text(synonyms))
        self.least.set_value(field.least)
        self.most.set_value(field.most)
        self.longest.set_value(field.longest)
        self.description.setText(field.description)
        self.required.setChecked(field.required)
        self.not_blank.setChecked(not_blank)
        self._show_parts()
        self._shown = self._texts()
        self.blockSignals(was)

    def value(self, taken: Collection[str]) -> EditedField:
        """What the editor says.

        Args:
            taken: Names of the other fields.

        Raises:
            InvalidInputError: something cannot be used.
        """
        name = self._name(taken)
        kind = FieldKind(self.kind.choice() or FieldKind.TEXT)
        field = replace(
            self._field,
            name=name,
            kind=kind,
            required=self.required.isChecked(),
            description=self._description(),
            allowed=self._allowed(name) if kind is FieldKind.CHOICE else (),
        )
        limited, long = kind in NUMBERS, kind is FieldKind.TEXT
        field = replace(
            field,
            least=self._kept(self.least, self._field.least) if limited else None,
            most=self._kept(self.most, self._field.most) if limited else None,
            longest=self._whole(self.longest) if long else None,
        )
        if field.least is not None and field.most is not None and field.least > field.most:
            raise InvalidInputError(
                self.tr("Field {0}: the smallest number is above the largest.").format(name)
            )
        pairs = self._synonyms(field) if kind is FieldKind.CHOICE else {}
        blank = long and self.not_blank.isChecked()
        return EditedField(field, pairs, blank)

    # -- parts ------------------------------------------------------------------------------

    def _texts(self) -> tuple[str, str, str]:
        """What the controls show; what they cannot show as it is, they must not change."""
        values = self.allowed.toPlainText()
        return self.name.text(), self.description.text(), values

    def _description(self) -> str:
        text = self.description.text()
        return self._field.description if text == self._shown[1] else text.strip()

    def _name(self, taken: Collection[str]) -> str:
        text = self.name.text()
        name = self._field.name if text == self._shown[0] else text.strip()
        fault = ""
        if not name:
            fault = self.tr("A field needs a name.")
        elif name in taken:
            fault = self.tr("There is a field {0} already; give this one another name.")
        elif name == ROW_KEY_FIELD:
            fault = self.tr("Batchdesk uses the name {0} itself; give the field another one.")
        self.name.setProperty("state", "failed" if fault else "")
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        if fault:
            raise InvalidInputError(fault.format(name))
        return name

    def _allowed(self, name: str) -> tuple[str, ...]:
        if self._field.allowed and self.allowed.toPlainText() == self._shown[2]:
            return self._field.allowed
        lines = [line.strip() for line in self.allowed.toPlainText().splitlines()]
        values = tuple(dict.fromkeys(line for line in lines if line))
        if not values:
            raise InvalidInputError(
                self.tr("Field {0}: write the allowed values, one in each line.").format(name)
            )
        return values

    def _synonyms(self, field: AnswerField) -> dict[str, str]:
        try:
            pairs = pairs_of(self.synonyms.toPlainText())
        except ValueError as error:
            words = self.tr("Field {0}: write “{1}” as word = value.")
            raise InvalidInputError(words.format(field.name, error)) from None
        for word, value in pairs.items():
            if value not in field.allowed and self._pairs.get(word) != value:
                words = self.tr("Field {0}: “{1}” leads to “{2}”, which is not an allowed value.")
                raise InvalidInputError(words.format(field.name, word, value))
        return pairs

    def _kept(self, line: NumberLine, before: float | None) -> float | None:
        """The number; the very one from before where it is the same (0 stays 0, not 0.0)."""
        number = line.value()
        if number is not None and before is not None and number == before:
            return before
        return int(number) if number is not None and number.is_integer() else number

    def _whole(self, line: NumberLine) -> int | None:
        number = line.value()
        return None if number is None else int(number)

    def _show_parts(self) -> None:
        kind = FieldKind(self.kind.choice() or FieldKind.TEXT)
        for part in (self._values, self._words):
            part.setVisible(kind is FieldKind.CHOICE)
        self._rows.show_row(self.least, visible=kind in NUMBERS)
        self._rows.show_row(self.most, visible=kind in NUMBERS)
        self._rows.show_row(self.longest, visible=kind is FieldKind.TEXT)
        self.not_blank.setVisible(kind is FieldKind.TEXT)

    def _lay_out(self) -> None:
        self.name.setAccessibleName(self.tr("Name of the field"))
        self.description.setAccessibleName(self.tr("What it means"))
        self.description.setPlaceholderText(self.tr("for the model, in a few words"))
        for line in (self.name, self.description):
            line.setMinimumWidth(60)
        self._rows = FormRows()
        for name, control in (
            (self.tr("Name"), self.name),
            (self.tr("Type"), self.kind),
            (self.tr("Smallest"), self.least),
            (self.tr("Largest"), self.most),
            (self.tr("Characters at most"), self.longest),
            (self.tr("What it means"), self.description),
        ):
            self._rows.add(name, control)
        self._values = _named(self.tr("Allowed values, one in each line"), self.allowed)
        self._words = _named(self.tr("Also understood, as word = value"), self.synonyms)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self._rows, self._values, self._words, self.required, self.not_blank):
            column.addWidget(widget)
        column.addLayout(last)
        self._show_parts()

    def _connect(self) -> None:
        for line in (self.name, self.description):
            line.textEdited.connect(lambda _text: self.edited.emit())
        for number in (self.least, self.most, self.longest):
            number.edited.connect(self.edited)
        for text in (self.allowed, self.synonyms):
            text.textChanged.connect(self.edited)
        for box in (self.required, self.not_blank):
            box.toggled.connect(lambda _on: self.edited.emit())
        self.kind.edited.connect(self._kind_chosen)
        self.remove.clicked.connect(lambda _on=False: self.removed.emit())

    def _kind_chosen(self) -> None:
        self._show_parts()
        self.edited.emit()


def _named(name: str, box: TextBox) -> QWidget:
    box.setAccessibleName(name)
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    label: PlainLabel = note(name)
    column.addWidget(label)
    column.addWidget(box)
    return whole
