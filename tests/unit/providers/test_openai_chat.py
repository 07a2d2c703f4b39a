import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import (
    ChatRequest,
    Choice,
    LimitState,
    Message,
    RateLimits,
    TokenLogprob,
    Usage,
)
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import UserError
from batchdesk.providers.base import Capabilities, ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.openai_chat import OpenAIChat, _whole

KEY = "sk-very-secret"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"mood": {"type": "string", "enum": ["good", "bad"]}},
    "required": ["mood"],
    "additionalProperties": False,
}
ANSWER = {
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "é"}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1},
}


def chat(form: Any = "json_schema", base_url: str = "http://127.0.0.1:9/v1") -> OpenAIChat:
    return OpenAIChat(base_url, api_key=KEY, capabilities=Capabilities(structured_output=form))


def request(**more: Any) -> ChatRequest:
    messages = (Message("system", "Be brief."), Message("user", "How are you?"))
    base: dict[str, Any] = {
        "model": "m",
        "messages": messages,
        "idempotency_key": "task-7/1",
        "trace_id": "trace-1",
    }
    return ChatRequest(**(base | more))


def whole(body: Any, headers: dict[str, str] | None = None) -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    return _whole(HttpResponse(200, headers or {}, text), "asked")


def fault_of(body: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        whole(body)
    return caught.value


def body_of(service: OpenAIChat, asked: ChatRequest) -> Any:
    return json.loads(service.body(asked))


def test_that_the_schema_of_each_request_is_the_one_that_is_sent():
    service, other = chat(), {"type": "object", "properties": {}, "additionalProperties": False}
    sent = [
        body_of(service, request(schema=schema))["response_format"]["json_schema"]["schema"]
        for schema in (SCHEMA, SCHEMA, other, SCHEMA)
    ]
    assert sent == [SCHEMA, SCHEMA, other, SCHEMA]


def test_that_only_what_was_set_is_in_the_request():
    assert body_of(chat(), request()) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "How are you?"},
        ],
    }


def test_that_every_option_that_was_set_is_in_the_request():
    body = body_of(
        chat(),
        request(temperature=0.0, top_p=0.5, seed=0, max_tokens=9, n=3, logprobs=True, stream=True),
    )
    assert {name: value for name, value in body.items() if name not in {"model", "messages"}} == {
        "temperature": 0.0,
        "top_p": 0.5,
        "seed": 0,
        "max_tokens": 9,
        "n": 3,
        "logprobs": True,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_that_openai_itself_is_told_the_limit_by_its_new_name():
    body = body_of(chat(base_url="https://api.openai.com/v1"), request(max_tokens=9))
    assert (body["max_completion_tokens"], "max_tokens" in body) == (9, False)


def test_that_a_schema_is_sent_as_json_schema_where_the_service_knows_it():
    assert body_of(chat(), request(schema=SCHEMA))["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


INNER = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("changes", "strict"),
    [
        ({}, True),
        ({"required": []}, False),
        ({"additionalProperties": True}, False),
        ({"properties": {"mood": {"type": "string", "minLength": 2}}}, False),
        ({"properties": {"mood": INNER}}, False),
        ({"properties": {"mood": INNER | {"additionalProperties": False}}}, True),
        ({"properties": {"mood": {"type": "array", "items": INNER}}}, False),
        ({"properties": {"mood": {"anyOf": [INNER, {"type": "null"}]}}}, False),
        ({"$defs": {"inner": INNER}}, False),
        ({"allOf": [{}]}, False),
        ({"properties": {"mood": {"type": ["string", "null"], "pattern": "^x"}}}, True),
    ],
)
def test_that_strict_is_asked_for_only_where_the_schema_keeps_its_rules(changes, strict):
    body = body_of(chat(), request(schema=SCHEMA | changes))
    assert body["response_format"]["json_schema"]["strict"] is strict


@pytest.mark.parametrize(
    ("form", "response_format"), [("json_object", {"type": "json_object"}), ("instruction", None)]
)
def test_that_other_services_get_the_schema_in_words(form, response_format):
    body = body_of(chat(form), request(schema=SCHEMA))
    assert body.get("response_format") == response_format
    assert body["messages"][0] == {
        "role": "system",
        "content": "Be brief.\n\nAnswer with one JSON object and nothing else. It must satisfy this "
        "JSON Schema:\n" + json.dumps(SCHEMA),
    }
    assert body["messages"][1] == {"role": "user", "content": "How are you?"}


def test_that_the_words_come_first_where_there_is_no_system_text():
    body = body_of(chat("instruction"), request(schema=SCHEMA, messages=(Message("user", "Hi"),)))
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_that_an_answer_comes_with_usage_texts_and_headers():
    response = whole(ANSWER, {"x-ratelimit-remaining-requests": "9"})
    assert response.choices == (Choice("é", "stop", None),)
    assert response.usage == Usage(5, 1, None, None)
    assert (response.http_status, response.request_body) == (200, "asked")
    assert response.response_body == json.dumps(ANSWER)
    assert response.headers == {"x-ratelimit-remaining-requests": "9"}
    assert response.first_token_s is None


def test_that_several_choices_parts_and_logprobs_are_read():
    logprobs = {"content": [{"token": "a", "logprob": -0.1}]}
    choices = [
        {"message": {"content": [{"type": "text", "text": "a"}]}, "logprobs": logprobs},
        {"message": {"content": None}, "finish_reason": "length"},
    ]
    response = whole({"choices": choices})
    assert response.choices == (
        Choice("a", None, (TokenLogprob("a", -0.1),)),
        Choice("", "length", None),
    )
    assert response.usage == Usage()


def test_that_a_refusal_is_content_filter():
    message = {"content": None, "refusal": "I can't help with that."}
    response = whole({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert response.choices[0].finish_reason == "content_filter"


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("", ErrorKind.CONNECTION_RESET, "the response is empty"),
        ('{"choices": [{"mess', ErrorKind.CONNECTION_RESET, "the response is not whole"),
        ("<html>Sign in</html>", ErrorKind.NOT_AN_API, "a web page came back"),
        ("OK", ErrorKind.NOT_AN_API, "the response is not a chat completion"),
        ("[]", ErrorKind.NOT_AN_API, "the response is not a chat completion"),
        ({"status": "ok"}, ErrorKind.NOT_AN_API, "the response is not a chat completion"),
        ({"choices": []}, ErrorKind.SERVER_ERROR, "the response holds no answer"),
        ({"choices": None}, ErrorKind.SERVER_ERROR, "the response holds no answer"),
        ({"choices": [{"text": "old"}]}, ErrorKind.SERVER_ERROR, "the response holds no answer"),
        ({"error": {"message": "Broken"}}, ErrorKind.SERVER_ERROR, "Broken"),
        ({"error": {"message": "Slow down", "code": 429}}, ErrorKind.RATE_LIMITED, "Slow down"),
        ([{"error": {"message": "Broken"}}], ErrorKind.SERVER_ERROR, "Broken"),
        ({"code": 500, "msg": "Broken", "success": False}, ErrorKind.SERVER_ERROR, "Broken"),
    ],
)
def test_that_a_200_without_an_answer_is_an_error_that_says_why(body, kind, message):
    error = fault_of(body)
    assert (error.kind, error.message, error.http_status) == (kind, message, 200)
    assert error.response_body == (body if isinstance(body, str) else json.dumps(body))


def test_that_a_models_failure_within_the_choice_is_an_error():
    choice = {
        "message": {"content": "half an ans"},
        "finish_reason": "error",
        "error": {"code": 502, "message": "Provider disconnected"},
    }
    error = fault_of({"choices": [choice]})
    assert (error.kind, error.message) == (ErrorKind.SERVER_ERROR, "Provider disconnected")
    assert "half an ans" in (error.response_body or "")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["choices", "message", "content", "error", "usage", "logprobs"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_that_any_json_is_an_answer_or_a_provider_error(body):
    try:
        response = whole(body)
    except ProviderError:
        return
    assert response.choices


# -- over the wire --------------------------------------------------------------------------


def reply(body: str, status: str = "200 OK", more: str = ""):
    async def act(_asked, writer):
        raw = body.encode()
        writer.write(
            f"HTTP/1.1 {status}\r\ncontent-length: {len(raw)}\r\n{more}\r\n".encode() + raw
        )
        await writer.drain()

    return act


async def ask(server: Any, **more: Any) -> Any:
    provider = chat(base_url=server.base_url)
    try:
        return await provider.chat(request(**more))
    finally:
        await provider.close()


async def test_that_the_request_goes_out_with_its_key_idempotency_key_and_trace(serve_raw):
    async with serve_raw(reply(json.dumps(ANSWER))) as server:
        response = await ask(server, messages=(Message("user", "Grüße 😀"),))
    asked = server.asked[0]
    assert asked.line == "POST /v1/chat/completions HTTP/1.1"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["idempotency-key"] == "task-7/1"
    assert asked.headers["x-request-id"] == "trace-1"
    assert asked.body.decode() == response.request_body
    assert "Grüße 😀" in response.request_body
    assert KEY not in response.request_body


async def test_that_a_server_without_keys_gets_none(serve_raw):
    async with serve_raw(reply(json.dumps(ANSWER))) as server:
        provider = OpenAIChat(server.base_url, api_key=None, capabilities=Capabilities())
        await provider.chat(request())
        await provider.close()
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("stream", [False, True])
async def test_that_an_error_says_what_was_asked_and_never_the_key(serve_raw, stream):
    body = json.dumps({"error": {"message": f"Wrong key {KEY}", "code": "invalid_api_key"}})
    async with serve_raw(reply(body, "401 Unauthorized", f"x-echo: {KEY}\r\n")) as server:
        with pytest.raises(ProviderError) as caught:
            await ask(server, stream=stream)
    error = caught.value
    assert (error.kind, error.message) == (ErrorKind.AUTH, "Wrong key [key removed]")
    assert json.loads(error.request_body or "")["model"] == "m"
    for part in (error, error.args, vars(error), error.__cause__, str(error)):
        assert KEY not in repr(part)


@pytest.mark.parametrize("stream", [False, True])
async def test_that_an_answer_that_echoes_the_key_comes_without_it(serve_raw, stream):
    body = json.dumps(ANSWER).replace("\\u00e9", f"You sent Bearer {KEY}")
    if stream:
        event = {"choices": [{"delta": {"content": f"You sent {KEY}"}, "finish_reason": "stop"}]}
        body = f": {KEY}\n\ndata: {json.dumps(event)}\n\ndata: [DONE]\n\n"
    async with serve_raw(reply(body, more=f"x-echo: {KEY}\r\n")) as server:
        response = await ask(server, stream=stream)
    assert response.choices[0].text.endswith("[key removed]")
    assert KEY not in repr(response)


async def test_that_a_key_streamed_in_pieces_is_nowhere(serve_raw):
    events = [
        {"choices": [{"delta": {"content": KEY[:7]}}]},
        {"choices": [{"delta": {"content": KEY[7:]}, "finish_reason": "stop"}]},
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    async with serve_raw(reply(body)) as server:
        response = await ask(server, stream=True)
    assert response.choices[0].text == "[key removed]"
    assert response.response_body == "[key removed]"


@pytest.mark.parametrize("lead", range(485, 502))
async def test_that_a_cut_through_the_key_leaves_nothing_of_it(serve_raw, lead):
    body = json.dumps({"error": {"message": "x" * lead + KEY}})
    async with serve_raw(reply(body, "400 Bad Request")) as server:
        with pytest.raises(ProviderError) as caught:
            await ask(server)
    assert KEY[:4] not in caught.value.message


async def test_that_a_fault_of_the_transport_keeps_what_came(serve_raw):
    async def half(_asked, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf")
        await writer.drain()
        return True

    async with serve_raw(half) as server:
        with pytest.raises(ProviderError) as caught:
            await ask(server)
    error = caught.value
    assert error.kind is ErrorKind.CONNECTION_RESET
    assert (error.http_status, error.response_body) == (200, "half")
    assert error.request_body is not None


def test_that_a_key_with_a_line_break_is_refused_in_a_sentence():
    with pytest.raises(UserError, match="Copy it anew"):
        OpenAIChat("http://127.0.0.1:9", api_key="a\nb", capabilities=Capabilities())


LIMIT_HEADERS = (
    "x-ratelimit-limit-requests: 60\r\nx-ratelimit-remaining-requests: 58\r\n"
    "x-ratelimit-reset-requests: 2s\r\n"
)
TOLD = RateLimits(LimitState(60, 58, 2.0))


@pytest.mark.parametrize("stream", [False, True])
async def test_that_an_answer_tells_the_limits_of_its_headers(serve_raw, stream):
    text = json.dumps(ANSWER)
    if stream:
        text = 'data: {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}\n\n'
    async with serve_raw(reply(text, more=LIMIT_HEADERS)) as server:
        provider = chat(base_url=server.base_url)
        response = await provider.chat(request(stream=stream))
        await provider.close()
    assert response.limits == TOLD


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"error": {"message": "no"}}', "429 Too Many Requests"),
        ('{"error": {"message": "no"}}', "500 Internal Server Error"),
        ('{"error": {"message": "no"}}', "200 OK"),
        ('{"choices": [', "200 OK"),
        ('data: {"error": {"message": "no"}}\n\n', "200 OK"),
        ('data: {"choi\n\n', "200 OK"),
        (": working\n\n", "200 OK"),
        ("<html>", "200 OK"),
    ],
)
async def test_that_every_bad_answer_tells_the_limits_too(serve_raw, stream, body, status):
    async with serve_raw(reply(body, status, LIMIT_HEADERS)) as server:
        provider = chat(base_url=server.base_url)
        with pytest.raises(ProviderError) as caught:
            await provider.chat(request(stream=stream))
        await provider.close()
    assert caught.value.limits == TOLD


async def test_that_a_refusal_tells_the_limit_in_its_words(serve_raw):
    body = '{"error": {"message": "request reached organization max RPM: 3, please try again"}}'
    async with serve_raw(reply(body, "429 Too Many Requests")) as server:
        provider = chat(base_url=server.base_url)
        with pytest.raises(ProviderError) as caught:
            await provider.chat(request())
        await provider.close()
    assert caught.value.limits == RateLimits(told_rpm=3)
