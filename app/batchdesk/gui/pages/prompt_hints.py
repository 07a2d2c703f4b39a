"""The prompt check: what is doubtful about the prompt, why, and a fix where a program can do it.

A job, a table and figures come in; the fixed job goes out, or a place to show. It is looked at
again a moment after each change.
"""

from __future__ import annotations

from functools import partial

import pydantic
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.prompt_hint_words import HintText, HintWords
from batchdesk.gui.pages.prompt_inputs import note, padded, scrolled
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateBadge, StateShape
from batchdesk.gui.words import Words
from batchdesk.session import Dataset
from batchdesk.session.authoring import Figures
from batchdesk.session.hints import Finding, Part, hints, mended

_PAUSE_MS = 400
_IN_TEXTS = frozenset({Part.SYSTEM, Part.USER})


class HintLine(QWidget):
    """One hint.

    Signals:
        fix_wanted(): Put it right.
        place_wanted(): Show where it is.
    """

    fix_wanted = Signal()
    place_wanted = Signal()

    def __init__(self, finding: Finding, text: HintText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.finding, self.text = finding, text
        self.setAccessibleName(f"{text.title}. {text.why}")
        self.fix = Button(self.tr("Fix"), Kind.FLAT, height=24)
        self.place = Button(self.tr("Show"), Kind.FLAT, height=24)
        self.fix.setAccessibleName(self.tr("Fix: {0}").format(text.title))
        self.place.setAccessibleName(self.tr("Show: {0}").format(text.title))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        shape = QVBoxLayout()
        shape.addWidget(StateShape(BadgeState.REVIEW, self.tr("Doubtful")))
        shape.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(PlainLabel(text.title, Type.LABEL_MEDIUM, "text", wrap=True))
        words.addWidget(note(text.why))
        ways = QVBoxLayout()
        ways.setSpacing(0)
        if finding.fix is not None:
            ways.addWidget(self.fix)
        if finding.place.part in _IN_TEXTS and finding.place.start is not None:
            ways.addWidget(self.place)
        ways.addStretch(1)
        row.addLayout(shape)
        row.addLayout(words, 1)
        row.addLayout(ways)
        self.fix.clicked.connect(lambda _on=False: self.fix_wanted.emit())
        self.place.clicked.connect(lambda _on=False: self.place_wanted.emit())


class HintsPanel(Panel):
    """All hints about the present prompt.

    Args:
        desk: Is asked for them.
        words: Numbers for people.

    Signals:
        mended(object): The Job with a fix in it.
        place_wanted(str, int, int): A text (system or user) and the characters of it to show.
    """

    mended = Signal(object)
    place_wanted = Signal(str, int, int)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("Prompt check", flush=True, parent=parent)
        self.set_title(self.tr("Prompt check"))
        self._desk, self._words = desk, HintWords(words, self)
        self._wanted: tuple[Job, Dataset, Figures | None, int | None] | None = None
        self._asked: Asked | None = None
        self.lines: list[HintLine] = []
        self.badge = StateBadge(BadgeState.PASSED, "")
        self.badge.hide()
        self.add_tool(self.badge)
        self._none = note(self.tr("Nothing to improve was found."))
        self._none.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(10)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._none)
        column.addLayout(self._list)
        self.add(scrolled(padded([inside])), 1)
        self.setMinimumHeight(90)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._look)
        desk.project_closing.connect(self._forget)

    def check(
        self,
        job: Job | None,
        dataset: Dataset | None,
        figures: Figures | None,
        rows: int | None,
    ) -> None:
        """Look at a prompt, a moment after the last change."""
        wanted = None
        if job is not None and dataset is not None:
            wanted = (job, dataset, figures, rows)
        if wanted != self._wanted:
            self._wanted = wanted
            self._timer.start()

    def _look(self) -> None:
        if self._asked is not None:
            self._asked.cancel()
        if self._wanted is None:
            self._show(())
            return
        job, dataset, figures, rows = self._wanted
        call = partial(hints, job=job, dataset=dataset, figures=figures, rows=rows)
        self._asked = self._desk.ask(call, self._show, self._failed)

    def _failed(self, _error: UserError) -> None:
        """What is wrong with the job is said where it is run."""
        self._show(())

    def _show(self, findings: tuple[Finding, ...]) -> None:
        for line in self.lines:
            line.hide()
            line.deleteLater()
        self.lines = [self._line(one) for one in findings]
        self._none.setVisible(not findings and self._wanted is not None)
        state = BadgeState.REVIEW if findings else BadgeState.PASSED
        words = self.tr("%Ln hint(s)", "", len(findings)) if findings else self.tr("Passed")
        self.badge.set_state(state, words)
        self.badge.setVisible(self._wanted is not None)

    def _line(self, finding: Finding) -> HintLine:
        line = HintLine(finding, self._words.text(finding))
        line.fix_wanted.connect(lambda: self._mend(finding))
        line.place_wanted.connect(lambda: self._show_place(finding))
        self._list.addWidget(line)
        return line

    def _mend(self, finding: Finding) -> None:
        job = self._desk.job
        if job is None:
            return
        try:
            fixed = mended(job, finding)
        except pydantic.ValidationError as error:
            told = self.tr("This cannot be fixed by itself: {0}")
            self._desk.problem.emit(told.format(error.errors()[0]["msg"]))
            return
        self.mended.emit(fixed)

    def _show_place(self, finding: Finding) -> None:
        place = finding.place
        start = place.start or 0
        self.place_wanted.emit(str(place.part), start, start if place.end is None else place.end)

    def _forget(self) -> None:
        self._timer.stop()
        self._wanted = None
        self._show(())
