"""What ``status`` says of a run, depending on whether anybody carries it out."""

import asyncio
import json

from tests.unit.session.tables import a_job, a_table

from batchdesk.cli.main import main
from batchdesk.session import Session
from batchdesk.store import schema


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


def test_that_a_project_of_an_older_program_is_told_without_changing_it(
    tmp_path, capsys, monkeypatch
):
    project = tmp_path / "p.batchdesk"
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:2])  # before limits were kept
        asyncio.run(begun(tmp_path, lambda: None))
    before = project.read_bytes()

    assert main(["status", str(project), "--json"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert (run["limit_changes"], run["hold"]) == ([], None)
    assert run["lanes"] == {"fast": None, "slow": None}
    assert main(["dead", str(project)]) == 0
    assert capsys.readouterr().out == "Run 1 has no dead letters.\n"
    assert project.read_bytes() == before
