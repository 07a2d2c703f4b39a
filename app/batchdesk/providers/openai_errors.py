"""What an HTTP error of an OpenAI-compatible service means. Pure: a response in, an error out.

A service says it by the status, a code and words, and services differ in all three. The words are
searched where the status alone would blur what the engine treats differently: a pause for money,
a wait for a limit, a row that is to blame.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.limit_headers import limits_of
from batchdesk.providers.openai_fields import joined, parsed_json
from batchdesk.providers.retry_hints import retry_after_s

_BY_STATUS = {
    401: ErrorKind.AUTH,
    402: ErrorKind.QUOTA_EXHAUSTED,
    403: ErrorKind.FORBIDDEN,
    404: ErrorKind.MODEL_NOT_FOUND,
    405: ErrorKind.MODEL_NOT_FOUND,  # no such address: it takes no questions there
    407: ErrorKind.FORBIDDEN,
    408: ErrorKind.READ_TIMEOUT,
    409: ErrorKind.SERVER_ERROR,  # the same request again may do
    410: ErrorKind.MODEL_NOT_FOUND,  # the model was retired
    413: ErrorKind.PAYLOAD_TOO_LARGE,
    425: ErrorKind.SERVER_ERROR,
    429: ErrorKind.RATE_LIMITED,
    451: ErrorKind.FORBIDDEN,
    498: ErrorKind.OVERLOADED,  # one service's word for no capacity
    503: ErrorKind.OVERLOADED,
    529: ErrorKind.OVERLOADED,
}


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# No money, whatever the status and whatever else the sentence says.
_NO_MONEY = _any_of(
    r"insufficient.?(funds|balance|credit)|balance is (insufficient|not enough)",
    r"credit balance|arrear|billing_(hard_limit|not_active)|free.?tier.?only",
    r"余额不足|欠费",
)
_PER_DAY = _any_of(
    r"per.?day|/ ?(day|d)\b|\bdaily\b|\bRPD\b|\bTPD\b|per.?month|\bmonthly\b",
    r"今日|当日|每日|每天|日限额",
)
_PER_MINUTE = _any_of(
    r"per.?(min|sec)|/ ?(min|sec|m|s)\b|\b[RT]P[MS]\b|rate.?limit|allocated quota|concurren|并发",
)
_QUOTA = _any_of(r"insufficient.?quota|exceeded.{0,9}current.{0,9}quota|account .{0,80}suspended")
_QUOTA_CODE = _any_of(r"insufficient.?quota")
_TOO_LONG = _any_of(
    r"context.?length|context.?window|maximum context|too many tokens|prompt is too long",
    r"exceeds? the (available )?context|longer than the maximum model length",
    r"token count.{0,40}exceeds the maximum|range of input length|超长",
)
_FILTERED = _any_of(
    r"content.?filter|content.?policy|data.?inspection.?failed|responsible.?ai",
    r"inappropriate content|safety system|usage (policy|policies|guidelines)|high risk",
    r"敏感内容|内容安全",
)
_NO_MODEL = _any_of(
    r"model.?not.?found|model\b.{0,200}?\bdoes not exist|no such model|模型不存在",
)
_WRONG_KEY = _any_of(r"invalid.?api.?key|incorrect api key|authentication")
_BUSY = _any_of(r"overloaded")
_TOO_OFTEN = _any_of(r"rate.?limit|too many requests")
_LINK = re.compile(r"https?://\S+")  # "…/account/billing" in a link says nothing about the error

_OK = 200
_CLIENT_ERRORS = range(400, 500)
_LEAST_ERROR = 400
_SERVER_ERRORS = 500
_MOST_WORDS = 500


def error_of(response: HttpResponse) -> ProviderError:
    """The ProviderError for a response that is not an answer."""
    body = _mapping(parsed_json(response.body))
    said = joined([_message(body)]).strip()
    code = _code(body)
    is_page = response.body.lstrip().startswith("<")
    plain = "" if body or is_page else response.body[:_MOST_WORDS]
    words = _LINK.sub(" ", f"{code} {said or plain} {_details(body)}")
    status = _status(response.status, code, words)
    now = time.time()
    hint_s = retry_after_s(response.headers, body, said, now)
    kind = ErrorKind.NOT_AN_API if is_page and status in (404, 405) else _kind(status, code, words)
    refused = kind in (ErrorKind.RATE_LIMITED, ErrorKind.OVERLOADED)
    return ProviderError(
        kind,
        (said or _plain(response, is_page=is_page))[:_MOST_WORDS],
        http_status=response.status,
        retry_after_s=hint_s,
        response_body=response.body,
        limits=limits_of(
            response.headers,
            now,
            words=(said or plain) if refused else "",
            body=body if refused else None,
        ),
    )


def _kind(status: int, code: str, words: str) -> ErrorKind:
    if (kind := _by_words(status, code, words)) is not None:
        return kind
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status in _CLIENT_ERRORS:
        return ErrorKind.BAD_REQUEST
    if status >= _SERVER_ERRORS or status == _OK:  # an error told with status 200
        return ErrorKind.SERVER_ERROR
    return ErrorKind.NOT_AN_API  # a redirect


def _by_words(status: int, code: str, words: str) -> ErrorKind | None:
    """What the words say beyond the status, where they may."""
    if status in (400, 402, 403, 429, _OK) and _NO_MONEY.search(words):
        return ErrorKind.QUOTA_EXHAUSTED
    if status in (403, 429) and _is_quota(code, words):
        return ErrorKind.QUOTA_EXHAUSTED
    if status in (400, 403, 404, 422, _OK) and _NO_MODEL.search(words):
        return ErrorKind.MODEL_NOT_FOUND
    if status in (400, 403, 422, _OK) and _FILTERED.search(words):
        return ErrorKind.CONTENT_FILTERED
    if status in (400, 413, 422, _OK) and _TOO_LONG.search(words):
        return ErrorKind.CONTEXT_TOO_LONG
    return None


def _is_quota(code: str, words: str) -> bool:
    """Whether a refusal is for a day or for good; a limit per minute passes by itself."""
    if _PER_DAY.search(words):
        return True
    if _QUOTA_CODE.search(code) and "allocated quota" not in words.lower():
        return True
    return bool(_QUOTA.search(words)) and not _PER_MINUTE.search(words)


def _status(status: int, code: str, words: str) -> int:
    """The status; of an error told with status 200 the one it would have had."""
    if status != _OK:
        return status
    words_of_code = code.split()
    numbers = [int(word) for word in words_of_code if len(word) == 3 and word.isdecimal()]  # noqa: PLR2004 - digits of a status
    for number in numbers:
        if _LEAST_ERROR <= number < 600:  # noqa: PLR2004 - the statuses that are errors
            return number
    for pattern, meant in ((_TOO_OFTEN, 429), (_QUOTA, 429), (_BUSY, 503), (_WRONG_KEY, 401)):
        if pattern.search(words):
            return meant
    return status


def _mapping(parsed: Any) -> Mapping[str, Any]:
    if isinstance(parsed, list) and parsed:  # one service wraps its errors in a list
        parsed = parsed[0]
    return parsed if isinstance(parsed, Mapping) else {}


def _message(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    if isinstance(error, Mapping):
        return str(error.get("message") or error.get("code") or "")
    detail = body.get("detail")
    if isinstance(detail, list):  # of each fault only the words: it also holds what was sent
        said = [str(item.get("msg", "")) for item in detail if isinstance(item, Mapping)]
        detail = "; ".join(said)
    return str(error or body.get("message") or body.get("msg") or detail or "")


def _code(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    holder = error if isinstance(error, Mapping) else body
    return " ".join(str(holder.get(name) or "") for name in ("code", "type", "status"))


def _details(body: Mapping[str, Any]) -> str:
    """What Google's services say beside the message: which quota it was."""
    error = body.get("error")
    details = error.get("details") if isinstance(error, Mapping) else None
    return json.dumps(details)[:2000] if isinstance(details, list) else ""


def _plain(response: HttpResponse, *, is_page: bool) -> str:
    """The first words of a body that is not JSON; a web page is only named."""
    where = response.headers.get("location")
    if where is not None:
        return f"HTTP {response.status}: the service is elsewhere, at {where[:200]}"
    if is_page:
        return f"HTTP {response.status} with a web page"
    text = response.body.strip()
    return f"HTTP {response.status}" + (f": {text[:200]}" if text else "")
