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
    headers: Mapping[str, str] = field(default_factory=dict)  # lower-case names; rate-limit hints
