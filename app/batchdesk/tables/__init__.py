"""Files in, files out: one module per format behind one Reader and one Writer protocol (``base``).

``open_reader`` and ``open_writer`` choose the format by the file's suffix; encoding and separator
are guessed from the content. Nobody else needs to know the formats' own modules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from batchdesk.errors import TableError
from batchdesk.tables.base import Reader, ReadOptions, Writer
from batchdesk.tables.delimited import TAB_SUFFIXES, DelimitedReader, DelimitedWriter
from batchdesk.tables.jsonl import JsonlReader, JsonlWriter
from batchdesk.tables.source import probe_file

__all__ = ["open_reader", "open_writer"]

_DELIMITED = {".csv", ".txt", *TAB_SUFFIXES}
_JSONL = {".jsonl", ".ndjson"}


def open_reader(path: Path, options: ReadOptions | None = None) -> Reader:
    """Open a table; its columns are known at once, its rows are streamed.

    Args:
        path: ``.csv``, ``.tsv``, ``.tab``, ``.txt`` (CSV, TSV or JSONL, by its content),
            ``.jsonl`` or ``.ndjson``.
        options: What is known of the file; the rest is guessed.

    Raises:
        TableError: another format, or a file that cannot be read.
    """
    options = options or ReadOptions()
    suffix = _known_suffix(path)
    probe = probe_file(path, options)
    if suffix in _JSONL or (suffix == ".txt" and _begins_as_jsonl(probe.head)):
        return JsonlReader(path, options, probe)
    return DelimitedReader(path, options, probe)


def open_writer(path: Path, columns: Sequence[str]) -> Writer:
    """A writer for a new table; nothing is created before it is entered with ``with``.

    Args:
        path: The suffix decides: tab between cells for ``.tsv`` and ``.tab``, comma for ``.csv``
            and ``.txt``, JSONL for ``.jsonl`` and ``.ndjson``.
        columns: Names in order.

    Raises:
        TableError: another format.
    """
    suffix = _known_suffix(path)
    if suffix in _JSONL:
        return JsonlWriter(path, columns)
    return DelimitedWriter(path, columns, "\t" if suffix in TAB_SUFFIXES else ",")


def _known_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in _DELIMITED or suffix in _JSONL:
        return suffix
    raise TableError(
        "{name} is in no format that Batchdesk reads or writes: use .csv, .tsv, .tab, .txt, "
        ".jsonl or .ndjson.",
        name=path.name,
    )


def _begins_as_jsonl(head: str) -> bool:
    line = head.lstrip().partition("\n")[0]
    if not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
