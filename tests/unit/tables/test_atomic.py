"""A target is either whole or untouched."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest
from tests.permissions import bound

from batchdesk.errors import TableError
from batchdesk.tables.atomic import AtomicFile


def test_that_the_target_appears_only_at_the_end(tmp_path):
    target = tmp_path / "out.csv"
    with AtomicFile(target) as file:
        file.write(b"abc")
        assert not target.exists()
        assert len(list(tmp_path.iterdir())) == 1
    assert target.read_bytes() == b"abc"
    assert list(tmp_path.iterdir()) == [target]


def test_that_an_exception_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "out.csv"
    target.write_bytes(b"old")

    def fail() -> None:
        with AtomicFile(target) as file:
            file.write(b"new")
            raise KeyError("stop")

    with pytest.raises(KeyError):
        fail()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_that_a_target_held_open_by_a_spreadsheet_is_named(tmp_path, monkeypatch):
    target = tmp_path / "out.csv"
    target.write_bytes(b"old")

    def held(source, destination):
        raise PermissionError(errno.EACCES, "in use", str(destination))

    monkeypatch.setattr(os, "replace", held)
    with (
        pytest.raises(TableError, match=r"^out\.csv could not be replaced: another program"),
        AtomicFile(target) as file,
    ):
        file.write(b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_that_a_full_disk_is_named_and_leaves_nothing(tmp_path, monkeypatch, code):
    def full(_descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(TableError, match=r"^The disk is full: out\.csv was not written"),
        AtomicFile(tmp_path / "out.csv") as file,
    ):
        file.write(b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a Linux device")
def test_that_a_disk_that_fills_while_writing_is_named(tmp_path, monkeypatch):
    real_open = Path.open
    monkeypatch.setattr(Path, "open", lambda _path, _mode: real_open(Path("/dev/full"), "wb"))
    with (
        pytest.raises(TableError, match=r"^The disk is full"),
        AtomicFile(tmp_path / "out.csv") as file,
    ):
        file.write(b"x" * 1_000_000)


def test_that_other_errors_give_the_systems_reason(tmp_path, monkeypatch):
    def broken(_descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with (
        pytest.raises(TableError, match=r"^out\.csv could not be written: Input/output error"),
        AtomicFile(tmp_path / "out.csv") as file,
    ):
        file.write(b"new")


def test_that_a_missing_folder_and_a_folder_as_target_are_named(tmp_path):
    with pytest.raises(TableError, match=r"^The folder .*nowhere does not exist"):
        AtomicFile(tmp_path / "nowhere" / "out.csv").__enter__()
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(TableError, match=r"^dir\.csv is a folder"):
        AtomicFile(tmp_path / "dir.csv").__enter__()


def test_that_a_folder_that_may_not_be_written_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with (
        bound(),
        pytest.raises(TableError, match=r"^Nothing may be written to the folder"),
    ):
        AtomicFile(tmp_path / "out.csv").__enter__()


@pytest.mark.skipif(sys.platform == "win32", reason="needs permission bits and links")
def test_that_permissions_and_links_of_the_old_file_stay(tmp_path):
    target, link = tmp_path / "real.csv", tmp_path / "link.csv"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    with AtomicFile(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_that_writing_outside_of_the_with_block_is_a_bug(tmp_path):
    with pytest.raises(RuntimeError):
        AtomicFile(tmp_path / "out.csv").write(b"x")
