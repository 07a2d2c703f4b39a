"""Jinja2 templates and filters over a row's columns, in the sandbox.

``{{ column }}`` for names that are words, ``{{ row["Column name"] }}`` for all. Unknown names are
errors when the template is made, not when the thousandth row is rendered.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
import jinja2.meta
import jinja2.nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from batchdesk.errors import JobFileError, UserError

Cells = Mapping[str, str | None]


class RenderError(UserError):
    """A template that is right but fails for one row."""


def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        finalize=lambda value: "" if value is None else value,
    )


class Template:
    """One text with column placeholders.

    Attributes:
        used: The columns that it refers to.
    """

    def __init__(self, source: str, columns: Sequence[str], *, where: str) -> None:
        """``where`` names the text in error sentences, such as ``the user text of stage x``."""
        environment = _environment()
        self._where = where
        self.used = _used_columns(environment, source, columns, where)
        self._template = environment.from_string(source)

    def render(self, cells: Cells) -> str:
        """The text for one row.

        Raises:
            RenderError: the template fails for this row.
        """
        try:
            return self._template.render({**cells, "row": cells})
        except Exception as error:
            raise RenderError(
                "{where} cannot be filled in: {reason}.", where=self._where, reason=error
            ) from error


class RowFilter:
    """A condition over the columns, such as ``stars | int > 3 and language == "en"``."""

    def __init__(self, source: str, columns: Sequence[str]) -> None:
        environment = _environment()
        where = "the filter `where`"
        self.used = _used_columns(environment, "{{ " + source + " }}", columns, where)
        self._expression = environment.compile_expression(source, undefined_to_none=False)

    def matches(self, cells: Cells) -> bool:
        """Whether the row is wanted.

        Raises:
            JobFileError: the condition cannot be decided for this row.
        """
        try:
            return bool(self._expression({**cells, "row": cells}))
        except Exception as error:
            raise JobFileError(
                "The filter `where` cannot be decided for a row: {reason}. Cells are text: write "
                "`stars | int > 3` to compare numbers.",
                reason=error,
            ) from error


def _used_columns(
    environment: jinja2.Environment, source: str, columns: Sequence[str], where: str
) -> frozenset[str]:
    try:
        tree = environment.parse(source)
    except jinja2.TemplateSyntaxError as error:
        raise JobFileError(
            "{where} is not a valid template, line {line}: {reason}.",
            where=_capital(where),
            line=error.lineno,
            reason=error.message,
        ) from error
    names = jinja2.meta.find_undeclared_variables(tree)
    used = names - {"row"}
    if "row" in names:
        used |= _row_items(tree, columns)
    for name in sorted(used):
        if name not in columns:
            near = difflib.get_close_matches(name, columns, 1, 0.5)
            raise JobFileError(
                "{where} names a column {name!r} that the table does not have. {hint}",
                where=_capital(where),
                name=name,
                hint=f"Did you mean {near[0]!r}?" if near else f"It has: {_listed(columns)}.",
            )
    return frozenset(used)


def _row_items(tree: jinja2.nodes.Template, columns: Sequence[str]) -> set[str]:
    """Columns named as ``row["…"]`` or ``row.…``; all of them if ``row`` is used in another way."""
    used: set[str] = set()
    seen = 0
    for attribute in tree.find_all(jinja2.nodes.Getattr):
        if _is_row(attribute.node):
            seen += 1
            used.add(attribute.attr)
    for item in tree.find_all(jinja2.nodes.Getitem):
        constant = item.arg.value if isinstance(item.arg, jinja2.nodes.Const) else None
        if _is_row(item.node) and isinstance(constant, str):
            seen += 1
            used.add(constant)
    mentions = sum(_is_row(name) for name in tree.find_all(jinja2.nodes.Name))
    return used if mentions == seen else used | set(columns)


def _is_row(node: jinja2.nodes.Node) -> bool:
    return isinstance(node, jinja2.nodes.Name) and node.name == "row"


def _listed(columns: Sequence[str], at_most: int = 12) -> str:
    shown = ", ".join(columns[:at_most])
    return shown if len(columns) <= at_most else f"{shown}, … ({len(columns)} in all)"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def is_blank(cells: Cells, used: Any) -> bool:
    """Whether every used column of the row is empty (a prompt without columns is never blank)."""
    return bool(used) and not any((cells.get(name) or "").strip() for name in used)
