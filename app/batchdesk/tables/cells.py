"""How a value becomes the text of a CSV cell, and why it does not run there as a formula.

Any JSON value comes in, the cell's text goes out. A spreadsheet runs a cell as a formula if it
begins with one of = + - @ (or their full-width forms), and strips spaces, tabs and invisible
characters before it looks. Such text gets an apostrophe before it, which spreadsheets read as
"text follows". Plain numbers are left alone.
"""

from __future__ import annotations

import json
import re
from typing import Any

_IGNORABLE = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"
# What may lead a cell that runs; cheap to test, so that most cells pay for one search only.
_SUSPECT = re.compile(rf"[\s{_IGNORABLE}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r]")
_NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:[.,]\d+)*\.?|\.\d+)(?:[eE][+-]?\d+)?%?\s*", re.ASCII)


def cell_text(value: Any) -> str:
    """The text of a CSV cell.

    None is an empty cell, a bool ``true`` or ``false``, a nested value compact JSON, a number its
    usual text, and text itself, made harmless where a spreadsheet would run it.
    """
    if isinstance(value, str):
        return harmless(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json_text(value)
    return str(value)


def harmless(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would run it as a formula."""
    if _SUSPECT.match(text) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def json_text(value: Any) -> str:
    """Compact JSON, not escaped beyond what JSON asks for; infinities and NaN become null."""
    try:
        return _dump(value)
    except ValueError:
        return _dump(_finite(value))


def _dump(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str
    )


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
