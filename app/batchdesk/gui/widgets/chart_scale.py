"""Where the ticks of a chart stand and what they say: pure functions, no Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, tzinfo

_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200)
_MINUTE, _DAY = 60, 86400

Tick = tuple[float, str]


def value_ticks(top: float, most: int = 4) -> list[Tick]:
    """Round values from 0 up to ``top``, at most ``most`` steps; grouped figures.

    >>> value_ticks(5000)
    [(0.0, '0'), (2000.0, '2,000'), (4000.0, '4,000')]
    """
    if top <= 0 or not math.isfinite(top):
        return [(0.0, "0")]
    raw = top / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
    count = math.floor(top / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(i * step, f"{i * step:,.{digits}f}" if i else "0") for i in range(count + 1)]


def clock_ticks(start: float, end: float, most: int = 5, zone: tzinfo | None = None) -> list[Tick]:
    """Clock times between two moments, at most ``most``; seconds only when closer than a minute.

    Args:
        start: Seconds since the epoch.
        end: The same.
        most: How many fit.
        zone: Time zone; the computer's own without one.
    """
    span = end - start
    if span <= 0:
        return []
    step = next((s for s in _STEPS_S if span / s <= most), _DAY)
    offset = datetime.fromtimestamp(start, zone).astimezone(zone).utcoffset()
    shift = offset.total_seconds() if offset is not None else 0.0
    first = math.ceil((start + shift) / step) * step - shift
    shape = "%H:%M" if step >= _MINUTE else "%H:%M:%S"
    count = math.floor((end - first) / step) + 1
    moments = [first + i * step for i in range(max(0, count))]
    return [(at, datetime.fromtimestamp(at, zone).strftime(shape)) for at in moments]


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Moves labels apart: each at least ``gap`` from the next, in order, within the bounds.

    Args:
        places: Wished places, any order.
        gap: Least distance.
        low: Lowest place.
        high: Highest place.

    Returns:
        The places in the order given.
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    floor = low
    for i in order:
        moved[i] = max(moved[i], floor)
        floor = moved[i] + gap
    ceiling = high
    for i in reversed(order):
        moved[i] = min(moved[i], ceiling)
        ceiling = moved[i] - gap
    return moved
