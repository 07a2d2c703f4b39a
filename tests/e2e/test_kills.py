"""Kills without a word of warning: nothing that was committed is lost, little is asked again.

The practice server lives on, so its counts tell what a kill cost: requests in flight (it answers
them although nobody listens), and answers received that were not yet committed.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.e2e.harness import (
    Committed,
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    committed,
    expected_answer,
    job_text,
    kill,
    query,
    read_table,
    running,
    sample_rows,
    write_table,
)

IN_FLIGHT = 50

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")


@dataclass(frozen=True, slots=True)
class KillCost:
    """What one kill met and what it cost."""

    committed: Committed
    in_flight: int
    awaiting_commit: int
    billed_twice: int


def run_with_kills(
    server: PracticeServer, words: tuple[object, ...], project: Path, answers: list[int]
) -> list[KillCost]:
    """Kill the run after so many answers, resume it, and so on; the last one may finish."""
    kills: list[tuple[Committed, dict[str, int]]] = []
    twice: list[int] = []  # once the requests of the killed client were answered too
    answered = 0
    for more in answers:
        with running(*(("resume", project) if kills else words)) as process:
            server.wait_until("answered", answered + more)
            assert process.poll() is None, "the run had ended before it could be killed"
            kill(process)
        at_kill = server.stats()
        kills.append((committed(project), at_kill))
        quiet = server.wait_until_quiet()
        answered = quiet["answered"]
        twice.append(quiet["rows_billed_twice"])
    done = batchdesk("resume", project, "--json")
    assert done.code == 0, done.err
    twice.append(server.stats()["rows_billed_twice"])
    return [
        KillCost(left, at_kill["in_flight"], at_kill["rows"] - len(left.settled), after - before)
        for (left, at_kill), (before, after) in zip(kills, pairwise(twice), strict=True)
    ]


def pauses_of(seed: int, *, kills: int, rows: int) -> list[int]:
    """After how many answers each client is killed; all together leave some rows to the last."""
    rng = random.Random(seed)
    return [rng.randint(1, rows // kills - IN_FLIGHT) for _ in range(kills)]


def test_that_kills_lose_no_answer_and_cost_no_more_than_what_was_under_way(tmp_path):
    rows = sample_rows(400)
    write_table(tmp_path / "reviews.csv", rows, ("id", "text"))
    project = tmp_path / "p.batchdesk"
    with PracticeServer("--latency", "0.25", "--latency-sigma", "0.3") as server:
        data = 'path = "reviews.csv"\nkey = "id"'
        (tmp_path / "job.toml").write_text(job_text(server.base_url, data=data), encoding="utf-8")
        words = ("run", tmp_path / "job.toml", "--project", project)
        costs = run_with_kills(server, words, project, pauses_of(7, kills=3, rows=400))
        stats = server.stats()
    after = committed(project)
    for cost in costs:
        assert cost.committed.tasks == 400
        assert_nothing_lost(cost.committed, after)
    assert len(costs[-1].committed.settled) > 0
    assert stats["rows"] == 400
    assert stats["rows_billed_twice"] <= IN_FLIGHT * len(costs)
    assert_sound(project)
    assert len(after.results) == 400  # one answer per row, none twice
    batchdesk("export", project, "--to", tmp_path / "out.csv")
    found = [
        (
            row["id"],
            row["text"],
            row["batchdesk.state"],
            row["answer.sentiment"],
            row["answer.quote"],
        )
        for row in read_table(tmp_path / "out.csv")
    ]
    assert found == [(key, text, "passed", *expected_answer(text, key)) for key, text in rows]


def test_that_a_kill_during_the_import_leaves_nothing_half_done(tmp_path, quick_server):
    write_table(tmp_path / "reviews.csv", sample_rows(60_000), ("id", "text"))
    project = tmp_path / "p.batchdesk"
    data = 'path = "reviews.csv"\nkey = "id"'
    job = tmp_path / "job.toml"
    job.write_text(job_text(quick_server.base_url, data=data), encoding="utf-8")
    with running("run", job, "--project", project, "--limit", 20) as process:
        until = time.monotonic() + 30
        while not imported_rows(project):
            assert time.monotonic() < until
            time.sleep(0.002)
        kill(process)
    assert query(project, "SELECT complete FROM dataset") == [(0,)]
    assert 0 < imported_rows(project) < 60_000
    done = batchdesk("run", job, "--project", project, "--limit", 20, "--json")
    assert done.code == 0
    assert done.json["passed"] == 20
    assert query(project, "SELECT complete, row_count FROM dataset") == [(1, 60_000)]
    assert imported_rows(project) == 60_000
    assert_sound(project)


def imported_rows(project: Path) -> int:
    """Rows in the file so far; 0 as long as there is no file."""
    if not project.exists():
        return 0
    return int(query(project, "SELECT count(*) FROM row")[0][0])


@pytest.mark.benchmark
@pytest.mark.timeout(600)
def test_that_fifteen_kills_over_three_thousand_rows_lose_nothing(tmp_path, shared_data):
    project = tmp_path / "p.batchdesk"
    table = shared_data / "chinese_reviews_gbk.csv"
    job = tmp_path / "job.toml"
    with PracticeServer("--latency", "0.2") as server:
        job.write_text(job_text(server.base_url, user="{{ 评论 }}"), encoding="utf-8")
        words = ("run", job, "--data", table, "--project", project, "--limit", 3000)
        costs = run_with_kills(server, words, project, pauses_of(2026, kills=15, rows=3000))
        stats = server.stats()
    after = committed(project)
    print("\nkill  committed  in flight  awaiting commit  billed twice")
    for number, cost in enumerate(costs, 1):
        print(
            f"{number:4}  {len(cost.committed.settled):9}  {cost.in_flight:9}"
            f"  {cost.awaiting_commit:15}  {cost.billed_twice:12}"
        )
        assert_nothing_lost(cost.committed, after)
        assert cost.in_flight + cost.awaiting_commit <= IN_FLIGHT
    assert stats["rows_billed_twice"] <= IN_FLIGHT * len(costs)
    assert len(after.results) == stats["rows"] == 3000
    print(f"all kills: {stats['rows_billed_twice']} billed twice, {stats['rows']} rows")
    assert_sound(project)
