"""What the practice server counts: requests, answers, refusals, and what was billed twice.

The server tells it of every request; ``GET /practice/stats`` shows it. Keys and rows are kept as
64-bit digests, so a million rows cost some 400 MB and no text.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

_SERIES_MAX = 86_400  # a day of seconds


def digest(text: str | bytes) -> int:
    """64 bits that stand for a key or a row."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big")


@dataclass(slots=True)
class PracticeStats:
    """Counts since the start or the last reset.

    Attributes:
        received: Chat requests, whatever became of them.
        answered: Those that got a whole answer with status 200, spoiled ones included, also when
            the client had gone by then.
        attempts: Admitted requests per idempotency key.
        answers: Answers per idempotency key.
        bills: Answers, resets and hangs per idempotency key: a service that did the work charges
            for it, whether or not the client saw it.
        row_bills: The same per row (its row key, else its text).
        working: Requests let in and not done with, those that queue for a slot among them.
        refused: Requests that got no answer, by reason: not let in (``requests``, ``quota``,
            ``outage`` …), or let in and met by a fault (``429``, ``500``, ``503``).
        first_at, last_at: Epoch seconds of the first and the last chat request.
        accepted_per_s: Requests let in, per second since the first; of a day at most.
        refused_per_s: Those of ``refused``, likewise.
    """

    received: int = 0
    answered: int = 0
    in_flight: int = 0
    in_flight_max: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    by_status: Counter[int] = field(default_factory=Counter)
    by_fault: Counter[str] = field(default_factory=Counter)
    attempts: Counter[int] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    bills: Counter[int] = field(default_factory=Counter)
    row_bills: Counter[int] = field(default_factory=Counter)
    working: int = 0
    working_max: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_at: float | None = None
    last_at: float | None = None
    accepted_per_s: list[int] = field(default_factory=list)
    refused_per_s: list[int] = field(default_factory=list)
    clock: Callable[[], float] = time.time

    def enter(self) -> None:
        """A chat request arrived."""
        self.last_at = self.clock()
        if self.first_at is None:
            self.first_at = self.last_at
        self.received += 1
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight_max, self.in_flight)

    def leave(self) -> None:
        """A chat request is done with."""
        self.in_flight -= 1

    def refuse(self, reason: str) -> None:
        """A request was not let in."""
        self.refused[reason] += 1
        self._count(self.refused_per_s)

    def begin(self) -> None:
        """Work on a request begins."""
        self.working += 1
        self.working_max = max(self.working_max, self.working)

    def end(self) -> None:
        """Work on a request is over."""
        self.working -= 1

    def attempt(self, key: int) -> int:
        """Count an admitted request; returns which attempt of its key it is, from 1."""
        self._count(self.accepted_per_s)
        self.attempts[key] += 1
        return self.attempts[key]

    def billed(self, key: int, row: int) -> None:
        """The work for a request was done."""
        self.bills[key] += 1
        self.row_bills[row] += 1

    def answer(self, key: int, prompt_tokens: int, completion_tokens: int) -> None:
        """An answer with status 200 is on its way."""
        self.answered += 1
        self.answers[key] += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens

    def cleared(self) -> PracticeStats:
        """Fresh counts; what is in flight stays in flight."""
        return PracticeStats(
            in_flight=self.in_flight,
            in_flight_max=self.in_flight,
            working=self.working,
            working_max=self.working,
            clock=self.clock,
        )

    def _count(self, series: list[int]) -> None:
        """One more in this second."""
        now = self.clock()
        second = int(now - (self.first_at if self.first_at is not None else now))
        if not 0 <= second < _SERIES_MAX:
            return
        if second >= len(series):
            series.extend([0] * (second + 1 - len(series)))
        series[second] += 1

    def as_json(self) -> dict[str, Any]:
        """The counts for ``GET /practice/stats``."""
        return {
            "received": self.received,
            "answered": self.answered,
            "accepted": self.attempts.total(),
            "refused": dict(sorted(self.refused.items())),
            "first_at": self.first_at,
            "last_at": self.last_at,
            "accepted_per_s": self.accepted_per_s,
            "refused_per_s": self.refused_per_s,
            "by_status": {str(status): n for status, n in sorted(self.by_status.items())},
            "by_fault": dict(sorted(self.by_fault.items())),
            "keys": len(self.attempts),
            "answered_per_key": _histogram(self.answers),
            "keys_answered_again": sum(1 for n in self.answers.values() if n > 1),
            "answered_again": _beyond_first(self.answers),
            "billed": self.bills.total(),
            "billed_twice": _beyond_first(self.bills),
            "rows": len(self.row_bills),
            "rows_billed_twice": _beyond_first(self.row_bills),
            "in_flight": self.in_flight,
            "in_flight_max": self.in_flight_max,
            "working": self.working,
            "working_max": self.working_max,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }


def _histogram(counts: Counter[int]) -> dict[str, int]:
    """How many keys were counted once, twice and so on."""
    return {str(times): n for times, n in sorted(Counter(counts.values()).items())}


def _beyond_first(counts: Counter[int]) -> int:
    return sum(n - 1 for n in counts.values() if n > 1)
