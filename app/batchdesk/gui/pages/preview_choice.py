"""Which rows are tried: how many, chosen how, and the buttons that try them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from batchdesk.gui.pages.prompt_inputs import Choice as ChoiceBox
from batchdesk.gui.pages.prompt_inputs import InvalidInputError, NumberLine
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.session.sampling import Choice, How

MOST_ROWS = 200
_WIDE = 700  # pixels; below, the table alone says that each row is tried twice
_SPREAD = "spread:"
_LISTED = 40  # columns to spread over


class ChoiceStrip(Panel):
    """The strip above the gates.

    Signals:
        wanted(object): Try rows as this Choice says.
        stop_wanted(): Stop trying.
    """

    wanted = Signal(object)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._seed, self._tried = 0, False
        self._picked: str | None = None
        self.count = NumberLine(self.tr("Number of rows"), 1, MOST_ROWS, whole=True)
        self.count.set_value(20)
        self.count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.count.setFixedWidth(60)
        self.how = ChoiceBox(self.tr("How they are chosen"))
        self.how.setMinimumWidth(150)
        self.other = Button(self.tr("Other rows"), icon="arrows-clockwise")
        self.start = Button(self.tr("Try them"), icon="play")
        self.stop = Button(self.tr("Stop"), icon="stop")
        self.stop.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(ElidingLabel(self.tr("Try"), Type.BODY, "text2", least=20))
        row.addWidget(self.count)
        row.addWidget(ElidingLabel(self.tr("rows:"), Type.BODY, "text2", least=30))
        row.addWidget(self.how, 6)
        self._twice = ElidingLabel(self.tr("each twice"), Type.BODY, "text2", least=40)
        row.addWidget(self._twice)
        row.addStretch(1)
        row.addWidget(self.other)
        row.addWidget(self.stop)
        row.addWidget(self.start)
        self.body.setContentsMargins(11, 7, 11, 7)
        self.add(row)
        self.how.edited.connect(self._how_edited)
        self.other.clicked.connect(lambda _on=False: self._try_others())
        self.start.clicked.connect(lambda _on=False: self.begin())
        self.stop.clicked.connect(lambda _on=False: self.stop_wanted.emit())
        self.count.edited.connect(self._offer)
        self._columns: Mapping[str, int] = {}
        self._label: str | None = None
        self._offer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._twice.setVisible(self.width() >= theme().px(_WIDE))

    def offer(self, columns: Mapping[str, int], label: str | None) -> None:
        """The ways of choosing for a table; its label column is what rows are best spread over.

        Args:
            columns: Those with few values, and how many. Rows are not spread over a column with
                more values than there are rows to be tried.
        """
        self._columns, self._label = columns, label
        self._offer()

    def _offer(self) -> None:
        fitting = [name for name, values in self._columns.items() if values <= self._wanted()]
        first = [name for name in fitting if name == self._label]
        names = [*first, *(name for name in fitting if name != self._label)][:_LISTED]
        ways: list[tuple[str | None, str]] = [
            (How.FIRST, self.tr("the first ones")),
            (How.RANDOM, self.tr("by chance")),
            (How.LONGEST, self.tr("the longest ones")),
        ]
        spread = self.tr("spread over “{0}”")
        ways += [(f"{_SPREAD}{name}", spread.format(name)) for name in names]
        best = f"{_SPREAD}{first[0]}" if first else How.FIRST
        self.how.offer(ways, self._picked if self._picked in dict(ways) else best)
        self._show_other()

    def _wanted(self) -> int:
        text = self.count.text().strip()
        return int(text) if text.isdecimal() else MOST_ROWS

    def choice(self) -> Choice:
        """What the person chose.

        Raises:
            InvalidInputError: the number cannot be used.
        """
        how = self.how.choice() or How.FIRST
        count = int(self.count.number())
        if how.startswith(_SPREAD):
            return Choice(How.STRATIFIED, count, how.removeprefix(_SPREAD), self._seed)
        return Choice(How(how), count, None, self._seed)

    def begin(self) -> None:
        """Try the chosen rows; a number that cannot be used is marked and nothing happens."""
        try:
            choice = self.choice()
        except InvalidInputError as error:
            self.count.setToolTip(str(error))
            self.count.setFocus()
            return
        self.count.setToolTip("")
        self.wanted.emit(choice)

    def show_state(self, *, under_way: bool, tried: bool, why_not: str) -> None:
        """What can be done now."""
        self.stop.setVisible(under_way)
        self.start.setVisible(not under_way)
        self.start.setText(self.tr("Try again") if tried else self.tr("Try them"))
        self.start.updateGeometry()
        self.start.set_why_not(why_not)
        self.other.set_why_not(why_not or (self.tr("Rows are being tried.") if under_way else ""))
        self._tried = tried
        self._show_other()

    def _how_edited(self) -> None:
        self._picked = self.how.choice()
        self._show_other()

    def _try_others(self) -> None:
        self._seed += 1
        self.begin()

    def _show_other(self) -> None:
        how = self.how.choice() or ""
        by_chance = how == How.RANDOM or how.startswith(_SPREAD)
        self.other.setVisible(by_chance and self._tried)
