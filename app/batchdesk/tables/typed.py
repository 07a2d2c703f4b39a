"""Text that can be written as a number, a date or a truth value without looking any different.

Rows of text come in, first to decide and then to convert; rows with typed values go out, for a
workbook or a Parquet file. A column is typed only if every cell of it can be: ``00123`` and
``1.50`` would lose their zeros, so their columns stay text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from batchdesk.tables.number_format import plain_number

_TYPED_SOURCES = frozenset({"xlsx", "xlsm", "xls", "parquet"})
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_FIRST_YEAR = 1901  # before it, spreadsheets count days in ways of their own
_NAN = "NaN"


_Kind = Callable[[str], Any]  # the value of a text, or None where it would look different


def has_types(source: str, target: Path) -> bool:
    """Whether columns of a table of this format had types that the target can keep.

    Args:
        source: A name as in ``TableFormat``.
    """
    return source in _TYPED_SOURCES and target.suffix.lower() in _KINDS


class ColumnTypes:
    """Decides by all rows, then converts them.

    Args:
        target: A workbook or a Parquet file; see ``has_types``.
        columns: The columns that may be typed.
    """

    def __init__(self, target: Path, columns: Sequence[str]) -> None:
        kinds = _KINDS[target.suffix.lower()]
        self._left = {name: list(kinds) for name in columns}

    def see(self, row: Mapping[str, str | None]) -> None:
        """One of all rows; columns that it lacks have no value there."""
        for name, kinds in list(self._left.items()):
            if (text := row.get(name)) is None:
                continue
            kinds[:] = [kind for kind in kinds if kind(text) is not None]
            if not kinds:
                del self._left[name]

    def typed(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with values for the texts of typed columns."""
        values = dict(row)
        for name, kinds in self._left.items():
            text = values.get(name)
            if isinstance(text, str) and (value := kinds[0](text)) is not None:
                values[name] = value
        return values


def _whole(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None


def _number_of_sheet(text: str) -> int | float | None:
    if not _DECIMAL.fullmatch(text) or plain_number(float(text)) != text:
        return None
    return float(text) if "." in text else int(text)


def _float(text: str) -> float | None:
    if text == _NAN:
        return float("nan")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if str(value) == text and not math.isnan(value) else None


def _date(text: str) -> date | None:
    try:
        value = date.fromisoformat(text)
    except ValueError:
        return None
    return value if value.isoformat() == text else None


def _moment(text: str) -> datetime | None:
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return None
    same = value.tzinfo is None and value.isoformat(sep=" ") == text
    return value if same else None


def _date_of_sheet(text: str) -> date | None:
    value = _date(text)
    return value if value is not None and value.year >= _FIRST_YEAR else None


def _moment_of_sheet(text: str) -> datetime | None:
    value = _moment(text)
    return value if value and value.year >= _FIRST_YEAR and not value.microsecond else None


_KINDS: Mapping[str, tuple[_Kind, ...]] = {
    ".xlsx": (
        {"TRUE": True, "FALSE": False}.get,
        _number_of_sheet,
        _date_of_sheet,
        _moment_of_sheet,
    ),
    ".parquet": (
        {"true": True, "false": False}.get,
        _whole,
        _float,
        _date,
        _moment,
    ),
}
