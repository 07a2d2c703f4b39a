"""Fits a number or a string into what a JSON Schema allows: bounds, steps, patterns.

In come a wanted value and the schema's demands; out comes the nearest value that meets them, as
far as such a value is easily found. Used by the practice server's answers only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.patterns import PatternError, compiled, search

Schema = Mapping[str, Any]

_PATTERN_GUESSES = (
    "2026-01-01", "1234", "12345", "123456", "A-1234", "AB-1234", "1", "a", "abc", "A", "ABC",
    "Abc", "a1", "+10000000000", "nobody@example.com", "https://example.com/", "12:00", "1.00", "",
)  # fmt: skip


def as_number(text: str | None) -> float | None:
    """The first number in a short text, thousands separators allowed."""
    if text is None or not (match := re.search(r"-?\d+(?:\.\d+)?", text.replace(",", ""))):
        return None
    return float(match.group())


def bounds(schema: Schema, *, whole: bool) -> tuple[float, float]:
    """The closed range that a number may lie in."""
    low = float(schema.get("minimum", -math.inf))
    high = float(schema.get("maximum", math.inf))
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if isinstance(above, int | float) and not isinstance(above, bool):
        low = max(low, math.floor(above) + 1 if whole else math.nextafter(above, math.inf))
    if isinstance(below, int | float) and not isinstance(below, bool):
        high = min(high, math.ceil(below) - 1 if whole else math.nextafter(below, -math.inf))
    if whole:
        low = math.ceil(low) if math.isfinite(low) else low
        high = math.floor(high) if math.isfinite(high) else high
    return low, high


def fitted(
    wanted: float, low: float, high: float, step: float | None, *, whole: bool
) -> float | int:
    """The wanted number, moved into the range and onto the step."""
    value = min(max(wanted, low), high)
    if step:
        value = round(value / step) * step
        if value < low:
            value = math.ceil(low / step) * step
        if value > high:
            value = math.floor(high / step) * step
    if whole:
        return int(min(max(round(value), low), high)) if not step else round(value)
    return int(value) if float(value).is_integer() else value


def matching(pattern: str, found: str | None, text: str) -> str:
    """A string that matches ``pattern``: from the text if it holds one, else a common one.

    A pattern that takes too long for one of them gets what is at hand.
    """
    try:
        wanted = compiled(pattern)
        inside = search(compiled(pattern.removeprefix("^").removesuffix("$")), text[:2000])
        guesses = [found, inside.group() if inside else None, *_PATTERN_GUESSES]
        fits = (one for one in guesses if one is not None and search(wanted, one))
        return next(fits, "")
    except (PatternError, TimeoutError):
        return found or ""
