"""What would make a run faster or cheaper, told from how its last minute divides. Pure.

In come shares of time and of requests, out come codes with their figures, the weightiest first.
Words are the business of the screens.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from batchdesk.domain.snapshot import Advice, AdviceCode, HoldReason, LimitReason

_OFTEN = 0.5  # of the last minute: what holds a run back so often decides its speed
_PREPARING = 0.2  # the buffer should hardly ever be empty
_RETRIES = 0.1  # of the requests
_WRITING = 0.25  # of the time in which slots are taken
_LEAST_WRITTEN = 500  # fewer say nothing of the disk
_INSTRUCTIONS_TOKENS = 200.0  # shorter ones cost little, whatever their share
_LOOK_S = 0.2
_WINDOW_S = 60.0
_LEAST_S = 15.0  # shorter stretches say nothing
_KNEE = frozenset({LimitReason.QUEUEING, LimitReason.CONFIRMED, LimitReason.TESTING})
_BY_HOLD = {
    HoldReason.REQUESTS_PER_MINUTE: AdviceCode.REQUESTS_LIMIT,
    HoldReason.TOKENS_PER_MINUTE: AdviceCode.TOKENS_LIMIT,
    HoldReason.PACE: AdviceCode.LEARNED_PACE,
    HoldReason.REFUSED: AdviceCode.LEARNED_PACE,
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What advice is taken from.

    Attributes:
        holds: Share of the last minute in which each reason held the next request back; empty
            while the run is too young to say.
        limit_reason: Why the in-flight limit changed last; None: it has not.
        requests_per_s: Sent, over the last minute.
        answered_per_s: Over the last minute.
        tokens_per_s: Over the last minute.
        failed_share: Of the requests of the last minute, those without a usable answer.
        writing_share: Of the time in which slots were taken, that in which answers were written.
        written: Outcomes that this went into.
        instructions_tokens: Rough tokens of a request beside its row.
        row_tokens: Rough tokens of the row in the middle.
    """

    holds: Mapping[HoldReason, float] = field(default_factory=dict)
    limit: int = 0
    ceiling: int = 0
    pinned: bool = False
    limit_reason: LimitReason | None = None
    requests_per_s: float = 0.0
    answered_per_s: float = 0.0
    tokens_per_s: float = 0.0
    failed_share: float = 0.0
    writing_share: float = 0.0
    written: int = 0
    instructions_tokens: float = 0.0
    row_tokens: float = 0.0


def advise(facts: Facts) -> tuple[Advice, ...]:
    """All that applies, by how much of the time or the requests it concerns."""
    if not facts.holds:
        return ()
    found = [*_of_holds(facts), *_of_shares(facts)]
    found.sort(key=lambda one: -one.params["share"])
    return (*found, *_of_prompt(facts))


def _of_holds(facts: Facts) -> list[Advice]:
    shares: dict[AdviceCode, float] = {}
    for hold, share in facts.holds.items():
        if (code := _BY_HOLD.get(hold)) is not None:
            shares[code] = shares.get(code, 0.0) + share
    if not facts.answered_per_s:  # a service that answers nothing has no pace to speak of
        shares.pop(AdviceCode.LEARNED_PACE, None)
    found = [
        Advice(code, {"share": share, **_rates(facts, code)})
        for code, share in shares.items()
        if share >= _OFTEN
    ]
    in_flight = facts.holds.get(HoldReason.IN_FLIGHT, 0.0)
    if in_flight >= _OFTEN and (of_limit := _of_limit(facts)) is not None:
        found.append(Advice(of_limit, {"share": in_flight, "limit": facts.limit}))
    preparing = facts.holds.get(HoldReason.PREPARING, 0.0)
    if preparing >= _PREPARING:
        found.append(Advice(AdviceCode.PREPARING, {"share": preparing}))
    return found


def _rates(facts: Facts, code: AdviceCode) -> dict[str, float]:
    """A stated limit counts what is sent; a learned one is told by what the service answers."""
    learned = code is AdviceCode.LEARNED_PACE
    requests_per_s = facts.answered_per_s if learned else facts.requests_per_s
    return {"requests_per_s": requests_per_s, "tokens_per_s": facts.tokens_per_s}


def _of_limit(facts: Facts) -> AdviceCode | None:
    """As many at once as allowed: by whom?"""
    if facts.pinned:
        return AdviceCode.PINNED
    if facts.limit >= facts.ceiling:
        return AdviceCode.CEILING
    return AdviceCode.SERVICE_QUEUES if facts.limit_reason in _KNEE else None


def _of_shares(facts: Facts) -> list[Advice]:
    found = []
    if facts.failed_share >= _RETRIES:
        found.append(Advice(AdviceCode.RETRIES, {"share": facts.failed_share}))
    if facts.writing_share >= _WRITING and facts.written >= _LEAST_WRITTEN:
        found.append(Advice(AdviceCode.WRITING, {"share": facts.writing_share}))
    return found


def _of_prompt(facts: Facts) -> list[Advice]:
    instructions, row = facts.instructions_tokens, facts.row_tokens
    if instructions < _INSTRUCTIONS_TOKENS or instructions <= row:
        return []
    share = instructions / (instructions + row)
    return [Advice(AdviceCode.INSTRUCTIONS, {"share": share, "tokens": instructions})]


class HoldShares:
    """How the last minute divides by what held the next request back."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, HoldReason]] = deque()
        self._counts: Counter[HoldReason] = Counter()  # of the looks

    def see(self, now: float, hold: HoldReason) -> None:
        """What holds back now; may be called at any rate."""
        if self._looks and 0 <= now - self._looks[-1][0] < _LOOK_S:
            return
        self._looks.append((now, hold))
        self._counts[hold] += 1
        while now - self._looks[0][0] > _WINDOW_S or now < self._looks[0][0]:
            self._counts[self._looks.popleft()[1]] -= 1

    def shares(self) -> dict[HoldReason, float]:
        """Shares that add up to 1; empty while there is too little to tell."""
        if not self._looks or self._looks[-1][0] - self._looks[0][0] < _LEAST_S:
            return {}
        return {hold: count / len(self._looks) for hold, count in self._counts.items() if count}
