"""A pilot beside the preview before it, and the button that releases the rest of the rows.

The pilot's run and what was compared come in; the wish to release it goes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from batchdesk.domain.task import RunState
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import LEFT, RIGHT
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateBadge
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import RunSummary
from batchdesk.session.pilot import Compared, Measured

_SHARES = frozenset({"format", "passed", "accuracy"})


class PilotPanel(Panel):
    """Shown once there is a pilot whose rest has not been released.

    Args:
        words: Numbers for people.

    Signals:
        release_wanted(int): Run what this pilot left.
        look_wanted(int): Show this run.
    """

    release_wanted = Signal(int)
    look_wanted = Signal(int)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("Pilot", head_line=True, parent=parent)
        self.set_title(self.tr("Pilot"))
        self._words = words
        self._run_id = 0
        self.badge = StateBadge(BadgeState.RUNNING, "")
        self.look = Button(self.tr("Show the run"), Kind.FLAT, height=24)
        self.release = Button(self.tr("Run the rest"), Kind.PRIMARY, icon="play")
        self.said = note()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self.cells: list[ElidingLabel] = []
        self.add_tool(self.badge)
        self.add_tool(self.look)
        self.add(self._grid)
        below = QHBoxLayout()
        below.addWidget(self.said, 1)
        below.addWidget(self.release)
        self.add(below)
        self.look.clicked.connect(lambda _on=False: self.look_wanted.emit(self._run_id))
        self.release.clicked.connect(lambda _on=False: self.release_wanted.emit(self._run_id))
        self.hide()

    def show_pilot(self, summary: RunSummary | None, compared: Sequence[Compared]) -> None:
        """A pilot as it stands; None: there is none to show."""
        self.setVisible(summary is not None)
        if summary is None:
            return
        run = summary.run
        self._run_id = run.id
        ended = run.state is RunState.FINISHED
        state = BadgeState.FINISHED if ended else BadgeState.RUNNING
        self.badge.set_state(state, self._words.run_state(run.state, run.cause))
        self.set_subtitle(self.tr("%Ln row(s); figures for one row", "", summary.tasks))
        self.release.set_why_not("" if ended else self.tr("The pilot has not finished yet."))
        shown = [one for one in compared if one.preview is not None and one.pilot is not None]
        self._fill(shown if ended else [])
        differing = [self._name(one.name) for one in shown if one.differs]
        if not ended:
            self._say(self.tr("The rest can go once the pilot has finished."), "text2")
        elif differing:
            words = self.tr("Other than in the preview, more than by chance: {0}.")
            self._say(words.format(", ".join(differing)), "review")
        elif shown:
            self._say(self.tr("Nothing differs from the preview by more than chance."), "text2")
        else:
            self._say("", "text2")

    def _say(self, words: str, colour: str) -> None:
        self.said.setText(words)
        self.said.set_colour(colour)

    def _fill(self, compared: Sequence[Compared]) -> None:
        for cell in self.cells:
            self._grid.removeWidget(cell)
            cell.hide()
            cell.deleteLater()
        self.cells = []
        if not compared:
            return
        self._column(0, ("", self.tr("Preview"), self.tr("Pilot")), "text2")
        for place, one in enumerate(compared, 1):
            figures = (self._figure(one.name, one.preview), self._figure(one.name, one.pilot))
            words = (self._name(one.name), *figures)
            self._column(place, words, "review" if one.differs else "text")

    def _column(self, place: int, words: Sequence[str], colour: str) -> None:
        for line, text in enumerate(words):
            align = RIGHT if place else LEFT
            tone = "text2" if not line else colour
            cell = ElidingLabel(text, Type.LABEL, tone, least=44, align=align)
            self.cells.append(cell)
            self._grid.addWidget(cell, line, place)

    def _name(self, name: str) -> str:
        return {
            "format": self.tr("Format"),
            "passed": self.tr("Passed"),
            "accuracy": self.tr("Accuracy"),
            "input_tokens": self.tr("Tokens in"),
            "output_tokens": self.tr("Tokens out"),
            "requests": self.tr("Requests"),
            "service_s": self.tr("Time"),
        }.get(name, name)

    def _figure(self, name: str, found: Measured | None) -> str:
        if found is None:
            return MISSING
        if name in _SHARES:
            return self._words.percent(found.value)
        if name == "service_s":
            return self._words.duration(found.value)
        return self._words.number(found.value, 1)
