"""Prices: what a saved service's model costs, from the list or as the person sets it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import partial

import pydantic
from PySide6.QtCore import QLocale, QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from batchdesk.domain.price import PriceOverride, Rate, Rates
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.settings_general import wrapped
from batchdesk.gui.theme import MISSING, Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.session import key_account, model_rates
from batchdesk.settings import SavedProvider

_CURRENCIES = ("USD", "CNY", "EUR", "GBP", "JPY", "KRW", "INR", "SGD", "HKD", "AUD", "CAD", "CHF")
_PERCENT = Decimal(100)


class PricesSection(QWidget):
    """Shows and changes the price of one saved service's model.

    Args:
        desk: Keeps the settings.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._asked: Asked | None = None
        self.service = QComboBox()
        self.listed = wrapped("", Type.LABEL, "text2")
        self.currency = QComboBox()
        self.currency.addItems(_CURRENCIES)
        self.input, self.output = QLineEdit(), QLineEdit()
        self.cached, self.reasoning, self.batch = QLineEdit(), QLineEdit(), QLineEdit()
        self.save = Button(self.tr("Set my prices"))
        self.forget = Button(self.tr("Remove my prices"), Kind.FLAT)
        self.message = wrapped("", Type.LABEL, "failed")
        self.none = wrapped(self.tr("Add a service first; then its price is shown here."))
        self._form = QWidget()
        self._lay_out()
        self.service.activated.connect(lambda _index: self._show())
        self.save.clicked.connect(lambda _on=False: self._save())
        self.forget.clicked.connect(lambda _on=False: self._remove())
        desk.settings_changed.connect(self.show_settings)
        self.show_settings()

    def show_settings(self) -> None:
        """Show the saved services, and the price of the chosen one."""
        known = self._desk.settings.providers
        chosen = self.service.currentText()
        with QSignalBlocker(self.service):
            self.service.clear()
            for one in known:
                self.service.addItem(one.name)
            self.service.setCurrentIndex(max(0, self.service.findText(chosen)) if known else -1)
        self.none.setVisible(not known)
        self._form.setVisible(bool(known))
        self._show()

    def _chosen(self) -> SavedProvider | None:
        name = self.service.currentText()
        return next((one for one in self._desk.settings.providers if one.name == name), None)

    def _own(self, one: SavedProvider) -> PriceOverride | None:
        host = key_account(one.spec)
        fitting = (
            price
            for price in self._desk.settings.prices
            if price.model == one.spec.model and price.host == host
        )
        return next(fitting, None)

    def _show(self) -> None:
        one = self._chosen()
        self._say("")
        if one is None:
            return
        own = self._own(one)
        lines = (self.input, self.output, self.cached, self.reasoning, self.batch)
        for line, value in zip(lines, _values(own), strict=True):
            line.setText("" if value is None else f"{value.normalize():f}")
        self.currency.setCurrentText(own.currency if own else "USD")
        self.forget.setVisible(own is not None)
        self._ask_list(one)

    def _ask_list(self, one: SavedProvider) -> None:
        """The list's price, without one's own; loading the list takes a moment."""
        if self._asked is not None:
            self._asked.cancel()
        call = partial(asyncio.to_thread, model_rates, one.spec, (), datetime.now(UTC))
        self._asked = self._desk.ask_program(call, self._show_listed, self._show_unlisted)

    def _show_unlisted(self, _error: UserError) -> None:
        self._show_listed(None)

    def _show_listed(self, rates: Rates | None) -> None:
        if rates is None:
            words = self.tr("No list price is known for this model at this address.")
            self.listed.setText(words)
            placeholders = ("", "", "", "")
        else:
            words = self.tr("List price: {0} {1} for input and {2} for output ({3}).")
            figures = (rates.currency, _figure(rates.input), _figure(rates.output), rates.source)
            self.listed.setText(words.format(*figures))
            placeholders = (
                _figure(rates.input),
                _figure(rates.output),
                _figure(rates.cached_input),
                _figure(rates.reasoning),
            )
        lines = (self.input, self.output, self.cached, self.reasoning)
        for line, words in zip(lines, placeholders, strict=True):
            line.setPlaceholderText(words)

    def _save(self) -> None:
        one = self._chosen()
        if one is None:
            return
        try:
            price = self._typed(one)
        except (InvalidOperation, pydantic.ValidationError):
            words = self.tr(
                "Write prices as numbers of 0 or more, such as 0.15; input and output are needed."
            )
            self._say(words)
            return
        self._keep(one, price)

    def _remove(self) -> None:
        one = self._chosen()
        if one is not None:
            self._keep(one, None)

    def _typed(self, one: SavedProvider) -> PriceOverride:
        share = _number(self.batch)
        return PriceOverride.model_validate(
            {
                "host": key_account(one.spec),
                "model": one.spec.model,
                "currency": self.currency.currentText(),
                "input": _number(self.input),
                "output": _number(self.output),
                "cached_input": _number(self.cached),
                "reasoning": _number(self.reasoning),
                "batch_share": None if share is None else share / _PERCENT,
            }
        )

    def _keep(self, one: SavedProvider, price: PriceOverride | None) -> None:
        old = self._own(one)
        others = tuple(known for known in self._desk.settings.prices if known is not old)
        prices = others if price is None else (*others, price)
        settings = self._desk.settings.model_copy(update={"prices": prices})
        self._desk.change_settings(settings)

    def _say(self, words: str) -> None:
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def _lay_out(self) -> None:
        grid = QGridLayout(self._form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        for place in (1, 3):
            grid.setColumnStretch(place, 1)
        self._add(grid, 0, 0, self.tr("Service"), self.service, span=3)
        grid.addWidget(self.listed, 1, 1, 1, 3)
        self._add(grid, 2, 0, self.tr("Input"), self.input)
        self._add(grid, 2, 2, self.tr("Output"), self.output)
        self._add(grid, 3, 0, self.tr("Cached input"), self.cached)
        self._add(grid, 3, 2, self.tr("Reasoning"), self.reasoning)
        self._add(grid, 4, 0, self.tr("Currency"), self.currency)
        self._add(grid, 4, 2, self.tr("Batch, %"), self.batch)
        self.batch.setToolTip(self.tr("What a batch endpoint takes of these prices"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.save)
        row.addWidget(self.forget)
        row.addStretch(1)
        grid.addLayout(row, 5, 1, 1, 3)
        grid.addWidget(self.message, 6, 1, 1, 3)
        words = self.tr(
            "Prices are for a million tokens. Where none is known, costs are shown as unknown, "
            "never guessed. An empty field is charged like input or output."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.none)
        column.addWidget(self._form)
        column.addWidget(wrapped(words, Type.LABEL, "text2"))

    def _add(
        self, grid: QGridLayout, row: int, place: int, name: str, field: QWidget, *, span: int = 1
    ) -> None:
        label = ElidingLabel(name, Type.BODY, "text2", least=70)
        grid.addWidget(label, row, place, Qt.AlignmentFlag.AlignVCenter)
        field.setAccessibleName(name)
        field.setMinimumWidth(64)
        grid.addWidget(field, row, place + 1, 1, span)


def _values(own: PriceOverride | None) -> tuple[Decimal | None, ...]:
    """What stands in the fields: the batch share in per cent."""
    if own is None:
        return (None,) * 5
    share = None if own.batch_share is None else own.batch_share * _PERCENT
    return (own.input, own.output, own.cached_input, own.reasoning, share)


def _number(line: QLineEdit) -> Decimal | None:
    """What was typed, or None for nothing.

    Raises:
        InvalidOperation: it is no number.
    """
    text = line.text().strip().replace(",", ".").lstrip("$¥€£")
    return Decimal(text) if text else None


def _figure(rate: Rate | None) -> str:
    """The rate as it is for short requests; a dash if there is none of its own."""
    if rate is None:
        return MISSING
    figure = rate.base.normalize()
    digits = max(2, -int(figure.as_tuple().exponent)) if figure else 2
    return QLocale().toString(float(figure), "f", digits)
