"""What the program offers before any project is open: samples, faults, a look into a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from batchdesk import paths
from batchdesk.providers.practice_faults import FAULTS
from batchdesk.session.chunked import open_table
from batchdesk.session.job_file import read_job_file
from batchdesk.tables.base import ReadOptions


@dataclass(frozen=True, slots=True)
class Sample:
    """A bundled job with its table. ``name`` is the file's: reviews-en, reviews-zh, orders."""

    name: str
    job_file: Path
    table: Path


@dataclass(frozen=True, slots=True)
class TablePeek:
    """The beginning of a file, read with some options.

    Attributes:
        format: name, encoding, separator as they were used.
        rows: The first rows, cells as text or None.
        problems: Kind → count, among these rows.
        size: Bytes of the file.
    """

    format: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    problems: Mapping[str, int]
    size: int


def samples() -> list[Sample]:
    """The bundled samples."""
    folder = paths.resources() / "samples"
    found = []
    for job_file in sorted(folder.glob("*.toml")):
        table = read_job_file(job_file).data.path
        if table is not None:
            found.append(Sample(job_file.stem, job_file, table))
    return found


def peek_table(path: Path, options: ReadOptions | None = None, *, count: int = 50) -> TablePeek:
    """Read the first rows of a file; blocks, so call it in a thread.

    Raises:
        TableError: the file cannot be read.
    """
    reader = open_table(path, options)
    try:
        rows = [row for _, row in islice(reader.rows(), count)]
        return TablePeek(
            format=asdict(reader.format),
            columns=tuple(reader.columns),
            rows=tuple(tuple(row) for row in rows),
            problems={kind.value: number for kind, number in reader.problem_counts.items()},
            size=path.stat().st_size,
        )
    finally:
        reader.close()


def fault_names() -> list[str]:
    """The faults that the practice server can play."""
    return list(FAULTS)
