"""The practice server's rate limits: token buckets, and the headers that tell of them.

In come requests with their cost and the time; out come admissions, refusals with a wait, and
``x-ratelimit-*`` headers. Times are seconds on any monotonic clock, handed in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

HeaderStyle = Literal["level", "minute", "none"]
BURST_SHARE = 0.1  # of a minute's worth, unless set


class Bucket:
    """One limit per minute as a token bucket.

    Args:
        per_minute: What is let through in a minute.
        burst: What a rested bucket holds; at least 1.
        now_s: The time now.
        step_s: Refill in steps of this many seconds (0: continuously).
    """

    def __init__(self, per_minute: float, burst: float, now_s: float, step_s: float = 0.0) -> None:
        self.per_minute = per_minute
        self.burst = max(1.0, burst)
        self._rate = per_minute / 60
        self._step_s = step_s
        self._level = self.burst
        self._minute_level = per_minute  # as if a whole minute's worth could be saved up
        self._at_s = now_s

    def _refill(self, now_s: float) -> None:
        elapsed = max(0.0, now_s - self._at_s)
        if self._step_s:
            elapsed = math.floor(elapsed / self._step_s + 1e-9) * self._step_s
        self._at_s += elapsed
        self._level = min(self.burst, self._level + elapsed * self._rate)
        self._minute_level = min(self.per_minute, self._minute_level + elapsed * self._rate)

    def wait_s(self, cost: float, now_s: float) -> float:
        """Seconds until ``cost`` is there; 0: now. A cost above the burst waits for a full one."""
        self._refill(now_s)
        short = min(cost, self.burst) - self._level
        # Rounding must not refuse what was there to the last bit.
        return 0.0 if short <= 1e-9 else max(short / self._rate, self._step_s)  # noqa: PLR2004 - see above

    def take(self, cost: float) -> None:
        """Take ``cost`` out; the level may fall below zero and has to recover."""
        self._level -= cost
        self._minute_level -= cost

    def waste(self, cost: float) -> None:
        """A refused request that counts all the same: it takes what is there, no more."""
        self._level = min(self._level, max(0.0, self._level - cost))

    def left(self, style: HeaderStyle, now_s: float) -> tuple[int, float]:
        """(what is left, seconds until the bucket is full), as the headers tell it."""
        self._refill(now_s)
        level, full = self._level, self.burst
        if style == "minute":
            level, full = self._minute_level, self.per_minute
        return max(0, math.floor(level + 1e-9)), max(0.0, (full - level) / self._rate)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused, and for how long."""

    kind: Literal["requests", "tokens"]
    limit: float
    wait_s: float

    @property
    def message(self) -> str:
        """The sentence of the error body, in the words that such services use."""
        unit = "requests per min (RPM)" if self.kind == "requests" else "tokens per min (TPM)"
        return (
            f"Rate limit reached for practice on {unit}: Limit {self.limit:g}, "
            f"Used {self.limit:g}. Please try again in {self.wait_s:.3f}s."
        )


class RateLimits:
    """Both limits of the server.

    Args:
        rpm: Requests per minute, None for no limit.
        tpm: Tokens per minute, None for no limit. The prompt counts on arrival, the answer when
            it is known.
        burst: Requests that a rested server takes at once; None: a tenth of a minute's worth (with
            ``step_s``: a step's worth).
        count_refused: Whether refused requests use the limit up too.
        style: What the headers tell.
    """

    def __init__(
        self,
        *,
        rpm: float | None,
        tpm: float | None,
        burst: float | None = None,
        step_s: float = 0.0,
        count_refused: bool = False,
        style: HeaderStyle = "level",
        now_s: float,
    ) -> None:
        share = step_s / 60 if step_s else BURST_SHARE
        self._requests = Bucket(rpm, burst or rpm * share, now_s, step_s) if rpm else None
        self._tokens = Bucket(tpm, tpm * share, now_s, step_s) if tpm else None
        self._count_refused = count_refused
        self._style = style

    def admit(self, tokens: int, now_s: float) -> Refusal | None:
        """Let a request with ``tokens`` in its prompt in, or say why not."""
        refusal = None
        if self._tokens and (wait := self._tokens.wait_s(tokens, now_s)):
            refusal = Refusal("tokens", self._tokens.per_minute, wait)
        if self._requests and (wait := self._requests.wait_s(1, now_s)):
            refusal = Refusal("requests", self._requests.per_minute, wait)
        if refusal is None:
            self._take(tokens)
        elif self._count_refused:
            if self._requests:
                self._requests.waste(1)
            if self._tokens:
                self._tokens.waste(tokens)
        return refusal

    def settle(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        if self._tokens:
            self._tokens.take(tokens)

    def headers(self, now_s: float) -> dict[str, str]:
        """The ``x-ratelimit-*`` headers of an answer."""
        headers: dict[str, str] = {}
        if self._style == "none":
            return headers
        for bucket, what in ((self._requests, "requests"), (self._tokens, "tokens")):
            if bucket:
                left, reset_s = bucket.left(self._style, now_s)
                headers[f"x-ratelimit-limit-{what}"] = f"{bucket.per_minute:.0f}"
                headers[f"x-ratelimit-remaining-{what}"] = str(left)
                headers[f"x-ratelimit-reset-{what}"] = duration(reset_s)
        return headers

    def _take(self, tokens: int) -> None:
        if self._requests:
            self._requests.take(1)
        if self._tokens:
            self._tokens.take(tokens)


def duration(seconds: float) -> str:
    """A span as such services write it: ``0s``, ``12ms``, ``1.2s``, ``1m3.5s``."""
    ms = math.ceil(seconds * 1000)
    if ms == 0:
        return "0s"
    if ms < 1000:  # noqa: PLR2004 - a second
        return f"{ms}ms"
    minutes, rest_ms = divmod(ms, 60_000)
    return (f"{minutes}m" if minutes else "") + f"{rest_ms / 1000:g}s"


def retry_headers(wait_s: float) -> dict[str, str]:
    """``retry-after`` in whole seconds, at least 1, and ``retry-after-ms``."""
    return {
        "retry-after": str(max(1, math.ceil(wait_s))),
        "retry-after-ms": str(max(1, math.ceil(wait_s * 1000))),
    }
