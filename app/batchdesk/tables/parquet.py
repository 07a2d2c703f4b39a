"""Parquet: rows read in batches, and written with the types that their values have.

Files come in and rows of text go out, or the other way round. Only a batch is in memory. Numbers,
dates and times become their usual text, nested values compact JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from batchdesk.errors import TableError
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions, Row, TableFormat
from batchdesk.tables.cells import json_text
from batchdesk.tables.columns import COLUMNS_MAX, name_columns
from batchdesk.tables.scratch import ScratchFile, ScratchWriter
from batchdesk.tables.source import open_file

_BATCH_ROWS = 1000
_NO_FRACTION = ".000000000"
_GROUP_ROWS = 20_000
_WIDEST_INTEGER = 2**63


class ParquetReader:
    """Reads all columns; see ``base.Reader``. A row's line is its number in the file.

    Args:
        path: The file.
        options: None of them matters here.

    Raises:
        TableError: the file is no Parquet, or has too many columns.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:  # noqa: ARG002 - as other readers
        import pyarrow.parquet  # noqa: PLC0415 - takes long to import and is rarely needed

        self.path = path
        self._log = ProblemLog()
        self.problems = self._log.problems
        self.problem_counts = self._log.counts
        self._done = 0
        self._stream: BinaryIO = open_file(path)
        try:
            self._file = pyarrow.parquet.ParquetFile(self._stream)
            names = list(self._file.schema_arrow.names)
        except _damage() as error:
            self.close()
            raise self._damaged(error) from error
        except BaseException:
            self.close()
            raise
        if len(names) > COLUMNS_MAX:
            self.close()
            raise TableError(
                "{name} has {cells} columns; at most {limit} are possible.",
                name=path.name,
                cells=len(names),
                limit=COLUMNS_MAX,
            )
        self.columns = name_columns([_clean(name) for name in names], self._log)
        self.format = TableFormat("parquet", "utf-8")

    def rows(self) -> Iterator[tuple[int, Row]]:
        """See ``base.Reader``."""
        try:
            for batch in self._file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
                columns = [self._texts(column) for column in batch.columns]
                for row in zip(*columns, strict=True):
                    self._done += 1
                    yield self._done, list(row)
        except _damage() as error:
            raise self._damaged(error) from error
        finally:
            self.close()
        if not self._done:
            raise TableError(
                "{name} has column names but no rows: check that it is the right file.",
                name=self.path.name,
            )

    def progress(self) -> float:
        """Share of the rows read so far, 0 to 1."""
        return min(1.0, self._done / max(1, int(self._file.metadata.num_rows)))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _texts(self, column: Any) -> list[str | None]:
        values = _of_nanoseconds(column) or column.to_pylist()
        return [self._text(value, place) for place, value in enumerate(values, self._done + 1)]

    def _text(self, value: Any, line: int) -> str | None:
        if value is None:
            return None
        if isinstance(value, str):
            if "\0" in value:
                self._log.add(ProblemKind.NUL_BYTES, line, count=value.count("\0"))
            return _clean(value)
        if isinstance(value, bytes):
            try:
                return _clean(value.decode())
            except UnicodeDecodeError:
                self._log.add(ProblemKind.BINARY_CELL, line, bytes=len(value))
                return value.hex()
        return _plain_text(value)

    def _damaged(self, error: BaseException) -> TableError:
        return TableError(
            "{name} cannot be read as Parquet: {reason}. Have the program that wrote it write it "
            "again.",
            name=self.path.name,
            reason=str(error).partition("\n")[0][:200],
        )


def _damage() -> tuple[type[Exception], ...]:
    import pyarrow as pa  # noqa: PLC0415 - as in ParquetReader

    return (pa.ArrowException, OSError, ValueError, NotImplementedError, KeyError, TypeError)


def _of_nanoseconds(column: Any) -> list[str | None] | None:
    """Times as text where they may be finer than Python's own, else None."""
    import pyarrow as pa  # noqa: PLC0415 - as in ParquetReader

    if getattr(column.type, "unit", None) != "ns":
        return None
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    return [text and text.replace(_NO_FRACTION, "") for text in texts]


def _plain_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, (dict, list, tuple)):
        return json_text(value)
    return str(value)


def _clean(text: str) -> str:
    return text.replace("\0", "")


class ParquetWriter(ScratchWriter):
    """Writes one file; see ``ScratchWriter``.

    A column's type is that of its values: whole numbers, numbers, true and false, dates,
    times, else text. It is
    known at the end only, so rows wait in a temporary file.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._kinds: dict[str, set[type]] = {name: set() for name in columns}
        self._waiting = ScratchFile()
        self._spool: Any = None

    def _begin(self, path: Path) -> None:
        self._path = path
        self._spool = self._waiting.open().open("w+", encoding="utf-8")

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            values = [self._noted(name, row.get(name)) for name in self._columns]
            self._spool.write(json.dumps(values) + "\n")

    def _noted(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, int) and not -_WIDEST_INTEGER <= value < _WIDEST_INTEGER:
            value = str(value)
        elif isinstance(value, date):
            self._kinds[name].add(type(value))
            return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
        elif not isinstance(value, (str, bool, int, float)):
            value = json_text(value)
        self._kinds[name].add(type(value))
        return value

    def _end(self) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as in ParquetReader
        import pyarrow.parquet  # noqa: PLC0415 - as in ParquetReader

        types = [_type_of(self._kinds[name]) for name in self._columns]
        arrow = {
            int: pa.int64(),
            float: pa.float64(),
            bool: pa.bool_(),
            date: pa.date32(),
            datetime: pa.timestamp("us"),
            str: pa.string(),
        }
        schema = pa.schema(
            [(_text(name), arrow[kind]) for name, kind in zip(self._columns, types, strict=True)]
        )
        self._spool.seek(0)
        with pyarrow.parquet.ParquetWriter(str(self._path), schema) as writer:
            while lines := list(islice(self._spool, _GROUP_ROWS)):
                rows = map(json.loads, lines)
                columns = [
                    pa.array([_as(kind, value) for value in values], arrow[kind])
                    for kind, values in zip(types, zip(*rows, strict=True), strict=True)
                ]
                writer.write_table(pa.Table.from_arrays(columns, schema=schema))

    def _put_away(self) -> None:
        try:
            if self._spool is not None:
                self._spool.close()
        finally:
            self._waiting.remove()

    def _faults(self) -> tuple[type[Exception], ...]:
        return _damage()


def _type_of(kinds: set[type]) -> type:
    if kinds in ({int}, {bool}, {date}, {datetime}):
        return next(iter(kinds))
    if kinds and kinds <= {int, float}:
        return float
    return str


def _as(kind: Any, value: Any) -> Any:
    if value is None or kind in (int, bool):
        return value
    if kind is float:
        return float(value)
    if kind in (date, datetime):
        return kind.fromisoformat(value)
    return _text(value if isinstance(value, str) else json_text(value))


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
