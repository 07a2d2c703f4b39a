"""Which character separates the cells of a text table, judged by its first records.

The beginning of a file comes in as text, a separator goes out. Each candidate parses the sample
as the reader would, so separators inside quoted cells do not mislead.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice

SEPARATORS = (",", ";", "\t", "|")
_RECORDS = 200
_CONSISTENT = 0.8  # share of records of one width that makes a header of one cell a title line
_HINT = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Fit:
    separator: str
    header: int  # cells of the first record
    agreeing: float  # share of the other records as wide as the header
    commonest: int  # most frequent width of the other records
    commonest_share: float


def separator_hint(head: str) -> str | None:
    """The separator that a first line such as ``sep=;`` names, or None. Excel writes such lines."""
    match = _HINT.match(head)
    return match[1] if match else None


def guess_separator(head: str, *, whole: bool, default: str = ",") -> str:
    """The likeliest separator.

    Args:
        head: The beginning of the file.
        whole: Whether it is the whole file; if not, the last record may be cut.
        default: For a table of one column, and where two separators fit as well.
    """
    if hint := separator_hint(head):
        return hint
    order = (default, *(char for char in SEPARATORS if char != default))
    fits = [_fit(head, separator, whole=whole) for separator in order]
    if several := [fit for fit in fits if fit.header > 1]:
        return max(several, key=lambda fit: (fit.agreeing, fit.header)).separator
    title_line = [fit for fit in fits if fit.commonest > 1 and fit.commonest_share >= _CONSISTENT]
    if title_line:
        return max(title_line, key=lambda fit: (fit.commonest_share, fit.commonest)).separator
    return _for_one_column(fits)


def _for_one_column(fits: list[_Fit]) -> str:
    """The default, unless it would tear the texts of the only column and another would not."""
    for fit in fits:
        if fit.agreeing == 1.0:
            return fit.separator
    return fits[0].separator


def _fit(head: str, separator: str, *, whole: bool) -> _Fit:
    lines = io.StringIO(head, newline="")
    records: list[list[str]] = []
    try:
        records.extend(islice(csv.reader(lines, delimiter=separator), _RECORDS + 1))
    except csv.Error:  # a cell longer than this reader takes: what came before it counts
        whole = True
    if not whole and len(records) <= _RECORDS:
        records = records[:-1] or records  # the sample's end cuts the last one
    widths = [len(record) for record in records if len(record) > 1 or "".join(record).strip()]
    if not widths:
        return _Fit(separator, 0, 0.0, 0, 0.0)
    header, others = widths[0], widths[1:]
    if not others:
        return _Fit(separator, header, 1.0, header, 1.0)
    commonest, count = Counter(others).most_common(1)[0]
    agreeing = others.count(header) / len(others)
    return _Fit(separator, header, agreeing, commonest, count / len(others))
