"""Jinja2 templates and filters over a row's columns, in the sandbox.

``{{ column }}`` for names that are words, ``{{ row["Column name"] }}`` for all, and
``{{ fenced(column) }}`` (or ``{{ column | fenced }}``) for data between marks. Unknown names are
errors when the template is made, not when the thousandth row is rendered.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jinja2
import jinja2.meta
import jinja2.nodes

from batchdesk.errors import JobFileError, Phrase, UserError
from batchdesk.prepare.fence import Fence
from batchdesk.prepare.template_bounds import (
    BUDGET,
    BoundedEnvironment,
    Budget,
    TooMuchError,
    printable,
)

Cells = Mapping[str, str | None]

_NOT_A_WORD = re.compile(r"\W")
_METHODS = frozenset({"get", "items", "keys", "values"})  # of a row as a whole
# What Jinja2 and Python's own compiler raise for hundreds of nested parentheses.
_TOO_DEEP = (RecursionError, MemoryError, SyntaxError)
_OTHER_TEMPLATES = (
    jinja2.nodes.Extends,
    jinja2.nodes.FromImport,
    jinja2.nodes.Import,
    jinja2.nodes.Include,
)


class RenderError(UserError):
    """A template that is right but fails for one row."""


class _Row(dict[str, str]):
    """A row's cells; an empty cell is "", so that filters such as ``upper`` do not say NONE."""


class _Environment(BoundedEnvironment):
    """The sandbox, in which ``row.items`` is the column ``items`` where there is one."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, _Row) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def _environment() -> _Environment:
    return _Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        finalize=_shown,
    )


def _shown(value: Any) -> Any:
    return "" if value is None else value if value.__class__ is str else printable(value)


def _offer_fence(environment: _Environment, used: Callable[[], frozenset[str]]) -> None:
    """Make ``fenced`` known; its mark occurs in none of the used cells of the row."""

    @jinja2.pass_context
    def fenced(context: jinja2.runtime.Context, value: object) -> str:
        row: _Row = context["row"]
        return Fence(row.get(name, "") for name in sorted(used()))(value)

    environment.globals["fenced"] = environment.filters["fenced"] = fenced


def _names(cells: Cells) -> dict[str, Any]:
    """What a template may refer to."""
    row = _Row({name: cell or "" for name, cell in cells.items()})
    return {**row, "row": row, BUDGET: Budget()}


class Template:
    """One text with column placeholders.

    Attributes:
        used: The columns that it refers to.
    """

    def __init__(self, source: str, columns: Sequence[str], *, where: Phrase | str) -> None:
        """``where`` begins error sentences, such as ``The user text of stage x``.

        Raises:
            JobFileError: not a template, or it names a column that the table does not have.
        """
        environment = _environment()
        _offer_fence(environment, lambda: self.used)
        self._where = where
        try:
            self.used = _used_columns(environment, source, columns, where)
            self._template = environment.from_string(source)
            self._plain = self._template.render() if _is_plain(environment, source) else None
        except _TOO_DEEP as error:
            raise _too_deep(where) from error

    def render(self, cells: Cells) -> str:
        """The text for one row.

        Raises:
            RenderError: the template fails for this row.
        """
        if self._plain is not None:
            return self._plain
        try:
            text = self._template.render(_names(cells))
            text.encode()  # a lone surrogate, which a template can write, cannot be sent
        except Exception as error:
            raise RenderError(
                "{where} cannot be filled in: {reason}.",
                where=self._where,
                reason=_sentence(error),
            ) from error
        return text


class RowFilter:
    """A condition over the columns, such as ``stars | int > 3 and language == "en"``."""

    def __init__(self, source: str, columns: Sequence[str]) -> None:
        """A condition for rows of these columns.

        Raises:
            JobFileError: not a condition, or it names a column that the table does not have.
        """
        environment = _environment()
        where = Phrase("The filter `where`")
        try:
            self._expression = environment.compile_expression(source, undefined_to_none=False)
            self.used = _used_columns(environment, "{{ " + source + " }}", columns, where)
        except jinja2.TemplateSyntaxError as error:
            raise JobFileError(
                "{where} is not a valid condition: {reason}.{hint}",
                where=where,
                reason=(error.message or "").rstrip("."),
                hint=_spaced_hint(source, columns),
            ) from error
        except _TOO_DEEP as error:
            raise _too_deep(where) from error

    def matches(self, cells: Cells) -> bool:
        """Whether the row is wanted.

        Raises:
            JobFileError: the condition cannot be decided for this row.
        """
        try:
            return bool(self._expression(_names(cells)))
        except TooMuchError as error:
            raise JobFileError(
                "The filter `where` cannot be decided for a row: {reason}.", reason=error.said
            ) from error
        except Exception as error:
            raise JobFileError(
                "The filter `where` cannot be decided for a row: {reason}. Cells are text: write "
                "`stars | int > 3` to compare numbers.",
                reason=_sentence(error),
            ) from error


def _is_plain(environment: jinja2.Environment, source: str) -> bool:
    """Whether it is text alone, the same for every row."""
    try:
        source.encode()
    except UnicodeEncodeError:
        return False  # each row says so, with a sentence
    return all(kind == "data" for _, kind, _ in environment.lex(source))


def _too_deep(where: Phrase | str) -> JobFileError:
    return JobFileError("{where} is nested too deeply. Make it flatter.", where=where)


def _used_columns(
    environment: jinja2.Environment, source: str, columns: Sequence[str], where: Phrase | str
) -> frozenset[str]:
    try:
        tree = environment.parse(source)
        names = jinja2.meta.find_undeclared_variables(tree)  # finds unknown filters and tests too
    except jinja2.TemplateSyntaxError as error:
        raise JobFileError(
            "{where} is not a valid template, line {line}: {reason}.{hint}",
            where=where,
            line=error.lineno,
            reason=(error.message or "").rstrip("."),
            hint=_spaced_hint(source, columns),
        ) from error
    _filters_and_tests_exist(environment, tree, where)
    if any(tree.find_all(_OTHER_TEMPLATES)):
        raise JobFileError(
            "{where} includes, imports or extends another template; it must stand alone.",
            where=where,
        )
    if "fenced" in environment.globals and "fenced" not in columns:
        _fence_is_called(tree, columns, where)
    used = {n for n in names if n in columns or n not in environment.globals} - {"row"}
    if "row" in names:
        used |= _row_items(tree, columns, where)
    for name in sorted(used):
        if name not in columns:
            raise JobFileError(
                "{where} names a column {name!r} that the table does not have. {hint}",
                where=where,
                name=name,
                hint=_nearest_hint(name, columns),
            )
    return frozenset(used)


def _fence_is_called(
    tree: jinja2.nodes.Template, columns: Sequence[str], where: Phrase | str
) -> None:
    """``fenced.text`` looks like a column, but would fail in every row."""
    calls = sum(_is_name(call.node, "fenced") for call in tree.find_all(jinja2.nodes.Call))
    if calls == sum(_is_name(name, "fenced") for name in tree.find_all(jinja2.nodes.Name)):
        return
    parts = {one.attr for one in tree.find_all(jinja2.nodes.Getattr)}
    parts |= {str(one.value) for one in tree.find_all(jinja2.nodes.Const)}
    column = next((name for name in columns if name in parts), columns[0] if columns else "text")
    raise JobFileError(
        "{where} says `fenced` without the column in parentheses. Write {written}.",
        where=where,
        written=f"{{{{ fenced({_written(column)}) }}}}",
    )


def _filters_and_tests_exist(
    environment: jinja2.Environment, tree: jinja2.nodes.Template, where: Phrase | str
) -> None:
    """Also those in conditions, which Jinja2 would look for only when a row gets there."""
    for node in tree.find_all((jinja2.nodes.Filter, jinja2.nodes.Test)):
        is_filter = isinstance(node, jinja2.nodes.Filter)
        if node.name not in (environment.filters if is_filter else environment.tests):
            raise JobFileError(
                "{where} is not a valid template, line {line}: {reason}.{hint}",
                where=where,
                line=node.lineno,
                reason=(
                    Phrase("No filter named {name!r}", name=node.name)
                    if is_filter
                    else Phrase("No test named {name!r}", name=node.name)
                ),
                hint="",
            )


def _spaced_hint(source: str, columns: Sequence[str]) -> Phrase | str:
    """How to write the first column that stands in the source and is not one word."""
    bare = source.replace('"', "").replace("'", "")
    for name in columns:
        if _NOT_A_WORD.search(name) and name in bare and not _is_quoted(name, source):
            return Phrase(
                " Write {written} for the column {name!r}.", written=_written(name), name=name
            )
    return ""


def _is_quoted(name: str, source: str) -> bool:
    return f'"{name}"' in source or f"'{name}'" in source


def _nearest_hint(name: str, columns: Sequence[str]) -> Phrase:
    by_folded = {column.casefold(): column for column in reversed(columns)}
    near = difflib.get_close_matches(name.casefold(), by_folded, 1, 0.5)
    if not near:
        return _listed(columns)
    found = by_folded[near[0]]
    shown = repr(found) if found.isidentifier() else _written(found)
    return Phrase("Did you mean {near}?", near=shown)


def _written(column: str) -> str:
    """A column as a template names it."""
    return column if column.isidentifier() else f"row[{json.dumps(column, ensure_ascii=False)}]"


def _row_items(
    tree: jinja2.nodes.Template, columns: Sequence[str], where: Phrase | str
) -> set[str]:
    """Columns named as ``row["…"]`` or ``row.…``; all of them if ``row`` is used in another way."""
    used: set[str] = set()
    seen = 0
    for attribute in tree.find_all(jinja2.nodes.Getattr):
        if _is_name(attribute.node, "row") and (
            attribute.attr in columns or attribute.attr not in _METHODS
        ):
            seen += 1
            used.add(attribute.attr)
    for item in tree.find_all(jinja2.nodes.Getitem):
        constant = item.arg.value if isinstance(item.arg, jinja2.nodes.Const) else None
        if _is_name(item.node, "row") and isinstance(constant, str):
            seen += 1
            used.add(constant)
    mentions = sum(_is_name(name, "row") for name in tree.find_all(jinja2.nodes.Name))
    if mentions == seen:
        return used
    if "row" in columns:
        raise JobFileError(
            "{where} says `row`, which means the whole row here, but the table has a column of "
            'that name. Write row["row"] for the column.',
            where=where,
        )
    return used | set(columns)


def _is_name(node: jinja2.nodes.Node, name: str) -> bool:
    return isinstance(node, jinja2.nodes.Name) and node.name == name


def _listed(columns: Sequence[str], at_most: int = 12) -> Phrase:
    known = ", ".join(columns[:at_most])
    if len(columns) <= at_most:
        return Phrase("It has: {known}.", known=known)
    return Phrase("It has: {known}, … ({count} in all).", known=known, count=len(columns))


def _sentence(error: Exception) -> Phrase | str:
    """An error's own words, to stand before a full stop."""
    if isinstance(error, TooMuchError):
        return error.said
    return (str(error) or type(error).__name__).rstrip(".")


def is_blank(cells: Cells, used: Any) -> bool:
    """Whether every used column of the row is empty (a prompt without columns is never blank)."""
    return bool(used) and not any((cells.get(name) or "").strip() for name in used)
