"""One row per chunk: places, keys and numbers as literal values, and the whole text given back."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.session.tables import a_job

from batchdesk.domain.task import SkipReason, TaskState
from batchdesk.errors import JobFileError, TableError
from batchdesk.prepare.tokens import TokenCounter
from batchdesk.session import ReadOptions, Session, peek_table
from batchdesk.session.chunked import chunk_options, chunked, open_table
from batchdesk.session.importing import options_of
from batchdesk.session.matching import Change
from batchdesk.session.pasting import workbook_of
from batchdesk.session.reading import first_choice
from batchdesk.tables import fingerprint, open_writer
from batchdesk.tables.base import Chunked, ChunkOptions, ProblemKind
from batchdesk.tables.folder import COLUMNS

RENT = "The rent is due on the first day. " * 4  # 36 tokens, 136 characters
HOUSE = "The tenant keeps the house clean. " * 4
LONG = f"{RENT.strip()}\n\n{HOUSE.strip()}"
CHUNKS = ChunkOptions("text", 40, 0, "o200k_base")
CUT = ReadOptions(chunks=CHUNKS)
PLACES = tuple(f"chunk.{name}" for name in ("number", "of", "start", "end", "paragraphs", "pages"))


def a_file(folder: Path, *rows: tuple[str, str], name: str = "t.csv") -> Path:
    path = folder / name
    lines = [f'{key},"{text}",n' for key, text in rows]
    path.write_text("\n".join(["id,text,note", *lines, ""]), "utf-8", newline="")
    return path


def read(path: Path, options: ReadOptions = CUT) -> SimpleNamespace:
    reader = open_table(path, options)
    try:
        rows = list(reader.rows())
    finally:
        reader.close()
    return SimpleNamespace(
        rows=rows, **{name: getattr(reader, name) for name in ("columns", "format", "problems")}
    )


async def stored(session: Session, dataset_id: int):
    return await session.row_page(await session.row_ids(dataset_id))


def test_that_each_chunk_is_a_row_that_says_where_it_stands(tmp_path):
    made = read(a_file(tmp_path, ("A", "short"), ("B", LONG), ("C", "")))
    assert made.columns == ["id", "text", "note", *PLACES]
    assert made.rows == [
        (2, ["A", "short", "n", "1", "1", "0", "5", "1", None]),
        (3, ["B", RENT.strip() + "\n\n", "n", "1", "2", "0", "137", "1", None]),
        (3, ["B", HOUSE.strip(), "n", "2", "2", "137", "272", "2", None]),
        (6, ["C", "", "n", "1", "1", "0", "0", None, None]),
    ]
    assert made.format.chunks == Chunked(CHUNKS, PLACES, 3)


def test_that_a_text_of_just_so_many_tokens_stays_whole(tmp_path):
    tokens = TokenCounter("gpt-4o").count(LONG)
    path = a_file(tmp_path, ("A", LONG))
    for size, rows in ((tokens, 1), (tokens - 1, 2)):
        assert (
            len(read(path, ReadOptions(chunks=ChunkOptions("text", size, 0, "o200k_base"))).rows)
            == rows
        )


def test_that_a_chunk_repeats_the_end_of_the_one_before(tmp_path):
    text = "Alpha one here. Beta two here. Gamma three here. Delta four is here. " * 3
    options = ReadOptions(chunks=ChunkOptions("text", 20, 10, "o200k_base"))
    rows = [row for _, row in read(a_file(tmp_path, ("A", text)), options).rows]
    starts, ends = [int(row[5]) for row in rows], [int(row[6]) for row in rows]
    assert all(text[a:b] == row[1] for a, b, row in zip(starts, ends, rows, strict=True))
    assert all(after < before for after, before in zip(starts[1:], ends, strict=False))


def test_that_a_folders_pages_and_paragraphs_are_the_chunks_own(tmp_path, monkeypatch):
    text = f"{LONG}\n\n{LONG}"  # four paragraphs: 0, 137, 274, 411
    (tmp_path / "a.txt").write_text(text, "utf-8", newline="")
    stored_places = json.dumps({"pages": [0, 150, 300], "paragraphs": [0, 137, 274, 411]})
    monkeypatch.setattr(
        "batchdesk.tables.folder.FolderReader._row",
        lambda *_: ["a.txt", text, "3", stored_places],
    )
    made = read(tmp_path)
    assert made.columns == [*COLUMNS, *PLACES]
    assert [row[4:] for _, row in made.rows] == [
        ["1", "4", "0", "137", "1", "1"],
        ["2", "4", "137", "274", "2", "1-2"],
        ["3", "4", "274", "411", "3", "2-3"],
        ["4", "4", "411", "546", "4", "3"],
    ]
    assert [json.loads(row[3]) for _, row in made.rows] == [
        {"pages": [0], "paragraphs": [0]},
        {"pages": [0, 13], "paragraphs": [0]},
        {"pages": [0, 26], "paragraphs": [0]},
        {"pages": [0], "paragraphs": [0]},
    ]


def test_that_a_single_documents_positions_are_the_chunks_own(tmp_path):
    (tmp_path / "a.md").write_text(LONG, "utf-8", newline="")
    made = read(tmp_path / "a.md")
    assert [json.loads(row[3]) for _, row in made.rows] == [{"pages": [], "paragraphs": [0]}] * 2


def test_that_taken_names_of_columns_are_left_to_whom_they_belong(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"text": LONG, "chunk.of": "mine"}), "utf-8")
    made = read(path)
    assert made.columns[:4] == ["text", "chunk.of", "chunk.number", "chunk.of (2)"]
    assert [row[1:4] for _, row in made.rows] == [["mine", "1", "2"], ["mine", "2", "2"]]


def test_that_columns_that_turn_up_late_stand_after_the_chunks(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,text\nA,x\nB,y,more\n", "utf-8")
    made = read(path)
    assert made.columns[:2] == ["id", "text"]
    assert made.columns[2:8] == list(PLACES)
    assert len(made.columns) == 9
    assert made.rows[1][1] == ["B", "y", "1", "1", "0", "1", "1", None, "more"]


def test_that_a_wrong_column_or_size_is_told_before_anything_is_read(tmp_path):
    path = a_file(tmp_path, ("A", "x"))
    with pytest.raises(TableError, match=r"no column 'txt' whose long texts .* mean 'text'"):
        open_table(path, ReadOptions(chunks=ChunkOptions("txt")))
    with pytest.raises(JobFileError, match="Chunks of 8 tokens"):
        open_table(path, ReadOptions(chunks=ChunkOptions("text", 8, 0)))


def test_that_options_follow_the_job_and_its_models_encoding():
    assert chunk_options("text", "") == ChunkOptions("text", 2000, 100, "")
    assert chunk_options("text", "gpt-4", tokens=400) == ChunkOptions(
        "text", 400, 20, "cl100k_base"
    )
    assert chunk_options("text", "deepseek-chat", overlap=0) == ChunkOptions("text", 2000, 0, "")
    data = {"chunk_column": "text", "chunk_tokens": 300, "chunk_overlap": 7}
    assert options_of(a_job(data=data)) == ReadOptions(chunks=ChunkOptions("text", 300, 7, ""))
    assert options_of(a_job()) == ReadOptions()


def test_that_a_fingerprint_tells_chunks_from_whole_texts(tmp_path):
    path = a_file(tmp_path, ("A", "x"))
    ways = [None, ChunkOptions("text"), ChunkOptions("note"), ChunkOptions("text", encoding="x")]
    assert len({fingerprint(path, ReadOptions(chunks=way)) for way in ways}) == 4


def test_that_a_look_into_a_file_shows_its_chunks(tmp_path):
    peek = peek_table(a_file(tmp_path, ("A", LONG)), CUT)
    assert [row[3:5] for row in peek.rows] == [("1", "2"), ("2", "2")]
    assert peek.format["chunks"]["added"] == PLACES


def test_that_the_first_table_of_a_database_keeps_the_other_options(tmp_path):
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.executescript("CREATE TABLE a (text TEXT); CREATE TABLE b (text TEXT)")
    connection.close()
    chosen = first_choice(tmp_path / "t.db", CUT)
    assert (chosen.table, chosen.chunks) == ("a", CHUNKS)


async def test_that_chunks_are_stored_with_the_number_and_key_of_their_row(session, tmp_path):
    path = a_file(tmp_path, ("A", "short"), ("B", LONG), ("B#1", "x"), ("", LONG))
    dataset = await session.import_table(path, key_column="id", options=CUT)
    rows = await stored(session, dataset.id)
    assert [(row.number, row.key) for row in rows] == [
        (1, "A"),
        *[(2, "B#1"), (2, "B#2")],
        (3, "B#1 (2)"),
        *[(4, "row 4#1"), (4, "row 4#2")],
    ]
    assert dataset.problem_counts == {"duplicate_key": 1, "empty_key": 1}
    assert chunked(dataset) == Chunked(CHUNKS, PLACES, 4)
    assert (dataset.row_count, dataset.columns) == (6, ("id", "text", "note", *PLACES))
    assert await session.place_of_row(dataset.id, 3) == 3
    again = await session.import_table(path, key_column="id", options=CUT)
    assert again == dataset
    whole = await session.import_table(path, key_column="id")
    assert (whole.row_count, whole.id == dataset.id) == (4, False)


async def test_that_without_an_id_column_the_key_is_the_number_of_the_row(session, tmp_path):
    dataset = await session.import_table(a_file(tmp_path, ("A", LONG), ("B", "x")), options=CUT)
    assert [row.key for row in await stored(session, dataset.id)] == ["1#1", "1#2", "2"]


async def test_that_unchanged_chunks_stay_unchanged_wherever_they_stand_now(session, tmp_path):
    path = a_file(tmp_path, ("A", LONG), ("B", "x"))
    before = await session.import_table(path, key_column="id", options=CUT)
    run_id = await session.make_run(a_job(), before)
    await session.start(run_id)
    await session.wait(run_id)
    grown = f"{RENT.strip()} Or on the second.\n\n{HOUSE.strip()}\n\n{RENT.strip()}"
    a_file(tmp_path, ("A", grown), ("B", "x"))
    found = await session.compare_table(before.id, path)
    assert found.counts == {
        Change.NEW: 1,
        Change.CHANGED: 2,
        Change.UNCHANGED: 1,
        Change.VANISHED: 0,
    }
    moved = f"{RENT.strip()} \n\n{HOUSE.strip()}"
    a_file(tmp_path, ("A", moved), ("B", "x"))
    found = await session.compare_table(before.id, path)
    assert found.counts[Change.UNCHANGED] == 2  # the second chunk, one character further on
    now = (await session.import_again(before.id, path)).dataset
    run_id = await session.make_run(a_job(), now)
    assert [
        (task.row_key, task.state, task.reason)
        for task in await session.task_page(await session.task_ids(run_id))
    ] == [
        ("A#1", TaskState.PENDING, None),
        ("A#2", TaskState.SKIPPED, SkipReason.UNCHANGED),
        ("B", TaskState.SKIPPED, SkipReason.UNCHANGED),
    ]


async def test_that_a_workbook_whose_texts_were_cut_has_no_place_for_answers(session, tmp_path):
    with open_writer(tmp_path / "t.xlsx", ["id", "text"]) as writer:
        writer.write([{"id": "A", "text": LONG}])
    dataset = await session.import_table(tmp_path / "t.xlsx", options=CUT)
    with pytest.raises(TableError, match="one row of the workbook has several answers"):
        workbook_of(dataset)


PIECES = st.sampled_from(
    ["# Head\n", "\n\n", "One sentence. ", "一句话。", "word ", "a" * 40, "😀", "1.2 Part\n", "第一条 "]
)  # fmt: skip


@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.lists(PIECES, max_size=60).map("".join), min_size=1, max_size=4))
def test_that_chunks_give_the_texts_back_through_an_import(texts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunks")
    path = folder / "t.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), "utf-8")

    async def imported():
        session = await Session.open(folder / "p.batchdesk", create=True)
        try:
            options = ReadOptions(chunks=ChunkOptions("text", 16, 0, "o200k_base"))
            dataset = await session.import_table(path, options=options)
            return await stored(session, dataset.id)
        finally:
            await session.close()

    rows = asyncio.run(imported())
    parts = [[row for row in rows if row.number == number] for number in range(1, len(texts) + 1)]
    assert ["".join(row.cells["text"] for row in group) for group in parts] == texts
    assert len({row.key for row in rows}) == len(rows)
    for group, text in zip(parts, texts, strict=True):
        assert {row.cells["chunk.of"] for row in group} == {str(len(group))}
        for row in group:
            start, end = int(row.cells["chunk.start"]), int(row.cells["chunk.end"])
            assert text[start:end] == row.cells["text"]


def test_that_a_column_that_takes_a_chunks_name_late_is_renamed_and_told(tmp_path):
    path = tmp_path / "t.jsonl"
    many = "".join(json.dumps({"text": "x"}) + "\n" for _ in range(3000))
    path.write_text(many + json.dumps({"text": "x", "chunk.of": "late"}) + "\n", "utf-8")
    made = read(path)
    assert made.columns[-1] == "chunk.of (2)"
    assert made.rows[-1][1][-1] == "late"
    (problem,) = [one for one in made.problems if one.kind is ProblemKind.DUPLICATE_COLUMN]
    assert dict(problem.detail) == {"name": "chunk.of", "column": "chunk.of (2)"}
