"""What changed in a file since it was imported, told before it is imported again.

A session and the file of a job come in; one sentence on standard error goes out, or none where the
file is new or the same.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from batchdesk.cli.progress import ProgressLine
from batchdesk.cli.terminal import tell
from batchdesk.session import Change, Comparison, ReadOptions, Session, told_options
from batchdesk.session.importing import is_source_of
from batchdesk.store.rows import Dataset


async def tell_changes(
    session: Session, path: Path, key: str | None, options: ReadOptions, line: ProgressLine
) -> None:
    """Compare the file with what was imported from it last; writes nothing.

    Raises:
        TableError: the file cannot be read, or lacks the column ``key``.
    """
    earlier = await _earlier(session, path, key, options)
    if earlier is None:
        return
    found = await session.compare_table(
        earlier.id, path, options=options, on_progress=line.importing
    )
    line.end()
    tell(changes_line(path.name, found))


async def _earlier(
    session: Session, path: Path, key: str | None, options: ReadOptions
) -> Dataset | None:
    """The newest table of this file, read in the same way; None if the file did not change."""
    place = str(await asyncio.to_thread(path.absolute))
    for dataset in await session.datasets():
        where = (dataset.path, dataset.key_column, told_options(dataset))
        if where == (place, key, options):
            same = await asyncio.to_thread(is_source_of, path, dataset)
            return None if same else dataset
    return None


def changes_line(name: str, found: Comparison) -> str:
    """The rows by what became of them, and columns that came or went."""
    kinds = [kind for kind in Change if found.by_key or kind is not Change.CHANGED]
    words = [", ".join(f"{found.counts[kind]:,} {kind}" for kind in kinds)]
    if not found.by_key:
        words.append("matched by content")
    words += [f"new column {column}" for column in found.added]
    words += [f"column {column} is gone" for column in found.gone]
    return f"{name} changed since it was imported: {'; '.join(words)}"
