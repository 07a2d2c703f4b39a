"""A file that changed since it was imported: what changed is told, and nothing for the same file."""

import asyncio
import csv

import pytest

from batchdesk.cli.main import main
from batchdesk.session import Session

FIRST = "id,text\n1,good\n2,bad\n3,gone\n"
JOB = """
name = "j"
[data]
path = "t.csv"
{key}
[provider]
preset = "practice"
practice = {{ latency_s = 0.0 }}
[[stages]]
name = "s"
temperature = 1
user = "{{{{ text }}}}"
"""


@pytest.fixture
def told(tmp_path, capsys):
    """Writes the table, runs the job, and returns what was said of the table's changes."""

    def run(table: str, key: str = 'key = "id"') -> list[str]:
        (tmp_path / "t.csv").write_text(table, encoding="utf-8")
        (tmp_path / "j.toml").write_text(JOB.format(key=key), encoding="utf-8")
        words = ["run", str(tmp_path / "j.toml"), "--project", str(tmp_path / "p.batchdesk")]
        assert main(words) == 0
        lines = capsys.readouterr().err.splitlines()
        return [line for line in lines if "since it was imported" in line]

    return run


def test_that_changes_are_counted_by_the_id_and_the_same_file_is_not_spoken_of(told):
    assert told(FIRST) == []
    assert told(FIRST) == []
    assert told("id,text,more\n1,good,x\n2,BAD,x\n4,new,x\n5,new,x\n") == [
        (
            "t.csv changed since it was imported: 2 new, 1 changed, 1 unchanged, 1 vanished; "
            "new column more; results of vanished rows stay in their runs"
        )
    ]


def test_that_without_an_id_rows_are_matched_by_their_content(told):
    assert told(FIRST, "") == []
    assert told("id,text\n2,bad\n1,GOOD\n3,gone\n", "") == [
        (
            "t.csv changed since it was imported: 1 new, 2 unchanged, 1 vanished; "
            "matched by content; results of vanished rows stay in their runs"
        )
    ]


def test_that_a_table_of_another_id_is_another_table(told):
    assert told(FIRST) == []
    assert told("id,text\n1,new\n", "") == []


def test_that_unchanged_rows_are_not_asked_again_at_any_temperature(tmp_path, told, capsys):
    told(FIRST)
    told("id,text\n1,good\n2,BAD\n4,new\n")
    capsys.readouterr()
    assert main(["export", str(tmp_path / "p.batchdesk"), "--to", str(tmp_path / "o.csv")]) == 0
    with (tmp_path / "o.csv").open(encoding="utf-8-sig", newline="") as file:
        found = {row["id"]: row["batchdesk.reason"] for row in csv.DictReader(file)}
    assert found == {"1": "unchanged", "2": "", "4": ""}


def test_that_a_file_that_is_as_it_was_once_is_said_to_be(tmp_path, told, capsys):
    assert told(FIRST) == []
    assert len(told("id,text\n1,good\n")) == 1
    words = ["run", str(tmp_path / "j.toml"), "--project", str(tmp_path / "p.batchdesk")]
    (tmp_path / "t.csv").write_text(FIRST, encoding="utf-8")
    assert main(words) == 0
    assert "t.csv is again as it was in an earlier import" in capsys.readouterr().err


async def _import_only(project, path):
    session = await Session.open(project)
    try:
        await session.import_table(path, key_column="id")
    finally:
        await session.close()


def test_that_an_import_whose_rows_were_not_matched_is_matched_the_next_time(told, tmp_path):
    told(FIRST)
    later = "id,text\n1,good\n9,new\n"
    (tmp_path / "t.csv").write_text(later, encoding="utf-8")
    asyncio.run(_import_only(tmp_path / "p.batchdesk", tmp_path / "t.csv"))
    assert told(later) == [
        (
            "t.csv changed since it was imported: 1 new, 0 changed, 1 unchanged, 2 vanished; "
            "results of vanished rows stay in their runs"
        )
    ]
    assert told(later) == []
