"""The three gates of a preview and its accuracy: counts, what was counted, and what is needed.

A Preview comes in; nothing goes out. Accuracy is no gate: it has a neutral look.
"""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from batchdesk.gui.theme import NBSP, Type, theme
from batchdesk.gui.widgets.empty import IconMark
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateShape
from batchdesk.gui.words import MISSING, Words
from batchdesk.session.gates import Gate, Gates, GateState
from batchdesk.session.preview import Preview

_NAMED = 3  # rows that are named; the table shows the others
_STATES = {
    GateState.OPEN: BadgeState.WAITING,
    GateState.PASSED: BadgeState.PASSED,
    GateState.FAILED: BadgeState.REVIEW,
    GateState.NOT_ASKED: BadgeState.SKIPPED,
}


class GatePanel(Panel):
    """One gate.

    Args:
        name: What it is called.
        counted: What is counted.
        neutral: Whether it is no gate.
    """

    def __init__(
        self, name: str, counted: str, *, neutral: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._name = name
        self.shape = StateShape(BadgeState.WAITING, name)
        self.word = ElidingLabel("", Type.LABEL_MEDIUM, "text2", least=30)
        self.figure = ElidingLabel(MISSING, Type.FIGURE, "text", least=60)
        self.counted = ElidingLabel(counted, Type.LABEL_MEDIUM, "text", least=60)
        self.reason = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.needed = ElidingLabel("", Type.LABEL, "text2", least=60)
        head = QHBoxLayout()
        head.setSpacing(5)
        if neutral:
            self.shape.hide()
            head.addWidget(IconMark("target", 16, "text2"))
        else:
            head.addWidget(self.shape)
        title = ElidingLabel(name, Type.PANEL_TITLE, "text", least=40)
        title.keep_whole()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.word)
        self.body.setSpacing(3)
        self.add(head)
        for widget in (self.figure, self.counted, self.reason):
            self.add(widget)
        self.body.addStretch(1)
        self.add(self.needed)
        self.setMinimumHeight(theme().px(146))
        self.setMinimumWidth(theme().px(120))

    def show_gate(
        self, state: BadgeState, word: str, figure: str, reason: str, needed: str
    ) -> None:
        """What it says now."""
        self.shape.set_state(state, self._name)
        self.word.set_text(word)
        colours = {BadgeState.PASSED: "passed", BadgeState.REVIEW: "review"}
        self.word.set_colour(colours.get(state, "text2"))
        self.figure.set_text(figure)
        self.reason.setText(reason)
        self.needed.set_text(needed)
        self.setAccessibleName(f"{self._name}: {word}, {figure} {self.counted.text()}. {reason}")


class GatesRow(QWidget):
    """All four.

    Args:
        words: Numbers for people.
    """

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._ended = False
        self.format = GatePanel(self.tr("Format"), self.tr("answers fit the fields"))
        self.stable = GatePanel(self.tr("Stable"), self.tr("same answer twice"))
        self.matched = GatePanel(self.tr("Matched"), self.tr("keys came back"))
        self.accuracy = GatePanel(self.tr("Accuracy"), self.tr("equal to your label"), neutral=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for panel in (self.format, self.stable, self.matched, self.accuracy):
            row.addWidget(panel, 1)
        self.show_preview(None)

    def show_preview(self, preview: Preview | None) -> None:
        """Show the gates as they stand; None before anything was tried."""
        gates = preview.gates if preview is not None else None
        self._ended = preview is not None and preview.is_finished
        self._show(self.format, gates.format if gates else None, self._format_reason(gates))
        self._show(self.stable, gates.stable if gates else None, self._stable_reason(gates))
        self._show(self.matched, gates.matched if gates else None, self._matched_reason(gates))
        self._show_accuracy(preview)

    def failed(self, preview: Preview) -> list[tuple[str, Gate]]:
        """Names and counts of the gates that did not pass."""
        named = (
            (self.tr("Format"), preview.gates.format),
            (self.tr("Stable"), preview.gates.stable),
            (self.tr("Matched"), preview.gates.matched),
        )
        return [(name, gate) for name, gate in named if gate.state is GateState.FAILED]

    def _show(self, panel: GatePanel, gate: Gate | None, reason: str) -> None:
        state = gate.state if gate is not None else GateState.OPEN
        words = {
            GateState.OPEN: self.tr("Open"),
            GateState.PASSED: self.tr("Passed"),
            GateState.FAILED: self.tr("Doubtful"),
            GateState.NOT_ASKED: self.tr("Not asked"),
        }
        counts = gate is not None and state in {GateState.PASSED, GateState.FAILED}
        figure = self._of(gate.right, gate.of) if gate is not None and counts else MISSING
        needed = "" if state is GateState.NOT_ASKED else self.tr("Needed: all")
        if state is GateState.PASSED and not self._ended:  # the next answer may change that
            panel.show_gate(BadgeState.RUNNING, self.tr("So far"), figure, reason, needed)
            return
        panel.show_gate(_STATES[state], words[state], figure, reason, needed)

    def _of(self, right: int, of: int) -> str:
        return self.tr("{0} of {1}").format(self._words.number(right), self._words.number(of))

    def _format_reason(self, gates: Gates | None) -> str:
        if gates is None:
            return ""
        if gates.unanswered:
            return self.tr("%Ln request(s) without an answer, not counted.", "", gates.unanswered)
        return ""

    def _stable_reason(self, gates: Gates | None) -> str:
        if gates is None or not gates.unstable_keys:
            return ""
        keys = ", ".join(gates.unstable_keys[:_NAMED])
        more = len(gates.unstable_keys) - _NAMED
        if more > 0:
            return self.tr("{0} and %Ln more changed.", "", more).format(keys)
        return self.tr("Changed: {0}.").format(keys)

    def _matched_reason(self, gates: Gates | None) -> str:
        if gates is None:
            return ""
        return {
            GateState.PASSED: self.tr("No answer belongs to another row."),
            GateState.FAILED: self.tr("An answer named another row; it was asked again."),
            GateState.NOT_ASKED: self.tr("Answers do not name their row."),
        }.get(gates.matched.state, "")

    def _show_accuracy(self, preview: Preview | None) -> None:
        panel = self.accuracy
        share = preview.evaluation.answered if preview and preview.evaluation else None
        if preview is None or share is None or share.value is None or share.interval is None:
            why = self.tr("Choose a label column on the Data page to measure it.")
            known = preview is not None and preview.evaluation is not None
            waits = self.tr("Open") if preview is None or known else self.tr("No label")
            panel.show_gate(
                BadgeState.WAITING, waits, MISSING, "" if known or not preview else why, ""
            )
            return
        low, high = (self._words.percent(one) for one in share.interval)
        told = self.tr("{0}; with so few rows, {1} to {2} is possible.")
        reason = told.format(self._words.percent(share.value), low, high).replace(" %", f"{NBSP}%")
        counted = self.tr("n = {0}").format(self._words.number(share.of))
        figure = self._of(share.right, share.of)
        panel.show_gate(BadgeState.WAITING, counted, figure, reason, self._confidence(preview))

    def _confidence(self, preview: Preview) -> str:
        test = preview.confidence
        if test is None:
            return self.tr("No gate")
        if test.is_useless:
            return self.tr("Confidence tells nothing here.")
        wrong = self._of(test.low_wrong.right, test.low_wrong.of)
        return self.tr("Unsure: {0} wrong").format(wrong)
