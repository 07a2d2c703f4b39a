"""OpenAI-compatible chat completions: the wire format of most services and local servers.

In comes a ChatRequest, out comes a ChatResponse. How JSON is asked for follows the service's
capabilities: ``json_schema``, else ``json_object`` with the schema in words, else words alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice, Message
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import Capabilities, ProviderError
from batchdesk.providers.http import HttpClient, HttpResponse, HttpTimeouts
from batchdesk.providers.openai_errors import error_of
from batchdesk.providers.openai_fields import logprobs_of, usage_of
from batchdesk.providers.openai_stream import StreamedAnswer

_PATH = "/chat/completions"
_HTTP_OK = 200


class OpenAIChat:
    """One service that speaks this format.

    Args:
        base_url: Up to and without ``/chat/completions``.
        api_key: Sent as a bearer token; None for servers that want none.
    """

    def __init__(self, base_url: str, *, api_key: str | None, capabilities: Capabilities) -> None:
        self.capabilities = capabilities
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = HttpClient(base_url, headers)

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """Send one request and return the whole answer.

        Raises:
            ProviderError: every fault of the transport, of HTTP and of the envelope.
        """
        text = json.dumps(self.body(request), ensure_ascii=False)
        headers = {"idempotency-key": request.idempotency_key, "x-request-id": request.trace_id}
        timeouts = HttpTimeouts(
            request.timeout_connect_s, request.timeout_read_s, request.timeout_total_s
        )
        try:
            if request.stream:
                return await self._streamed(text, headers, timeouts)
            response = await self._http.post(_PATH, text.encode(), headers, timeouts)
            return _whole(response, text)
        except ProviderError as error:
            error.request_body = text
            raise

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as JSON: only what was set, so that services with fewer options cope."""
        body: dict[str, Any] = {"model": request.model, "messages": _messages(request.messages)}
        options = {
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            "n": request.n if request.n > 1 else None,
            "logprobs": request.logprobs or None,
        }
        body.update({name: value for name, value in options.items() if value is not None})
        if request.stream:
            body["stream"] = True
            body["stream_options"] = {"include_usage": True}
        if request.schema is not None:
            self._ask_for_json(body, request.schema)
        return body

    def _ask_for_json(self, body: dict[str, Any], schema: Mapping[str, Any]) -> None:
        form = self.capabilities.structured_output
        if form == "json_schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": schema, "strict": _is_strict(schema)},
            }
            return
        if form == "json_object":
            body["response_format"] = {"type": "json_object"}
        body["messages"] = _with_instruction(body["messages"], schema)

    async def _streamed(
        self, text: str, headers: Mapping[str, str], timeouts: HttpTimeouts
    ) -> ChatResponse:
        answer = StreamedAnswer(time.perf_counter)
        response = await self._http.post_stream(
            _PATH, text.encode(), headers, timeouts, answer.take_line
        )
        if response.status != _HTTP_OK or not answer.began:
            return _whole(response, text)  # an error, or a service that does not stream
        return answer.finish(response, text)


def _whole(response: HttpResponse, request_text: str) -> ChatResponse:
    """Read a response that is one JSON object."""
    if response.status != _HTTP_OK:
        raise error_of(response)
    parsed: Any = None
    try:
        parsed = json.loads(response.body)
        choices = tuple(_choice(choice) for choice in parsed["choices"])
    except (ValueError, TypeError, KeyError, AttributeError):
        choices = ()
    if not choices:
        raise _not_a_completion(response)
    return ChatResponse(
        choices=choices,
        usage=usage_of(parsed.get("usage")),
        http_status=response.status,
        request_body=request_text,
        response_body=response.body,
        headers=response.headers,
    )


def _not_a_completion(response: HttpResponse) -> ProviderError:
    """A 200 that holds no answer: an error in disguise, a web page, or half an object."""
    start = response.body.lstrip()[:1]
    if start == "{":
        try:
            parsed = json.loads(response.body)
        except ValueError:
            return ProviderError(
                ErrorKind.CONNECTION_RESET,
                "the response is not whole",
                http_status=response.status,
                response_body=response.body,
            )
        if isinstance(parsed, dict) and parsed.get("error"):
            return error_of(response)
    return ProviderError(
        ErrorKind.NOT_AN_API,
        "a web page came back" if start == "<" else "the response is not a chat completion",
        http_status=response.status,
        response_body=response.body,
    )


def _choice(choice: Mapping[str, Any]) -> Choice:
    message = choice["message"]
    text = message.get("content")
    if isinstance(text, list):  # some services give parts
        text = "".join(str(part.get("text", "")) for part in text)
    refusal = message.get("refusal")
    reason = choice.get("finish_reason")
    return Choice(
        text=str(text or ""),
        finish_reason="content_filter" if refusal and not text else reason,
        logprobs=logprobs_of(choice.get("logprobs")),
    )


def _messages(messages: tuple[Message, ...]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _with_instruction(
    messages: list[dict[str, str]], schema: Mapping[str, Any]
) -> list[dict[str, str]]:
    """The schema in words, at the end of the system text."""
    wanted = (
        "Answer with one JSON object and nothing else. It must satisfy this JSON Schema:\n"
        + json.dumps(schema, ensure_ascii=False)
    )
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{wanted}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": wanted}, *messages]


def _is_strict(schema: Mapping[str, Any]) -> bool:
    """Whether the schema keeps the rules of strict mode: every field required, none beside them."""
    properties = schema.get("properties") or {}
    return schema.get("additionalProperties") is False and set(properties) == set(
        schema.get("required") or ()
    )
