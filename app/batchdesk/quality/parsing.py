"""From the text of an answer to a JSON value, and how much mending that took.

Model text comes in, a value that is safe to keep goes out: finite numbers, whole characters and a
bounded depth, so that whatever stores or compares it later can.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import json_repair

_FENCE = "```"
_FENCE_WORD = re.compile(r"[\w-]*\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_DEEPEST = 64  # levels of lists and objects; no schema that a person writes comes near
_MOST_DIGITS = 400  # of a whole number; a float holds no more than 309 either


class UnparsableError(ValueError):
    """The text holds no usable JSON; ``code`` says why.

    not_json, cut, several (values, or one field given twice), not_finite (NaN, infinity, a number
    of hundreds of digits),
    too_deep, not_repairable.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value; ``repaired`` if its text had to be mended to be read at all."""

    value: Any
    repaired: bool


def parse(text: str) -> Parsed:
    """Read the one JSON value of an answer.

    A code fence around it is taken off. Two values one after another are not guessed between, nor
    two values of one field. A text that stops in the middle is not completed: a cut value could
    pass for a whole one.

    Raises:
        UnparsableError: no one JSON value in it.
    """
    try:
        parsed = _parsed(_unfenced(text.strip()))
    except RecursionError:
        raise UnparsableError("too_deep") from None
    value = _whole(parsed.value)
    return Parsed(value, parsed.repaired or value != parsed.value)


def whole_characters(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, which no UTF-8 file can hold."""
    return _HALF_PAIR.sub("\ufffd", text)


def _unfenced(text: str) -> str:
    """The text without a code fence around all of it."""
    first, line_end, rest = text.partition("\n")
    opens = first.startswith(_FENCE) and _FENCE_WORD.fullmatch(first, len(_FENCE))
    if not line_end or not opens or not rest.endswith(_FENCE):
        return text
    return rest.removesuffix(_FENCE).strip()


def _parsed(text: str) -> Parsed:
    try:
        return Parsed(_DECODER.decode(text), repaired=False)
    except json.JSONDecodeError:
        pass
    if not text.startswith(("{", "[")):
        return _inside_prose(text)
    try:
        value, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError:
        return Parsed(_mended(text), repaired=True)
    return _alone(value, text[end:])


def _inside_prose(text: str) -> Parsed:
    """The one JSON object in a text that begins with words."""
    start = text.find("{")
    if start < 0:
        raise UnparsableError("not_json")
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise UnparsableError("not_json") from None
    return _alone(value, text[end:])


def _alone(value: Any, rest: str) -> Parsed:
    """The value if no other one stands in the words after it."""
    if "{" in rest or rest.lstrip(" \t\r\n,;").startswith("["):
        raise UnparsableError("several")
    return Parsed(value, repaired=True)


def _mended(text: str) -> Any:
    if text[-1] not in "}]" or _is_open(text):
        raise UnparsableError("cut")
    try:
        value = json_repair.loads(text)
    except ValueError:
        raise UnparsableError("not_repairable") from None
    if not isinstance(value, dict | list) or not value:
        raise UnparsableError("not_repairable")
    return value


def _is_open(text: str) -> bool:
    """Whether a bracket is never closed, as far as the quotes let one tell."""
    bare = _STRING.sub("", text)
    if '"' in bare:
        return False
    return sum(map(bare.count, "{[")) > sum(map(bare.count, "}]"))


def _whole(value: Any, depth: int = 0) -> Any:
    """The value with whole characters only.

    Raises:
        UnparsableError: it is nested too deep, or holds a number that JSON has not.
    """
    if depth > _DEEPEST:
        raise UnparsableError("too_deep")
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise UnparsableError("not_finite")
    if isinstance(value, list):
        return [_whole(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {whole_characters(key): _whole(item, depth + 1) for key, item in value.items()}
    return value


def _no_constant(name: str) -> NoReturn:
    raise UnparsableError("not_finite") from ValueError(name)


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise UnparsableError("not_finite")
    return int(digits)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs) and any(found[key] != value for key, value in pairs):
        raise UnparsableError("several")
    return found


_DECODER = json.JSONDecoder(
    parse_constant=_no_constant, parse_int=_integer, object_pairs_hook=_object
)
