"""``batchdesk inspect`` and ``batchdesk convert``: tables looked at and rewritten, no project.

Options of a command line come in, words or one JSON object go out. Rows are streamed, so the files
may be larger than the memory.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from batchdesk.cli.terminal import show, show_json
from batchdesk.cli.words import PROBLEMS, chunk_words
from batchdesk.errors import TableError, UserError
from batchdesk.session.chunked import chunk_options, open_table
from batchdesk.tables import list_parts, open_writer
from batchdesk.tables.base import (
    ChunkOptions,
    Part,
    Problem,
    Reader,
    ReadOptions,
    TableFormat,
)
from batchdesk.tables.figures import ColumnFigures, TableFigures
from batchdesk.tables.typed import ColumnTypes, has_types

_CHUNK_ROWS = 1000
_PROBLEMS_SHOWN = 20
_VALUE_WIDTH = 40


def inspect(arguments: argparse.Namespace) -> int:
    """``batchdesk inspect``: how a file is read, and what is in it."""
    path: Path = arguments.file
    parts = list_parts(path) if path.is_file() else []
    reader = open_table(path, _options(arguments))
    figures = TableFigures()
    try:
        for _, row in reader.rows():
            figures.add(row)
    finally:
        reader.close()
    columns = figures.columns(reader.columns)
    if arguments.json:
        show_json(_as_json(path, reader, parts, figures.rows, columns))
    else:
        show(*_as_lines(path, reader, parts, figures.rows, columns))
    return 0


def convert(arguments: argparse.Namespace) -> int:
    """``batchdesk convert``: the same rows in another file."""
    source, target = arguments.file, arguments.to
    if target.exists():
        if source.exists() and target.samefile(source):
            raise TableError(
                "{name} is the table that the rows are read from. Choose another name for the "
                "target.",
                name=target.name,
            )
        if not arguments.force:
            raise TableError(
                "{path} exists already. Choose another name, or add --force to overwrite it.",
                path=target,
            )
    options = _options(arguments)
    columns: list[str] | None = None
    while True:
        types = _types(source, options, target)
        reader = open_table(source, options)
        try:
            count, known = _copy(reader, target, columns, types)
        finally:
            reader.close()
        if known is None:
            break
        columns = known  # some turned up after the first rows: once more, with all of them
    show(f"{_rows(count)} {'is' if count == 1 else 'are'} in {target}")
    show(*_problem_lines(reader))
    return 0


class _MoreColumnsError(Exception):
    """Columns turned up that the writer does not know: what was written must go."""


def _types(source: Path, options: ReadOptions, target: Path) -> ColumnTypes | None:
    """The types that the target can keep of a table that has some; reads all of it once."""
    reader = open_table(source, options)
    try:
        if not has_types(reader.format.name, target):
            return None
        types = ColumnTypes(target, reader.columns)
        for _, row in reader.rows():
            types.see(dict(zip(reader.columns, row, strict=False)))
    finally:
        reader.close()
    return types


def _copy(
    reader: Reader, target: Path, columns: list[str] | None, types: ColumnTypes | None
) -> tuple[int, list[str] | None]:
    """How many rows were written; instead, the columns, if there are more than the writer knew."""
    known = columns or list(reader.columns)
    count = 0
    rows = reader.rows()
    try:
        with open_writer(target, known) as writer:
            while chunk := list(islice(rows, _CHUNK_ROWS)):
                _check_known(reader.columns, known)
                some = [dict(zip(reader.columns, row, strict=False)) for _, row in chunk]
                writer.write(some if types is None else [types.typed(row) for row in some])
                count += len(chunk)
    except _MoreColumnsError:
        for _ in rows:
            pass
        return 0, list(reader.columns)
    return count, None


def _check_known(columns: list[str], known: list[str]) -> None:
    if len(columns) > len(known):
        raise _MoreColumnsError


def _options(arguments: argparse.Namespace) -> ReadOptions:
    return ReadOptions(
        encoding=arguments.encoding,
        separator=arguments.separator,
        sheet=arguments.sheet,
        header_row=arguments.header_row,
        table=arguments.table,
        flatten=arguments.flatten,
        chunks=_chunks(arguments),
    )


def _chunks(arguments: argparse.Namespace) -> ChunkOptions | None:
    tokens, overlap = arguments.chunk_tokens, arguments.chunk_overlap
    if arguments.chunk_column is not None:
        model = arguments.chunk_model or ""
        return chunk_options(arguments.chunk_column, model, tokens=tokens, overlap=overlap)
    if (tokens, overlap, arguments.chunk_model) != (None, None, None):
        raise UserError("Say which column's long texts are to be cut: --chunk-column NAME.")
    return None


def _as_json(
    path: Path, reader: Reader, parts: list[Part], rows: int, columns: list[ColumnFigures]
) -> dict[str, Any]:
    return {
        "file": str(path),
        "format": asdict(reader.format),
        "parts": [asdict(part) for part in parts],
        "rows": rows,
        "columns": [{**asdict(column), "values": dict(column.values)} for column in columns],
        "problems": {kind.value: count for kind, count in reader.problem_counts.items()},
        "first_problems": [
            {"kind": problem.kind.value, "line": problem.line, "detail": dict(problem.detail)}
            for problem in reader.problems[:_PROBLEMS_SHOWN]
        ],
    }


def _as_lines(
    path: Path, reader: Reader, parts: list[Part], rows: int, columns: list[ColumnFigures]
) -> Iterator[str]:
    yield f"{path.name}: {_format_words(reader.format)}"
    if parts:
        yield "it has: " + ", ".join(_part_words(part) for part in parts)
    yield f"{_rows(rows)}, {len(columns):,} {'column' if len(columns) == 1 else 'columns'}"
    for column in columns:
        more = "" if column.is_exact else "at least "
        yield (
            f"  {column.name}: {column.blank:,} blank, {more}{column.distinct:,} distinct, "
            f"longest {column.longest:,} characters"
        )
        if column.values and column.distinct < rows:
            yield "    " + ", ".join(f"{_short(value)} {count:,}" for value, count in column.values)
    yield from _problem_lines(reader)
    for problem in reader.problems[:_PROBLEMS_SHOWN]:
        yield f"  {_where(problem)}"


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"


def _format_words(form: TableFormat) -> str:
    words = [form.name]
    if form.encoding and form.name in ("csv", "tsv", "json", "jsonl", "batch-input"):
        words.append(f"encoding {form.encoding}")
    if form.separator is not None:
        words.append(f"separator {_SEPARATORS.get(form.separator, repr(form.separator))}")
    if form.sheet is not None:
        words.append(f"sheet {form.sheet}")
    if form.header_row is not None:
        words.append(f"column names in row {form.header_row}")
    if form.table is not None:
        words.append(f"table {form.table}")
    if form.chunks is not None:
        words.append(f"chunks of {form.chunks.rows:,} rows: {chunk_words(form.chunks.options)}")
    return ", ".join(words)


_SEPARATORS: Mapping[str, str] = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def _part_words(part: Part) -> str:
    return f"{part.kind} {part.name}" + (" (hidden)" if part.is_hidden else "")


def _problem_lines(reader: Reader) -> Iterator[str]:
    for kind, count in reader.problem_counts.items():
        yield f"{count:,} × {PROBLEMS[kind.value]}"


def _where(problem: Problem) -> str:
    place = f"line {problem.line}" if problem.line else "file"
    detail = ", ".join(f"{key} {_short(str(value))}" for key, value in problem.detail.items())
    return f"{place}: {problem.kind.value}" + (f" ({detail})" if detail else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _VALUE_WIDTH else line[: _VALUE_WIDTH - 1] + "…"
