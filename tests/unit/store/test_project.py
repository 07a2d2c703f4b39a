from __future__ import annotations

import asyncio
import sqlite3
import sys
from functools import partial
from pathlib import Path

import pytest
from tests.unit.store.files import add_run
from tests.unit.store.processes import child, digest, made

from batchdesk import paths
from batchdesk.domain.task import TaskState
from batchdesk.errors import ProjectError
from batchdesk.store import project as project_module
from batchdesk.store import runs, schema
from batchdesk.store.lock import ProjectLock, is_held
from batchdesk.store.place import risk_of
from batchdesk.store.project import Project

# -- making and opening -------------------------------------------------------------------------


async def test_that_a_new_project_is_a_file_that_other_programs_can_name(path):
    await made(path)
    header = path.read_bytes()[:100]
    assert header[:16] == b"SQLite format 3\x00"
    assert header[68:72] == b"BtDe"
    assert int.from_bytes(header[60:64]) == schema.version()
    assert not path.with_name("p.batchdesk.new").exists()


async def test_that_a_project_keeps_its_uid_and_what_was_written(path):
    first = await Project.open(path, create=True)
    await first.writer.run(partial(add_run, count=3))
    await first.close()
    second = await Project.open(path)
    assert second.uid == first.uid
    assert len(second.uid) == 12
    assert await second.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 3}
    await second.close()


async def test_that_two_projects_never_share_a_uid(tmp_path):
    uids = set()
    for name in ("a.batchdesk", "b.batchdesk"):
        project = await Project.open(tmp_path / name, create=True)
        uids.add(project.uid)
        await project.close()
    assert len(uids) == 2


async def test_that_create_opens_what_is_there_and_empties_nothing(path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=3))
    await project.close()
    again = await Project.open(path, create=True)
    assert again.uid == project.uid
    assert await again.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 3}
    await again.close()


async def test_that_an_empty_file_is_made_a_project_only_when_asked(path):
    path.touch()
    with pytest.raises(ProjectError, match="is not a Batchdesk project"):
        await Project.open(path)
    assert path.read_bytes() == b""
    await made(path)
    assert path.stat().st_size > 0


async def test_that_a_missing_file_is_said_and_not_made(path):
    with pytest.raises(ProjectError, match="There is no project file"):
        await Project.open(path)
    assert list(path.parent.iterdir()) == []


async def test_that_a_missing_folder_is_said_and_not_made(tmp_path):
    with pytest.raises(ProjectError, match="There is no folder"):
        await Project.open(tmp_path / "no" / "p.batchdesk", create=True)
    assert list(tmp_path.iterdir()) == []


async def test_that_a_folder_is_not_a_project(tmp_path):
    with pytest.raises(ProjectError, match="is a folder"):
        await Project.open(tmp_path, create=True)


@pytest.mark.parametrize("content", [b"id,text\n1,hello\n", b"\x00" * 4096, b"SQLite format 3\x00"])
async def test_that_another_kind_of_file_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    for options in ({}, {"create": True}, {"read_only": True}):
        with pytest.raises(ProjectError, match="is not a Batchdesk project"):
            await Project.open(path, **options)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == ["p.batchdesk"]


async def test_that_another_program_s_database_is_refused(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (n)")
    connection.close()
    before = digest(path)
    with pytest.raises(ProjectError, match="is not a Batchdesk project"):
        await Project.open(path)
    assert digest(path) == before


async def test_that_a_newer_file_is_refused_unread_and_unchanged(path):
    await made(path)
    content = bytearray(path.read_bytes())
    content[60:64] = (schema.version() + 1).to_bytes(4)
    content[100:] = b"\xff" * (len(content) - 100)  # nothing behind the header can be read
    path.write_bytes(content)
    for options in ({}, {"create": True}, {"read_only": True}):
        with pytest.raises(ProjectError, match="made by a newer Batchdesk"):
            await Project.open(path, **options)
    assert path.read_bytes() == bytes(content)


async def test_that_a_newer_version_that_lies_in_the_log_only_is_refused_too(path):
    await made(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(f"PRAGMA user_version = {schema.version() + 1}")
    with pytest.raises(ProjectError, match="made by a newer Batchdesk"):
        await Project.open(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.version() + 1,)
    connection.close()


async def test_that_a_damaged_file_is_said_and_the_lock_given_back(path):
    await made(path)
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    for _ in range(2):
        with pytest.raises(ProjectError, match="damaged"):
            await Project.open(path)


async def test_that_a_project_open_twice_in_one_process_is_refused(path):
    project = await Project.open(path, create=True)
    with pytest.raises(ProjectError, match="open in another window"):
        await Project.open(path)
    await project.close()
    again = await Project.open(path)
    await again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right that few have there")
@pytest.mark.parametrize("linked", ["file", "folder"])
async def test_that_a_project_open_under_another_name_is_refused(tmp_path, linked):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "p.batchdesk"
    project = await Project.open(path, create=True)
    link = tmp_path / "link"
    link.symlink_to(path if linked == "file" else folder)
    other = link if linked == "file" else link / "p.batchdesk"
    with pytest.raises(ProjectError, match="open in another window"):
        await Project.open(other)
    await project.close()
    project = await Project.open(other)
    assert project.path == other
    await project.close()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right that few have there")
async def test_that_a_project_is_made_where_a_link_leads(tmp_path):
    link = tmp_path / "link.batchdesk"
    link.symlink_to(tmp_path / "p.batchdesk")
    await made(link)
    assert link.is_symlink()
    assert (tmp_path / "p.batchdesk").read_bytes()[:15] == b"SQLite format 3"


async def test_that_leftovers_of_a_file_that_is_gone_are_set_aside_and_not_read(path):
    await made(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE project SET uid = 'another file'")
    connection.commit()
    log = path.with_name("p.batchdesk-wal").read_bytes()
    connection.close()
    path.unlink()
    for name in ("-wal", "-shm", "-journal", ".lost-wal"):
        path.with_name(f"p.batchdesk{name}").write_bytes(log)
    project = await Project.open(path, create=True)
    assert project.uid != "another file"
    await project.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "p.batchdesk", "p.batchdesk.lock", "p.batchdesk.lost-journal", "p.batchdesk.lost-shm",
        "p.batchdesk.lost-wal", "p.batchdesk.lost-wal-2",
    ]  # fmt: skip
    assert path.with_name("p.batchdesk.lost-wal-2").read_bytes() == log


HOLDER = """
    import asyncio, sys
    from pathlib import Path
    from batchdesk.store.project import Project
    async def main():
        project = await Project.open(Path(sys.argv[1]), create=True)
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await project.close()
    asyncio.run(main())
"""


async def test_that_a_project_held_by_another_process_is_refused_until_that_ends(path):
    holder = child(HOLDER, path)
    try:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(ProjectError, match="open in another window"):
            await Project.open(path)
        holder.communicate("\n", timeout=30)
        project = await Project.open(path)
        await project.close()
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="there a lock in use cannot be deleted")
async def test_that_a_lock_that_is_cleared_away_lets_no_other_process_in(path):
    holder = child(HOLDER, path)
    try:
        assert holder.stdout.readline() == "open\n"
        path.with_name("p.batchdesk.lock").unlink()
        assert is_held(path)
        for _ in range(2):  # the first try makes the file anew
            with pytest.raises(ProjectError, match="open in another window"):
                await Project.open(path)
        holder.communicate("\n", timeout=30)
        assert not is_held(path)
        project = await Project.open(path)
        assert is_held(path)
        await project.close()
    finally:
        holder.kill()
        holder.communicate()


async def test_that_a_user_without_a_folder_of_their_own_has_the_lock_beside_the_file(
    path, monkeypatch
):
    def none():
        raise PermissionError

    monkeypatch.setattr(paths, "user_data", none)
    project = await Project.open(path, create=True)
    assert is_held(path)
    with pytest.raises(ProjectError, match="open in another window"):
        await Project.open(path)
    await project.close()
    assert not is_held(path)


async def test_that_no_lock_stays_in_the_folder_of_the_user(path, tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "user_data", lambda: tmp_path)
    project = await Project.open(path, create=True)
    assert len(list((tmp_path / "locks").iterdir())) == 1
    await project.close()
    assert list((tmp_path / "locks").iterdir()) == []


async def test_that_a_killed_process_leaves_no_lock(path):
    holder = child(HOLDER, path)
    assert holder.stdout.readline() == "open\n"
    holder.kill()
    holder.communicate()
    project = await Project.open(path)
    await project.close()


async def test_that_two_processes_that_make_one_file_at_once_do_not_undo_each_other(
    path, monkeypatch
):
    # The other one makes the file after this one looked and before it has the lock.
    take = ProjectLock.take
    uids = []

    def late(lock_path):
        monkeypatch.setattr(ProjectLock, "take", take)
        other = Project._open(path, create=True, read_only=False)
        uids.append(other.uid)
        other._close()
        return take(lock_path)

    monkeypatch.setattr(ProjectLock, "take", late)
    project = await Project.open(path, create=True)
    assert project.uid == uids[0]
    await project.close()


async def test_that_reading_only_works_while_another_writes_and_changes_nothing(path):
    writing = await Project.open(path, create=True)
    await writing.writer.run(partial(add_run, count=2))
    reading = await Project.open(path, read_only=True)
    assert (reading.writable, writing.writable) == (False, True)
    assert reading.uid == writing.uid
    with pytest.raises(ProjectError, match="reading only"):
        _ = reading.writer
    assert await reading.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 2}
    await writing.writer.run(partial(add_run, count=5))
    assert await reading.read(partial(runs.counts, run_id=2)) == {TaskState.PENDING: 5}

    def write(connection):
        connection.execute("DELETE FROM task")

    with pytest.raises(ProjectError, match="read-only"):
        await reading.read(write)
    await reading.close()
    await writing.close()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right that few have there")
async def test_that_a_project_is_read_where_nothing_may_be_written(path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=2))
    await project.close()
    path.with_name("p.batchdesk-shm").symlink_to("nowhere")  # SQLite follows no link there
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        project_module._connect_by_uri(path, "mode=ro")
    reading = await Project.open(path, read_only=True)
    assert await reading.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 2}
    with reading.frozen() as connection:
        assert runs.counts(connection, 1) == {TaskState.PENDING: 2}
    await reading.close()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right that few have there")
async def test_that_a_log_is_not_left_out_where_nothing_may_be_written(path):
    await made(path)
    path.with_name("p.batchdesk-shm").symlink_to("nowhere")
    path.with_name("p.batchdesk-wal").write_bytes(b"something")
    with pytest.raises(ProjectError, match="Copy it, with the file beside it"):
        await Project.open(path, read_only=True)


async def test_that_a_bug_in_a_reading_operation_is_not_its_own_cause(path):
    project = await Project.open(path, create=True)
    with pytest.raises(sqlite3.OperationalError, match="no such table") as raised:
        await project.read(lambda connection: connection.execute("SELECT * FROM absent"))
    assert raised.value.__cause__ is None
    await project.close()


async def test_that_a_frozen_view_shows_one_state_however_long_it_is_read(path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=2))
    with project.frozen() as connection:
        assert runs.counts(connection, 1) == {TaskState.PENDING: 2}
        await project.writer.run(partial(add_run, count=5))
        assert len(runs.runs(connection)) == 1
    assert len(await project.read(runs.runs)) == 2
    await project.close()


async def test_that_reads_go_on_side_by_side_and_close_waits_for_them(path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=200))
    reads = [asyncio.create_task(project.read(partial(runs.counts, run_id=1))) for _ in range(50)]
    await asyncio.sleep(0)
    await project.close()
    assert [await read for read in reads] == [{TaskState.PENDING: 200}] * 50
    await project.close()  # once more is fine


async def test_that_the_file_is_set_up_for_durability(path):
    project = await Project.open(path, create=True)

    def pragmas(connection):
        return [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert await project.writer.run(pragmas) == ["wal", 2, 1]  # 2: FULL
    await project.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "p.batchdesk",
        "p.batchdesk.lock",
    ]


# -- copies and risky places --------------------------------------------------------------------


async def test_that_a_copy_is_whole_while_the_project_is_written(path, tmp_path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=3))
    await project.copy_to(tmp_path / "copy.batchdesk")
    await project.close()
    copy = await Project.open(tmp_path / "copy.batchdesk")
    assert await copy.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 3}
    await copy.close()


async def test_that_a_copy_that_cannot_be_written_is_said(path, tmp_path):
    project = await Project.open(path, create=True)
    with pytest.raises(ProjectError, match="cannot be written"):
        await project.copy_to(tmp_path / "no" / "copy.batchdesk")
    await project.close()


@pytest.mark.parametrize(
    ("folder", "risk"),
    [
        ("/home/me/Dropbox/work", "sync"),
        ("/home/me/OneDrive - Firm/work", "sync"),
        ("/Users/me/Library/Mobile Documents/com~apple~CloudDocs", "sync"),
        ("/home/me/坚果云/x", "sync"),
        ("//server/share/x", "network"),
        ("/home/me/documents", None),
        ("/home/me/my-dropbox-notes", None),
    ],
)
def test_that_risky_folders_are_recognised_by_name(folder, risk):
    assert risk_of(Path(folder) / "p.batchdesk") == risk


def test_that_network_mounts_are_recognised(monkeypatch):
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\n"
        "server:/x /mnt/team\\040files nfs4 rw 0 0\n"
        "/dev/sdb1 /mnt/team\\040files/local ext4 rw 0 0\n"
    )
    monkeypatch.setattr(sys, "platform", "linux")
    read_text = Path.read_text

    def faked(path, *arguments, **options):
        return mounts if str(path) == "/proc/mounts" else read_text(path, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", faked)
    assert risk_of(Path("/mnt/team files/a/p.batchdesk")) == "network"
    assert risk_of(Path("/mnt/team files/local/p.batchdesk")) is None
    assert risk_of(Path("/mnt/other/p.batchdesk")) is None


# -- the file is taken away while it is open ------------------------------------------------------


def taken_away(path):
    path.rename(path.with_name("moved.batchdesk"))


def deleted(path):
    path.unlink()


def replaced(path):
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
@pytest.mark.parametrize("change", [taken_away, deleted, replaced])
async def test_that_nothing_is_saved_in_a_file_that_is_no_longer_at_its_path(path, change):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=1))
    change(path)
    with pytest.raises(ProjectError, match="moved, deleted or replaced"):
        await project.writer.run(partial(add_run, count=2))
    with pytest.raises(ProjectError, match="moved, deleted or replaced"):
        await project.read(runs.runs)
    await project.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
async def test_that_a_moved_file_has_all_that_was_saved_and_goes_on_when_it_is_back(path):
    moved = path.with_name("moved.batchdesk")
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=1))
    path.rename(moved)
    with pytest.raises(ProjectError, match="moved"):
        await project.writer.run(partial(add_run, count=2))
    copy = await Project.open(moved, read_only=True)
    assert await copy.read(partial(runs.counts, run_id=1)) == {TaskState.PENDING: 1}
    await copy.close()
    moved.rename(path)
    await project.writer.run(partial(add_run, count=3))
    path.rename(moved)
    await project.close()
    assert not path.exists()
    again = await Project.open(moved)
    assert await again.read(partial(runs.counts, run_id=2)) == {TaskState.PENDING: 3}
    await again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
async def test_that_a_file_gone_before_the_first_write_is_not_made_anew(path):
    project = await Project.open(path, create=True)
    path.unlink()
    with pytest.raises(ProjectError, match="moved, deleted or replaced"):
        await project.writer.run(partial(add_run, count=1))
    await project.close()
    assert not path.exists()
