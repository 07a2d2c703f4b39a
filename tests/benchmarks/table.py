"""What the engine must reach, row by row, in real time: figures beside bars.

``python -m tests.benchmarks.table`` takes about an hour; ``--quick`` runs shorter forms of all rows
in some minutes; ``--only NAME,…`` runs some of them. Ends with 1 if a bar was missed. The window's
rows are in ``test_window.py``, which needs a screen of its own; ``--window`` runs them too.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measure import bare_loop
from tests.benchmarks.pacing import Paced, change_limits, paced
from tests.e2e.harness import (
    CHECKOUT,
    PracticeServer,
    assert_nothing_lost,
    batchdesk,
    committed,
    expected_answer,
    job_text,
    kill,
    read_table,
    running,
    sample_rows,
    write_table,
)

PER_S = 50.0
RPM = PER_S * 60
LATENCY_S = 0.2
IN_FLIGHT = 50
SLOTS = 10


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure: what came out, beside its bar (``<=`` or ``>=``)."""

    name: str
    value: float
    sign: str
    bar: float

    @property
    def is_met(self) -> bool:
        """Whether the bar is met."""
        return self.value <= self.bar if self.sign == "<=" else self.value >= self.bar

    def __str__(self) -> str:
        met = "ok    " if self.is_met else "MISSED"
        return f"{met} {self.name:58} {self.value:9.3f}   bar {self.sign} {self.bar:g}"


@dataclass(frozen=True, slots=True)
class Form:
    """How long the measures are. Rates need time to be learned: a minute in the full form."""

    folder: Path
    is_quick: bool

    def rows(self, full: int, quick: int) -> int:
        """How many rows."""
        return quick if self.is_quick else full

    @property
    def repeats(self) -> int:
        """How often a measure with a median is taken."""
        return 1 if self.is_quick else 10

    def place(self, name: str) -> Path:
        """A folder for one measure."""
        return self.folder / name


Figures = Iterator[Figure]


def throughput(form: Form) -> Figures:
    """5,000 rows, 200 ms, 50 in flight; CPU per row."""
    rows = form.rows(5000, 2500)
    ideal_s = rows / IN_FLIGHT * LATENCY_S
    with PracticeServer("--latency", str(LATENCY_S)) as server:
        bare_s, bare_cpu_s = bare_loop(server.base_url, sample_rows(rows), IN_FLIGHT)
    few = paced(form.place("few"), 100, ("--latency", LATENCY_S), f"concurrency = {IN_FLIGHT}")
    many = paced(form.place("many"), rows, ("--latency", LATENCY_S), f"concurrency = {IN_FLIGHT}")
    cpu_ms = (many.cost.cpu_s - few.cost.cpu_s) / (rows - 100) * 1000
    print(
        f"       bare loop: ideal ÷ time {ideal_s / bare_s:.3f}, CPU {bare_cpu_s / rows * 1000:.2f} ms"
    )
    yield Figure("50 in flight: ideal ÷ time", ideal_s / many.wall_s, ">=", 0.95)
    yield Figure("CPU per row beyond start-up, ms", cpu_ms, "<=", 1.0)


def by_itself(form: Form) -> Figures:
    """2,000 rows: time ÷ time at a fixed 50, of a service that takes 50 at once."""
    server = ("--latency", LATENCY_S)
    fixed = paced(form.place("fixed"), 2000, server, f"concurrency = {IN_FLIGHT}")
    free = paced(form.place("free"), 2000, server, f"concurrency_max = {IN_FLIGHT}")
    yield Figure("2,000 rows: time ÷ time at a fixed 50", free.wall_s / fixed.wall_s, "<=", 1.05)


def _limited(form: Form, name: str, server: tuple[object, ...], limits: str, full: int) -> Paced:
    rows = form.rows(full, full // 3)
    words = ("--rpm", RPM, "--latency", LATENCY_S, *server)
    return paced(form.place(name), rows, words, limits)


def _three(name: str, run: Paced, burst: float, used: float, refused: float) -> Figures:
    yield Figure(f"{name}: used ÷ possible", run.used(PER_S, burst), ">=", used)
    yield Figure(f"{name}: refused", run.refused_share, "<=", refused)
    yield Figure(f"{name}: lost", float(run.lost), "<=", 0)


def told(form: Form) -> Figures:
    """The limit is told in the job."""
    run = _limited(form, "told", ("--burst", 50), f"rpm = {RPM:g}", 3000)
    yield from _three("limit told", run, 0, 0.98, 0.0)


def headers(form: Form) -> Figures:
    """The limit is in the headers only."""
    run = _limited(form, "headers", ("--burst", 50), "", 4500)
    yield from _three("limit in headers", run, 50, 0.97, 0.01)


def untold(form: Form) -> Figures:
    """Nothing tells the limit, and refused requests count against it."""
    server = ("--burst", 50, "--limit-headers", "none", "--count-refused")
    run = _limited(form, "untold", server, "", 6000)
    yield from _three("limit not told, no headers, refused count", run, 50, 0.93, 0.02)


def small_burst(form: Form) -> Figures:
    """A burst far below the per-minute figure, and a per-second quantum."""
    run = _limited(form, "burst", ("--burst", 5), "", 4500)
    yield from _three("burst 5, headers", run, 5, 0.95, 0.01)
    run = _limited(form, "burst-none", ("--burst", 5, "--limit-headers", "none"), "", 6000)
    yield from _three("burst 5, no headers", run, 5, 0.95, 0.01)
    run = _limited(form, "quantum", ("--limit-step", 1), "", 4500)
    yield from _three("per-second quantum, headers", run, PER_S, 0.95, 0.01)
    run = _limited(form, "quantum-none", ("--limit-step", 1, "--limit-headers", "none"), "", 6000)
    yield from _three("per-second quantum, no headers", run, PER_S, 0.95, 0.01)


def recovery(form: Form) -> Figures:
    """The rate halves for a minute and returns."""
    before_s, halved_s, after_s = (20, 20, 20) if form.is_quick else (30, 60, 30)
    took = []
    for number in range(form.repeats):
        began: list[float] = []

        def during(server: PracticeServer, at: float, began: list[float] = began) -> None:
            time.sleep(max(0.0, before_s - (time.monotonic() - at)))
            change_limits(server, rpm=RPM / 2)
            time.sleep(halved_s)
            change_limits(server, rpm=RPM)
            began.append(time.monotonic() - at)

        rows = int(PER_S * (before_s + halved_s / 2 + after_s))
        server = ("--rpm", RPM, "--burst", 50, "--limit-headers", "none", "--latency", LATENCY_S)
        run = paced(form.place(f"halved-{number}"), rows, server, "", during=during)
        took.append(run.seconds_to(0.95, PER_S, began[0]))
        print(
            f"       run {number}: {took[-1]:.1f} s, {run.refused_share:.2%} refused, {run.lost} lost"
        )
    yield Figure(
        "rate halves and returns: seconds to 95 %, median", statistics.median(took), "<=", 8
    )
    yield Figure("rate halves and returns: seconds to 95 %, worst", max(took), "<=", 12)


def queueing(form: Form) -> Figures:
    """A server with 10 slots that never refuses."""
    for name, sigma in (("fixed", 0.0), ("lognormal", 0.5)):
        server = ("--slots", SLOTS, "--latency", LATENCY_S, "--latency-sigma", sigma)
        rows = form.rows(2000, 1000)
        shares, slower = [], []
        for number in range(1 if form.is_quick else 5):
            place = form.place(f"queue-{name}-{number}")
            best = paced(place / "best", rows, server, f"concurrency = {SLOTS}")
            free = paced(place / "free", rows, server, "")
            shares.append(best.wall_s / free.wall_s)
            slower.append(free.latency_p95_s / best.latency_p95_s)
        yield Figure(f"10 slots, {name}: throughput ÷ best", statistics.median(shares), ">=", 0.95)
        yield Figure(f"10 slots, {name}: P95 ÷ P95 there", statistics.median(slower), "<=", 1.3)


def faults(form: Form) -> Figures:
    """2,000 rows with the common faults of a service."""
    server = ("--latency", LATENCY_S, "--faults", "500=0.02,reset=0.01,hang=0.005,malformed=0.01")
    limits = f"concurrency = {IN_FLIGHT}\ntimeout_read_s = 10"
    run = paced(form.place("faults"), 2000, server, limits)
    yield Figure("faults: rows right", float(_right(form.place("faults"))), ">=", 2000)
    yield Figure("faults: lost", float(run.lost), "<=", 0)
    # A reset and a hang are billed although no answer came: the service did the work.
    unseen = run.stats["by_fault"].get("reset", 0) + run.stats["by_fault"].get("hang", 0)
    again = run.stats["rows_billed_twice"] - run.stats["by_fault"].get("malformed", 0)
    print(f"       {unseen} answers got lost on their way, {again} rows were billed again")
    yield Figure("faults: billed again", float(again), "<=", 50)
    yield Figure("faults: seconds", run.wall_s, "<=", 26)


def bad_answers(form: Form) -> Figures:
    """1 % each of answers for a wrong row, doubled, cut, empty, or without a field."""
    kinds = ("wrong_row", "doubled", "cut", "empty", "missing_field")
    words = ",".join(f"{kind}=0.01" for kind in kinds)
    server = ("--latency", 0.05, "--faults", words)
    run = paced(form.place("bad"), 2000, server, f"concurrency = {IN_FLIGHT}")
    wrong = run.passed - _right(form.place("bad"))
    yield Figure("bad answers accepted", float(wrong), "<=", 0)
    yield Figure("bad answers: rows passed", run.passed / run.rows, ">=", 0.97)


def _right(folder: Path) -> int:
    """How many rows passed with the answer that a server without faults gives."""
    batchdesk("export", folder / "p.batchdesk", "--to", folder / "out.csv")
    return sum(
        row["batchdesk.state"] == "passed"
        and (row["answer.sentiment"], row["answer.quote"])
        == expected_answer(row["text"], row["id"])
        for row in read_table(folder / "out.csv")
    )


def killed(form: Form) -> Figures:
    """kill -9 near row 1,000 of 2,000 at 50 in flight, then resume."""
    folder = form.place("killed")
    folder.mkdir()
    table = write_table(folder / "rows.csv", sample_rows(2000), ("id", "text"))
    job, project = folder / "job.toml", folder / "p.batchdesk"
    with PracticeServer("--latency", str(LATENCY_S)) as server:
        limits = f"concurrency = {IN_FLIGHT}"
        job.write_text(job_text(server.base_url, data='key = "id"', limits=limits), "utf-8")
        with running("run", job, "--data", table, "--project", project) as process:
            server.wait_until("answered", 1000)
            kill(process)
        at_kill, before = server.stats(), committed(project)
        server.wait_until_quiet()
        assert batchdesk("resume", project, timeout_s=120).code == 0
        stats = server.stats()
    after = committed(project)
    assert_nothing_lost(before, after)
    awaiting = at_kill["rows"] - len(before.settled)
    under_way = at_kill["in_flight"] + awaiting
    print(f"       at the kill {at_kill['in_flight']} in flight, {awaiting} awaiting their commit")
    yield Figure("kill: rows doubled", float(len(after.results) - 2000), "<=", 0)
    twice = float(stats["rows_billed_twice"])
    yield Figure("kill: billed twice, of those under way", twice, "<=", min(50, under_way))


def memory(form: Form) -> Figures:
    """Peak memory of a million rows ÷ 10,000 rows."""
    rows = form.rows(1_000_000, 50_000)
    peaks = []
    for count in (10_000, rows):
        run = paced(form.place(f"memory-{count}"), count, ("--latency", 0), "concurrency = 50")
        peaks.append(run.cost.peak_mib)
    print(f"       {peaks[0]:.0f} MiB at 10,000 rows, {peaks[1]:.0f} MiB at {rows:,}")
    yield Figure(f"peak memory {rows:,} ÷ 10,000 rows", peaks[1] / peaks[0], "<=", 1.5)


MEASURES: dict[str, Callable[[Form], Figures]] = {
    measure.__name__: measure
    for measure in (
        throughput,
        by_itself,
        told,
        headers,
        untold,
        small_burst,
        recovery,
        queueing,
        faults,
        bad_answers,
        killed,
        memory,
    )
}


def main() -> int:
    """Run the table; returns 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter forms of all rows")
    parser.add_argument("--only", default=",".join(MEASURES), help="some of: %(default)s")
    parser.add_argument("--window", action="store_true", help="the window's rows too")
    chosen = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        form = Form(Path(folder), chosen.quick)
        for name in chosen.only.split(","):
            print(
                f"-- {name}: {MEASURES[name].__doc__} (load {os.getloadavg()[0]:.1f})", flush=True
            )
            for figure in MEASURES[name](form):
                print(figure, flush=True)
                missed += not figure.is_met
    if chosen.window:
        words = ["-m", "pytest", "-m", "benchmark", "-s", "tests/benchmarks/test_window.py"]
        missed += bool(
            subprocess.run([sys.executable, *words], cwd=CHECKOUT, check=False).returncode
        )
    print(f"{missed} missed" if missed else "every bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
