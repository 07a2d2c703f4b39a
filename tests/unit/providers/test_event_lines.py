import itertools

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.providers.event_lines import EventLines


def lines_of(chunks: list[bytes]) -> list[str]:
    lines = EventLines()
    return [line for chunk in chunks for line in lines.feed(chunk)] + lines.end()


def test_that_cr_lf_and_both_end_a_line():
    assert lines_of([b"a\nb\r\nc\rd\n"]) == ["a", "b", "c", "d"]


def test_that_a_line_separator_inside_a_text_does_not_end_a_line():
    assert lines_of(["one\u2028two\x85three\n".encode()]) == ["one\u2028two\x85three"]


def test_that_a_last_line_without_an_end_is_told():
    assert lines_of([b"a\n", b"b"]) == ["a", "b"]
    assert lines_of([b"a\r"]) == ["a"]
    assert lines_of([]) == []


def test_that_a_character_cut_in_two_is_whole_again():
    euro = "€".encode()
    assert lines_of([euro[:1], euro[1:] + b"\n"]) == ["€"]


@given(st.text(alphabet="ab\n\r€\u2028", max_size=40), st.data())
def test_that_the_lines_are_the_same_wherever_the_network_cut(text, data):
    whole = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    bounds = [0, *cuts, len(whole)]
    chunks = [whole[a:b] for a, b in itertools.pairwise(bounds)]
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if expected[-1] == "":
        expected.pop()
    assert lines_of(chunks) == expected
