"""When two labels are the same: what an evaluation counts as right and what a filter finds.

A label or an answer comes in as text; out goes the form in which equal ones are equal.
"""

from __future__ import annotations

import re

_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")


def folded_label(text: str) -> str:
    """Without regard to case and outer white space, and decimals without closing zeros.

    ``" Good"`` is ``good``, ``4.0`` is ``4``.
    """
    folded = text.strip().casefold()
    return folded.rstrip("0").rstrip(".") if _DECIMAL.fullmatch(folded) else folded
