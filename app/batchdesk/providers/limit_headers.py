"""What an answer says of the account's limits. Pure: headers and a refusal's words in, limits out.

Services name the same three numbers (limit, remaining, reset) in half a dozen spellings, and some
name a limit only in the words of a refusal (see ``limit_words``). What makes no sense (negative,
without end, not a number) is passed over; nothing here raises.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.providers.limit_words import told_in

_MINUTE_S = 60.0
_MOST = 1e12  # nobody is allowed more of anything in a minute
_SHORT_WINDOW_S = 5.0  # what is left of so short a window is old when it arrives
_LONGEST_SPAN_S = 1e8  # three years
_EPOCH_S = (1e9, 1e11)  # as numbers, moments of 2001 to 5138 …
_EPOCH_MS = (1e12, 1e14)  # … and the same in milliseconds

_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_SPAN = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,12})?)(ms|us|µs|μs|ns|s|m|h|d)")
_SECONDS = {"ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "s": 1.0}
_SECONDS |= {"m": 60.0, "h": 3600.0, "d": 86400.0}
_PARAMETER = re.compile(r'(?:^|[;,])[ \t]*"?([A-Za-z_-]{1,40})"?[ \t]*=[ \t]*([0-9.]{1,30})')
_POLICY_NAME = re.compile(r'[ \t]*"?([^";,=]{1,80})"?[ \t]*(?:;|$)')

# (limit, remaining, reset), the most telling first. A plain "-requests" is per minute everywhere
# but at one service, see _says_days.
_REQUESTS = (
    ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    (
        "x-ratelimit-limit-requests-minute",
        "x-ratelimit-remaining-requests-minute",
        "x-ratelimit-reset-requests-minute",
    ),
    (
        "x-ratelimit-limit-req-minute",
        "x-ratelimit-remaining-req-minute",
        "x-ratelimit-reset-req-minute",
    ),
    (
        "anthropic-ratelimit-requests-limit",
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ),
)
_TOKENS = (
    ("x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    (
        "x-ratelimit-limit-tokens-minute",
        "x-ratelimit-remaining-tokens-minute",
        "x-ratelimit-reset-tokens-minute",
    ),
    (
        "anthropic-ratelimit-tokens-limit",
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-tokens-reset",
    ),
    (
        "anthropic-ratelimit-input-tokens-limit",
        "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-input-tokens-reset",
    ),
)
_PLAIN = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
_PER_SECOND = "x-tokenlimit-limit"  # beside it, the plain ones are of a second

Now = Callable[[], float]


@dataclass(frozen=True, slots=True)
class _Policy:
    """A limit as a ``RateLimit-Policy`` gives it: so many in a window of seconds."""

    limit: float
    window_s: float | None


def limits_of(
    headers: Mapping[str, str], now: float, *, words: str = "", body: object = None
) -> RateLimits:
    """The limits that an answer tells of.

    Args:
        headers: Lower-case names.
        now: Epoch seconds, for resets that are given as a date where the answer itself has none.
        words: The message of a refusal; empty for other answers.
        body: A refusal's body as JSON, for the services that tell limits there.
    """
    held = _held(headers, body)
    told = told_in(words, body)
    if not held:
        return told
    clock = _clock(headers, now)
    requests = None if _says_days(headers) else _first(held, _REQUESTS, clock)
    requests = requests or _ietf(held, clock)
    if requests is None and _PER_SECOND not in headers:
        requests = _state(held, _PLAIN, clock)
    tokens = _first(held, _TOKENS, clock)
    if requests is None and tokens is None:
        return told
    return RateLimits(requests, tokens, told.told_rpm, told.told_tpm, told.told_concurrency)


def reset_s(text: str, now: float) -> float | None:
    """Seconds until a reset: a span (``6m0s``), seconds, an epoch (s or ms) or a date.

    Args:
        text: As the header has it.
        now: Epoch seconds.
    """
    text = text.strip()[:60]
    if (number := _number(text)) is not None:
        return _seconds(number, now)
    if (span := _span(text)) is not None:
        return span if span <= _LONGEST_SPAN_S else None
    moment = _moment(text)
    return _until(moment, now) if moment is not None else None


def _held(headers: Mapping[str, str], body: object) -> dict[str, str]:
    """The headers that tell of limits, their names as most services write them."""
    held = {
        name.replace("rate-limit", "ratelimit"): value
        for name, value in headers.items()
        if "ratelimit" in name or "rate-limit" in name
    }
    for name, value in _headers_within(body).items():
        held.setdefault(name, value)
    return held


def _headers_within(body: object) -> dict[str, str]:
    """One service puts the headers of the refusal into ``error.metadata.headers``."""
    inner: Any = body
    for name in ("error", "metadata", "headers"):
        inner = inner.get(name) if isinstance(inner, Mapping) else None
    if not isinstance(inner, Mapping):
        return {}
    return {str(name).lower(): str(value) for name, value in inner.items()}


def _says_days(headers: Mapping[str, str]) -> bool:
    """One service's ``-requests`` are those of a day, its ``-tokens`` those of a minute."""
    return "x-groq-region" in headers or "x-groq-id" in headers


def _clock(headers: Mapping[str, str], now: float) -> Now:
    """The service's own time if the answer has it: this computer's clock may be wrong."""

    def read() -> float:
        date = _moment(headers.get("date", ""))
        return now if date is None else date

    return read


def _first(
    held: Mapping[str, str], families: tuple[tuple[str, str, str], ...], clock: Now
) -> LimitState | None:
    for family in families:
        if (state := _state(held, family, clock)) is not None:
            return state
    return None


def _state(held: Mapping[str, str], family: tuple[str, str, str], clock: Now) -> LimitState | None:
    limit = _amount(held.get(family[0]))
    if not limit:
        return None
    left = _amount(held.get(family[1]))
    reset = held.get(family[2])
    return LimitState(
        limit,
        None if left is None else min(left, limit),
        None if reset is None else reset_s(reset, clock()),
    )


def _ietf(held: Mapping[str, str], clock: Now) -> LimitState | None:
    """The proposed standard, in the forms of its drafts.

    ``RateLimit-Limit: 100, 100;w=60``, ``RateLimit: limit=100, remaining=50, reset=30`` and
    ``RateLimit: "a";r=50;t=30`` with ``RateLimit-Policy: "a";q=100;w=60``.
    """
    policies = _policies(held.get("ratelimit-policy", ""))
    if (combined := held.get("ratelimit")) is not None:
        values = _parameters(combined)
        policy = policies.get(_name(combined)) or _only(policies)
        limit = _amount(values.get("limit")) or (policy.limit if policy else None)
        left, reset = values.get("remaining", values.get("r")), values.get("reset", values.get("t"))
    else:
        first, _, _ = held.get("ratelimit-limit", "").partition(",")
        limit = _amount(first.partition(";")[0])
        policies = policies or _policies(held.get("ratelimit-limit", ""))
        policy = next(
            (one for one in policies.values() if one.limit == limit and one.window_s), None
        )
        left, reset = held.get("ratelimit-remaining"), held.get("ratelimit-reset")
    if not limit:
        return None
    reset_in = None if reset is None else reset_s(reset, clock())
    return _per_minute(limit, _amount(left), reset_in, policy.window_s if policy else None)


def _per_minute(
    limit: float, left: float | None, reset: float | None, window_s: float | None
) -> LimitState | None:
    """A limit of another window as one per minute; a window beyond it keeps its reset's word."""
    if left is not None:
        left = min(left, limit)
    if window_s is None or window_s == _MINUTE_S:
        return LimitState(limit, left, reset)
    if window_s > _MINUTE_S:
        return LimitState(limit, left, max(window_s, reset or 0.0))
    if window_s < _SHORT_WINDOW_S:
        left = None
    return LimitState(limit * _MINUTE_S / window_s, left, reset)


def _policies(text: str) -> dict[str, _Policy]:
    """The policies of a list such as ``"a";q=100;w=60, 5000;w=3600``, by name or number."""
    found = {}
    for item in text[:500].split(","):
        values = _parameters(item)
        name = _name(item)
        limit = _amount(values.get("q", values.get("l", name)))
        if limit:
            found[name] = _Policy(limit, _amount(values.get("w")) or None)
    return found


def _only(policies: Mapping[str, _Policy]) -> _Policy | None:
    return next(iter(policies.values())) if len(policies) == 1 else None


def _parameters(text: str) -> dict[str, str]:
    return {name.lower(): value for name, value in _PARAMETER.findall(text[:500])}


def _name(item: str) -> str:
    match = _POLICY_NAME.match(item)
    return match.group(1).strip() if match else ""


def _amount(text: str | None) -> float | None:
    """A count from 0 to 10^12."""
    number = _number(text.strip()) if text is not None else None
    return number if number is not None and number <= _MOST else None


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _seconds(number: float, now: float) -> float | None:
    if number <= _LONGEST_SPAN_S:
        return number
    if _EPOCH_S[0] <= number < _EPOCH_S[1]:
        return _until(number, now)
    if _EPOCH_MS[0] <= number < _EPOCH_MS[1]:
        return _until(number / 1000, now)
    return None


def _span(text: str) -> float | None:
    parts = _SPAN.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def _moment(text: str) -> float | None:
    """Epoch seconds of a date as RFC 3339 or RFC 5322 write it, in UTC where no zone is given."""
    if not text.isascii():
        return None
    for read in (datetime.fromisoformat, email.utils.parsedate_to_datetime):
        try:
            moment = read(text)
            zone = moment.tzinfo or UTC
            return moment.replace(tzinfo=zone).timestamp()
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _until(moment: float, now: float) -> float | None:
    seconds = max(0.0, moment - now)
    return seconds if seconds <= _LONGEST_SPAN_S else None
