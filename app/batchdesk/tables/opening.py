"""Which reader or writer a file is for: decided by its suffix, and for text by what is in it.

A path comes in; a Reader or Writer goes out. The modules of the rarer formats are imported when a
file of theirs is opened, so that a window that only reads CSV starts quickly.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import astuple
from pathlib import Path

from batchdesk.errors import TableError
from batchdesk.tables.base import Part, Reader, ReadOptions, Writer
from batchdesk.tables.delimited import TAB_SUFFIXES, DelimitedReader, DelimitedWriter
from batchdesk.tables.jsonl import JsonlReader, JsonlWriter
from batchdesk.tables.source import open_file, probe_file

SQLITE_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".db3")
BATCH_INPUT, BATCH_OUTPUT = ".batch-input.jsonl", ".batch-output.jsonl"
_DELIMITED = (".csv", ".txt", *TAB_SUFFIXES)
_JSONL = (".jsonl", ".ndjson")
_XLSX = (".xlsx", ".xlsm")
_DOCUMENTS = (".text", ".md", ".markdown", ".pdf", ".docx")  # one row each, as in a folder
READABLE = (
    ".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls", ".json", ".jsonl", ".ndjson",
    ".parquet", *SQLITE_SUFFIXES, *_DOCUMENTS,
)  # fmt: skip
WRITABLE = (
    ".csv", ".tsv", ".tab", ".txt", ".xlsx", ".jsonl", ".ndjson", ".parquet", *SQLITE_SUFFIXES,
)  # fmt: skip


def open_reader(path: Path, options: ReadOptions | None = None) -> Reader:
    """Open a table; its columns are known at once, its rows are streamed.

    Args:
        path: A file with a suffix of ``READABLE`` (``.txt`` is CSV, TSV or JSONL, by its content),
            a document, or a folder of documents.
        options: What is known of the file; the rest is guessed.

    Raises:
        TableError: another format, or a file that cannot be read.
    """
    options = options or ReadOptions()
    suffix = path.suffix.lower()
    if _is_folder(path) or suffix in _DOCUMENTS:
        from batchdesk.tables.folder import FolderReader  # noqa: PLC0415 - see the module

        return FolderReader(path, options)
    if suffix in _DELIMITED or suffix in _JSONL:
        return _open_text(path, options)
    return _opener(path, suffix)(path, options)


def _open_text(path: Path, options: ReadOptions) -> Reader:
    suffix = path.suffix.lower()
    probe = probe_file(path, options)
    if suffix in _JSONL or (suffix == ".txt" and _begins_as_jsonl(probe.head)):
        return JsonlReader(path, options, probe)
    return DelimitedReader(path, options, probe)


def _opener(path: Path, suffix: str) -> Callable[[Path, ReadOptions], Reader]:
    """Readers of what is no plain text."""
    if suffix == ".json":
        from batchdesk.tables.json_table import JsonReader  # noqa: PLC0415 - see the module

        return JsonReader
    if suffix in (*_XLSX, ".xls"):
        return _workbook_opener(path, suffix)
    if suffix == ".parquet":
        from batchdesk.tables.parquet import ParquetReader  # noqa: PLC0415 - see the module

        return ParquetReader
    if suffix in SQLITE_SUFFIXES:
        from batchdesk.tables.database import SqliteReader  # noqa: PLC0415 - see the module

        return SqliteReader
    raise TableError(
        "{name} is in no format that Batchdesk reads: use {known}, or a folder of documents.",
        name=path.name,
        known=", ".join(READABLE),
    )


def _workbook_opener(path: Path, suffix: str) -> Callable[[Path, ReadOptions], Reader]:
    """Of the two kinds of workbooks, the one that the file is, whatever its name says."""
    with open_file(path) as file:
        is_new = file.read(4).startswith(b"PK")
    if is_new or suffix in _XLSX:
        from batchdesk.tables.xls import XlsReader, is_xls  # noqa: PLC0415 - see the module
        from batchdesk.tables.xlsx import XlsxReader  # noqa: PLC0415 - see the module

        return XlsReader if is_xls(path) else XlsxReader
    from batchdesk.tables.xls import XlsReader  # noqa: PLC0415 - see the module

    return XlsReader


def open_writer(path: Path, columns: Sequence[str]) -> Writer:
    """A writer for a new table; nothing is created before it is entered with ``with``.

    Args:
        path: The suffix decides: tab between cells for ``.tsv`` and ``.tab``, comma for ``.csv``
            and ``.txt``, one of ``WRITABLE`` for the others; ``.batch-input.jsonl`` and
            ``.batch-output.jsonl`` are files of batch requests and answers.
        columns: Names in order.

    Raises:
        TableError: another format, or one that cannot hold these columns.
    """
    name, suffix = path.name.lower(), path.suffix.lower()
    if name.endswith((BATCH_INPUT, BATCH_OUTPUT)):
        from batchdesk.tables.batch import (  # noqa: PLC0415 - see the module
            BatchInputWriter,
            BatchOutputWriter,
        )

        writer = BatchInputWriter if name.endswith(BATCH_INPUT) else BatchOutputWriter
        return writer(path, columns)
    if suffix in _JSONL:
        return JsonlWriter(path, columns)
    if suffix in _DELIMITED:
        return DelimitedWriter(path, columns, "\t" if suffix in TAB_SUFFIXES else ",")
    return _other_writer(path, suffix)(path, columns)


def _other_writer(path: Path, suffix: str) -> Callable[[Path, Sequence[str]], Writer]:
    if suffix == ".xlsx":
        from batchdesk.tables.xlsx_writer import XlsxWriter  # noqa: PLC0415 - see the module

        return XlsxWriter
    if suffix == ".parquet":
        from batchdesk.tables.parquet import ParquetWriter  # noqa: PLC0415 - see the module

        return ParquetWriter
    if suffix in SQLITE_SUFFIXES:
        from batchdesk.tables.database import SqliteWriter  # noqa: PLC0415 - see the module

        return SqliteWriter
    raise TableError(
        "{name} is in no format that Batchdesk writes: use {known}.",
        name=path.name,
        known=", ".join(WRITABLE),
    )


def list_parts(path: Path) -> list[Part]:
    """What can be chosen in a file: a workbook's sheets, a database's tables, an object's lists.

    Blocks: a JSON file that is one object is read as a whole.

    Raises:
        TableError: the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix in (*_XLSX, ".xls"):
        from batchdesk.tables import xls, xlsx  # noqa: PLC0415 - see the module

        return xls.sheets_of(path) if xls.is_xls(path) else xlsx.sheets_of(path)
    if suffix in SQLITE_SUFFIXES:
        from batchdesk.tables.database import tables_of  # noqa: PLC0415 - see the module

        return tables_of(path)
    if suffix == ".json":
        from batchdesk.tables.json_table import lists_of  # noqa: PLC0415 - see the module

        return lists_of(path)
    return []


def fingerprint(path: Path, options: ReadOptions) -> str:
    """SHA-256 of the bytes, with what makes other rows of them: the suffix and the options.

    Of a folder, of the names and bytes of its files. Blocks.

    Raises:
        OSError: a file cannot be read.
    """
    if path.is_dir():
        digest = _folder_digest(path)
    else:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
    how: tuple[object, ...] = (path.suffix.lower(), options.encoding, options.separator)
    more = (options.sheet, options.header_row, options.table, options.flatten)
    if more != (None, None, None, False):  # files without such options keep their older hash
        how += more
    if options.chunks is not None:
        how += astuple(options.chunks)
    digest.update(repr(how).encode())
    return digest.hexdigest()


def _folder_digest(folder: Path) -> hashlib._Hash:
    from batchdesk.tables.folder import documents_in  # noqa: PLC0415 - see the module

    digest = hashlib.sha256()
    for file in documents_in(folder):
        digest.update(file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape"))
        try:
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError:  # told among the problems when it is read
            digest.update(b"unreadable")
    return digest


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have: told when it is opened
        return False


def _begins_as_jsonl(head: str) -> bool:
    line = head.lstrip().partition("\n")[0]
    if not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
