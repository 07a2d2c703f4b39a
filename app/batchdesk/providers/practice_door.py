"""The practice server's door: which request is let in, and what the others are told.

In come arrivals with the time; out come admissions or a Refused with its reason. It keeps the
limits, the plan's clock (which starts with the first request), the quota and the key's validity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from batchdesk.providers.practice_limits import RateLimits, retry_headers
from batchdesk.providers.practice_plan import After, is_out, rpm_at
from batchdesk.providers.practice_settings import PracticeSettings

if TYPE_CHECKING:
    from batchdesk.providers.practice_plan import OutageMode


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that is none.

    Attributes:
        reason: As the statistics name it.
        message: The sentence of the error body.
        kind: Its ``type``.
    """

    reason: str
    status: int
    message: str
    kind: str
    code: str
    headers: Mapping[str, str] = field(default_factory=dict)


WRONG_KEY = Refused(
    "key", 401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key"
)
_REVOKED = Refused(
    "revoked", 401, "This API key was revoked.", "invalid_request_error", "invalid_api_key"
)
_NO_QUOTA = Refused(
    "quota",
    429,
    "You exceeded your current quota, please check your plan and billing details.",
    "insufficient_quota",
    "insufficient_quota",
)
DOWN = Refused("outage", 503, "The service is unavailable.", "server_error", "unavailable")
FAULTS = {
    "429": Refused(
        "429",
        429,
        "Rate limit reached for practice. Try again in 1s.",
        "requests",
        "rate_limit_exceeded",
        retry_headers(1),
    ),
    "500": Refused(
        "500",
        500,
        "The server had an error while processing your request.",
        "server_error",
        "server_error",
    ),
    "503": Refused(
        "503",
        503,
        "The server is overloaded. Try again in 1s.",
        "server_error",
        "overloaded",
        retry_headers(1),
    ),
}
_UNNAMED = "Too many requests, please try again later."
_AT_ONCE = {
    "number": "Your account reached max organization concurrency: {cap}, please try again after 1 "
    "seconds",
    "named": "High concurrency usage of this API, please reduce concurrency.",
    "none": _UNNAMED,
}


def bad_request(message: str) -> Refused:
    """A request that is not understood."""
    return Refused("bad_request", 400, message, "invalid_request_error", "bad_request")


class Door:
    """Lets requests in or says why not. Times are seconds of one monotonic clock.

    Args:
        settings: How the server behaves.
        now_s: The time now.
    """

    def __init__(self, settings: PracticeSettings, now_s: float) -> None:
        self._settings = settings
        self._scale = settings.time_scale
        self._began_s: float | None = None
        self._let_in = 0
        self._quota = settings.quota_after
        self._revoke = settings.revoke_after
        self._planned_rpm: float | None = None
        self._outage: OutageMode | None = None
        self._limits = RateLimits(
            rpm=settings.rpm,
            tpm=settings.tpm,
            burst=settings.burst,
            step_s=settings.limit_step_s / self._scale,
            window_s=60 / self._scale if settings.window == "sliding" else None,
            count_refused=settings.count_refused,
            style=settings.limit_headers,
            now_s=now_s,
        )

    def arrive(self, now_s: float) -> bool:
        """A request comes; returns whether it is the first, with which the plan's clock starts."""
        if self._began_s is not None:
            return False
        self._began_s = now_s
        return True

    def outage(self, now_s: float) -> OutageMode | None:
        """How the service is out of order now, if it is."""
        if self._outage is not None:
            return self._outage
        if self._settings.outages and is_out(self._settings.outages, self._elapsed_s(now_s)):
            return self._settings.outage_mode
        return None

    def turn_away(self, tokens: int, working: int, now_s: float) -> Refused | None:
        """Let a request in, or say why not.

        Args:
            tokens: Those of its prompt.
            working: How many requests are being worked on.
            now_s: The time now.
        """
        elapsed_s = self._elapsed_s(now_s)
        if self._revoke is not None and self._revoke.reached(self._let_in, elapsed_s):
            return _REVOKED
        if self._quota is not None and self._quota.reached(self._let_in, elapsed_s):
            return _NO_QUOTA
        cap = self._settings.cap
        if cap is not None and working >= cap:
            words = _AT_ONCE[self._settings.cap_words].format(cap=cap)
            return self._too_often("concurrency", words, 1.0)
        self._follow_plan(elapsed_s, now_s)
        if refusal := self._limits.admit(tokens, now_s):
            words = refusal.message if self._settings.tells_limits else _UNNAMED
            return self._too_often(refusal.kind, words, refusal.wait_s)
        self._let_in += 1
        return None

    def settle(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        self._limits.settle(tokens)

    def headers(self, now_s: float) -> dict[str, str]:
        """The ``x-ratelimit-*`` headers of an answer."""
        return self._limits.headers(now_s)

    def change(self, wanted: Mapping[str, Any], now_s: float) -> None:
        """Other limits from now on.

        Args:
            wanted: Any of ``rpm``, ``tpm`` (None: no limit), ``quota_after`` (so many requests
                from now; None: there is quota again), ``revoked`` and ``outage`` (a mode, or None).
            now_s: The time now.

        Raises:
            ValueError: it makes no sense; then nothing has changed.
        """
        more, outage = wanted.get("quota_after"), wanted.get("outage")
        if more is not None and not (isinstance(more, int) and more >= 0):
            raise ValueError("quota_after: a number of requests is expected.")
        if outage not in (None, "503", "hang"):
            raise ValueError("outage: 503, hang or null is expected.")
        if "rpm" in wanted:
            self._limits.change("rpm", wanted["rpm"], now_s)
        if "tpm" in wanted:
            self._limits.change("tpm", wanted["tpm"], now_s)
        if "quota_after" in wanted:
            self._quota = None if more is None else After(requests=self._let_in + more)
        if "revoked" in wanted:
            self._revoke = After(requests=0) if wanted["revoked"] else None
        if "outage" in wanted:
            self._outage = outage

    def _elapsed_s(self, now_s: float) -> float:
        """Seconds of the plan's clock."""
        return 0.0 if self._began_s is None else (now_s - self._began_s) * self._scale

    def _follow_plan(self, elapsed_s: float, now_s: float) -> None:
        if not self._settings.rpm_steps:
            return
        planned = rpm_at(self._settings.rpm_steps, elapsed_s)
        if planned is not None and planned != self._planned_rpm:
            self._planned_rpm = planned
            self._limits.change("rpm", planned, now_s)

    def _too_often(self, reason: str, message: str, wait_s: float) -> Refused:
        hint_s = wait_s if self._settings.hint_s is None else self._settings.hint_s
        kind = "requests" if reason == "concurrency" else reason
        return Refused(reason, 429, message, kind, "rate_limit_exceeded", retry_headers(hint_s))
