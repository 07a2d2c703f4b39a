"""The middle column of Review: the row that was asked about, above what was sent for it.

A task, its job and its attempts come in; nothing goes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from batchdesk.domain.job import Job
from batchdesk.gui.pages.review_attempts import AttemptsPane
from batchdesk.gui.pages.review_text import (
    SourceText,
    is_mostly_signs,
    used_columns,
    word_count,
)
from batchdesk.gui.widgets.buttons import Segments
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, Review, TaskView

_KEEP = 40  # pixels of the old page that stay in view when scrolling by a page


class SourcePanel(Panel):
    """One row: the columns that the prompt uses, or all; attempts below."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, head_line=True, parent=parent)
        self._words = words
        self._view: TaskView | None = None
        self._job: Job | None = None
        self._used: list[str] = []
        self.setMinimumWidth(320)
        self.set_title(" ")
        self.choice = Segments([("text", self.tr("Text")), ("all", self.tr("All columns"))])
        self.choice.chosen.connect(lambda _code: self._show_cells())
        self.add_tool(self.choice)
        self.text = SourceText()
        self.text.setAccessibleName(self.tr("Source text"))
        self.attempts = AttemptsPane(words)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.text)
        splitter.addWidget(self.attempts)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([400, 132])
        self.add(splitter, 1)

    def set_job(self, job: Job) -> None:
        """The job whose prompt says which columns are shown."""
        self._job = job
        self._used = []

    def show_view(self, view: TaskView | None) -> None:
        """Shows a task's row; its attempts come later."""
        self._view = view
        self.attempts.show_item(view, (), ())
        if view is None:
            self.set_title(" ")
            self.text.show_cells({})
            return
        if not self._used and self._job is not None:
            self._used = used_columns(self._job, list(view.cells))
        text = " ".join(view.cells.get(name) or "" for name in self._used)
        number = self._words.number
        words = self.tr("row {0} · {1} words")
        if is_mostly_signs(text):
            words = self.tr("row {0} · {1} characters")
        self.set_title(
            view.row_key, words.format(number(view.row_number), number(word_count(text)))
        )
        self._show_cells()

    def show_attempts(
        self, view: TaskView, attempts: Sequence[AttemptView], history: Sequence[Review]
    ) -> None:
        """The attempts of the task that is shown."""
        self.attempts.show_item(view, attempts, history)

    def scroll_page(self, *, back: bool) -> None:
        """One page on, or back."""
        bar = self.text.verticalScrollBar()
        step = max(_KEEP, bar.pageStep() - _KEEP)
        bar.setValue(bar.value() + (-step if back else step))

    def _show_cells(self) -> None:
        view = self._view
        if view is None:
            return
        used = self.choice.choice() == "text"
        names = self._used if used else list(view.cells)
        self.text.show_cells({name: view.cells.get(name) for name in names}, numbers=used)
