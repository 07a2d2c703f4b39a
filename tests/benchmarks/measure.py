"""What a run costs: the program in a process of its own, with its CPU time and its peak memory.

Also the baseline that every throughput figure stands beside: a bare aiohttp loop that sends the
same requests to the same server and keeps nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import pstats
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from tests.e2e.harness import SCHEMA, TAIL, command, environment


@dataclass(frozen=True, slots=True)
class Cost:
    """A finished process.

    Attributes:
        figures: The JSON object that the run printed.
        wall_s: From start to end of the process, start-up and import of the table included.
        cpu_s: User and system time of the process, all threads.
        peak_mib: Largest resident memory.
    """

    figures: dict[str, Any]
    wall_s: float
    cpu_s: float
    peak_mib: float


def measured(*words: object, before: Sequence[str] = ()) -> Cost:
    """Run the program (or ``before`` and the program's words) and say what it cost."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [*command(*words)[:1], *before, *command(*words)[1:]],
            env=environment(),
            stdout=out,
            stderr=said,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        assert process.returncode == 0, said.read().decode("utf-8", "replace")
        out.seek(0)
        return Cost(json.load(out), wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def bare_loop(
    base_url: str, rows: Sequence[tuple[str, str]], in_flight: int
) -> tuple[float, float]:
    """(seconds, CPU-seconds) of a bare loop that sends the rows and forgets the answers."""
    cpu = time.process_time()
    began = time.monotonic()
    asyncio.run(_send_all(f"{base_url}/chat/completions", list(rows), in_flight))
    return time.monotonic() - began, time.process_time() - cpu


async def _send_all(url: str, rows: list[tuple[str, str]], in_flight: int) -> None:
    rows.reverse()
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}

    async def worker(session: aiohttp.ClientSession) -> None:
        while rows:
            key, text = rows.pop()
            messages = [
                {"role": "system", "content": "Judge the review."},
                {"role": "user", "content": f"{text}{TAIL}\n\nrow_key: {key}"},
            ]
            body = {"model": "practice", "messages": messages, "response_format": form}
            async with session.post(url, json=body) as response:
                json.loads((await response.json())["choices"][0]["message"]["content"])

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as group:
        for _ in range(in_flight):
            group.create_task(worker(session))


def profile_of(words: Sequence[object], folder: Path) -> None:
    """Run the program under cProfile and print where its main thread's time goes."""
    target = folder / "profile"
    measured(*words, before=("-m", "cProfile", "-o", str(target)))
    pstats.Stats(str(target)).sort_stats("tottime").print_stats(25)
