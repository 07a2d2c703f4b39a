"""Real runs against the practice server under a limit, and what their project files tell of them.

The program and the server are processes of their own. Every figure comes from the attempts in the
project file: when each request was sent, when it ended and how.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
import urllib.request
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Cost, measured
from tests.e2e.harness import (
    PracticeServer,
    assert_sound,
    job_text,
    query,
    sample_rows,
    write_table,
)

_TICK_S = 0.1
_SPANS_S = (1.0, 5.0)


@dataclass(frozen=True, slots=True)
class Paced:
    """A finished run.

    Attributes:
        sent: When each request went out, seconds since the first, ascending.
        answered: When each good answer was there, ascending.
        refused: How many requests were refused with 429.
        rows: Rows of the table.
        passed: Rows that passed.
        latency_p95_s: Of the good answers.
        wall_s: How long the run was active.
        stats: What the practice server counted.
    """

    sent: list[float]
    answered: list[float]
    refused: int
    rows: int
    passed: int
    latency_p95_s: float
    wall_s: float
    stats: dict[str, Any]
    cost: Cost

    @property
    def refused_share(self) -> float:
        """Of all requests."""
        return self.refused / len(self.sent)

    @property
    def lost(self) -> int:
        """Rows that did not pass."""
        return self.rows - self.passed

    def used(self, per_s: float, burst: float = 0.0) -> float:
        """Good answers ÷ the most that a limit of ``per_s`` lets through in the time from the first
        request to the last one."""
        return len(self.answered) / (per_s * (self.sent[-1] - self.sent[0]) + burst)

    def answered_between(self, begin_s: float, end_s: float) -> int:
        """Good answers in a span."""
        return bisect_right(self.answered, end_s) - bisect_left(self.answered, begin_s)

    def seconds_to(self, share: float, per_s: float, after_s: float) -> float:
        """Seconds after ``after_s`` until this share of what is possible is reached and kept.

        As the simulation has it: from then on in the next second, and in the next five.
        """
        at = after_s
        while any(
            self.answered_between(at, at + span_s) < share * per_s * span_s for span_s in _SPANS_S
        ):
            at += _TICK_S
            if at > self.answered[-1]:
                return float("inf")
        return at - after_s


def paced(
    folder: Path,
    rows: int,
    server_words: tuple[object, ...],
    limits: str,
    *,
    during: Callable[[PracticeServer, float], None] | None = None,
    stage: str = "",
) -> Paced:
    """Run so many rows under a limit.

    Args:
        during: Called on a thread of its own with the server and the time when the run began.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder / "rows.csv", sample_rows(rows), ("id", "text"))
    project = folder / "p.batchdesk"
    job = folder / "job.toml"
    with PracticeServer(*map(str, server_words)) as server:
        text = job_text(server.base_url, data='key = "id"', limits=limits, stage=stage)
        job.write_text(text, encoding="utf-8")
        if during is not None:
            threading.Thread(target=_once_under_way, args=(server, during), daemon=True).start()
        cost = measured("run", job, "--data", table, "--project", project, "--json")
        stats = server.stats()
    assert_sound(project)
    return _read(project, rows, stats, cost)


def _once_under_way(server: PracticeServer, then: Callable[[PracticeServer, float], None]) -> None:
    server.wait_until("received", 1)
    then(server, time.monotonic())


def _read(project: Path, rows: int, stats: dict[str, Any], cost: Cost) -> Paced:
    found = query(
        project, "SELECT started_at, service_s, error_kind FROM attempt ORDER BY started_at"
    )
    begin = found[0][0]
    good = [(at - begin + service_s, service_s) for at, service_s, kind in found if kind is None]
    latency = [service_s for _, service_s in good]
    return Paced(
        sent=[at - begin for at, _, _ in found],
        answered=sorted(at for at, _ in good),
        refused=sum(kind == "rate_limited" for _, _, kind in found),
        rows=rows,
        passed=cost.figures["passed"],
        latency_p95_s=statistics.quantiles(latency, n=20)[-1],
        wall_s=cost.figures["wall_s"],
        stats=stats,
        cost=cost,
    )


def change_limits(server: PracticeServer, **values: float) -> None:
    """Give the practice server new limits."""
    request = urllib.request.Request(
        f"{server.base_url.removesuffix('/v1')}/practice/limits",
        data=json.dumps(values).encode(),
        headers={"content-type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).close()
