"""What the prompt costs, before it is run: tokens and money of the row on show and of all rows.

A job, a table, the row and the number of rows come in; nothing goes out. Counting happens on the
Session's side, a moment after the last change.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.theme import NBSP, Type
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.words import MISSING, Words
from batchdesk.gui.words_money import MoneyWords
from batchdesk.session import Dataset, StoredRow
from batchdesk.session.authoring import Figures, row_figures, table_figures

_PAUSE_MS = 350
_ABOUT = "\u2248\u00a0"  # almost equal to


class CostLine(QWidget):
    """One line of figures.

    Args:
        desk: Is asked to count.
        words: Numbers for people.

    Attributes:
        mean: The figures of all rows; None while they are not known.
        rows: How many rows would be sent; None while that is not known.

    Signals:
        counted(): ``mean`` or ``rows`` is another.
    """

    counted = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words, self._money = desk, words, MoneyWords(self)
        self._job: Job | None = None
        self._dataset: Dataset | None = None
        self._row: StoredRow | None = None
        self.rows: int | None = None
        self._counted: tuple[object, ...] = ()
        self._asked: list[Asked] = []
        self._one: Figures | None = None
        self.mean: Figures | None = None
        self.input, self.answer, self.each, self.whole = (_figure() for _ in range(4))
        names = (self.tr("Tokens in"), self.tr("out"), self.tr("A row"), self.tr("All rows"))
        figures = (self.input, self.answer, self.each, self.whole)
        self._named = tuple(zip(names, figures, strict=True))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 0)
        line.setSpacing(8)
        for name, label in self._named:
            pair = QHBoxLayout()
            pair.setSpacing(4)
            title = ElidingLabel(name, Type.LABEL, "text2", least=20)
            title.keep_whole()
            pair.addWidget(title)
            pair.addWidget(label)
            line.addLayout(pair)
        line.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._count)
        desk.project_closing.connect(self._forget)
        self._show()

    def show_prompt(
        self, job: Job | None, dataset: Dataset | None, row: StoredRow | None, rows: int | None
    ) -> None:
        """Count for another prompt, row or number of rows (None: not known yet)."""
        self._job, self._dataset, self._row = job, dataset, row
        if rows != self.rows:
            self.rows = rows
            self._show()
            self.counted.emit()
        wanted = (job, dataset.id if dataset is not None else None, row.id if row else None)
        if wanted != self._counted:
            self._counted = wanted
            self._timer.start()

    def _count(self) -> None:
        self._cancel()
        job, dataset, row = self._job, self._dataset, self._row
        if job is None or dataset is None or row is None:
            self._one = self.mean = None
            self._show()
            return
        prices = self._desk.settings.prices
        one = partial(row_figures, job=job, dataset=dataset, row=row, overrides=prices)
        mean = partial(table_figures, job=job, dataset=dataset, overrides=prices)
        self._asked = [
            self._desk.ask(one, self._have_one, self._failed),
            self._desk.ask(mean, self._have_all, self._failed),
        ]

    def _have_one(self, figures: Figures) -> None:
        self._one = figures
        self._show()

    def _have_all(self, figures: Figures | None) -> None:
        self.mean = figures
        self._show()
        self.counted.emit()

    def _failed(self, _error: UserError) -> None:
        """The panel above says what is wrong with the prompt."""
        self._one = self.mean = None
        self._show()

    def _show(self) -> None:
        one, mean = self._one, self.mean
        number = self._words.number
        if one is None:
            for label in (self.input, self.answer, self.each):
                label.set_text(MISSING)
        else:
            about = _ABOUT if one.off_by else ""
            self.input.set_text(about + number(round(one.input)))
            self.answer.set_text(_ABOUT + number(one.answer))
            self.each.set_text(self._money.amount(one.amount))
        self.whole.set_text(self._whole(mean))
        self.setToolTip(self._explained(one, mean))
        self.setAccessibleName(self._spoken())

    def _whole(self, mean: Figures | None) -> str:
        if mean is None or self.rows is None:
            return MISSING
        cost = mean.cost_of(self.rows)
        if cost is not None:
            return self._money.amount(cost)
        tokens = round((mean.input + mean.answer) * self.rows)
        return _ABOUT + self.tr("{0} tokens").format(self._words.number(tokens))

    def _explained(self, one: Figures | None, mean: Figures | None) -> str:
        if one is None:
            return ""
        fixed = self.tr("{0} of the input tokens are the same for every row.")
        told = [fixed.format(self._words.number(one.fixed))]
        if one.off_by:
            off = self.tr("This model's tokens are estimated; a row may be off by {0}.")
            told.append(off.format(self._words.percent(one.off_by)))
        if mean is not None and mean.spread:
            off = self.tr("All rows: the mean of a sample, which may be off by {0}.")
            told.append(off.format(self._words.percent(max(0.01, mean.spread))))
        if one.amount is None:
            told.append(self.tr("The price of this model is not known."))
        return "\n".join(told)

    def _spoken(self) -> str:
        pairs = [f"{name} {label.text()}" for name, label in self._named]
        return ", ".join(pairs).replace(NBSP, " ")

    def _cancel(self) -> None:
        for asked in self._asked:
            asked.cancel()
        self._asked = []

    def _forget(self) -> None:
        self._timer.stop()
        self._cancel()
        self._one = self.mean = None
        self._counted = ()
        self._show()


def _figure() -> ElidingLabel:
    label = ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=20)
    label.keep_whole()
    return label
