"""The install scripts' decisions, and what the lock files promise."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
PACKAGING = CHECKOUT / "packaging"
LOCKS = ["requirements.lock", "requirements-dev.lock", "weights.lock"]


def load(name, monkeypatch):
    """A script of packaging/, which is no package, as a module."""
    spec = importlib.util.spec_from_file_location(name, PACKAGING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def environment(monkeypatch):
    return load("environment", monkeypatch)


@pytest.fixture
def run(environment, monkeypatch):
    return load("run", monkeypatch)


def requirements(lock):
    """Name → whole entry of a lock file."""
    text = (PACKAGING / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {line.split("==")[0]: line for line in lines}


@pytest.mark.parametrize("lock", LOCKS)
def test_that_a_lock_pins_and_hashes_everything_and_names_no_address(lock):
    entries = requirements(lock)
    assert entries
    for entry in entries.values():
        assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry), entry
        assert "://" not in entry


def test_that_the_checks_run_with_the_versions_that_people_run():
    def pin(entry):
        return entry.split(" ")[0]  # the tools may want a package on more systems

    dev = requirements("requirements-dev.lock")
    for name, entry in requirements("requirements.lock").items():
        assert pin(dev[name]) == pin(entry)


def test_that_every_declared_dependency_is_locked():
    declared = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    run_time = declared["project"]["dependencies"]
    local = declared["project"]["optional-dependencies"]["local"]
    dev = declared["dependency-groups"]["dev"]

    def missing(wanted, lock):
        return [line for line in wanted if re.split(r"[>=<;\[ ]", line)[0].lower() not in lock]

    assert missing(run_time + local, requirements("requirements.lock")) == []
    assert missing(run_time + local + dev, requirements("requirements-dev.lock")) == []


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ([], []),
        (["--headless"], []),
        (["--", "status", "a.batchdesk"], ["status", "a.batchdesk"]),
        (["--", "--version"], ["--version"]),
        (["status", "a.batchdesk", "--json"], ["status", "a.batchdesk", "--json"]),
        (["--headless", "--limit", "5", "--", "run", "--limit", "9"], ["run", "--limit", "9"]),
    ],
)
def test_that_what_follows_the_dashes_goes_to_batchdesk(run, arguments, command):
    assert run.split(arguments)[1] == command


def test_that_an_unknown_option_is_refused(run, capsys):
    with pytest.raises(SystemExit, match="2"):
        run.split(["--colour"])
    assert "--colour" in capsys.readouterr().err


def test_that_the_sample_goes_into_a_new_project_file_named_by_its_time(run, tmp_path):
    now = datetime.fromisoformat("2026-11-29T17:05:09+00:00")
    command = run.sample_command(run.made(tmp_path / "new"), 60, now)
    assert command == [
        "run",
        str(CHECKOUT / "resources" / "samples" / "reviews-en.toml"),
        "--limit",
        "60",
        "--project",
        str(tmp_path / "new" / "sample-2026-11-29-170509.batchdesk"),
    ]
    assert (tmp_path / "new").is_dir()


def test_that_the_window_opens_on_a_project_filled_with_the_sample(run, tmp_path):
    assert run.window_command(tmp_path) == [
        "window",
        str(tmp_path / "Review sentiment.batchdesk"),
        "--sample",
        "reviews-en",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there it is run.ps1")
def test_that_batchdesk_is_told_the_command_that_a_person_types(run, tmp_path, monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    assert run.own_command() == "bash packaging/run.sh --"
    monkeypatch.chdir(tmp_path)
    script = shlex.quote(str(CHECKOUT / "packaging" / "run.sh"))
    assert run.own_command() == f"bash {script} --"


@pytest.fixture
def wanted(environment, tmp_path):
    lock = tmp_path / "some.lock"
    lock.write_text("one==1\n", encoding="utf-8")
    return environment.Environment(folder=tmp_path / "env", lock=lock, variable="SOME_VENV")


def finish(environment, wanted, stamp):
    wanted.python.parent.mkdir(parents=True)
    wanted.python.touch()
    (wanted.folder / "batchdesk-stamp").write_text(stamp, encoding="ascii")


def test_that_an_environment_without_its_stamp_is_not_whole(environment, wanted):
    wanted.python.parent.mkdir(parents=True)
    wanted.python.touch()
    assert not environment.is_whole(wanted, environment.stamp_of(wanted.lock))


def test_that_a_changed_lock_makes_an_environment_outdated(environment, wanted):
    finish(environment, wanted, environment.stamp_of(wanted.lock))
    assert environment.is_whole(wanted, environment.stamp_of(wanted.lock))
    wanted.lock.write_text("one==2\n", encoding="utf-8")
    assert not environment.is_whole(wanted, environment.stamp_of(wanted.lock))


def test_that_an_environment_whose_python_is_gone_is_not_whole(environment, wanted):
    stamp = environment.stamp_of(wanted.lock)
    finish(environment, wanted, stamp)
    wanted.python.unlink()
    assert not environment.is_whole(wanted, stamp)


def test_that_a_folder_with_other_things_in_it_is_left_alone(environment, wanted):
    wanted.folder.mkdir()
    (wanted.folder / "thesis.doc").touch()
    with pytest.raises(environment.SetupError, match=r"SOME_VENV"):
        environment.ensure(wanted)
    assert [entry.name for entry in wanted.folder.iterdir()] == ["thesis.doc"]
