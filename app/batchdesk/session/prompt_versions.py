"""What differs between two versions of a job, for people to read.

Two jobs come in; Differences go out, in the order in which the page shows its parts. Texts are
told line by line, everything else as a value before and after.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from batchdesk.domain.job import Job

_FIRST = ("system", "user", "output", "examples", "checks")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs.

    Attributes:
        place: Where, such as ``system``, ``output/properties/topic/enum`` or ``provider/model``.
        lines: (``+``, ``-`` or a blank, the line), with some unchanged lines around.
    """

    place: str
    lines: tuple[tuple[str, str], ...]


def differences(old: Job, new: Job) -> list[Difference]:
    """What ``new`` has otherwise than ``old``; empty if they say the same."""
    before, after = _flat(old), _flat(new)
    found = []
    for place in sorted(before.keys() | after.keys(), key=_order):
        one, other = before.get(place), after.get(place)
        if one != other:
            found.append(Difference(place, tuple(_lines(one, other))))
    return found


def _order(place: str) -> tuple[int, str]:
    first = place.split("/", 1)[0]
    return (_FIRST.index(first) if first in _FIRST else len(_FIRST), place)


def _flat(job: Job) -> dict[str, str]:
    values = job.model_dump(mode="json")
    stage = values.pop("stages")[0]
    return dict(_leaves(stage, "")) | dict(_leaves(values, ""))


def _leaves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _leaves(part, f"{place}/{name}" if place else str(name))
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        for number, one in enumerate(value, 1):
            yield f"{place}/{number}", _told(one)
    elif value not in (None, "", [], {}):
        yield place, _told(value)


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_told(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lines(one: str | None, other: str | None) -> Iterator[tuple[str, str]]:
    old: Sequence[str] = one.splitlines() if one is not None else []
    new: Sequence[str] = other.splitlines() if other is not None else []
    told = difflib.unified_diff(old, new, n=1, lineterm="")
    for line in list(told)[2:]:
        if not line.startswith("@@"):
            yield line[0], line[1:]
