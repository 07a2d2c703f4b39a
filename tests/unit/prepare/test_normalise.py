"""One text in one form: what is done, what is left alone, and that doing it twice changes nothing."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchdesk.prepare.normalise import Fix, normalise


@pytest.mark.parametrize(
    ("text", "out", "fixes"),
    [
        ("plain text", "plain text", set()),
        ("", "", set()),
        ("a\r\nb\rc\u2028d\x85e\x0bf\n", "a\nb\nc\nd\ne\nf", {Fix.LINE_ENDS, Fix.SPACES}),
        ("a\x00b\x1bc\u200bd\ufeff", "abcd", {Fix.CONTROL}),
        ("a  b\t\tc \u3000 d", "a b c d", {Fix.SPACES}),
        ("a\tb", "a\tb", set()),
        ("one   \n\n\n\n  two", "one\n\n two", {Fix.SPACES}),
        ("cafe\u0301", "caf\u00e9", {Fix.COMPOSED}),
        ("caf\u00c3\u00a9 na\u00c3\u00afve", "caf\u00e9 na\u00efve", {Fix.REPAIRED}),
        ("caf\u00c3\u200b\u00a9", "caf\u00e9", {Fix.CONTROL, Fix.REPAIRED}),
        ("itâ€™s", "it’s", {Fix.REPAIRED}),
        ("å¥½å\x90ƒ", "好吃", {Fix.REPAIRED}),
        ("酒店很干净", "酒店很干净", set()),
        ("１３８ full-width stays", "１３８ full-width stays", set()),
        ("SUOVÂKUOŠKÂ", "SUOVÂKUOŠKÂ", set()),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f", set()),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e007f", set()),
        ("good\U000e0069\U000e0067\U000e006e", "good", {Fix.CONTROL}),
        ("a\ud800b", "a\ufffdb", {Fix.CONTROL}),
        ("00123", "00123", set()),
    ],
)  # fmt: skip
def test_that_a_text_gets_its_one_form(text, out, fixes):
    assert normalise(text) == (out, frozenset(fixes))


def test_that_nothing_is_repaired_unless_asked_for():
    assert normalise("caf\u00c3\u00a9", repair=False) == ("caf\u00c3\u00a9", frozenset())


def test_that_a_repair_that_would_lose_something_is_not_made():
    # The lost byte of "à" (a no-break space that became a space) can only be guessed.
    assert normalise("Ã la carte, voilÃ  tout")[0] == "Ã la carte, voilÃ tout"


@settings(deadline=None)  # the first text loads what is loaded late
@given(st.text())
def test_that_twice_is_the_same_as_once(text):
    once, _ = normalise(text)
    assert normalise(once) == (once, frozenset())


@settings(deadline=None)  # the first text loads what is loaded late
@given(st.text())
def test_that_the_form_is_composed_and_has_no_carriage_return(text):
    once, fixes = normalise(text)
    assert unicodedata.is_normalized("NFC", once)
    assert "\r" not in once
    assert (once == text) or fixes


WORDS = st.lists(
    st.sampled_from(
        ["café", "naïve", "größer", "façon", "“ja”", "好吃", "Привет", "žluťoučký", "don’t", "€5"]
    ),
    min_size=1,
)


@settings(deadline=None)  # the first text loads what is loaded late
@given(WORDS, st.sampled_from(["latin-1", "cp1252"]))
def test_that_sound_words_are_left_alone_and_broken_ones_come_back_or_stay(words, wrong):
    text = " ".join(words)
    assert normalise(text)[0] == text
    try:
        broken = text.encode().decode(wrong)
    except UnicodeDecodeError:
        return
    repaired, fixes = normalise(broken)
    assert repaired == text or Fix.REPAIRED not in fixes or Fix.CONTROL in fixes
