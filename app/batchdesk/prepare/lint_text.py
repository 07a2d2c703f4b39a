"""The words and the placeholders of a template, with their places in the source."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import jinja2
import jinja2.meta
import jinja2.nodes

from batchdesk.prepare.fence import Fence


@dataclass(frozen=True, slots=True)
class Words:
    """``source[start:end]`` is text as it is sent."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Placeholder:
    """``source[start:end]`` is ``{{ … }}``; ``inside`` is where its expression stands."""

    start: int
    end: int
    inside: tuple[int, int]
    names: frozenset[str]
    is_fenced: bool


def parts_of(source: str) -> tuple[list[Words], list[Placeholder]]:
    """Words and placeholders of a template; nothing of what is no template at all."""
    environment = jinja2.Environment(keep_trailing_newline=True, autoescape=False)  # noqa: S701 - prompts are no HTML
    words: list[Words] = []
    holders: list[Placeholder] = []
    at = begun = inside = 0
    try:
        for _line, kind, value in environment.lex(source):
            # The lexer leaves out spaces that `-` trims, so each part is looked for.
            start = source.find(value, at)
            if start < 0:  # a carriage return, which the lexer turns into a line feed
                return parts_of(source.replace("\r\n", "\n")) if "\r" in source else ([], [])
            at = start + len(value)
            if kind == "data":
                words.append(Words(start, at, value))
            elif kind == "variable_begin":
                begun = start
                inside = at
            elif kind == "variable_end":
                whole = (begun, start + len(value.rstrip()))  # `-}}` has the spaces it trims
                holders.append(_placeholder(environment, source, whole, (inside, start)))
    except jinja2.TemplateError:
        return [], []
    return words, holders


def sent(source: str) -> str:
    """The words of a template, placeholders left out."""
    return "".join(part.text for part in parts_of(source)[0])


def _placeholder(
    environment: jinja2.Environment, source: str, whole: tuple[int, int], inside: tuple[int, int]
) -> Placeholder:
    tree = environment.parse("{{" + source[inside[0] : inside[1]] + "}}")
    names = {node.name for node in tree.find_all(jinja2.nodes.Name)}
    calls = [node.node for node in tree.find_all(jinja2.nodes.Call)]
    filters = {node.name for node in tree.find_all(jinja2.nodes.Filter)}
    called = {node.name for node in calls if isinstance(node, jinja2.nodes.Name)}
    is_fenced = "fenced" in called | filters
    return Placeholder(*whole, inside, frozenset(names - called), is_fenced)


def fenced(source: str, columns: Collection[str]) -> str:
    """The template with every placeholder of a column fenced."""
    as_filter = "fenced" in columns  # a column of that name hides the function
    for holder in reversed(open_placeholders(source, columns)):
        start, end = holder.inside
        expression = source[start:end].strip()
        new = f"({expression}) | fenced" if as_filter else f"fenced({expression})"
        source = f"{source[:start]} {new} {source[end:]}"
    return source


def fenced_like(source: str, columns: Collection[str], written: str) -> str:
    """A text that somebody wrote as an example of this template, fenced as the template would.

    It stays as it is where the template has not one placeholder, or the text is not of its form.
    """
    words, holders = parts_of(source)
    if len(holders) != 1 or not open_placeholders(source, columns):
        return written
    (holder,) = holders
    before = "".join(part.text for part in words if part.end <= holder.start)
    after = "".join(part.text for part in words if part.start >= holder.end)
    is_alike = (
        source == f"{before}{source[holder.start : holder.end]}{after}"
        and written.startswith(before)
        and written.endswith(after)
        and len(written) >= len(before) + len(after)
    )
    if not is_alike:
        return written
    data = written[len(before) : len(written) - len(after)]
    return f"{before}{Fence([data])(data)}{after}"


def open_placeholders(source: str, columns: Collection[str]) -> list[Placeholder]:
    """The placeholders that put a cell into the text without a fence."""
    known = {*columns, "row"}
    return [one for one in parts_of(source)[1] if one.names & known and not one.is_fenced]
