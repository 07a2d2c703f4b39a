"""The story of 49 minutes: the loops that people write, and Batchdesk, on the same work.

``python -m tests.benchmarks.story``: 3,000 rows of 0.8 s, one in twenty ten times longer; a service
with 20 slots and a limit of 8 requests a second that it does not tell; time runs 20 times as fast.
The loops do what such loops do: a refused row is tried three times after 1, 2 and 4 seconds, then
it is left out. Each figure is printed in the story's own minutes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from tests.benchmarks.measure import measured
from tests.e2e.harness import (
    SCHEMA,
    TAIL,
    PracticeServer,
    assert_sound,
    job_text,
    query,
    sample_rows,
    write_table,
)

SCALE = 20
ROWS, LONG_EVERY, LONG_FACTOR = 3000, 20, 10
ANSWER_S, SLOTS, PER_S = 0.8 / SCALE, 20, 8 * SCALE
LONG_CHARACTERS = 1500
WAITS_S = tuple(wait_s / SCALE for wait_s in (1, 2, 4))
TOO_MANY = 429

SERVER = (
    *("--latency", str(ANSWER_S)),
    *("--slow-over", str(LONG_CHARACTERS), "--slow-factor", str(LONG_FACTOR)),
    *("--slots", str(SLOTS)),
    *("--rpm", str(PER_S * 60), "--burst", str(PER_S)),
    *("--limit-headers", "none"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """How one way of doing it went; ``seconds`` of real time."""

    name: str
    seconds: float
    answered: int
    refused: int

    def __str__(self) -> str:
        minutes = self.seconds * SCALE / 60
        return (
            f"{self.name:12} {minutes:6.1f} min   {self.answered:5} of {ROWS} rows   "
            f"{ROWS - self.answered:5} lost   {self.refused:6} refused"
        )


def the_rows(*, with_long: bool = True) -> list[tuple[str, str]]:
    """Reviews, each different; one in twenty is long."""
    rows = []
    for number, (key, text) in enumerate(sample_rows(ROWS)):
        is_long = number % LONG_EVERY == LONG_EVERY // 2
        if is_long and with_long:
            rows.append((key, (text + " ") * (2 * LONG_CHARACTERS // len(text) + 1)))
        elif not is_long:
            rows.append((key, text))
    return rows


def loop(base_url: str, workers: int) -> Told:
    """A loop with so many workers."""
    began = time.monotonic()
    answered, refused = asyncio.run(_work(f"{base_url}/chat/completions", the_rows(), workers))
    name = "serial loop" if workers == 1 else f"{workers} workers"
    return Told(name, time.monotonic() - began, answered, refused)


async def _work(url: str, rows: list[tuple[str, str]], workers: int) -> tuple[int, int]:
    rows.reverse()
    answered = refused = 0
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}

    async def worker(session: aiohttp.ClientSession) -> None:
        nonlocal answered, refused
        while rows:
            key, text = rows.pop()
            messages = [
                {"role": "system", "content": "Judge the review."},
                {"role": "user", "content": f"{text}{TAIL}\n\nrow_key: {key}"},
            ]
            body = {"model": "practice", "messages": messages, "response_format": form}
            for wait_s in (*WAITS_S, None):
                async with session.post(url, json=body) as response:
                    if response.status != TOO_MANY:
                        json.loads((await response.json())["choices"][0]["message"]["content"])
                        answered += 1
                        break
                refused += 1
                if wait_s is not None:
                    await asyncio.sleep(wait_s)

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(worker(session))
    return answered, refused


def batchdesk_on(base_url: str, folder: Path, rows: list[tuple[str, str]]) -> tuple[Told, float]:
    """(how it went, P95 of the short rows' answers in real seconds)."""
    folder.mkdir()
    table = write_table(folder / "rows.csv", rows, ("id", "text"))
    job, project = folder / "job.toml", folder / "p.batchdesk"
    limits = f"retry_wait_base_s = {1 / SCALE}\nretry_wait_max_s = {60 / SCALE}"
    job.write_text(job_text(base_url, data='key = "id"', limits=limits), "utf-8")
    done = measured("run", job, "--data", table, "--project", project, "--json")
    assert_sound(project)
    short = query(
        project,
        "SELECT attempt.service_s FROM attempt JOIN task ON task.id = attempt.task_id"
        " JOIN row ON row.id = task.row_id"
        " WHERE attempt.error_kind IS NULL AND length(row.cells) <= ?",
        LONG_CHARACTERS,
    )
    figures = done.figures
    refused = figures["error_kinds"].get("rate_limited", 0)
    told = Told("Batchdesk", figures["wall_s"], figures["passed"], refused)
    return told, statistics.quantiles([service_s for (service_s,) in short], n=20)[-1]


def main() -> int:
    """Tell the story; returns 1 if it does not end well."""
    for workers in (1, 10, SLOTS):
        with PracticeServer(*SERVER) as server:
            print(loop(server.base_url, workers), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with PracticeServer(*SERVER) as server:
            told, p95_s = batchdesk_on(server.base_url, Path(folder) / "all", the_rows())
        print(told, flush=True)
        with PracticeServer(*SERVER) as server:
            short = the_rows(with_long=False)
            _, alone_p95_s = batchdesk_on(server.base_url, Path(folder) / "short", short)
    print(
        f"the least that the limit allows: {ROWS / PER_S * SCALE / 60:.1f} min\n"
        f"P95 of short rows: {p95_s * SCALE:.2f} s, without long rows {alone_p95_s * SCALE:.2f} s: "
        f"{p95_s / alone_p95_s:.3f} times (bar 1.1)"
    )
    return 0 if told.answered == ROWS and p95_s <= 1.1 * alone_p95_s else 1


if __name__ == "__main__":
    sys.exit(main())
