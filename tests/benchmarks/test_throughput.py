"""How close to the ideal a run comes, what a row costs in CPU, and whether memory grows.

Figures are ratios against the ideal and against a bare loop in the same run: a slow or busy
machine shows in both.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.benchmarks.measure import bare_loop, measured, profile_of
from tests.e2e.harness import PracticeServer, job_text, sample_rows, write_table

ROWS, FEW, IN_FLIGHT, LATENCY_S = 5000, 100, 50, 0.2
MANY_ROWS = int(os.environ.get("BATCHDESK_BENCH_ROWS", "1000000"))

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(sys.platform == "win32", reason="needs wait4"),
]


def words_for(folder: Path, server: PracticeServer, count: int, suffix: str = "") -> list[object]:
    """The command line that runs so many rows into a fresh project."""
    table = write_table(folder / f"{count}.csv", sample_rows(count), ("id", "text"))
    job = folder / f"{count}.toml"
    text = job_text(server.base_url, data='key = "id"', limits=f"concurrency = {IN_FLIGHT}")
    job.write_text(text, encoding="utf-8")
    project = folder / f"{count}{suffix}.batchdesk"
    return ["run", job, "--data", table, "--project", project, "--json"]


@pytest.mark.timeout(300)
def test_that_a_run_comes_near_the_ideal_and_a_row_costs_little(tmp_path):
    ideal_s = ROWS / IN_FLIGHT * LATENCY_S
    with PracticeServer("--latency", str(LATENCY_S)) as server:
        bare_s, bare_cpu_s = bare_loop(server.base_url, sample_rows(ROWS), IN_FLIGHT)
        few = measured(*words_for(tmp_path, server, FEW))
        many = measured(*words_for(tmp_path, server, ROWS))
        run_s = many.figures["wall_s"]
        cpu_ms = (many.cpu_s - few.cpu_s) / (ROWS - FEW) * 1000
        print(
            f"\n{ROWS} rows, {LATENCY_S * 1000:.0f} ms answers, {IN_FLIGHT} in flight: "
            f"ideal {ideal_s:.2f} s\n"
            f"bare loop:  ideal ÷ time {ideal_s / bare_s:.3f}, CPU {bare_cpu_s / ROWS * 1000:.2f} ms a row\n"
            f"Batchdesk:  ideal ÷ time {ideal_s / run_s:.3f} (run), "
            f"{ideal_s / many.wall_s:.3f} (whole process), CPU {cpu_ms:.2f} ms a row\n"
            f"Batchdesk ÷ bare loop: time {run_s / bare_s:.3f}, CPU {cpu_ms * ROWS / bare_cpu_s / 1000:.2f}\n"
            f"start-up, import and the first {FEW} rows: {few.cpu_s:.2f} s of CPU"
        )
        assert many.figures["passed"] == ROWS
        if ideal_s / run_s < 0.95 or cpu_ms > 1.0:
            profile_of(words_for(tmp_path, server, ROWS, "-profiled"), tmp_path)
    assert ideal_s / run_s >= 0.95
    assert cpu_ms <= 1.0


@pytest.mark.timeout(7200)
def test_that_memory_does_not_grow_with_the_table(tmp_path):
    with PracticeServer("--latency", "0") as server:
        small = measured(*words_for(tmp_path, server, 10_000))
        large = measured(*words_for(tmp_path, server, MANY_ROWS))
    ratio = large.peak_mib / small.peak_mib
    print(
        f"\npeak memory: {small.peak_mib:.0f} MiB at 10,000 rows, {large.peak_mib:.0f} MiB at "
        f"{MANY_ROWS:,} rows: {ratio:.2f} times; {MANY_ROWS / large.figures['wall_s']:.0f} rows/s"
    )
    assert large.figures["passed"] == MANY_ROWS
    assert ratio <= 1.5
