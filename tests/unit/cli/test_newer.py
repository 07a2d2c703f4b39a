"""A file that changed since it was imported: what changed is told, and nothing for the same file."""

import pytest

from batchdesk.cli.main import main

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
            "new column more"
        )
    ]


def test_that_without_an_id_rows_are_matched_by_their_content(told):
    assert told(FIRST, "") == []
    assert told("id,text\n2,bad\n1,GOOD\n3,gone\n", "") == [
        "t.csv changed since it was imported: 1 new, 2 unchanged, 1 vanished; matched by content"
    ]


def test_that_a_table_of_another_id_is_another_table(told):
    assert told(FIRST) == []
    assert told("id,text\n1,new\n", "") == []
