"""Checks of the answer that are not about a single field's values: confidence, and the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.job import CheckSpec, ConfidenceCheck, LabelsCheck, RequiredCheck
from batchdesk.gui.pages import prompt_check_edits as edits
from batchdesk.gui.pages.prompt_inputs import Choice, FormRows, InvalidInputError, NumberLine, note
from batchdesk.gui.widgets.buttons import Button, Kind

_USUAL = 0.7
_LOGPROBS, _FIELD, _AGREEMENT = "logprobs", "field", "agreement"


class ChecksSection(QWidget):
    """The check of confidence with its controls, and a line for each check without controls.

    Signals:
        edited(): The person changed something.
        removed(object): This check is to go.
    """

    edited = Signal()
    removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: ConfidenceCheck | None = None
        self.wanted = QCheckBox(self.tr("Low confidence goes to review"))
        self.source = Choice(self.tr("Confidence is"))
        self.source.offer(
            [
                (_LOGPROBS, self.tr("probability of the answer")),
                (_FIELD, self.tr("a number in the answer")),
                (_AGREEMENT, self.tr("agreement of several answers")),
            ],
            _LOGPROBS,
        )
        self.field = Choice(self.tr("Field"))
        self.at_least = NumberLine(self.tr("At least"), 0, 1)
        self.hint = note()
        self._others = QVBoxLayout()
        self._others.setSpacing(4)
        self._rows = FormRows()
        self._rows.add_wide(self.source)
        self._rows.add(self.tr("Field"), self.field)
        self._rows.add(self.tr("At least"), self.at_least)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.wanted)
        column.addWidget(self._rows)
        column.addWidget(self.hint)
        column.addLayout(self._others)
        self.wanted.toggled.connect(lambda _on: self._changed())
        self.source.edited.connect(self._changed)
        self.field.edited.connect(self._changed)
        self.at_least.edited.connect(self._changed)
        self._show_parts()

    def show_checks(self, checks: edits.Checks, fields: Sequence[str]) -> None:
        """Show the check of confidence; no signal.

        Args:
            checks: All checks of the stage.
            fields: The answer's fields.
        """
        one = edits.confidence(checks)
        self._before = one
        with QSignalBlocker(self):
            self.wanted.setChecked(one is not None)
            self.source.choose(one.source if one else _LOGPROBS)
            self.at_least.set_value(one.at_least if one else _USUAL)
            self.offer_fields(fields, one.field if one else None)
            self._show_parts()

    def offer_fields(self, fields: Sequence[str], current: str | None) -> None:
        """Offer the fields as they are called now."""
        named: list[tuple[str | None, str]] = [(name, name) for name in fields]
        self.field.offer([(None, self.tr("the compared one")), *named], current)

    def show_others(self, others: Sequence[CheckSpec]) -> None:
        """List the checks that have no controls."""
        while (item := self._others.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for one in others:
            self._others.addWidget(self._line(one))

    def value(self) -> ConfidenceCheck | None:
        """The check of confidence, or None.

        Raises:
            InvalidInputError: something cannot be used.
        """
        if not self.wanted.isChecked():
            return None
        source, name = self.source.choice(), self.field.choice()
        if source == _FIELD and not name:
            raise InvalidInputError(
                self.tr("Confidence: choose the field in which the model gives it.")
            )
        at_least = self.at_least.number()
        return ConfidenceCheck.model_validate(
            {"kind": "confidence", "source": source, "field": name, "at_least": at_least}
        )

    def words(self, one: CheckSpec) -> str:
        """A check in words."""
        if isinstance(one, LabelsCheck):
            values = ", ".join(one.allowed)
            return self.tr("{0} must be one of: {1}").format(one.field, values)
        if isinstance(one, RequiredCheck):
            return self.tr("must not be blank: {0}").format(", ".join(one.fields))
        return self.tr("confidence of {0} at least {1}").format(one.field or "", one.at_least)

    def _line(self, one: CheckSpec) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(note(self.words(one), "text"), 1)
        remove = Button("", Kind.FLAT, icon="trash", height=24)
        remove.setAccessibleName(self.tr("Remove this check"))
        remove.setToolTip(remove.accessibleName())
        remove.clicked.connect(lambda _on=False: self.removed.emit(one))
        row.addWidget(remove)
        return line

    def _changed(self) -> None:
        self._show_parts()
        self.edited.emit()

    def _show_parts(self) -> None:
        self._rows.setVisible(self.wanted.isChecked())
        source = self.source.choice()
        hints = {
            _LOGPROBS: self.tr("Only services that give probabilities; else it stays unknown."),
            _FIELD: self.tr("The model judges itself in this field, from 0 to 1."),
            _AGREEMENT: self.tr("Set “Answers per row” to 2 or more, under More."),
        }
        self.hint.setText(hints.get(source or "", ""))
        self.hint.setVisible(self.wanted.isChecked())
