"""Taking a table out of the project: the button, why not, and the question with the count."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QWidget

from batchdesk.gui.desk import Desk
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.session import Dataset, Session


class RemovalSection(QWidget):
    """A button that asks first; a table over which a run was made stays.

    Args:
        desk: Its dataset is the one that goes.

    Attributes:
        question: The question that was asked last.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.question: QMessageBox | None = None
        self.button = Button(self.tr("Remove this table…"), Kind.FLAT, icon="trash")
        self.button.clicked.connect(self.ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)
        desk.runs_changed.connect(self.refresh)
        desk.dataset_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say why the table stays, if it does."""
        dataset = self._desk.dataset
        used = [run for run in self._desk.runs if dataset and run.run.dataset_id == dataset.id]
        words = self.tr("%n run(s) were made over this table, so it stays.", "", len(used))
        self.button.set_why_not(words if used else "")

    def can(self) -> bool:
        """Whether there is a table that may go."""
        return self._desk.dataset is not None and self.button.isEnabled()

    def ask(self) -> None:
        """Ask whether the table is to go, with the number of its rows."""
        dataset = self._desk.dataset
        if dataset is None:
            return
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Remove a table"))
        rows = self.tr("%Ln row(s)", "", dataset.row_count)
        box.setText(self.tr("Remove {0} with {1} from the project?").format(dataset.source, rows))
        box.setInformativeText(self.tr("No run uses it. The file itself is not touched."))
        remove = box.addButton(self.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        remove.clicked.connect(partial(self._remove, dataset))
        self.question = box
        box.open()

    def _remove(self, dataset: Dataset, _clicked: object = None) -> None:
        self._desk.ask(
            partial(_remove_and_find_next, dataset_id=dataset.id), partial(self._removed, dataset)
        )

    def _removed(self, dataset: Dataset, other: Dataset | None) -> None:
        shown = self._desk.dataset
        if shown is not None and shown.id == dataset.id:
            self._desk.choose_dataset(other)


async def _remove_and_find_next(session: Session, *, dataset_id: int) -> Dataset | None:
    await session.remove_dataset(dataset_id)
    left = await session.datasets()
    return left[0] if left else None
