"""The account is empty, the key is revoked, the service is down: no row is lost, none dies of it.

The real program against the practice server, each in a process of its own. An outage is told from
the attempts that the project file keeps: when each was sent, and how it ended.
"""

from __future__ import annotations

import json
import statistics
import urllib.request
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.e2e.harness import (
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    committed,
    end_of,
    job_text,
    query,
    sample_rows,
    start,
    write_table,
)

KEY = "sk-practice-not-a-secret"
IN_FLIGHT = 20


def change_limits(server: PracticeServer, **wanted: object) -> None:
    """The practice server behaves otherwise from now on."""
    request = urllib.request.Request(
        f"{server.base_url.removesuffix('/v1')}/practice/limits",
        json.dumps(wanted).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        assert response.status == 200


def a_job(folder: Path, server: PracticeServer, rows: int, limits: str = "") -> tuple[object, ...]:
    """The words that run so many rows."""
    write_table(folder / "reviews.csv", sample_rows(rows), ("id", "text"))
    text = job_text(
        server.base_url,
        data='path = "reviews.csv"\nkey = "id"',
        provider='api_key_env = "TEST_KEY"',
        limits=f"concurrency_max = {IN_FLIGHT}\n{limits}",
    )
    (folder / "job.toml").write_text(text, encoding="utf-8")
    return ("run", folder / "job.toml", "--project", folder / "p.batchdesk")


CAUSES: dict[str, tuple[list[str], dict[str, object], str, str]] = {
    "quota_exhausted": (
        ["--quota-after", "200"],
        {"quota_after": None},
        "quota",
        (
            "Paused: The account has no credit or quota left (You exceeded your current quota, "
            "please check your plan and billing details.). Top it up or wait for the quota to "
            "renew, then resume."
        ),
    ),
    "auth": (
        ["--api-key", KEY, "--revoke-after", "200"],
        {"revoked": False},
        "revoked",
        (
            "Paused: The service does not accept the key (This API key was revoked.). Correct the "
            "key, then resume."
        ),
    ),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_that_a_lost_account_pauses_at_once_and_costs_no_row(tmp_path, cause):
    options, restored, counted_as, sentence = CAUSES[cause]
    project, env = tmp_path / "p.batchdesk", {"TEST_KEY": KEY}
    with PracticeServer("--latency", "0.1", *options) as server:
        done = batchdesk(*a_job(tmp_path, server, 600), env=env)
        met = server.stats()
        assert done.code == 3, done.err
        assert sentence in done.out.splitlines()
        # Nothing goes once the first refusal is here: what was refused was under way by then.
        assert 1 <= met["refused"][counted_as] <= met["in_flight_max"] <= IN_FLIGHT
        assert query(project, "SELECT state, cause FROM run") == [("paused", cause)]
        states = dict(query(project, "SELECT state, count(*) FROM task GROUP BY state"))
        assert states == {"passed": 200, "pending": 400}
        assert query(project, "SELECT count(*), sum(counted) FROM attempt") == [
            (200 + met["refused"][counted_as], 200)  # no try was spent on it
        ]
        left = committed(project)

        again = batchdesk("resume", project, env=env)  # nothing has been done about it yet
        assert again.code == 3
        assert sentence in again.out.splitlines()
        assert committed(project) == left

        change_limits(server, **restored)
        finished = batchdesk("resume", project, "--json", env=env)
        stats = server.stats()
    assert finished.code == 0, finished.err
    assert (finished.json["passed"], finished.json["dead"]) == (600, 0)
    assert_nothing_lost(left, committed(project))
    assert (stats["rows"], stats["rows_billed_twice"]) == (600, 0)
    assert_sound(project)
    print(
        f"\n{cause}: {met['refused'][counted_as]} refused of at most {met['in_flight_max']} in "
        f"flight, then paused; 400 rows after resuming"
    )


# -- outages ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outage:
    """What the project file tells of a run through one outage.

    Attributes:
        states: Tasks by state.
        opened_at, closed_at: When sending stopped and went on, epoch seconds.
        probes: When requests were sent meanwhile, the last one answered.
        before_per_s: Answers a second before, in the middle.
        full_after_s: From the answered probe to the first second as full as those before.
        met: How the other attempts ended, and how many.
        counted: Tries that were counted, of all attempts.
    """

    states: dict[str, int]
    opened_at: float
    closed_at: float
    probes: list[float]
    before_per_s: float
    full_after_s: float | None
    met: dict[str, int]
    counted: int


def looked_at(project: Path, begins_s: float) -> Outage:
    """Read the file of a finished run whose outage began so long after the first request."""
    changes = query(project, "SELECT new, at FROM limit_change WHERE what = 'breaker' ORDER BY at")
    assert [new for new, _ in changes] == [0, 1]
    (_, opened_at), (_, closed_at) = changes
    attempts = query(
        project, "SELECT started_at, started_at + service_s, error_kind FROM attempt ORDER BY 1"
    )
    began_at = attempts[0][0]
    answered = sorted(ended for _, ended, kind in attempts if kind is None)

    def per_s(start: float) -> int:
        return sum(start <= at < start + 1 for at in answered)

    before_per_s = statistics.median(per_s(began_at + begins_s - 1 - n / 4) for n in range(1, 6))
    # Two answers more or less in a second are how the second falls on their rounds.
    starts = (closed_at + 0.1 * step for step in range(200))
    full_at = next((at for at in starts if per_s(at) >= before_per_s - 2), None)
    return Outage(
        states=dict(query(project, "SELECT state, count(*) FROM task GROUP BY state")),
        opened_at=opened_at,
        closed_at=closed_at,
        # What went in the very moment of opening was decided before it.
        probes=[at for at, _, _ in attempts if opened_at + 0.1 < at < closed_at],
        before_per_s=before_per_s,
        full_after_s=None if full_at is None else full_at - closed_at,
        met=dict(
            query(
                project,
                "SELECT error_kind, count(*) FROM attempt WHERE error_kind IS NOT NULL GROUP BY 1",
            )
        ),
        counted=query(project, "SELECT sum(counted) FROM attempt")[0][0],
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """An outage and the run through it.

    Attributes:
        begins_s, lasts_s: Seconds since the first request.
        rows: So many that enough are left for ten seconds at full speed.
        timeout_s: After which a request that hangs is given up.
        probe_after_s: The pauses before each probe up to the one that is answered.
    """

    begins_s: float
    lasts_s: float
    rows: int
    timeout_s: float
    probe_after_s: tuple[float, ...]


SHORT = Plan(3, 3.5, 400, 1.5, (5.0,))
LONG = Plan(6, 300, 900, 5, (5.0, 10.0, 20.0, *[30.0] * 9))
MODES = ["503", "hang", "refuse"]
KINDS = {
    "503": {"overloaded"},
    "hang": {"read_timeout"},
    "refuse": {"connect_failed", "connection_reset"},
}


def run_through(folder: Path, plan: Plan) -> dict[str, tuple[Outage, Path]]:
    """Run through an outage of each mode, all at the same time."""
    servers, processes, projects = {}, {}, {}
    try:
        for mode in MODES:
            (home := folder / mode).mkdir()
            projects[mode] = home / "p.batchdesk"
            options = ["--outage", f"{plan.begins_s}:{plan.lasts_s}", "--outage-mode", mode]
            servers[mode] = PracticeServer("--latency", "0.5", *options)
            limits = f"timeout_read_s = {plan.timeout_s}\ntimeout_total_s = {plan.timeout_s}"
            words = a_job(home, servers[mode], plan.rows, limits)
            processes[mode] = start(*words, "--json", env={"TEST_KEY": KEY})
        for mode, process in processes.items():
            done = end_of(process, timeout_s=plan.lasts_s + 100)
            assert done.code == 0, (mode, done.err)
    finally:
        for server in servers.values():
            server.__exit__()
        for process in processes.values():
            if process.poll() is None:
                process.kill()
                process.communicate()
    return {mode: (looked_at(path, plan.begins_s), path) for mode, path in projects.items()}


def assert_survived(outage: Outage, plan: Plan, mode: str) -> None:
    gaps = [later - earlier for earlier, later in pairwise([outage.opened_at, *outage.probes])]
    print(
        f"\n{mode}: stopped sending {outage.closed_at - outage.opened_at:.1f} s, "
        f"{len(outage.probes)} probes after {', '.join(f'{gap:.1f}' for gap in gaps)} s; "
        f"{outage.before_per_s:.0f} answers a second before, as many again after "
        f"{outage.full_after_s} s; met {outage.met}; {outage.counted} tries counted"
    )
    assert outage.states == {"passed": plan.rows}
    assert outage.counted == plan.rows  # what fell into the outage was given back
    assert set(outage.met) <= KINDS[mode]
    for gap, least in zip(gaps, plan.probe_after_s, strict=False):
        assert least - 0.05 <= gap <= least + plan.timeout_s + 1  # one that hangs lasts so long
    assert outage.full_after_s is not None
    assert outage.full_after_s <= 10


@pytest.fixture(scope="module")
def short_outages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Outage, Path]]:
    return run_through(tmp_path_factory.mktemp("outages"), SHORT)


@pytest.mark.parametrize("mode", MODES)
def test_that_an_outage_loses_no_row_and_is_over_soon(short_outages, mode):
    outage, project = short_outages[mode]
    assert len(outage.probes) == 1
    assert_survived(outage, SHORT, mode)
    assert_sound(project)


@pytest.mark.benchmark
@pytest.mark.timeout(600)
def test_that_five_minutes_without_the_service_lose_no_row(tmp_path):
    for mode, (outage, project) in run_through(tmp_path, LONG).items():
        assert 8 <= len(outage.probes) <= 13
        assert_survived(outage, LONG, mode)
        assert_sound(project)
