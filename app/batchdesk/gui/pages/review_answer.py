"""The right column of Review: the answer as a form, what its checks found, and its confidence.

A task and its job come in; an edited answer goes out. Findings that belong to a field stand beside
it, all others at the bottom.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.job import ConfidenceCheck, Job
from batchdesk.domain.task import TaskState
from batchdesk.gui.models.queue import is_unusable, names_another_row
from batchdesk.gui.theme import INSIDE, Type, theme
from batchdesk.gui.widgets.bars import Meter
from batchdesk.gui.widgets.fields import SchemaForm, TextBox
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.widgets.states import BadgeState, StateBadge, StateShape
from batchdesk.gui.words import Words
from batchdesk.session import TaskView

_TEXT_LINES = 12  # of a plain-text answer

Finding = tuple[BadgeState, str]

_ALIKE = {"required/missing": "schema/required"}  # two checks that say the same


def is_form(schema: Mapping[str, Any] | None) -> bool:
    """Whether the asked answer is an object with named fields."""
    return schema is not None and bool(schema.get("properties"))


def fits_form(view: TaskView, schema: Mapping[str, Any] | None) -> bool:
    """Whether there is an answer of the asked kind at all, right or wrong."""
    if view.answer is None:
        return False
    return isinstance(view.answer, dict) if is_form(schema) else True


class AnswerPanel(Panel):
    """One answer.

    Signals:
        changed(): The person changed the form.
    """

    changed = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, head_line=True, parent=parent)
        self._words = words
        self._schema: Mapping[str, Any] | None = None
        self._job: Job | None = None
        self._view: TaskView | None = None
        self._doubted: frozenset[str] = frozenset()  # fields with a finding
        self._one = self.tr("Answer")  # the name of an answer that has no fields
        self.setMinimumWidth(296)
        self.set_title(self.tr("Answer"))
        self.badge = StateBadge(BadgeState.REVIEW, "")
        self.badge.setVisible(False)
        self.add_tool(self.badge)
        self.form = SchemaForm()
        self.form.changed.connect(lambda _name: self.changed.emit())
        self.confidence = ConfidenceBox(words)
        self.none = PlainLabel("", Type.BODY, "text2", wrap=True)
        self.raw = TextBox(6, mono=True)
        self.raw.setReadOnly(True)
        self.raw.setAccessibleName(self.tr("Answer as it came"))
        self.warning = _Warning()
        self.others = QVBoxLayout()
        self._lay_out()

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 6, 0, 6)
        column.setSpacing(4)
        unreadable = QVBoxLayout()
        unreadable.setContentsMargins(INSIDE, 0, INSIDE, 0)
        unreadable.addWidget(self.none)
        unreadable.addWidget(self.raw)
        column.addLayout(unreadable)
        column.addWidget(self.form)
        column.addWidget(self.confidence)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inside)  # switches on the ground of both
        self.area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self.add(self.warning)
        self.add(self.area, 1)
        self._bottom = QWidget()
        bottom = QVBoxLayout(self._bottom)
        bottom.setContentsMargins(0, 0, 0, 4)
        bottom.addWidget(Hairline())
        bottom.addLayout(self.others)
        self.others.setContentsMargins(INSIDE, 2, INSIDE, 2)
        self.others.setSpacing(6)
        self.add(self._bottom)

    # -- showing ----------------------------------------------------------------------------

    def set_job(self, job: Job) -> None:
        """Makes the form of the job's answers."""
        if job == self._job:
            return
        self._job = job
        self._schema = job.stages[0].output
        self.form.set_schema(self._form_schema(), self._hint)
        thresholds = [c.at_least for c in job.stages[0].checks if isinstance(c, ConfidenceCheck)]
        self.confidence.set_threshold(max(thresholds, default=None))

    def show_view(self, view: TaskView | None) -> None:
        """Shows a task's answer, read-only."""
        self._view = view
        if view is None:
            self.form.set_value({})
            self._show_findings(())
            self.confidence.show_value(None, None)
        else:
            self.form.set_value(self._as_form(view.answer))
            self._show_findings(view.checks)
        self._warn(view)
        self._show_missing()
        self.set_editable(editable=False)

    def show_edit_findings(self, findings: Sequence[Any]) -> None:
        """What the checks say of the edited answer (CheckResults)."""
        asdict = [
            {
                "check": one.check,
                "outcome": one.outcome.value,
                "code": one.code,
                "path": one.path,
                "detail": one.detail,
            }
            for one in findings
        ]
        of_model = self._view.checks if self._view is not None else ()
        asdict += [dict(check) for check in of_model if check["check"] == "confidence"]
        self._show_findings(asdict)

    def _warn(self, view: TaskView | None) -> None:
        """Says above everything else that the answer is not to be taken as it is."""
        words = ""
        if view is not None and view.answer is not None and is_unusable(view):
            words = self.tr("This answer failed its checks")
            if names_another_row(view):
                words = self.tr("This answer names another row")
        self.warning.set_words(words)

    def _show_missing(self) -> None:
        """Says why there is no form where there is no answer for it."""
        view = self._view
        usable = view is None or fits_form(view, self._schema)
        self.form.setVisible(view is not None and usable)
        self.none.setVisible(not usable)
        self.raw.setVisible(not usable and view is not None and view.answer is not None)
        if view is None or usable:
            return
        if view.answer is None:
            self.none.setText(self.tr("There is no answer for this row."))
            return
        self.none.setText(self.tr("The answer is not in the asked form. As it came:"))
        text = view.answer if isinstance(view.answer, str) else json.dumps(view.answer)
        self.raw.setPlainText(text)

    def _show_findings(self, checks: Sequence[Mapping[str, Any]]) -> None:
        by_field: dict[str, list[Finding]] = {}
        others: list[Finding] = []
        confidence: Finding | None = None
        for check in checks:
            state = BadgeState.REVIEW if check["outcome"] == "doubtful" else BadgeState.FAILED
            code = _ALIKE.get(code := f"{check['check']}/{check['code']}", code)
            finding = (state, self._words.finding(code, check.get("detail")))
            fields = self._fields_of(check)
            if check["check"] == "confidence":
                confidence = finding
            for name in fields:
                found = by_field.setdefault(name, [])
                if finding not in found:
                    found.append(finding)
            if not fields and check["check"] != "confidence":
                others.append(finding)
        for name in self.form.fields:
            of_field = by_field.get(name, [])
            message = "\n".join(words for _, words in of_field)
            self.form.set_check(name, worst(of_field), message)
        self._doubted = frozenset(by_field)
        view = self._view
        if view is not None:
            self.confidence.show_value(view.confidence, confidence)
            others += self._failure(view)
        self._show_others(others)
        self._show_badge([*others, *(f for fs in by_field.values() for f in fs)], confidence)

    def _fields_of(self, check: Mapping[str, Any]) -> list[str]:
        """The form's fields that a finding belongs to."""
        if check["check"] == "confidence":
            return []
        if not is_form(self._schema):
            return [] if check["check"] in {"parsable", "complete"} else [self._one]
        if check["check"] == "schema" and check["code"] == "required" and not check["path"]:
            answer = self.form.value()
            required = (self._schema or {}).get("required", [])
            return [name for name in required if name not in answer and name in self.form.fields]
        name = str(check["path"]).partition("/")[0]
        return [name] if name in self.form.fields else []

    def _failure(self, view: TaskView) -> list[Finding]:
        """Why a dead letter was given up."""
        if view.error_kind is None or view.state is not TaskState.DEAD:
            return []
        words = self._words.error(view.error_kind)
        if view.error_message:
            words = self.tr("{0}: “{1}”").format(words, view.error_message)
        return [(BadgeState.FAILED, words)]

    def _show_others(self, findings: Sequence[Finding]) -> None:
        while (item := self.others.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for state, words in findings:
            self.others.addWidget(_FindingLine(state, words))
        self._bottom.setVisible(bool(findings))

    def _show_badge(self, findings: Sequence[Finding], confidence: Finding | None) -> None:
        found = [*findings, *([confidence] if confidence else [])]
        state = worst(found)
        self.badge.setVisible(state is not None)
        if state is not None:
            count = self._words.number(sum(one is state for one, _ in found))
            failed = state is BadgeState.FAILED
            word = self.tr("{0} failed") if failed else self.tr("{0} doubtful")
            self.badge.set_state(state, word.format(count))

    # -- editing ----------------------------------------------------------------------------

    def set_editable(self, *, editable: bool) -> None:
        """Whether the form takes changes. Read-only choices keep their full contrast."""
        for field in self.form.fields.values():
            control = field.control
            if isinstance(control, QComboBox | QCheckBox):
                focus = Qt.FocusPolicy.StrongFocus if editable else Qt.FocusPolicy.NoFocus
                control.setFocusPolicy(focus)
                control.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not editable)
            else:
                field.set_read_only(read_only=not editable)
        if editable:
            self.form.setVisible(True)

    def focus_first(self) -> None:
        """Puts the focus into the first field with a finding, or into the first."""
        doubtful = [name for name in self.form.fields if name in self._doubted]
        self.form.focus_field(doubtful[0] if doubtful else "")

    def answer(self) -> Any:
        """The answer as the form has it now."""
        value = self.form.value()
        return value if is_form(self._schema) else value.get(self._one)

    def put(self, answer: Any) -> None:
        """Puts an edited answer back into the form; the task's own answer is not changed."""
        self.form.set_value(self._as_form(answer))

    # -- forms ------------------------------------------------------------------------------

    def _form_schema(self) -> Mapping[str, Any]:
        if self._schema is None:
            return {"properties": {self._one: {"type": "string"}}}
        if is_form(self._schema):
            return self._schema
        return {"properties": {self._one: self._schema}}

    def _as_form(self, answer: Any) -> Mapping[str, Any]:
        if not is_form(self._schema):
            box = self.form.fields[self._one].control if self.form.fields else None
            if self._schema is None and isinstance(box, TextBox):
                box.setFixedHeight(_TEXT_LINES * box.fontMetrics().lineSpacing() + 16)
            return {self._one: answer} if answer is not None else {}
        return answer if isinstance(answer, dict) else {}

    def _hint(self, schema: Mapping[str, Any]) -> str:
        if "enum" in schema:
            return self.tr("one of {0}").format(len(schema["enum"]))
        return str(schema.get("description") or "")


def worst(findings: Sequence[Finding]) -> BadgeState | None:
    """Failed over doubtful; None of none."""
    states = {state for state, _ in findings}
    if BadgeState.FAILED in states:
        return BadgeState.FAILED
    return BadgeState.REVIEW if states else None


class ConfidenceBox(QWidget):
    """The confidence of an answer on a meter with the job's threshold."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._state: BadgeState | None = None
        self._threshold: float | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(INSIDE, 4, INSIDE, 4)
        self._column.setSpacing(3)
        head = QHBoxLayout()
        head.addWidget(ElidingLabel(self.tr("Confidence"), Type.LABEL_MEDIUM, "text2", least=60))
        head.addStretch(1)
        self._shape = StateShape(BadgeState.PASSED, "")
        head.addWidget(self._shape)
        self._column.addLayout(head)
        self._row = QHBoxLayout()
        self.meter = Meter()
        self.number = PlainLabel("", Type.PANEL_TITLE)
        self._row.addWidget(self.meter, 1)
        self._row.addWidget(self.number)
        self._column.addLayout(self._row)
        self.message = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self._column.addWidget(self.message)

    def set_threshold(self, threshold: float | None) -> None:
        """Where the tick stands; None for none."""
        self._threshold = threshold
        self._row.removeWidget(self.meter)
        self.meter.deleteLater()
        self.meter = Meter(threshold=threshold)
        self._row.insertWidget(0, self.meter, 1)

    def show_value(self, value: float | None, finding: Finding | None) -> None:
        """A confidence from 0 to 1, and what the check says of it."""
        self.setVisible(value is not None or finding is not None)
        self._state = finding[0] if finding else None
        number = self._words.number(value, 2)
        fill = f"{self._state.value}.fill" if self._state else "passed.fill"
        self.meter.set_value(value, self.tr("Confidence {0}").format(number), fill)
        self.number.setText(number)
        checked = self._threshold is not None
        self._shape.setVisible(checked)
        self._shape.set_state(self._state or BadgeState.PASSED, finding[1] if finding else number)
        self.message.setVisible(finding is not None)
        self.message.setText(finding[1] if finding else "")
        self.message.set_colour(self._state.value if self._state else "text2")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._state is not None:
            with QPainter(self) as painter:
                bar = QRectF(0, 2, 3, self.height() - 4)
                painter.fillRect(bar, theme().tokens.colour(self._state.value))


class _Warning(QWidget):
    """What stands above an answer that is not to be taken as it is; hidden without words."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(INSIDE, 8, INSIDE, 8)
        row.setSpacing(10)
        row.addWidget(StateShape(BadgeState.FAILED, "", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        self.words = PlainLabel("", Type.CARD_TITLE, wrap=True)
        row.addWidget(self.words, 1)
        self.setVisible(False)

    def set_words(self, words: str) -> None:
        """The warning; empty for none."""
        self.words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme().tokens.colour("failed.tint"))


class _FindingLine(QWidget):
    """A finding that belongs to no field."""

    def __init__(self, state: BadgeState, words: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(StateShape(state, words), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(PlainLabel(words, Type.LABEL, "text", wrap=True), 1)
