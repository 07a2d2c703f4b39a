"""Two runs of one Session on one account: equal shares of a limit that nobody told, found once.

A Session of this process against practice servers in processes of their own. Another Session runs
the same rows alone at the same time, on another account, for comparison.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.harness import PracticeServer, assert_sound, query, sample_rows, write_table

from batchdesk.domain.job import Job
from batchdesk.domain.task import RunState
from batchdesk.session import Session

PER_S = 40
OPTIONS = ("--rpm", str(60 * PER_S), "--burst", "20", "--limit-headers", "none", "--count-refused")


def a_job(server: PracticeServer) -> Job:
    """One short answer a row."""
    stage = {
        "name": "judge",
        "user": "{{ text }}",
        "max_tokens": 50,
        "output": {
            "type": "object",
            "properties": {"sentiment": {"enum": ["positive", "negative"]}},
            "required": ["sentiment"],
        },
    }
    provider = {"base_url": server.base_url, "model": "practice"}
    return Job.model_validate({"name": "two runs", "provider": provider, "stages": [stage]})


async def carried_out(folder: Path, server: PracticeServer, runs: int, rows: int) -> Path:
    """So many runs of one Session over the same rows, all at once; returns the project file."""
    table = write_table(folder / f"{rows}.csv", sample_rows(rows), ("id", "text"))
    session = await Session.open(folder / f"{rows}.batchdesk", create=True)
    try:
        dataset = await session.import_table(table, key_column="id")
        run_ids = [await session.make_run(a_job(server), dataset) for _ in range(runs)]
        for run_id in run_ids:
            await session.start(run_id)
        states = await asyncio.gather(*map(session.wait, run_ids))
        assert set(states) == {RunState.FINISHED}
    finally:
        await session.close()
    return session.path


@dataclass(frozen=True, slots=True)
class Shares:
    """What two runs did while both had work, and what was refused of all requests."""

    first: float
    refused: float
    requests: int


def shares_of(project: Path) -> Shares:
    """Read a project file of one or two runs."""
    sent = query(
        project,
        "SELECT started_at, run_id, attempt.error_kind FROM attempt"
        " JOIN task ON task.id = attempt.task_id",
    )
    run_ids = {run_id for _, run_id, _ in sent}
    ends = [max(at for at, run_id, _ in sent if run_id == one) for one in run_ids]
    both = [run_id for at, run_id, _ in sent if at <= min(ends)]
    refused = sum(kind == "rate_limited" for _, _, kind in sent)
    return Shares(both.count(1) / len(both), refused / len(sent), len(sent))


def compared(folder: Path, rows: int) -> tuple[Shares, Shares]:
    """(One run of all rows alone, two runs of half of them each)."""

    async def main() -> tuple[Path, Path]:
        return await asyncio.gather(
            carried_out(folder, first, 1, rows),
            carried_out(folder, second, 2, rows // 2),
        )

    with (
        PracticeServer("--latency", "0.2", *OPTIONS) as first,
        PracticeServer("--latency", "0.2", *OPTIONS) as second,
    ):
        projects = asyncio.run(main())
    for project in projects:
        assert_sound(project)
        assert {state for (state,) in query(project, "SELECT state FROM task")} == {"passed"}
    alone, together = map(shares_of, projects)
    print(
        f"\ntogether: shares {together.first:.1%} and {1 - together.first:.1%}, "
        f"{together.refused:.2%} of {together.requests} requests refused; "
        f"alone: {alone.refused:.2%} of {alone.requests}"
    )
    return alone, together


def test_that_two_runs_on_one_account_share_it_equally(tmp_path):
    alone, together = compared(tmp_path, 500)
    assert 0.45 <= together.first <= 0.55
    # In so short a run a few probes, which fall as they do, are more than a point.
    assert together.refused <= alone.refused + 0.005 + 8 / together.requests


@pytest.mark.benchmark
@pytest.mark.timeout(600)
def test_that_two_long_runs_on_one_account_are_refused_no_more_than_one(tmp_path):
    alone, together = compared(tmp_path, 6000)
    assert 0.45 <= together.first <= 0.55
    assert together.refused <= alone.refused + 0.005
