"""Long texts cut into rows, by the real program: run, exported, looked at, converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.harness import (
    PracticeServer,
    assert_sound,
    batchdesk,
    expected_answer,
    job_text,
    query,
    read_table,
    write_table,
)
from tests.unit.tables.test_folder import pdf

SENTENCE = "Clause {n} says that the tenant pays for item {n}. "
PARAGRAPHS = ["".join(SENTENCE.format(n=f"{p}-{s}") for s in range(8)).strip() for p in range(12)]
LONG = "\n\n".join(PARAGRAPHS)
CUT = 'chunk_column = "text"\nchunk_tokens = 300\nchunk_overlap = 0\n'


def run(folder: Path, server: PracticeServer, data: str) -> list[dict[str, str]]:
    (folder / "job.toml").write_text(job_text(server.base_url, data=data), "utf-8")
    project = folder / "p.batchdesk"
    done = batchdesk("run", folder / "job.toml", "--project", project)
    assert done.code == 0, done.err
    assert "the rows are chunks of" in done.err
    assert_sound(project)
    done = batchdesk("export", project, "--to", folder / "out.csv")
    assert done.code == 0, done.err
    return read_table(folder / "out.csv")


def assert_answered(rows: list[dict[str, str]], keys: list[str]) -> None:
    """Each row has the answer to its own chunk."""
    for row, key in zip(rows, keys, strict=True):
        answer = (row["answer.sentiment"], row["answer.quote"])
        assert (row["batchdesk.state"], answer) == ("passed", expected_answer(row["text"], key))


def test_that_a_long_row_of_a_csv_is_asked_in_parts_and_exported_in_order(tmp_path, quick_server):
    write_table(tmp_path / "t.csv", [("A", "short"), ("B", LONG), ("C", "brief")], ("id", "text"))
    rows = run(tmp_path, quick_server, f'path = "t.csv"\nkey = "id"\n{CUT}')
    count = len(rows) - 2
    assert count > 2
    keys = ["A", *(f"B#{n}" for n in range(1, count + 1)), "C"]
    assert [
        key for (key,) in query(tmp_path / "p.batchdesk", "SELECT key FROM row ORDER BY id")
    ] == keys
    assert_answered(rows, keys)
    assert [row["id"] for row in rows] == ["A", *"B" * count, "C"]
    assert [row["batchdesk.row"] for row in rows] == ["1", *"2" * count, "3"]
    assert [row["chunk.number"] for row in rows[1:-1]] == [str(n + 1) for n in range(count)]
    assert {row["chunk.of"] for row in rows[1:-1]} == {str(count)}
    assert "".join(row["text"] for row in rows[1:-1]) == LONG
    for row in rows[1:-1]:
        assert LONG[int(row["chunk.start"]) : int(row["chunk.end"])] == row["text"]
    assert (rows[1]["chunk.paragraphs"][:2], rows[-2]["chunk.paragraphs"][-3:]) == ("1-", "-12")


def test_that_an_unchanged_chunk_is_not_asked_again_when_the_job_runs_again(tmp_path, quick_server):
    write_table(tmp_path / "t.csv", [("B", LONG)], ("id", "text"))
    data = f'path = "t.csv"\nkey = "id"\n{CUT}'
    first = run(tmp_path, quick_server, data)
    write_table(tmp_path / "t.csv", [("B", f"{LONG}\n\nOne paragraph more.")], ("id", "text"))
    done = batchdesk(
        *("run", tmp_path / "job.toml", "--project", tmp_path / "p.batchdesk", "--json")
    )
    assert done.code == 0, done.err
    assert (done.json["skipped"], done.json["requests"]) == (len(first) - 1, 1)
    reasons = "SELECT reason FROM task WHERE run_id = 2 AND state = 'skipped'"
    assert set(query(tmp_path / "p.batchdesk", reasons)) == {("unchanged",)}


def test_that_documents_of_a_folder_are_asked_in_parts_that_know_their_pages(
    tmp_path, quick_server
):
    folder = tmp_path / "papers"
    folder.mkdir()
    pdf(folder / "lease.pdf", *PARAGRAPHS[:6])
    (folder / "notes.md").write_text(f"# Notes\n\n{LONG}\n", "utf-8")
    rows = run(tmp_path, quick_server, f'path = "papers"\nkey = "name"\n{CUT}')
    lease = [row for row in rows if row["name"] == "lease.pdf"]
    notes = [row for row in rows if row["name"] == "notes.md"]
    assert rows == [*lease, *notes]
    assert len(lease) > 1 < len(notes)
    keys = [f"{row['name']}#{row['chunk.number']}" for row in rows]
    assert_answered(rows, keys)
    pages = [row["chunk.pages"] for row in lease]
    assert (pages[0][0], pages[-1][-1]) == ("1", "6")
    assert {row["chunk.pages"] for row in notes} == {""}
    assert "".join(row["text"] for row in notes).startswith("# Notes\n\nClause 0-0 says")


def test_that_files_are_looked_at_and_converted_in_parts(tmp_path):
    path = write_table(tmp_path / "t.csv", [("A", "short"), ("B", LONG)], ("id", "text"))
    options = ("--chunk-column", "text", "--chunk-tokens", "300", "--chunk-model", "gpt-4o")
    done = batchdesk("inspect", path, *options, "--json")
    assert done.json["format"]["chunks"] == {
        "options": {
            "column": "text",
            "tokens": 300,
            "overlap": 15,
            "encoding": "o200k_base",
        },
        "added": [
            f"chunk.{name}" for name in ("number", "of", "start", "end", "paragraphs", "pages")
        ],
        "rows": 2,
    }
    words = batchdesk("inspect", path, *options).out
    assert "chunks of 2 rows: column text, at most 300 tokens, 15 of them from" in words
    done = batchdesk("convert", path, "--to", tmp_path / "o.csv", *options, "--chunk-overlap", "0")
    assert done.code == 0, done.err
    rows = read_table(tmp_path / "o.csv")
    assert "".join(row["text"] for row in rows[1:]) == LONG
    assert rows[0]["chunk.of"] == "1"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--chunk-tokens", "300"), "Say which column's long texts are to be cut"),
        (("--chunk-column", "txt"), "has no column 'txt' whose long texts could be cut"),
        (
            ("--chunk-column", "text", "--chunk-tokens", "8"),
            "Chunks of 8 tokens with an overlap of 0 cannot be made",
        ),
        (("--chunk-overlap", "-1"), "'-1' is not a whole number"),
    ],
)
def test_that_what_cannot_be_cut_is_told_in_a_sentence(tmp_path, options, sentence):
    path = write_table(tmp_path / "t.csv", [("A", "short")], ("id", "text"))
    done = batchdesk("inspect", path, *options)
    assert done.code == 2
    assert sentence in done.err
