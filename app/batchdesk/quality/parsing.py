"""From the text of an answer to a JSON value, and how much mending that took."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

import json_repair

_FENCED = re.compile(r"\A\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


class UnparsableError(ValueError):
    """The text holds no usable JSON; ``code`` says why: not_json, cut, several, not_repairable."""

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

    A code fence around it is taken off. Two values one after another are not guessed between. A
    text that stops in the middle is not completed: a cut value could pass for a whole one.

    Raises:
        UnparsableError: no one JSON value in it.
    """
    fenced = _FENCED.match(text)
    inner = (fenced.group(1) if fenced else text).strip()
    try:
        return Parsed(_strict(inner), repaired=False)
    except ValueError:
        pass
    if _holds_several(inner):
        raise UnparsableError("several")
    if not inner.startswith(("{", "[")):
        return _inside_prose(inner)
    if inner[-1] not in "}]":
        raise UnparsableError("cut")
    return Parsed(_mended(inner), repaired=True)


def _strict(text: str) -> Any:
    return json.loads(text, parse_constant=_no_constant)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity are not JSON


def _holds_several(text: str) -> bool:
    """Whether one whole JSON object or list is followed by the start of another."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return False
    return text[end:].lstrip(" \t\r\n,;").startswith(("{", "["))


def _inside_prose(text: str) -> Parsed:
    """The one JSON object in a text that begins or ends with words."""
    start = text.find("{")
    if start < 0:
        raise UnparsableError("not_json")
    try:
        value, end = json.JSONDecoder(parse_constant=_no_constant).raw_decode(text[start:])
    except ValueError:
        raise UnparsableError("not_json") from None
    if "{" in text[start + end :]:
        raise UnparsableError("several")
    return Parsed(value, repaired=True)


def _mended(text: str) -> Any:
    try:
        value = json_repair.loads(text)
    except (ValueError, RecursionError):
        raise UnparsableError("not_repairable") from None
    if not isinstance(value, dict | list) or not value:
        raise UnparsableError("not_repairable")
    return value
