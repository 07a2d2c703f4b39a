"""Finds a plausible value for a named text field in a text, by patterns.

In comes the name of a property (``customer_name``, ``order_number``, ``日期``) and a text; out
comes what a pattern found, or None. Used by the practice server's answers only.
"""

from __future__ import annotations

import re

_NAME = r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"  # noqa: RUF001 - the typographic apostrophe
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"

# (name of the property, patterns tried in order): group 1 is the value, else the whole match.
_FINDERS: tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...] = (
    (
        re.compile(r"e-?mail|邮箱|邮件", re.IGNORECASE),
        (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),),
    ),
    (
        re.compile(r"phone|mobile|(^|_)tel|电话|手机", re.IGNORECASE),
        (re.compile(r"\+?\d[\d ()-]{6,}\d"),),
    ),
    (
        re.compile(r"url|link|website|网址", re.IGNORECASE),
        (re.compile(r"https?://[^\s)>\]\"]+"),),
    ),
    (
        re.compile(r"date|(^|_)day$|日期|时间", re.IGNORECASE),
        (
            re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"),
            re.compile(r"\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}月\d{1,2}日"),
            re.compile(rf"\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?: \d{{4}})?"),
            re.compile(rf"{_MONTH} \d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:,? \d{{4}})?"),
            re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"),
            re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|今天|昨天|明天|星期."),
        ),
    ),
    (
        re.compile(r"order|invoice|ticket|reference|订单|单号|编号", re.IGNORECASE),
        (
            re.compile(r"\b[A-Z]{1,3}-?\d{4,}"),
            re.compile(
                r"(?:#|[Oo]rder|[Ii]nvoice|[Tt]icket|订单|单号|编号)\D{0,15}?(?<!\d)(\d{4,})"
            ),
            re.compile(r"\d{5,}"),
            re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{4}"),  # a year is no order number
        ),
    ),
    (
        re.compile(r"price|amount|cost|total|金额|价格", re.IGNORECASE),
        (
            re.compile(r"[$€£¥]\s?\d[\d,]*(?:\.\d+)?"),
            re.compile(r"\d[\d,]*(?:\.\d+)?\s?(?:元|USD|EUR|dollars|euros)"),
        ),
    ),
    (
        re.compile(r"quantity|qty|count|number_of|数量|件数", re.IGNORECASE),
        (re.compile(r"(?<![\w#.-])\d{1,3}(?![\w.-])"),),
    ),
    (
        re.compile(r"product|item|article|商品|产品", re.IGNORECASE),
        (
            re.compile(
                r"\b(?:ordered|bought|purchased|received)\s+(?:a|an|the|my|\d+)\s+([\w -]{3,40}?)"
                r"(?=[.,;!?]|\s(?:on|from|for|in|and|but|last)\b|$)"
            ),
            re.compile(r"\b[Tt]h(?:e|is)\s+([a-z][\w-]+)"),
            re.compile(r"(?:买了?|购买了?|订了?)(?:一?[个台件双本部盒])?([\u4e00-\u9fff]{2,8})"),
        ),
    ),
    (
        re.compile(r"name|customer|person|author|sender|客户|姓名|联系人", re.IGNORECASE),
        (
            re.compile(rf"\b[Mm]y name is {_NAME}"),
            re.compile(rf"\b(?:I am|I'm|This is) {_NAME}"),
            re.compile(
                rf"(?:[Rr]egards|[Ss]incerely|[Cc]heers|[Tt]hanks|[Tt]hank you|[Bb]est),?\s+{_NAME}"
            ),
            re.compile(r"我(?:叫|是)([\u4e00-\u9fff]{2,3})"),
            re.compile(r"\b([A-Z][a-z]+ [A-Z][a-z]+)\b"),
        ),
    ),
)
_NUMBER = re.compile(r"(?<![\w#-])-?\d{1,6}(?:\.\d+)?(?![\w-])")
_LONG_TEXT = 4000  # characters looked at


def find_value(name: str, text: str) -> str | None:
    """What the text seems to say for the property ``name``; None when no pattern fits."""
    text = text[:_LONG_TEXT]
    for about, patterns in _FINDERS:
        if about.search(name):
            for pattern in patterns:
                if match := pattern.search(text):
                    return (match.group(1) if pattern.groups else match.group()).strip()
            return None
    return None


def find_number(text: str) -> float | None:
    """The first small number in the text, order numbers left out."""
    match = _NUMBER.search(text[:_LONG_TEXT])
    return float(match.group()) if match else None


def quote(text: str, *, words: int = 8, chars: int = 60) -> str:
    """The first few words of the text, on one line."""
    return " ".join(text[: chars * 4].split()[:words])[:chars].strip()
