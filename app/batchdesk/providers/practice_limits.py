"""The practice server's rate limits, as buckets or a sliding window, and the headers about them.

In come requests with their cost and the time; out come admissions, refusals with a wait, and
``x-ratelimit-*`` headers. Times are seconds on any monotonic clock, handed in.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal

HeaderStyle = Literal["level", "minute", "none", "lying"]
BURST_SHARE = 0.1  # of a minute's worth, unless set
_LIE = 10  # times the true limit, and all of it left
_TINY = 1e-9  # rounding must not refuse what was there to the last bit


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
        return 0.0 if short <= _TINY else max(short / self._rate, self._step_s)

    def take(self, cost: float) -> None:
        """Take ``cost`` out; the level may fall below zero and has to recover."""
        self._level -= cost
        self._minute_level -= cost

    def waste(self, cost: float) -> None:
        """A refused request that counts all the same: it takes what is there, no more."""
        self._level = min(self._level, max(0.0, self._level - cost))

    def change(self, per_minute: float, burst: float, now_s: float) -> None:
        """Another limit from now on; what was saved up stays, as far as it fits."""
        self._refill(now_s)
        self.per_minute, self.burst, self._rate = per_minute, max(1.0, burst), per_minute / 60
        self._level = min(self._level, self.burst)
        self._minute_level = min(self._minute_level, per_minute)

    def left(self, style: HeaderStyle, now_s: float) -> tuple[int, float]:
        """(what is left, seconds until the bucket is full), as the headers tell it."""
        self._refill(now_s)
        level, full = self._level, self.burst
        if style == "minute":
            level, full = self._minute_level, self.per_minute
        return max(0, math.floor(level + _TINY)), max(0.0, (full - level) / self._rate)


class SlidingWindow:
    """One limit per minute that looks back over a window: never more than its share in any.

    Args:
        per_minute: What is let through in a minute.
        window_s: How far it looks back.
    """

    def __init__(self, per_minute: float, window_s: float) -> None:
        self.per_minute = per_minute
        self._window_s = window_s
        self._taken: deque[tuple[float, float]] = deque()  # when, and how much
        self._sum = 0.0
        self._now_s = 0.0

    @property
    def size(self) -> float:
        """What a whole window lets through."""
        return max(1.0, self.per_minute / 60 * self._window_s)

    def wait_s(self, cost: float, now_s: float) -> float:
        """Seconds until ``cost`` is there; 0: now. A cost above the whole waits for all of it."""
        self._forget(now_s)
        short = self._sum + min(cost, self.size) - self.size
        if short <= _TINY:
            return 0.0
        for at_s, amount in self._taken:
            short -= amount
            if short <= _TINY:
                return at_s + self._window_s - now_s
        return self._window_s

    def take(self, cost: float) -> None:
        """Take ``cost`` at the time that was last asked about."""
        self._taken.append((self._now_s, cost))
        self._sum += cost

    def waste(self, cost: float) -> None:
        """A refused request that counts all the same: it takes what is there, no more."""
        there = min(cost, self.size - self._sum)
        if there > _TINY:
            self.take(there)

    def change(self, per_minute: float, burst: float, now_s: float) -> None:
        """Another limit from now on; what was taken still counts."""
        del burst
        self._forget(now_s)
        self.per_minute = per_minute

    def left(self, style: HeaderStyle, now_s: float) -> tuple[int, float]:
        """(what is left, seconds until the window is empty), as the headers tell it."""
        del style
        self._forget(now_s)
        newest_s = self._taken[-1][0] if self._taken else now_s - self._window_s
        left = max(0, math.floor(self.size - self._sum + _TINY))
        return left, max(0.0, newest_s + self._window_s - now_s)

    def _forget(self, now_s: float) -> None:
        self._now_s = now_s
        while self._taken and self._taken[0][0] <= now_s - self._window_s + _TINY:
            self._sum -= self._taken.popleft()[1]
        if not self._taken:
            self._sum = 0.0  # no rounding is carried on for ever


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
            f"Rate limit reached for practice on {unit}: Limit {self.limit:.0f}, "
            f"Used {self.limit:.0f}. Please try again in {self.wait_s:.3f}s."
        )


class RateLimits:
    """Both limits of the server.

    Args:
        rpm: Requests per minute, None for no limit.
        tpm: Tokens per minute, None for no limit. The prompt counts on arrival, the answer when
            it is known.
        burst: Requests that a rested server takes at once; None: a tenth of a minute's worth (with
            ``step_s``: a step's worth).
        step_s: Refill in steps of so many seconds; 0: continuously.
        window_s: Look back over a window of so many seconds instead of filling buckets.
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
        window_s: float | None = None,
        count_refused: bool = False,
        style: HeaderStyle = "level",
        now_s: float,
    ) -> None:
        self._burst = burst
        self._step_s = step_s
        self._window_s = window_s
        self._count_refused = count_refused
        self._style = style
        self._requests = self._made(rpm, burst, now_s)
        self._tokens = self._made(tpm, None, now_s)

    def change(self, what: Literal["rpm", "tpm"], per_minute: float | None, now_s: float) -> None:
        """Another limit from now on; None: no limit."""
        burst = self._burst if what == "rpm" else None
        old = self._requests if what == "rpm" else self._tokens
        new = old
        if per_minute is None or old is None:
            new = self._made(per_minute, burst, now_s)
        else:
            old.change(per_minute, burst or self._share(per_minute), now_s)
        if what == "rpm":
            self._requests = new
        else:
            self._tokens = new

    def _made(
        self, per_minute: float | None, burst: float | None, now_s: float
    ) -> Bucket | SlidingWindow | None:
        if not per_minute:
            return None
        if self._window_s is not None:
            return SlidingWindow(per_minute, self._window_s)
        return Bucket(per_minute, burst or self._share(per_minute), now_s, self._step_s)

    def _share(self, per_minute: float) -> float:
        """What a rested bucket holds, unless set."""
        return per_minute * (self._step_s / 60 if self._step_s else BURST_SHARE)

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
                limit = bucket.per_minute
                left, reset_s = bucket.left(self._style, now_s)
                if self._style == "lying":
                    limit, left, reset_s = limit * _LIE, math.floor(limit * _LIE), 0.0
                headers[f"x-ratelimit-limit-{what}"] = f"{limit:.0f}"
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
