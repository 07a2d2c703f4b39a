"""Which single-byte encoding a text is in, judged by its letters.

Bytes that are neither UTF nor GB18030 come in; a codec name goes out. Called by ``encoding``
alone. Western, Central European, Turkish and Russian texts are told apart here, since general
detectors take the first for the second; anything else is left to charset-normalizer.
"""

from __future__ import annotations

import re
from collections import Counter

FALLBACK = "cp1252"

# Letters outside ASCII by language; what several languages share speaks for none of them.
_PROFILES: tuple[tuple[str, str], ...] = (
    ("cp1252", "éèàùâêîôûçëïüÿœæ"),  # French
    ("cp1252", "äöüß"),  # German
    ("cp1252", "áéíóúñü¿¡ºª"),  # Spanish
    ("cp1252", "ãõáéíóúâêôàçüºª"),  # Portuguese
    ("cp1252", "àèéìòùîº"),  # Italian
    ("cp1252", "åäöæøé"),  # Scandinavian, Finnish
    ("cp1252", "áéíóúýðþæö"),  # Icelandic
    ("cp1250", "ąćęłńóśźż"),  # Polish
    ("cp1250", "áčďéěíňóřšťúůýž"),  # Czech
    ("cp1250", "áäčďéíĺľňóôŕšťúýž"),  # Slovak
    ("cp1250", "áéíóöőúüű"),  # Hungarian
    ("cp1250", "čćđšž"),  # Croatian, Slovene
    ("cp1250", "ăâîşţ"),  # Romanian
    ("cp1254", "çğıöşüâîû"),  # Turkish
)
_WESTERN = "".join(
    sorted(set("".join(letters for codec, letters in _PROFILES if codec == FALLBACK)))
)
_MIXED_WEIGHT = 0.9  # several Western languages in one file; less telling than one language
# Quotes, dashes and signs stand at the same place in the whole cp125x family.
_TYPOGRAPHY = set("€„…“”•—™©®°«»§±\u00a0\u00b7\u201a\u2018\u2019\u2013")
_ENOUGH = 0.8  # share of the high bytes that a profile must explain
_FREQUENT_CYRILLIC = set("оеаинтсрвл")  # two thirds of the letters of Russian text
_LONG_RUN = 2.5  # mean length of runs of high bytes: 1 in Latin text, 5 where words consist of them
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_CANDIDATES = [
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874",
    "koi8_r", "koi8_u", "cp866", "cp850", "cp437", "mac_roman", "mac_cyrillic", "iso8859_2",
    "iso8859_5", "iso8859_7", "big5", "cp932", "shift_jis", "euc_jp", "euc_kr", "cp949", "johab",
]  # fmt: skip
_GENERAL_DETECTOR_BYTES = 32_768


def guess_single_byte(data: bytes) -> str:
    """The codec that explains the bytes from 0x80 on best; cp1252 where nothing speaks for another.

    Args:
        data: Text with at least one byte from 0x80 on, up to some 100 KB.
    """
    runs = _HIGH_RUN.findall(data)
    if not runs:
        return FALLBACK
    if sum(map(len, runs)) / len(runs) >= _LONG_RUN:
        return "cp1251" if _looks_russian(runs) else _ask_general_detector(data)
    return _latin(runs) or _ask_general_detector(data)


def _looks_russian(runs: list[bytes]) -> bool:
    text = b"".join(runs).decode("cp1251", "replace").lower()
    return sum(map(text.count, _FREQUENT_CYRILLIC)) >= len(text) / 2


def _latin(runs: list[bytes]) -> str | None:
    data = b"".join(runs)
    counts = {codec: Counter(data.decode(codec, "replace").lower()) for codec in dict(_PROFILES)}
    best, best_score = None, 0.0
    for codec, letters in _PROFILES:
        score = _explained(counts[codec], letters)
        if score > best_score:
            best, best_score = codec, score
    mixed = _explained(counts[FALLBACK], _WESTERN)
    if mixed * _MIXED_WEIGHT > best_score:
        best, best_score = FALLBACK, mixed
    return best if best_score >= _ENOUGH else None


def _explained(counts: Counter[str], letters: str) -> float:
    known = sum(counts[char] for char in _TYPOGRAPHY.union(letters))
    return known / counts.total()


def _ask_general_detector(data: bytes) -> str:
    import charset_normalizer  # noqa: PLC0415 - takes 0.3 s to import and is rarely asked

    telling = b"\n".join(line for line in data.splitlines() if not line.isascii())
    matches = charset_normalizer.from_bytes(
        telling[:_GENERAL_DETECTOR_BYTES], cp_isolation=_CANDIDATES
    )
    best = matches.best()
    return best.encoding if best is not None else FALLBACK
