"""What the cleaning steps of a run did, in a line each: counts, kinds of masks, and its limits.

What was kept with a run comes in (``session.cleaning.kept``); sentences on standard error go out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from batchdesk.cli.terminal import tell

_CHANGES = {"normalise": "texts normalised", "mask": "personal data masked"}
_SKIPS = {
    "empty": "empty rows left out",
    "duplicates": "equal rows sent once",
    "length": "too long for the model",
}


OVER_MINUTE = "larger than all the tokens of a minute, so that each goes alone and waits: {0}"


def tell_cleaning(kept: Mapping[str, Any] | None) -> None:
    """Say what the steps did; nothing for a run without steps."""
    for line in cleaning_lines(kept):
        tell(f"  {line}")


def cleaning_lines(kept: Mapping[str, Any] | None) -> Iterator[str]:
    """One line for each step that did something, and for rows that were not compared."""
    for one in (kept or {}).get("steps", ()):
        name = one["step"]
        if name == "near_duplicates":
            yield from _near(one)
        elif name in _CHANGES and one["changed"]:
            yield f"{_CHANGES[name]} in {_rows(one['changed'])}{_details(name, one['details'])}"
        elif name in _SKIPS and one["skipped"]:
            yield f"{_SKIPS[name]}: {_rows(one['skipped'])}"
    if over_minute := (kept or {}).get("over_minute"):
        yield OVER_MINUTE.format(_rows(over_minute))


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"


def _details(name: str, details: Mapping[str, int]) -> str:
    """The masks by kind."""
    if name != "mask" or not details:
        return ""
    return f" ({', '.join(f'{kind} {count:,}' for kind, count in details.items())})"


def _near(one: Mapping[str, Any]) -> Iterator[str]:
    if one["near"]:
        yield f"groups of nearly equal rows: {one['near']:,} (all are sent)"
    compared = one.get("compared", one["rows"])
    if compared < one["rows"]:
        yield (
            f"note: only the first {compared:,} of {one['rows']:,} rows were compared for nearly "
            "equal ones"
        )
