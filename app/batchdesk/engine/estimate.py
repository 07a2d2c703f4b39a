"""How many tokens a request will use, before anybody has counted them.

A quarter of the UTF-8 bytes at first (a usual rule of thumb), corrected by what the service counted
so far; the output as it was on average, at first ``max_tokens``.
"""

from __future__ import annotations

from batchdesk.domain.chat import ChatRequest

_BYTES_PER_TOKEN = 4
_OUTPUT_UNKNOWN = 256  # when the job sets no max_tokens and no answer has come yet
_WEIGHT = 0.2  # of the newest answer in the moving averages


class TokenEstimate:
    """Learns from the answers of one stage."""

    def __init__(self, max_tokens: int | None) -> None:
        self._ratio = 1.0
        self._output = float(max_tokens or _OUTPUT_UNKNOWN)
        self._learned = False

    def tokens(self, request: ChatRequest) -> float:
        """Expected input and output tokens."""
        return _rough_input(request) * self._ratio + self._output * request.n

    def learn(self, request: ChatRequest, input_tokens: int, output_tokens: int) -> None:
        """What the service counted for a request."""
        ratio = input_tokens / max(1.0, _rough_input(request))
        output = output_tokens / request.n
        if not self._learned:
            self._ratio, self._output, self._learned = ratio, output, True
            return
        self._ratio += _WEIGHT * (ratio - self._ratio)
        self._output += _WEIGHT * (output - self._output)


def _rough_input(request: ChatRequest) -> float:
    size = sum(len(message.content.encode()) for message in request.messages)
    return size / _BYTES_PER_TOKEN
