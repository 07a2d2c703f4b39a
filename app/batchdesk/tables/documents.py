"""The text of one document (plain text, Markdown, PDF, DOCX), with the places of its parts.

A path comes in; the text and where its pages and paragraphs begin go out, as positions in that
text. A paragraph is what stands between blank lines, in DOCX what the program calls one.
"""

from __future__ import annotations

import codecs
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batchdesk.errors import Phrase, TableError
from batchdesk.tables.archive import Archive, Attributes, XmlEvents
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.encoding import Samples, guess_encoding
from batchdesk.tables.source import check_encoding, open_file

TEXT_SUFFIXES = (".txt", ".text", ".md", ".markdown")
SUFFIXES = (*TEXT_SUFFIXES, ".pdf", ".docx")
BYTES_MAX = 2**28  # of one document
CHARACTERS_MAX = 2**26  # of its text
_PAGES_MAX = 50_000
_BODY = "word/document.xml"
_SAMPLE = 262_144
_PARAGRAPH = re.compile(r"\S[\s\S]*?(?=\n[ \t]*\n|\Z)")
_BETWEEN_PAGES = "\n\n"

# The library for PDF may only be used by one thread at a time.
_PDF_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text; positions count its characters from 0."""

    text: str
    page_starts: tuple[int, ...] | None  # None: the format has no pages, or does not say
    paragraph_starts: tuple[int, ...]
    undecodable: int = 0  # characters that did not fit the encoding


def read_document(path: Path, options: ReadOptions) -> Document:
    """Read one document whole.

    Args:
        path: The file; its suffix says what it is.
        options: ``encoding`` of text files.

    Raises:
        TableError: it cannot be read, is damaged, protected by a password, or too long.
    """
    suffix = path.suffix.lower()
    if suffix == ".docx":
        return _read_docx(path)
    with open_file(path) as file:
        try:
            data = file.read(BYTES_MAX + 1)
        except OSError as error:
            raise TableError(
                "{name} cannot be read on: {reason}. Copy it to a local disk and try again.",
                name=path.name,
                reason=error.strerror or str(error),
            ) from error
    if len(data) > BYTES_MAX:
        raise _too_long(path)
    return _read_pdf(path, data) if suffix == ".pdf" else _read_text(path, data, options)


def _read_text(path: Path, data: bytes, options: ReadOptions) -> Document:
    head = data[:_SAMPLE]
    encoding = options.encoding or (
        guess_encoding(Samples((head,), whole=len(head) == len(data))) if data else "utf-8"
    )
    check_encoding(encoding)
    wide = codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))
    if not wide and data.count(0) > len(data) // 10:
        raise TableError("{name} looks like a binary file, not text: leave it out.", name=path.name)
    try:
        text = data.decode(encoding, "replace")
    except UnicodeError as error:
        raise TableError(
            "{name} is not in the encoding {encoding}: leave it empty to have it guessed, or name "
            "another.",
            name=path.name,
            encoding=encoding,
        ) from error
    text = text.lstrip("\ufeff").replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    _check_length(path, text)
    return Document(text, None, paragraphs(text), text.count("\ufffd"))


def paragraphs(text: str) -> tuple[int, ...]:
    """Where the paragraphs of a plain text begin: after blank lines."""
    return tuple(match.start() for match in _PARAGRAPH.finditer(text))


def _read_pdf(path: Path, data: bytes) -> Document:
    import pypdfium2  # noqa: PLC0415 - only who reads such a file pays for the import

    pages: list[str] = []
    with _PDF_LOCK:
        try:
            document = pypdfium2.PdfDocument(data)
            try:
                if len(document) > _PAGES_MAX:
                    raise _too_long(path)
                pages += [_page_text(document, number) for number in range(len(document))]
            finally:
                document.close()
        except pypdfium2.PdfiumError as error:
            raise _refused_pdf(path, str(error)) from error
    starts, position = [], 0
    for page in pages:
        starts.append(position)
        position += len(page) + len(_BETWEEN_PAGES)
    text = _BETWEEN_PAGES.join(pages)
    _check_length(path, text)
    return Document(text, tuple(starts), paragraphs(text))


def _page_text(document: Any, number: int) -> str:
    page = document[number]
    textpage = page.get_textpage()
    try:
        text = str(textpage.get_text_range())
    finally:
        textpage.close()
        page.close()
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.replace("\ufffe", "-").replace("\x02", "-").strip("\n")  # hyphens at line ends


def _refused_pdf(path: Path, reason: str) -> TableError:
    if "assword" in reason:
        return TableError("{name} is protected by a password: save it without one.", name=path.name)
    return TableError(
        "{name} is damaged or not {what}: open it in the program that wrote it, save it again, and "
        "read that file.",
        name=path.name,
        what=Phrase("a PDF document"),
    )


def _read_docx(path: Path) -> Document:
    with Archive(path, Phrase("a Word document")) as archive:
        if _BODY not in archive:
            raise archive.damaged()
        gathered = _Body()
        XmlEvents(archive, gathered.start, gathered.end, gathered.text).feed_all(_BODY)
    text, starts = gathered.joined()
    _check_length(path, text)
    pages = tuple(gathered.page_starts) if len(gathered.page_starts) > 1 else None
    return Document(text, pages, starts)


class _Body:
    """Gathers paragraphs from a DOCX body; deleted text and fields' codes are left out."""

    def __init__(self) -> None:
        self.page_starts = [0]
        self._paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._length = 0  # of the paragraphs before this one, joined
        self._takes = False
        self._alternative = 0  # depth in the second form of what is there twice

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Fallback":
            self._alternative += 1
        elif name == "t":
            self._takes = not self._alternative
        elif name == "tab":
            self._add("\t")
        elif name in ("br", "cr"):
            is_page = any(
                key.endswith(":type") and value == "page" for key, value in attributes.items()
            )
            if is_page:
                self._begin_page()
            else:
                self._add("\n")
        elif name == "lastRenderedPageBreak":
            self._begin_page()

    def end(self, name: str) -> None:
        if name == "Fallback":
            self._alternative -= 1
        elif name == "t":
            self._takes = False
        elif name == "p" and self._pieces:
            paragraph = "".join(self._pieces)
            self._pieces = []
            self._paragraphs.append(paragraph)
            self._length += len(paragraph) + 1

    def text(self, data: str) -> None:
        if self._takes:
            self._pieces.append(data)

    def joined(self) -> tuple[str, tuple[int, ...]]:
        """The text, a paragraph a line, and where paragraphs begin."""
        return "\n".join(self._paragraphs), _starts(self._paragraphs)

    def _add(self, text: str) -> None:
        if not self._alternative:
            self._pieces.append(text)

    def _begin_page(self) -> None:
        position = self._length + sum(map(len, self._pieces))
        if position > self.page_starts[-1]:  # a break that was asked for is rendered too
            self.page_starts.append(position)


def _starts(parts: Sequence[str]) -> tuple[int, ...]:
    starts, position = [], 0
    for part in parts:
        starts.append(position)
        position += len(part) + 1
    return tuple(starts)


def _check_length(path: Path, text: str) -> None:
    if len(text) > CHARACTERS_MAX:
        raise _too_long(path)


def _too_long(path: Path) -> TableError:
    return TableError(
        "{name} is too long for one row: split it into several files.", name=path.name
    )
