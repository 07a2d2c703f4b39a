"""One row tried for real: its answer with what the checks found, and the raw exchange.

A Trial comes in, or the wait for one; nothing goes out. Model text is shown as plain text.
"""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from batchdesk.domain.job import ROW_KEY_FIELD
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind, Segments
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Hairline
from batchdesk.gui.widgets.states import BadgeState, StateWord
from batchdesk.gui.words import Words
from batchdesk.gui.words_money import MoneyWords
from batchdesk.session.authoring import Trial

_ANSWER, _REQUEST, _RESPONSE = "answer", "request", "response"
_MOST_CHARACTERS = 200_000


class TrialPart(QWidget):
    """The outcome of a trial, below the row as it is sent; hidden until there is one.

    Args:
        words: Numbers and findings for people.
    """

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._money = words, MoneyWords(self)
        self._trial: Trial | None = None
        self.state = StateWord(BadgeState.RUNNING, "")
        self.facts = ElidingLabel("", Type.LABEL, "text2", least=0)
        self.choice = Segments(
            [
                (_ANSWER, self.tr("Answer")),
                (_REQUEST, self.tr("Request")),
                (_RESPONSE, self.tr("Reply")),
            ]
        )
        self.away = Button("", Kind.FLAT, icon="x", height=24)
        self.text = QPlainTextEdit()
        self.findings = PlainLabel("", Type.LABEL, "review", wrap=True)
        self._lay_out()
        self.choice.chosen.connect(lambda _code: self._show_text())
        self.away.clicked.connect(lambda _on=False: self.clear())
        theme().changed.connect(self._show_text)
        self.hide()

    def clear(self) -> None:
        """Nothing was tried, or it is of another row or prompt."""
        self._trial = None
        self.hide()

    def wait(self) -> None:
        """A trial is under way."""
        self._trial = None
        self._say(BadgeState.RUNNING, self.tr("In flight"))
        self.facts.set_text("")
        self._show_text()
        self.show()

    def show_trial(self, trial: Trial) -> None:
        """The outcome."""
        self._trial = trial
        usage = trial.usage
        told = [self._words.duration(trial.seconds)]
        if usage.input_tokens is not None and usage.output_tokens is not None:
            tokens = usage.input_tokens + usage.output_tokens
            told.append(self.tr("%Ln token(s)", "", tokens))
        if trial.amount is not None:
            told.append(self._money.amount(trial.amount))
        self.facts.set_text(" · ".join(told))
        if trial.error is not None:
            self._say(BadgeState.FAILED, self._words.error(trial.error))
        elif trial.findings:
            self._say(BadgeState.REVIEW, self.tr("Review"))
        else:
            self._say(BadgeState.PASSED, self.tr("Passed"))
        self._show_text()
        self.show()

    def fail(self, sentence: str) -> None:
        """It could not be tried at all."""
        self._trial = None
        self._say(BadgeState.FAILED, self.tr("Not sent"))
        self.findings.setText(sentence)
        self.findings.set_colour("failed")
        self.findings.show()
        self.text.hide()
        self.show()

    def _say(self, state: BadgeState, words: str) -> None:
        self.state.set_state(state, words)

    def _show_text(self) -> None:
        trial, code = self._trial, self.choice.choice()
        self.text.setVisible(trial is not None)
        self.findings.setVisible(False)
        if trial is None:
            return
        self.text.setFont(theme().font(Type.BODY if code == _ANSWER else Type.MONO))
        raw = {_REQUEST: trial.request, _RESPONSE: trial.response}
        if code == _ANSWER:
            self.text.setPlainText(trial.message if trial.error else answer_text(trial.answer))
            self._show_findings(trial)
        else:
            self.text.setPlainText(pretty(raw[code]) or self.tr("Nothing is there."))

    def _show_findings(self, trial: Trial) -> None:
        lines = []
        for one in trial.findings:
            words = self._words.finding(f"{one.check}/{one.code}", one.detail)
            lines.append(f"{one.path}: {words}" if one.path else words)
        self.findings.setText("\n".join(lines))
        self.findings.set_colour("review")
        self.findings.setVisible(bool(lines))

    def _lay_out(self) -> None:
        self.away.setAccessibleName(self.tr("Close the answer"))
        self.away.setToolTip(self.away.accessibleName())
        self.text.setReadOnly(True)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.viewport().setAutoFillBackground(False)
        self.text.document().setDocumentMargin(2)
        self.text.setMinimumHeight(44)
        self.text.setAccessibleName(self.tr("Answer"))
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 0, 0)
        head.setSpacing(8)
        for widget in (self.state, self.facts):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.choice)
        head.addWidget(self.away)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(Hairline())
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addWidget(self.findings)


def answer_text(answer: Any) -> str:
    """An answer for reading: a field in each line, without the row's key; else the text itself."""
    if isinstance(answer, dict):
        told = ((name, _value(part)) for name, part in answer.items() if name != ROW_KEY_FIELD)
        return "\n".join(f"{name}: {words}" for name, words in told)
    return _value(answer)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def pretty(raw: str | None) -> str:
    """A raw body for reading: JSON with indents, anything else as it is; cut when very long."""
    if not raw:
        return ""
    if len(raw) > _MOST_CHARACTERS:
        return raw[:_MOST_CHARACTERS] + "\n…"
    try:
        return json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
    except ValueError:
        return raw
