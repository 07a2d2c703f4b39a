"""Settings of the built-in practice server, which is no model and says so."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from batchdesk.domain.job import PracticeSpec
from batchdesk.gui.pages.prompt_inputs import Choice, FormRows, NumberLine, note
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.session import fault_names

_FIRST_PERCENT = 5.0


class FaultLine(QWidget):
    """One fault with its share of requests, in percent."""

    edited = Signal()
    removed = Signal()

    def __init__(self, name: str, words: str, percent: float) -> None:
        super().__init__()
        self.name = name
        self.percent = NumberLine(words, 0, 100)
        self.percent.set_value(percent)
        self.percent.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.percent.setFixedWidth(56)
        remove = Button("", Kind.FLAT, icon="trash", height=24)
        remove.setAccessibleName(self.tr("Remove the fault: {0}").format(words))
        remove.setToolTip(remove.accessibleName())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(PlainLabel(words, Type.LABEL, "text", wrap=True), 1)
        row.addWidget(self.percent)
        row.addWidget(PlainLabel("%", Type.LABEL, "text2"))
        row.addWidget(remove)
        self.percent.edited.connect(self.edited)
        remove.clicked.connect(lambda _on=False: self.removed.emit())


class PracticeSection(QWidget):
    """How the practice server behaves.

    Signals:
        edited(): The person changed something.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.latency = NumberLine(self.tr("The practice server answers after"), 0, 600)
        none = self.tr("no limit")
        rpm = self.tr("The practice server allows requests a minute")
        tpm = self.tr("The practice server allows tokens a minute")
        seed = self.tr("The practice server's own seed")
        self.rpm = NumberLine(rpm, 1, whole=True, empty=none)
        self.tpm = NumberLine(tpm, 1, whole=True, empty=none)
        self.seed = NumberLine(seed, float("-inf"), whole=True)
        self.add = Choice(self.tr("Add a fault"))
        self.faults: list[FaultLine] = []
        self._lay_out()
        for line in (self.latency, self.rpm, self.tpm, self.seed):
            line.edited.connect(self.edited)
        self.add.edited.connect(self._add_chosen)

    def show_practice(self, spec: PracticeSpec) -> None:
        """Show settings; no signal."""
        with QSignalBlocker(self):
            self.latency.set_value(spec.latency_s)
            self.rpm.set_value(spec.rpm)
            self.tpm.set_value(spec.tpm)
            self.seed.set_value(spec.seed)
            self._show_faults({name: round(share * 100, 9) for name, share in spec.faults.items()})

    def value(self) -> PracticeSpec:
        """The settings.

        Raises:
            InvalidInputError: something cannot be used.
        """
        values: dict[str, Any] = {
            "latency_s": self.latency.number(),
            "rpm": self.rpm.value(),
            "tpm": self.tpm.value(),
            "seed": self.seed.number(),
            "faults": {one.name: round(one.percent.number() / 100, 9) for one in self.faults},
        }
        return PracticeSpec.model_validate(values)

    def fault_words(self) -> dict[str, str]:
        """Faults in the window's language."""
        return {
            "429": self.tr("too many requests (429)"),
            "500": self.tr("service error (500)"),
            "503": self.tr("overloaded (503)"),
            "reset": self.tr("connection broken"),
            "hang": self.tr("no answer at all"),
            "truncated": self.tr("answer cut off, and says so"),
            "malformed": self.tr("answer not readable"),
            "empty": self.tr("empty answer"),
            "missing_field": self.tr("a field missing"),
            "wrong_row": self.tr("answer for another row"),
            "doubled": self.tr("two answers in one"),
            "cut": self.tr("answer cut off in silence"),
            "html": self.tr("a web page instead"),
            "slow": self.tr("ten times slower"),
        }

    def _show_faults(self, percents: dict[str, float]) -> None:
        for line in self.faults:
            line.hide()
            line.deleteLater()
        words = self.fault_words()
        self.faults = [FaultLine(name, words.get(name, name), n) for name, n in percents.items()]
        for line in self.faults:
            line.edited.connect(self.edited)
            line.removed.connect(lambda line=line: self._remove(line))
            self._list.addWidget(line)
        free = [(name, words.get(name, name)) for name in fault_names() if name not in percents]
        self.add.offer([(None, self.tr("Add a fault…")), *free], None)

    def _typed(self) -> dict[str, str]:
        return {line.name: line.percent.text() for line in self.faults}

    def _show_typed(self, typed: dict[str, str]) -> None:
        self._show_faults(dict.fromkeys(typed, 0.0))
        for line in self.faults:
            line.percent.setText(typed[line.name])
        self.edited.emit()

    def _add_chosen(self) -> None:
        name = self.add.choice()
        if name is not None:
            self._show_typed({**self._typed(), name: f"{_FIRST_PERCENT:g}"})
            self.faults[-1].percent.setFocus(Qt.FocusReason.OtherFocusReason)
            self.faults[-1].percent.selectAll()

    def _remove(self, gone: FaultLine) -> None:
        typed = self._typed()
        del typed[gone.name]
        self._show_typed(typed)

    def _lay_out(self) -> None:
        rows = FormRows(1)
        rows.add(self.tr("It answers after, s"), self.latency)
        rows.add(self.tr("It allows requests a minute"), self.rpm)
        rows.add(self.tr("It allows tokens a minute"), self.tpm)
        rows.add(self.tr("Its own seed"), self.seed)
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(
            note(
                self.tr(
                    "Not a model: it finds words by patterns, and plays the faults you choose, so "
                    "that you can see how a run copes. It needs no key and no network."
                )
            )
        )
        column.addWidget(rows)
        column.addLayout(self._list)
        column.addWidget(self.add)
