"""Real tables are read without an option and without a problem. Skipped where they are absent."""

import os
from collections import Counter
from pathlib import Path

import pytest

from batchdesk.tables import open_reader
from batchdesk.tables.base import Row, TableFormat

FOLDER = Path(
    os.environ.get("BATCHDESK_TEST_DATA", Path(__file__).parents[3].parent / "shared" / "data")
)

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real tables in {FOLDER}")


def read(name: str) -> tuple[TableFormat, list[str], list[Row]]:
    reader = open_reader(FOLDER / name)
    rows = [cells for _, cells in reader.rows()]
    assert reader.problems == []
    assert {len(cells) for cells in rows} == {len(reader.columns)}
    return reader.format, reader.columns, rows


def test_that_reviews_in_utf8_with_a_mark_are_read():
    form, columns, rows = read("amazon_review_snippets_utf8bom.csv")
    assert form == TableFormat("csv", "utf-8-sig", ",")
    assert columns == ["id", "mean_sentiment", "text", "label"]
    assert len(rows) == 3708
    assert Counter(row[3] for row in rows) == {"positive": 1750, "negative": 1235, "neutral": 723}


def test_that_chinese_reviews_in_gbk_are_read():
    form, columns, rows = read("chinese_reviews_gbk.csv")
    assert form == TableFormat("csv", "gb18030", ",")
    assert columns == ["评论", "标签"]
    assert len(rows) == 11_997
    assert {row[1] for row in rows} == {"pos", "neg"}
    assert rows[0] == ["在北京也吃过几家素斋，心想这里应该也不错吧！！嘿嘿、、、", "neg"]


def test_that_long_texts_with_line_breaks_are_read():
    form, columns, rows = read("genai_incidents_sample.csv")
    assert form == TableFormat("csv", "utf-8", ",")
    assert columns[:2] == ["id", "title"]
    assert len(rows) == 4000
    assert len({row[4] for row in rows}) == 4


def test_that_questions_and_answers_in_jsonl_are_read():
    form, columns, rows = read("tech_support_qa.jsonl")
    assert form == TableFormat("jsonl", "utf-8")
    assert columns == ["question", "answer"]
    assert len(rows) == 1050
