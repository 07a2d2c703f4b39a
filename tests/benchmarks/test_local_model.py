"""The built-in local model on real reviews: is it right often enough, and does it know when not?"""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from tests.e2e.harness import batchdesk, read_table, write_table

from batchdesk.providers import local

JOB = Path(__file__).parent / "amazon_sentiment.toml"

pytestmark = pytest.mark.benchmark


def sample(table: Path) -> list[list[str]]:
    """100 positive and 100 negative rows, the same every time, in the order of the table."""
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rng = random.Random(2026)
    chosen: set[str] = set()
    for label in ("positive", "negative"):
        chosen |= set(rng.sample(sorted(row["id"] for row in rows if row["label"] == label), 100))
    return [[row["id"], row["text"], row["label"]] for row in rows if row["id"] in chosen]


@pytest.mark.timeout(900)
def test_that_the_local_model_judges_reviews_and_its_doubts_are_worth_a_look(tmp_path, shared_data):
    if (reason := local.probe()) is not None:
        pytest.skip(str(reason))
    rows = sample(shared_data / "amazon_review_snippets_utf8bom.csv")
    assert len(rows) == 200
    table = write_table(tmp_path / "reviews.csv", rows, ("id", "text", "label"))
    project = tmp_path / "p.batchdesk"
    words = ("run", JOB, "--data", table, "--project", project, "--json")
    done = batchdesk(*words, timeout_s=800)
    assert done.code == 0, done.err
    batchdesk("export", project, "--to", tmp_path / "out.csv")
    found = read_table(tmp_path / "out.csv")
    wrong = {
        state: [
            row["answer.sentiment"] != row["label"]
            for row in found
            if row["batchdesk.state"] == state
        ]
        for state in ("passed", "review")
    }
    review_rate = sum(wrong["review"]) / max(1, len(wrong["review"]))
    passed_rate = sum(wrong["passed"]) / max(1, len(wrong["passed"]))
    balanced = done.json["accuracy"]["balanced"]
    print(
        f"\n200 reviews in {done.json['wall_s']:.1f} s: balanced accuracy {balanced:.3f}; "
        f"{len(wrong['review'])} to review, wrong {review_rate:.1%}; "
        f"{len(wrong['passed'])} passed, wrong {passed_rate:.1%}; errors {done.json['error_kinds']}"
    )
    assert {row["answer.sentiment"] for row in found} == {"positive", "negative"}
    assert done.json["dead"] == 0
    assert done.json["error_kinds"] == {}  # every answer was valid at the first try
    assert balanced >= 0.75
    assert 10 <= len(wrong["review"]) <= 60
    assert review_rate > passed_rate
