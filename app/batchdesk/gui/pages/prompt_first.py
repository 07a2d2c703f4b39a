"""The first job of a table that has none: something sensible that can be run at once.

The table and its first rows come in; a Job for the practice server goes out. One FirstJobs
belongs to each desk (``first_jobs_of``) and makes the job as soon as a table is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import fmean

from PySide6.QtCore import QObject

from batchdesk.domain.job import DataSpec, Job, ProviderSpec, Stage
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.prompt_schema import AnswerField, AnswerForm, schema_of
from batchdesk.gui.pages.prompt_texts import placeholder
from batchdesk.session import Dataset, Session, StoredRow
from batchdesk.session.hints import with_fences

ROWS_LOOKED_AT = 50

# What columns with the right answer are named, and how few and short their values then are.
_LABEL_NAMES = (
    *("label", "labels", "target", "class", "category", "sentiment", "y"),
    *("标签", "类别", "分类", "情感"),
)
_MOST_LABELS, _SURELY_FEW, _LONGEST_LABEL = 20, 5, 40


def longest_column(dataset: Dataset, rows: Sequence[StoredRow]) -> str:
    """The column with the longest cells on average, other than id and label if there is another."""
    others = {dataset.key_column, guessed_label(dataset, rows)}
    columns = [name for name in dataset.columns if name not in others]
    columns = columns or list(dataset.columns)

    def length(name: str) -> float:
        return fmean(len(row.cells.get(name) or "") for row in rows) if rows else 0.0

    return max(columns, key=length)  # the first of equal ones


def guessed_label(dataset: Dataset, rows: Sequence[StoredRow]) -> str | None:
    """The column that by its name and its values has the right answers; None if none is so."""
    found = [
        name
        for name in dataset.columns
        if name.strip().lower() in _LABEL_NAMES
        and name != dataset.key_column
        and _are_labels([row.cells.get(name) or "" for row in rows])
    ]
    return min(found, key=lambda name: _LABEL_NAMES.index(name.strip().lower()), default=None)


def _are_labels(cells: Sequence[str]) -> bool:
    """Whether values are short, few, and occur again and again."""
    values = [cell.strip() for cell in cells if cell.strip()]
    kinds = set(values)
    if not kinds or len(kinds) > _MOST_LABELS or max(map(len, kinds)) > _LONGEST_LABEL:
        return False
    return len(kinds) <= max(_SURELY_FEW, len(values) // 2)


class FirstJob(QObject):
    """Makes the job in the window's language, since that is what the person goes on to edit."""

    def make(self, dataset: Dataset, rows: Sequence[StoredRow]) -> Job:
        """The first job of a table."""
        column = longest_column(dataset, rows)
        form = AnswerForm(fields=(AnswerField("answer", description=self.tr("The answer")),))
        stage = Stage(
            name="answer",
            system=self.tr(
                "Read the text and say in one sentence of at most 20 words what it is about. If "
                "the text does not say, answer “unknown”."
            ),
            user=placeholder(column),
            output=schema_of(form),
            answer_field="answer",
            temperature=0,
        )
        return Job(
            name=dataset.name.strip() or "job",
            data=DataSpec(key=dataset.key_column, label=guessed_label(dataset, rows)),
            provider=ProviderSpec(preset="practice"),
            stages=(with_fences(stage, dataset.columns),),
        )


class FirstJobs(QObject):
    """Sees to it that the desk has a job when it has a table.

    A first job that nobody has changed is made anew for a table that is read in another way. Its
    label column is guessed, unless the person chose one or none meanwhile.

    Args:
        desk: Gets the job; owns this object.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk, self._maker = desk, FirstJob(self)
        self._made: Job | None = None
        self._under_way: Dataset | None = None
        desk.dataset_changed.connect(self.make)
        desk.project_closing.connect(self._forget)

    def make(self) -> None:
        """Make a job if one is wanted; it is on the desk a moment later."""
        dataset, desk = self._desk.dataset, self._desk
        if dataset is None or dataset is self._under_way or not self._is_wanted():
            return
        self._under_way = dataset
        call = partial(_first_rows, dataset=dataset)
        desk.ask(call, lambda rows: self._have_rows(dataset, rows))

    def _have_rows(self, dataset: Dataset, rows: list[StoredRow]) -> None:
        self._under_way = None
        if self._desk.dataset is not dataset or not self._is_wanted():
            return
        before, job = self._made, self._desk.job
        self._made = made = self._maker.make(dataset, rows)
        if before is not None and job is not None and job.data.label != before.data.label:
            label = job.data.label  # chosen by the person, or taken away
            made = _labelled(made, label if label in dataset.columns else None)
        self._desk.edit_job(made)

    def _is_wanted(self) -> bool:
        job, made = self._desk.job, self._made
        if job is None:
            return True
        return made is not None and _labelled(job, None) == _labelled(made, None)

    def _forget(self) -> None:
        self._made = self._under_way = None


def first_jobs_of(desk: Desk) -> FirstJobs:
    """The desk's FirstJobs; made when first asked for."""
    found = desk.findChild(FirstJobs)
    return found if isinstance(found, FirstJobs) else FirstJobs(desk)


def _labelled(job: Job, label: str | None) -> Job:
    data = job.data.model_copy(update={"label": label})
    return job.model_copy(update={"data": data})


async def _first_rows(session: Session, *, dataset: Dataset) -> list[StoredRow]:
    ids = await session.row_ids(dataset.id)
    return await session.row_page(ids[:ROWS_LOOKED_AT])
