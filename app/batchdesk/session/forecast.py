"""What a run will take, promised from rows that were tried: requests, tokens, money and time.

Tokens are a straight line over a row's size, with the prediction interval of least squares. Time is
requests divided by the rate that the known limits and the concurrency allow. A Forecast goes out,
which is kept with the run and later held against what it took. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from batchdesk.domain.chat import Usage
from batchdesk.domain.price import Rates

_STEADY = 0.02  # no figure is promised more narrowly than this share
_BURST_S = 6.0  # a service may let so many seconds' worth through at once
_QUEUES = 3.0  # mean latency above so many fast ones: the service is queueing already
_SHORT = 0.9  # of the rate that is known, at worst
_START_S, _LONG_START_S = 0.5, 2.0  # before the first request: likely, at worst
_T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)
_T95_MORE = 2.1  # Student's t for 95 %, from 16 degrees of freedom on; 1.96 in the limit


@dataclass(frozen=True, slots=True)
class Range:
    """A figure as it is likely, and between which two it is promised to be (19 times in 20)."""

    low: float
    likely: float
    high: float

    def holds(self, truth: float) -> bool:
        """Whether the promise was kept."""
        return self.low <= truth <= self.high


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be sent.

    Attributes:
        rows: So many rows.
        size: Bytes of the columns that the prompt uses, over all of them.
        reused: Rows that an earlier answer to the same question is taken for.
        too_long: Rows that are left out because they do not fit in the model's window.
        over_minute: Rows that need more tokens than may be used in a minute.
    """

    rows: int
    size: int
    reused: int = 0
    too_long: int = 0
    over_minute: int = 0


@dataclass(frozen=True, slots=True)
class Sample:
    """One row that was tried, all its attempts together.

    Attributes:
        size: Bytes of the columns that the prompt uses.
        answered: Attempts that were answered, in ``service_s`` seconds together.
    """

    size: int
    attempts: int
    answered: int
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    service_s: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How hard the run may push.

    Attributes:
        reached: Requests at once at the end of what was tried.
        ceiling: Most requests at once; equal to ``reached`` where the number is pinned.
        requests_per_s: As the person or the service told, or as learned; None: no limit known.
        tokens_per_s: Likewise.
    """

    reached: int
    ceiling: int
    requests_per_s: float | None = None
    tokens_per_s: float | None = None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run is promised to take.

    Attributes:
        rows: Rows that will be asked.
        reused: Rows that an earlier answer is taken for; too_long: rows that are left out.
        instructions: Input tokens of the instructions and examples, over all rows, which cost
            ``instructions_micros``.
        micros: Millionths of ``currency``; None: the price is not known.
        seconds: The run's own active time.
        bound_by: What decides the time: ``requests``, ``tokens`` (limits per minute), ``pinned`` or
            ``service`` (no limit is known, so the range is wide).
        over_minute: Rows that need more tokens than may be used in a minute: each goes alone.
    """

    rows: int
    reused: int
    too_long: int
    requests: Range
    input_tokens: Range | None
    output_tokens: Range | None
    instructions: float
    micros: Range | None
    currency: str | None
    seconds: Range | None
    bound_by: str
    instructions_micros: float | None = None
    over_minute: int = 0


def forecast(
    samples: Sequence[Sample],
    work: Work,
    pace: Pace,
    *,
    rates: Rates | None,
    instructions: float,
) -> Forecast | None:
    """The promise; None while nothing was answered.

    Args:
        samples: Rows that were tried; a row tried twice is two of them.
        rates: What the model costs; None: unknown.
        instructions: Tokens of a request beside its row.
    """
    told = [one for one in samples if one.answered]
    if not told:
        return None
    rows = max(0, work.rows - work.reused)
    requests = _requests(samples, rows)
    input_tokens = _tokens(told, work, rows, requests, lambda one: one.input_tokens)
    output_tokens = _tokens(told, work, rows, requests, lambda one: one.output_tokens)
    seconds, bound_by = _seconds(told, requests, input_tokens, output_tokens, pace)
    micros = _micros(told, requests, input_tokens, output_tokens, rates)
    of_input = input_tokens.likely if input_tokens is not None else 0.0
    instructed = min(instructions * requests.likely, of_input or math.inf)
    return Forecast(
        rows=rows,
        reused=work.reused,
        too_long=work.too_long,
        requests=requests,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        instructions=instructed,
        micros=micros,
        currency=rates.currency if rates is not None else None,
        seconds=seconds,
        bound_by=bound_by,
        over_minute=work.over_minute,
        instructions_micros=_instructed_micros(told, instructed, of_input, requests, rates),
    )


def _requests(samples: Sequence[Sample], rows: int) -> Range:
    """Of the rows tried some were sent more than once; how many more has a Wilson interval."""
    tried = len(samples)
    more = sum(one.attempts for one in samples) / tried - 1
    retried = sum(one.attempts > 1 for one in samples)
    low, high = _wilson(retried, tried)
    each = more * tried / retried if retried else 1.0
    return Range(rows * (1 + low * each), rows * (1 + more), rows * (1 + high * each))


def _wilson(right: int, of: int) -> tuple[float, float]:
    z, p = 1.96, right / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def _tokens(
    samples: Sequence[Sample],
    work: Work,
    rows: int,
    requests: Range,
    count: Callable[[Sample], int | None],
) -> Range | None:
    points = [(float(one.size), float(n)) for one in samples if (n := count(one)) is not None]
    if not points:
        return None
    if not rows:
        return Range(0, 0, 0)
    mean, half = _predicted(points, work.size / max(1, work.rows), rows)
    likely = max(0.0, mean * rows)
    half = max(half * rows, likely * _STEADY)
    # Rows that none of those tried had to be asked again for may have to be.
    more = requests.high / requests.likely if requests.likely else 1.0
    fewer = requests.low / requests.likely if requests.likely else 1.0
    return Range(max(0.0, likely - half) * fewer, likely, (likely + half) * more)


def _predicted(
    points: Sequence[tuple[float, float]], size: float, rows: int
) -> tuple[float, float]:
    """Mean of a figure over rows of this mean size, and half of its 95 % interval.

    The prediction interval of simple least squares for the mean of ``rows`` further observations
    (Draper and Smith, Applied Regression Analysis, 1.4).
    """
    n = len(points)
    x, y = sum(one for one, _ in points) / n, sum(two for _, two in points) / n
    spread = sum((one - x) ** 2 for one, _ in points)
    slope = sum((one - x) * (two - y) for one, two in points) / spread if spread else 0.0
    mean = y + slope * (size - x)
    freedom = n - (2 if spread else 1)
    if freedom < 1:
        return mean, abs(mean) / 2
    left = sum((two - y - slope * (one - x)) ** 2 for one, two in points)
    away = (size - x) ** 2 / spread if spread else 0.0
    error = math.sqrt(left / freedom * (1 / n + away + 1 / rows))
    return mean, _t95(freedom) * error


def _t95(freedom: int) -> float:
    return _T95[freedom - 1] if freedom <= len(_T95) else _T95_MORE


def _micros(
    samples: Sequence[Sample],
    requests: Range,
    input_tokens: Range | None,
    output_tokens: Range | None,
    rates: Rates | None,
) -> Range | None:
    if rates is None or input_tokens is None or output_tokens is None:
        return None
    if not requests.likely:
        return Range(0, 0, 0)
    size = round(input_tokens.likely / requests.likely)
    in_rate, out_rate = _mean_rates(_together(samples), size, rates)
    uncached = max(in_rate, float(rates.input.at(size)))  # at worst, no cache helps
    return Range(
        *(
            n * float(rates.per_request) + tokens_in * rate + tokens_out * out_rate
            for n, tokens_in, tokens_out, rate in (
                (requests.low, input_tokens.low, output_tokens.low, in_rate),
                (requests.likely, input_tokens.likely, output_tokens.likely, in_rate),
                (requests.high, input_tokens.high, output_tokens.high, uncached),
            )
        )
    )


def _together(samples: Sequence[Sample]) -> Usage:
    return Usage(
        input_tokens=sum(one.input_tokens or 0 for one in samples),
        output_tokens=sum(one.output_tokens or 0 for one in samples),
        cached_tokens=sum(one.cached_tokens or 0 for one in samples),
        reasoning_tokens=sum(one.reasoning_tokens or 0 for one in samples),
    )


def _instructed_micros(
    samples: Sequence[Sample],
    instructed: float,
    of_input: float,
    requests: Range,
    rates: Rates | None,
) -> float | None:
    if rates is None or not of_input:
        return None
    in_rate, _ = _mean_rates(_together(samples), round(of_input / requests.likely), rates)
    return instructed * in_rate


def cost_of(usage: Usage, requests: int, rates: Rates) -> float:
    """Millionths of the currency's unit that so many requests cost, from their tokens together."""
    tokens_in, tokens_out = usage.input_tokens or 0, usage.output_tokens or 0
    in_rate, out_rate = _mean_rates(usage, tokens_in // max(1, requests), rates)
    return requests * float(rates.per_request) + tokens_in * in_rate + tokens_out * out_rate


def _mean_rates(usage: Usage, size: int, rates: Rates) -> tuple[float, float]:
    """Micro-units per token of input and of output, as far as it is cached or reasoning."""
    cached = (usage.cached_tokens or 0) / max(1, usage.input_tokens or 0)
    reasoning = (usage.reasoning_tokens or 0) / max(1, usage.output_tokens or 0)
    return (
        _mixed(rates.input.at(size), (rates.cached_input or rates.input).at(size), cached),
        _mixed(rates.output.at(size), (rates.reasoning or rates.output).at(size), reasoning),
    )


def _mixed(plain: Decimal, other: Decimal, share: float) -> float:
    return float(plain) * (1 - share) + float(other) * share


def _seconds(
    samples: Sequence[Sample],
    requests: Range,
    input_tokens: Range | None,
    output_tokens: Range | None,
    pace: Pace,
) -> tuple[Range | None, str]:
    if not requests.likely:
        return Range(0, 0, _LONG_START_S), "service"
    latencies = sorted(max(1e-3, one.service_s / one.answered) for one in samples)
    mean, quick = sum(latencies) / len(latencies), latencies[len(latencies) // 10]
    slow, fast = pace.reached / mean, max(pace.reached, pace.ceiling) / quick
    if mean > _QUEUES * quick:
        fast = 1.5 * slow  # more at once would only wait longer
    likely = math.sqrt(slow * fast)
    bound_by = "pinned" if pace.ceiling <= pace.reached else "service"
    burst = 0.0
    by_tokens = _by_tokens(pace, requests, input_tokens, output_tokens)
    for limit, name in ((pace.requests_per_s, "requests"), (by_tokens, "tokens")):
        if limit is None or limit <= 0:
            continue
        if limit < likely:
            bound_by, burst = name, limit * _BURST_S
        slow, likely, fast = min(slow, limit), min(likely, limit), min(fast, limit)
    return (
        Range(
            max(0.0, requests.low - burst) / (fast * (1 + _STEADY)) + latencies[0],
            _START_S + requests.likely / likely + mean,
            _LONG_START_S + requests.high / (slow * _SHORT) + 2 * latencies[-1],
        ),
        bound_by,
    )


def _by_tokens(
    pace: Pace, requests: Range, input_tokens: Range | None, output_tokens: Range | None
) -> float | None:
    """Requests per second that the limit of tokens allows."""
    if pace.tokens_per_s is None or input_tokens is None or output_tokens is None:
        return None
    each = (input_tokens.likely + output_tokens.likely) / requests.likely
    return pace.tokens_per_s / each if each else None


def as_json(promised: Forecast) -> dict[str, Any]:
    """The promise as plain values."""
    return asdict(promised)


def from_json(kept: Mapping[str, Any]) -> Forecast:
    """The promise as it was kept."""
    ranges = ("requests", "input_tokens", "output_tokens", "micros", "seconds")
    values = dict(kept)
    for name in ranges:
        if values[name] is not None:
            values[name] = Range(**values[name])
    return Forecast(**values)


@dataclass(frozen=True, slots=True)
class Kept:
    """One promised figure and the truth.

    Attributes:
        is_kept: None while the run has not finished.
        spared: Rows that were not asked though it was promised that they would be; above 0 only
            where the run took less than promised and that is why.
    """

    name: str
    promised: Range
    truth: float
    is_kept: bool | None
    spared: int = 0


def held_against(
    promised: Forecast, truth: Mapping[str, float], *, is_finished: bool, asked: int | None = None
) -> list[Kept]:
    """The promise against what the run took: ``requests``, ``input_tokens`` and so on.

    Args:
        asked: Rows that the run asked the service for; None: as many as was promised.
    """
    found = []
    for name, value in truth.items():
        wanted: Range | None = getattr(promised, name)
        if wanted is not None:
            is_kept = wanted.holds(value) if is_finished else None
            spared = 0
            if is_kept is False and asked is not None:
                spared = _spared(promised.rows, asked, wanted, value)
            found.append(Kept(name, wanted, value, is_kept, spared))
    return found


def _spared(rows: int, asked: int, wanted: Range, value: float) -> int:
    """Rows that were spared, if the figure is too low by no more than they would have taken.

    Rows that occur again may be longer than the mean: up to twice as long.
    """
    spared = rows - asked
    if spared <= 0 or value >= wanted.low:
        return 0
    return spared if value >= wanted.low * (1 - 2 * spared / rows) else 0
