"""Files that are ZIP archives of XML, opened without trusting them: workbooks and documents.

A path comes in; the bytes of a part and the events of its XML go out. An archive that would unpack
to far more than any real one, that is cut off, or protected by a password is refused in a sentence
before it can fill the memory.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Self
from xml.parsers import expat

from batchdesk.errors import Phrase, TableError
from batchdesk.tables.source import open_file

PART_BYTES_MAX = 2**31  # unpacked
PARTS_MAX = 20_000
_RATIO_MAX = 400  # unpacked to packed, of large parts; XML of real sheets has up to some 100
_LARGE = 2**24
_BLOCK = 65_536
_ENCRYPTED = 0x1
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)

Attributes = dict[str, str]


class Archive:
    """An archive that was looked over; use it with ``with`` or ``close`` it.

    Args:
        path: The file.
        what: What it should be, for the sentences: ``an Excel workbook``.

    Raises:
        TableError: missing, not readable, damaged, protected by a password, or a ZIP bomb.
    """

    def __init__(self, path: Path, what: Phrase) -> None:
        self.path = path
        self._what = what
        self._file = open_file(path)
        try:
            self._zip = zipfile.ZipFile(self._file)
            self._sizes = self._checked_sizes(self._zip.infolist())
        except _DAMAGE as error:
            begins = self._begins()
            self._file.close()
            if begins.startswith(_OLE):
                raise TableError(
                    "{name} is protected by a password: open it, save it without one, and read "
                    "that file.",
                    name=path.name,
                ) from error
            raise self.damaged() from error
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def __contains__(self, part: str) -> bool:
        return part in self._sizes

    @property
    def parts(self) -> list[str]:
        """The names of all parts."""
        return list(self._sizes)

    def size(self, part: str) -> int:
        """Bytes of a part, unpacked."""
        return self._sizes.get(part, 0)

    def blocks(self, part: str) -> Iterator[bytes]:
        """The bytes of a part, in blocks.

        Raises:
            TableError: there is no such part, or it is damaged.
        """
        try:
            with self._opened(part) as stream:
                while block := stream.read(_BLOCK):
                    yield block
        except (*_DAMAGE, KeyError) as error:
            raise self.damaged() from error

    def damaged(self) -> TableError:
        """The sentence for an archive that cannot be read."""
        return TableError(
            "{name} is damaged or not {what}: open it in the program that wrote it, save it again, "
            "and read that file.",
            name=self.path.name,
            what=self._what,
        )

    def _opened(self, part: str) -> IO[bytes]:
        return self._zip.open(part)

    def _begins(self) -> bytes:
        try:
            self._file.seek(0)
            return self._file.read(len(_OLE))
        except OSError:
            return b""

    def _checked_sizes(self, infos: Sequence[zipfile.ZipInfo]) -> dict[str, int]:
        if len(infos) > PARTS_MAX:
            raise self._bomb()
        return {info.filename: self._checked(info) for info in infos}

    def _checked(self, info: zipfile.ZipInfo) -> int:
        too_dense = info.file_size > _LARGE and info.file_size > _RATIO_MAX * info.compress_size
        if info.file_size > PART_BYTES_MAX or too_dense:
            raise self._bomb()
        if info.flag_bits & _ENCRYPTED:
            raise TableError(
                "{name} is protected by a password: open it, save it without one, and read that "
                "file.",
                name=self.path.name,
            )
        return info.file_size

    def _bomb(self) -> TableError:
        return TableError(
            "{name} would unpack to far more than it can hold in earnest, so it was not opened. "
            "If it is real, save the table as CSV and read that file.",
            name=self.path.name,
        )


class _LocalNames(dict[str, str]):
    """Names without their prefix, each cut once."""

    def __missing__(self, name: str) -> str:
        local = self[name] = name.rpartition(":")[2]
        return local


class XmlEvents:
    """Calls a function for each start, end and text of an XML document; names without prefix.

    Document types are refused: no office format has one, and entities in them can explode.

    Args:
        archive: Where the part is.
        start: Takes a local name and the attributes.
        end: Takes a local name.
        text: Takes characters.
    """

    def __init__(
        self,
        archive: Archive,
        start: Callable[[str, Attributes], Any],
        end: Callable[[str], Any],
        text: Callable[[str], Any],
    ) -> None:
        self._archive = archive
        names = _LocalNames()
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda name, attributes: start(names[name], attributes)
        parser.EndElementHandler = lambda name: end(names[name])
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = self._refuse
        self._parser = parser

    def feed(self, block: bytes, *, final: bool = False) -> None:
        """Parse on.

        Raises:
            TableError: it is no XML.
        """
        try:
            self._parser.Parse(block, final)
        except (expat.ExpatError, ValueError) as error:
            raise self._archive.damaged() from error

    def feed_all(self, part: str) -> None:
        """Parse a whole part.

        Raises:
            TableError: it is missing, damaged, or no XML.
        """
        for block in self._archive.blocks(part):
            self.feed(block)
        self.feed(b"", final=True)

    def _refuse(self, *_: object) -> None:
        raise self._archive.damaged()
