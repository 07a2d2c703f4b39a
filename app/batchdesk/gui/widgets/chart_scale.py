"""Where the ticks of a chart stand and what they say, and where moments and values lie: pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from PySide6.QtCore import QRectF

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


def apart(lefts: Sequence[float], wides: Sequence[float], gap: float) -> list[int]:
    """Which labels can be written: in order, each at least ``gap`` right of the last one kept.

    Args:
        lefts: Left edges, pixels, ascending.
        wides: Their widths, pixels.
        gap: Pixels between two.
    """
    kept: list[int] = []
    for number, left in enumerate(lefts):
        if not kept or left >= lefts[kept[-1]] + wides[kept[-1]] + gap:
            kept.append(number)
    return kept


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


@dataclass(frozen=True, slots=True)
class Area:
    """Where moments and values lie on a chart.

    Attributes:
        rect: Between the axes, pixels.
        start: Moment at its left edge, seconds since the epoch.
        end: The same, at its right edge.
        top: The largest value.
        ceiling: The value at its upper edge.
    """

    rect: QRectF = field(default_factory=QRectF)
    start: float = 0.0
    end: float = 0.0
    top: float = 0.0
    ceiling: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return self.end <= self.start

    @property
    def per_second(self) -> float:
        """Pixels that a second takes."""
        return self.rect.width() / (self.end - self.start)

    @property
    def per_unit(self) -> float:
        """Pixels that one of the value takes."""
        return self.rect.height() / (self.ceiling or 1.0)

    def x(self, at: float) -> float:
        """Where a moment is."""
        return self.rect.left() + (at - self.start) * self.per_second

    def y(self, value: float) -> float:
        """Where a value is."""
        return self.rect.bottom() - value * self.per_unit

    def moment(self, x: float) -> float | None:
        """The moment at a place; None outside."""
        if self.is_empty or not self.rect.left() <= x <= self.rect.right():
            return None
        return self.start + (x - self.rect.left()) / self.per_second
