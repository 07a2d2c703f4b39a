"""What ``status`` says of a run, depending on whether anybody carries it out."""

import asyncio
import contextlib
import json
import re
import sqlite3

from tests.unit.session.tables import a_job, a_table

from batchdesk.cli.main import main
from batchdesk.session import Session
from batchdesk.store.schema import STEPS


async def begun(folder, meanwhile):
    """A run that the project file takes for running; ``meanwhile`` is called while it is open."""
    session = await Session.open(folder / "p.batchdesk", create=True)
    try:
        await session.make_run(a_job(), await a_table(session, folder))
        await session._project.writer.run(_mark_as_running)
        await asyncio.to_thread(meanwhile)
    finally:
        await session.close()


def _mark_as_running(connection):
    connection.execute("UPDATE run SET state = 'running'")
    connection.execute("UPDATE task SET state = 'running' WHERE id = 1")


def test_that_a_run_that_nobody_carries_out_is_told_as_stopped_in_the_middle(tmp_path, capsys):
    project = str(tmp_path / "p.batchdesk")
    asyncio.run(begun(tmp_path, lambda: main(["status", project])))
    printed = capsys.readouterr().out
    assert "run 1, running with 3 rows to go\n" in printed
    assert "under way" in printed

    assert main(["status", project]) == 0
    printed = capsys.readouterr().out
    assert "run 1, stopped in the middle with 3 rows to go; resume goes on\n" in printed
    assert "under way" not in printed
    assert "Go on with:" in printed

    assert main(["status", project, "--json"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert (run["state"], run["running"], run["pending"]) == ("paused", 0, 3)


def taken_back(statement):
    """The statement that undoes one of a migration."""
    if added := re.match(r"\s*ALTER TABLE (\w+) ADD COLUMN (\w+)", statement):
        return f"ALTER TABLE {added[1]} DROP COLUMN {added[2]}"
    made = re.match(r"\s*CREATE (TABLE|INDEX|VIEW|TRIGGER) (\w+)", statement)
    assert made is not None, statement
    return f"DROP {made[1]} IF EXISTS {made[2]}"  # an index goes with its table


def aged(path):
    """Make a project what the first version would have left: without what was added since."""
    since = [statement for _, statements in STEPS[1:] for statement in statements]
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (
            *map(taken_back, reversed(since)),
            f"DELETE FROM _sqlite_migrations WHERE name <> '{STEPS[0][0]}'",
            "PRAGMA user_version = 1",
        ):
            connection.execute(statement)


def test_that_a_project_of_an_older_program_is_told_and_exported_without_changing_it(
    tmp_path, capsys
):
    project, target = tmp_path / "p.batchdesk", tmp_path / "out.csv"
    asyncio.run(begun(tmp_path, lambda: None))
    aged(project)
    before = project.read_bytes()

    assert main(["status", str(project), "--json"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert (run["pending"], run["limit_changes"], run["hold"]) == (3, [], None)
    assert run["lanes"] == {"fast": None, "slow": None}
    assert main(["dead", str(project)]) == 0
    assert capsys.readouterr().out == "Run 1 has no dead letters.\n"
    assert main(["export", str(project), "--to", str(target)]) == 0
    assert len(target.read_bytes().splitlines()) == 5
    assert project.read_bytes() == before

    assert main(["resume", str(project)]) == 0  # which brings the file up to date
    capsys.readouterr()
    assert main(["status", str(project), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["state"] == "finished"
