from __future__ import annotations

import os
import shutil
import sqlite3
from functools import partial
from pathlib import Path

import pytest
from tests.unit.store.files import add_run, task_ids
from tests.unit.store.processes import child, digest, made

from batchdesk.domain.task import RunState, TaskState
from batchdesk.errors import ProjectError
from batchdesk.store import rows, runs, schema
from batchdesk.store.project import Project

# -- recovery -----------------------------------------------------------------------------------


async def test_that_after_a_crash_running_goes_back_and_halves_go(path):
    project = await Project.open(path, create=True)

    def leave_a_mess(connection):
        run_id = add_run(
            connection,
            10,
            states=[TaskState.RUNNING] * 4 + [TaskState.PASSED] * 3
            + [TaskState.WAITING, TaskState.DEAD, TaskState.PENDING],
        )  # fmt: skip
        runs.set_state(connection, run_id, RunState.RUNNING)
        other = add_run(connection, 2, states=[TaskState.PASSED] * 2)
        runs.set_state(connection, other, RunState.FINISHED)
        add_run(
            connection, 3, state=RunState.PREPARING
        )  # still preparing: its tasks were being made
        half = rows.begin_dataset(connection, name="h", source="h.csv", key_column=None)
        rows.add_rows(connection, half, [(1, "k1", "{}"), (2, "k2", "{}")])

    await project.writer.run(leave_a_mess)
    await project.close()

    again = await Project.open(path)
    found = {run.id: run.state for run in await again.read(runs.runs)}
    assert found == {1: RunState.PAUSED, 2: RunState.FINISHED}
    assert await again.read(partial(runs.counts, run_id=1)) == {
        TaskState.PENDING: 5, TaskState.PASSED: 3, TaskState.WAITING: 1, TaskState.DEAD: 1,
    }  # fmt: skip
    assert await again.read(partial(runs.counts, run_id=3)) == {}
    assert await again.read(partial(task_ids, run_id=3)) == []
    assert len(await again.read(rows.datasets)) == 3
    await again.cleaned()

    def left(connection):
        count = "SELECT (SELECT count(*) FROM dataset), (SELECT count(*) FROM row)"
        return connection.execute(count).fetchone()

    assert await again.read(left) == (3, 15)  # the tables of the three runs
    await again.close()


async def test_that_opening_for_reading_recovers_nothing(path):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=2, states=[TaskState.RUNNING] * 2))
    await project.close()
    reading = await Project.open(path, read_only=True)
    assert await reading.read(partial(runs.counts, run_id=1)) == {TaskState.RUNNING: 2}
    await reading.close()


# -- kills and rights ---------------------------------------------------------------------------


@pytest.mark.parametrize("step", range(6))
async def test_that_a_kill_while_it_is_made_leaves_no_file_or_a_whole_one(path, step):
    maker = child(
        """
        import os, sys
        from pathlib import Path
        from batchdesk.store import project, schema
        step, path = int(sys.argv[1]), Path(sys.argv[2])
        die = lambda *_: os.kill(os.getpid(), 9)
        if step == 0:  # before anything is in the draft
            schema.migrations = die
        if step == 1:  # in the middle of the tables
            schema._applying = lambda _: lambda db: (db.conn.execute("CREATE TABLE row (x)"), die())
        if step == 2:  # between two migrations or at the last one
            applying, last = schema._applying, schema.STEPS[-1][1]
            schema._applying = lambda statements: die if statements is last else applying(statements)
        if step == 3:  # before the project's own line
            project.uuid.uuid4 = die
        if step == 4:  # before it gets its name
            Path.replace = die
        if step == 5:  # after it
            project._migrate = die
        project.Project._open(path, True, False)
        """,
        step,
        path,
    )
    maker.communicate(timeout=60)
    assert maker.returncode == -9
    assert path.exists() is (step == 5)
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=1))
    await project.close()
    assert not path.with_name("p.batchdesk.new").exists()


def opened_by_an_ordinary_user(path, **options):
    """What a user without special rights is told who opens the file; needs root to play one."""
    code = """
        import asyncio, os, sys
        from pathlib import Path
        from batchdesk.errors import UserError
        from batchdesk.store.project import Project
        os.setgid(65534)
        os.setuid(65534)
        async def main():
            try:
                project = await Project.open(Path(sys.argv[1]), **eval(sys.argv[2]))
                await project.close()
                print("opened")
            except UserError as error:
                print(error)
        asyncio.run(main())
    """
    process = child(code, path, repr(options))
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output.strip()


needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)


@pytest.fixture
def open_folder():
    """A folder that any user can reach; temporary folders of tests are private."""
    folder = Path(f"/tmp/batchdesk-rights-{os.getpid()}")
    folder.mkdir(mode=0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@needs_root
async def test_that_a_folder_one_may_not_write_in_is_named(open_folder):
    told = opened_by_an_ordinary_user(open_folder / "p.batchdesk", create=True)
    assert told == (
        f"Batchdesk may not write in the folder {open_folder} (Permission denied). "
        "Choose another folder for the project file."
    )
    assert list(open_folder.iterdir()) == []


@needs_root
async def test_that_a_file_one_may_not_read_is_said(open_folder):
    path = open_folder / "p.batchdesk"
    await made(path)
    path.chmod(0o600)
    told = opened_by_an_ordinary_user(path)
    assert told == f"The project file {path} cannot be read: Permission denied."


@needs_root
async def test_that_a_file_one_may_not_write_is_said_and_left_alone(open_folder):
    path = open_folder / "p.batchdesk"
    await made(path)
    path.chmod(0o444)
    open_folder.chmod(0o777)
    path.with_name("p.batchdesk.lock").chmod(0o666)
    before = digest(path)
    assert "read-only" in opened_by_an_ordinary_user(path)
    assert digest(path) == before
    assert opened_by_an_ordinary_user(path, read_only=True) == "opened"


# -- migrations ---------------------------------------------------------------------------------


@pytest.fixture
def next_migration(monkeypatch):
    """Adds a migration that a released program would add later."""

    def add(statement):
        step = (f"{schema.version() + 1:04}_test", (statement,))
        monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))

    return add


async def test_that_an_older_file_is_backed_up_before_it_is_brought_up_to_date(
    path, next_migration
):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=3))
    await project.close()
    old = schema.version()

    next_migration("ALTER TABLE task ADD COLUMN extra TEXT")
    project = await Project.open(path)

    def extras(connection):
        return connection.execute("SELECT extra FROM task").fetchall()

    assert await project.read(extras) == [(None,)] * 3
    await project.close()
    assert int.from_bytes(path.read_bytes()[60:64]) == old + 1

    backup = path.with_name(f"p.batchdesk.v{old}-backup")
    connection = sqlite3.connect(backup)
    assert connection.execute("PRAGMA user_version").fetchone() == (old,)
    assert connection.execute("SELECT count(*) FROM task").fetchone() == (3,)
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute("SELECT extra FROM task")
    connection.close()


async def test_that_a_migration_that_fails_leaves_the_file_and_its_backup_as_they_were(
    path, next_migration
):
    project = await Project.open(path, create=True)
    await project.writer.run(partial(add_run, count=3))
    await project.close()
    old = schema.version()

    next_migration("ALTER TABLE task ADD COLUMN extra TEXT")
    next_migration("INSERT INTO no_such_table VALUES (1)")
    for _ in range(2):  # also when it is tried again
        with pytest.raises(ProjectError, match="no_such_table"):
            await Project.open(path)
        for file in (path, path.with_name(f"p.batchdesk.v{old}-backup")):
            connection = sqlite3.connect(file)
            assert connection.execute("PRAGMA user_version").fetchone() == (old,)
            columns = [row[1] for row in connection.execute("PRAGMA table_info(task)")]
            assert "extra" not in columns
            assert connection.execute("SELECT count(*) FROM task").fetchone() == (3,)
            connection.close()


@pytest.mark.parametrize("read_only", [False, True])
async def test_that_opening_a_file_of_this_version_loads_no_library_for_migrations(path, read_only):
    await made(path)
    opener = child(
        """
        import asyncio, sys
        from pathlib import Path
        import batchdesk.cli.commands
        from batchdesk.store.project import Project
        async def main():
            project = await Project.open(Path(sys.argv[1]), read_only=sys.argv[2] == "True")
            await project.close()
        asyncio.run(main())
        print(sorted({"sqlite_utils", "numpy"} & set(sys.modules)))
        """,
        path,
        read_only,
    )
    assert opener.communicate(timeout=60)[0].strip() == "[]"


async def test_that_a_file_of_this_version_is_not_backed_up(path):
    await made(path)
    await made(path)
    assert not list(path.parent.glob("*backup*"))
