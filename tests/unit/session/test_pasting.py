"""A run's answers in a copy of its workbook, and what stands in the way of one."""

import openpyxl
import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.errors import TableError
from batchdesk.session import ReadOptions

NOTE = "kept as it is"


def workbook(path):
    """Three rows below a title in the second sheet; the last row of the sheet has no text."""
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Cover"
    sheet = book.create_sheet("Reviews")
    sheet["A1"] = "Reviews of June"
    for row in (["id", "text"], [1, "I love it"], [2, "It broke at once"], [None, None], [4, " "]):
        sheet.append(row)
    sheet["D3"] = NOTE
    book.save(path)
    return path


async def finished(session, path):
    dataset = await session.import_table(
        path, key_column="id", options=ReadOptions(sheet="Reviews")
    )
    run_id = await session.make_run(a_job(), dataset)
    await session.start(run_id)
    await session.wait(run_id)
    return run_id


async def test_that_answers_stand_beside_their_rows_in_a_copy_of_the_workbook(session, tmp_path):
    source = workbook(tmp_path / "reviews.xlsx")
    before = source.read_bytes()
    run_id = await finished(session, source)
    assert await session.workbook(run_id) == source
    target = tmp_path / "answered.xlsx"
    assert await session.export_into_copy(run_id, target, overwrite=False) == 3
    book = openpyxl.load_workbook(target)
    assert book.sheetnames == ["Cover", "Reviews"]
    rows = [[cell.value for cell in row] for row in book["Reviews"].iter_rows()]
    assert rows[0][:2] == ["Reviews of June", None]
    assert rows[1] == [
        "id", "text", None, None,
        "answer.label", "batchdesk.state", "batchdesk.reason", "batchdesk.decision",
    ]  # fmt: skip
    assert rows[2][:4] == [1, "I love it", None, NOTE]
    assert rows[2][4] in {"positive", "negative"}
    assert rows[2][5] == rows[3][5] == "passed"
    assert rows[4] == [None] * 8
    assert rows[5] == [4, " ", None, None, None, "skipped", "empty", None]
    assert source.read_bytes() == before
    with pytest.raises(TableError, match="exists already"):
        await session.export_into_copy(run_id, target, overwrite=False)
    assert await session.export_into_copy(run_id, target) == 3


async def test_that_the_workbook_itself_is_never_the_target(session, tmp_path):
    source = workbook(tmp_path / "reviews.xlsx")
    run_id = await finished(session, source)
    before = source.read_bytes()
    with pytest.raises(TableError, match="is the table that the rows were read from"):
        await session.export_into_copy(run_id, source)
    with pytest.raises(TableError, match="needs the same suffix"):
        await session.export_into_copy(run_id, tmp_path / "out.csv")
    assert source.read_bytes() == before


async def test_that_a_workbook_that_was_changed_or_is_gone_is_told(session, tmp_path):
    source = workbook(tmp_path / "reviews.xlsx")
    run_id = await finished(session, source)
    book = openpyxl.load_workbook(source)
    book["Reviews"]["B3"] = "I hate it"
    book.save(source)
    assert await session.workbook(run_id) is None
    with pytest.raises(TableError, match="was changed since its rows were imported"):
        await session.export_into_copy(run_id, tmp_path / "out.xlsx")
    source.unlink()
    assert await session.workbook(run_id) is None
    with pytest.raises(TableError, match="is no longer there"):
        await session.export_into_copy(run_id, tmp_path / "out.xlsx")
    assert not (tmp_path / "out.xlsx").exists()


async def test_that_a_table_of_another_kind_has_no_workbook(session, tmp_path):
    run_id = await session.make_run(a_job(), await a_table(session, tmp_path))
    assert await session.workbook(run_id) is None
    with pytest.raises(TableError, match="did not come from an XLSX or XLSM workbook"):
        await session.export_into_copy(run_id, tmp_path / "out.xlsx")


async def test_that_masks_are_undone_in_the_copy_unless_told(session, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["id", "text"], ["1", "Write to ann@example.com today"]):
        sheet.append(row)
    book.save(tmp_path / "mails.xlsx")
    output = {
        "type": "object",
        "properties": {"mail": {"type": "string"}},
        "required": ["mail"],
    }
    job = a_job(stage={"output": output, "answer_field": None}, clean=[{"step": "mask"}])
    dataset = await session.import_table(tmp_path / "mails.xlsx", key_column="id")
    run_id = await session.make_run(job, dataset)
    await session.start(run_id)
    await session.wait(run_id)

    def answer_with_token(connection):
        connection.execute("UPDATE result SET answer = json_object('mail', ?)", ("to [EMAIL_1]",))

    await session._project.writer.run(answer_with_token)
    for unmask, mail in ((True, "to ann@example.com"), (False, "to [EMAIL_1]")):
        await session.export_into_copy(run_id, tmp_path / "out.xlsx", unmask=unmask)
        [_, found] = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets[0].iter_rows()
        assert found[2].value == mail
