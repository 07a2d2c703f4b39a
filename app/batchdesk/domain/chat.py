"""A chat request and its response, whatever the provider's wire format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]
StructuredOutput = Literal["json_schema", "json_object", "instruction"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of a model for one task.

    Attributes:
        schema: JSON Schema of the wanted answer, or None for plain text.
        timeout_read_s: Longest silence between bytes.
        timeout_total_s: Longest time for the whole attempt.
    """

    model: str
    messages: tuple[Message, ...]
    idempotency_key: str
    trace_id: str
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    n: int = 1
    logprobs: bool = False
    stream: bool = False
    timeout_connect_s: float = 10.0
    timeout_read_s: float = 120.0
    timeout_total_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None  # part of input_tokens
    reasoning_tokens: int | None = None  # part of output_tokens


@dataclass(frozen=True, slots=True)
class LimitState:
    """One limit as a service's headers state it.

    Attributes:
        limit: So many in a window.
        remaining: So many left of it when the answer was made; None: not said.
        reset_s: Seconds until it is whole again; None: not said.
    """

    limit: float
    remaining: float | None = None
    reset_s: float | None = None


@dataclass(frozen=True, slots=True)
class RateLimits:
    """What a response says of the account's limits; an empty one says nothing.

    Attributes:
        requests: From the headers.
        tokens: From the headers.
        told_rpm: Requests per minute as the words of a refusal name them.
        told_tpm: Tokens per minute as the words of a refusal name them.
        told_concurrency: Requests at once as the words of a refusal name them; 0: that limit is
            named, but not how many.
    """

    requests: LimitState | None = None
    tokens: LimitState | None = None
    told_rpm: float | None = None
    told_tpm: float | None = None
    told_concurrency: int | None = None


NO_LIMITS = RateLimits()


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """One token of the answer with the natural logarithm of its probability."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer of the model. ``finish_reason`` is the provider's word (stop, length, …)."""

    text: str
    finish_reason: str | None = None
    logprobs: tuple[TokenLogprob, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """What came back for one request: at least one choice."""

    choices: tuple[Choice, ...]
    usage: Usage
    http_status: int
    request_body: str  # as sent, without headers
    response_body: str  # as received
    first_token_s: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # lower-case names
    limits: RateLimits = NO_LIMITS
