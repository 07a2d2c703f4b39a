"""The first job of a table that has none: something sensible that can be run at once.

The table and its first rows come in; a Job for the practice server goes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from PySide6.QtCore import QObject

from batchdesk.domain.job import DataSpec, Job, ProviderSpec, Stage
from batchdesk.gui.pages.prompt_schema import AnswerField, AnswerForm, schema_of
from batchdesk.gui.pages.prompt_texts import placeholder
from batchdesk.session import Dataset, StoredRow

ROWS_LOOKED_AT = 50


def longest_column(dataset: Dataset, rows: Sequence[StoredRow]) -> str:
    """The column with the longest cells on average, other than the id if there is another."""
    columns = [name for name in dataset.columns if name != dataset.key_column]
    columns = columns or list(dataset.columns)

    def length(name: str) -> float:
        return fmean(len(row.cells.get(name) or "") for row in rows) if rows else 0.0

    return max(columns, key=length)  # the first of equal ones


class FirstJob(QObject):
    """Makes the job in the window's language, since that is what the person goes on to edit."""

    def make(self, dataset: Dataset, rows: Sequence[StoredRow]) -> Job:
        """The first job of a table."""
        column = longest_column(dataset, rows)
        form = AnswerForm(fields=(AnswerField("answer", description=self.tr("The answer")),))
        stage = Stage(
            name="answer",
            system=self.tr("Read the text and answer in one short sentence: what is it about?"),
            user=placeholder(column),
            output=schema_of(form),
            answer_field="answer",
            temperature=0,
        )
        return Job(
            name=dataset.name.strip() or "job",
            data=DataSpec(key=dataset.key_column),
            provider=ProviderSpec(preset="practice"),
            stages=(stage,),
        )
