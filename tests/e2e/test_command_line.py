"""The command line from end to end: run, status, export, resume, Ctrl+C, exit codes, ``--json``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from tests.e2e.harness import (
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    committed,
    end_of,
    expected_answer,
    interrupt,
    job_text,
    lines_of,
    query,
    read_table,
    running,
    sample_rows,
    sentences,
    write_table,
)

PROMISED_KEYS = {
    *("run", "project", "job", "kind", "state", "cause", "message", "tasks", "passed", "review"),
    *("accepted", "rejected", "dead", "skipped", "pending", "waiting", "running", "requests"),
    *("attempts", "succeeded", "reused", "input_tokens", "output_tokens", "wall_s"),
    *("accepted_per_min", "error_kinds", "dead_kinds", "accuracy"),
}
KEYS_OF_LIMITS = {
    *("hold", "in_flight", "limit", "ceiling", "pinned", "pace_per_s", "degraded", "growing"),
    *("permitted_requests_per_s", "permitted_tokens_per_s", "lanes", "latency"),
    "limit_changes",
}
COLUMNS = [
    *("id", "text", "answer.sentiment", "answer.quote", "batchdesk.row"),
    *("batchdesk.state", "batchdesk.reason"),
    *("batchdesk.decision", "batchdesk.attempts", "batchdesk.input_tokens"),
    *("batchdesk.output_tokens", "batchdesk.cost"),
]


@pytest.fixture
def job(tmp_path: Path, quick_server: PracticeServer) -> Path:
    """A job over 20 rows with ids, without faults."""
    write_table(tmp_path / "reviews.csv", sample_rows(20), ("id", "text"))
    path = tmp_path / "job.toml"
    text = job_text(quick_server.base_url, data='path = "reviews.csv"\nkey = "id"')
    path.write_text(text, encoding="utf-8")
    return path


def slow_job(folder: Path, server: PracticeServer, count: int, in_flight: int) -> Path:
    write_table(folder / "reviews.csv", sample_rows(count), ("id", "text"))
    path = folder / "job.toml"
    text = job_text(
        server.base_url,
        data='path = "reviews.csv"\nkey = "id"',
        limits=f"concurrency = {in_flight}",
    )
    path.write_text(text, encoding="utf-8")
    return path


def test_that_a_job_runs_and_leaves_its_project_beside_the_person(tmp_path, job):
    done = batchdesk("run", job, cwd=tmp_path)
    assert done.code == 0
    assert "reviews.csv: 20 rows, 2 columns (csv, utf-8)" in done.err
    assert "reviews: run 1, finished" in done.out
    assert "  passed      20\n" in done.out
    assert f'Export with:  batchdesk export "{tmp_path / "job.batchdesk"}"' in done.out
    assert_sound(tmp_path / "job.batchdesk")


def test_that_json_holds_the_promised_keys_and_nothing_else_is_printed(tmp_path, job):
    project = tmp_path / "p.batchdesk"
    found = batchdesk("run", job, "--project", project, "--json").json
    assert set(found) == PROMISED_KEYS
    figures = {key: found[key] for key in ("run", "state", "tasks", "passed", "requests", "reused")}
    assert figures == {
        "run": 1,
        "state": "finished",
        "tasks": 20,
        "passed": 20,
        "requests": 20,
        "reused": 0,
    }
    assert found["project"] == str(project)
    assert found["cause"] is None
    assert found["error_kinds"] == {}
    assert found["accuracy"] is None
    status = batchdesk("status", project, "--json").json
    [run] = status.pop("runs")
    assert status == {"project": str(project)}
    assert {key: run.pop(key) for key in PROMISED_KEYS} == found
    assert set(run) == KEYS_OF_LIMITS
    assert run["pinned"] is False
    empty = {"buffered": 0, "waiting": 0, "in_flight": 0, "oldest_wait_s": 0.0}
    assert run["lanes"]["fast"] == empty
    whys = {(change["what"], change["reason"]) for change in run["limit_changes"]}
    assert ("in_flight", "slow_start") in whys


def test_that_a_limit_sends_the_first_rows_only(tmp_path, job, quick_server):
    before = quick_server.stats()["received"]
    found = batchdesk("run", job, "--project", tmp_path / "p.batchdesk", "--limit", 7, "--json")
    assert found.code == 0
    assert found.json["tasks"] == 7
    assert quick_server.stats()["received"] - before == 7
    numbers = query(
        tmp_path / "p.batchdesk",
        "SELECT number FROM task JOIN row ON row.id = row_id ORDER BY number",
    )
    assert numbers == [(1,), (2,), (3,), (4,), (5,), (6,), (7,)]


def test_that_a_second_run_takes_the_answers_of_the_first_and_says_so(tmp_path, job, quick_server):
    project = tmp_path / "p.batchdesk"
    first = batchdesk("run", job, "--project", project, "--limit", 12, "--json").json
    before = quick_server.stats()["received"]
    second = batchdesk("run", job, "--project", project)
    assert first["requests"] == 12
    assert second.code == 0
    assert "  reused      12 earlier answers, not asked again" in second.out
    assert quick_server.stats()["received"] - before == 8
    assert query(project, "SELECT count(*) FROM dataset") == [(1,)]
    assert query(project, "SELECT run_id, count(*) FROM task GROUP BY 1") == [(1, 12), (2, 20)]


def test_that_without_a_temperature_of_zero_nothing_is_reused(tmp_path, job, quick_server):
    text = job_text(quick_server.base_url, data='path = "reviews.csv"', temperature=0.7)
    job.write_text(text, encoding="utf-8")
    for _ in range(2):
        found = batchdesk("run", job, "--project", tmp_path / "p.batchdesk", "--json").json
        assert (found["requests"], found["reused"], found["passed"]) == (20, 0, 20)


def test_that_answers_belong_to_their_rows_whatever_the_order_they_come_in(tmp_path):
    rows = sample_rows(300)
    answers = {}
    for in_flight, latency in ((1, ("0",)), (50, ("0.05", "--latency-sigma", "1.5"))):
        with PracticeServer("--latency", *latency) as server:
            job = slow_job(tmp_path, server, 300, in_flight)
            project = tmp_path / f"{in_flight}.batchdesk"
            target = tmp_path / f"{in_flight}.csv"
            assert batchdesk("run", job, "--project", project).code == 0
            assert server.stats()["in_flight_max"] == in_flight
        assert batchdesk("export", project, "--to", target).code == 0
        answers[in_flight] = [
            (row["id"], row["text"], row["answer.sentiment"], row["answer.quote"])
            for row in read_table(target)
        ]
        order = query(project, "SELECT task_id FROM result ORDER BY id")
        assert (order == sorted(order)) == (in_flight == 1)  # the 50 did overtake each other
    assert answers[1] == answers[50]
    assert answers[1] == [(key, text, *expected_answer(text, key)) for key, text in rows]


def test_that_both_exports_hold_the_same_rows_in_the_order_of_the_table(tmp_path, job):
    project = tmp_path / "p.batchdesk"
    batchdesk("run", job, "--project", project)
    csv_done = batchdesk("export", project, "--to", tmp_path / "out.csv")
    assert csv_done.out == f"20 rows of run 1 are in {tmp_path / 'out.csv'}\n"
    assert batchdesk("export", project, "--to", tmp_path / "out.jsonl").code == 0
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfid,text,")
    table = read_table(tmp_path / "out.csv")
    objects = list(lines_of(tmp_path / "out.jsonl"))
    assert list(table[0]) == COLUMNS
    assert [(row["id"], row["text"]) for row in table] == sample_rows(20)
    assert [
        (o["id"], o["text"], o["answer.sentiment"], o["answer.quote"], o["batchdesk.state"])
        for o in objects
    ] == [
        (r["id"], r["text"], r["answer.sentiment"], r["answer.quote"], r["batchdesk.state"])
        for r in table
    ]
    assert {o["batchdesk.attempts"] for o in objects} == {1}


def test_that_an_export_overwrites_a_file_only_by_force_and_the_source_never(tmp_path, job):
    project, target, source = (tmp_path / n for n in ("p.batchdesk", "out.csv", "reviews.csv"))
    batchdesk("run", job, "--project", project)
    target.write_text("mine", encoding="utf-8")
    done = batchdesk("export", project, "--to", target)
    assert (done.code, target.read_text("utf-8")) == (2, "mine")
    assert sentences(done) == [
        f"batchdesk: {target} exists already. Choose another name, or add --force to overwrite it."
    ]
    assert batchdesk("export", project, "--to", target, "--force").code == 0
    assert len(read_table(target)) == 20
    before = source.read_bytes()
    done = batchdesk("export", project, "--to", source, "--force")
    assert (done.code, source.read_bytes()) == (2, before)
    assert "reviews.csv is the table that the rows were read from" in done.err


def test_that_a_finished_run_cannot_be_resumed_and_an_unknown_one_is_named(tmp_path, job):
    project = tmp_path / "p.batchdesk"
    batchdesk("run", job, "--project", project, "--limit", 2)
    done = batchdesk("resume", project)
    assert done.code == 2
    assert sentences(done) == [
        "batchdesk: Every run of this project has finished; there is nothing to resume."
    ]
    done = batchdesk("export", project, "--run", 5, "--to", tmp_path / "out.csv")
    assert done.code == 2
    assert sentences(done) == ["batchdesk: There is no run 5 in this project. It has: 1."]


def test_that_dead_letters_give_exit_code_4_and_are_in_the_export(tmp_path):
    with PracticeServer("--latency", "0", "--faults", "500=1") as server:
        write_table(tmp_path / "reviews.csv", sample_rows(3), ("id", "text"))
        text = job_text(server.base_url, data='path = "reviews.csv"', limits="attempts_max = 1")
        (tmp_path / "job.toml").write_text(text, encoding="utf-8")
        done = batchdesk("run", tmp_path / "job.toml", "--json", cwd=tmp_path)
    assert done.code == 4
    assert done.json["state"] == "finished"
    assert done.json["dead"] == 3
    assert done.json["requests"] == 3
    assert done.json["error_kinds"] == {"server_error": 3}
    assert done.json["dead_kinds"] == {"server_error": 3}
    batchdesk("export", tmp_path / "job.batchdesk", "--to", tmp_path / "out.csv")
    for row in read_table(tmp_path / "out.csv"):
        assert row["batchdesk.state"] == "dead"
        assert row["batchdesk.reason"].startswith("server_error: ")
        assert row["answer.sentiment"] == ""


def test_that_status_and_export_work_while_a_run_goes_on(tmp_path):
    # It would take 50 s: however slow the others are, it has not ended when they look.
    with PracticeServer("--latency", "0.5") as server:
        job = slow_job(tmp_path, server, 2000, 20)
        project = tmp_path / "p.batchdesk"
        with running("run", job, "--project", project, "--json") as process:
            server.wait_until("answered", 20)
            passed_before = wait_until_passed(project, 1)
            status = batchdesk("status", project, "--json").json["runs"][0]
            exported = batchdesk("export", project, "--to", tmp_path / "out.csv")
            passed_after = wait_until_passed(project, passed_of(project) + 1)
            assert process.poll() is None, "the run had ended before it could be looked at"
    assert status["state"] == "running"
    assert passed_before <= status["passed"] < 2000
    assert status["passed"] + status["pending"] + status["running"] == 2000
    assert exported.code == 0
    states = [row["batchdesk.state"] for row in read_table(tmp_path / "out.csv")]
    assert len(states) == 2000
    assert status["passed"] <= states.count("passed") < passed_after
    assert_sound(project)


def passed_of(project: Path) -> int:
    """How many tasks of the project have passed, as committed."""
    ((count,),) = query(project, "SELECT count(*) FROM task WHERE state = 'passed'")
    return int(count)


def wait_until_passed(project: Path, at_least: int) -> int:
    """How many have passed once there are so many."""
    until = time.monotonic() + 60
    while (found := passed_of(project)) < at_least:
        assert time.monotonic() < until, f"{found} have passed"
        time.sleep(0.02)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C of a child is another thing there")
def test_that_ctrl_c_pauses_says_how_to_go_on_and_resume_finishes(tmp_path):
    with PracticeServer("--latency", "0.3") as server:
        job = slow_job(tmp_path, server, 100, 20)
        project = tmp_path / "p.batchdesk"
        with running("run", job, "--project", project) as process:
            server.wait_until("answered", 20)
            interrupt(process)
            done = end_of(process)
        assert done.code == 3
        assert "Pausing: the requests under way finish." in done.err
        assert f'Go on with:   batchdesk resume "{project}" --run 1' in done.out
        before = committed(project)
        assert 20 <= len(before.settled) < 100
        assert len(before.settled) == server.stats()["answered"]  # those under way did finish
        resumed = batchdesk("resume", project, "--json")
        stats = server.stats()
    assert resumed.code == 0
    assert resumed.json["passed"] == 100
    assert resumed.json["requests"] == 100
    assert stats["rows_billed_twice"] == 0
    assert_nothing_lost(before, committed(project))
    assert_sound(project)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C of a child is another thing there")
def test_that_a_second_ctrl_c_stops_at_once_and_nothing_is_lost(tmp_path):
    with PracticeServer("--latency", "0.02", "--faults", "hang=0.5") as server:
        job = slow_job(tmp_path, server, 40, 20)
        project = tmp_path / "p.batchdesk"
        with running("run", job, "--project", project, "--json") as process:
            server.wait_until("answered", 5)
            interrupt(process)
            time.sleep(0.5)
            assert process.poll() is None  # those that hang keep it waiting
            interrupt(process)
            done = end_of(process, timeout_s=10)
    assert done.code == 3
    assert done.json["state"] == "stopped"
    assert done.json["running"] == 0
    assert done.json["passed"] + done.json["pending"] == 40
    assert done.json["pending"] > 0
    assert_sound(project)


def test_that_a_command_line_with_a_mistake_gets_one_sentence():
    for words, sentence in (
        (("fly",), "argument COMMAND: invalid choice: 'fly'"),
        (("export", "p.batchdesk"), "one of the arguments --to --into-copy is required"),
        (("run", "j.toml", "--limit", "0"), "argument --limit: '0' is not a whole number from 1"),
    ):
        done = batchdesk(*words)
        assert done.code == 2
        assert done.err.startswith(f"batchdesk: {sentence}")
        assert len(done.err.splitlines()) == 1
        assert done.out == ""
