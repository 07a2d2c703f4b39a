"""Which column of a new table is taken for the label, and that a person's choice stands above it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from batchdesk.gui.pages.prompt_first import first_jobs_of, guessed_label, longest_column
from batchdesk.session import StoredRow

CHINESE = "编号,评论,标签,情感\n" + "".join(
    f"{n},很好用，物流也快,{'正面' if n % 2 else '负面'},{n % 3}\n" for n in range(1, 13)
)


def _table(values):
    """A dataset of one row per value of its columns, and those rows."""
    count = len(next(iter(values.values())))
    rows = [
        StoredRow(n, n + 1, f"k{n}", {name: cells[n] for name, cells in values.items()})
        for n in range(count)
    ]
    return SimpleNamespace(columns=tuple(values), key_column="id"), rows


@pytest.mark.parametrize(
    "name", ["标签", "类别", "分类", "情感", "label", "Labels", "category", "class", "sentiment",
             "target", "y", " LABEL "]
)  # fmt: skip
def test_that_a_column_named_as_a_label_with_few_values_is_guessed(name):
    dataset, rows = _table({"id": list("abcdef"), "text": ["x"] * 6, name: [*list("ppnpn"), None]})
    assert guessed_label(dataset, rows) == name
    assert longest_column(dataset, rows) == "text"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("product", ["p"] * 6),  # no name of a label
        ("id", ["p"] * 6),  # the id
        ("label", ["", None, " ", ""]),  # nothing in it
        ("label", list("abcdef")),  # 6 values in 6 rows: another one in each
        ("label", ["a text of more than forty characters, which no label is"] * 6),
        ("label", [str(n % 21) for n in range(63)]),  # 21 values
    ],
)
def test_that_other_columns_are_not_guessed_as_the_label(name, cells):
    dataset, rows = _table({"text": ["x"] * len(cells), name: cells})
    assert guessed_label(dataset, rows) is None


def test_that_of_two_columns_the_one_with_the_plainer_name_is_guessed():
    dataset, rows = _table({"category": list("aabb"), "label": list("ppnn"), "情感": list("ppnn")})
    assert guessed_label(dataset, rows) == "label"


@pytest.fixture
def own_table(desk, tmp_path):
    """A project with a table that has no job but the first one."""
    path = tmp_path / "a.csv"
    path.write_text(CHINESE, encoding="utf-8")
    first_jobs_of(desk)
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, None)
    return path


def test_that_the_first_job_has_the_guessed_label(desk, own_table):
    assert desk.job.data.label == "标签"
    desk.import_table(own_table, "编号")  # read anew, and so is the first job
    assert (desk.job.data.key, desk.job.data.label) == ("编号", "标签")


@pytest.mark.parametrize("chosen", [None, "情感"])
def test_that_a_label_that_a_person_chose_or_took_away_stays_so(desk, own_table, chosen):
    data = desk.job.data.model_copy(update={"label": chosen})
    desk.edit_job(desk.job.model_copy(update={"data": data}))
    desk.import_table(own_table, "编号")
    assert (desk.job.data.key, desk.job.data.label) == ("编号", chosen)
    desk.import_table(own_table, "评论")
    assert (desk.job.data.key, desk.job.data.label) == ("评论", chosen)
