"""Where personal data stands in a text: character ranges by kind, each checked, none overlapping.

Patterns find candidates; check digits, calendars and telephone plans decide. Everything here is
pure and takes time in proportion to the text, whatever is in it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from batchdesk.domain.clean import MaskKind

if TYPE_CHECKING:
    from phonenumbers import PhoneNumberMatch


class Span(NamedTuple):
    """``text[start:end]`` is of this kind."""

    start: int
    end: int
    kind: str


# Digits, letters and signs typed full-width with a Chinese input method: one character for one.
_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@+-."
_NARROW = {ord(sign) + 0xFEE0: sign for sign in _SIGNS} | {0x3000: " "}

_AT = re.compile(
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![\w-]*@)"
)
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$")
_URL = re.compile(
    r"(?<![A-Za-z0-9])(?:https?|ftp)://(?:[A-Za-z0-9\-._~%!$&'()*+,;=:@\[\]]+|[^\s/?#,。、!<>\"'()]+)"
    r"(?:[/?#][A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*)?"
    r"|(?<![A-Za-z0-9.@])www\.[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:[/?#][A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]*)?",
    re.IGNORECASE,
)
_CARD = re.compile(r"(?<![\dA-Za-z])(?<!\d[ -])(?:\d[ -]?){12,18}\d(?![ -]?\d)(?![A-Za-z])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])")
_RESIDENT = re.compile(r"(?<!\d)[1-9]\d{16}[\dXx](?![\dA-Za-z])")
_IP4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)")
_IP6 = re.compile(
    r"(?<![A-Za-z0-9_:])(?=[0-9A-Fa-f:.]{2,45})[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![A-Za-z0-9_:])"
)
# Four numbers between dots, and account numbers with a slip of the pen, are no telephone numbers.
_NO_PHONE = (
    re.compile(r"(?<![\d.])(?:\d{1,5}\.){3}\d{1,5}(?![\d]|\.\d)"),
    re.compile(
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
    ),
)
_ENOUGH_DIGITS = re.compile(r"\d(?:[\s().\-/]{0,3}\d){6}")
_VERSION = re.compile(
    r"(?:(?<![A-Za-z])(?:v|versions?|build|release|before|prior to|update to)|[<>]=?|版本|版)"
    r"\s*[:=]?\s*$",
    re.IGNORECASE,
)

_OPEN, _CLOSED = "([\uff08", ")]\uff09"  # the last ones as typed in Chinese

# Characters that close a sentence rather than a web address.
_AFTER_URL = ".,;:!?'\")]}*"

_RESIDENT_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_RESIDENT_CHECK = "10X98765432"
_PROVINCES = frozenset(
    str(code)
    for first, last in (
        (11, 15),
        (21, 23),
        (31, 37),
        (41, 46),
        (50, 54),
        (61, 65),
        (71, 71),
        (81, 83),
    )
    for code in range(first, last + 1)
)

# Lengths of account numbers by country, from the registry of ISO 13616.
_IBAN_LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "FK", "FO", "GL", "NL", "SD"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "BA", "EE", "KZ", "LT", "LU", "XK", "MN"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "BH", "CR", "DE", "GB", "GE", "IE", "ME", "RS", "VA"), 22),
    **dict.fromkeys(("AE", "GI", "IL", "IQ", "OM", "SO", "TL"), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "PK", "RO", "SA", "SE", "SK", "TN", "VG"), 24),
    **dict.fromkeys(("LY", "PT", "ST"), 25),
    **dict.fromkeys(("IS", "TR"), 26),
    **dict.fromkeys(("BI", "DJ", "FR", "GR", "IT", "MC", "MR", "SM"), 27),
    **dict.fromkeys(("AL", "AZ", "BY", "CY", "DO", "GT", "HN", "HU", "LB", "NI", "PL", "SV"), 28),
    **dict.fromkeys(("BR", "EG", "PS", "QA", "UA"), 29),
    **dict.fromkeys(("JO", "KW", "MU", "YE"), 30),
    **dict.fromkeys(("MT", "SC"), 31),
    **dict.fromkeys(("LC",), 32),
    **dict.fromkeys(("RU",), 33),
}

# First digits of the great card networks, with the lengths of their numbers.
_CARD_NETWORKS = (
    ("4", frozenset({13, 16, 19})),
    *((str(first), frozenset({16})) for first in range(51, 56)),
    *((str(first), frozenset({16})) for first in range(2221, 2721)),
    *((first, frozenset({15})) for first in ("34", "37")),
    *(
        (first, frozenset({14, 16, 19}))
        for first in ("300", "301", "302", "303", "304", "305", "36")
    ),
    *(
        (first, frozenset({16, 19}))
        for first in ("6011", "644", "645", "646", "647", "648", "649", "65")
    ),
    *((str(first), frozenset({16, 17, 18, 19})) for first in range(3528, 3590)),
    ("62", frozenset({16, 17, 18, 19})),
    *((str(first), frozenset({16, 19})) for first in range(2200, 2205)),
    *(
        (first, frozenset({16, 18, 19}))
        for first in ("5018", "5020", "5038", "6304", "6759", "6761", "6762", "6763")
    ),
)
_CARD_FIRST = dict(_CARD_NETWORKS)


def find(text: str, kinds: Collection[MaskKind], regions: Sequence[str]) -> list[Span]:
    """The personal data of these kinds, in the order of the text.

    Where two kinds claim the same characters, the surer one has them: addresses before numbers,
    numbers with a check digit before telephone numbers.

    Args:
        regions: Countries (ISO 3166) whose telephone numbers count without a country code.
    """
    narrow = text.translate(_NARROW) if not text.isascii() else text
    taken: list[Span] = []
    for kind in _SUREST_FIRST:
        if kind in kinds and _may_hold(kind, narrow):
            hidden = _without(narrow, taken)
            taken += [Span(start, end, kind) for start, end in _finder(kind, regions)(hidden)]
    return sorted(taken)


def _may_hold(kind: MaskKind, text: str) -> bool:
    """A quick no for the many texts that have nothing of a kind."""
    if kind is MaskKind.EMAIL:
        return "@" in text
    if kind is MaskKind.URL:
        return "://" in text or "www." in text.lower()
    if kind is MaskKind.IP:
        return text.count(".") > 2 or text.count(":") > 1  # noqa: PLR2004 - dots and colons of an address
    return _ENOUGH_DIGITS.search(text) is not None or kind is MaskKind.IBAN


def _without(text: str, taken: Sequence[Span]) -> str:
    """The text with what is found already overwritten, each character by one."""
    pieces: list[str] = []
    at = 0
    for span in sorted(taken):
        pieces += [text[at : span.start], "_" * (span.end - span.start)]
        at = span.end
    return "".join([*pieces, text[at:]]) if pieces else text


def _finder(kind: MaskKind, regions: Sequence[str]) -> Callable[[str], Iterator[tuple[int, int]]]:
    if kind is MaskKind.PHONE:
        return lambda text: _phones(text, regions)
    return _FINDERS[kind]


def _emails(text: str) -> Iterator[tuple[int, int]]:
    free = 0
    for match in _AT.finditer(text):
        local = _LOCAL.search(text, max(free, match.start() - 64), match.start())
        if local is None:
            continue
        start = local.start() + len(local[0]) - len(local[0].lstrip(".'/|{"))
        if start < match.start():
            yield start, match.end()
            free = match.end()


def _urls(text: str) -> Iterator[tuple[int, int]]:
    for match in _URL.finditer(text):
        found = match[0]
        while found and found[-1] in _AFTER_URL and not _closes_own(found):
            found = found[:-1]
        yield match.start(), match.start() + len(found)


def _closes_own(url: str) -> bool:
    """Whether the last character is a bracket that was opened inside the address."""
    pair = {")": "(", "]": "["}.get(url[-1])
    return pair is not None and url.count(pair) >= url.count(url[-1])


def _ibans(text: str) -> Iterator[tuple[int, int]]:
    free = 0
    for match in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(match[0][:2].upper())
        if length is None or match.start() < free:
            continue
        end = _reach(text, match.start(), length)
        if end is not None and _is_iban(text[match.start() : end]):
            yield match.start(), end
            free = end


def _reach(text: str, start: int, wanted: int) -> int | None:
    """Where so many letters and digits end, single spaces and hyphens between them allowed."""
    at, seen = start, 0
    while at < len(text) and seen < wanted:
        if text[at].isascii() and text[at].isalnum():
            seen += 1
        elif text[at] not in " -" or text[at - 1] in " -":
            return None
        at += 1
    after = text[at : at + 1]
    return at if seen == wanted and not (after.isascii() and after.isalnum()) else None


def _is_iban(found: str) -> bool:
    """ISO 13616: first four characters to the end, letters as numbers, modulo 97 is 1."""
    plain = "".join(char for char in found if char.isalnum()).upper()
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def _cards(text: str) -> Iterator[tuple[int, int]]:
    for match in _CARD.finditer(text):
        digits = "".join(filter(str.isdigit, match[0]))
        lengths = next(
            (_CARD_FIRST[digits[:n]] for n in (4, 3, 2, 1) if digits[:n] in _CARD_FIRST), None
        )
        if lengths and len(digits) in lengths and len(set(digits)) > 1 and passes_luhn(digits):
            yield match.span()


def passes_luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: every second digit from the right doubled, its digits summed, modulo 10."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0  # noqa: PLR2004 - decimal


def _residents(text: str) -> Iterator[tuple[int, int]]:
    for match in _RESIDENT.finditer(text):
        if is_resident_id(match[0]):
            yield match.span()


def is_resident_id(number: str) -> bool:
    """GB 11643: 18 signs with a province, a day that exists, and a check sign modulo 11."""
    total = sum(
        int(digit) * weight for digit, weight in zip(number, _RESIDENT_WEIGHTS, strict=False)
    )
    if number[:2] not in _PROVINCES or _RESIDENT_CHECK[total % 11] != number[17].upper():
        return False
    try:
        born = date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return born.year >= 1850  # noqa: PLR2004 - nobody alive is older


def _ips(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_IP4, _IP6):
        for match in pattern.finditer(text):
            if _is_address(match[0]) and not _VERSION.search(
                text, max(0, match.start() - 12), match.start()
            ):
                yield match.span()


def _is_address(found: str) -> bool:
    if found.count(":") and not any(char.isdigit() for char in found):
        return False  # "a::b" and "::" are code or emphasis more often than addresses
    try:
        ipaddress.ip_address(found)
    except ValueError:
        return False
    return True


def _phones(text: str, regions: Sequence[str]) -> Iterator[tuple[int, int]]:
    from phonenumbers import Leniency, PhoneNumberMatcher  # noqa: PLC0415 - heavy, seldom needed

    for shape in _NO_PHONE:
        text = shape.sub(lambda match: "_" * len(match[0]), text)
    found: list[Span] = []
    for region in regions or (None,):  # without a country: numbers that begin with +
        if _ENOUGH_DIGITS.search(text) is None:
            break
        matcher = PhoneNumberMatcher(
            text, region, leniency=Leniency.VALID, max_tries=1000, min_candidate_length=7
        )
        new = [_phone_span(match) for match in matcher]
        text = _without(text, new)
        found += new
    yield from ((start, end) for start, end, _ in sorted(found))


def _phone_span(match: PhoneNumberMatch) -> Span:
    number = match.raw_string
    opens = number[0] in _OPEN and not any(bracket in number for bracket in _CLOSED)
    return Span(match.start + opens, match.end, MaskKind.PHONE)


_FINDERS: dict[MaskKind, Callable[[str], Iterator[tuple[int, int]]]] = {
    MaskKind.EMAIL: _emails,
    MaskKind.URL: _urls,
    MaskKind.IBAN: _ibans,
    MaskKind.RESIDENT_ID: _residents,
    MaskKind.CARD: _cards,
    MaskKind.IP: _ips,
}
_SUREST_FIRST = (
    MaskKind.URL,
    MaskKind.EMAIL,
    MaskKind.IBAN,
    MaskKind.RESIDENT_ID,
    MaskKind.CARD,
    MaskKind.IP,
    MaskKind.PHONE,
)
