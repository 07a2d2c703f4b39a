import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.providers.practice_answers import Answer
from batchdesk.providers.practice_wire import (
    BadRequestError,
    PracticeRequest,
    Reply,
    completion,
    find_schema,
    logprobs,
    read_request,
    shorten,
    stream_events,
    tokens_in,
    usage,
)

SCHEMA = {"type": "object", "properties": {"sentiment": {"enum": ["a", "b"]}}}


def request(*messages: tuple[str, Any], **more: Any) -> PracticeRequest:
    turns = [{"role": role, "content": content} for role, content in messages]
    return read_request(json.dumps({"model": "practice", "messages": turns} | more).encode())


def test_that_the_last_user_message_is_the_row_and_its_last_line_the_key():
    asked = request(
        ("system", "Judge."),
        ("user", "An example.\nrow_key: 1"),
        ("assistant", "{}"),
        ("user", "It broke.\nBadly.\nrow_key:  A: 7 "),
    )
    assert asked.question.text == "It broke.\nBadly."
    assert asked.question.row_key == " A: 7 "
    assert asked.question.schema is None


def test_that_a_message_without_a_key_line_is_all_text():
    asked = request(("user", "row_key: not the last line\nIt broke."))
    assert asked.question.text == "row_key: not the last line\nIt broke."
    assert asked.question.row_key is None


def test_that_the_marks_around_data_are_not_part_of_it():
    text = "Message:\n<data-0123456789ab>\nIt broke.\n</data-0123456789ab>\nrow_key: 7"
    asked = request(("user", text))
    assert asked.question.text == "Message:\nIt broke."
    other = "<data-0123456789ab>\nIt broke.\n</data-ba9876543210>"
    assert request(("user", other)).question.text == other


def test_that_a_remark_after_the_row_is_not_taken_for_the_row():
    asked = request(
        ("user", "It broke.\nrow_key: 7"), ("assistant", "{"), ("user", "That was not JSON.")
    )
    assert (asked.question.text, asked.question.row_key) == ("It broke.", "7")


def test_that_a_schema_is_taken_from_the_request():
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
    assert request(("user", "x"), response_format=form).question.schema == SCHEMA


@pytest.mark.parametrize(
    ("system", "user"),
    [
        (f"Answer with JSON like this:\n```json\n{json.dumps(SCHEMA)}\n```", "x"),
        (f"Not {{this}} but {json.dumps(SCHEMA)}", "x"),
        ("Judge.", f"Schema: {json.dumps(SCHEMA, indent=2)}\nText: x"),
    ],
)
def test_that_a_schema_is_found_in_the_prompt(system, user):
    for more in ({"response_format": {"type": "json_object"}}, {}):
        assert request(("system", system), ("user", user), **more).question.schema == SCHEMA


def test_that_json_without_a_schema_has_one_field():
    asked = request(("user", "x"), response_format={"type": "json_object"})
    assert asked.question.schema is not None
    assert list(asked.question.schema["properties"]) == ["answer"]
    assert find_schema('An {"example": 1} is no schema') is None


def test_that_text_parts_are_joined():
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two\nrow_key: 3"}]
    asked = request(("user", parts))
    assert (asked.question.text, asked.question.row_key) == ("one\ntwo", "3")


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"messages": []}',
        b'{"messages": [{"role": "system", "content": "x"}]}',
        b'{"messages": [{"role": "user", "content": "x"}], "n": 0.5}',
        b'{"messages": [{"role": "user", "content": "x"}], "max_tokens": 0}',
        b'{"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "json_schema"}}',
    ],
)
def test_that_a_request_that_makes_no_sense_is_refused(raw):
    with pytest.raises(BadRequestError):
        read_request(raw)


@given(raw=st.binary() | st.recursive(st.none() | st.booleans() | st.text() | st.integers(), lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["messages", "role", "content", "n", "stream_options", "response_format", "type", "user", "json_schema", "schema"]), part, max_size=4), max_leaves=12).map(lambda body: json.dumps(body).encode()))  # fmt: skip
def test_that_no_body_breaks_the_reader(raw):
    try:
        asked = read_request(raw)
    except BadRequestError:
        return
    assert asked.prompt_tokens >= 1


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("abcd", 1), ("abcde", 2), ("很好", 2)])
def test_that_a_token_is_four_bytes(text, tokens):
    assert tokens_in(text) == tokens


def test_that_tokens_join_to_the_content_and_the_value_carries_its_doubt():
    content = '{"row_key": "7", "sentiment": "very positive"}'
    start = content.index('"very')
    tokens = logprobs(Answer(content, {}, ((start, len(content) - 1, 0.5),)))
    assert "".join(token["token"] for token in tokens) == content
    doubtful = [token for token in tokens if token["logprob"] < -0.1]
    assert [(token["token"], token["logprob"]) for token in doubtful] == [("very", -0.69315)]


@given(content=st.text())
def test_that_tokens_of_any_text_join_to_it(content):
    assert "".join(token["token"] for token in logprobs(Answer(content))) == content
    assert all(token["logprob"] <= 0 for token in logprobs(Answer(content)))


def test_that_a_whole_answer_has_choices_and_usage():
    asked = request(("user", "abcdefgh"), n=2, logprobs=True)
    replies = [Reply(Answer("good"), "stop"), Reply(Answer("bad one"), "length")]
    used = usage(asked.prompt_tokens, replies)
    assert used == {
        "prompt_tokens": 2,
        "completion_tokens": 3,
        "total_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 0},
    }
    body = json.loads(completion("id-1", asked, replies, used))
    assert body["model"] == "practice"
    assert body["system_fingerprint"] == "practice-server-not-a-model"
    assert body["usage"] == used
    assert [choice["message"]["content"] for choice in body["choices"]] == ["good", "bad one"]
    assert [choice["finish_reason"] for choice in body["choices"]] == ["stop", "length"]
    assert body["choices"][0]["logprobs"]["content"][0]["logprob"] == round(math.log(0.9995), 5)


@given(content=st.text(), wants_logprobs=st.booleans(), include_usage=st.booleans())
def test_that_streamed_pieces_join_to_the_content(content, wants_logprobs, include_usage):
    asked = request(
        ("user", "x"),
        stream=True,
        logprobs=wants_logprobs,
        stream_options={"include_usage": include_usage},
    )
    replies = [Reply(Answer(content), "stop")]
    events = stream_events("id-1", asked, replies, usage(1, replies))
    assert events[-1] == b"data: [DONE]\n\n"
    chunks = [json.loads(event.removeprefix(b"data: ")) for event in events[:-1]]
    deltas = [choice for chunk in chunks for choice in chunk["choices"]]
    assert "".join(one["delta"].get("content", "") for one in deltas) == content
    assert [one["finish_reason"] for one in deltas if one["finish_reason"]] == ["stop"]
    assert any(one["logprobs"] for one in deltas) == (wants_logprobs and bool(content))
    assert bool(chunks[-1].get("usage")) is include_usage
    assert all(b"\n" not in event[:-2] for event in events)


def test_that_an_answer_above_max_tokens_is_cut_on_a_whole_character():
    assert shorten(Reply(Answer("很好很好"), "stop"), 1) == Reply(Answer("很"), "length")
    whole = Reply(Answer("good"), "stop")
    assert shorten(whole, 1) is whole
    assert shorten(whole, None) is whole
