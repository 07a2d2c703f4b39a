import base64
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batchdesk.domain.chat import ChatResponse, Choice, Usage
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.key_guard import KeyGuard

KEY = "sk-a/b+c.d_e-1234567"


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        KEY.replace("/", "\\/"),
        KEY.replace("/", "\\u002f"),
        KEY.replace("/", "\\u002F"),
        "".join(f"\\u{ord(c):04x}" for c in KEY),
        packed(KEY).rstrip("="),
        packed(f"Bearer {KEY}").rstrip("="),
    ],
)
def test_that_no_form_of_the_key_gets_through(form):
    assert KeyGuard(KEY).clean(f"a{form}z {form}") == "a[key removed]z [key removed]"


@example("\\", "\\")
@given(before=st.text(), after=st.text())
def test_that_a_key_is_found_within_any_json_text(before, after):
    for ascii_only in (True, False):
        text = json.dumps({"echo": before + KEY + after}, ensure_ascii=ascii_only)
        cleaned = KeyGuard(KEY).clean(text)
        assert KEY not in cleaned
        assert json.loads(cleaned) == {"echo": before + "[key removed]" + after}


@pytest.mark.parametrize("key", [None, "", "none", "ollama"])
def test_that_without_a_real_key_nothing_is_touched(key):
    text = "none of it is ollama \\u0041"
    assert KeyGuard(key).clean(text) == text


def test_that_headers_and_body_of_a_response_are_cleaned():
    response = KeyGuard(KEY).clean_response(HttpResponse(200, {"x-echo": KEY}, f": {KEY}"))
    assert response == HttpResponse(200, {"x-echo": "[key removed]"}, ": [key removed]")


def test_that_a_key_that_came_in_pieces_takes_the_raw_body_with_it():
    body = f"data: {KEY[:9]} data: {KEY[9:]}"
    answer = ChatResponse((Choice(f"It is {KEY}.", "stop"),), Usage(1, 2), 200, "asked", body)
    cleaned = KeyGuard(KEY).clean_answer(answer)
    assert cleaned.choices == (Choice("It is [key removed].", "stop"),)
    assert cleaned.response_body == "[key removed]"


def test_that_an_answer_without_the_key_stays_as_it_is():
    answer = ChatResponse((Choice("sk-a", "stop"),), Usage(), 200, "asked", "body")
    assert KeyGuard(KEY).clean_answer(answer) is answer
