"""Puts a streamed chat completion together again and times its first token."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from batchdesk.domain.chat import ChatResponse, Choice, TokenLogprob
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.openai_errors import error_of
from batchdesk.providers.openai_fields import logprobs_of, usage_of


@dataclass(slots=True)
class _Part:
    """One choice as far as it has come."""

    text: list[str] = field(default_factory=list)
    logprobs: list[TokenLogprob] = field(default_factory=list)
    finish_reason: str | None = None


class StreamedAnswer:
    """Takes the lines of one event stream.

    Args:
        clock: Seconds, monotonic; the first token is timed from when this was made.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._parts: dict[int, _Part] = {}
        self._usage: Mapping[str, Any] | None = None
        self._error: str | None = None
        self._done = False
        self.began = False
        self.first_token_s: float | None = None

    def take_line(self, line: str) -> None:
        """One line of the stream; lines that are not data are passed over."""
        if not line.startswith("data:"):
            return
        self.began = True
        data = line[len("data:") :].strip()
        if data == "[DONE]":
            self._done = True
            return
        try:
            self._take(json.loads(data), data)
        except (ValueError, TypeError, KeyError, AttributeError):
            self._error = data

    def _take(self, event: Mapping[str, Any], data: str) -> None:
        if event.get("error"):
            self._error = data
            return
        self._usage = event.get("usage") or self._usage
        for choice in event.get("choices") or ():
            part = self._parts.setdefault(int(choice.get("index") or 0), _Part())
            piece = (choice.get("delta") or {}).get("content")
            if piece:
                if self.first_token_s is None:
                    self.first_token_s = self._clock() - self._started
                part.text.append(str(piece))
            part.logprobs.extend(logprobs_of(choice.get("logprobs")) or ())
            part.finish_reason = choice.get("finish_reason") or part.finish_reason

    def finish(self, response: HttpResponse, request_text: str) -> ChatResponse:
        """The whole answer.

        Raises:
            ProviderError: the stream told an error, or ended before the answer did.
        """
        if self._error is not None:
            raise error_of(HttpResponse(200, response.headers, self._error))
        ended = all(part.finish_reason for part in self._parts.values())
        if not self._parts or not (self._done or ended):
            raise ProviderError(
                ErrorKind.CONNECTION_RESET,
                "the stream ended before the answer did",
                http_status=response.status,
                response_body=response.body,
            )
        return ChatResponse(
            choices=tuple(
                Choice("".join(part.text), part.finish_reason, tuple(part.logprobs) or None)
                for _, part in sorted(self._parts.items())
            ),
            usage=usage_of(self._usage),
            http_status=response.status,
            request_body=request_text,
            response_body=response.body,
            first_token_s=self.first_token_s,
            headers=response.headers,
        )
