"""One failed row: why, what was said, and all its tries with the raw exchange.

Raw text is shown as plain text, whatever it looks like.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from batchdesk.gui.models.dead import said
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.panel import Hairline
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, TaskView

_LONGEST_RAW = 100_000  # characters of one raw text that are shown


def pretty(raw: str) -> str:
    """Raw text for reading: indented if it is JSON, else as it is; what is too long is cut."""
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        text = raw
    return text if len(text) <= _LONGEST_RAW else f"{text[:_LONGEST_RAW]}…"


class DeadDetails(QWidget):
    """What is known of the chosen row."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 6)
        column.setSpacing(4)
        column.addWidget(Hairline())
        self.why = PlainLabel("", Type.PANEL_TITLE, wrap=True)
        self.message = PlainLabel("", Type.BODY, "text2", wrap=True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.raw = QPlainTextEdit()
        self.raw.setReadOnly(True)
        self.raw.setFont(theme().font(Type.MONO))
        self.raw.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.raw.setTabChangesFocus(True)
        self.raw.setMinimumHeight(70)
        self.raw.setAccessibleName(self.tr("All tries with raw request and response"))
        column.addWidget(self.why)
        column.addWidget(self.message)
        column.addWidget(self.raw, 1)

    def clear(self) -> None:
        """No row is chosen."""
        self.why.setText("")
        self.message.setText("")
        self.raw.setPlainText("")

    def show_row(self, view: TaskView | None, attempts: Sequence[AttemptView]) -> None:
        """Show a row and its tries, the newest first."""
        self.clear()
        if view is None:
            return
        why = self._words.error(view.error_kind) if view.error_kind else ""
        self.why.setText(self.tr("{0}: {1}").format(view.row_key, why))
        self.message.setText(said(self._words, view.error_message))
        self.message.setVisible(bool(view.error_message))
        self.raw.setPlainText("\n\n".join(self._attempt(one) for one in attempts))

    def _attempt(self, attempt: AttemptView) -> str:
        words = self._words
        at = QDateTime.fromMSecsSinceEpoch(round(attempt.started_at * 1000))
        facts = [
            self.tr("Try {0}").format(words.number(attempt.number)),
            QLocale().toString(at, "yyyy-MM-dd HH:mm:ss"),
            words.duration(attempt.service_s),
        ]
        if attempt.http_status is not None:
            facts.append(f"HTTP {attempt.http_status}")
        if attempt.error_kind is not None:
            facts.append(words.error(attempt.error_kind))
        nothing = self.tr("(nothing)")
        parts = [f"── {' · '.join(facts)} ──"]
        if attempt.error_message:
            parts.append(said(words, attempt.error_message))
        for title, raw in (
            (self.tr("Request"), attempt.request),
            (self.tr("Response"), attempt.response),
        ):
            parts.append(f"{title}:\n{pretty(raw) if raw else nothing}")
        return "\n\n".join(parts)
