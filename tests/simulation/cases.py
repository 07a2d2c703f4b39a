"""The cases of the gate's table: a service each, what it could have served, and the real gate.

Unless a case says otherwise: 50 requests per second, answers of 0.2 s, more rows than can be done.
``possible`` is what the service lets through on average; what its bucket holds at the start is not
counted, so a share can be slightly above 1.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.simulation.bed import STARTS_AT, Bed, Draw, Load, Tally
from tests.simulation.limiters import (
    FixedWindow,
    Limiter,
    SlidingWindow,
    TokenBucket,
    halved_between,
)
from tests.simulation.services import (
    Headers,
    Service,
    Unlimited,
    doubled,
    fixed,
    honest,
    lognormal,
    no_headers,
    nothing_left,
    of_the_bucket,
    without_remaining,
)

from batchdesk.domain.chat import NO_LIMITS, RateLimits
from batchdesk.engine.admission import Gate, GateLimits

RATE = 50.0
_PHASE = STARTS_AT % 60  # minutes of the service begin with the run
_TOKENS_MU, _TOKENS_SIGMA = 6.2, 0.5
MEAN_TOKENS = math.exp(_TOKENS_MU + _TOKENS_SIGMA**2 / 2)  # about 558 a request


def an_answer() -> Unlimited:
    return Unlimited(fixed(0.2))


def a_bucket(burst: float, rate: float = RATE) -> Callable[[random.Random], Limiter]:
    return lambda _rng: TokenBucket(rate, burst)


def a_minute(rate: float = RATE) -> Callable[[random.Random], Limiter]:
    return lambda _rng: FixedWindow(rate * 60, 60, _PHASE)


def a_second(rng: random.Random) -> Limiter:
    """A quantum; its seconds do not begin when the run's do."""
    return FixedWindow(RATE, 1.0, rng.random())


def a_sliding_minute(_rng: random.Random) -> Limiter:
    return SlidingWindow(RATE * 60)


def drawn_tokens(rng: random.Random) -> float:
    return rng.lognormvariate(_TOKENS_MU, _TOKENS_SIGMA)


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table.

    Attributes:
        limiter: Made anew for each seed.
        of_tokens: Whether the limiter counts tokens instead of requests.
        told: Requests (or tokens) per minute as the job tells them.
    """

    limiter: Callable[[random.Random], Limiter]
    rate: float = RATE
    of_tokens: bool = False
    told: float | None = None
    headers: Headers = no_headers
    counts_refused: bool = False
    work: Callable[[], Unlimited] = an_answer
    travel: Draw | None = None
    hint: Callable[[float], float | None] = lambda _wait_s: None
    words: RateLimits = NO_LIMITS
    for_s: float = 240.0

    @property
    def possible_per_s(self) -> float:
        return self.rate * (MEAN_TOKENS if self.of_tokens else 1.0)

    def run(self, seed: int) -> Tally:
        limiter = self.limiter(random.Random(seed))
        service = Service(
            self.work(),
            requests=None if self.of_tokens else limiter,
            tokens=limiter if self.of_tokens else None,
            headers=self.headers,
            counts_refused=self.counts_refused,
            hint=self.hint,
            words=self.words,
        )
        rpm, tpm = (None, self.told) if self.of_tokens else (self.told, None)
        gate = Gate(GateLimits(start=20, rpm=rpm, tpm=tpm))
        load = Load(tokens=drawn_tokens) if self.of_tokens else Load()
        return Bed(gate, service, seed, loads=(load,), travel=self.travel).run(self.for_s)

    def used(self, tally: Tally) -> float:
        """What was used of what was possible."""
        done = sum(tally.used_tokens) if self.of_tokens else float(len(tally.accepted))
        return done / (self.possible_per_s * self.for_s)


def recovery(seed: int, rate: float = RATE) -> tuple[float, float]:
    """The limit halves for a minute and returns: seconds to 95 % of it, and per cent refused."""
    start = 60 + random.Random(seed).random() * 10
    factor = halved_between(STARTS_AT + start, STARTS_AT + start + 60)
    service = Service(an_answer(), TokenBucket(rate, rate, factor), counts_refused=True)
    tally = Bed(Gate(GateLimits(start=20)), service, seed).run(start + 85)
    return tally.recovery_s(start + 60, rate), 100 * tally.refused_share


def short_run_s(rows: int, gate: Gate) -> float:
    """Seconds for so many rows of 0.2 s, without any limit."""
    bed = Bed(gate, Service(an_answer()), seed=100, loads=(Load(rows=rows),))
    tally = bed.run()
    assert bed.is_done
    return tally.ended_s


@dataclass(frozen=True, slots=True)
class Figures:
    """Used (median and worst of the seeds) and refused (median and worst), in per cent."""

    used: float
    used_worst: float
    refused: float
    refused_worst: float

    def __str__(self) -> str:
        return (
            f"used {self.used:.3f}/{self.used_worst:.3f},"
            f" refused {self.refused:.2f}/{self.refused_worst:.2f} %"
        )


def measured(case: Case, seeds: Sequence[int]) -> Figures:
    tallies = [case.run(seed) for seed in seeds]
    used = [case.used(tally) for tally in tallies]
    refused = [100 * tally.refused_share for tally in tallies]
    return Figures(statistics.median(used), min(used), statistics.median(refused), max(refused))


def a_bucket_of_tokens(_rng: random.Random) -> Limiter:
    return TokenBucket(RATE * MEAN_TOKENS, RATE * MEAN_TOKENS)


CASES = {
    "told, burst 50": Case(a_bucket(50), told=3000),
    "told, burst 5": Case(a_bucket(5), told=3000),
    "told, per-second quantum": Case(a_second, told=3000),
    "headers, minute bucket": Case(a_minute(), headers=honest),
    "headers, burst 50": Case(a_bucket(50), headers=honest),
    "headers, burst 5": Case(a_bucket(5), headers=honest),
    "headers, per-second quantum": Case(a_second, headers=honest),
    "no headers, counted, burst 50": Case(a_bucket(50), counts_refused=True),
    "no headers, counted, minute bucket": Case(a_minute(), counts_refused=True),
    "no headers, counted, sliding minute": Case(a_sliding_minute, counts_refused=True),
    "no headers, burst 5": Case(a_bucket(5)),
    "no headers, counted, burst 5, lognormal": Case(
        a_bucket(5), counts_refused=True, work=lambda: Unlimited(lognormal(0.2, 0.5))
    ),
    "no headers, per-second quantum": Case(a_second),
    "tokens told": Case(a_bucket_of_tokens, of_tokens=True, told=RATE * 60 * MEAN_TOKENS),
    "tokens by headers": Case(a_bucket_of_tokens, of_tokens=True, headers=honest),
    "tokens unknown": Case(a_bucket_of_tokens, of_tokens=True),
    # beyond the table: headers that are wrong or odd, words, hints, other rates and answers
    "headers promise twice as much": Case(a_bucket(50), headers=doubled, counts_refused=True),
    "headers always say nothing is left": Case(a_bucket(50), headers=nothing_left),
    "headers count a small bucket": Case(a_bucket(5), headers=of_the_bucket(5)),
    "headers without what remains": Case(a_bucket(50), headers=without_remaining),
    "words of the refusal name the limit": Case(
        a_bucket(50), counts_refused=True, words=RateLimits(told_rpm=3000)
    ),
    "hint of a minute that is false": Case(a_bucket(50), hint=lambda _wait_s: 60.0),
    "honest hints": Case(a_bucket(50), counts_refused=True, hint=lambda wait_s: wait_s),
    "travel of 0 to 150 ms, burst 50": Case(
        a_bucket(50), counts_refused=True, travel=lambda rng: rng.uniform(0, 0.15)
    ),
    "answers of 8 s, 10 a second": Case(
        a_bucket(10, 10), rate=10, work=lambda: Unlimited(fixed(8.0)), for_s=900
    ),
    "answers of 30 s, 4 a second": Case(
        a_bucket(8, 4), rate=4, work=lambda: Unlimited(fixed(30.0)), for_s=1800
    ),
    "5 a second, counted": Case(a_bucket(5, 5), rate=5, counts_refused=True, for_s=900),
    "1 a second": Case(a_bucket(1, 1), rate=1, for_s=1800),
    "per-second quantum, hints of a second": Case(a_second, hint=lambda _wait_s: 1.0, for_s=120.0),
    "12 in a minute, counted": Case(a_bucket(1, 0.2), rate=0.2, counts_refused=True, for_s=1800),
    "60 in a minute, counted": Case(a_minute(1), rate=1, counts_refused=True, for_s=1800),
}
