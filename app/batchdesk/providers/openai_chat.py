"""OpenAI-compatible chat completions: the wire format of most services and local servers.

In comes a ChatRequest, out comes a ChatResponse. What is sent is made in ``openai_request``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice
from batchdesk.domain.network import SYSTEM_NETWORK, Network
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import Capabilities, ProviderError
from batchdesk.providers.endpoint import Endpoint, endpoint_of
from batchdesk.providers.http import HttpClient, HttpResponse, HttpTimeouts
from batchdesk.providers.key_guard import KeyGuard
from batchdesk.providers.limit_headers import limits_of
from batchdesk.providers.model_list import ModelList, models_in
from batchdesk.providers.openai_errors import error_of
from batchdesk.providers.openai_fields import (
    joined,
    logprobs_of,
    parsed_json,
    reason_of,
    text_of,
    usage_of,
)
from batchdesk.providers.openai_request import BodyWriter, to_json
from batchdesk.providers.openai_stream import StreamedAnswer

_HTTP_OK = 200


class OpenAIChat:
    """One service that speaks this format.

    Args:
        where: How the service is asked; an address alone stands for a service like OpenAI's.
        api_key: Sent in the header that the service wants; None for servers that want none.
        network: Through which proxy, and whom to trust.

    Raises:
        JobFileError: the address is not one.
        UserError: the key cannot be sent, or the proxy or a file of certificates cannot be used.
    """

    def __init__(
        self,
        where: Endpoint | str,
        *,
        api_key: str | None,
        capabilities: Capabilities,
        network: Network = SYSTEM_NETWORK,
    ) -> None:
        self.capabilities = capabilities
        self._endpoint = endpoint_of("", where) if isinstance(where, str) else where
        headers = self._endpoint.key_headers(api_key)
        self._http = HttpClient(self._endpoint.base_url, headers, network)
        self._bodies = BodyWriter(capabilities, self._endpoint.max_tokens)
        self._guard = KeyGuard(api_key)

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """Send one request and return the whole answer.

        Raises:
            ProviderError: every fault of the transport, of HTTP and of the envelope.
        """
        text = self.body(request)
        headers = {"idempotency-key": request.idempotency_key, "x-request-id": request.trace_id}
        timeouts = HttpTimeouts(
            request.timeout_connect_s, request.timeout_read_s, request.timeout_total_s
        )
        try:
            if request.stream:
                return await self._streamed(text, headers, timeouts)
            response = await self._http.post(
                self._endpoint.chat_path, text.encode(), headers, timeouts
            )
            return self._guard.clean_answer(_whole(self._guard.clean_response(response), text))
        except ProviderError as error:
            raise self._without_key(error, text) from None

    async def models(self, timeouts: HttpTimeouts) -> ModelList:
        """The models that the service lists for this key.

        Raises:
            ProviderError: it refused, or has no such list.
        """
        try:
            response = await self._http.get(self._endpoint.models_path, timeouts)
            response = self._guard.clean_response(response)
            return ModelList(models_in(response), limits_of(response.headers, time.time()))
        except ProviderError as error:
            raise self._without_key(error, "") from None

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()

    def body(self, request: ChatRequest) -> str:
        """The request as it is sent; see ``openai_request``."""
        return self._bodies.write(request)

    def _without_key(self, error: ProviderError, request_text: str) -> ProviderError:
        """The error with what was asked; some services repeat the key in their complaint."""
        body = error.response_body
        return ProviderError(
            error.kind,
            self._guard.clean(error.message),
            http_status=error.http_status,
            retry_after_s=error.retry_after_s,
            request_body=request_text,
            response_body=self._guard.clean(body) if body else body,
            limits=error.limits,
        )

    async def _streamed(
        self, text: str, headers: Mapping[str, str], timeouts: HttpTimeouts
    ) -> ChatResponse:
        answer = StreamedAnswer(time.perf_counter)
        response = await self._http.post_stream(
            self._endpoint.chat_path,
            text.encode(),
            headers,
            timeouts,
            lambda line: answer.take_line(self._guard.clean(line)),
        )
        response = self._guard.clean_response(response)
        if response.status != _HTTP_OK or not answer.began:
            read = _whole(response, text)  # an error, or a service that does not stream
        else:
            read = answer.finish(response, text)
        return self._guard.clean_answer(read)


def _whole(response: HttpResponse, request_text: str) -> ChatResponse:
    """Read a response that is one JSON object."""
    if response.status != _HTTP_OK:
        raise error_of(response)
    parsed = parsed_json(response.body)
    try:
        choices = tuple(_choice(choice) for choice in parsed["choices"])
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        choices = ()
    if not choices:
        raise _not_a_completion(response, parsed)
    if (told := _error_in(parsed["choices"])) is not None:
        error = error_of(HttpResponse(_HTTP_OK, response.headers, to_json({"error": told})))
        error.response_body = response.body
        raise error
    return ChatResponse(
        choices=choices,
        usage=usage_of(parsed.get("usage")),
        http_status=response.status,
        request_body=request_text,
        response_body=response.body,
        headers=response.headers,
        limits=limits_of(response.headers, time.time()),
    )


def _not_a_completion(response: HttpResponse, parsed: Any) -> ProviderError:
    """A 200 that holds no answer: an error in disguise, a web page, or half an object."""
    start = response.body.lstrip()[:1]
    if parsed is None and start in ("", "{"):
        kind = ErrorKind.CONNECTION_RESET
        words = "the response is not whole" if start else "the response is empty"
    elif _is_error(parsed):
        return error_of(response)
    elif isinstance(parsed, dict) and "choices" in parsed:
        kind, words = ErrorKind.SERVER_ERROR, "the response holds no answer"
    elif start == "<":
        kind, words = ErrorKind.NOT_AN_API, "a web page came back"
    else:
        kind, words = ErrorKind.NOT_AN_API, "the response is not a chat completion"
    return ProviderError(
        kind,
        words,
        http_status=response.status,
        response_body=response.body,
        limits=limits_of(response.headers, time.time()),
    )


def _is_error(parsed: Any) -> bool:
    """Whether it looks like one: ``error``, or a code with a message and no choices."""
    if isinstance(parsed, list) and parsed:
        parsed = parsed[0]
    if not isinstance(parsed, dict):
        return False
    if parsed.get("error"):
        return True
    says = parsed.get("message") or parsed.get("msg")
    return bool(says and parsed.get("code")) and not parsed.get("choices")


def _error_in(choices: list[Any]) -> Mapping[str, Any] | None:
    """One service reports a model's failure within the choice."""
    for choice in choices:
        error = choice.get("error")
        if isinstance(error, Mapping) and error:
            return error
    return None


def _choice(choice: Mapping[str, Any]) -> Choice:
    message = choice["message"]
    text = joined([text_of(message.get("content"))])
    reason = reason_of(choice.get("finish_reason"))
    return Choice(
        text=text,
        finish_reason="content_filter" if message.get("refusal") and not text else reason,
        logprobs=logprobs_of(choice.get("logprobs")),
    )
