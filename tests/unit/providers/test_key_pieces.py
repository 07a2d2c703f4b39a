import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.providers.key_guard import KeyGuard
from batchdesk.providers.key_pieces import KeyPieces

KEY = "sk-proj-Qz7RtYp2LmX9vBw4KdHs"
LEAST = 8


def removed(text: str, key: str = KEY) -> str:
    return KeyPieces(key).remove(text, "#")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ends in vBw4KdHs.", "ends in #."),
        ("ENDS IN VBW4KDHS.", "ENDS IN #."),
        ("Qz7RtYp2 and LmX9vBw4K", "# and #"),
        ("ends in Bw4KdHs.", "ends in Bw4KdHs."),
        ("sk-proj-Qz7*********KdHs", "#*********KdHs"),
        ("\u0130 vBw4KdHs \u0130", "\u0130 # \u0130"),
        (KEY + KEY, "##"),
        ("", ""),
    ],
)
def test_that_eight_characters_in_a_row_go_in_any_case(text, left):
    assert removed(text) == left


@given(st.integers(0, len(KEY) - LEAST), st.integers(LEAST, len(KEY)), st.booleans(), st.text())
def test_that_every_piece_with_something_secret_is_found(start, length, small, around):
    piece = KEY[start : start + length]
    if len(piece) < LEAST or (KEY.startswith(piece) and len(piece) == LEAST):
        piece = KEY[-LEAST:]
    text = around + " " + (piece.lower() if small else piece) + " " + around
    assert removed(text) == f"{around} # {around}"


def test_that_words_of_a_key_stay_in_answers():
    assert removed("it begins with sk-proj-, always") == "it begins with sk-proj-, always"
    assert removed("Required: a visa.", "sk-no-key-required") == "Required: a visa."
    assert removed("plumqzvxbhjklrtw", "sk-plumqzvxbhjklrtw") == "#"


@pytest.mark.parametrize("text", ["\nabcd1234", "\u00e9abcd1234", "\\abcd1234", '"abcd1234'])
def test_that_json_stays_whole(text):
    key = "xx-e9nabcd1234"
    cleaned = removed(json.dumps({"echo": text}), key)
    assert json.loads(cleaned) == {"echo": text[0] + "#"}


def test_that_a_quote_within_a_key_does_not_eat_that_of_the_text():
    assert removed('{"a": "abc1234"', 'abc1234"xyz5678') == '{"a": "abc1234"'


def test_that_the_guard_removes_pieces_beside_the_whole_key():
    text = f"{KEY}, then {KEY.upper()[8:18]}"
    assert KeyGuard(KEY).clean(text) == "[key removed], then [key removed]"
    assert KeyGuard("ollama").clean("ollama ollama") == "ollama ollama"
