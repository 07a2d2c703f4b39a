"""A long text cut into chunks that fit, each knowing its characters, paragraphs and pages.

Cuts fall at headings where they can, else between paragraphs, sentences, words, and at last
within a word. A quotation from an answer is found again in the text by ``locate``.
"""

# ruff: noqa: RUF001 - headings and quotation marks in Chinese

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from batchdesk.errors import JobFileError

_HEADING = re.compile(
    r"^(?:#{1,6}[ \t]+\S"
    r"|第[一二三四五六七八九十百千零〇0-9]{1,6}[章节条款部篇编]"
    r"|[一二三四五六七八九十]{1,3}、[^\n]{1,60}$"
    r"|(?:Article|Section|Chapter|Part|Clause|Annex|Appendix)[ \t]+(?:[0-9]+|[IVXLC]+)\b"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}\.?[ \t]+[A-Z\u4e00-\u9fff][^\n]{0,80}$)",
    re.MULTILINE | re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\S[\s\S]*?(?=\n[ \t]*\n|\Z)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SIZE_MIN = 16  # tokens; a single sign may take several
_SIGN_MOST = 5  # tokens of a single sign: no token is less than a byte, estimates may add a little
_TOKEN_MOST = 200  # signs of a single token: a text longer than so many for each needs no counting
_AROUND_QUOTE = " \t\r\n\"'“”‘’«»「」『』….。"


@dataclass(frozen=True, slots=True)
class Positions:
    """Where pages and paragraphs of a text begin, in characters from 0, ascending.

    Attributes:
        pages: Empty where the source has none.
    """

    pages: tuple[int, ...] = ()
    paragraphs: tuple[int, ...] = ()

    def page(self, at: int) -> int | None:
        """The page, from 1, on which this character stands; None without pages."""
        return max(1, bisect_right(self.pages, at)) if self.pages else None

    def paragraph(self, at: int) -> int:
        """The paragraph, from 1, in which this character stands."""
        return max(1, bisect_right(self.paragraphs, at))

    def within(self, start: int, end: int) -> Positions:
        """The same for a part of the text; a page or paragraph that goes on begins at 0."""
        return Positions(_within(self.pages, start, end), _within(self.paragraphs, start, end))


@dataclass(frozen=True, slots=True)
class Chunk:
    """``text`` is ``whole[start:end]``; paragraphs and pages from 1, first and last."""

    number: int
    start: int
    end: int
    text: str
    paragraphs: tuple[int, int]
    pages: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Location:
    """Where a quotation stands; ``is_exact``: character by character, not only but for spaces."""

    start: int
    end: int
    paragraph: int
    page: int | None
    is_exact: bool


def positions_of(text: str, stored: str | None = None) -> Positions:
    """Where a text's pages and paragraphs begin.

    Args:
        stored: What a folder's column ``positions`` holds for it: JSON with ``pages`` and
            ``paragraphs``. Anything else is passed over, and paragraphs are looked for.
    """
    try:
        parsed = json.loads(stored) if stored else None
    except (ValueError, RecursionError):
        parsed = None
    known = parsed if isinstance(parsed, dict) else {}
    pages = _starts(known.get("pages"), len(text))
    paragraphs = _starts(known.get("paragraphs"), len(text))
    return Positions(pages, paragraphs or tuple(m.start() for m in _PARAGRAPH.finditer(text)))


def chunks_of(
    text: str,
    *,
    size: int,
    count: Callable[[str], int],
    overlap: int = 0,
    positions: Positions | None = None,
) -> tuple[Chunk, ...]:
    """The chunks of a text, in order; together, without their overlaps, they are the whole text.

    A text that fits is one chunk, an empty one has none.

    Args:
        size: Tokens of a chunk at most.
        count: Tokens of a text.
        overlap: Tokens at most that a chunk repeats of the one before, as whole sentences or
            words where they fit; a chunk that begins with a heading repeats nothing.
        positions: As stored with the text; found here unless given.

    Raises:
        JobFileError: chunks of this size cannot be made.
    """
    check_sizes(size, overlap)
    where = positions or positions_of(text)
    sound = _SURROGATE.sub("\ufffd", text)  # the same length; the splitter takes no others
    ranges = _ranges(sound, _Measure(size, overlap, count))
    return tuple(_chunk(n, text, span, where) for n, span in enumerate(ranges, 1))


def check_sizes(size: int, overlap: int) -> None:
    """Whether chunks of so many tokens can be made.

    Raises:
        JobFileError: they cannot.
    """
    if size < _SIZE_MIN or overlap < 0 or overlap * 2 > size:
        raise JobFileError(
            "Chunks of {size} tokens with an overlap of {overlap} cannot be made. A chunk needs "
            "{least} tokens at least, and no more than half of it may be overlap.",
            size=size,
            overlap=overlap,
            least=_SIZE_MIN,
        )


def locate(
    quote: str, text: str, positions: Positions, within: tuple[int, int] | None = None
) -> Location | None:
    """Where a quotation stands in a text; None where it does not.

    Args:
        within: The characters to look at, such as those of the chunk that was asked about.
    """
    start, end = within or (0, len(text))
    at = text.find(quote, start, end) if quote else -1
    if at >= 0:
        return _location(at, at + len(quote), positions, is_exact=True)
    plain, places = _plain(text[start:end])
    wanted, _ = _plain(quote.strip(_AROUND_QUOTE))
    found = plain.find(wanted) if wanted else -1
    if found < 0:
        return None
    first, last = places[found], places[found + len(wanted) - 1]
    return _location(start + first, start + last + 1, positions, is_exact=False)


class _Measure(NamedTuple):
    size: int
    overlap: int
    count: Callable[[str], int]

    def fits(self, text: str) -> bool:
        if len(text) > self.size * _TOKEN_MOST:
            return False
        return len(text) * _SIGN_MOST <= self.size or self.count(text) <= self.size


def _ranges(text: str, measure: _Measure) -> Iterator[tuple[int, int]]:
    """The whole if it fits, else sections together as far as they fit; a longer one in parts."""
    if measure.fits(text):
        yield from [(0, len(text))] if text else []
        return
    begun: int | None = None
    for start, end in _sections(text):
        if begun is not None and measure.fits(text[begun:end]):
            continue
        if begun is not None:
            yield begun, start
            begun = None
        if measure.fits(text[start:end]):
            begun = start
        else:
            yield from _parts(text, (start, end), measure)
    if begun is not None:
        yield begun, len(text)


def _sections(text: str) -> list[tuple[int, int]]:
    starts = sorted({0, *(match.start() for match in _HEADING.finditer(text))})
    return [(a, b) for a, b in zip(starts, [*starts[1:], len(text)], strict=True) if b > a]


def _parts(text: str, span: tuple[int, int], measure: _Measure) -> Iterator[tuple[int, int]]:
    from semantic_text_splitter import TextSplitter  # noqa: PLC0415 - native code, seldom needed

    start, end = span
    splitter = TextSplitter.from_callback(
        measure.count, measure.size, overlap=measure.overlap, trim=False
    )
    for at, part in splitter.chunk_indices(text[start:end]):
        yield start + at, start + at + len(part)


def _chunk(number: int, text: str, span: tuple[int, int], where: Positions) -> Chunk:
    start, end = span
    part = text[start:end]
    first = start + len(part) - len(part.lstrip())  # spaces before it belong to what was before
    first, last = min(first, end - 1), max(start, end - 1)
    page = where.page(first)
    return Chunk(
        number=number,
        start=start,
        end=end,
        text=part,
        paragraphs=(where.paragraph(first), where.paragraph(last)),
        pages=None if page is None else (page, where.page(last) or page),
    )


def _location(start: int, end: int, where: Positions, *, is_exact: bool) -> Location:
    return Location(start, end, where.paragraph(start), where.page(start), is_exact)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text without spaces, case and full width, and where each of its signs comes from."""
    signs: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for sign in unicodedata.normalize("NFKC", char).casefold():
            if not sign.isspace():
                signs.append(sign)
                places.append(place)
    return "".join(signs), places


def _within(starts: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    inside = starts[bisect_right(starts, start) : bisect_left(starts, end)]
    return (0, *(at - start for at in inside)) if starts else ()


def _starts(value: object, length: int) -> tuple[int, ...]:
    """A list of ascending places within the text, or nothing."""
    if not isinstance(value, list) or not all(type(one) is int for one in value):
        return ()
    if value != sorted(value) or any(not 0 <= one <= length for one in value):
        return ()
    return tuple(value)
