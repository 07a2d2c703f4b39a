"""Amounts of money in the window's language: the currency's sign, and as many digits as tell."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QLocale, QObject

from batchdesk.domain.price import Amount
from batchdesk.gui.theme import MISSING, NBSP

_SIGNS = {"CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_CENT = Decimal("0.01")
_LEAST_DIGITS, _MOST_DIGITS = 2, 8


class MoneyWords(QObject):
    """Amounts in, words of the window's language out."""

    def amount(self, amount: Amount | None) -> str:
        """``$6.60``, ``$0.0013``, ``CHF 2.00``; a dash if it is not known, “free” for nothing."""
        if amount is None:
            return MISSING
        if not amount.micros:
            return self.tr("free")
        units = amount.micros / 1_000_000
        figure = QLocale().toString(float(units), "f", _digits(units))
        sign = _SIGNS.get(amount.currency)
        return f"{sign}{figure}" if sign else f"{amount.currency}{NBSP}{figure}"


def _digits(units: Decimal) -> int:
    """Two digits after the point, or as many as show two figures of a small amount."""
    if units >= _CENT:
        return _LEAST_DIGITS
    return min(_MOST_DIGITS, -units.adjusted() + 1)
