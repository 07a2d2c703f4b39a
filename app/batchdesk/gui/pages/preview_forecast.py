"""What a full run will take, with its range, and the buttons that start a pilot or the run.

A Preview and the number of rows come in; nothing goes out but the person's wish.
"""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.price import Amount
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.widgets.range_bar import RangeBar
from batchdesk.gui.words import MISSING, Words
from batchdesk.gui.words_money import MoneyWords
from batchdesk.session.forecast import Forecast, Range

_LEAST_FOR_PILOT = 10  # rows: a tenth of less is none


class RangeLine(QWidget):
    """A figure, its range in words, and the range as a bar."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.figure = ElidingLabel(MISSING, Type.FIGURE, "text", least=60, align=RIGHT)
        self.range = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.range.setAlignment(RIGHT)
        self.bar = RangeBar()
        head = QHBoxLayout()
        head.addWidget(ElidingLabel(name, Type.BODY, "text2", least=40))
        head.addWidget(self.figure, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.range)
        column.addWidget(self.bar)

    def show_range(self, found: Range | None, figure: str, words: str) -> None:
        """Another figure with its range."""
        self.figure.set_text(figure)
        self.range.setText(words)
        self.range.setVisible(bool(words))
        self.bar.setVisible(found is not None)
        if found is not None:
            told = f"{self._name}: {figure}. {words}"
            self.bar.set_range(found.low, found.likely, found.high, told)


class ForecastPanel(Panel):
    """The forecast over the run buttons.

    Args:
        words: Numbers for people.

    Signals:
        pilot_wanted(): Run a tenth first.
        run_wanted(): Run all.
    """

    pilot_wanted = Signal()
    run_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("Forecast", parent=parent)
        self._words, self._money = words, MoneyWords(self)
        self.cost = RangeLine(self.tr("Cost"))
        self.time = RangeLine(self.tr("Time"))
        self.lines: dict[str, tuple[ElidingLabel, ElidingLabel]] = {}
        self.none = note(self.tr("Try some rows; then you see here what all of them will take."))
        self.warning = note("", "review")
        self.other = note(
            self.tr(
                "“Run the rest” sends only the rows that the pilot left. This makes a new run of "
                "all rows with the job as it is now; answers that the same request had are reused."
            )
        )
        self.pilot = Button("", Kind.PRIMARY, icon="play")
        self.pilot_facts = ElidingLabel("", Type.LABEL, "text2", least=0, align=RIGHT)
        self.run = Button("", icon="play")
        self.run_facts = ElidingLabel("", Type.LABEL, "text2", least=0, align=RIGHT)
        self._lay_out()
        self.pilot.clicked.connect(lambda _on=False: self.pilot_wanted.emit())
        self.run.clicked.connect(lambda _on=False: self.run_wanted.emit())
        self.show_forecast(None)
        self.show_ways(None, None, "", "")

    def show_forecast(self, promised: Forecast | None) -> None:
        """What all rows will take; None before that is known."""
        self._figures.setVisible(promised is not None)
        self.none.setVisible(promised is None)
        if promised is None:
            self.set_title(self.tr("Forecast for all rows"))
            return
        rows = promised.rows + promised.reused
        self.set_title(self.tr("Forecast for all %Ln row(s)", "", rows))
        self._show_cost(promised)
        self._show_time(promised)
        for name, (likely, detail) in self._lines(promised).items():
            self.lines[name][0].set_text(likely)
            self.lines[name][1].set_text(detail)
            self.lines[name][1].setVisible(bool(detail))

    def show_ways(
        self,
        rows: int | None,
        promised: Forecast | None,
        warning: str,
        why_not: str,
        *,
        has_pilot: bool = False,
    ) -> None:
        """What can be run: all rows that are sent, or a tenth of them first, unless that is done.

        Args:
            rows: How many are sent; None: not known.
            promised: What they will take, if it is known of the job as it is now.
        """
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))
        self.other.setVisible(has_pilot)
        self.pilot.setText(self.tr("Run 10 % pilot"))
        if rows is None:
            self.run.setText(self.tr("Run all chosen rows"))
        else:
            self.run.setText(self._all(rows, promised))
        some = None if rows is None else max(1, -(-rows // 10))
        share = some / rows if some and rows else 0.1
        self.pilot_facts.set_text(self._facts(promised, some, share))
        self.run_facts.set_text(self._facts(promised, None, 1.0))
        for part in (self.pilot, self.pilot_facts):
            part.setVisible((rows is None or rows >= _LEAST_FOR_PILOT) and not has_pilot)
        for button in (self.pilot, self.run):
            button.set_why_not(why_not)
            button.updateGeometry()
            button.update()

    def _all(self, rows: int, promised: Forecast | None) -> str:
        """All rows; where some were answered already, how many are left to send."""
        if promised is not None and promised.reused:
            return self.tr("Run all ({0} to send)").format(self._words.number(promised.rows))
        return self.tr("Run all %Ln row(s)", "", rows)

    def _facts(self, promised: Forecast | None, rows: int | None, share: float) -> str:
        told = [] if rows is None else [self.tr("%Ln row(s)", "", rows)]
        money = promised.micros if promised is not None else None
        if promised is not None and promised.currency and money is not None and money.likely:
            told.append(self._amount(money.likely * share, promised.currency))
        if promised is not None and promised.seconds is not None:
            told.append(self._words.duration(round(max(1.0, promised.seconds.likely * share))))
        return " · ".join(told)

    # -- figures ----------------------------------------------------------------------------

    def _amount(self, micros: float, currency: str) -> str:
        return self._money.amount(Amount(Decimal(round(micros)), currency))

    def _show_cost(self, promised: Forecast) -> None:
        found, currency = promised.micros, promised.currency
        if found is None or currency is None:
            unknown = self.tr("the price of this model is not known")
            self.cost.show_range(None, MISSING, unknown)
            return
        low, likely, high = (
            self._amount(one, currency) for one in (found.low, found.likely, found.high)
        )
        words = self.tr("{0} to {1}, 19 times in 20").format(low, high) if found.high else ""
        self.cost.show_range(found if found.high else None, likely, words)

    def _show_time(self, promised: Forecast) -> None:
        found = promised.seconds
        if found is None:
            self.time.show_range(None, MISSING, "")
            return
        low, likely, high = (
            self._words.duration(max(1.0, round(one)))
            for one in (found.low, found.likely, found.high)
        )
        bound = {
            "requests": self.tr("by the limit of requests"),
            "tokens": self.tr("by the limit of tokens"),
            "pinned": self.tr("at the fixed number at once"),
        }.get(promised.bound_by, self.tr("no limit is known"))
        words = self.tr("{0} to {1}, {2}").format(low, high, bound)
        self.time.show_range(found, likely, words)

    def _lines(self, promised: Forecast) -> dict[str, tuple[str, str]]:
        number = self._words.number
        sent, back = promised.input_tokens, promised.output_tokens
        tokens, detail = MISSING, ""
        share = ""
        if sent is not None and back is not None:
            tokens = number(round(sent.likely + back.likely))
            detail = self.tr("{0} in, {1} out").format(
                number(round(sent.likely)), number(round(back.likely))
            )
            part = promised.instructions / sent.likely if sent.likely else 0.0
            if part <= 1:  # ours is an estimate, and services count in their own way
                share = self.tr("{0} of the input").format(self._words.percent(part))
        again = round(promised.requests.likely) - promised.rows
        return {
            "tokens": (tokens, detail),
            "instructions": (number(round(promised.instructions)), share),
            "requests": (
                number(round(promised.requests.likely)),
                self.tr("%Ln of them again", "", again) if again > 0 else "",
            ),
            "reused": (number(promised.reused), ""),
            "too_long": (number(promised.too_long), ""),
            "over_minute": (number(promised.over_minute), ""),
        }

    def _lay_out(self) -> None:
        names = {
            "tokens": self.tr("Tokens"),
            "instructions": self.tr("Instructions alone"),
            "requests": self.tr("Requests"),
            "reused": self.tr("Answered already"),
            "too_long": self.tr("Too long for the model"),
            "over_minute": self.tr("Over a minute's tokens"),
        }
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for place, (name, words) in enumerate(names.items()):
            likely = ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=40, align=RIGHT)
            detail = ElidingLabel("", Type.LABEL, "text2", least=40, align=RIGHT)
            self.lines[name] = (likely, detail)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(ElidingLabel(words, Type.LABEL, "text2", least=80), 2 * place, 0, top)
            grid.addWidget(likely, 2 * place, 1)
            grid.addWidget(detail, 2 * place + 1, 0, 1, 2)  # two long numbers need the width
        self._figures = QWidget()
        inner = QVBoxLayout(self._figures)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        for part in (self.cost, Hairline(), self.time, Hairline()):
            inner.addWidget(part)
        inner.addLayout(grid)
        self.add(self.none)
        self.add(self._figures)
        self.body.addStretch(1)
        self.add(self.warning)
        self.add(self.other)
        for button, facts in ((self.pilot, self.pilot_facts), (self.run, self.run_facts)):
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(button)
            row.addWidget(facts, 1)
            self.add(row)
        self.setMinimumWidth(theme().px(250))
