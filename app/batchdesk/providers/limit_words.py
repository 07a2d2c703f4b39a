"""Limits that a refusal names in words. Pure: a message in, limits out; nothing here raises.

"max RPM: 60", "on tokens per min (TPM): Limit 40000, Used 39000", "50 requests per minute", "max
organization concurrency: 3", "并发数过高". Limits of a day or an hour are no limits per minute and
are passed over, and so is what makes no sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from batchdesk.domain.chat import NO_LIMITS, RateLimits

_MOST = 1e12
_MOST_AT_ONCE = 100_000
_MOST_WORDS = 2000

# Not the 4 of "gpt-4 requests per min", and not the 2 of "2 million", "2k" or "2e+06".
_NUM = (
    r"(?<![A-Za-z0-9.,-])(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15}(?:\.[0-9]{1,9})?)"
    r"(?!,?[0-9]|\.[0-9]|e[+0-9]|\s*(?:[kmb]\b|[kmb](?=[RTQ]P[MSD]\b)|thousand|million|[万千百亿]))"
)
_UNIT = (
    r"(?P<{0}>seconds?|secs?|minutes?|mins?|hours?|days?|months?|[smhd](?![a-z])"
    r"|秒|分钟|小时|天|日)"
)
_OF = r"(?:input |prompt |output )?tokens?|requests?|reqs?"
_PER = r"\s*(?:per|/|a|every|每)\s*"
_IS = r"\s*(?:rate\s*)?(?:limit|quota|限制|上限|限额)?\s*(?:is|of|to|for|为|是)?\s*[:\uff1a=]?\s*"
# Subjects ("requests per min", "TPM") and limits ("Limit 3", "of 40,000 tokens per minute").
_MENTION = re.compile(
    rf"(?P<n1>{_NUM})\s*(?P<of1>{_OF}|次请求|次|个请求){_PER}{_UNIT.format('per1')}"
    rf"|(?P<n2>{_NUM})\s?(?P<short2>[RTQ]P[MSD])\b"
    rf"|\b(?P<short3>[RTQ]P[MSDH])(?![A-Za-z0-9])\)?(?:{_IS}(?P<n3>{_NUM}))?"
    rf"|(?P<of4>{_OF}){_PER}{_UNIT.format('per4')}"
    rf"|每{_UNIT.format('per6')}[^0-9,.;\uff0c。\uff1b]{{0,10}}?"
    rf"(?P<n6>{_NUM})\s*个?\s*(?P<of6>tokens?|次|请求)"
    rf"|\b(?:limit|限制|上限)(?:ed)?\s*(?:is|of|to|为|是)?\s*[:\uff1a=]?\s*"
    rf"(?P<n5>{_NUM})(?![0-9.,]*\s*(?:{_OF}|次|个请求|[RTQ]P[MSD]\b))"
    rf"(?:\s*/\s*{_UNIT.format('per5')})?",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"concurren(?:t|cy)|parallel (?:requests?|calls?)|并发", re.IGNORECASE)
_AT_ONCE_NUMBER = re.compile(
    r"(?:concurren(?:t|cy)|parallel|并发)"
    r"(?:\s*(?:requests?|connections?|calls?|rate|limit|数|量|请求|上限|限制|最大|最多|of|is|to|allowed"
    r"|为|是|\()){0,5}\s*[:\uff1a=]?\s*"
    r"(?P<after>[0-9]{1,9})(?![0-9.]*\s*(?:[smh]\b|ms|sec|min|hour|秒|分))"
    r"|(?<![A-Za-z0-9.,-])(?P<before>[0-9]{1,9})\s*个?\s*(?:concurren(?:t|cy)|parallel|并发)",
    re.IGNORECASE,
)
_GOOGLE = re.compile(r"(?P<of>Requests|Tokens)(?:.{0,40})PerMinute", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a limit is of: requests or tokens, and how many of its windows a minute has.

    ``factor`` 0: of a longer window, or of something that is not counted alone.
    """

    tokens: bool
    factor: float


def told_in(words: str, body: object = None) -> RateLimits:
    """The limits per minute and at once that a refusal names.

    Args:
        words: Its message.
        body: As JSON, for the service that lists the quotas it found broken.
    """
    words = " ".join(words[:_MOST_WORDS].split())
    told: dict[bool, float] = {}
    subject: _Subject | None = None
    for subject, number in _mentions(words):
        amount = number * subject.factor if number is not None else 0.0
        if 0 < amount <= _MOST:
            told.setdefault(subject.tokens, amount)
    for tokens, amount in _violations(body):
        told.setdefault(tokens, amount)
    at_once = _at_once(words)
    if at_once == 0 and (told or subject is not None):
        at_once = None  # "too many requests per minute; lower your concurrency" is advice
    if not told and at_once is None:
        return NO_LIMITS
    return RateLimits(told_rpm=told.get(False), told_tpm=told.get(True), told_concurrency=at_once)


def _mentions(words: str) -> Iterator[tuple[_Subject, float | None]]:
    """Every subject that the words name, with its limit where that follows or stands before."""
    subject: _Subject | None = None
    for match in _MENTION.finditer(words):
        part = match.groupdict()
        if part["n5"] is not None:
            if subject is not None and _fits(subject, part["per5"]):
                yield subject, _number(part["n5"])
            continue
        subject = _subject_of(part)
        number = part["n1"] or part["n2"] or part["n3"] or part["n6"]
        yield subject, _number(number) if number else None


def _subject_of(part: Mapping[str, str | None]) -> _Subject:
    short = (part["short2"] or part["short3"] or "").upper()
    if short:
        return _Subject(short[0] == "T", {"M": 1.0, "S": 60.0}.get(short[2], 0.0))
    of = (part["of1"] or part["of4"] or part["of6"] or "").lower()
    per = (part["per1"] or part["per4"] or part["per6"] or "").lower()
    # Ours are input and output together: a limit of the output alone would be far too low.
    factor = 0.0 if of.startswith("output") else _windows_in_a_minute(per)
    return _Subject("token" in of, factor)


def _windows_in_a_minute(unit: str) -> float:
    if unit.startswith("s") or unit == "秒":
        return 60.0
    if unit in ("m", "分钟") or unit.startswith("min"):
        return 1.0
    return 0.0


def _fits(subject: _Subject, unit: str | None) -> bool:
    """Whether "Limit: 3 / min" is of the window that the subject before it is of."""
    return unit is None or _windows_in_a_minute(unit.lower()) == subject.factor


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _at_once(words: str) -> int | None:
    """How many requests at once; 0: that limit is named, but not how many."""
    if not _AT_ONCE.search(words):
        return None
    found = _AT_ONCE_NUMBER.search(words)
    number = int(found.group("after") or found.group("before")) if found else 0
    return number if number <= _MOST_AT_ONCE else 0


def _violations(body: object) -> Iterator[tuple[bool, float]]:
    """(Of tokens?, per minute) from Google's ``error.details[].violations[]``."""
    error = body.get("error") if isinstance(body, Mapping) else None
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        violations = detail.get("violations") if isinstance(detail, Mapping) else None
        for one in violations if isinstance(violations, list) else ():
            if not isinstance(one, Mapping):
                continue
            quota = _GOOGLE.search(str(one.get("quotaId"))[:200])
            value = str(one.get("quotaValue"))
            if quota and value.isascii() and value.isdecimal() and 0 < float(value) <= _MOST:
                yield quota.group("of").lower() == "tokens", float(value)
