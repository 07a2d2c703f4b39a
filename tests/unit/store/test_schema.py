from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.store.files import add_run, in_memory

from batchdesk.domain.task import TaskState
from batchdesk.store import runs, schema
from batchdesk.store.stand_in import stand_in

_STATES = st.sampled_from(list(TaskState))
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(1, 12), _STATES),
        st.tuples(st.just("move all"), _STATES, _STATES),
        st.tuples(st.just("remove"), st.integers(1, 12)),
        st.tuples(st.just("add"), st.integers(1, 6), st.integers(1, 2), _STATES),
        st.tuples(st.just("roll back"), st.integers(1, 12), _STATES),
    ),
    max_size=30,
)


def recount(connection: sqlite3.Connection, run_id: int) -> dict[str, int]:
    return dict(
        connection.execute(
            "SELECT state, count(*) FROM task WHERE run_id = ? GROUP BY state", (run_id,)
        )
    )


@settings(max_examples=80, deadline=None)
@given(_STEPS)
def test_that_the_counters_equal_a_recount_after_any_statements(steps):
    connection = in_memory()
    run_ids = [add_run(connection, 6), add_run(connection, 6)]
    for step in steps:
        match step:
            case ("move", task_id, state):
                connection.execute("UPDATE task SET state = ? WHERE id = ?", (state, task_id))
            case ("move all", before, after):
                connection.execute("UPDATE task SET state = ? WHERE state = ?", (after, before))
            case ("remove", task_id):
                connection.execute("DELETE FROM task WHERE id = ?", (task_id,))
            case ("add", row_id, run_id, state):
                connection.execute(
                    "INSERT OR IGNORE INTO task (run_id, row_id, state) VALUES (?, ?, ?)",
                    (run_id, row_id, state),
                )
            case ("roll back", task_id, state):
                connection.execute("BEGIN")
                connection.execute("UPDATE task SET state = ? WHERE id = ?", (state, task_id))
                connection.execute("DELETE FROM task WHERE id = 1")
                connection.execute("ROLLBACK")
    for run_id in run_ids:
        counted = {str(state): n for state, n in runs.counts(connection, run_id).items()}
        assert counted == recount(connection, run_id)
    connection.close()


def test_that_applying_the_migrations_twice_changes_nothing():
    connection = in_memory()
    before = list(connection.iterdump())
    schema.migrate(connection)
    assert list(connection.iterdump()) == before
    connection.close()


def test_that_the_version_is_the_number_of_migrations_applied():
    connection = in_memory()
    (count,) = connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()
    assert schema.version() == count
    connection.close()


def test_that_the_views_for_other_programs_can_be_read():
    connection = in_memory()
    add_run(connection, 3)
    assert connection.execute("SELECT job, task_state, count FROM run_progress").fetchall() == [
        ("job", "pending", 3)
    ]
    assert connection.execute("SELECT row_key, state FROM answer").fetchall() == [
        ("k1", "pending"),
        ("k2", "pending"),
        ("k3", "pending"),
    ]
    connection.close()


def made_by_version(monkeypatch, number: int) -> sqlite3.Connection:
    """An empty project of an older program, in memory."""
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:number])
        return in_memory()


@pytest.mark.parametrize("number", range(1, schema.version()))
def test_that_every_older_file_is_read_as_if_it_had_all_migrations(monkeypatch, number):
    newest, older = in_memory(), made_by_version(monkeypatch, number)
    written = list(older.iterdump())
    stand_in(older)
    tables = newest.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for (table,) in tables:
        columns = [row[1] for row in newest.execute(f"PRAGMA table_info({table})")]
        older.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    assert list(older.iterdump()) == written
    newest.close()
    older.close()


def test_that_nothing_stands_in_where_nothing_is_missing():
    connection = in_memory()
    stand_in(connection)
    assert connection.execute("SELECT name FROM sqlite_temp_master").fetchall() == []
    connection.close()


def test_that_the_questions_asked_all_the_time_use_an_index():
    connection = in_memory()
    for statement in (
        "SELECT id FROM task WHERE run_id = 1 AND state = 'pending' ORDER BY id LIMIT 10",
        "SELECT id FROM task WHERE input_version = 'x'",
        "SELECT id FROM attempt WHERE task_id = 1",
        "SELECT count FROM task_count WHERE run_id = 1",
        "SELECT id FROM limit_change WHERE run_id = 1 ORDER BY id",
        "UPDATE task SET reason = '' WHERE run_id IN (SELECT id FROM run) AND state = 'running'",
    ):
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
        touching = [
            line for line in plan if any(name in line for name in ("task", "attempt", "limit"))
        ]
        assert all("USING" in line for line in touching), plan
        assert not any("TEMP B-TREE" in line for line in plan), plan
    connection.close()
