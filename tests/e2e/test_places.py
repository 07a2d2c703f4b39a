"""Places that a project cannot live in: a full disk, a folder without permission to write."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.harness import (
    Done,
    PracticeServer,
    assert_nothing_lost,
    assert_sound,
    batchdesk,
    committed,
    job_text,
    sample_rows,
    sentences,
    write_table,
)
from tests.permissions import with_bound_children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs mount and chmod")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if (
        shutil.which("mount") is None
        or subprocess.run(words, check=False, capture_output=True).returncode
    ):
        pytest.skip("a small file system can be mounted by the administrator only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_that_a_full_disk_pauses_the_run_and_more_space_finishes_it(tmp_path, small_disk):
    rows = [(key, f"{text} {'long ' * 150}") for key, text in sample_rows(600)]
    table = write_table(tmp_path / "long.csv", rows, ("id", "text"))
    project = small_disk / "p.batchdesk"
    with PracticeServer("--latency", "0.05") as server:
        data = f"path = {str(table)!r}\nkey = 'id'"
        (tmp_path / "job.toml").write_text(job_text(server.base_url, data=data), encoding="utf-8")
        done = batchdesk("run", tmp_path / "job.toml", "--project", project)
        assert "Traceback" not in done.err
        assert done.code == 3, done.err
        assert "Paused: The project file cannot grow: the disk is full" in done.out
        before = committed(project)
        assert 0 < len(before.settled) < 600
        still_full = batchdesk("status", project, "--json")
        assert still_full.code == 0
        subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
        resumed = batchdesk("resume", project, "--json")
        stats = server.stats()
    assert resumed.code == 0, resumed.err
    assert resumed.json["passed"] == 600
    assert_nothing_lost(before, committed(project))
    assert_sound(project)
    assert stats["rows_billed_twice"] <= 50
    assert batchdesk("export", project, "--to", small_disk / "out.csv").code == 0


def test_that_a_disk_too_small_for_the_table_is_named(tmp_path, small_disk):
    rows = [(key, f"{text} {'long ' * 150}") for key, text in sample_rows(5000)]
    table = write_table(tmp_path / "long.csv", rows, ("id", "text"))
    data = f"path = {str(table)!r}"
    (tmp_path / "job.toml").write_text(job_text("http://127.0.0.1:9/v1", data=data), "utf-8")
    done = batchdesk("run", tmp_path / "job.toml", "--project", small_disk / "p.batchdesk")
    assert done.code == 2
    assert len(sentences(done)) == 1
    assert "the disk is full" in sentences(done)[0]
    assert "Traceback" not in done.err


def bound_batchdesk(*words: object) -> Done:
    """Run the program as somebody whom permissions bind, whoever runs the tests."""
    return with_bound_children(lambda: batchdesk(*words))


def test_that_a_folder_without_permission_is_named(quick_server, tmp_path):
    project = tmp_path / "p.batchdesk"
    target = tmp_path / "out.csv"
    write_table(tmp_path / "table.csv", sample_rows(3), ("id", "text"))
    job = tmp_path / "job.toml"
    job.write_text(job_text(quick_server.base_url, data='path = "table.csv"'), encoding="utf-8")
    tmp_path.chmod(0o555)
    done = bound_batchdesk("run", job, "--project", project)
    assert done.code == 2, done.err
    assert sentences(done) == [
        (
            f"batchdesk: Batchdesk may not write in the folder {tmp_path} (Permission denied). "
            "Choose another folder for the project file."
        )
    ]
    tmp_path.chmod(0o755)
    assert batchdesk("run", job, "--project", project).code == 0
    tmp_path.chmod(0o555)
    exported = bound_batchdesk("export", project, "--to", target)
    assert exported.code == 2, exported.err
    assert len(exported.err.splitlines()) == 1
    assert "Traceback" not in exported.err
    assert not target.exists()
    looked = bound_batchdesk("status", project)  # SQLite may need to write there
    assert looked.code == 0 or len(looked.err.splitlines()) == len(sentences(looked)) == 1
