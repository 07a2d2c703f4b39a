"""A file that is imported again: what changed in it is shown before anything is written.

The changed file becomes a dataset of its own, which knows the one before it and which of its rows
were there unchanged. A run over it does not send those that were answered then; see ``planning``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from batchdesk.session.chunked import chunked, open_table
from batchdesk.session.importing import (
    Progress,
    check_key_column,
    import_table,
    read_chunks,
    told_options,
)
from batchdesk.session.matching import Change, Matcher
from batchdesk.store import carried, rows
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset, StoredRow
from batchdesk.tables.base import Reader, ReadOptions
from batchdesk.tables.keys import KeyAssigner

_CHUNK_ROWS = 5000
SAMPLES_KEPT = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """One row before and after; None where it was not or is no more."""

    key: str
    before: Mapping[str, str | None] | None
    after: Mapping[str, str | None] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A file against the table that was imported from it.

    Attributes:
        counts: Rows by what became of them.
        samples: The first 20 of each kind but the unchanged ones; none after an import.
        by_key: Whether rows were matched by the id column; else by their content, so that a changed
            row counts as one that vanished and a new one.
        added: Columns that the table did not have, ``gone`` those that the file has no more.
            Neither makes a row a changed one.
    """

    counts: Mapping[Change, int]
    samples: Mapping[Change, tuple[Difference, ...]]
    by_key: bool
    added: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing changed."""
        rows_changed = any(n for change, n in self.counts.items() if change is not Change.UNCHANGED)
        return not (rows_changed or self.added or self.gone)


@dataclass(frozen=True, slots=True)
class ImportedAgain:
    """The table of a changed file, and what changed.

    ``changes`` is None where this very content was imported before: nothing was compared.
    """

    dataset: Dataset
    changes: Comparison | None


async def compare_table(
    project: Project,
    dataset: Dataset,
    path: Path,
    *,
    options: ReadOptions | None,
    on_progress: Progress,
) -> Comparison:
    """What an import of the file would change; writes nothing. May be cancelled.

    Args:
        options: How to read the file; None: as the dataset was read.

    Raises:
        TableError: the file cannot be read, or lacks the dataset's id column.
    """
    options = options or told_options(dataset)
    reader = await asyncio.to_thread(open_table, path, options)
    try:
        check_key_column(reader, dataset.key_column)
        return await _compared(project, dataset, reader, on_progress)
    finally:
        reader.close()


async def _compared(
    project: Project, dataset: Dataset, reader: Reader, on_progress: Progress
) -> Comparison:
    counts = dict.fromkeys(Change, 0)
    changes: list[tuple[Change, str, int | None, Mapping[str, str | None]]] = []
    matcher = await _matcher(project, dataset, reader.columns)
    keys = KeyAssigner(has_key_column=dataset.key_column is not None)
    chunks = read_chunks(reader, dataset.key_column, keys)

    def match_next() -> bool:
        chunk = next(chunks, None)
        for _, key, text in chunk or ():
            cells = json.loads(text)
            match = matcher.match(key, cells)
            counts[match.change] += 1
            is_shown = match.change is not Change.UNCHANGED
            if is_shown and counts[match.change] <= SAMPLES_KEPT:
                changes.append((match.change, key, match.earlier_id, cells))
        return chunk is not None

    while await asyncio.to_thread(match_next):
        on_progress(reader.progress())
    gone_ids = matcher.vanished()
    counts[Change.VANISHED] = len(gone_ids)
    wanted = {earlier for _, _, earlier, _ in changes if earlier is not None}
    before = await _rows_by_id(project, wanted | set(gone_ids[:SAMPLES_KEPT]))
    samples = [
        (change, Difference(key, before[earlier].cells if earlier in before else None, cells))
        for change, key, earlier, cells in changes
    ]
    samples += [
        (Change.VANISHED, Difference(before[id_].key, before[id_].cells, None))
        for id_ in gone_ids[:SAMPLES_KEPT]
    ]
    by_kind: Mapping[Change, tuple[Difference, ...]] = {
        kind: tuple(one for change, one in samples if change is kind)
        for kind in Change
        if kind is not Change.UNCHANGED
    }
    return _comparison(dataset, reader.columns, counts, by_kind)


def _comparison(
    earlier: Dataset,
    columns: Collection[str],
    counts: Mapping[Change, int],
    samples: Mapping[Change, tuple[Difference, ...]],
) -> Comparison:
    return Comparison(
        counts=counts,
        samples=samples,
        by_key=earlier.key_column is not None,
        added=tuple(name for name in columns if name not in earlier.columns),
        gone=tuple(name for name in earlier.columns if name not in columns),
    )


async def import_again(
    project: Project,
    earlier: Dataset,
    path: Path,
    *,
    options: ReadOptions | None,
    on_progress: Progress,
) -> ImportedAgain:
    """Import a changed file as what follows a dataset; the same dataset if nothing changed.

    The earlier dataset stays, with its runs and results. The file is read once.

    Raises:
        TableError: the file cannot be read, or lacks the dataset's id column.
    """
    now = await import_table(
        project,
        path,
        key_column=earlier.key_column,
        options=options or told_options(earlier),
        on_progress=on_progress,
    )
    if now.id <= earlier.id or now.earlier_id is not None:
        return ImportedAgain(now, None)
    counts = dict.fromkeys(Change, 0)
    matcher = await _matcher(project, earlier, now.columns)
    async for page in _pages(project, now):
        pairs = await asyncio.to_thread(_unchanged, matcher, page, counts)
        await project.writer.run(partial(carried.carry, pairs=pairs))
    await project.writer.run(partial(carried.follow, dataset_id=now.id, earlier_id=earlier.id))
    counts[Change.VANISHED] = len(matcher.vanished())
    changes = _comparison(earlier, now.columns, counts, {})
    return ImportedAgain(replace(now, earlier_id=earlier.id), changes)


async def _matcher(project: Project, dataset: Dataset, columns: Collection[str]) -> Matcher:
    """A matcher that knows the rows of a table.

    Where a chunk stands does not make it another: a sentence more at the beginning moves them all.
    """
    cut = chunked(dataset)
    places = () if cut is None else cut.added
    common = [name for name in dataset.columns if name in columns and name not in places]
    matcher = Matcher(common, by_key=dataset.key_column is not None)
    async for page in _pages(project, dataset):
        await asyncio.to_thread(_remember, matcher, page)
    return matcher


def _remember(matcher: Matcher, page: list[StoredRow]) -> None:
    for row in page:
        matcher.remember(row.id, row.key, row.cells)


def _unchanged(
    matcher: Matcher, page: list[StoredRow], counts: dict[Change, int]
) -> list[tuple[int, int]]:
    """(row id now, row id before) of rows that did not change; all are counted in ``counts``."""
    matches = [(row.id, matcher.match(row.key, row.cells)) for row in page]
    for _, match in matches:
        counts[match.change] += 1
    return [
        (row_id, match.earlier_id)
        for row_id, match in matches
        if match.change is Change.UNCHANGED and match.earlier_id is not None
    ]


async def _pages(project: Project, dataset: Dataset) -> AsyncIterator[list[StoredRow]]:
    after = 0
    read: Callable[..., list[StoredRow]] = rows.rows_after
    while page := await project.read(
        partial(read, dataset_id=dataset.id, after_id=after, count=_CHUNK_ROWS)
    ):
        after = page[-1].id
        yield page


async def _rows_by_id(project: Project, ids: Collection[int]) -> dict[int, StoredRow]:
    found = await project.read(partial(rows.row_page, ids=sorted(ids)))
    return {row.id: row for row in found}
