"""A million rows of 200 MB imported, beside polars and a bare SQLite insert of the same file.

Both run in processes of their own, one after the other in the same run, so that a slow or busy
machine shows in both. Peak memory is the whole process's, as the system counts it.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from batchdesk.tables import open_reader

ROWS = int(os.environ.get("BATCHDESK_BENCH_IMPORT_ROWS", "1000000"))
SEED = 20_261_129
TIME_RATIO_MAX, PEAK_MIB_MAX = 3.0, 300.0
_WORDS = [
    "the",
    "order",
    "arrived",
    "late",
    "but",
    "service",
    "was",
    "kind",
    "room",
    "clean",
    "price",
    "fair",
    "would",
    "buy",
    "again",
    "never",
    "这家",
    "酒店",
    "很好",
    "服务",
    "差",
    "naïve",
    "café",
    "😀",
    "screen",
    "flickers",
    "printer",
]

IMPORT = """
import asyncio, sys, time
from pathlib import Path
from batchdesk.session import Session

async def main():
    session = await Session.open(Path(sys.argv[2]), create=True)
    began = time.perf_counter()
    dataset = await session.import_table(Path(sys.argv[1]))
    print(dataset.row_count, time.perf_counter() - began)
    await session.close()

asyncio.run(main())
"""
BARE = """
import sqlite3, sys, time
import polars
began = time.perf_counter()
frame = polars.read_csv(sys.argv[1], infer_schema=False)
connection = sqlite3.connect(sys.argv[2])
names = ", ".join(f'"{name}"' for name in frame.columns)
connection.execute(f"CREATE TABLE row ({names})")
places = ", ".join("?" * len(frame.columns))
connection.executemany(f"INSERT INTO row VALUES ({places})", frame.iter_rows())
connection.commit()
print(len(frame), time.perf_counter() - began)
connection.close()
"""

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(sys.platform == "win32", reason="needs wait4"),
]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one way of importing took."""

    rows: int
    seconds: float
    peak_mib: float


def write_rows(path: Path, count: int) -> None:
    """A table of some 200 bytes a row: an id, a text, a label and a number."""
    rng = random.Random(SEED)
    texts = [" ".join(rng.choices(_WORDS, k=27)) for _ in range(2000)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "label", "score"])
        for number in range(count):
            text = f"{texts[number % 2000]}, row {number}"
            writer.writerow([f"R{number:07d}", text, "positive", f"{number % 100 / 100:.2f}"])


def measured(code: str, table: Path, target: Path) -> Figures:
    """Run a script with a table and a target; it prints rows and seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(table), str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "app")},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    said, wrong = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    assert process.returncode == 0, wrong
    rows, seconds = said.split()
    return Figures(int(rows), float(seconds), used.ru_maxrss / 1024)


@pytest.mark.timeout(900)
def test_that_a_million_rows_are_imported_in_three_times_the_bare_time(tmp_path):
    table = tmp_path / "rows.csv"
    write_rows(table, ROWS)
    began = time.perf_counter()
    assert sum(1 for _ in open_reader(table).rows()) == ROWS
    reading_s = time.perf_counter() - began
    bare = measured(BARE, table, tmp_path / "bare.db")
    ours = measured(IMPORT, table, tmp_path / "ours.batchdesk")
    print(
        f"\n{ROWS:,} rows, {table.stat().st_size / 1e6:.0f} MB\n"
        f"polars and executemany: {bare.seconds:.1f} s, peak {bare.peak_mib:.0f} MiB\n"
        f"Batchdesk:              {ours.seconds:.1f} s, peak {ours.peak_mib:.0f} MiB "
        f"(reading alone {reading_s:.1f} s)\n"
        f"Batchdesk ÷ bare: {ours.seconds / bare.seconds:.2f}"
    )
    assert bare.rows == ours.rows == ROWS
    assert ours.seconds <= TIME_RATIO_MAX * bare.seconds
    assert ours.peak_mib <= PEAK_MIB_MAX
