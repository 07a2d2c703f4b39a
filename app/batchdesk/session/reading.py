"""What can be read as a table, what can be chosen in a file, and tables that were copied.

Suffixes and parts go out; the text of a clipboard comes in and becomes a dataset.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from batchdesk import tables
from batchdesk.prepare.cleaning import StepReport
from batchdesk.prepare.profile import ColumnFigures, Lengths
from batchdesk.session.chunked import chunk_options, chunked
from batchdesk.session.facade import Session
from batchdesk.store.rows import Dataset
from batchdesk.tables import READABLE, list_parts
from batchdesk.tables.base import Chunked, ChunkOptions, Part, ReadOptions

__all__ = [
    "READABLE",
    "ChunkOptions",
    "Chunked",
    "ColumnFigures",
    "Lengths",
    "Part",
    "StepReport",
    "chunk_options",
    "chunked",
    "first_choice",
    "import_pasted",
    "list_parts",
]

_NAME = "pasted.csv"


async def import_pasted(session: Session, *, text: str) -> Dataset:
    """Import copied cells, with the names of the columns in the first line.

    Raises:
        TableError: there is no table in the text.
    """
    reader = await asyncio.to_thread(tables.read_text, text)
    separator = reader.format.separator
    reader.close()
    with tempfile.TemporaryDirectory(prefix="batchdesk-") as folder:
        path = Path(folder) / _NAME
        await asyncio.to_thread(path.write_text, text, "utf-8")
        options = ReadOptions(encoding="utf-8", separator=separator)
        return await session.import_table(path, options=options)


def first_choice(path: Path, options: ReadOptions) -> ReadOptions:
    """The options with the first table of a database that has several; blocks.

    Raises:
        TableError: the file cannot be read.
    """
    if options.table is not None:
        return options
    parts = [one for one in list_parts(path) if one.kind == "table"]
    if len(parts) <= 1:
        return options
    return replace(options, table=parts[0].name)
