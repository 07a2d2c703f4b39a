"""Runs the real program in processes of its own and looks at what it leaves behind.

In come the words of a command line; out come the exit code, what was printed, and rows read from
the project file by a connection of the test's own. The practice server runs in a process of its
own too, so that it outlives a killed client and its counts can be compared with the file.
"""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from batchdesk.providers.practice_answers import answer
from batchdesk.providers.practice_wire import read_request

CHECKOUT = Path(__file__).parents[2]
SHARED_DATA = Path(os.environ.get("BATCHDESK_TEST_DATA", CHECKOUT.parent / "shared" / "data"))
SCHEMA = {
    "type": "object",
    "properties": {
        "sentiment": {"enum": ["positive", "negative", "neutral"]},
        "quote": {"type": "string", "maxLength": 40},  # differs from row to row
    },
    "required": ["sentiment", "quote"],
}
TAIL = " " + "=" * 40  # after the text, so that the note of a retry is no part of the quote
_SCHEMA_TOML = (
    '{ type = "object", properties = { sentiment = { enum = ["positive", "negative", "neutral"] },'
    ' quote = { type = "string", maxLength = 40 } }, required = ["sentiment", "quote"] }'
)


@dataclass(frozen=True, slots=True)
class Done:
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object that was printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The program's environment: this checkout, no keyring of the person who runs the tests."""
    return {
        **os.environ,
        "PYTHONPATH": str(CHECKOUT / "app"),
        "PYTHONUTF8": "1",
        "BATCHDESK_COMMAND": "batchdesk",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        **(more or {}),
    }


def command(*words: object) -> list[str]:
    """The program with these words."""
    return [sys.executable, "-m", "batchdesk", *map(str, words)]


def start(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(
        command(*words),
        cwd=cwd,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@contextmanager
def running(*words: object, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """The program while it runs; it is gone afterwards, whatever the test did."""
    process = start(*words, cwd=cwd)
    try:
        yield process
    finally:
        if process.stdout is not None and not process.stdout.closed:
            kill(process)


def end_of(process: subprocess.Popen[str], timeout_s: float = 60) -> Done:
    """Wait for a process; kills it if it takes too long."""
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Done(process.returncode, out, err)


def batchdesk(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout_s: float = 60,
) -> Done:
    """Run the program to its end."""
    return end_of(start(*words, cwd=cwd, env=env), timeout_s)


class PracticeServer:
    """``batchdesk practice`` in a process of its own; a context manager."""

    def __init__(self, *options: str, port: int = 0) -> None:
        self._process = subprocess.Popen(
            command("practice", "--port", port, *options),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().rstrip().rpartition(" ")[2]
        assert self.base_url.endswith("/v1"), "the practice server did not start"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.base_url.removesuffix("/v1").rpartition(":")[2])

    def stats(self) -> dict[str, Any]:
        """What it has counted."""
        url = f"{self.base_url.removesuffix('/v1')}/practice/stats"
        with urllib.request.urlopen(url, timeout=10) as response:
            found: dict[str, Any] = json.load(response)
            return found

    def wait_until(self, figure: str, at_least: int, timeout_s: float = 60) -> dict[str, Any]:
        """The counts once ``figure`` has reached a value."""
        return self._wait(lambda stats: stats[figure] >= at_least, timeout_s)

    def wait_until_quiet(self, timeout_s: float = 60) -> dict[str, Any]:
        """The counts once nothing is in flight: those of a killed client are answered too."""
        return self._wait(lambda stats: stats["in_flight"] == 0, timeout_s)

    def _wait(self, reached: Any, timeout_s: float) -> dict[str, Any]:
        until = time.monotonic() + timeout_s
        while not reached(stats := self.stats()):
            assert time.monotonic() < until, f"the practice server stands at {stats}"
            time.sleep(0.01)
        return stats


def job_text(
    base_url: str,
    *,
    name: str = "reviews",
    data: str = "",
    provider: str = "",
    user: str = "{{ text }}" + TAIL,
    output: str = _SCHEMA_TOML,
    stage: str = "",
    limits: str = "concurrency_max = 50",
    temperature: float | None = 0,
) -> str:
    """A job file that asks a practice server; ``data``, ``stage`` … are further TOML lines."""
    if temperature is not None:
        stage = f"temperature = {temperature}\n{stage}"
    return f"""
name = "{name}"
[data]
{data}
[provider]
base_url = "{base_url}"
model = "practice"
{provider}
[[stages]]
name = "classify"
system = "Judge the review."
user = "{user}"
max_tokens = 200
answer_field = "sentiment"
output = {output}
{stage}
[limits]
{limits}
"""


def sample_rows(count: int) -> list[tuple[str, str]]:
    """So many different (id, text) from the sample tables of the project."""
    texts: list[str] = []
    for name in ("reviews-zh.csv", "reviews-en.csv"):
        with (CHECKOUT / "resources" / "samples" / name).open(encoding="utf-8-sig") as file:
            texts += [row["text"] for row in csv.DictReader(file)]
    return [(f"r{number:05}", texts[number % len(texts)] + f" {number}") for number in range(count)]


def write_table(path: Path, rows: Sequence[Sequence[str]], header: Sequence[str]) -> Path:
    """Write a CSV file in UTF-8."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of an exported CSV file."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def expected_answer(text: str, key: str) -> tuple[str, str]:
    """(sentiment, quote): what the fault-free practice server answers for a row."""
    body = {
        "messages": [{"role": "user", "content": f"{text}{TAIL}\n\nrow_key: {key}"}],
        "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}},
    }
    asked = read_request(json.dumps(body).encode())
    value = answer(asked.question, 0).value
    return value["sentiment"], value["quote"]


def query(project: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Rows of the project file, read by a connection of our own that cannot write."""
    with closing(sqlite3.connect(f"{project.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(statement, values).fetchall()


@dataclass(frozen=True, slots=True)
class Committed:
    """What a project file held at one moment.

    Attributes:
        results: Result id → (task, attempt, verdict, answer).
        settled: Task id → (state, answer), of those that need no more work.
        tasks: How many tasks there are.
    """

    results: Mapping[int, tuple[Any, ...]]
    settled: Mapping[int, tuple[str, str]]
    tasks: int


def committed(project: Path) -> Committed:
    """What is in the file now."""
    results = query(project, "SELECT id, task_id, attempt_id, verdict, answer FROM result")
    settled = query(
        project,
        "SELECT task.id, task.state, result.answer FROM task"
        " JOIN result ON result.id = task.result_id WHERE task.state IN ('passed', 'review')",
    )
    ((tasks,),) = query(project, "SELECT count(*) FROM task")
    return Committed(
        {id_: tuple(rest) for id_, *rest in results},
        {id_: (state, answer) for id_, state, answer in settled},
        tasks,
    )


def assert_nothing_lost(before: Committed, after: Committed) -> None:
    """Every result and every settled task of ``before`` is in ``after``, unchanged."""
    assert {id_: after.results.get(id_) for id_ in before.results} == before.results
    assert {id_: after.settled.get(id_) for id_ in before.settled} == before.settled


def assert_sound(project: Path) -> None:
    """The file is whole: no row twice, every task in one known state, the counters right."""
    assert query(project, "PRAGMA integrity_check") == [("ok",)]
    assert query(project, "PRAGMA foreign_key_check") == []
    twice = "SELECT run_id, row_id FROM task GROUP BY 1, 2 HAVING count(*) > 1"
    assert query(project, twice) == []
    known = "('pending','running','waiting','passed','review','dead','skipped')"
    assert query(project, f"SELECT id FROM task WHERE state NOT IN {known}") == []
    counted = query(project, "SELECT run_id, state, count(*) FROM task GROUP BY 1, 2 ORDER BY 1, 2")
    kept = query(
        project, "SELECT run_id, state, count FROM task_count WHERE count > 0 ORDER BY 1, 2"
    )
    assert kept == counted
    assert query(project, "SELECT id FROM dataset WHERE complete = 0") == []


def interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl+C."""
    process.send_signal(signal.SIGINT)


def kill(process: subprocess.Popen[str]) -> None:
    """End a process without a word of warning, and wait until it is gone."""
    process.kill()
    process.communicate()


def sentences(done: Done) -> list[str]:
    """The lines on standard error that begin with the program's name."""
    return [line for line in done.err.splitlines() if line.startswith("batchdesk: ")]


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)
