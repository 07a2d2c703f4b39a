"""What the practice server has planned: outages, other limits, the end of its quota or of a key.

In come the words of its command line; out come spans and steps in seconds since the first request,
and what holds at a given second. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from batchdesk.providers.practice_faults import PracticeError

if TYPE_CHECKING:
    from collections.abc import Sequence

OutageMode = Literal["503", "hang", "refuse"]
_LONGEST_S = 1e6


@dataclass(frozen=True, slots=True)
class Span:
    """A time that begins at a second and lasts so many seconds."""

    start_s: float
    length_s: float

    def holds(self, elapsed_s: float) -> bool:
        """Whether it is then."""
        return self.start_s <= elapsed_s < self.start_s + self.length_s


@dataclass(frozen=True, slots=True)
class Step:
    """From this second on, another limit of requests per minute."""

    at_s: float
    rpm: float


@dataclass(frozen=True, slots=True)
class After:
    """Once so many requests were let in, or so many seconds have passed; whichever is given."""

    requests: int | None = None
    seconds: float | None = None

    def reached(self, let_in: int, elapsed_s: float) -> bool:
        """Whether that is so."""
        if self.requests is not None and let_in >= self.requests:
            return True
        return self.seconds is not None and elapsed_s >= self.seconds


def is_out(outages: Sequence[Span], elapsed_s: float) -> bool:
    """Whether an outage holds."""
    return any(span.holds(elapsed_s) for span in outages)


def rpm_at(steps: Sequence[Step], elapsed_s: float) -> float | None:
    """The limit that the plan has set by now; None: none yet."""
    return next((step.rpm for step in reversed(steps) if step.at_s <= elapsed_s), None)


def parse_spans(text: str) -> tuple[Span, ...]:
    """Read ``10:40,120:5``: starts and lengths in seconds.

    Raises:
        PracticeError: not of that form.
    """
    return tuple(Span(start, length) for start, length in _pairs(text, "10:40,120:5"))


def parse_steps(text: str) -> tuple[Step, ...]:
    """Read ``60:1500,120:3000``: seconds and the requests per minute from then on, in order.

    Raises:
        PracticeError: not of that form, or out of order.
    """
    steps = tuple(Step(at, rpm) for at, rpm in _pairs(text, "60:1500,120:3000"))
    if any(later.at_s <= earlier.at_s for earlier, later in pairwise(steps)):
        raise _not_understood(text, "60:1500,120:3000")
    return steps


def parse_after(text: str) -> After:
    """Read ``500`` (requests) or ``30s`` (seconds).

    Raises:
        PracticeError: neither.
    """
    try:
        if text.endswith("s"):
            return After(seconds=_checked(float(text[:-1]), text))
        return After(requests=int(_checked(int(text), text)))
    except ValueError:
        raise _not_understood(text, "500 or 30s") from None


def words_of(plan: Sequence[Span | Step] | After) -> str:
    """The words from which the same plan is read."""
    if isinstance(plan, After):
        return f"{plan.seconds!r}s" if plan.requests is None else str(plan.requests)
    pairs = ((p.start_s, p.length_s) if isinstance(p, Span) else (p.at_s, p.rpm) for p in plan)
    return ",".join(f"{one!r}:{other!r}" for one, other in pairs)


def _pairs(text: str, example: str) -> list[tuple[float, float]]:
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, _, second = part.partition(":")
        try:
            pairs.append((_checked(float(first), text), _checked(float(second), text)))
        except ValueError:
            raise _not_understood(text, example) from None
    return pairs


def _checked(number: float, text: str) -> float:
    if not 0 <= number <= _LONGEST_S:
        raise ValueError(text)
    return number


def _not_understood(text: str, example: str) -> PracticeError:
    return PracticeError(
        "“{text}” is not understood. Write it like {example}, with numbers from 0 to 1,000,000.",
        text=text,
        example=example,
    )
