"""Puts a streamed chat completion together again and times its first token.

Lines of the event stream come in as they arrive; out comes the whole answer, or the error that
the stream told. One ``data:`` line is one event: no service spreads JSON over several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from batchdesk.domain.chat import ChatResponse, Choice, TokenLogprob
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.limit_headers import limits_of
from batchdesk.providers.openai_errors import error_of
from batchdesk.providers.openai_fields import (
    joined,
    logprobs_of,
    number_of,
    parsed_json,
    reason_of,
    text_of,
    usage_of,
)

_FIELDS = ("data:", "event:", "id:", "retry:", ":")


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
        self._usage: Any = None
        self._error: str | None = None
        self._tells_error = False  # within an event named "error"
        self._done = False
        self._first = True
        self.began = False  # whether this is an event stream at all
        self.first_token_s: float | None = None

    def take_line(self, line: str) -> None:
        """One line of the body; lines that are not data are passed over."""
        if self._first and line.strip():
            self._first = False
            self.began = line.removeprefix("\ufeff").startswith(_FIELDS)
        if not self.began:
            return
        if not line.strip():
            self._tells_error = False
        elif line.startswith("event:"):
            self._tells_error = line.removeprefix("event:").strip() == "error"
        elif line.removeprefix("\ufeff").startswith("data:"):
            self._take_data(line.partition(":")[2].strip())

    def _take_data(self, data: str) -> None:
        if data == "[DONE]":
            self._done = True
            return
        event = parsed_json(data)
        try:
            if self._tells_error or event is None or event.get("error"):
                self._error = self._error or data
            else:
                self._take(event)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            self._error = self._error or data

    def _take(self, event: Mapping[str, Any]) -> None:
        self._usage = event.get("usage") or self._usage
        for choice in event.get("choices") or ():
            part = self._parts.setdefault(number_of(choice.get("index")) or 0, _Part())
            piece = text_of((choice.get("delta") or {}).get("content"))
            if piece:
                if self.first_token_s is None:
                    self.first_token_s = self._clock() - self._started
                part.text.append(piece)
            part.logprobs.extend(logprobs_of(choice.get("logprobs")) or ())
            part.finish_reason = reason_of(choice.get("finish_reason")) or part.finish_reason

    def finish(self, response: HttpResponse, request_text: str) -> ChatResponse:
        """The whole answer.

        Raises:
            ProviderError: the stream told an error, or ended before the answer did.
        """
        if self._error is not None:
            raise self._told(self._error, response)
        ended = all(part.finish_reason for part in self._parts.values())
        if not self._parts or not (self._done or ended):
            raise ProviderError(
                ErrorKind.CONNECTION_RESET,
                "the stream ended before the answer did",
                http_status=response.status,
                response_body=response.body,
                limits=limits_of(response.headers, time.time()),
            )
        return ChatResponse(
            choices=tuple(
                Choice(joined(part.text), part.finish_reason, tuple(part.logprobs) or None)
                for _, part in sorted(self._parts.items())
            ),
            usage=usage_of(self._usage),
            http_status=response.status,
            request_body=request_text,
            response_body=response.body,
            first_token_s=self.first_token_s,
            headers=response.headers,
            limits=limits_of(response.headers, time.time()),
        )

    def _told(self, data: str, response: HttpResponse) -> ProviderError:
        if parsed_json(data) is None:  # half an event: the stream was cut within it
            error = ProviderError(
                ErrorKind.CONNECTION_RESET,
                "a part of the stream is not whole",
                http_status=response.status,
                limits=limits_of(response.headers, time.time()),
            )
        else:
            error = error_of(HttpResponse(response.status, response.headers, data))
        error.response_body = response.body
        return error
