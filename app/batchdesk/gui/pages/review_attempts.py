"""What was sent for an item and what came back: a table of attempts, and the raw exchange.

Attempts and earlier decisions come in; nothing goes out. Raw text is shown as plain text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.task import TaskState
from batchdesk.gui.models.queue import Index, short_finding
from batchdesk.gui.theme import INSIDE, MISSING, ROW_DENSE_H, Type, theme
from batchdesk.gui.widgets.buttons import Segments
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Hairline
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell, TableView
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, Review, TaskView

TRY, VERDICT, WHAT, TIME, TOKENS = range(5)
_LONGEST_RAW = 400_000  # characters of an exchange that are shown; a window is no file viewer


def pretty(raw: str | None) -> str:
    """A raw body for reading: JSON with indents, anything else as it is; cut when very long."""
    if not raw:
        return ""
    if len(raw) <= _LONGEST_RAW:
        try:
            return json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
        except ValueError:
            return raw
    return raw[:_LONGEST_RAW] + "\n…"


class AttemptModel(QAbstractTableModel):
    """The attempts of one task, the newest first."""

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._view: TaskView | None = None
        self.attempts: Sequence[AttemptView] = ()

    def show_attempts(self, view: TaskView | None, attempts: Sequence[AttemptView]) -> None:
        """Another task's attempts."""
        self.beginResetModel()
        self._view, self.attempts = view, attempts
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.attempts)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 5

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section in {TIME, TOKENS}:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            TRY: self.tr("Try"),
            VERDICT: self.tr("Verdict"),
            WHAT: self.tr("What happened"),
            TIME: self.tr("Time"),
            TOKENS: self.tr("Tokens"),
        }[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        attempt = self.attempts[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and column in {TIME, TOKENS}:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        state, verdict, what = self._verdict(index.row())
        if role == Cell.STATE and column == VERDICT:
            return state
        if role == Cell.TONE and column == WHAT:
            return "text2"
        if role == Qt.ItemDataRole.ToolTipRole and column == WHAT:
            return attempt.error_message or what
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            TRY: self._words.number(attempt.number),
            VERDICT: verdict,
            WHAT: what,
            TIME: self._words.duration(attempt.service_s),
            TOKENS: self._words.number(tokens_of(attempt)),
        }[column]

    def _verdict(self, row: int) -> tuple[BadgeState, str, str]:
        """Shape, word and reason of an attempt."""
        attempt, view = self.attempts[row], self._view
        if attempt.error_kind is not None:
            what = self._words.error(attempt.error_kind)
            return BadgeState.FAILED, self.tr("Failed"), what
        waits = view is not None and view.state is TaskState.REVIEW and bool(view.checks)
        if row == 0 and view is not None and waits:
            what = short_finding(view, self._words)
            return BadgeState.REVIEW, self.tr("Doubtful"), what
        return BadgeState.PASSED, self.tr("Answered"), ""


def tokens_of(attempt: AttemptView) -> int | None:
    """Tokens sent and received; None if the service told neither."""
    if attempt.input_tokens is None and attempt.output_tokens is None:
        return None
    return (attempt.input_tokens or 0) + (attempt.output_tokens or 0)


class RawText(QPlainTextEdit):
    """A raw body, read-only, monospaced."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(INSIDE)
        theme().changed.connect(self._restyle)
        self._restyle()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    def _restyle(self) -> None:
        self.setFont(theme().font(Type.MONO))


class AttemptsPane(QWidget):
    """Attempts, request and response of one item."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.model = AttemptModel(words, self)
        self.choice = Segments(
            [
                ("attempts", self.tr("Attempts")),
                ("request", self.tr("Request")),
                ("response", self.tr("Response")),
            ]
        )
        self.total = ElidingLabel("", Type.LABEL, "text2", least=0)
        self.before = ElidingLabel("", Type.LABEL, "text2", least=0)
        self.table = TableView(ROW_DENSE_H)
        self.table.setAccessibleName(self.tr("Attempts"))
        self.table.setModel(self.model)
        self.table.set_columns({TRY: 42, VERDICT: 98, TIME: 66, TOKENS: 60}, stretch=(WHAT,))
        self.table.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)
        self.raw = RawText()
        self._lay_out()
        self.choice.chosen.connect(lambda _code: self._show_choice())
        self.table.opened.connect(lambda _index: self._open("response"))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Hairline())
        head = QHBoxLayout()
        head.setContentsMargins(4, 3, INSIDE, 3)
        head.addWidget(self.choice)
        head.addStretch(1)
        head.addWidget(self.total)
        column.addLayout(head)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.raw)
        column.addWidget(self.stack, 1)
        below = QHBoxLayout()
        below.setContentsMargins(INSIDE, 2, INSIDE, 2)
        below.addWidget(self.before, 1)
        column.addLayout(below)
        self.before.setVisible(False)

    def show_item(
        self, view: TaskView | None, attempts: Sequence[AttemptView], history: Sequence[Review]
    ) -> None:
        """What was sent for a task, and what was decided about it before."""
        self.model.show_attempts(view, attempts)
        if attempts:
            self.table.select_row(0)
        tokens = [count for one in attempts if (count := tokens_of(one)) is not None]
        total = self._words.number(sum(tokens)) if tokens else MISSING
        self.total.set_text(self.tr("{0} tokens in all").format(total) if attempts else "")
        self._show_before(next((one for one in history if not one.undone), None))
        self._show_choice()

    def _show_before(self, review: Review | None) -> None:
        self.before.setVisible(review is not None)
        if review is None:
            return
        words = self._words.decision(review.decision)
        if review.reviewer:
            words = self.tr("{0} by {1}").format(words, review.reviewer)
        if review.note:
            words = self.tr("{0}: “{1}”").format(words, review.note)
        self.before.set_text(self.tr("Before: {0}").format(words))

    def _open(self, code: str) -> None:
        self.choice.choose(code)
        self._show_choice()

    def _show_choice(self) -> None:
        code = self.choice.choice()
        self.stack.setCurrentIndex(0 if code == "attempts" else 1)
        if code == "attempts":
            return
        row = max(0, self.table.currentIndex().row())
        attempt = self.model.attempts[row] if row < len(self.model.attempts) else None
        body = None if attempt is None else getattr(attempt, code)
        self.raw.setPlainText(pretty(body) or self.tr("Nothing is kept of it."))
