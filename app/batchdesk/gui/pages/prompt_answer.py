"""What the answer must be: fields, plain text, or a JSON Schema of one's own, and its checks.

A stage comes in; its ``output``, ``answer_field`` and ``checks`` go out. A schema that the fields
cannot show stays JSON, word for word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.job import ConfidenceCheck, Stage
from batchdesk.gui.pages import prompt_check_edits as edits
from batchdesk.gui.pages.prompt_fields import FieldEditor, FieldLine, FieldWords
from batchdesk.gui.pages.prompt_inputs import Choice, FormRows, InvalidInputError, note
from batchdesk.gui.pages.prompt_schema import (
    AnswerField,
    AnswerForm,
    FieldKind,
    form_of,
    new_name,
    schema_of,
)
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.fields import TextBox

_FIELDS, _TEXT, _JSON = "fields", "text", "json"


class AnswerSection(QWidget):
    """The form of the answer.

    Signals:
        edited(): The person changed something.
        fields_changed(): Fields came, went, or have other names.
    """

    edited = Signal()
    fields_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = FieldWords(self)
        self._form = AnswerForm()
        self._checks: edits.Checks = ()
        self._answer: str | None = None
        self._schema: Mapping[str, Any] | None = None  # of the JSON, as long as it can be read
        self._chosen = 0
        self._drawn: tuple[AnswerField, ...] | None = None
        self._json_was_shown = False  # so that it, and not the fields, is what counts
        self.mode = Choice(self.tr("The answer is"))
        modes = ((_FIELDS, self.tr("fields")), (_TEXT, self.tr("plain text")))
        self.mode.offer([*modes, (_JSON, self.tr("a JSON Schema"))], _FIELDS)
        self.add = Button(self.tr("Add field"), Kind.FLAT, icon="plus", height=24)
        self.lines: list[FieldLine] = []
        self.editor = FieldEditor(self._words)
        self.json = TextBox(14, mono=True)
        self.message = note()
        self.compare = Choice(self.tr("Field to compare with the label"))
        self.label_note = note()
        self._label: str | None = None
        self._label_is_sent = False
        self._lay_out()
        self._connect()

    # -- in and out -------------------------------------------------------------------------

    def show_stage(self, stage: Stage) -> None:
        """Show a stage's answer and its checks; no signal."""
        with QSignalBlocker(self):
            chosen = self._form.fields[self._chosen].name if self._form.fields else ""
            self._checks, self._answer = stage.checks, stage.answer_field
            form = form_of(stage.output) if stage.output is not None else None
            self._schema = stage.output
            if form is not None:
                self._form = form
                names = form.names()
                self._chosen = names.index(chosen) if chosen in names else 0
            mode = _TEXT if stage.output is None else _JSON if form is None else _FIELDS
            self.mode.choose(mode)
            if mode == _JSON:
                self._show_json(stage.output or {})
            self._show_all()

    def values(self) -> dict[str, Any]:
        """``output``, ``answer_field`` and ``checks`` of the stage.

        Raises:
            InvalidInputError: something cannot be used.
        """
        mode = self.mode.choice()
        if mode == _TEXT:
            return {"output": None, "answer_field": None, "checks": self._checks_of_text()}
        output = self._parsed_json() if mode == _JSON else self._output_of_fields()
        return {"output": output, "answer_field": self._answer, "checks": self._checks}

    def show_label(self, label: str | None, *, is_sent: bool) -> None:
        """Say which column answers are compared with, and warn if the prompt gives it away."""
        self._label, self._label_is_sent = label, is_sent
        self._show_label()

    def _show_label(self) -> None:
        words, colour = "", "text2"
        if self._label_is_sent:
            words = self.tr(
                "The prompt sends the label column “{0}”, so the model sees the right answer."
            ).format(self._label)
            colour = "review"
        elif self._label is not None:
            words = self.tr("The label column is “{0}”.").format(self._label)
        elif self.mode.choice() != _TEXT:
            words = self.tr(
                "No label column chosen, so nothing is compared. Choose one on the Data page."
            )
        self.label_note.setText(words)
        self.label_note.set_colour(colour)
        self.label_note.setVisible(bool(words))

    def field_names(self) -> list[str]:
        """The fields that checks may be about."""
        mode = self.mode.choice()
        if mode == _TEXT:
            return []
        if mode == _FIELDS:
            return self._form.names()
        properties = (self._schema or {}).get("properties")
        return list(properties) if isinstance(properties, Mapping) else []

    def names_of(self, kind: FieldKind) -> list[str]:
        """The fields of a kind that have controls here."""
        is_shown = self.mode.choice() == _FIELDS
        return [one.name for one in self._form.fields if is_shown and one.kind is kind]

    def checks(self) -> edits.Checks:
        """All checks, as they are now."""
        return self._checks

    def set_checks(self, checks: edits.Checks) -> None:
        """Other checks, from another part of the page."""
        self._checks = checks

    # -- fields -----------------------------------------------------------------------------

    def add_field(self) -> None:
        """Add a text field and go to its name."""
        if self._take_edit():
            self._form = self._form.with_new(new_name(self._form, self.tr("field")))
            self._chosen = len(self._form.fields) - 1
            self._show_all()
            self._tell()
            self.editor.name.setFocus(Qt.FocusReason.OtherFocusReason)
            self.editor.name.selectAll()

    def remove_field(self) -> None:
        """Remove the chosen field, with what was checked of it."""
        name = self._form.fields[self._chosen].name
        self._form = self._form.without(self._chosen)
        self._checks = edits.without_field(self._checks, name)
        self._answer = None if self._answer == name else self._answer
        self._chosen = max(0, self._chosen - 1)
        self._show_all()
        self._tell()

    def choose(self, index: int) -> None:
        """Edit another field; not while the present one cannot be used."""
        if 0 <= index < len(self._form.fields):
            if index != self._chosen and self._take_edit():
                self._chosen = index
                self._show_editor()
            self._show_chosen()

    def _output_of_fields(self) -> dict[str, Any]:
        if not self._form.fields:
            raise InvalidInputError(self.tr("The answer has no field. Add one."))
        self._read_editor()
        return schema_of(self._form)

    def _read_editor(self) -> None:
        """Take over what the editor says.

        Raises:
            InvalidInputError: it cannot be used.
        """
        old = self._form.fields[self._chosen]
        edited = self.editor.value([name for name in self._form.names() if name != old.name])
        field = edited.field
        self._form = self._form.with_field(self._chosen, field)
        checks = self._checks
        if field.name != old.name:
            checks = edits.renamed(checks, old.name, field.name)
            self._answer = field.name if self._answer == old.name else self._answer
        if field.kind is FieldKind.CHOICE:
            pairs = edited.synonyms
            if pairs != edits.synonyms(checks, field.name) or field.allowed != old.allowed:
                checks = edits.with_synonyms(checks, field.name, field.allowed, pairs)
        if field.kind is FieldKind.TEXT:
            checks = edits.with_not_blank(checks, field.name, wanted=edited.not_blank)
        self._checks = checks

    def _take_edit(self) -> bool:
        try:
            if self._form.fields and self.mode.choice() == _FIELDS:
                self._read_editor()
        except InvalidInputError:
            return False
        return True

    def _field_edited(self) -> None:
        before = self._form
        if self._take_edit() and self._form != before:
            self._show_lines()
            self._show_compare()
        self._tell()

    # -- JSON and modes ---------------------------------------------------------------------

    def _parsed_json(self) -> dict[str, Any]:
        try:
            parsed = json.loads(self.json.toPlainText())
        except (ValueError, RecursionError) as error:
            words = self.tr("The JSON Schema cannot be read: {0}.")
            raise InvalidInputError(words.format(error)) from None
        if not isinstance(parsed, dict):
            raise InvalidInputError(self.tr("The JSON Schema must be an object, in braces."))
        return parsed

    def _json_edited(self) -> None:
        try:
            self._schema = self._parsed_json()
        except InvalidInputError:
            self._tell()
            return
        self._show_compare()
        self._tell()

    def _mode_chosen(self) -> None:
        wanted = self.mode.choice()
        if wanted == _JSON and self._take_edit_of_form():
            self._show_json(schema_of(self._form))
        elif wanted == _FIELDS and not self._fields_from_json():
            self.mode.choose(_JSON)
        self._show_all()
        self._tell()

    def _take_edit_of_form(self) -> bool:
        """Whether the JSON is to be that of the fields: not if it was JSON of its own."""
        if self._schema is not None and form_of(self._schema) is None:
            return False
        if self._form.fields:
            try:
                self._read_editor()
            except InvalidInputError:
                return True  # the fields as they were last right
        return True

    def _fields_from_json(self) -> bool:
        if self.json.toPlainText() and self._json_was_shown:
            try:
                form = form_of(self._parsed_json())
            except InvalidInputError:
                form = None
            if form is None:
                return False
            self._form, self._chosen = form, 0
        if not self._form.fields:
            self._form = self._form.with_new("answer")
        self._json_was_shown = False
        return True

    def _checks_of_text(self) -> edits.Checks:
        """Those that need no field."""
        return tuple(
            one for one in self._checks if isinstance(one, ConfidenceCheck) and one.field is None
        )

    def _show_json(self, schema: Mapping[str, Any]) -> None:
        self._schema, self._json_was_shown = schema, True
        with QSignalBlocker(self.json):
            self.json.setPlainText(json.dumps(schema, ensure_ascii=False, indent=2))

    # -- showing ----------------------------------------------------------------------------

    def _show_all(self) -> None:
        mode = self.mode.choice()
        self._fields_box.setVisible(mode == _FIELDS)
        self.json.setVisible(mode == _JSON)
        self._compare_rows.setVisible(mode != _TEXT)
        self._show_label()
        words = ""
        if mode == _TEXT:
            words = self.tr("Whatever the model writes is the answer; only blanks are found.")
        elif mode == _JSON and self._says_more():
            words = self.tr("This schema says more than the fields can show, so it stays JSON.")
        self.message.setText(words)
        self.message.setVisible(bool(words))
        self._show_lines()
        self._show_editor()
        self._show_compare()

    def _says_more(self) -> bool:
        return self._schema is None or form_of(self._schema) is None

    def _show_lines(self) -> None:
        fields = self._form.fields
        if [line.text() for line in self.lines] == [one.name for one in fields] and (
            self._drawn == fields
        ):
            return
        self._drawn = fields
        had_focus = next((n for n, line in enumerate(self.lines) if line.hasFocus()), None)
        for line in self.lines:
            line.hide()
            line.deleteLater()
        self.lines = [self._line(n, one) for n, one in enumerate(fields)]
        if had_focus is not None and self.lines:
            self.lines[min(had_focus, len(self.lines) - 1)].setFocus()
        self._show_chosen()

    def _line(self, index: int, field: AnswerField) -> FieldLine:
        line = FieldLine(field, self._words)
        line.clicked.connect(lambda _on=False, index=index: self.choose(index))
        line.stepped.connect(lambda by, index=index: self._step(index + by))
        self._list.addWidget(line)
        return line

    def _step(self, index: int) -> None:
        self.choose(index)
        if self.lines:
            self.lines[self._chosen].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_chosen(self) -> None:
        for number, line in enumerate(self.lines):
            line.setChecked(number == self._chosen)

    def _show_editor(self) -> None:
        has_one = bool(self._form.fields)
        self.editor.setVisible(has_one)
        if has_one:
            field = self._form.fields[self._chosen]
            pairs = dict(edits.synonyms(self._checks, field.name))
            blank = edits.not_blank(self._checks, field.name)
            self.editor.show_field(field, pairs, not_blank=blank)
        self._show_chosen()

    def _show_compare(self) -> None:
        fields: list[tuple[str | None, str]] = [(name, name) for name in self.field_names()]
        self.compare.offer([(None, self.tr("nothing")), *fields], self._answer)

    def _compare_chosen(self) -> None:
        self._answer = self.compare.choice()
        self._tell()

    def _tell(self) -> None:
        self.fields_changed.emit()
        self.edited.emit()

    def _lay_out(self) -> None:
        self.json.setAccessibleName(self.tr("JSON Schema of the answer"))
        top = FormRows()
        top.add(self.tr("The answer is"), self.mode)
        self._compare_rows = FormRows(2)
        self._compare_rows.add(self.tr("Compare with the label"), self.compare)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        add = QHBoxLayout()
        add.addWidget(self.add)
        add.addStretch(1)
        self._fields_box = QWidget()
        inner = QVBoxLayout(self._fields_box)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        inner.addLayout(self._list)
        inner.addLayout(add)
        inner.addWidget(self.editor)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (top, self._fields_box, self.json, self.message, self._compare_rows):
            column.addWidget(widget)
        column.addWidget(self.label_note)

    def _connect(self) -> None:
        self.mode.edited.connect(self._mode_chosen)
        self.add.clicked.connect(lambda _on=False: self.add_field())
        self.editor.edited.connect(self._field_edited)
        self.editor.removed.connect(self.remove_field)
        self.json.textChanged.connect(self._json_edited)
        self.compare.edited.connect(self._compare_chosen)
