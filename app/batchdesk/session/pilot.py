"""A pilot held against the preview before it: the same figures of both with intervals. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batchdesk.domain.task import TaskState
from batchdesk.quality.evaluation import Share
from batchdesk.store.previews import Tried

_PASSED = frozenset({TaskState.PASSED, TaskState.ACCEPTED})
_ANSWERED = frozenset({TaskState.PASSED, TaskState.REVIEW, TaskState.ACCEPTED, TaskState.REJECTED})
_SURE = 1.96


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of both.

    Attributes:
        name: ``format``, ``passed``, ``accuracy`` (shares, 0 to 1), ``input_tokens``,
            ``output_tokens`` and ``requests`` (per row) or ``service_s`` (per request).
        differs: The intervals have nothing in common.
    """

    name: str
    preview: Measured | None
    pilot: Measured | None

    @property
    def differs(self) -> bool:
        """Whether this is more than chance."""
        if self.preview is None or self.pilot is None:
            return False
        return self.preview.high < self.pilot.low or self.pilot.high < self.preview.low


def compare(
    preview: Sequence[Tried],
    pilot: Sequence[Tried],
    accuracies: tuple[Share | None, Share | None],
) -> list[Compared]:
    """The pilot's figures beside the preview's."""
    figures: list[tuple[str, Callable[[Sequence[Tried]], Measured | None]]] = [
        ("format", lambda found: _share([one.kind is None for one in found if one.answered])),
        ("passed", lambda found: _share([one.state in _PASSED for one in found if one.answered])),
        ("input_tokens", lambda found: _mean([one.input_tokens for one in found])),
        ("output_tokens", lambda found: _mean([one.output_tokens for one in found])),
        ("requests", lambda found: _mean([one.attempts for one in found])),
        (
            "service_s",
            lambda found: _mean([one.service_s / one.answered for one in found if one.answered]),
        ),
    ]
    compared = [Compared(name, of(preview), of(pilot)) for name, of in figures]
    before, after = (None if one is None else _of_share(one) for one in accuracies)
    return [*compared[:2], Compared("accuracy", before, after), *compared[2:]]


def _share(right: Sequence[bool]) -> Measured | None:
    return _of_share(Share(sum(right), len(right)))


def _of_share(share: Share) -> Measured | None:
    if share.value is None or share.interval is None:
        return None
    return Measured(share.value, *share.interval)


def _mean(values: Sequence[float | None]) -> Measured | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    mean = sum(known) / len(known)
    if len(known) == 1:
        return Measured(mean, mean, mean)
    spread = sum((value - mean) ** 2 for value in known) / (len(known) - 1)
    half = _SURE * math.sqrt(spread / len(known))
    return Measured(mean, mean - half, mean + half)
