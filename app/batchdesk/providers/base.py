"""The Provider protocol and the one error that every provider raises.

The engine knows only this module: it hands in a ChatRequest and gets a ChatResponse, or a
ProviderError whose ErrorKind the retry table understands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from batchdesk.domain.chat import (
    NO_LIMITS,
    ChatRequest,
    ChatResponse,
    RateLimits,
    StructuredOutput,
)
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import BatchdeskError


@dataclass(frozen=True, slots=True)
class StrictLimits:
    """How large a JSON Schema may be: levels of nesting, fields and allowed values in all."""

    depth: int
    properties: int
    enum_values: int


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a service can do.

    Attributes:
        structured_output: The strongest form of asking for JSON that it understands.
        echo_key: Whether it copes with naming the row in its answer (small local models do not).
        is_local: On this computer or a private network: it queues instead of refusing.
        is_model: False for the practice server.
        logprobs: Whether it tells the probabilities of the answer's tokens.
        seed: Whether it takes a seed; where not, none is sent.
        several: Whether one request may ask for several answers.
        stream_usage: Whether a streamed answer's token counts must be asked for.
        strict_limits: How large a schema may be that it enforces; None: no limit is known.
    """

    structured_output: StructuredOutput = "json_schema"
    echo_key: bool = True
    is_local: bool = False
    is_model: bool = True
    logprobs: bool = True
    seed: bool = True
    several: bool = True
    stream_usage: bool = True
    strict_limits: StrictLimits | None = None


class ProviderError(BatchdeskError):
    """One attempt that failed.

    Attributes:
        kind: What the retry table goes by.
        message: The service's own words, or the transport's; plain text, untrusted.
        retry_after_s: The service's hint, if it gave one.
        response_body: What came back, as far as it came.
        limits: What the response says of the account's limits.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        http_status: int | None = None,
        retry_after_s: float | None = None,
        request_body: str | None = None,
        response_body: str | None = None,
        limits: RateLimits = NO_LIMITS,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.http_status = http_status
        self.retry_after_s = retry_after_s
        self.request_body = request_body
        self.response_body = response_body
        self.limits = limits


class Provider(Protocol):
    """A service that answers chat requests."""

    @property
    def capabilities(self) -> Capabilities:
        """What the service can do."""

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """Send one request and return the whole answer.

        Raises:
            ProviderError: every fault of the transport, of HTTP and of the envelope. Faults of
                the answer itself (not JSON, wrong field) are not the provider's business.
        """

    async def close(self) -> None:
        """Close connections; a helper server in a child process ends too."""
