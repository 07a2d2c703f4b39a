"""Chunks: together the whole text, each within its size, each knowing where it stands."""

import itertools
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchdesk.errors import JobFileError
from batchdesk.prepare.chunking import Location, Positions, chunks_of, locate, positions_of
from batchdesk.prepare.tokens import TokenCounter

CONTRACT = (
    "# Lease\n\nThe parties agree as follows.\n\n"
    "## 1 Rent\n\nThe rent is 900 euro. It is due on the first of the month.\n\n"
    "## 2 Term\n\nThe term is two years. It ends by itself. No notice is needed.\n"
)


def characters(text: str, size: int, **more):
    return chunks_of(text, size=size, count=len, **more)


def test_that_a_text_that_fits_is_one_chunk():
    (one,) = characters(CONTRACT, 1000)
    assert (one.number, one.start, one.end, one.text) == (1, 0, len(CONTRACT), CONTRACT)
    assert (one.paragraphs, one.pages) == ((1, 6), None)


def test_that_cuts_fall_at_headings_first_and_then_between_sentences():
    assert [one.text for one in characters(CONTRACT, 80)] == [
        "# Lease\n\nThe parties agree as follows.\n\n",
        "## 1 Rent\n\nThe rent is 900 euro. It is due on the first of the month.\n\n",
        "## 2 Term\n\nThe term is two years. It ends by itself. No notice is needed.\n",
    ]
    assert [one.text for one in characters("One is here. Two is there. Three is gone.", 28)] == [
        "One is here. Two is there. ",
        "Three is gone.",
    ]


@pytest.mark.parametrize(
    "heading",
    ["第一章 总则", "二、付款方式", "Section 4 Notices", "ARTICLE IV", "3.2 Payment", "### Rent"],
)
def test_that_headings_of_many_kinds_are_seen(heading):
    text = "Something comes before it.\n" + heading + "\nAnd after it.\n"
    assert characters(text, 40)[1].text.startswith(heading)


def test_that_chinese_sentences_stay_whole():
    text = "房间很干净。服务也不错。早餐一般般。价格有点贵。"
    assert [one.text for one in characters(text, 16)] == [
        "房间很干净。服务也不错。",
        "早餐一般般。价格有点贵。",
    ]


def test_that_a_chunk_repeats_the_end_of_the_one_before():
    text = "Alpha one here. Beta two here. Gamma three. Delta four is. "
    chunks = characters(text, 32, overlap=16)
    assert [one.text for one in chunks] == [
        "Alpha one here. Beta two here. ",
        "Beta two here. Gamma three. ",
        "Gamma three. Delta four is. ",
    ]
    assert all(after.start <= before.end for before, after in itertools.pairwise(chunks))


def test_that_pages_and_paragraphs_come_from_what_is_stored():
    text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh"
    stored = json.dumps({"pages": [0, 20], "paragraphs": [0, 10, 20, 30]})
    chunks = characters(text, 20, positions=positions_of(text, stored))
    assert [(one.pages, one.paragraphs) for one in chunks] == [((1, 1), (1, 2)), ((2, 2), (3, 4))]


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "",
        "no JSON",
        "[1]",
        '{"pages": [5, 1]}',
        '{"paragraphs": [99]}',
        '{"pages": "x"}',
        "[" * 10_000,
    ],
)
def test_that_positions_that_cannot_be_used_are_looked_for(stored):
    assert positions_of("One.\n\nTwo.", stored) == Positions((), (0, 6))


def test_that_an_impossible_size_is_refused():
    with pytest.raises(JobFileError, match="Chunks of 10 tokens"):
        characters("x", 10)
    with pytest.raises(JobFileError, match="an overlap of 20 cannot"):
        characters("x", 30, overlap=20)


def test_that_an_empty_text_has_no_chunk():
    assert characters("", 16) == ()


PIECES = st.sampled_from(
    ["# Head\n", "\n\n", "\n", "\r\n", "One sentence. ", "一句话。", "word ", "a" * 40, "😀", "👩\u200d👩\u200d👧", "e\u0301",
     "1.2 Part\n", "第一条 ", "\x00", "\ud800", "\u2028", "   ", "|a|b|\n", "```\ncode\n```\n"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))
COUNTER = TokenCounter("gpt-4o")


@settings(deadline=None)
@given(TEXTS, st.integers(16, 60))
def test_that_chunks_without_overlap_are_the_text(text, size):
    for count in (len, COUNTER.count):
        chunks = chunks_of(text, size=size, count=count)
        assert "".join(one.text for one in chunks) == text
        assert [one.number for one in chunks] == list(range(1, len(chunks) + 1))
        for one in chunks:
            assert text[one.start : one.end] == one.text
            assert count(one.text) <= size


@settings(deadline=None)
@given(TEXTS, st.integers(16, 60), st.integers(0, 8))
def test_that_overlapping_chunks_leave_no_gap_and_stay_within_their_size(text, size, overlap):
    chunks = chunks_of(text, size=size, count=COUNTER.count, overlap=overlap)
    covered = 0
    for one in chunks:
        assert text[one.start : one.end] == one.text
        assert one.start <= covered < one.end
        assert COUNTER.count(text[one.start : covered]) <= overlap + 1  # tokens may break anew
        assert COUNTER.count(one.text) <= size
        covered = one.end
    assert covered == len(text)


def test_that_a_quotation_is_located_exactly_or_but_for_spaces_and_case():
    where = Positions(pages=(0, 40), paragraphs=positions_of(CONTRACT).paragraphs)
    at = CONTRACT.index("The rent is 900 euro.")
    assert locate("The rent is 900 euro.", CONTRACT, where) == Location(
        at, at + 21, 4, 2, is_exact=True
    )
    loose = locate("“the rent  is\n９００ EURO…”", CONTRACT, where)
    assert loose == Location(at, at + 20, 4, 2, is_exact=False)
    assert locate("The rent is 950 euro.", CONTRACT, where) is None
    assert locate("", CONTRACT, where) is None
    assert locate("…", CONTRACT, where) is None


def test_that_a_quotation_is_looked_for_within_a_chunk():
    text = "same words. same words."
    where = positions_of(text)
    found = locate("same words", text, where, within=(12, 23))
    assert found == Location(12, 22, 1, None, is_exact=True)
    assert locate("SAME words", text, where, within=(12, 23)) == Location(
        12, 22, 1, None, is_exact=False
    )


@settings(deadline=None)
@given(TEXTS, st.data())
def test_that_any_part_of_a_text_is_located_in_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    found = locate(quote, text, positions_of(text))
    if quote:
        assert found is not None
        assert text[found.start : found.end] == quote


@pytest.mark.parametrize("text", ["a" * 60_000, " " * 60_000, "# h\n" * 10_000, "字" * 60_000])
def test_that_a_monotonous_text_is_cut_within_seconds(text):
    begun = time.monotonic()
    chunks = chunks_of(text, size=500, count=COUNTER.count, overlap=20)
    assert chunks[-1].end == len(text)
    assert time.monotonic() - begun < 60
