"""From a run to a copy of the workbook that its rows came from, with the answers in new columns.

A run and a target come in; a copy of the whole workbook goes out. The workbook itself is read
only, and it must still be what was imported.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from batchdesk.domain.job import Job
from batchdesk.errors import TableError
from batchdesk.session.chunked import chunked
from batchdesk.session.costs import RowCosts
from batchdesk.session.exporting import check_target, exported_rows
from batchdesk.session.importing import is_source_of
from batchdesk.store.project import Project
from batchdesk.store.rows import Dataset
from batchdesk.tables.base import ReadOptions

_SUFFIXES = (".xlsx", ".xlsm")
# What a person wants beside the answers in their own workbook; other exports have the figures too.
_BESIDE = ("batchdesk.state", "batchdesk.reason", "batchdesk.decision")


def workbook_of(dataset: Dataset) -> Path:
    """The workbook that a dataset was read from; blocks, so call it in a thread.

    Raises:
        TableError: it was another kind of file, is no longer there, or was changed since; or its
            long texts were cut.
    """
    path = Path(dataset.path) if dataset.path is not None else None
    if dataset.format.get("name") != "xlsx" or path is None or path.suffix.lower() not in _SUFFIXES:
        raise TableError(
            "The rows did not come from an XLSX or XLSM workbook, so there is none to copy. Export "
            "to another file."
        )
    if chunked(dataset) is not None:
        raise TableError(
            "Long texts of {name} were cut, so that one row of the workbook has several answers: "
            "there is no place for them in a copy. Export to another file.",
            name=path.name,
        )
    if not path.is_file():
        raise TableError(
            "The workbook {path} is no longer there. Put it back, or export to another file.",
            path=path,
        )
    if not is_source_of(path, dataset):
        raise TableError(
            "The workbook {name} was changed since its rows were imported. Import it again, or "
            "export to another file.",
            name=path.name,
        )
    return path


def paste_run(
    project: Project,
    run_id: int,
    job: Job,
    dataset: Dataset,
    target: Path,
    *,
    overwrite: bool,
    costs: RowCosts,
    unmask: bool = True,
) -> int:
    """Write a copy of the workbook with a run's answers; blocks. Returns how many rows got some.

    Raises:
        TableError: as ``workbook_of`` says; or the copy cannot be written, or exists and is not to
            be overwritten.
        ProjectError: the target is the project file itself.
    """
    from batchdesk.tables.workbook_copy import paste_back  # noqa: PLC0415 - rarely needed

    source = workbook_of(dataset)
    check_target(project, dataset, target, overwrite=overwrite)
    with project.frozen() as connection:
        columns, pages = exported_rows(connection, run_id, job, costs=costs, unmask=unmask)
        added = [name for name in columns if name.startswith("answer.") or name in _BESIDE]
        options = ReadOptions(
            sheet=dataset.format.get("sheet"), header_row=dataset.format.get("header_row")
        )
        return paste_back(source, target, options, added, chain.from_iterable(pages))
