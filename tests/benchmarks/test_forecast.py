"""What twenty rows promise of a full run, against what it took: three jobs on the practice server."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from tests.e2e.harness import PracticeServer, job_text

from batchdesk.domain.price import PriceOverride
from batchdesk.domain.task import RunState
from batchdesk.session import Choice, How, Session, read_job_file
from batchdesk.settings import Settings

pytestmark = pytest.mark.benchmark

WORDS = ("It", "was", "good", "bad", "slow", "the", "room", "food", "and", "never", "again", "love")
PRICES = (PriceOverride(model="practice", input=Decimal("0.5"), output=Decimal("1.5")),)
JOBS = {
    "no limit": (1500, ("--latency", "0.3", "--latency-sigma", "0.3")),
    "requests": (450, ("--latency", "0.8", "--latency-sigma", "0.4", "--rpm", "900")),
    "tokens, faults": (
        400,
        ("--latency", "0.5", "--latency-sigma", "0.5", "--tpm", "80000",
         "--faults", "500=0.03,malformed=0.05,reset=0.02"),
    ),
}  # fmt: skip


def table(folder, rows):
    rng = random.Random(5)
    lines = []
    for n in range(1, rows + 1):
        words = rng.choices(WORDS, k=max(3, int(rng.lognormvariate(3.2, 0.8))))
        lines.append(f"{n},{' '.join(words)} {n}")
    path = folder / "rows.csv"
    path.write_text("id,text\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", list(JOBS))
async def test_that_the_promise_is_kept(tmp_path, name):
    rows, words = JOBS[name]
    session = await Session.open(
        tmp_path / "p.batchdesk", create=True, settings=lambda: Settings(prices=PRICES)
    )
    try:
        with PracticeServer(*words) as server:
            path = tmp_path / "job.toml"
            path.write_text(job_text(server.base_url), encoding="utf-8")
            job = read_job_file(path)
            dataset = await session.import_table(table(tmp_path, rows), key_column="id")
            made = await session.make_preview(job, dataset, Choice(How.RANDOM))
            for run_id in (made.first_run_id, made.second_run_id):
                await session.start(run_id)
            for run_id in (made.first_run_id, made.second_run_id):
                assert await session.wait(run_id) is RunState.FINISHED
            found = await session.preview(made.id)
            assert found.forecast is not None
            full = await session.make_run(job, dataset)
            await session.start(full)
            assert await session.wait(full) is RunState.FINISHED
            kept = await session.forecast_against_truth(full)
    finally:
        await session.close()
    print(f"\n{name}: {rows} rows, bound by {found.forecast.bound_by}")
    for one in kept:
        low, likely, high = one.promised.low, one.promised.likely, one.promised.high
        print(
            f"  {one.name:14} promised {low:12,.1f} … {likely:12,.1f} … {high:12,.1f}"
            f"   took {one.truth:12,.1f} ({one.truth / likely:.2f}) {'kept' if one.is_kept else 'BROKEN'}"
        )
    assert all(one.is_kept for one in kept)
