"""A whole job in the real window: from a file to an exported table, closed and opened between.

The stories click and type in processes of their own; here stands what must have come of it. What
the window showed is compared with the exported file and with the project file.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.harness import committed, query, read_table
from tests.e2e_gui.screen import on_screen, played

ROWS, SENT = 3708, 1220
STATES = {"passed", "review", "accepted"}  # in which an answer stands


@pytest.mark.timeout(200)
def test_that_a_whole_job_is_done_in_the_window_by_clicks_and_keys(tmp_path, screen, shared_data):
    env = on_screen(screen, tmp_path / "home")
    told = tmp_path / "told.json"
    table = shared_data / "amazon_review_snippets_utf8bom.csv"
    played("whole_job", env, table, told)
    seen = json.loads(told.read_text("utf-8"))
    assert seen["panels"] == [True, True, True, True]
    assert {"Service error", "Connection broken"} <= set(seen["failed_kinds"])
    assert seen["in_flight_drawn"] == 40.0
    assert 300 <= seen["paused_at"] < 1000
    assert seen["asked"] == [
        "1 run is under way.",
        ["Pause and quit", "Keep running, minimised", "Stay"],
    ]
    assert seen["job"]["provider"]["practice"]["faults"] == {
        "500": 0.03,
        "reset": 0.02,
        "malformed": 0.02,
        "wrong_row": 0.02,
        "cut": 0.01,
        "missing_field": 0.01,
    }
    project = Path(seen["project"])
    assert project == tmp_path / "home/Batchdesk/amazon_review_snippets_utf8bom.batchdesk"
    assert query(project, "SELECT state FROM run") == [("paused",)]
    assert query(project, "SELECT count(*) FROM task WHERE state = 'running'") == [(0,)]
    first = committed(project)

    out = tmp_path / "out.csv"
    played("to_the_end", env, project, out, told)
    seen = json.loads(told.read_text("utf-8"))
    assert seen["done_at_start"] == len(first.settled)  # rows that were not sent are not done
    assert seen["done_tile"] == "Done: 1,220; of 1,220 · 100 %"
    assert_that_the_screen_shows_what_was_exported(seen, read_table(out))
    assert_decisions_stand(seen, project)
    after = committed(project)
    assert {id_: after.results.get(id_) for id_ in first.results} == first.results
    twice = "SELECT row_id FROM task GROUP BY run_id, row_id HAVING count(*) > 1"
    assert query(project, twice) == []
    assert query(project, "SELECT state FROM run") == [("finished",)]
    assert query(project, "PRAGMA integrity_check") == [("ok",)]


def cell(text):
    """A cell of the file without the apostrophe that keeps spreadsheets from reckoning."""
    return text[1:] if text[:1] == "'" and text[1:2] in set("=+-@") else text


def assert_that_the_screen_shows_what_was_exported(seen, exported):
    """Row by row, and the tiles against counts in the file."""
    shown = [dict(zip(seen["columns"], row, strict=True)) for row in seen["rows"]]
    assert seen["export_says"] == "3,708 rows are in out.csv"
    assert len(shown) == len(exported) == ROWS
    for on_screen_, in_file in zip(shown, exported, strict=True):
        assert on_screen_["Row"] == in_file["id"]
        assert on_screen_["text"] == (cell(in_file["text"])[:400] or "–")
        assert on_screen_["Label"] == in_file["label"]
        assert on_screen_["sentiment"] == (in_file["answer.sentiment"] or "–")
        assert on_screen_["Tries"] == in_file["batchdesk.attempts"]
        assert on_screen_["Decision"] == in_file["batchdesk.decision"]
    counts = dict.fromkeys(("passed", "accepted", "review", "rejected", "dead", "skipped"), 0)
    for row in exported:
        counts[row["batchdesk.state"]] += 1
    assert sum(counts.values()) == ROWS
    assert counts["skipped"] == ROWS - SENT
    stand = [row for row in exported if row["batchdesk.state"] in STATES]
    usable = sum(bool(row["answer.sentiment"]) for row in stand)
    right = sum(row["answer.sentiment"] == row["label"] for row in stand)
    figures = {name: words.split(": ", 1)[1].split(";")[0] for name, words in seen["tiles"].items()}
    assert figures["answered"] == f"{len(stand):,}"
    assert figures["accepted"] == f"{counts['passed'] + counts['accepted']:,}"
    assert figures["review"] == f"{counts['review']:,}"
    assert figures["failed"] == f"{counts['rejected'] + counts['dead']:,}"
    assert figures["accuracy"] == f"{100 * right / usable:.1f} %"


def assert_decisions_stand(seen, project):
    """Twenty decisions and one that was taken back, in the project file."""
    assert len(seen["decided"]) == len({key for key, _ in seen["decided"]}) == 20
    states = dict(
        query(project, "SELECT row.key, task.state FROM task JOIN row ON row.id = task.row_id")
    )
    assert {key: states[key] for key, _ in seen["decided"]} == dict(seen["decided"])
    assert sum(state in {"accepted", "rejected"} for state in states.values()) == 20
    ((taken_back,),) = query(project, "SELECT count(*) FROM review WHERE undone_at IS NOT NULL")
    assert taken_back == 1
