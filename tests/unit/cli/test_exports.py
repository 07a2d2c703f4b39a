"""``export`` in every format, and into a copy of the workbook."""

import asyncio
import sqlite3

import openpyxl
import pyarrow.parquet
import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.cli.main import main
from batchdesk.session import Session
from batchdesk.tables import open_reader

COLUMNS = [
    "id", "text", "label", "answer.label", "batchdesk.row", "batchdesk.state",
    "batchdesk.reason", "batchdesk.decision", "batchdesk.attempts", "batchdesk.input_tokens",
    "batchdesk.output_tokens", "batchdesk.cost",
]  # fmt: skip


async def _finished(folder, table=None):
    session = await Session.open(folder / "p.batchdesk", create=True)
    try:
        if table is None:
            dataset = await a_table(session, folder)
        else:
            dataset = await session.import_table(table, key_column="id")
        run_id = await session.make_run(a_job(), dataset)
        await session.start(run_id)
        await session.wait(run_id)
    finally:
        await session.close()


@pytest.mark.parametrize(
    "suffix", [".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".sqlite", ".db"]
)
def test_that_the_suffix_decides_the_format_and_all_rows_come_back(tmp_path, capsys, suffix):
    asyncio.run(_finished(tmp_path))
    target = tmp_path / f"out{suffix}"
    assert main(["export", str(tmp_path / "p.batchdesk"), "--to", str(target)]) == 0
    assert capsys.readouterr().out == f"4 rows of run 1 are in {target}\n"
    reader = open_reader(target)
    rows = [row for _, row in reader.rows()]
    reader.close()
    assert len(reader.columns) == len(COLUMNS)
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert [row[4] for row in rows] == ["1", "2", "3", "4"]
    assert [row[5] for row in rows] == ["passed", "passed", "skipped", "passed"]


def test_that_figures_keep_their_types_where_the_format_has_types(tmp_path):
    asyncio.run(_finished(tmp_path))
    for name in ("out.xlsx", "out.parquet", "out.sqlite"):
        project = str(tmp_path / "p.batchdesk")
        assert main(["export", project, "--to", str(tmp_path / name)]) == 0
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0]
    assert [cell.value for cell in sheet[1]] == COLUMNS
    assert (sheet["E2"].value, sheet["I2"].value, sheet["L2"].value) == (1, 1, 0)
    assert sheet["A2"].value == "1"  # an id stays the text that it was
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == COLUMNS
    kinds = [str(table.schema.field(f"batchdesk.{name}").type) for name in ("row", "cost")]
    assert kinds == ["int64", "double"]
    connection = sqlite3.connect(tmp_path / "out.sqlite")
    [(name,)] = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    kinds = [
        kind for (kind,) in connection.execute(f'SELECT typeof("batchdesk.attempts") FROM "{name}"')
    ]
    connection.close()
    assert kinds == ["integer"] * 4


def test_that_answers_go_into_a_copy_of_the_workbook(tmp_path, capsys):
    book = openpyxl.Workbook()
    for row in (["id", "text"], ["1", "I love it"], ["2", "It broke"]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "in.xlsx")
    asyncio.run(_finished(tmp_path, tmp_path / "in.xlsx"))
    target = tmp_path / "copy.xlsx"
    words = ["export", str(tmp_path / "p.batchdesk"), "--into-copy", str(target)]
    assert main(words) == 0
    assert capsys.readouterr().out == f"2 rows of run 1 are in {target}\n"
    sheet = openpyxl.load_workbook(target).worksheets[0]
    assert [cell.value for cell in sheet[1]][:3] == ["id", "text", "answer.label"]
    assert sheet["C2"].value in {"positive", "negative"}
    assert main(words) == 2
    assert "exists already" in capsys.readouterr().err
    assert main([*words, "--force", "--keep-masks"]) == 0


def test_that_without_a_workbook_a_copy_is_refused_in_a_sentence(tmp_path, capsys):
    asyncio.run(_finished(tmp_path))
    project, target = str(tmp_path / "p.batchdesk"), str(tmp_path / "copy.xlsx")
    assert main(["export", project, "--into-copy", target]) == 2
    assert "did not come from an XLSX or XLSM workbook" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["export", project, "--to", target, "--into-copy", target])
    assert "not allowed with" in capsys.readouterr().err
