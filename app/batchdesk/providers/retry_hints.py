"""How long a service asks to wait. Pure: headers and words in, seconds or None out.

Services say it in ``retry-after-ms``, in ``retry-after`` as seconds or as a date, in the body's
``retryDelay``, or only in the words ("Please try again in 6m0s").
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Mapping
from datetime import UTC
from typing import Any

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h|d)(?![a-z])|(\d{1,9}) ?(second|minute)s?\b")
_IN_WORDS = re.compile(
    r"(?:try again|retry) (?:in|after) ((?:\d[\d.]{0,15} ?(?:ms|s|m|h|d|seconds?|minutes?)\b ?|"
    r"(?:\d[\d.]{0,15}(?:ms|s|m|h|d))+)+)",
    re.IGNORECASE,
)


def retry_after_s(
    headers: Mapping[str, str], body: Mapping[str, Any], words: str, now: float
) -> float | None:
    """The hint in seconds, never negative; None where there is none that makes sense.

    Args:
        headers: Lower-case names.
        body: The error as JSON, if it was.
        words: The error's message.
        now: Epoch seconds, for a date.
    """
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    if (hint := headers.get("retry-after")) is not None:
        seconds = _number(hint)
        return seconds if seconds is not None else _until(hint, now)
    if (delay := _retry_delay(body)) is not None:
        return span_s(delay)
    found = _IN_WORDS.search(words)
    return span_s(found.group(1)) if found else None


def span_s(text: str) -> float | None:
    """Seconds of a span such as ``340ms``, ``17.4s``, ``6m0s`` or ``2 seconds``."""
    total, any_found = 0.0, False
    for number, unit, long_number, long_unit in _SPAN.findall(text.lower()):
        any_found = True
        total += float(number or long_number) * _SECONDS[unit or long_unit[0]]
    return total if any_found else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < 1e9 else None  # noqa: PLR2004 - not inf or nan


def _until(date: str, now: float) -> float | None:
    try:
        moment = email.utils.parsedate_to_datetime(date)
        if moment.tzinfo is None:  # "-0000" means UTC too
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _retry_delay(body: Mapping[str, Any]) -> str | None:
    """Google's way: ``error.details[].retryDelay``."""
    error = body.get("error")
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping) and isinstance(detail.get("retryDelay"), str):
            return str(detail["retryDelay"])
    return None
