"""What stands around the sheets of an XLSX workbook: their names, number formats, shared texts.

An opened archive comes in; plain values go out. Read leniently: a workbook whose colours or fonts
are broken still has its cells.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from batchdesk.errors import TableError
from batchdesk.tables.archive import Archive, Attributes, XmlEvents
from batchdesk.tables.grid import Merge
from batchdesk.tables.number_format import BUILT_IN, GENERAL

SHARED_BYTES_MAX = 2**29  # of the shared texts, which are kept in memory
_WORKBOOK = "xl/workbook.xml"
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_MUST_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f]")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_MERGE = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^<>]*?ref\s*=\s*[\"']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})"
)
_CELL = re.compile(rb"<(?:\w+:)?v[ />]|<(?:\w+:)?is[ />]")
_OVERLAP = 256
_MERGES_MAX = 200_000


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One sheet of a workbook."""

    name: str
    part: str  # its place in the archive
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Workbook:
    """The sheets in their order, and how days are counted."""

    sheets: tuple[SheetPart, ...]
    from_1904: bool


def read_workbook(archive: Archive) -> Workbook:
    """The workbook's own part.

    Raises:
        TableError: it is damaged, or has no sheet.
    """
    place = _main_part(archive)
    targets = _relations(archive, place)
    sheets: list[SheetPart] = []
    from_1904 = False

    def start(name: str, attributes: Attributes) -> None:
        nonlocal from_1904
        if name == "sheet":
            target = targets.get(_relation_id(attributes), "")
            if target in archive:
                hidden = attributes.get("state", "visible") != "visible"
                sheets.append(SheetPart(attributes.get("name", ""), target, hidden))
        elif name == "workbookPr":
            from_1904 = attributes.get("date1904", "0") in ("1", "true")

    XmlEvents(archive, start, _ignore, _ignore).feed_all(place)
    if not sheets:
        raise TableError("{name} has no sheet with cells.", name=archive.path.name)
    return Workbook(tuple(sheets), from_1904)


def read_formats(archive: Archive) -> list[str]:
    """The number format of each cell style."""
    part = _beside(archive, "styles.xml")
    if part is None:
        return []
    custom: dict[int, str] = {}
    styles: list[str] = []
    inside = False

    def start(name: str, attributes: Attributes) -> None:
        nonlocal inside
        if name == "cellXfs":
            inside = True
        elif name == "numFmt" and not inside:
            custom[_number(attributes.get("numFmtId"))] = attributes.get("formatCode", GENERAL)
        elif name == "xf" and inside:
            number = _number(attributes.get("numFmtId"))
            styles.append(custom.get(number) or BUILT_IN.get(number, GENERAL))

    def end(name: str) -> None:
        nonlocal inside
        inside = inside and name != "cellXfs"

    try:
        XmlEvents(archive, start, end, _ignore).feed_all(part)
    except TableError:
        return styles  # cells count, even if their looks are broken
    return styles


def read_shared_texts(archive: Archive) -> list[str]:
    """The texts that cells refer to by number.

    Raises:
        TableError: they are damaged, or too large for the memory.
    """
    part = _beside(archive, "sharedStrings.xml")
    if part is None:
        return []
    if archive.size(part) > SHARED_BYTES_MAX:
        raise TableError(
            "{name} has more text than can be read from a workbook at once. Save the sheet as CSV "
            "(UTF-8) and read that file.",
            name=archive.path.name,
        )
    shared = _SharedTexts()
    XmlEvents(archive, shared.start, shared.end, shared.text).feed_all(part)
    return shared.texts


class _SharedTexts:
    """Gathers texts from XML; how a text is pronounced is no part of it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._takes = self._phonetic = False

    def start(self, name: str, _: Attributes) -> None:
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._phonetic = True
        elif name == "t":
            self._takes = not self._phonetic

    def end(self, name: str) -> None:
        if name == "si":
            self.texts.append(unescaped("".join(self._pieces)))
        elif name == "rPh":
            self._phonetic = False
        elif name == "t":
            self._takes = False

    def text(self, data: str) -> None:
        if self._takes:
            self._pieces.append(data)


def unescaped(text: str) -> str:
    """A cell's text with ``_x000D_`` and the like as the characters they stand for."""
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    return _SURROGATES.sub(_joined, text)


def escaped(text: str) -> str:
    """The reverse: control characters in that form, and what looks like the form made plain."""
    return _MUST_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _joined(match: re.Match[str]) -> str:
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")


def read_merges(archive: Archive, part: str) -> list[Merge]:
    """The merged cells of a sheet, which stand after its rows."""
    merges: list[Merge] = []
    for window in _windows(archive, part):
        for first_column, top, last_column, bottom in _MERGE.findall(window):
            merge = Merge(
                int(top), column_number(first_column), int(bottom), column_number(last_column)
            )
            if not merges or merges[-1] != merge:  # seen twice where windows overlap
                merges.append(merge)
        if len(merges) > _MERGES_MAX:
            raise archive.damaged()
    return merges


def has_cells(archive: Archive, part: str) -> bool:
    """Whether a sheet has a cell with a value."""
    return any(_CELL.search(window) for window in _windows(archive, part))


def row_widths(archive: Archive, part: str, at_most: int) -> list[int]:
    """How many cells have something in them, of the first rows that have any.

    Raises:
        TableError: the sheet is damaged before that is known.
    """
    widths: list[int] = []
    width, is_filled, takes = 0, False, False

    def start(name: str, _attributes: Attributes) -> None:
        nonlocal width, is_filled, takes
        if name == "row":
            width = 0
        elif name == "c":
            is_filled = False
        takes = name in ("v", "t")

    def end(name: str) -> None:
        nonlocal width, takes
        takes = False
        if name == "c":
            width += is_filled
        elif name == "row" and width:
            widths.append(width)

    def text(data: str) -> None:
        nonlocal is_filled
        is_filled = is_filled or (takes and bool(data.strip()))

    events = XmlEvents(archive, start, end, text)
    for block in archive.blocks(part):
        events.feed(block)
        if len(widths) >= at_most:
            break
    return widths[:at_most]


def _windows(archive: Archive, part: str) -> Iterator[bytes]:
    """The bytes of a part in blocks that overlap."""
    tail = b""
    for block in archive.blocks(part):
        window = tail + block
        yield window
        tail = window[-_OVERLAP:]


def column_number(letters: bytes | str) -> int:
    """``A`` is 0, ``AA`` is 26."""
    number = 0
    for char in letters.decode() if isinstance(letters, bytes) else letters:
        number = number * 26 + ord(char) - 64
    return number - 1


def _main_part(archive: Archive) -> str:
    if _WORKBOOK in archive:
        return _WORKBOOK
    for target in _relations(archive, "").values():
        if target.endswith(".xml") and "workbook" in target and target in archive:
            return target
    raise archive.damaged()


def _relations(archive: Archive, part: str) -> dict[str, str]:
    """Where the relations of a part lead, by id; sheets that are charts are left out."""
    folder, name = posixpath.split(part)
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    targets: dict[str, str] = {}
    if place not in archive:
        return targets

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "Relationship" and not attributes.get("Type", "").endswith("/chartsheet"):
            target = attributes.get("Target", "")
            path = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            targets[attributes.get("Id", "")] = posixpath.normpath(path)

    XmlEvents(archive, start, _ignore, _ignore).feed_all(place)
    return targets


def _beside(archive: Archive, name: str) -> str | None:
    """A part beside the workbook's, whatever the case of its name."""
    for part in chain([f"xl/{name}"], archive.parts):
        if part in archive and posixpath.basename(part).lower() == name.lower():
            return part
    return None


def _relation_id(attributes: Attributes) -> str:
    return next((value for key, value in attributes.items() if key.endswith(":id")), "")


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0


def _ignore(*_: object) -> None:
    pass
