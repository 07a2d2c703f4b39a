"""How a spreadsheet program shows a number: a value and its format code in, the text on screen out.

Handled are the sections of a code (positive, negative, zero, text; with conditions), zero-padding,
thousands, decimals, percent, scientific notation, fractions, dates, times, elapsed times, currency
and quoted text. Month and day names are English; a long system date is written as ISO. Codes are
parsed once and kept by whoever renders (see ``Formats``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction

from batchdesk.tables.date_format import Token, show_date, with_minutes

GENERAL = "General"

# Codes that a workbook names by number only (ECMA-376 part 1, 18.8.30). 14 and 22 depend on the
# system's country; the ISO form is what cannot be misread.
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);("$"#,##0)', 7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);("$"#,##0.00)', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    27: "yyyy-mm-dd", 28: "yyyy-mm-dd", 29: "yyyy-mm-dd", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd",
    32: "h:mm:ss", 33: "h:mm:ss", 34: "h:mm:ss", 35: "h:mm:ss", 36: "yyyy-mm-dd",
    37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);(#,##0.00)", 41: "#,##0_);(#,##0)", 42: '"$"#,##0_);("$"#,##0)',
    43: "#,##0.00_);(#,##0.00)", 44: '"$"#,##0.00_);("$"#,##0.00)', 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss.0", 48: "##0.0E+0", 49: "@", 50: "yyyy-mm-dd", 51: "yyyy-mm-dd", 52: "yyyy-mm-dd",
    53: "yyyy-mm-dd", 54: "yyyy-mm-dd", 55: "yyyy-mm-dd", 56: "yyyy-mm-dd", 57: "yyyy-mm-dd",
    58: "yyyy-mm-dd",
}  # fmt: skip

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_(?P<space>.?)|\*(?P<fill>.?)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>(?i:general))|(?P<ampm>(?i:am/pm|a/p|上午/下午))|(?P<date>(?i:y+|m+|d+|h+|s+|e+(?![+-])|b+|g+))"
    r"|(?P<exponent>[Ee][+-])|(?P<digits>[0#?]+)|(?P<other>.)",
    re.DOTALL,
)
_SECTIONS = re.compile(r'((?:"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]|[^;"\\_*\[]|.)*?)(?:;|$)', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_MOST_SECTIONS = 4
_GENERAL_DIGITS = 11  # characters that Excel shows of a number without a format, at most
_EXACT = Context(prec=60)
_FULL_DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)  # what a spreadsheet keeps of a number
_PADDING = 250  # places of one code; a longer code is not a person's

_Show = Callable[[float], str]


class Formats:
    """Renders numbers by their codes; each code is parsed once.

    Args:
        from_1904: Whether the workbook counts days from 1904-01-01 instead of 1900.
    """

    def __init__(self, *, from_1904: bool = False) -> None:
        self._from_1904 = from_1904
        self._known: dict[str, _Show] = {}

    def text(self, value: float, code: str) -> str:
        """The number as it is shown.

        A date that cannot be one is given as a plain number.
        """
        show = self._known.get(code)
        if show is None:
            show = self._known[code] = _parse(code, from_1904=self._from_1904)
        try:
            return show(value)
        except (ValueError, OverflowError, InvalidOperation, ZeroDivisionError):
            return plain_number(value)

    def is_text(self, code: str) -> bool:
        """Whether the code says that the cell is text."""
        return code.strip() == "@"


def plain_number(value: float) -> str:
    """A number without a format, with the 15 digits that a spreadsheet keeps: ``0.3``."""
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 - NaN
        return str(value)
    number = _FULL_DIGITS.create_decimal(repr(float(value))).normalize(_FULL_DIGITS)
    if number == 0:
        return "0"
    if -_GENERAL_DIGITS + 1 <= number.adjusted() <= 20:  # noqa: PLR2004 - Excel's own widest
        return f"{number:f}"
    return f"{number:E}"


@dataclass(frozen=True, slots=True)
class _Section:
    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None

    @property
    def is_date(self) -> bool:
        return any(kind in ("date", "elapsed", "ampm") for kind, _ in self.tokens)

    def fits(self, value: float) -> bool:
        if self.condition is None:
            return True
        sign, limit = self.condition
        return {
            "<": value < limit,
            ">": value > limit,
            "<=": value <= limit,
            ">=": value >= limit,
            "=": value == limit,
            "<>": value != limit,
        }[sign]


def _parse(code: str, *, from_1904: bool) -> _Show:
    parts = [match[1] for match in _SECTIONS.finditer(code)]
    sections = [_section(part) for part in parts[:_MOST_SECTIONS]]
    if code.endswith(";") is False and len(sections) > 1 and parts[-1] == "":
        sections.pop()
    if len(sections) == _MOST_SECTIONS:
        sections.pop()  # for text
    shows = [_shower(section, from_1904=from_1904) for section in sections]

    def show(value: float) -> str:
        index, takes_sign = _choose(sections, value)
        return shows[index](abs(value) if takes_sign else value)

    return show


def _choose(sections: list[_Section], value: float) -> tuple[int, bool]:
    """Which section shows a value, and whether it shows the sign in its own way."""
    if any(section.condition for section in sections):
        for index, section in enumerate(sections):
            if section.fits(value):
                return index, index > 0 and value < 0
        return len(sections) - 1, value < 0
    if len(sections) == 1 or value > 0:
        return 0, False
    if value < 0:
        return 1, True
    return (2, False) if len(sections) > 2 else (0, False)  # noqa: PLR2004 - the third is for zero


def _section(part: str) -> _Section:
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(part):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if kind == "bracket":
            token, condition = _bracket(text, condition)
            if token is not None:
                tokens.append(token)
        elif kind in ("quoted", "escaped"):
            tokens.append(("text", text))
        elif kind in ("space", "fill"):
            tokens.append(("space", ""))
        else:
            tokens.append((kind, text.lower() if kind == "date" else text))
    return _Section(tuple(tokens), condition)


def _bracket(
    text: str, condition: tuple[str, float] | None
) -> tuple[Token | None, tuple[str, float] | None]:
    """``[h]`` is elapsed time, ``[$€-407]`` a currency, ``[>=100]`` a condition; colours go."""
    if text and set(text.lower()) <= {text[0].lower()} and text[0].lower() in "hms":
        return ("elapsed", text.lower()), condition
    if text.startswith("$"):
        return ("text", text[1:].rpartition("-")[0] if "-" in text else text[1:]), condition
    if match := _CONDITION.fullmatch(text):
        return None, (match[1], float(match[2]))
    return None, condition


def _shower(section: _Section, *, from_1904: bool) -> _Show:
    kinds = {kind for kind, _ in section.tokens}
    if section.is_date:
        tokens = with_minutes(section.tokens)
        return lambda value: show_date(value, tokens, from_1904=from_1904)
    if "digits" in kinds:
        if ("other", "/") in section.tokens:
            return lambda value: _show_fraction(value, section.tokens)
        layout = _layout(section.tokens)
        return lambda value: _show_number(value, layout)
    if "general" in kinds or ("other", "@") in section.tokens:
        return lambda value: "".join(
            plain_number(value) if kind == "general" or text == "@" else text
            for kind, text in section.tokens
        )
    literal = "".join(text for kind, text in section.tokens if kind != "bracket")
    return lambda value: ("-" if value < 0 and literal else "") + literal


# -- numbers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    before: str  # text before the number
    places: str  # of the whole part: 0, # and ?, and text within such as the dashes of 000-0000
    decimals: str
    after: str
    groups: bool  # thousands
    divide: int  # by this power of thousand: commas at the end
    percents: int
    exponent: str | None  # "+" or "-", with the places of the exponent


def _layout(tokens: tuple[Token, ...]) -> _Layout:
    before, after, exponent = "", "", None
    places, decimals, commas, divide, percents = "", "", 0, 0, 0
    state = "before"
    for kind, text in tokens:
        if kind == "other" and text == "%":
            percents += 1
        if kind == "exponent" and state in ("whole", "decimals"):
            state, exponent = "exponent", text[1]
        elif kind == "digits" and state == "exponent":
            exponent = f"{exponent}{text}"
            state = "after"
        elif kind == "digits" and state != "after":
            state = "whole" if state == "before" else state
            places, decimals = (
                (places, decimals + text) if state == "decimals" else (places + text, decimals)
            )
            commas += divide
            divide = 0
        elif kind == "other" and text == "." and state in ("before", "whole"):
            state = "decimals"
        elif kind == "other" and text == "," and state in ("whole", "decimals"):
            divide += 1
        elif state == "before":
            before += text
        elif state == "whole" and text and _more_digits(tokens, kind, text):
            places += text
        else:
            after += text
    return _Layout(
        before,
        places[:_PADDING],
        decimals[:_PADDING],
        after,
        commas > 0,
        divide,
        percents,
        exponent,
    )


def _more_digits(tokens: tuple[Token, ...], kind: str, text: str) -> bool:
    """Whether places follow a text within the whole part, as in ``000-0000``."""
    index = tokens.index((kind, text))
    for later, what in tokens[index + 1 :]:
        if later == "digits":
            return True
        if later == "exponent" or (later == "other" and what == "."):
            return False
    return False


def _show_number(value: float, layout: _Layout) -> str:
    number = _FULL_DIGITS.create_decimal(repr(float(value)))
    number = number.scaleb(2 * layout.percents - 3 * layout.divide)
    if layout.exponent is not None:
        return _sign(number) + layout.before + _scientific(abs(number), layout) + layout.after
    step = Decimal(1).scaleb(-len(layout.decimals))
    rounded = abs(number).quantize(step, ROUND_HALF_UP, _EXACT)
    whole, _, decimals = f"{rounded:f}".partition(".")
    body = _whole(whole, layout) + _decimals(decimals, layout)
    return (_sign(number) if rounded else "") + layout.before + body + layout.after


def _sign(number: Decimal) -> str:
    return "-" if number < 0 else ""


def _whole(digits: str, layout: _Layout) -> str:
    """The whole part, laid into its places from the right."""
    digits = digits.lstrip("0")
    slots = sum(char in "0#?" for char in layout.places)
    out: list[str] = []
    left, count = list(digits), 0
    for char in reversed(layout.places):
        if char not in "0#?":
            out.append(char)
            continue
        slots -= 1
        taken = left.pop() if left else {"0": "0", "?": " "}.get(char, "")
        if taken:
            _group(out, count, layout)
            out.append(taken)
            count += 1
        while not slots and left:  # more digits than places
            _group(out, count, layout)
            out.append(left.pop())
            count += 1
    return "".join(reversed(out))


def _group(out: list[str], count: int, layout: _Layout) -> None:
    if layout.groups and count and count % 3 == 0:
        out.append(",")


def _decimals(digits: str, layout: _Layout) -> str:
    if not layout.decimals:
        return ""
    end = len(layout.decimals)
    while end and layout.decimals[end - 1] != "0" and digits[end - 1] == "0":
        end -= 1
    padding = layout.decimals[end:].count("?") * " "
    return "." + digits[:end] + padding


def _scientific(number: Decimal, layout: _Layout) -> str:
    exponent = layout.exponent or "+0"
    width = max(1, sum(char in "0#?" for char in layout.places))
    power = number.adjusted() if number else 0
    power = power // width * width if width > 1 else power
    step = Decimal(1).scaleb(-len(layout.decimals))
    mantissa = number.scaleb(-power).quantize(step, ROUND_HALF_UP, _EXACT)
    if mantissa >= Decimal(10) ** width:
        power += width
        mantissa = number.scaleb(-power).quantize(step, ROUND_HALF_UP, _EXACT)
    whole, _, decimals = f"{mantissa:f}".partition(".")
    sign = "-" if power < 0 else ("+" if exponent[0] == "+" else "")
    return f"{whole}{_decimals(decimals, layout)}E{sign}{abs(power):0{len(exponent) - 1}d}"


def _show_fraction(value: float, tokens: tuple[Token, ...]) -> str:
    digits = [text for kind, text in tokens if kind == "digits"]
    number = Fraction(value).limit_denominator(10 ** min(len(digits[-1]), 7) - 1)
    sign = "-" if number < 0 else ""
    whole, rest = divmod(abs(number), 1)
    if len(digits) < 3:  # noqa: PLR2004 - no place for a whole part
        return f"{sign}{abs(number).numerator}/{abs(number).denominator}"
    parts = [str(whole)] if whole or not rest else []
    if rest:
        parts.append(f"{rest.numerator}/{rest.denominator}")
    return sign + " ".join(parts)
