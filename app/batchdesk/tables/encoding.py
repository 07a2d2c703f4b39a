"""In which encoding a text file is, judged by samples of its bytes.

A file comes in (or samples of one), a Python codec name goes out. Evidence is taken in order of
strength: byte order mark, NUL pattern of UTF-16, UTF-8, GB18030 with plausible Chinese, letters of
single-byte encodings. Samples are cut anywhere, so a broken character at an edge proves nothing.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from typing import BinaryIO

from batchdesk.tables.letters import guess_single_byte

HEAD_BYTES = 262_144
PIECE_BYTES = 65_536
SCAN_BYTES = 268_435_456  # how far an ASCII-looking file is searched for its first other byte
_SPREAD = 4  # pieces after the head; the last one is the end of the file

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_NOT_ASCII = bytes(range(0x80, 0x100))
_UTF8_PER_ERROR = 10  # valid multibyte characters that outweigh one broken one
_GB_PER_ERROR = 50
_FREQUENT_HANZI = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "這個們來為國說時會對發後裡經麼學現當沒動開從實評論標籤評價很太真吃房店酒服务价格买书质量差快便宜"
)
_KANA = re.compile("[\u3040-\u30ff]")
_HANZI = re.compile("[\u3400-\u9fff]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff\ue000-\uf8ff]")  # or private use
_AFTER_PAIR = re.compile(rb"[\x00-\x2f]")  # bytes that are no part of a GB18030 character


@dataclass(frozen=True, slots=True)
class Samples:
    """Bytes from a file: its head, then pieces from further on at offsets divisible by four."""

    pieces: tuple[bytes, ...]
    whole: bool  # the head is the whole file


def take_samples(file: BinaryIO, size: int) -> Samples:
    """Head, middle and end of a file; where all of it is ASCII, also the first other bytes.

    Args:
        file: Opened for reading; its position is moved.
        size: Bytes in the file.
    """
    file.seek(0)
    pieces = [file.read(HEAD_BYTES)]
    if size <= HEAD_BYTES:
        return Samples(tuple(pieces), whole=True)
    rest = size - HEAD_BYTES
    for step in range(1, _SPREAD + 1):
        offset = max(HEAD_BYTES, HEAD_BYTES + rest * step // _SPREAD - PIECE_BYTES)
        file.seek(offset // 4 * 4)
        pieces.append(file.read(PIECE_BYTES + 4))
    if all(map(bytes.isascii, pieces)) and (found := _first_not_ascii(file)):
        pieces.append(found)
    return Samples(tuple(pieces), whole=False)


def _first_not_ascii(file: BinaryIO) -> bytes | None:
    file.seek(HEAD_BYTES)
    left = SCAN_BYTES
    while left > 0 and (block := file.read(HEAD_BYTES)):
        if not block.isascii():
            return block
        left -= len(block)
    return None


def guess_encoding(samples: Samples) -> str:
    """A Python codec name. Plain ASCII counts as UTF-8."""
    head = samples.pieces[0]
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec
    utf16 = utf16_without_mark(head) if 0 in head else None
    if utf16 and _most_line_ends_are(utf16, head):
        return utf16
    if _is_utf8(samples):
        return "utf-8"
    if utf16:
        return utf16
    pieces = (head, *map(_from_character_start, samples.pieces[1:]))
    if _is_chinese("".join(_decode(piece, "gb18030") for piece in pieces)):
        return "gb18030"
    return guess_single_byte(b"\n".join(piece for piece in samples.pieces if not piece.isascii()))


def utf16_without_mark(head: bytes) -> str | None:
    """``utf-16-le`` or ``utf-16-be`` if the bytes can be such a text, else None.

    Line ends are ASCII whatever the language, so the NUL beside them tells the byte order. NULs
    alone do not: the frequent U+4E00 and U+3000 have theirs on the other side.
    """
    likeliest, most_ascii = None, 0
    for codec in ("utf-16-le", "utf-16-be"):
        text = _decode(head, codec)
        has_lines = "\n" in text or "\r" in text
        if has_lines and "\ufffd" not in text and not _CONTROLS.search(text):
            ascii_characters = len(text.encode("ascii", "ignore"))
            if ascii_characters > most_ascii:
                likeliest, most_ascii = codec, ascii_characters
    return likeliest


def _most_line_ends_are(codec: str, head: bytes) -> bool:
    """Tells UTF-16 from UTF-8 with a stray NUL beside some line end."""
    text = _decode(head, codec)
    as_text = text.count("\n") + text.count("\r")
    return 2 * as_text >= head.count(b"\n") + head.count(b"\r")


def _is_utf8(samples: Samples) -> bool:
    errors = multibyte = 0
    for number, piece in enumerate(samples.pieces):
        part = _without_leading_continuation(piece) if number else piece
        text = _decode(part, "utf-8")
        errors += text.count("\ufffd") - part.count(b"\xef\xbf\xbd")
        multibyte += len(text) - len(part.translate(None, _NOT_ASCII))
    return errors == 0 or multibyte - errors >= _UTF8_PER_ERROR * errors


def _without_leading_continuation(piece: bytes) -> bytes:
    start = 0
    while start < min(3, len(piece)) and 0x80 <= piece[start] < 0xC0:  # noqa: PLR2004 - 10xxxxxx
        start += 1
    return piece[start:]


def _from_character_start(piece: bytes) -> bytes:
    match = _AFTER_PAIR.search(piece)
    return piece[match.start() :] if match else b""


def _decode(data: bytes, codec: str) -> str:
    """Decode with U+FFFD for broken characters; one that the end cuts off is left out."""
    return codecs.getincrementaldecoder(codec)("replace").decode(data)


def _is_chinese(text: str) -> bool:
    """Whether a text decoded as GB18030 makes sense as Chinese.

    Nearly any bytes can be decoded so. Cyrillic leaves many errors (words of odd length), accented
    Latin lands among the rare characters of GBK, Korean among common ones at random frequencies.
    """
    hanzi = _HANZI.findall(text)
    errors = text.count("\ufffd")
    if not hanzi or errors * _GB_PER_ERROR > len(hanzi):
        return False
    if len(_KANA.findall(text)) > len(hanzi) / 4:
        return False
    counts = Counter(hanzi)
    common = sum(n for char, n in counts.items() if _is_first_level(char))
    frequent = sum(n for char, n in counts.items() if char in _FREQUENT_HANZI)
    enough_to_tell = len(hanzi) >= 60  # noqa: PLR2004 - below, frequencies are chance
    if enough_to_tell and frequent < len(hanzi) / 12:
        return False
    return common >= len(hanzi) * 0.6 or frequent >= len(hanzi) * 0.15


def _is_first_level(char: str) -> bool:
    """Whether it is one of the 3,755 characters that GB2312 lists as common."""
    try:
        lead = char.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return 0xB0 <= lead <= 0xD7  # noqa: PLR2004 - rows 16 to 55
