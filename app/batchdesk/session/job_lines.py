"""Where in a TOML text a key stands: the line numbers that its parser does not keep.

A text that is valid TOML and the place of a value in its data come in; a line number comes out.
Table headers and plain ``key =`` lines are followed; keys of inline tables are looked for below
the line that their table begins on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

Location = tuple[int | str, ...]

_HEADER = re.compile(r"\s*(\[{1,2})\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_SETTING = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=\s*(.*)")
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'[^']*'""")
_KEY_ERRORS = (
    "Invalid initial character for a key part",
    "Invalid statement",
    "Expected '=' after a key",
)
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")
_BARE = re.compile(r"[\w-]+")
_LONG_QUOTES = ('"""', "'" * 3)


def line_of(text: str, location: Location) -> int | None:
    """The line that sets the key or opens the table at this location; None if none does."""
    found = _lines(text)
    if location in found:
        return found[location]
    start = nearest_line(text, location[:-1])
    keys = [part for part in location if isinstance(part, str)]
    return _inline(text, keys[-1], start) if keys and start else None


def nearest_line(text: str, location: Location) -> int | None:
    """The line of the innermost table or key around this location that has one."""
    found = _lines(text)
    for length in range(len(location), 0, -1):
        if location[:length] in found:
            return found[location[:length]]
    return None


def bare_key(text: str, error: str) -> tuple[int, str] | None:
    """(line, name) where the parser stopped at a name without quotes that needs them.

    Args:
        error: The parser's own words, which end with the place.
    """
    place = _PLACE.search(error)
    if place is None or not error.startswith(_KEY_ERRORS):
        return None
    number, column = int(place[1]), int(place[2]) - 1
    line = text.replace("\r\n", "\n").split("\n")[number - 1]
    found = next((key for key in _BARE.finditer(line) if key.start() <= column < key.end()), None)
    if found is None or found[0].isascii():
        return None
    return number, found[0]


def _lines(text: str) -> dict[Location, int]:
    """Location → line; a table that only its parts are written of begins with the first of them."""
    settings = list(_settings(text))
    found = dict(settings)
    for location, line in settings:
        for length in range(1, len(location)):
            found.setdefault(location[:length], line)
    return found


def _settings(text: str) -> Iterator[tuple[Location, int]]:
    """Location → line, of all table headers and of all keys at the beginning of a line."""
    table: Location = ()
    counts: dict[Location, int] = {}
    quotes, brackets = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if quotes:
            quotes = "" if quotes in line else quotes
        elif brackets > 0:
            brackets += _opened(line)
        elif (header := _HEADER.match(line)) is not None:
            is_list = header.group(1) == "[["
            table = _table(_parts(header.group(2)), counts, is_list=is_list)
            if is_list and table[-1] == 0:
                yield table[:-1], number
            yield table, number
        elif (setting := _SETTING.match(line)) is not None:
            yield (*table, *_parts(setting.group(1))), number
            quotes = _left_open(setting.group(2))
            brackets = 0 if quotes else _opened(setting.group(2))


def _opened(line: str) -> int:
    """How many more brackets a line opens than it closes."""
    bare = _QUOTED.sub("", line).partition("#")[0]
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def _table(parts: list[str], counts: dict[Location, int], *, is_list: bool) -> Location:
    """A header's location; the last element so far where it leads through a list of tables."""
    path: Location = ()
    for index, part in enumerate(parts):
        path = (*path, part)
        if is_list and index == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _parts(dotted: str) -> list[str]:
    """A dotted key's parts, without quotes; a key that cannot be read alone stays whole."""
    try:
        value: Any = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return [dotted]
    parts = []
    while isinstance(value, dict):
        [(part, value)] = value.items()
        parts.append(part)
    return parts


def _left_open(value: str) -> str:
    """The quotes that a text of several lines, begun here, waits for."""
    for quotes in _LONG_QUOTES:
        if value.startswith(quotes) and quotes not in value[len(quotes) :]:
            return quotes
    return ""


def _inline(text: str, key: str, start: int) -> int | None:
    """The first line from ``start`` on that sets the key in an inline table."""
    setting = re.compile(rf"""(^|[\s{{,])["']?{re.escape(key)}["']?\s*=""")
    for number, line in enumerate(text.splitlines(), 1):
        if number >= start and setting.search(line):
            return number
    return None
