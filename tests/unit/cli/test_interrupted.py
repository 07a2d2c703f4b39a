"""What the command line says when it can do nothing: stopped early, or nothing to go on with."""

import argparse
import runpy

import pytest

from batchdesk.cli import commands
from batchdesk.cli.main import main
from batchdesk.errors import ProjectError
from batchdesk.session import Session


async def interrupted(arguments: argparse.Namespace) -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "job.toml"], "Stopped before anything was read."),
        (["run", "job.toml", "--project", "new.batchdesk"], "Stopped before anything was read."),
        (
            ["run", "old.toml"],
            "Stopped. What was kept is in the project; the same command begins again.",
        ),
        (["status", "old.batchdesk"], "Stopped."),
    ],
)
def test_that_an_early_stop_is_told(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.batchdesk").touch()
    monkeypatch.setattr(commands, words[0], interrupted)
    assert main(words) == 3
    assert capsys.readouterr().err == f"batchdesk: {said}\n"


async def test_that_a_project_without_a_run_has_nothing_to_resume(tmp_path):
    project = tmp_path / "p.batchdesk"
    session = await Session.open(project, create=True)
    await session.close()
    with pytest.raises(ProjectError) as caught:
        await commands.resume(argparse.Namespace(project=project, run=None))
    assert str(caught.value) == (
        "No run of this project was finished being made. Start it with `batchdesk run`."
    )


def test_that_a_stop_while_the_program_loads_is_told(monkeypatch, capsys):
    def main_interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("batchdesk.cli.main", main_interrupted)
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("batchdesk", run_name="__main__")
    assert caught.value.code == 3
    assert capsys.readouterr().err == "batchdesk: Stopped before anything was read.\n"
