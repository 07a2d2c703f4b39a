"""From a file to a dataset in the project: read in a thread, written in groups, cancellable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any, TypedDict

from batchdesk import tables
from batchdesk.domain.job import Job
from batchdesk.errors import TableError
from batchdesk.session.chunked import (
    ChunkedReader,
    PartNames,
    chunks_of_job,
    columns_hint,
    open_table,
)
from batchdesk.store import rows
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset
from batchdesk.tables.base import ChunkOptions, Problem, ProblemKind, Reader, ReadOptions
from batchdesk.tables.keys import KeyAssigner
from batchdesk.tables.row_json import RowJson

Progress = Callable[[float], None]
StoredRows = list[tuple[int, str, bytes]]  # number, key, cells as JSON

# What is written in one transaction; an import that is called off waits for one at most.
_CHUNK_ROWS, _CHUNK_CELLS = 5000, 100_000
_CHUNK_LENGTH = 8_000_000  # of their JSON
# As lists of cells, before they are JSON, which takes much memory of a wide table or of long texts.
_ROWS_AT_ONCE, _LENGTH_AT_ONCE, _FIRST_AT_ONCE = 256, 4_000_000, 8


class Where(TypedDict):
    """Where a dataset was read from, and the options that were given."""

    path: str | None
    told: dict[str, Any]


async def import_table(
    project: Project,
    path: Path,
    *,
    key_column: str | None,
    options: ReadOptions,
    on_progress: Progress,
) -> Dataset:
    """Import a file, or find it again if the same content was imported with the same options.

    Cancelling leaves nothing that could be seen; the space is given back in the background.

    Raises:
        TableError: the file cannot be read, or it has no such key column.
    """
    reader = await asyncio.to_thread(open_table, path, options)
    try:
        check_key_column(reader, key_column)
        content_hash = await asyncio.to_thread(tables.fingerprint, path, options)
        known = await project.read(
            partial(rows.same_dataset, content_hash=content_hash, key_column=key_column)
        )
        where = _where(path, options)
        if known is not None:
            return await _placed(project, known, where)
        return await _store(project, reader, key_column, content_hash, on_progress, where=where)
    finally:
        reader.close()


async def _placed(project: Project, known: Dataset, where: Where) -> Dataset:
    """A dataset that was imported before, now with the place where its file is today."""
    now = replace(known, **where)
    if project.writable and now != known:
        await project.writer.run(partial(rows.place_dataset, dataset_id=known.id, **where))
    return now


async def _store(
    project: Project,
    reader: Reader,
    key_column: str | None,
    content_hash: str,
    on_progress: Progress,
    *,
    where: Where,
) -> Dataset:
    begin = partial(
        rows.begin_dataset,
        name=_as_text(reader.path.stem),
        source=_as_text(reader.path.name),
        key_column=key_column,
        **where,
    )
    dataset_id = await project.writer.run(begin)
    keys = KeyAssigner(has_key_column=key_column is not None)
    try:
        count = await _store_rows(
            project, reader, key_column, keys, dataset_id=dataset_id, on_progress=on_progress
        )
        problems, counts = _problems(reader, keys)
        await project.writer.run(
            partial(
                rows.finish_dataset,
                dataset_id=dataset_id,
                table_format=asdict(reader.format),
                columns=reader.columns,
                content_hash=content_hash,
                row_count=count,
                problems=problems,
                problem_counts=counts,
            )
        )
    except BaseException:
        abandon = partial(rows.abandon_dataset, dataset_id=dataset_id)
        await asyncio.shield(project.writer.run(abandon))
        project.clean()
        raise
    dataset = await project.read(partial(rows.dataset, dataset_id=dataset_id))
    if dataset is None:
        raise TableError(
            "The import of {name} did not finish. Try it again.", name=reader.path.name
        )
    return dataset


async def _store_rows(
    project: Project,
    reader: Reader,
    key_column: str | None,
    keys: KeyAssigner,
    *,
    dataset_id: int,
    on_progress: Progress,
) -> int:
    """Read the next chunk while the last one is written; returns how many rows there were."""
    chunks = read_chunks(reader, key_column, keys)
    count = 0
    writing: asyncio.Future[None] | None = None
    try:
        while chunk := await asyncio.to_thread(next, chunks, None):
            if writing is not None:
                await writing
            writing = asyncio.ensure_future(
                project.writer.bulk(partial(rows.add_rows, dataset_id=dataset_id, rows=chunk))
            )
            count += len(chunk)
            on_progress(reader.progress())
    finally:
        if writing is not None:
            await writing
    return count


def read_chunks(reader: Reader, key_column: str | None, keys: KeyAssigner) -> Iterator[StoredRows]:
    """The rows of a file as they are stored, some thousands at once; fewer of wide or long ones."""
    size = max(1, min(_CHUNK_ROWS, _CHUNK_CELLS // max(1, len(reader.columns))))
    chunk: StoredRows = []
    length = 0
    for some in _stored_rows(reader, key_column, keys, min(size, _ROWS_AT_ONCE)):
        chunk += some
        length += sum(len(cells) for _, _, cells in some)
        if len(chunk) >= size or length >= _CHUNK_LENGTH:
            yield chunk
            chunk, length = [], 0
    if chunk:
        yield chunk


def _stored_rows(
    reader: Reader, key_column: str | None, keys: KeyAssigner, most: int
) -> Iterator[StoredRows]:
    """The same, few at once; how many follows how long the last ones were."""
    index = reader.columns.index(key_column) if key_column is not None else None
    parts = PartNames(reader, index, keys) if isinstance(reader, ChunkedReader) else None
    as_json, lines, number = RowJson(reader.columns), reader.rows(), 0
    at_once = min(most, _FIRST_AT_ONCE)
    while gathered := list(islice(lines, at_once)):
        numbers: Sequence[int] = range(number + 1, number + len(gathered) + 1)
        if parts is not None:
            numbers, given = parts.of(gathered)
        elif index is None:
            given = keys.number(len(gathered))
        else:
            given = keys.assign(
                (line, row[index] if index < len(row) else None) for line, row in gathered
            )
        cells = as_json.many([row for _, row in gathered])
        yield list(zip(numbers, given, cells, strict=True))
        number += len(gathered)
        length = sum(map(len, cells)) // len(gathered)
        at_once = max(1, min(most, _LENGTH_AT_ONCE // max(1, length)))


def _problems(
    reader: Reader, keys: KeyAssigner
) -> tuple[list[tuple[str, int | None, dict[str, object]]], dict[str, int]]:
    """Problems of the file and of its keys together, in the order of the lines."""
    found: list[Problem] = [*reader.problems, *keys.log.problems]
    found.sort(key=lambda problem: problem.line or 0)
    counts: dict[ProblemKind, int] = dict(reader.problem_counts)
    for kind, count in keys.log.counts.items():
        counts[kind] = counts.get(kind, 0) + count
    listed = [(problem.kind.value, problem.line, dict(problem.detail)) for problem in found]
    return listed, {kind.value: count for kind, count in counts.items()}


def check_key_column(reader: Reader, key_column: str | None) -> None:
    """Raises TableError if the table has no such column to take the keys from."""
    if key_column is None or key_column in reader.columns:
        return
    raise TableError(
        "{name} has no column {column!r} to take the keys from. {hint}",
        name=reader.path.name,
        column=key_column,
        hint=columns_hint(key_column, reader.columns),
    )


def is_source_of(path: Path, dataset: Dataset) -> bool:
    """Whether a dataset was read from this file: the same name and the same content.

    Blocks, so call it in a thread. Only the name of a file is kept, not its folder: a copy in
    another folder counts as well.
    """
    if _as_text(path.name).casefold() != dataset.source.casefold() or not path.is_file():
        return False
    # Older programs did not keep the options as given: each was named as it was used, or left out.
    used = ((None, dataset.format.get(name)) for name in ("encoding", "separator"))
    likely = [ReadOptions(encoding, separator) for encoding, separator in product(*used)]
    try:
        return any(
            tables.fingerprint(path, options) == dataset.content_hash
            for options in ([told_options(dataset)] if dataset.told else likely)
        )
    except OSError:
        return False  # whoever writes there says what is wrong


def _where(path: Path, options: ReadOptions) -> Where:
    """Where a file lies, if its path is text, and how it was asked to be read."""
    whole = str(path.absolute())
    return {"path": whole if _as_text(whole) == whole else None, "told": asdict(options)}


def told_options(dataset: Dataset) -> ReadOptions:
    """The options by which a dataset was read; what this program does not know is left out."""
    known = {option.name for option in fields(ReadOptions)}
    told = {name: value for name, value in dataset.told.items() if name in known}
    if told.get("chunks"):
        told["chunks"] = ChunkOptions(**told["chunks"])
    return ReadOptions(**told)


def options_of(job: Job) -> ReadOptions:
    """How a job's table is to be read."""
    data = job.data
    return ReadOptions(
        encoding=data.encoding,
        separator=data.separator,
        sheet=data.sheet,
        header_row=data.header_row,
        table=data.table,
        flatten=data.flatten,
        chunks=chunks_of_job(job),
    )


def _as_text(name: str) -> str:
    """A file's name; of one whose bytes are no text, with "?" where they are not."""
    return name.encode("utf-8", "replace").decode()
