"""Dead letters and limits on the command line, through the whole program in this process."""

import asyncio
import csv
import json
from functools import partial
from pathlib import Path

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.cli.dead import dead_lines
from batchdesk.cli.main import main
from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind, RunState
from batchdesk.session import DeadKind, DeadLetter, Session
from batchdesk.store import meters

ROWS = b"id,text\nA,one\nB,two\nC,three\n"


@pytest.fixture
def project(tmp_path):
    """A finished run of three rows, two of them dead letters."""
    path = tmp_path / "p.batchdesk"

    async def make():
        session = await Session.open(path, create=True)
        run_id = await session.make_run(a_job(), await a_table(session, tmp_path, ROWS))
        await session._project.writer.run(_bury)
        figures = {"hold": "pace", "limit": 40, "pinned": False, "fast": {"buffered": 3}}
        figures |= {"p50_s": 0.5, "p95_s": 1.5, "run_p50_s": 0.6, "run_p99_s": 3.0}
        change = LimitChange(5.0, LimitKind.PACE, None, 12.5, LimitReason.REFUSED)
        await session._project.writer.run(
            partial(meters.add, run_id=run_id, at=1.0, figures={"hold": "nothing"})
        )
        await session._project.writer.run(
            partial(meters.add, run_id=run_id, at=2.0, figures=figures)
        )
        await session._project.writer.run(
            partial(meters.add_limit_changes, run_id=run_id, changes=[change])
        )
        await session.close()

    asyncio.run(make())
    return str(path)


def _bury(connection):
    connection.execute(
        "UPDATE task SET state = 'dead', error_kind = 'server_error', error_message = 'down',"
        " attempts = 5 WHERE id = 1"
    )
    connection.execute(
        "UPDATE task SET state = 'dead', error_kind = 'bad_request', error_message = 'no such"
        " thing', attempts = 1 WHERE id = 2"
    )
    connection.execute("UPDATE task SET state = 'rejected' WHERE id = 3")
    connection.execute("UPDATE run SET state = 'finished', finished_at = 9.0")


def json_of(capsys, *words):
    assert main(list(words)) == 0
    return json.loads(capsys.readouterr().out)


def run_of(project):
    async def look():
        session = await Session.open(Path(project), read_only=True)
        try:
            return await session.run(1), await session.dead_letters(1)
        finally:
            await session.close()

    return asyncio.run(look())


def test_that_dead_letters_are_shown_by_kind_with_their_rows(project, capsys):
    assert main(["dead", project]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:7] == [
        "Run 1: 2 dead letters",
        "",
        "  1 × bad_request (request refused); the last: no such thing",
        "  1 × server_error (service error); the last: down",
        "",
        "  task 1  row A  server_error, sent 5 ×: down",
        "  task 2  row B  bad_request, sent 1 ×: no such thing",
    ]
    assert printed[-1].endswith(f'rerun "{project}" --run 1')


def test_that_dead_letters_are_one_json_object(project, capsys):
    found = json_of(capsys, "dead", project, "--kind", "server_error", "--json")
    assert found == {
        "project": project,
        "run": 1,
        "dead": 1,
        "kinds": {"server_error": {"count": 1, "last_message": "down"}},
        "letters": [
            {"task": 1, "row": "A", "kind": "server_error", "message": "down", "attempts": 5}
        ],
    }
    assert json_of(capsys, "dead", project, "--json")["dead"] == 2
    assert json_of(capsys, "dead", project, "--kind", "auth", "--json")["letters"] == []


def test_that_dead_letters_are_written_to_a_file_and_not_over_another(project, tmp_path, capsys):
    target = tmp_path / "dead.csv"
    assert main(["dead", project, "--to", str(target)]) == 0
    assert capsys.readouterr().out == f"2 dead letters of run 1 are in {target}\n"
    with target.open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert [(row["id"], row["batchdesk.error_kind"]) for row in found] == [
        ("A", "server_error"),
        ("B", "bad_request"),
    ]
    assert main(["dead", project, "--to", str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    words = ["dead", project, "--to", str(target), "--kind", "bad_request", "--force"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("1 dead letters")


@pytest.mark.parametrize(
    ("words", "told", "left"),
    [
        ([], "2 rows of run 1 will be asked again.", set()),
        (["--kind", "server_error"], "1 row of run 1 will be asked again.", {"bad_request"}),
        (["--task", "2", "3"], "1 row of run 1 will be asked again.", {"server_error"}),
        (["--run", "1", "--task", "1"], "1 row of run 1 will be asked again.", {"bad_request"}),
    ],
)
def test_that_what_is_chosen_is_put_back_and_the_run_can_be_resumed(
    project, capsys, words, told, left
):
    assert main(["rerun", project, *words]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == told
    assert second.endswith(f'resume "{project}" --run 1')
    run, kinds = run_of(project)
    assert run.state is RunState.STOPPED
    assert set(kinds) == left


def test_that_putting_nothing_back_changes_nothing(project, capsys):
    assert main(["rerun", project, "--kind", "auth"]) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert run_of(project)[0].state is RunState.FINISHED


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rerun", "p", "--kind", "none"], "'none' is no kind of failure; the kinds are"),
        (["rerun", "p", "--kind", "auth", "--task", "1"], "not allowed with argument"),
        (["rerun", "p", "--task", "0"], "'0' is not a whole number from 1 up"),
        (["run", "j", "--concurrency", "0"], "'0' is neither auto nor a whole number"),
        (["run", "j", "--concurrency", "many"], "'many' is neither auto nor a whole number"),
        (["run", "j", "--concurrency", "1001"], "'1001' is neither auto nor a whole number"),
        (["resume", "p", "--rpm", "0"], "'0' is not a whole number from 1 up"),
        (["resume", "p", "--tpm", "1.5"], "'1.5' is not a whole number from 1 up"),
    ],
)
def test_that_a_wrong_choice_is_told_in_a_sentence(capsys, words, told):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_that_a_run_that_is_not_there_is_told(project, capsys):
    assert main(["dead", project, "--run", "7"]) == 2
    assert "There is no run 7" in capsys.readouterr().err
    assert main(["rerun", project, "--run", "7"]) == 2
    assert "There is no run 7" in capsys.readouterr().err


def test_that_only_the_first_letters_are_listed_and_the_rest_counted():
    kinds = {ErrorKind.SERVER_ERROR: DeadKind(1300, "")}
    letters = [DeadLetter(7, 7, "k", {}, ErrorKind.SERVER_ERROR, "", 0, None)]
    assert dead_lines(3, kinds, letters) == [
        "Run 3: 1,300 dead letters",
        "",
        "  1,300 × server_error (service error)",
        "",
        "  task 7  row k  server_error, never sent",
        "  … and 1,299 more: --to FILE writes all of them",
    ]
    assert dead_lines(3, {}, []) == ["Run 3 has no dead letters."]
    assert dead_lines(3, {}, [], ErrorKind.AUTH) == ["Run 3 has no dead letters of kind auth."]


def test_that_status_tells_what_held_a_run_back_and_every_change_of_its_limits(project, capsys):
    [run] = json_of(capsys, "status", project, "--json")["runs"]
    assert (run["hold"], run["limit"], run["pinned"]) == ("pace", 40, False)
    assert run["lanes"] == {"fast": {"buffered": 3}, "slow": None}
    assert run["latency"] == {
        "last_minute": {"p50_s": 0.5, "p95_s": 1.5, "p99_s": None},
        "since_start": {"p50_s": 0.6, "p95_s": None, "p99_s": 3.0},
        "first_token_p50_s": None,
        "own_queue_p50_s": None,
    }
    assert run["limit_changes"] == [
        {"at": 5.0, "what": "pace", "old": None, "new": 12.5, "reason": "refused"}
    ]
    assert main(["status", project]) == 0
    words = "limits        1 change: requests per minute none → 750: the service refused"
    assert words in capsys.readouterr().out


def test_that_limits_of_the_command_line_stand_above_the_jobs_and_leave_it_as_it_is(
    tmp_path, capsys
):
    (tmp_path / "t.csv").write_bytes(ROWS)
    job = tmp_path / "j.toml"
    job.write_text(
        'name = "j"\n[data]\npath = "t.csv"\n[provider]\npreset = "practice"\n'
        "practice = { latency_s = 0 }\n"
        '[[stages]]\nname = "s"\nuser = "{{ text }}"\n[limits]\nconcurrency = 3\nrpm = 90000\n'
    )
    project = str(tmp_path / "p.batchdesk")
    words = ["run", str(job), "--project", project]
    assert main([*words, "--concurrency", "5", "--tpm", "7000000"]) == 0
    assert main([*words, "--concurrency", "auto", "--rpm", "80000"]) == 0
    capsys.readouterr()

    async def look():
        session = await Session.open(Path(project), read_only=True)
        try:
            jobs = await session.jobs()
            return jobs, [await session.latest_figures(id_) for id_ in (1, 2)]
        finally:
            await session.close()

    jobs, (fixed, by_itself) = asyncio.run(look())
    assert [(one.version, one.job.limits.concurrency, one.job.limits.tpm) for one in jobs] == [
        (1, 3, None)
    ]
    assert (fixed["pinned"], fixed["limit"]) == (True, 5)
    assert by_itself["pinned"] is False
    # Of 99 % of what is told: the job's own where the command line names none.
    told = [one["permitted_requests_per_s"] for one in (fixed, by_itself)]
    assert told == [pytest.approx(0.99 * 1500), pytest.approx(0.99 * 80000 / 60, rel=1e-4)]
