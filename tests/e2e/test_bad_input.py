"""Bad tables, jobs, places and services: one clear sentence each, and the project stays whole."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.harness import (
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    committed,
    job_text,
    query,
    read_table,
    running,
    sample_rows,
    sentences,
    write_table,
)

GOOD = b"id,text\n1,a fine pen\n2,a broken pen\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory, quick_server: PracticeServer) -> Path:
    """A project with one finished run, in which all the mistakes are made one after another."""
    folder = tmp_path_factory.mktemp("mistakes")
    write_job(folder, quick_server.base_url)
    done = batchdesk("run", folder / "job.toml", "--project", folder / "p.batchdesk")
    assert done.code == 0, done.err
    return Path(folder, "p.batchdesk")


def write_job(
    folder: Path, base_url: str, table: bytes = GOOD, *, data: str = "", **parts: Any
) -> Path:
    """A job over a table beside it; ``parts`` as ``job_text`` takes them."""
    (folder / "table.csv").write_bytes(table)
    path = folder / "job.toml"
    text = job_text(base_url, data=f'path = "table.csv"\n{data}', **parts)
    path.write_text(text, encoding="utf-8")
    return path


def runs_of(project: Path) -> list[list[tuple[object, ...]]]:
    """Everything that runs have left in the file."""
    tables = ("run", "task", "attempt", "result", "job")
    return [query(project, f"SELECT * FROM {table} ORDER BY id") for table in tables]


REFUSED_TABLES = {
    "empty": (b"", "table.csv is empty: it has not a single byte."),
    "header only": (
        b"id,text\n",
        "table.csv has column names but no rows: check that it is the right file.",
    ),
}
REFUSED_JOBS: dict[str, tuple[dict[str, str], str]] = {
    "a column that is not there": (
        {"user": "{{ txt }}"},
        (
            "The user text of stage 'classify' names a column 'txt' that the table does not have. "
            "Did you mean 'text'?"
        ),
    ),
    "no such key column": (
        {"data": 'key = "idd"'},
        "table.csv has no column 'idd' to take the keys from. Did you mean 'id'?",
    ),
    "no such label column": (
        {"data": 'label = "lable"'},
        "The table has no column 'lable' to compare answers with. It has: id, text.",
    ),
    "a key that is not one": (
        {"limits": "concurency_max = 4"},
        (
            "job.toml, line 20: 'concurency_max' is not a key of [limits]. "
            "Did you mean 'concurrency_max'?"
        ),
    ),
    "no address": ({"provider": 'preset = "opnai"'}, "There is no provider preset 'opnai'."),
    "a schema with an unknown type": ({"output": '{ type = "objekt" }'}, "'objekt'"),
    "a schema with the wrong shape": ({"output": "{ properties = 5 }"}, "JSON Schema"),
}


@pytest.mark.parametrize("case", REFUSED_TABLES)
def test_that_a_table_without_rows_is_refused(tmp_path, quick_server, project, case):
    table, sentence = REFUSED_TABLES[case]
    before = runs_of(project)
    done = batchdesk("run", write_job(tmp_path, quick_server.base_url, table), "--project", project)
    assert done.code == 2
    assert sentences(done) == [f"batchdesk: {sentence}"]
    assert runs_of(project) == before
    assert_sound(project)


@pytest.mark.parametrize("case", REFUSED_JOBS)
def test_that_a_job_that_does_not_fit_is_refused(tmp_path, quick_server, project, case):
    parts, sentence = REFUSED_JOBS[case]
    before = runs_of(project)
    job = write_job(tmp_path, quick_server.base_url, GOOD, **parts)
    done = batchdesk("run", job, "--project", project)
    assert done.code == 2, done.err
    assert len(sentences(done)) == 1
    assert sentence in sentences(done)[0]
    assert "Traceback" not in done.err
    assert done.out == ""
    assert runs_of(project) == before
    assert_sound(project)


def test_that_missing_files_are_named(tmp_path, project):
    for words, sentence in (
        (("run", tmp_path / "no.toml"), f"There is no job file {tmp_path / 'no.toml'}."),
        (("status", tmp_path / "no.batchdesk"), "There is no project file"),
        (("resume", tmp_path / "no.batchdesk"), "There is no project file"),
        (
            ("export", project, "--to", tmp_path / "no" / "out.csv"),
            f"The folder {tmp_path / 'no'} does not exist: choose another one.",
        ),
    ):
        done = batchdesk(*words)
        assert done.code == 2
        assert done.err.startswith(f"batchdesk: {sentence}")
        assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_that_a_missing_table_is_named(tmp_path, quick_server, project):
    job = write_job(tmp_path, quick_server.base_url)
    done = batchdesk("run", job, "--data", tmp_path / "no.csv", "--project", project)
    assert done.code == 2
    assert sentences(done) == [
        f"batchdesk: {tmp_path / 'no.csv'} does not exist: was it moved or renamed?"
    ]


def test_that_the_export_never_overwrites_the_project(project):
    before = project.read_bytes()
    done = batchdesk("export", project, "--to", project)
    assert done.code == 2
    assert sentences(done) == [
        "batchdesk: The export would overwrite the project file. Choose another name."
    ]
    assert project.read_bytes() == before


@pytest.mark.parametrize(
    ("table", "note", "cells"),
    [
        (
            b"id,text\n1,a,b\n2\n3,c\n",
            "too many cells (kept in extra columns): line 2",
            [("1", "a", "b"), ("2", "", ""), ("3", "c", "")],
        ),
        (b"id,text,text\n1,a,b\n", "column name that occurs twice", [("1", "a", "b")]),
        (
            b"id,text\n1,a\x00b\n2,c\n",
            "row with NUL characters (removed): line 2",
            [("1", "ab"), ("2", "c")],
        ),
        (
            b"id,text,answer.sentiment,batchdesk.state\n1,a,mine,too\n",
            "column whose name Batchdesk needs (renamed to source.…)",
            [("1", "a", "mine", "too")],
        ),
    ],
    ids=["ragged rows", "two columns of one name", "NUL bytes", "columns named like ours"],
)
def test_that_an_untidy_table_is_read_with_a_note(tmp_path, quick_server, table, note, cells):
    job = write_job(tmp_path, quick_server.base_url, table)
    done = batchdesk("run", job, "--project", tmp_path / "p.batchdesk")
    assert done.code == 0
    assert note in done.err
    target = tmp_path / "out.csv"
    assert batchdesk("export", tmp_path / "p.batchdesk", "--to", target).code == 0
    found = read_table(target)
    header = target.read_text("utf-8-sig").splitlines()[0].split(",")
    assert len(header) == len(set(header))
    assert [tuple(row.values())[: len(cells[0])] for row in found] == cells
    answered = [row for row in found if row["text"]]
    assert {row["batchdesk.state"] for row in answered} == {"passed"}
    assert all(row["answer.sentiment"] in ("positive", "negative", "neutral") for row in answered)


def test_that_a_wrong_key_pauses_the_run_and_the_right_one_finishes_it(tmp_path):
    with PracticeServer("--latency", "0.02", "--api-key", "right") as server:
        job = write_job(tmp_path, server.base_url, provider='api_key_env = "TEST_KEY"')
        project = tmp_path / "p.batchdesk"
        unset = batchdesk("run", job, "--project", project)
        left = query(project, "SELECT count(*) FROM run")
        wrong = batchdesk("run", job, "--project", project, env={"TEST_KEY": "wrong"})
        states = query(project, "SELECT DISTINCT state FROM task WHERE run_id = 1")
        right = batchdesk("resume", project, "--json", env={"TEST_KEY": "right"})
    assert unset.code == 2
    assert "The environment variable TEST_KEY" in sentences(unset)[-1]
    assert left == [(0,)]  # a run that never began would look like one to go on with
    assert wrong.code == 3
    assert "Paused: The service does not accept the key" in wrong.out
    assert "Incorrect API key provided" in wrong.out
    assert states == [("pending",)]
    assert right.code == 0
    assert right.json["passed"] == 2
    assert b"right" not in project.read_bytes()
    assert_sound(project)


def test_that_a_refused_connection_pauses_the_run_until_the_service_is_there(tmp_path):
    with PracticeServer() as server:
        port = server.port  # free again in a moment
    job = write_job(tmp_path, f"http://127.0.0.1:{port}/v1")
    project = tmp_path / "p.batchdesk"
    done = batchdesk("run", job, "--project", project, "--json")
    assert done.code == 3
    figures = done.json
    assert (figures["state"], figures["cause"]) == ("paused", "connect_failed")
    assert figures["dead"] == 0
    assert figures["pending"] + figures["waiting"] == 2
    assert "Traceback" not in done.err
    with PracticeServer("--latency", "0", port=port):
        resumed = batchdesk("resume", project, "--json")
    assert resumed.code == 0
    assert resumed.json["passed"] == 2


class _Page(BaseHTTPRequestHandler):
    """Answers everything with a web page, as a portal does that wants a login."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        page = b"<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def web_page() -> Iterator[str]:
    """The address of a server that speaks HTML."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_that_a_web_page_in_place_of_a_service_pauses_the_run(tmp_path, web_page):
    project = tmp_path / "p.batchdesk"
    done = batchdesk("run", write_job(tmp_path, web_page), "--project", project)
    assert done.code == 3
    assert "Paused: The address does not answer like a model service" in done.out
    assert "Traceback" not in done.err
    assert query(project, "SELECT DISTINCT state FROM task") == [("pending",)]
    assert_sound(project)


def test_that_an_open_project_is_not_run_twice(tmp_path):
    project = tmp_path / "p.batchdesk"
    # An answer takes so long that the run cannot end before the others have looked.
    with PracticeServer("--latency", "60") as server:
        write_table(tmp_path / "long.csv", sample_rows(60), ("id", "text"))
        job = write_job(tmp_path, server.base_url, limits="concurrency_max = 4")
        words = ("run", job, "--data", tmp_path / "long.csv", "--project", project)
        with running(*words, "--json") as process:
            server.wait_until("in_flight", 4)
            second = batchdesk("run", job, "--project", project)
            resumed = batchdesk("resume", project)
            assert process.poll() is None
    for done in (second, resumed):
        assert done.code == 2
        assert sentences(done) == [
            (
                f"batchdesk: The project {project} is open in another window. Use that one, or close "
                "it first."
            )
        ]
    assert query(project, "SELECT count(*) FROM run") == [(1,)]


def test_that_a_project_from_a_newer_program_is_refused_untouched(tmp_path, quick_server):
    job = write_job(tmp_path, quick_server.base_url)
    project = tmp_path / "p.batchdesk"
    assert batchdesk("run", job, "--project", project).code == 0
    with closing(sqlite3.connect(project)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = hashlib.sha256(project.read_bytes()).hexdigest()
    for words in (("run", job, "--project", project), ("status", project), ("resume", project)):
        done = batchdesk(*words)
        assert done.code == 2
        assert f"{project} was made by a newer Batchdesk (its version 99" in sentences(done)[0]
        assert hashlib.sha256(project.read_bytes()).hexdigest() == before


def test_that_what_is_no_project_is_left_alone(tmp_path, quick_server):
    job = write_job(tmp_path, quick_server.base_url)
    done = batchdesk("run", job, "--project", tmp_path / "table.csv")
    assert done.code == 2
    assert "is not a Batchdesk project" in sentences(done)[0]
    assert (tmp_path / "table.csv").read_bytes() == GOOD


def test_that_a_project_goes_on_after_all_its_mistakes(tmp_path, quick_server, project):
    batchdesk("run", write_job(tmp_path, quick_server.base_url, b""), "--project", project)
    job = write_job(tmp_path, quick_server.base_url, b"id,text\n7,a new pen\n")
    found = batchdesk("run", job, "--project", project, "--json")
    assert found.code == 0
    assert found.json["passed"] == 1


def test_that_nothing_lost_is_seen_when_something_is(tmp_path, project):
    """The other tests' own measure: a changed answer must not go unnoticed."""
    before = committed(project)
    copy = tmp_path / "copy.batchdesk"
    with closing(sqlite3.connect(project)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        target.execute("UPDATE result SET answer = '{}' WHERE id = 1")
        target.commit()
    with pytest.raises(AssertionError):
        assert_nothing_lost(before, committed(copy))
