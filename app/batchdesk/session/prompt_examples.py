"""Worked examples made from rows that have the right answer already.

A job, a table and its label column come in; for each value of the label one Example goes out,
made of a row of usual length.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from batchdesk.domain.job import Example, Job
from batchdesk.errors import UserError
from batchdesk.prepare.template import Template, is_blank
from batchdesk.session.facade import Session
from batchdesk.store.rows import Dataset, StoredRow

LOOKED_AT = 2000  # rows of the table
MOST_VALUES = 8  # of the label; one example each
_NUMERIC = {"number": float, "integer": int}


async def labelled_examples(session: Session, *, job: Job, dataset: Dataset) -> list[Example]:
    """One example for each value of the label among the first rows.

    Raises:
        UserError: no label column, no row with a label, or an answer that the table's columns
            cannot fill.
    """
    ids = await session.row_ids(dataset.id)
    rows = await session.row_page(list(ids[:LOOKED_AT]))
    return await asyncio.to_thread(partial(_examples, job, dataset.columns, rows))


def _examples(job: Job, columns: Sequence[str], rows: Sequence[StoredRow]) -> list[Example]:
    stage, label = job.stages[0], job.data.label
    if label is None or label not in columns:
        raise UserError("Choose a label column on the Data page first.")
    text = Template(stage.user, columns, where="The text per row")
    whole = [row for row in rows if row.cells.get(label) and not is_blank(row.cells, text.used)]
    if not whole:
        raise UserError("No row has a value in the label column {label!r}.", label=label)
    by_value: dict[str, list[StoredRow]] = {}
    for row in whole:
        by_value.setdefault(str(row.cells[label]), []).append(row)
    made = []
    for found in list(by_value.values())[:MOST_VALUES]:
        row = _usual(found, text)
        answer = _answer(job, columns, row.cells)
        made.append(Example(user=text.render(row.cells), assistant=answer))
    return made


def _usual(rows: Sequence[StoredRow], text: Template) -> StoredRow:
    """The row of middle length: neither a word nor a book shows what is meant."""
    by_length = sorted(rows, key=lambda row: sum(len(row.cells.get(c) or "") for c in text.used))
    return by_length[len(by_length) // 2]


def _answer(job: Job, columns: Sequence[str], cells: Mapping[str, str | None]) -> str:
    stage, label = job.stages[0], job.data.label or ""
    if stage.output is None:
        return cells[label] or ""
    properties = stage.output.get("properties", {})
    required = stage.output.get("required", list(properties))
    field = stage.answer_field
    if field is None and len(properties) == 1:
        field = next(iter(properties))
    answer: dict[str, Any] = {}
    for name, part in properties.items():
        column = label if name == field else name
        value = cells.get(column) if column in columns else None
        if value is not None:
            answer[name] = _typed(value, part)
        elif name in required:
            raise UserError(
                "An example needs a value for the field {field!r}, and no column has it. Add a "
                "column of that name, or write the examples by hand.",
                field=name,
            )
    return json.dumps(answer, ensure_ascii=False)


def _typed(value: str, part: Any) -> Any:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind == "boolean":
        return value.strip().lower() in {"true", "yes", "1"}
    make = _NUMERIC.get(kind) if isinstance(kind, str) else None
    if make is None:
        return value
    try:
        return make(value)
    except ValueError:
        return value
