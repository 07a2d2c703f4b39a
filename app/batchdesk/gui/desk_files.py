"""Opening samples, tables and projects: the flows that several pages share.

Paths come in; projects, datasets and jobs on the desk come out. One Files belongs to each desk
(``files_of``). At most one import is under way; it can be called off and then leaves nothing.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.sentences import sentence
from batchdesk.session import (
    PROJECT_SUFFIX,
    Dataset,
    ReadOptions,
    Sample,
    Session,
    StoredJob,
    TablePeek,
    peek_table,
    read_job_file,
    told_options,
)
from batchdesk.session.reading import READABLE, first_choice

TABLE_SUFFIXES = READABLE
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')  # in file names, on one system or another
_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Importing:
    """An import under way: the share read so far (0 to 1) of ``size`` bytes; None: not known."""

    name: str
    began: float  # time.monotonic()
    share: float = 0.0
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a dataset was read from, and how: None in the options was guessed."""

    path: Path
    options: ReadOptions


class Files(QObject):
    """Opens files onto the desk.

    Args:
        desk: Gets the projects, datasets and jobs; owns this object.

    Attributes:
        folder: Where new projects are made.
        importing: The import under way.
        error: Why the last import failed; empty if it did not.

    Signals:
        changed: ``importing`` or ``error`` is another.
    """

    changed = Signal()
    _progressed = Signal(int, float)  # emitted on the Session's thread, heard on the window's

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._chosen_folder = desk.settings.projects
        self.folder = self._chosen_folder or projects_folder()
        self.importing: Importing | None = None
        self.error = ""
        self._serial = 0
        self._asked: Asked | None = None
        self._progressed.connect(self._hear_progress)
        desk.project_closing.connect(self._forget)
        desk.settings_changed.connect(self._follow_settings)

    def place(self, dataset: Dataset | None) -> Place | None:
        """Where a dataset came from; None if its file is not there or nobody knows where it is."""
        if dataset is None or dataset.path is None or not Path(dataset.path).exists():
            return None
        return Place(Path(dataset.path), told_options(dataset))

    # -- flows ------------------------------------------------------------------------------

    def open_any(self, path: Path) -> None:
        """Open a project, or a table in the present project or in a new one of its name."""
        if path.suffix.lower() == PROJECT_SUFFIX:
            self._desk.switch_project(path, then=lambda: self._desk.go_to.emit("runs"))
        elif self._desk.session is None:
            self._set_error("")
            # Looked into first, so that a file that is no table leaves no empty project.
            look = partial(asyncio.to_thread, peek_table, path, None, count=1)
            self._desk.ask_program(look, lambda _: self._new_project(path), self._fail)
        else:
            self._desk.go_to.emit("data")
            self.read_table(path)

    def open_sample(self, sample: Sample, path: Path | None = None) -> None:
        """Make a project of a sample: its table, its job, and the Data page.

        ``path`` is where the project goes; None for a free name in the usual folder.
        """
        look = partial(asyncio.to_thread, read_job_file, sample.job_file)
        self._desk.ask_program(look, lambda job: self._sample_project(sample, job, path))

    def read_table(
        self, path: Path, options: ReadOptions | None = None, key: str | None = None
    ) -> None:
        """Import a table into the open project and choose it; an import under way is called off."""
        self._read(Place(path, options or ReadOptions()), key, None)

    def cancel(self) -> None:
        """Call the import off; nothing of it stays."""
        if self.importing is not None:
            self._serial += 1
            self.importing = None
            if self._asked is not None:
                self._asked.cancel()
            self.changed.emit()

    def dismiss_error(self) -> None:
        """The person has read why the import failed."""
        self._set_error("")

    def _follow_settings(self) -> None:
        """Another folder for new projects, if the person chose one."""
        chosen = self._desk.settings.projects
        if chosen != self._chosen_folder:
            self._chosen_folder = chosen
            self.folder = chosen or projects_folder()

    # -- steps ------------------------------------------------------------------------------

    def _new_project(self, table: Path) -> None:
        find = partial(asyncio.to_thread, new_project_path, self.folder, table.stem)
        self._desk.ask_program(find, lambda path: self._make(path, Place(table, ReadOptions())))

    def _sample_project(self, sample: Sample, job: Job, path: Path | None) -> None:
        place = Place(sample.table, ReadOptions(job.data.encoding, job.data.separator))
        if path is not None:
            self._make(path, place, job)
            return
        find = partial(asyncio.to_thread, new_project_path, self.folder, job.name)
        self._desk.ask_program(find, lambda free: self._make(free, place, job))

    def _make(self, path: Path, place: Place, job: Job | None = None) -> None:
        def go_on() -> None:
            self._desk.go_to.emit("data")
            self._read(place, job.data.key if job else None, job)

        self._desk.switch_project(path, create=True, then=go_on)

    def _read(self, place: Place, key: str | None, job: Job | None) -> None:
        self.cancel()
        self._serial += 1
        serial = self._serial
        self.error = ""
        self.importing = Importing(place.path.name, time.monotonic(), size=_size(place.path))
        self.changed.emit()
        self._asked = self._desk.ask(
            partial(
                _import,
                place=place,
                key=key,
                on_progress=lambda share: self._progressed.emit(serial, share),
            ),
            lambda dataset: self._imported(serial, dataset, job),
            lambda error: self._failed(serial, error),
        )

    def _imported(self, serial: int, dataset: Dataset, job: Job | None) -> None:
        if serial != self._serial:
            return
        self.importing = None
        if job is not None:
            self._desk.edit_job(job)  # first: a table without a job is given one
        self._desk.choose_dataset(dataset)
        if job is not None:
            self._desk.ask(
                partial(_save, job=job),
                lambda stored: self._desk.edit_job(stored.job, stored.version),
            )
        self.changed.emit()

    def _failed(self, serial: int, error: UserError) -> None:
        if serial == self._serial:
            self.importing = None
            self._fail(error)

    def _fail(self, error: UserError) -> None:
        self._set_error(sentence(error))

    def _set_error(self, sentence: str) -> None:
        self.error = sentence
        self.changed.emit()

    def _hear_progress(self, serial: int, share: float) -> None:
        if serial == self._serial and self.importing is not None:
            self.importing = replace(self.importing, share=share)
            self.changed.emit()

    def _forget(self) -> None:
        self.cancel()
        self._set_error("")


def files_of(desk: Desk) -> Files:
    """The desk's Files; made when first asked for."""
    found = desk.findChild(Files)
    return found if isinstance(found, Files) else Files(desk)


def projects_folder() -> Path:
    """Where new projects go: ``Batchdesk`` in the home folder, where the sample's also is."""
    return Path.home() / "Batchdesk"


def new_project_path(folder: Path, name: str) -> Path:
    """A free path for a project of this name; makes the folder.

    Raises:
        UserError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            "The folder {path} for new projects cannot be made: {reason}.",
            path=folder,
            reason=error.strerror or error,
        ) from error
    stem = _FORBIDDEN.sub(" ", name).strip(" .")[:_NAME_LENGTH].strip(" .") or "Project"
    path, number = folder / f"{stem}{PROJECT_SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem} {number}{PROJECT_SUFFIX}"
    return path


def look_into(
    desk: Desk, place: Place, then: Callable[[TablePeek], None], failed: Callable[[UserError], None]
) -> Asked:
    """Read the first rows of a file without importing it."""
    return desk.ask_program(
        partial(asyncio.to_thread, peek_table, place.path, place.options), then, failed
    )


async def _import(
    session: Session, *, place: Place, key: str | None, on_progress: Callable[[float], None]
) -> Dataset:
    """Read a table in; of a database with several, the first unless one was chosen."""
    options = await asyncio.to_thread(first_choice, place.path, place.options)
    return await session.import_table(
        place.path, key_column=key, options=options, on_progress=on_progress
    )


async def _save(session: Session, *, job: Job) -> StoredJob:
    return await session.save_job(job)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
