"""Answers pasted back into a copy of the workbook that their rows came from.

A workbook, the way it was read and values by row number come in; a copy goes out that has them in
new columns right of everything in the sheet. All other parts of the workbook (sheets, formulas,
charts, pictures, macros, looks) are copied as they are: only the text of the one sheet grows.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape

from batchdesk.errors import TableError
from batchdesk.tables.archive import Archive
from batchdesk.tables.atomic import AtomicFile
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.cells import json_text
from batchdesk.tables.scratch import ScratchFile
from batchdesk.tables.xlsx import COLUMNS_OF_SHEET, WORKBOOK, XlsxReader, column_letters
from batchdesk.tables.xlsx_parts import (
    column_number,
    escaped,
    read_merges,
    read_workbook,
)
from batchdesk.tables.xlsx_writer import cut, is_exact_number

_BLOCK = 65_536
_TAG_BYTES_MAX = 1_000_000
_TAG = re.compile(rb"<(/?)((?:\w+:)?)(row)(?=[\s/>])([^<>]*)>")
_NUMBER = re.compile(rb"\sr\s*=\s*[\"'](\d+)[\"']")
_SPANS = re.compile(rb"\sspans\s*=\s*(\"[^\"]*\"|'[^']*')")
_DIMENSION = re.compile(
    rb"(<(?:\w+:)?dimension\s[^<>]*?ref\s*=\s*[\"'])([A-Z]+\d+)(?::([A-Z]+)(\d+))?([\"'])"
)
_CELL = re.compile(rb"<(?:\w+:)?c\s[^<>]*?\br\s*=\s*[\"']([A-Z]{1,3})\d")
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")

Answers = Iterable[tuple[int, Mapping[str, Any]]]


def paste_back(
    source: Path, target: Path, options: ReadOptions, columns: Sequence[str], answers: Answers
) -> int:
    """Write a copy of a workbook with new columns; blocks. Returns how many rows got values.

    Args:
        source: The XLSX or XLSM workbook that was read.
        target: The copy, with the same suffix; replaced if it exists.
        options: ``sheet`` and ``header_row`` as the rows were read with.
        columns: Names of the new columns.
        answers: Number of the row (the first below the names is 1) and its values by column, in
            ascending order; rows may be missing.

    Raises:
        TableError: the source cannot be read or is the target, the suffix differs, a sheet cannot
            be so wide, or the target cannot be written.
    """
    _check(source, target)
    reader = XlsxReader(source, options)
    sheet, header_row = reader.format.sheet, reader.format.header_row or 1
    with Archive(source, WORKBOOK) as archive:
        part = next(found.part for found in read_workbook(archive).sheets if found.name == sheet)
        first = max(len(reader.columns), _first_free(archive, part))
        if first + len(columns) > COLUMNS_OF_SHEET:
            raise TableError(
                "The sheet has no place for {count} more columns: export to another file.",
                count=len(columns),
            )
        header = {name: name for name in columns}
        lines = (line for line, _ in reader.rows())
        by_line = _with_lines(lines, answers, (header_row, header))
        patch = _Patch(first, columns, by_line)
        scratch = ScratchFile()
        try:
            with AtomicFile(target) as file:
                _copy(archive, scratch.open(), part, patch)
                scratch.copy_to(file)
        finally:
            scratch.remove()
            reader.close()
    return patch.filled - 1  # the names are no row


def _check(source: Path, target: Path) -> None:
    if source.suffix.lower() not in (".xlsx", ".xlsm"):
        raise TableError(
            "Answers can be put back into XLSX and XLSM workbooks only. Save {name} as XLSX in a "
            "spreadsheet program and import that file, or export to another file.",
            name=source.name,
        )
    if source.suffix.lower() != target.suffix.lower():
        raise TableError(
            "The copy of {name} needs the same suffix: {suffix}.",
            name=source.name,
            suffix=source.suffix.lower(),
        )
    if target.exists() and source.exists() and target.samefile(source):
        raise TableError(
            "{name} is the table that the rows were read from. Choose another name for the export.",
            name=target.name,
        )


def _with_lines(
    lines: Iterator[int], answers: Answers, header: tuple[int, Mapping[str, Any]]
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Values with their row of the sheet instead of their number among the rows."""
    yield header
    numbered = enumerate(lines, start=1)
    for number, values in answers:
        for found, line in numbered:
            if found == number:
                yield line, values
                break
        else:
            raise TableError(
                "The workbook has fewer rows than were imported from it: it was changed since. "
                "Import it again."
            )


def _first_free(archive: Archive, part: str) -> int:
    """The first column right of every cell and merged cell of a sheet, counted from 0."""
    last = max((merge.right for merge in read_merges(archive, part)), default=-1)
    known: set[bytes] = set()
    tail = b""
    for block in archive.blocks(part):
        window = tail + block
        known.update(_CELL.findall(window))
        tail = window[-256:]
    return max([last, *map(column_number, known)]) + 1


def _copy(archive: Archive, target: Path, part: str, patch: _Patch) -> None:
    try:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as copy:
            for name in archive.parts:
                with copy.open(name, "w", force_zip64=archive.size(name) > 2**30) as out:
                    blocks = archive.blocks(name)
                    _write(out, patch.patched(blocks) if name == part else blocks)
    except OSError as error:
        raise TableError(
            "{name} could not be written: {reason}. Choose another folder and export again.",
            name=target.name,
            reason=error.strerror or str(error),
        ) from error


def _write(out: IO[bytes], blocks: Iterable[bytes]) -> None:
    for block in blocks:
        out.write(block)


class _Patch:
    """Puts cells at the end of rows of a sheet's XML, which streams through."""

    def __init__(
        self, first: int, columns: Sequence[str], by_line: Iterator[tuple[int, Mapping[str, Any]]]
    ) -> None:
        self.filled = 0
        self._columns = columns
        self._letters = [column_letters(first + index) for index in range(len(columns))]
        self._by_line = by_line
        self._next = next(by_line, None)
        self._row = 0

    def patched(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The sheet's XML with the new cells."""
        held, is_first = b"", True
        for block in blocks:
            held += block
            if is_first and (b"sheetData" in held or len(held) > _TAG_BYTES_MAX):
                held, is_first = self._wider(held), False
            cut_at = held.rfind(b"<")  # a tag may go on in the next block
            whole, held = held[:cut_at], held[cut_at:]
            yield _TAG.sub(self._tag, whole)
            if len(held) > _TAG_BYTES_MAX:
                raise TableError("The sheet cannot be copied: its XML is not as it should be.")
        yield _TAG.sub(self._tag, self._wider(held) if is_first else held)
        if self._next is not None:
            raise TableError(
                "The workbook has fewer rows than were imported from it: it was changed since. "
                "Import it again."
            )

    def _wider(self, head: bytes) -> bytes:
        """The beginning of the sheet, with its dimension grown by the new columns."""
        last = self._letters[-1].encode() if self._letters else b"A"

        def grown(match: re.Match[bytes]) -> bytes:
            row = match[4] or match[2].lstrip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            return match[1] + match[2] + b":" + last + row + match[5]

        return _DIMENSION.sub(grown, head, count=1)

    def _tag(self, match: re.Match[bytes]) -> bytes:
        closing, prefix, name, rest = match.groups()
        if closing:
            return self._cells(prefix) + match[0]
        told = _NUMBER.search(rest)
        following = self._row + 1
        self._row = max(following, int(told[1])) if told else following
        rest = _SPANS.sub(b"", rest)
        if rest.endswith(b"/"):
            cells = self._cells(prefix)
            if not cells:
                return match[0]
            return b"<" + prefix + name + rest[:-1] + b">" + cells + b"</" + prefix + name + b">"
        return b"<" + prefix + name + rest + b">"

    def _cells(self, prefix: bytes) -> bytes:
        if self._next is None or self._next[0] != self._row:
            return b""
        values = self._next[1]
        self._next = next(self._by_line, None)
        self.filled += 1
        row = self._row
        tag = prefix.decode()
        return "".join(
            _cell(tag, f"{letters}{row}", values[name])
            for letters, name in zip(self._letters, self._columns, strict=True)
            if values.get(name) is not None
        ).encode()


def _cell(prefix: str, place: str, value: Any) -> str:
    if isinstance(value, bool):
        return f'<{prefix}c r="{place}" t="b"><{prefix}v>{value:d}</{prefix}v></{prefix}c>'
    if is_exact_number(value):
        return f'<{prefix}c r="{place}"><{prefix}v>{value!r}</{prefix}v></{prefix}c>'
    text = value if isinstance(value, str) else json_text(value)
    text = escape(escaped(cut(_NOT_IN_XML.sub("\ufffd", text))))
    return (
        f'<{prefix}c r="{place}" t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">{text}'
        f"</{prefix}t></{prefix}is></{prefix}c>"
    )
