"""The window is killed during a run: opened again it offers to resume, and shows what is on disk.

The program is the real one in a process of its own, driven by the keyboard of its display. The
practice server lives on, so its counts tell what a kill cost.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from tests.e2e.harness import (
    Committed,
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    command,
    committed,
    kill,
    query,
    sample_rows,
    write_table,
)
from tests.e2e_gui.prompts import a_job
from tests.e2e_gui.screen import on_screen, played

from batchdesk.domain.job import Limits, ProviderSpec
from batchdesk.session import Session

IN_FLIGHT, ROWS = 40, 1500

pytestmark = pytest.mark.skipif(
    shutil.which("xdotool") is None, reason="needs xdotool, which presses the keys of a display"
)


async def prepare(project: Path, table: Path, base_url: str) -> None:
    """A project with a run that waits to be started."""
    session = await Session.open(project, create=True)
    dataset = await session.import_table(table, key_column="id")
    limits = Limits(concurrency_max=IN_FLIGHT)
    job = a_job(ProviderSpec(base_url=base_url, model="practice"), limits, at_least=0.6)
    await session.make_run(job, dataset)
    await session.close()


class Window:
    """The program with its window on a display, and its keyboard."""

    def __init__(self, env: dict[str, str], project: Path) -> None:
        self._env = env
        self.process = subprocess.Popen(
            command("window", project),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        name = project.stem  # of the title, so the project is open
        self._id = self._tool("search", "--sync", "--onlyvisible", "--name", f"^{name} – ")
        self._tool("windowfocus", "--sync", self._id)

    def press(self, *keys: str) -> None:
        """Keys by their X names, as ``ctrl+k``."""
        for key in keys:
            self._tool("key", key)
            time.sleep(0.1)

    def command(self, words: str) -> None:
        """A command of the palette."""
        self.press("ctrl+k")
        self._tool("type", words)
        self.press("Return")

    def _tool(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words],
            env=self._env,
            check=True,
            capture_output=True,
            text=True,
            timeout=30,
        )
        return done.stdout.split("\n")[0]


def seen_again(env: dict[str, str], project: Path, told: Path) -> dict[str, object]:
    """What a window shows of the project now."""
    played("look", env, project, told)
    found: dict[str, object] = json.loads(told.read_text("utf-8"))
    return found


def on_disk(project: Path) -> dict[str, object]:
    """The same figures from the project file."""
    counts = dict(query(project, "SELECT state, count(*) FROM task GROUP BY state"))
    done = sum(n for state, n in counts.items() if state in {"passed", "review", "dead"})
    figures = {"done": done, "passed": counts.get("passed", 0), "review": counts.get("review", 0)}
    figures |= {"failed": counts.get("dead", 0), "skipped": counts.get("skipped", 0)}
    return {name: f"{n:,}" for name, n in figures.items()} | {"button": ["Resume", True]}


def kill_and_look(tmp_path: Path, screen: str, *, kills: int, seed: int) -> None:
    """Kill the window so many times during one run, look after each kill, then finish the run."""
    rng = random.Random(seed)
    table = write_table(tmp_path / "reviews.csv", sample_rows(ROWS), ("id", "text"))
    project = tmp_path / "killed.batchdesk"
    env = on_screen(screen, tmp_path / "home")
    with PracticeServer("--latency", "0.3", "--latency-sigma", "0.3") as server:
        asyncio.run(prepare(project, table, server.base_url))
        answered = 0
        kept: list[Committed] = []
        for number in range(kills):
            window = Window(env, project)
            try:
                window.press("ctrl+5")
                window.command("start or resume")
                server.wait_until("answered", answered + rng.randint(20, ROWS // kills - 80))
                assert window.process.poll() is None
            finally:
                kill(window.process)
            left, at_kill = committed(project), server.stats()
            quiet = server.wait_until_quiet()
            answered = quiet["answered"]
            awaiting = at_kill["rows"] - len(left.settled)
            print(
                f"kill {number + 1}: {len(left.settled)} rows on disk, {at_kill['in_flight']} in "
                f"flight, {awaiting} awaiting commit, {quiet['rows_billed_twice']} billed twice so far"
            )
            assert at_kill["in_flight"] + awaiting <= IN_FLIGHT
            assert seen_again(env, project, tmp_path / "told.json") == on_disk(project)
            kept.append(left)
        done = batchdesk("resume", project, "--json")
        assert done.code == 0, done.err
        stats = server.stats()
    after = committed(project)
    for left in kept:
        assert_nothing_lost(left, after)
    assert len(after.settled) == len(after.results) == after.tasks == stats["rows"] == ROWS
    assert stats["rows_billed_twice"] <= IN_FLIGHT * kills
    assert_sound(project)


@pytest.mark.timeout(180)
def test_that_a_killed_window_shows_what_is_on_disk_and_offers_to_resume(tmp_path, screen):
    kill_and_look(tmp_path, screen, kills=2, seed=7)


@pytest.mark.benchmark
@pytest.mark.timeout(400)
def test_that_five_kills_of_the_window_lose_nothing(tmp_path, screen):
    kill_and_look(tmp_path, screen, kills=5, seed=2026)
