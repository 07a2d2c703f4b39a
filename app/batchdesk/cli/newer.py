"""A table read in on the command line: a file that changed follows what was imported from it.

A session and the file of a job come in; the dataset goes out, and one sentence on standard error
about what changed, or none where the file is new or the same.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from batchdesk.cli.progress import ProgressLine
from batchdesk.cli.terminal import tell
from batchdesk.session import Change, Comparison, ReadOptions, Session, told_options
from batchdesk.session.importing import is_source_of
from batchdesk.store.rows import Dataset


async def import_or_follow(
    session: Session, path: Path, key: str | None, options: ReadOptions, line: ProgressLine
) -> Dataset:
    """Import the file; what was answered of rows that did not change is not asked again.

    Raises:
        TableError: the file cannot be read, or lacks the column ``key``.
    """
    earlier = await _earlier(session, path, key, options)
    if earlier is None:
        return await session.import_table(
            path, key_column=key, options=options, on_progress=line.importing
        )
    again = await session.import_again(
        earlier.id, path, options=options, on_progress=line.importing
    )
    line.end()
    if again.changes is None:
        tell(f"{path.name} is again as it was in an earlier import")
    else:
        tell(changes_line(path.name, again.changes))
    return again.dataset


async def _earlier(
    session: Session, path: Path, key: str | None, options: ReadOptions
) -> Dataset | None:
    """The newest table of this file, read in the same way, that the file is to follow.

    None if there is none, or if the file did not change. An import that was called off before its
    rows were matched is a table that follows none yet: the one before it is taken.
    """
    place = str(await asyncio.to_thread(path.absolute))
    for dataset in await session.datasets():
        where = (dataset.path, dataset.key_column, told_options(dataset))
        if where != (place, key, options):
            continue
        if not await asyncio.to_thread(is_source_of, path, dataset):
            return dataset
        if dataset.earlier_id is not None:
            return None
    return None


def changes_line(name: str, found: Comparison) -> str:
    """The rows by what became of them, and columns that came or went."""
    kinds = [kind for kind in Change if found.by_key or kind is not Change.CHANGED]
    words = [", ".join(f"{found.counts[kind]:,} {kind}" for kind in kinds)]
    if not found.by_key:
        words.append("matched by content")
    words += [f"new column {column}" for column in found.added]
    words += [f"column {column} is gone" for column in found.gone]
    if found.counts[Change.VANISHED]:
        words.append("results of vanished rows stay in their runs")
    return f"{name} changed since it was imported: {'; '.join(words)}"
