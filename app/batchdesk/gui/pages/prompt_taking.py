"""Takes parts of a prompt from elsewhere: from the library, and examples from labelled rows."""

from __future__ import annotations

from functools import partial

import pydantic
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchdesk.domain.job import Job, Stage
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.prompt_examples import ExamplesSection
from batchdesk.gui.pages.prompt_library import LibraryBox
from batchdesk.gui.sentences import sentence
from batchdesk.session.prompt_examples import labelled_examples
from batchdesk.session.prompt_library import with_kept


class Taking(QObject):
    """Opens the library and makes examples.

    Args:
        desk: Its job is what is kept, and what is changed.
        page: The window that it is in shows the library.
        examples: Gets the examples.

    Signals:
        taken(object): The Job with a prompt of the library in it.
    """

    taken = Signal(object)

    def __init__(self, desk: Desk, page: QWidget, examples: ExamplesSection) -> None:
        super().__init__(page)
        self._desk, self._page, self._examples = desk, page, examples
        self.box: LibraryBox | None = None

    def show_library(self) -> None:
        """Open the library."""
        job = self._desk.job
        if job is None:
            return
        if self.box is None:
            self.box = LibraryBox(self._page.window(), self._desk)
            self.box.used.connect(self._use)
        self.box.show_library(job.stages[0], job.name)

    def make_examples(self) -> None:
        """Make an example for each value of the label."""
        job, dataset = self._desk.job, self._desk.dataset
        if job is not None and dataset is not None:
            self._desk.ask(
                partial(labelled_examples, job=job, dataset=dataset),
                self._examples.add_examples,
                lambda error: self._examples.say(sentence(error)),
            )

    def _use(self, kept: Stage) -> None:
        job = self._desk.job
        if job is None:
            return
        try:
            stages = (with_kept(job.stages[0], kept), *job.stages[1:])
            taken = Job.model_validate(dict(job) | {"stages": stages})
        except pydantic.ValidationError as error:
            self._desk.problem.emit(str(error.errors()[0]["msg"]))
            return
        self.taken.emit(taken)
