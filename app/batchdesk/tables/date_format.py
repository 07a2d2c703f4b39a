"""How a spreadsheet program shows a number of days: the tokens of a format code in, a date out.

The other half of ``number_format``, which parses the code and knows which numbers are dates.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise

Token = tuple[str, str]  # what it is, and its text

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LAST_SERIAL = 2_958_466  # the day after 9999-12-31
_FALSE_LEAP_DAY = 60  # 1900-02-29, which the first spreadsheet believed in


def with_minutes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Tokens with those ``m`` told apart that are minutes: after hours, or before seconds."""
    marked = list(tokens)
    timed = [
        index
        for index, (kind, text) in enumerate(tokens)
        if kind == "elapsed" or (kind == "date" and text[0] in "ymdhs")
    ]
    for place, index in enumerate(timed):
        kind, text = tokens[index]
        if kind != "date" or text not in ("m", "mm"):
            continue
        previous = tokens[timed[place - 1]][1] if place else ""
        following = tokens[timed[place + 1]][1] if place + 1 < len(timed) else ""
        if previous.startswith("h") or following.startswith("s"):
            marked[index] = ("minutes", text)
    return tuple(marked)


def show_date(value: float, tokens: tuple[Token, ...], *, from_1904: bool) -> str:
    """A number of days as date, time or elapsed time.

    Raises:
        ValueError: no date has this number.
    """
    if not any(kind == "elapsed" for kind, _ in tokens) and not 0 <= value < _LAST_SERIAL:
        raise ValueError("not a date")
    fraction = _second_places(tokens)
    unit = 10**fraction
    ticks = round(Decimal(repr(float(value))) * 86_400 * unit)
    moment = _moment(ticks // unit, from_1904=from_1904)
    half_day = any(kind == "ampm" for kind, _ in tokens)
    out: list[str] = []
    after_point = False
    for kind, text in tokens:
        if kind == "digits" and after_point:
            out.append(f"{abs(ticks) % unit:0{fraction}d}")
        elif kind == "elapsed":
            sign = "-" if ticks < 0 else ""
            per = {"h": 3600, "m": 60, "s": 1}[text[0]]
            out.append(f"{sign}{abs(ticks) // unit // per:0{len(text)}d}")
        elif kind == "minutes":
            out.append(_padded(abs(ticks) // unit // 60 % 60, text))
        elif kind == "ampm":
            out.append(_half(moment.hour, text))
        elif kind == "date":
            out.append(_date_part(text, value, moment, half_day=half_day))
        else:
            out.append(text)
        after_point = kind == "other" and text == "."
    return "".join(out)


def _second_places(tokens: tuple[Token, ...]) -> int:
    """Decimals of seconds, as in ``ss.000``."""
    for (kind, text), (later, digits) in pairwise(tokens):
        if kind == "other" and text == "." and later == "digits":
            return min(len(digits), 9)
    return 0


def _moment(seconds: int, *, from_1904: bool) -> datetime:
    day, rest = divmod(abs(seconds), 86_400)
    if from_1904:
        start = datetime(1904, 1, 1)  # noqa: DTZ001 - sheets have no time zones
    elif day >= _FALSE_LEAP_DAY:
        start = datetime(1899, 12, 30)  # noqa: DTZ001 - as above
    else:
        start = datetime(1899, 12, 31)  # noqa: DTZ001 - as above
    return start + timedelta(days=day, seconds=rest)


def _date_part(text: str, value: float, moment: datetime, *, half_day: bool) -> str:
    size = len(text)
    match text[0]:
        case "y" | "e" | "b" | "g":
            return f"{moment.year % 100:02d}" if text in ("y", "yy") else f"{moment.year:04d}"
        case "m":
            return _named(moment.month, _MONTHS[moment.month - 1], size)
        case "d":
            day = 29 if int(value) == _FALSE_LEAP_DAY else moment.day
            return _named(day, _DAYS[moment.weekday()], size)
        case "h":
            hour = (moment.hour + 11) % 12 + 1 if half_day else moment.hour
            return _padded(hour, text)
        case _:
            return _padded(moment.second, text)


def _named(number: int, name: str, size: int) -> str:
    """A month or day: ``5``, ``05``, ``May``, ``May``, ``M``."""
    if size <= 2:  # noqa: PLR2004 - as many digits
        return f"{number:0{size}d}"
    return {3: name[:3], 5: name[0]}.get(size, name)


def _padded(number: int, text: str) -> str:
    return f"{number:0{min(len(text), 2)}d}"


def _half(hour: int, text: str) -> str:
    first, _, second = text.partition("/")
    return first if hour < 12 else second  # noqa: PLR2004 - noon
