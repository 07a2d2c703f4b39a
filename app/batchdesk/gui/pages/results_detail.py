"""One row of the results in full: its cells, its answer, and what was sent and received for it.

A task comes in; its attempts are asked for. All texts are shown as plain text, selectable.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from batchdesk.domain.task import SkipReason
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.results import BADGES, STANDS, reason_text
from batchdesk.gui.theme import INSIDE, MISSING, Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind, Segments
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Hairline
from batchdesk.gui.widgets.states import BadgeState, StateWord
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, TaskView

_LONGEST_RAW = 200_000  # characters of one raw text that are shown


class PlainText(QPlainTextEdit):
    """Read-only text of a type role; markup in it is text like any other."""

    def __init__(self, role: Type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(INSIDE)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_role(self, role: Type) -> None:
        """Another type role."""
        self._role = role
        self._restyle()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(40))

    def _restyle(self) -> None:
        self.setFont(theme().font(self._role))


class DetailPane(QWidget):
    """Text, answer and attempts of one task.

    Signals:
        closed(): The person is done with it.
    """

    closed = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, words
        self._view: TaskView | None = None
        self._attempts: Sequence[AttemptView] | None = None
        self._first: Sequence[str] = ()
        self._undoes = False
        self._answer_read: Any = None  # the answer without masks; None: not read, or none there
        self.key = ElidingLabel("", Type.PANEL_TITLE, "text", least=60)
        self.state = StateWord(BadgeState.WAITING, "")
        self.close_button = Button(icon="x", kind=Kind.FLAT, height=24)
        self.close_button.setAccessibleName(self.tr("Close the details"))
        self.close_button.setToolTip(self.tr("Close the details (Esc)"))
        self.close_button.clicked.connect(self.closed)
        self.choice = Segments(
            [
                ("row", self.tr("Row")),
                ("answer", self.tr("Answer")),
                ("attempts", self.tr("Attempts")),
            ]
        )
        self.choice.chosen.connect(lambda _code: self._show())
        self.reason = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.text = PlainText(Type.SOURCE)
        self.text.setAccessibleName(self.tr("Details of the row"))
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(INSIDE, 4, 6, 0)
        head.setSpacing(8)
        head.addWidget(self.key)
        head.addWidget(self.state)
        head.addStretch(1)
        head.addWidget(self.close_button)
        inside = QVBoxLayout()
        inside.setContentsMargins(INSIDE, 0, INSIDE, 4)
        inside.addWidget(self.reason)
        tools = QHBoxLayout()
        tools.setContentsMargins(4, 0, 4, 2)
        tools.addWidget(self.choice)
        tools.addStretch(1)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addLayout(inside)
        column.addLayout(tools)
        column.addWidget(Hairline())
        column.addWidget(self.text, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(Hairline(vertical=True))
        row.addLayout(column, 1)

    def set_columns(self, first: Sequence[str]) -> None:
        """Which of the row's columns stand first: those that matter."""
        self._first = first

    def undo_masks(self, *, undo: bool) -> None:
        """Whether the answer shows what was masked."""
        if undo != self._undoes:
            self._undoes = undo
            self._read_answer()
            self._show()

    def view(self) -> TaskView | None:
        """The task that is shown."""
        return self._view

    def show_task(self, view: TaskView) -> None:
        """Show a task; a newer state of the same one keeps the place in the text."""
        if view == self._view:
            return
        other = self._view is None or view.id != self._view.id
        self._view = view
        if other:
            self._attempts = None
        self._read_answer()
        self.key.set_text(view.row_key)
        self.state.set_state(BADGES[view.state], self._words.task_state(view.state))
        parts = [reason_text(view, self._words)]
        if view.decision is not None:
            parts.append(self.tr("By a reviewer: {0}").format(self._words.decision(view.decision)))
        words = " · ".join(part for part in parts if part)
        self.reason.setText(words)
        self.reason.setVisible(bool(words))
        self._show()
        self._desk.ask(
            lambda session: session.attempts(answered_by(view)),
            lambda attempts: self._attempts_read(view.id, attempts),
        )

    def forget(self) -> None:
        """Another run: nothing of the old one may be shown."""
        self._view = self._attempts = None

    def _read_answer(self) -> None:
        """Look up what the masks in the answer stand for."""
        self._answer_read = None
        view = self._view
        if view is not None and view.answer is not None and self._undoes:
            self._desk.ask(
                lambda session: session.unmasked(view.answer),
                lambda answer: self._unmasked(view, answer),
            )

    def _unmasked(self, view: TaskView, answer: Any) -> None:
        if self._view == view and self._undoes and answer != view.answer:
            self._answer_read = answer
            self._show()

    def _attempts_read(self, task_id: int, attempts: Sequence[AttemptView]) -> None:
        if self._view is not None and self._view.id == task_id:
            self._attempts = attempts
            if self.choice.choice() == "attempts":
                self._show()

    def _show(self) -> None:
        if self._view is None:
            return
        code = self.choice.choice()
        self.text.set_role(Type.SOURCE if code == "row" else Type.MONO)
        if code == "row":
            words = self._cells(self._view)
        elif code == "answer":
            words = self._answer(self._view)
        else:
            words = self._exchanges()
        if words == self.text.toPlainText():
            return
        bar = self.text.verticalScrollBar()
        at = bar.value()
        self.text.setPlainText(words)
        bar.setValue(at if at <= bar.maximum() else 0)

    def _cells(self, view: TaskView) -> str:
        names = [name for name in self._first if name in view.cells]
        names += [name for name in view.cells if name not in names]
        if not names:
            return self.tr("The row has no cells.")
        return "\n\n".join(f"{name}\n{view.cells[name] or MISSING}" for name in names)

    def _answer(self, view: TaskView) -> str:
        if view.answer is None:
            return self.tr("There is no answer.")
        answer = readable(view.answer if self._answer_read is None else self._answer_read)
        notes = []
        if view.state not in STANDS:
            notes.append(self.tr("This answer does not stand; it is not exported."))
        if view.repaired:
            notes.append(self.tr("The answer had to be repaired to be read."))
        if view.confidence is not None:
            confidence = self._words.number(view.confidence, 4)
            notes.append(self.tr("Confidence: {0}").format(confidence))
        return "\n".join([answer, *([""] if notes else []), *notes])

    def _exchanges(self) -> str:
        if self._attempts is None:
            return self.tr("The attempts are being read.")
        if not self._attempts:
            return self.tr("Nothing was sent for this row.")
        return "\n\n".join(self._exchange(one) for one in self._attempts)

    def _exchange(self, attempt: AttemptView) -> str:
        words = self._words
        at = QDateTime.fromSecsSinceEpoch(int(attempt.started_at))
        what = words.error(attempt.error_kind) if attempt.error_kind else self.tr("answered")
        facts = [
            self.tr("Try {0}").format(words.number(attempt.number)),
            QLocale().toString(at, QLocale.FormatType.ShortFormat),
            words.duration(attempt.service_s),
            f"HTTP {attempt.http_status}" if attempt.http_status else "",
            what,
        ]
        lines = [" · ".join(fact for fact in facts if fact)]
        if attempt.error_message:
            lines.append(attempt.error_message)
        for title, raw in (
            (self.tr("Request"), attempt.request),
            (self.tr("Response"), attempt.response),
        ):
            lines += ["", title, raw_text(raw) or self.tr("Nothing is kept of it.")]
        return "\n".join(lines)


def answered_by(view: TaskView) -> int:
    """The task whose attempts brought the answer: for a row of the pilot, the one there."""
    is_earlier = view.reason in (SkipReason.PILOT, SkipReason.UNCHANGED)
    return view.skip_detail if is_earlier and view.skip_detail is not None else view.id


def readable(value: Any) -> str:
    """A value of JSON for reading: text as it is, anything else indented."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def raw_text(raw: str | None) -> str:
    """A raw body for reading: JSON indented, anything else as it is; what is too long is cut."""
    if not raw or len(raw) > _LONGEST_RAW:
        return f"{raw[:_LONGEST_RAW]}\n…" if raw else ""
    try:
        return json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return raw
