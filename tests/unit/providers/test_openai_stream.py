import asyncio
import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice, Message, TokenLogprob, Usage
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import Capabilities, ProviderError
from batchdesk.providers.event_lines import EventLines
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.openai_chat import OpenAIChat
from batchdesk.providers.openai_stream import StreamedAnswer


def event(content: Any = None, finish: str | None = None, index: int = 0, **more: Any) -> str:
    delta = {} if content is None else {"content": content}
    return data({"choices": [{"index": index, "delta": delta, "finish_reason": finish} | more]})


def data(value: Any) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"


USAGE = data({"choices": [], "usage": {"prompt_tokens": 8, "completion_tokens": 2}})
DONE = "data: [DONE]\n\n"
STREAM = (
    ": working\n\n"
    + event("")
    + event("Grüße\u2028")
    + event(" 😀")
    + event(None, "stop")
    + USAGE
    + DONE
)


def finish(stream: str, ticks: list[float] | None = None) -> ChatResponse:
    clock = iter(ticks or [0.0, 0.0]).__next__
    answer = StreamedAnswer(clock)
    for line in stream.split("\n"):
        answer.take_line(line)
    return answer.finish(HttpResponse(200, {"x": "1"}, stream), "asked")


def fault_of(stream: str) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        finish(stream)
    assert caught.value.response_body == stream
    return caught.value


def test_that_a_stream_becomes_one_answer():
    response = finish(STREAM)
    assert response.choices == (Choice("Grüße\u2028 😀", "stop", None),)
    assert response.usage == Usage(8, 2, None, None)
    assert (response.http_status, response.headers) == (200, {"x": "1"})
    assert (response.request_body, response.response_body) == ("asked", STREAM)


def test_that_the_first_token_is_timed_from_the_start_and_not_by_empty_deltas():
    response = finish(event("") + event(None) + event("a") + event("b", "stop"), [100.0, 100.75])
    assert response.first_token_s == 0.75


def test_that_a_stream_without_any_text_has_no_first_token():
    assert finish(event(None, "stop")).first_token_s is None


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_that_any_cutting_of_the_bytes_gives_the_same_answer(cuts, end):
    raw = STREAM.replace("\n", end).encode()
    bounds = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    answer, lines = StreamedAnswer(lambda: 0.0), EventLines()
    for start, stop in itertools.pairwise(bounds):
        for line in lines.feed(raw[start:stop]):
            answer.take_line(line)
    for line in lines.end():
        answer.take_line(line)
    response = answer.finish(HttpResponse(200, {}, ""), "")
    assert response.choices == (Choice("Grüße\u2028 😀", "stop", None),)
    assert response.usage == Usage(8, 2, None, None)


@given(st.integers(0, len(STREAM) - 1))
def test_that_a_stream_cut_anywhere_is_whole_or_an_error_but_never_half_an_answer(length):
    outcome: Any
    try:
        outcome = finish(STREAM[:length]).choices
    except ProviderError as error:
        outcome = error.kind
    assert outcome in {ErrorKind.CONNECTION_RESET, (Choice("Grüße\u2028 😀", "stop", None),)}


def test_that_data_without_a_space_and_without_blank_lines_is_read():
    stream = (
        (event("a") + event("b", "stop") + DONE).replace("data: ", "data:").replace("\n\n", "\n")
    )
    assert finish(stream).choices == (Choice("ab", "stop"),)


def test_that_done_may_be_missing_where_a_finish_reason_came():
    assert finish(event("a", "stop")).choices == (Choice("a", "stop"),)


def test_that_a_finish_reason_may_be_missing_where_done_came():
    assert finish(event("a") + DONE).choices == (Choice("a", None),)


def test_that_several_choices_may_come_mixed():
    stream = event("b", index=1) + event("a") + event("B", "length", 1) + event("A", "stop") + DONE
    assert finish(stream).choices == (Choice("aA", "stop"), Choice("bB", "length"))


@pytest.mark.parametrize("index", ["1e400", "-7", '"x"', "null", "9" * 400, "NaN"])
def test_that_an_absurd_index_is_the_first_choice(index):
    choice = f'{{"index": {index}, "delta": {{"content": "a"}}, "finish_reason": 7}}'
    odd = f'{{"choices": [{choice}]}}'
    response = finish(f"data: {odd}\n\n" + event("b", "stop") + DONE)
    assert response.choices == (Choice("ab", "stop", None),)


def test_that_one_choice_without_its_end_is_no_whole_answer():
    error = fault_of(event("a", "stop") + event("b", index=1))
    assert error.kind is ErrorKind.CONNECTION_RESET


def test_that_logprobs_are_collected():
    logprobs = [{"content": [{"token": text, "logprob": -1.0}]} for text in "ab"]
    stream = event("a", logprobs=logprobs[0]) + event("b", "stop", logprobs=logprobs[1])
    expected = (TokenLogprob("a", -1.0), TokenLogprob("b", -1.0))
    assert finish(stream).choices[0].logprobs == expected


def test_that_a_character_split_over_two_events_is_whole():
    stream = r'data: {"choices": [{"delta": {"content": "\ud83d"}}]}' + "\n\n"
    stream += (
        r'data: {"choices": [{"delta": {"content": "\ude00"}, "finish_reason": "stop"}]}' + "\n\n"
    )
    assert finish(stream).choices == (Choice("😀", "stop"),)


@pytest.mark.parametrize(
    ("stream", "kind", "message"),
    [
        (event("a"), ErrorKind.CONNECTION_RESET, "the stream ended before the answer did"),
        (
            ": working\n\n: working\n\n",
            ErrorKind.CONNECTION_RESET,
            "the stream ended before the answer did",
        ),
        (DONE, ErrorKind.CONNECTION_RESET, "the stream ended before the answer did"),
        (
            event("a") + 'data: {"choi\n\n',
            ErrorKind.CONNECTION_RESET,
            "a part of the stream is not whole",
        ),
        (event("a") + data({"error": {"message": "Broken"}}), ErrorKind.SERVER_ERROR, "Broken"),
        (
            event("a") + data({"error": {"message": "Wait", "code": 429}}) + DONE,
            ErrorKind.RATE_LIMITED,
            "Wait",
        ),
        (
            event("a") + 'event: error\ndata: {"code": "x", "message": "Broken"}\n\n',
            ErrorKind.SERVER_ERROR,
            "Broken",
        ),
        (data([1, 2]), ErrorKind.SERVER_ERROR, "HTTP 200: [1, 2]"),
        (data({"choices": [7]}), ErrorKind.SERVER_ERROR, 'HTTP 200: {"choices": [7]}'),
    ],
)
def test_that_an_error_in_the_stream_is_told(stream, kind, message):
    error = fault_of(stream)
    assert (error.kind, error.message, error.http_status) == (kind, message, 200)


def test_that_an_error_event_without_data_is_no_error():
    assert finish("event: error\n\n" + event("a", "stop")).choices == (Choice("a", "stop"),)


def test_that_an_event_called_something_else_is_no_error():
    assert finish("event: chunk\n" + event("a", "stop")).choices == (Choice("a", "stop"),)


# -- over the wire --------------------------------------------------------------------------


async def ask(server: Any) -> ChatResponse:
    provider = OpenAIChat(server.base_url, api_key=None, capabilities=Capabilities())
    try:
        messages = (Message("user", "Hi"),)
        return await provider.chat(ChatRequest("m", messages, "k", "t", stream=True))
    finally:
        await provider.close()


def streams(*pieces: str | float, content_type: str = "text/event-stream", status: str = "200 OK"):
    """Sends texts as chunks and waits for numbers of seconds."""

    async def act(_asked, writer):
        head = f"HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n"
        writer.write(head.encode())
        for piece in pieces:
            if isinstance(piece, str):
                raw = piece.encode()
                writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
                await writer.drain()
            else:
                await asyncio.sleep(piece)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    return act


async def test_that_a_streamed_answer_comes_with_the_time_of_its_first_token(serve_raw):
    act = streams(event("a"), 0.2, event("b", "stop"), USAGE, DONE)
    async with serve_raw(act) as server:
        response = await ask(server)
    assert response.choices == (Choice("ab", "stop"),)
    assert response.usage.output_tokens == 2
    assert response.first_token_s is not None
    assert 0 < response.first_token_s < 0.2
    asked = json.loads(server.asked[0].body)
    assert (asked["stream"], asked["stream_options"]) == (True, {"include_usage": True})


@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
async def test_that_a_service_that_does_not_stream_is_understood(serve_raw, content_type):
    body = json.dumps(
        {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}, indent=1
    )
    async with serve_raw(streams(body, content_type=content_type)) as server:
        response = await ask(server)
    assert response.choices == (Choice("a", "stop"),)
    assert (response.first_token_s, response.response_body) == (None, body)


async def test_that_a_stream_by_another_name_is_understood(serve_raw):
    async with serve_raw(streams(STREAM, content_type="text/plain")) as server:
        assert (await ask(server)).choices == (Choice("Grüße\u2028 😀", "stop"),)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        ("429 Too Many Requests", '{"error": {"message": "Wait"}}', ErrorKind.RATE_LIMITED),
        ("200 OK", '{"error": {"message": "Broken"}}', ErrorKind.SERVER_ERROR),
        ("200 OK", "<html>\n</html>", ErrorKind.NOT_AN_API),
        ("500 Oops", 'data: {"error": {"message": "Broken"}}\n\n', ErrorKind.SERVER_ERROR),
    ],
)
async def test_that_an_error_instead_of_a_stream_is_understood(serve_raw, status, body, kind):
    async with serve_raw(streams(body, status=status)) as server:
        with pytest.raises(ProviderError) as caught:
            await ask(server)
    assert caught.value.kind is kind
    assert caught.value.response_body == body
