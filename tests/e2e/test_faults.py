"""A service with faults: every row comes through, with its own answer, and no wrong one passes."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.harness import (
    Done,
    PracticeServer,
    assert_sound,
    batchdesk,
    expected_answer,
    job_text,
    lines_of,
    sample_rows,
)

HEADER = ("评论", "标签")


def run_with_faults(
    folder: Path, table: Path, faults: str, *, limits: str, timeout_s: float
) -> tuple[Done, list[dict[str, Any]], dict[str, int]]:
    """Run a table of Chinese reviews; returns how it ended, the export and the faults met."""
    project = folder / "p.batchdesk"
    with PracticeServer("--latency", "0.1", "--faults", faults) as server:
        text = job_text(
            server.base_url,
            user="{{ 评论 }}" + " " + "=" * 40,
            data='label = "标签"',
            limits=f"concurrency_max = 50\n{limits}",
        )
        text = text.replace('"positive", "negative"', '"pos", "neg"')
        (folder / "job.toml").write_text(text, encoding="utf-8")
        words = ("run", folder / "job.toml", "--data", table, "--project", project, "--json")
        done = batchdesk(*words, timeout_s=timeout_s)
        met = server.stats()["by_fault"]
    batchdesk("export", project, "--to", folder / "out.jsonl")
    assert_sound(project)
    return done, list(lines_of(folder / "out.jsonl")), met


def wrong_among(found: list[dict[str, Any]], state: str) -> list[tuple[int, str, str]]:
    """Rows in a state whose answer is not that of the fault-free server: (number, answer, right)."""
    short = {"positive": "pos", "negative": "neg", "neutral": "neutral"}
    wrong = []
    for number, row in enumerate(found, 1):
        sentiment, quote = expected_answer(row["评论"], str(number))
        answer = (row["answer.sentiment"], row["answer.quote"])
        if row["batchdesk.state"] == state and answer != (short[sentiment], quote):
            wrong.append((number, str(answer), str((short[sentiment], quote))))
    return wrong


def test_that_faults_lose_no_row_and_let_no_wrong_answer_pass(tmp_path):
    rows = [
        (text, "pos" if number % 2 else "neg") for number, (_, text) in enumerate(sample_rows(300))
    ]
    table = tmp_path / "reviews.csv"
    with table.open("w", encoding="gb18030", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows])
    done, found, met = run_with_faults(
        tmp_path,
        table,
        "500=0.04,reset=0.03,hang=0.01,malformed=0.03,wrong_row=0.03",
        limits="timeout_read_s = 1\nretry_wait_base_s = 0.2",
        timeout_s=60,
    )
    assert done.code == 0, done.err
    assert "300 rows, 2 columns (csv, gb18030)" in done.err
    assert [(row["评论"], row["标签"]) for row in found] == rows
    assert done.json["passed"] + done.json["review"] == 300
    assert done.json["passed"] >= 291
    assert wrong_among(found, "passed") == []
    # With these rates a fault kind that is never met in 300 rows is one run in 8,000.
    assert {"500", "reset", "malformed", "wrong_row"} <= set(met)
    kinds = done.json["error_kinds"]
    assert kinds["server_error"] == met["500"]
    assert kinds["connection_reset"] == met["reset"]
    assert kinds.get("read_timeout", 0) == met.get("hang", 0)
    assert kinds["malformed_output"] == met["malformed"]
    assert kinds["misaligned"] == met["wrong_row"]


@pytest.mark.benchmark
@pytest.mark.timeout(900)
def test_that_faults_over_twelve_thousand_real_rows_lose_none(tmp_path, shared_data):
    table = shared_data / "chinese_reviews_gbk.csv"
    done, found, met = run_with_faults(
        tmp_path,
        table,
        "500=0.02,reset=0.01,hang=0.005,malformed=0.01,wrong_row=0.01",
        limits="timeout_read_s = 10",
        timeout_s=800,
    )
    figures = done.json
    with table.open(encoding="gb18030", newline="") as file:
        originals = list(csv.DictReader(file))
    passed_wrong, review_wrong = wrong_among(found, "passed"), wrong_among(found, "review")
    print(
        f"\n{len(found)} rows: {figures['passed']} passed ({len(passed_wrong)} of them wrong), "
        f"{figures['review']} for review ({len(review_wrong)} wrong), {figures['dead']} dead; "
        f"{figures['requests']} requests in {figures['wall_s']:.1f} s\nfaults met: {met}\n"
        f"attempts without a usable answer: {figures['error_kinds']}\n"
        f"attempts per row: {dict(Counter(row['batchdesk.attempts'] for row in found))}"
    )
    assert done.code in (0, 4)
    assert [(row["评论"], row["标签"]) for row in found] == [
        (row["评论"], row["标签"]) for row in originals
    ]
    assert len(found) == 11_997
    assert figures["passed"] + figures["review"] + figures["dead"] == 11_997
    assert passed_wrong == []
    assert figures["passed"] >= 0.97 * 11_997
