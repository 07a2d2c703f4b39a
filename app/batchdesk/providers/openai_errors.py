"""What an HTTP error of an OpenAI-compatible service means. Pure: a response in, an error out."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse

_BY_STATUS = {
    401: ErrorKind.AUTH,
    402: ErrorKind.QUOTA_EXHAUSTED,
    403: ErrorKind.FORBIDDEN,
    404: ErrorKind.MODEL_NOT_FOUND,
    408: ErrorKind.READ_TIMEOUT,
    413: ErrorKind.PAYLOAD_TOO_LARGE,
    429: ErrorKind.RATE_LIMITED,
    503: ErrorKind.OVERLOADED,
    529: ErrorKind.OVERLOADED,
}
_QUOTA = re.compile(
    r"insufficient.?(quota|funds|balance|credit)|exceeded your current quota|billing|arrears"
    r"|per.?day|daily|\bRPD\b|\bTPD\b|余额不足|欠费",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum context|too many tokens|prompt is too long"
    r"|exceeds? the (available )?context",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content.?filter|content.?policy|content_policy|data_inspection_failed|responsible.?ai"
    r"|inappropriate content",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(r"model.?not.?found|model .* does not exist|no such model", re.IGNORECASE)
_QUOTA_STATUS = frozenset({402, 403, 429})
_MOST_WORDS = 500


def error_of(response: HttpResponse) -> ProviderError:
    """The ProviderError for a response that is not an answer."""
    body = _parsed(response.body)
    words = _message(body) or _plain(response)
    code = _code(body)
    return ProviderError(
        _kind(response.status, f"{code} {words}"),
        words[:_MOST_WORDS],
        http_status=response.status,
        retry_after_s=retry_after_s(response.headers, time.time()),
        response_body=response.body,
    )


def _kind(status: int, words: str) -> ErrorKind:
    if status in _QUOTA_STATUS and _QUOTA.search(words):
        return ErrorKind.QUOTA_EXHAUSTED
    if status in (400, 404, 422) and _NO_MODEL.search(words):
        return ErrorKind.MODEL_NOT_FOUND
    if status in (400, 403, 422) and _FILTERED.search(words):
        return ErrorKind.CONTENT_FILTERED
    if status in (400, 413, 422) and _TOO_LONG.search(words):
        return ErrorKind.CONTEXT_TOO_LONG
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:  # noqa: PLR2004 - the class of server errors
        return ErrorKind.SERVER_ERROR
    if status in (409, 425):  # the same request again may do
        return ErrorKind.SERVER_ERROR
    if status < 400:  # noqa: PLR2004 - a redirect, or an error told with status 200
        return ErrorKind.SERVER_ERROR if status == 200 else ErrorKind.NOT_AN_API  # noqa: PLR2004
    return ErrorKind.BAD_REQUEST


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """The hint in seconds: ``retry-after-ms``, or ``retry-after`` in seconds or as a date.

    Args:
        headers: Lower-case names.
        now: Epoch seconds, for a date.
    """
    if (milliseconds := _float(headers.get("retry-after-ms"))) is not None:
        return max(0.0, milliseconds / 1000)
    hint = headers.get("retry-after")
    if hint is None:
        return None
    if (seconds := _float(hint)) is not None:
        return max(0.0, seconds)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(hint).timestamp() - now)
    except ValueError:
        return None


def _float(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < 1e9 else None  # noqa: PLR2004 - not inf or nan


def _parsed(body: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    if isinstance(parsed, list) and parsed:  # one service wraps its errors in a list
        parsed = parsed[0]
    return parsed if isinstance(parsed, dict) else {}


def _message(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    if isinstance(error, dict):
        return str(error.get("message") or error.get("code") or "")
    return str(error or body.get("message") or body.get("detail") or "")


def _code(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    holder = error if isinstance(error, dict) else body
    return f"{holder.get('code') or ''} {holder.get('type') or ''}"


def _plain(response: HttpResponse) -> str:
    """The first words of a body that is not JSON; a web page is only named."""
    text = response.body.strip()
    if text.startswith("<"):
        return f"HTTP {response.status} with a web page"
    return f"HTTP {response.status}" + (f": {text[:200]}" if text else "")
