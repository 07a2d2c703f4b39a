"""From a text file to its lines: opening, checking, decoding, splitting, in blocks.

A path comes in; lists of physical lines go out, with their line ends, at the speed of C. What the
file's bytes are guilty of (NULs, broken characters) is noted with its line. Both readers use it.
"""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from batchdesk.errors import Phrase, TableError
from batchdesk.tables.base import ProblemKind, ProblemLog, ReadOptions
from batchdesk.tables.encoding import guess_encoding, take_samples

BLOCK_BYTES = 65_536  # larger ones leave the processor's cache and cost half as much again
_MARK = "\ufeff"
_NUL_SHARE_OF_BINARY = 0.1

# What Python counts among its text codecs but no table is written in.
_NOT_OF_FILES = {"idna", "punycode", "unicode-escape", "raw-unicode-escape"}
_MAGIC: tuple[tuple[bytes, Phrase], ...] = (
    (b"%PDF", Phrase("a PDF document")),
    (b"\x1f\x8b", Phrase("a gzip archive")),
    (b"7z\xbc\xaf\x27\x1c", Phrase("a 7-Zip archive")),
    (b"Rar!", Phrase("a RAR archive")),
    (b"PK\x03\x04", Phrase("a ZIP archive")),
    (b"\x89PNG", Phrase("a picture")),
    (b"\xff\xd8\xff", Phrase("a picture")),
    (b"GIF8", Phrase("a picture")),
    (b"SQLite format 3\x00", Phrase("a SQLite database")),
    (b"PAR1", Phrase("a Parquet file")),
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What is known of a file before it is read."""

    encoding: str
    head: str  # the beginning as text, without byte order mark; up to some 256 KB
    whole: bool  # head is the whole file


def probe_file(path: Path, options: ReadOptions) -> Probe:
    """Look at a file: is it text, and in which encoding.

    Raises:
        TableError: missing, a folder, not readable, empty, not text, or an unknown encoding.
    """
    with open_file(path) as file:
        try:
            samples = take_samples(file, os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise _unreadable(path, error) from error
    head = samples.pieces[0]
    if not head:
        raise TableError("{name} is empty: it has not a single byte.", name=path.name)
    _refuse_known_binary(path, head)
    encoding = options.encoding or guess_encoding(samples)
    check_encoding(encoding)
    if not codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):
        _refuse_nuls(path, head)
    try:
        text = codecs.getincrementaldecoder(encoding)("replace").decode(head, samples.whole)
    except UnicodeError as error:  # such as UTF-16 without the mark that tells its byte order
        raise TableError(
            "{name} is not in the encoding {encoding}: leave it empty to have it guessed, or name "
            "another.",
            name=path.name,
            encoding=encoding,
        ) from error
    return Probe(encoding, text.lstrip(_MARK), samples.whole)


def open_file(path: Path) -> BinaryIO:
    """Open for reading.

    Raises:
        TableError: missing, a folder, or not readable.
    """
    try:
        if path.is_dir():
            raise TableError("{name} is a folder: choose a file in it.", name=path.name)
        return path.open("rb")
    except FileNotFoundError as error:
        raise TableError(
            "{path} does not exist: was it moved or renamed?", path=str(path)
        ) from error
    except PermissionError as error:
        raise TableError(
            "{name} may not be read: close it in other programs, or ask for the permission.",
            name=path.name,
        ) from error
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise TableError(
            "{path!r} cannot be the name of a file: it has a NUL character.", path=str(path)
        ) from error


def check_encoding(encoding: str) -> None:
    """Refuse what Python has no text codec for.

    Raises:
        TableError: the encoding is unknown.
    """
    try:
        known = isinstance(codecs.getincrementaldecoder(encoding)("strict").decode(b""), str)
    except (LookupError, TypeError, ValueError):
        known = False
    if not known or codecs.lookup(encoding).name in _NOT_OF_FILES:
        raise TableError(
            "The encoding {encoding} is not known: leave it empty to have it guessed, or use a "
            "name such as utf-8, gb18030 or cp1252.",
            encoding=encoding,
        )


def _refuse_known_binary(path: Path, head: bytes) -> None:
    workbook_zip = head.startswith(b"PK\x03\x04") and (b"xl/" in head or b"[Content_Ty" in head)
    if workbook_zip or head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise TableError(
            "{name} looks like an Excel workbook, not text: open it in a spreadsheet program, save "
            "it as CSV (UTF-8) and read that file.",
            name=path.name,
        )
    for magic, what in _MAGIC:
        if head.startswith(magic):
            raise TableError(
                "{name} looks like {what}, not text: export the table as CSV or JSONL.",
                name=path.name,
                what=what,
            )


def _refuse_nuls(path: Path, head: bytes) -> None:
    if head.count(0) > len(head) * _NUL_SHARE_OF_BINARY:
        raise TableError(
            "{name} looks like a binary file, not text: export the table as CSV or JSONL.",
            name=path.name,
        )


def _unreadable(path: Path, error: OSError) -> TableError:
    return TableError(
        "{name} cannot be read on: {reason}. Copy it to a local disk and try again.",
        name=path.name,
        reason=error.strerror or str(error),
    )


def split_lines(text: str) -> list[str]:
    """Lines with their ends, which are LF, CR LF or a lone CR and nothing else."""
    lines = text.splitlines(keepends=True)  # quick, but it splits at form feeds and others, too
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    if len(lines) == ends + (not text.endswith(("\n", "\r")) and bool(text)):
        return lines
    return io.StringIO(text, newline="").readlines()


class LineSource:
    """Streams the lines of a text file; lines end with LF, CR LF or a lone CR.

    Args:
        path: The file.
        encoding: A Python codec name.
        log: Takes what was wrong with the bytes.

    Raises:
        TableError: the file cannot be opened.
    """

    def __init__(self, path: Path, encoding: str, log: ProblemLog) -> None:
        self._path = path
        self._log = log
        factory = codecs.getincrementaldecoder(encoding)
        self._strict, self._lenient = factory("strict"), factory("replace")
        self._file = open_file(path)
        self._size = max(1, os.fstat(self._file.fileno()).st_size)
        self._bytes_read = 0

    def progress(self) -> float:
        """Share of the bytes read, 0 to 1."""
        return min(1.0, self._bytes_read / self._size)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def blocks(self) -> Iterator[list[str]]:
        """Lists of whole lines in order. They hold no NUL.

        Raises:
            TableError: the file cannot be read on.
        """
        line, held, suspect = 1, [""], False
        for text, broken in self._texts():
            suspect = suspect or broken
            cut = max(text.rfind("\n"), text.rfind("\r")) + 1
            held.append(text[:cut] if cut else text)
            if not cut:
                continue
            lines = self._split("".join(held), line, suspect=suspect)
            yield lines
            line += len(lines)
            held, suspect = [text[cut:]], broken
        if last := "".join(held):
            yield self._split(last, line, suspect=suspect)

    def texts(self) -> Iterator[str]:
        """The text in pieces, cut anywhere; for formats whose records are not lines.

        They hold no NUL. Problems are noted with their line.

        Raises:
            TableError: the file cannot be read on.
        """
        line = 1
        for text, broken in self._texts():
            if broken or "\0" in text:
                lines = self._split(text, line, suspect=broken)
                yield "".join(lines)
            else:
                yield text
            line += text.count("\n")

    def _texts(self) -> Iterator[tuple[str, bool]]:
        """Decoded blocks, and whether one has broken characters.

        A CR at the end is held back: an LF may follow.
        """
        held, at_start, final = "", True, False
        while not final:
            data = self._read()
            final = not data
            text, broken = self._decode(data, final=final)
            text, held = held + text, ""
            if text.endswith("\r") and not final:
                text, held = text[:-1], "\r"
            if at_start and text:
                text, at_start = text.lstrip(_MARK), False
            if text:
                yield text, broken

    def _read(self) -> bytes:
        try:
            data = self._file.read(BLOCK_BYTES)
        except OSError as error:
            raise _unreadable(self._path, error) from error
        self._bytes_read += len(data)
        return data

    def _decode(self, data: bytes, *, final: bool) -> tuple[str, bool]:
        before = self._strict.getstate()
        try:
            return self._strict.decode(data, final), False
        except UnicodeDecodeError:
            self._lenient.setstate(before)
            text = self._lenient.decode(data, final)
            self._strict.setstate(self._lenient.getstate())
            return text, True

    def _split(self, text: str, first_line: int, *, suspect: bool) -> list[str]:
        lines = split_lines(text)
        if suspect:
            for number, line in enumerate(lines, start=first_line):
                if count := line.count("\ufffd"):
                    self._log.add(ProblemKind.UNDECODABLE, number, count=count)
        if "\0" in text:
            for index, line in enumerate(lines):
                if count := line.count("\0"):
                    self._log.add(ProblemKind.NUL_BYTES, first_line + index, count=count)
                    lines[index] = line.replace("\0", "")
        return lines
