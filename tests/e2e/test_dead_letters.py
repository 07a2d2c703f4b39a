"""Dead letters from end to end: a service that fails, then one that works, at the same address."""

from __future__ import annotations

import csv

from tests.e2e.harness import PracticeServer, batchdesk, job_text, query, sample_rows, write_table

ROWS = 12


def test_that_rows_given_up_are_shown_put_back_and_answered_once_the_service_works(tmp_path):
    write_table(tmp_path / "reviews.csv", sample_rows(ROWS), ("id", "text"))
    job, project = tmp_path / "job.toml", tmp_path / "p.batchdesk"
    with PracticeServer("--latency", "0.005", "--faults", "500=1") as broken:
        text = job_text(
            broken.base_url, data='path = "reviews.csv"\nkey = "id"', limits="attempts_max = 1"
        )
        job.write_text(text, encoding="utf-8")
        done = batchdesk("run", job, "--project", project, "--concurrency", "2", "--json")
        assert (done.code, done.json["dead"]) == (4, ROWS), done.err
        port = broken.port
    shown = batchdesk("dead", project, "--json").json
    assert shown["dead"] == ROWS
    assert [(kind, told["count"]) for kind, told in shown["kinds"].items()] == [
        ("server_error", ROWS)
    ]
    table = tmp_path / "dead.csv"
    assert batchdesk("dead", project, "--to", table).code == 0
    with table.open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["id"] for row in written] == [letter["row"] for letter in shown["letters"]]
    assert all("error" in row["batchdesk.response"] for row in written)

    first = [letter["task"] for letter in shown["letters"][:3]]
    assert batchdesk("rerun", project, "--task", *first).code == 0
    with PracticeServer("--latency", "0.005", port=port):
        resumed = batchdesk("resume", project, "--json")
        assert (resumed.code, resumed.json["dead"], resumed.json["passed"]) == (4, ROWS - 3, 3)
        assert batchdesk("rerun", project, "--kind", "server_error").code == 0
        resumed = batchdesk("resume", project, "--concurrency", "auto", "--json")
        assert (resumed.code, resumed.json["passed"]) == (0, ROWS), resumed.err
    keys = query(
        project, "SELECT count(DISTINCT idempotency_key), max(number) FROM attempt GROUP BY task_id"
    )
    assert [tuple(row) for row in keys] == [(2, 2)] * ROWS
    status = batchdesk("status", project, "--json").json
    assert status["runs"][0]["state"] == "finished"
    assert isinstance(status["runs"][0]["limit_changes"], list)
