from __future__ import annotations

import asyncio
import sqlite3
import threading
import time

import pytest

from batchdesk.errors import ProjectError, StorageFullError
from batchdesk.store.writer import Writer, told


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "p.db"
    with sqlite3.connect(found) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
    connection.close()
    return found


class Traced:
    """Makes the writer's connection and counts its commits."""

    def __init__(self, path, *pragmas):
        self.path = path
        self.pragmas = pragmas
        self.statements = []

    def __call__(self):
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        for pragma in self.pragmas:
            connection.execute(pragma)
        connection.set_trace_callback(self.statements.append)
        return connection

    @property
    def commits(self):
        return self.statements.count("COMMIT")


def insert(n, text=""):
    return lambda connection: connection.execute("INSERT INTO t VALUES (?, ?)", (n, text)).lastrowid


def stored(path):
    connection = sqlite3.connect(path)
    try:
        return [n for (n,) in connection.execute("SELECT n FROM t ORDER BY n")]
    finally:
        connection.close()


async def test_that_an_operation_s_result_comes_back_after_its_commit(path):
    writer = Writer(Traced(path))
    assert await writer.run(insert(7)) == 7
    assert stored(path) == [7]
    writer.close()


async def test_that_many_who_wait_share_few_commits(path):
    traced = Traced(path)
    writer = Writer(traced)
    gate = threading.Event()
    first = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
    await asyncio.sleep(0.05)  # the first holds the thread; all others gather behind it
    others = [asyncio.create_task(writer.run(insert(n))) for n in range(1000)]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*others) == list(range(1000))
    await first
    writer.close()
    assert stored(path) == list(range(1000))
    assert traced.commits == 2


async def test_that_bulk_waits_for_no_sync_and_what_follows_does(path):
    def modes(connection):
        names = ("synchronous", "wal_autocheckpoint")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    traced = Traced(path)
    writer = Writer(traced)
    told = await asyncio.gather(writer.bulk(modes), writer.bulk(insert(7)))
    assert tuple(told) == ([1, 4000], 7)
    with pytest.raises(sqlite3.IntegrityError):
        await writer.bulk(insert(7))
    assert await writer.run(modes) == [2, 1000]  # NORMAL is 1, FULL is 2
    assert traced.commits == 3
    writer.close()
    assert stored(path) == [7]


async def test_that_operations_are_carried_out_in_the_order_they_were_asked_for(path):
    writer = Writer(Traced(path))
    order: list[int] = []

    def note(n):
        return lambda _connection: order.append(n)

    await asyncio.gather(*(writer.run(note(n)) for n in range(200)))
    writer.close()
    assert order == list(range(200))


async def test_that_an_operation_that_fails_fails_alone(path):
    writer = Writer(Traced(path))
    gate = threading.Event()
    first = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
    await asyncio.sleep(0.05)

    def half_then_bug(connection):
        connection.execute("INSERT INTO t VALUES (100, '')")
        raise KeyError("a bug")

    tasks = [
        asyncio.create_task(writer.run(operation))
        for operation in (insert(1), half_then_bug, insert(2), insert(1), insert(3))
    ]
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    await first
    writer.close()
    assert [results[0], results[2], results[4]] == [1, 2, 3]
    assert isinstance(results[1], KeyError)
    assert isinstance(results[3], sqlite3.IntegrityError)
    assert stored(path) == [1, 2, 3]


def test_that_two_loops_in_two_threads_may_write(path):
    writer = Writer(Traced(path))

    def write(start):
        async def main():
            await asyncio.gather(*(writer.run(insert(n)) for n in range(start, start + 300)))

        asyncio.run(main())

    threads = [threading.Thread(target=write, args=(start,)) for start in (0, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    writer.close()
    assert stored(path) == [*range(300), *range(1000, 1300)]


async def test_that_close_commits_what_has_gathered_and_takes_no_more(path):
    writer = Writer(Traced(path))
    gate = threading.Event()
    first = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
    await asyncio.sleep(0.05)
    others = [asyncio.create_task(writer.run(insert(n))) for n in range(50)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(asyncio.to_thread(writer.close))
    await asyncio.sleep(0.05)
    with pytest.raises(ProjectError, match="being closed"):
        await writer.run(insert(99))
    gate.set()
    await closing
    assert await asyncio.gather(*others) == list(range(50))
    await first
    assert stored(path) == list(range(50))
    writer.close()  # once more is fine


async def test_that_a_write_whose_caller_has_gone_is_carried_out(path):
    writer = Writer(Traced(path))
    gate = threading.Event()
    first = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
    await asyncio.sleep(0.05)
    gone = asyncio.create_task(writer.run(insert(1)))
    await asyncio.sleep(0)
    gone.cancel()
    gate.set()
    await first
    assert await writer.run(insert(2)) == 2
    writer.close()
    assert stored(path) == [1, 2]


def test_that_a_loop_closed_meanwhile_does_not_end_the_writer(path):
    writer = Writer(Traced(path))
    gate = threading.Event()

    async def leave():
        task = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
        await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(leave())
    gate.set()
    assert asyncio.run(asyncio.wait_for(writer.run(insert(5)), 10)) == 5
    writer.close()


async def test_that_a_full_disk_is_told_and_earlier_commits_stay(path):
    pages = (path.stat().st_size // 4096) + 12
    writer = Writer(Traced(path, f"PRAGMA max_page_count = {pages}"))
    done: list[int] = []

    async def write_on():
        for n in range(1000):
            await writer.run(insert(n, "x" * 2000))
            done.append(n)

    with pytest.raises(StorageFullError, match="everything saved so far is safe"):
        await write_on()
    assert done
    assert stored(path) == done
    # Space again: the same writer goes on.
    await writer.run(
        lambda connection: connection.execute("PRAGMA max_page_count = 100000").fetchone()
    )
    await writer.run(insert(5000, "x" * 2000))
    writer.close()
    assert stored(path) == [*done, 5000]


async def test_that_in_a_full_group_those_that_fit_are_kept(path):
    pages = (path.stat().st_size // 4096) + 4
    writer = Writer(Traced(path, f"PRAGMA max_page_count = {pages}"))
    gate = threading.Event()
    first = asyncio.create_task(writer.run(lambda _connection: gate.wait(10)))
    await asyncio.sleep(0.05)
    tasks = [asyncio.create_task(writer.run(insert(n, "x" * 3000))) for n in range(20)]
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    await first
    writer.close()
    kept = [result for result in results if isinstance(result, int)]
    assert 0 < len(kept) < 20
    assert stored(path) == kept
    assert all(isinstance(result, int | StorageFullError) for result in results)


async def test_that_a_file_that_cannot_be_opened_is_told_to_each_who_waits(tmp_path):
    tries = []

    def connect():
        tries.append(time.monotonic())
        raise sqlite3.OperationalError("unable to open database file")

    writer = Writer(connect)
    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError, match="unable to open"):
            await writer.run(insert(1))
    writer.close()
    assert len(tries) == 2


async def test_that_a_lock_held_elsewhere_is_told(path):
    writer = Writer(Traced(path, "PRAGMA busy_timeout = 50"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ProjectError, match="Another program holds"):
        await writer.run(insert(1))
    other.execute("ROLLBACK")
    other.close()
    assert await writer.run(insert(1)) == 1
    writer.close()


def coded(code, message="x"):
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (coded(sqlite3.SQLITE_FULL), StorageFullError),
        (coded(sqlite3.SQLITE_IOERR), StorageFullError),
        (coded(sqlite3.SQLITE_IOERR_WRITE), StorageFullError),  # an extended code
        (coded(sqlite3.SQLITE_READONLY), ProjectError),
        (coded(sqlite3.SQLITE_BUSY), ProjectError),
        (coded(sqlite3.SQLITE_BUSY_SNAPSHOT), ProjectError),
        (sqlite3.DatabaseError("database disk image is malformed"), ProjectError),
        (coded(sqlite3.SQLITE_ERROR, "no such table"), sqlite3.OperationalError),
        (sqlite3.IntegrityError("UNIQUE constraint failed"), sqlite3.IntegrityError),
        (KeyError("x"), KeyError),
    ],
)
def test_that_what_a_person_can_mend_is_told_and_the_rest_stays_a_bug(error, kind):
    assert type(told(error)) is kind
