"""Tables, indexes, triggers and views of the project file, as numbered migrations.

A migration never changes once it is released; the next one builds on it. ``PRAGMA user_version``
holds how many a file has, so that an older program refuses a newer file without reading it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Migrations
    from sqlite_utils.db import Database

APPLICATION_ID = 0x42744465  # "BtDe", so that `file` and others can tell our files

_FIRST_TABLES = (
    """
    CREATE TABLE project (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        uid TEXT NOT NULL,
        created_at REAL NOT NULL,
        created_by TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE dataset (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        format TEXT NOT NULL,
        columns TEXT NOT NULL,
        key_column TEXT,
        content_hash TEXT NOT NULL,
        row_count INTEGER NOT NULL DEFAULT 0,
        problem_counts TEXT NOT NULL DEFAULT '{}',
        imported_at REAL NOT NULL,
        complete INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE dataset_problem (
        id INTEGER PRIMARY KEY,
        dataset_id INTEGER NOT NULL REFERENCES dataset ON DELETE CASCADE,
        kind TEXT NOT NULL,
        line INTEGER,
        detail TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE row (
        id INTEGER PRIMARY KEY,
        dataset_id INTEGER NOT NULL REFERENCES dataset ON DELETE CASCADE,
        number INTEGER NOT NULL,
        key TEXT NOT NULL,
        cells TEXT NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX row_by_key ON row (dataset_id, key)",
    """
    CREATE TABLE job (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        definition TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        created_at REAL NOT NULL,
        UNIQUE (name, version)
    )
    """,
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        job_id INTEGER NOT NULL REFERENCES job,
        dataset_id INTEGER NOT NULL REFERENCES dataset,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        cause TEXT,
        cause_message TEXT,
        created_at REAL NOT NULL,
        started_at REAL,
        finished_at REAL,
        active_s REAL NOT NULL DEFAULT 0,
        batches INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE task (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES run,
        row_id INTEGER NOT NULL REFERENCES row,
        stage INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL,
        reason TEXT,
        input_version TEXT,
        error_kind TEXT,
        error_message TEXT,
        due_at REAL,
        tries INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        content_try INTEGER NOT NULL DEFAULT 0,
        first_sent_s REAL,
        result_id INTEGER REFERENCES result,
        UNIQUE (run_id, row_id, stage)
    )
    """,
    "CREATE INDEX task_by_state ON task (run_id, state, id)",
    "CREATE INDEX task_by_input ON task (input_version) WHERE input_version IS NOT NULL",
    """
    CREATE TABLE task_count (
        run_id INTEGER NOT NULL REFERENCES run,
        state TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (run_id, state)
    ) WITHOUT ROWID
    """,
    # The counters change in the same transaction as the tasks, whatever statement changes them.
    """
    CREATE TRIGGER task_added AFTER INSERT ON task BEGIN
        INSERT INTO task_count VALUES (new.run_id, new.state, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER task_moved AFTER UPDATE OF state ON task WHEN old.state <> new.state BEGIN
        UPDATE task_count SET count = count - 1 WHERE run_id = old.run_id AND state = old.state;
        INSERT INTO task_count VALUES (new.run_id, new.state, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    END
    """,
    """
    CREATE TRIGGER task_removed AFTER DELETE ON task BEGIN
        UPDATE task_count SET count = count - 1 WHERE run_id = old.run_id AND state = old.state;
    END
    """,
    """
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY,
        task_id INTEGER NOT NULL REFERENCES task,
        number INTEGER NOT NULL,
        batch_id INTEGER NOT NULL,
        trace_id TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        started_at REAL NOT NULL,
        queue_s REAL NOT NULL,
        service_s REAL NOT NULL,
        first_token_s REAL,
        error_kind TEXT,
        error_message TEXT,
        http_status INTEGER,
        counted INTEGER NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        cached_tokens INTEGER,
        reasoning_tokens INTEGER,
        cost_micros INTEGER
    )
    """,
    "CREATE INDEX attempt_by_task ON attempt (task_id)",
    """
    CREATE TABLE exchange (
        attempt_id INTEGER PRIMARY KEY REFERENCES attempt,
        request TEXT,
        response TEXT
    )
    """,
    """
    CREATE TABLE result (
        id INTEGER PRIMARY KEY,
        task_id INTEGER NOT NULL REFERENCES task,
        attempt_id INTEGER REFERENCES attempt,
        reused_result_id INTEGER REFERENCES result,
        verdict TEXT NOT NULL,
        answer TEXT NOT NULL,
        confidence REAL,
        repaired INTEGER NOT NULL,
        checks TEXT NOT NULL,
        created_at REAL NOT NULL
    )
    """,
    "CREATE INDEX result_by_task ON result (task_id)",
    """
    CREATE TABLE meter (
        run_id INTEGER NOT NULL REFERENCES run,
        at REAL NOT NULL,
        figures TEXT NOT NULL,
        PRIMARY KEY (run_id, at)
    ) WITHOUT ROWID
    """,
    """
    CREATE VIEW run_progress AS
        SELECT run.id AS run_id, job.name AS job, job.version AS job_version, run.state,
               task_count.state AS task_state, task_count.count
        FROM run JOIN job ON job.id = run.job_id JOIN task_count ON task_count.run_id = run.id
    """,
    """
    CREATE VIEW answer AS
        SELECT task.run_id, row.key AS row_key, task.stage, task.state, task.error_kind,
               task.error_message, result.verdict, result.answer, result.confidence, result.checks
        FROM task JOIN row ON row.id = task.row_id LEFT JOIN result ON result.id = task.result_id
    """,
)

_REVIEWS = (
    # What a reviewer tells the model when a row is asked again.
    "ALTER TABLE task ADD COLUMN note TEXT",
    """
    CREATE TABLE review (
        id INTEGER PRIMARY KEY,
        task_id INTEGER NOT NULL REFERENCES task,
        decision TEXT NOT NULL,
        before_state TEXT NOT NULL,
        before_result_id INTEGER REFERENCES result,
        before_task TEXT NOT NULL,
        after_result_id INTEGER REFERENCES result,
        note TEXT,
        reviewer TEXT NOT NULL,
        seconds REAL NOT NULL,
        decided_at REAL NOT NULL,
        undone_at REAL
    )
    """,
    "CREATE INDEX review_by_task ON review (task_id)",
)

_LIMIT_CHANGES = (
    """
    CREATE TABLE limit_change (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES run,
        at REAL NOT NULL,
        what TEXT NOT NULL,
        old REAL,
        new REAL,
        reason TEXT NOT NULL
    )
    """,
    "CREATE INDEX limit_change_by_run ON limit_change (run_id)",
)

_WHERE_FROM = (
    # Where a table was read from, and the options as they were given: NULL there was guessed.
    "ALTER TABLE dataset ADD COLUMN path TEXT",
    "ALTER TABLE dataset ADD COLUMN told TEXT NOT NULL DEFAULT '{}'",
)

_ASKED_AGAIN = (
    # Rows that a person asks for again are claimed apart from new ones; there are few or none.
    """
    CREATE INDEX task_asked_again ON task (run_id, id)
    WHERE state = 'pending' AND content_try > 0
    """,
)

_PREPARING = (
    # What cleaning made of a row for one run: only the columns that it changed.
    """
    CREATE TABLE cleaned (
        run_id INTEGER NOT NULL REFERENCES run,
        row_id INTEGER NOT NULL REFERENCES row,
        cells TEXT NOT NULL,
        PRIMARY KEY (run_id, row_id)
    ) WITHOUT ROWID
    """,
    # What stands for personal data, the same in all runs: else two questions that differ in it
    # could look equal. It never leaves this file.
    """
    CREATE TABLE mask (
        token TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Of a skipped task: the row it equals, the task it takes its answer from, or its tokens.
    "ALTER TABLE task ADD COLUMN skip_detail INTEGER",
    "ALTER TABLE run ADD COLUMN cleaning TEXT",
    # What was promised before it, and the pilot that it goes on from.
    "ALTER TABLE run ADD COLUMN forecast TEXT",
    "ALTER TABLE run ADD COLUMN pilot_run_id INTEGER REFERENCES run",
    """
    CREATE TABLE preview (
        id INTEGER PRIMARY KEY,
        first_run_id INTEGER NOT NULL REFERENCES run,
        second_run_id INTEGER NOT NULL REFERENCES run,
        chosen TEXT NOT NULL,
        forecast TEXT,
        created_at REAL NOT NULL
    )
    """,
    # A file that was imported again: the table before it, and the rows that did not change.
    "ALTER TABLE dataset ADD COLUMN earlier_id INTEGER REFERENCES dataset",
    """
    CREATE TABLE carried (
        row_id INTEGER PRIMARY KEY,
        origin_id INTEGER NOT NULL
    )
    """,
)

_AGREED = (
    # What a person agreed to send to which address, before the first run there.
    """
    CREATE TABLE agreed (
        address TEXT PRIMARY KEY,
        columns TEXT NOT NULL,
        masked TEXT NOT NULL,
        agreed_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
)

# Name and statements of each migration, in order.
STEPS = (
    ("0001_first_tables", _FIRST_TABLES),
    ("0002_reviews", _REVIEWS),
    ("0003_limit_changes", _LIMIT_CHANGES),
    ("0004_where_from", _WHERE_FROM),
    ("0005_asked_again", _ASKED_AGAIN),
    ("0006_preparing", _PREPARING),
    ("0007_agreed", _AGREED),
)


def version() -> int:
    """How many migrations this program knows."""
    return len(STEPS)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is pending, all or none, and write the version into the file's header."""
    from sqlite_utils import Database  # noqa: PLC0415 - as in migrations()

    database = Database(connection)
    with database.atomic():  # a half-way file must not overwrite the backup next time
        migrations().apply(database)
        connection.execute(f"PRAGMA user_version = {version()}")


def migrations() -> Migrations:
    """The steps as the library applies them.

    The library is loaded here: with NumPy, which it takes if there is one, that lasts 0.3 s, and
    most files that are opened need none of it.
    """
    from sqlite_utils import Migrations  # noqa: PLC0415 - slow to load, see above

    known = Migrations("batchdesk")
    for name, statements in STEPS:
        known(name=name)(_applying(statements))
    return known


def _applying(statements: tuple[str, ...]) -> Callable[[Database], None]:
    def apply(database: Database) -> None:
        for statement in statements:
            database.conn.execute(statement)

    return apply
