"""The file dialogs about projects: a new one, another one, a copy of the open one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from batchdesk.gui.desk import Desk
from batchdesk.session import PROJECT_SUFFIX


class ProjectFiles(QObject):
    """Asks for a path, then asks the desk for the rest.

    Args:
        window: The dialogs stand before it.
        desk: Opens and makes projects.

    Attributes:
        dialog: The dialog that was opened last.
    """

    def __init__(self, window: QWidget, desk: Desk) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self.dialog: QFileDialog | None = None

    def make(self) -> None:
        """Asks where a new project is to be, then makes it."""
        self._ask(
            self.tr("New project"),
            QFileDialog.AcceptMode.AcceptSave,
            lambda path: self._desk.switch_project(path, create=True),
        )

    def choose(self) -> None:
        """Asks for a project and opens it."""
        self._ask(
            self.tr("Open project"), QFileDialog.AcceptMode.AcceptOpen, self._desk.switch_project
        )

    def save_copy(self) -> None:
        """Asks where a copy of the project is to be, then writes it."""
        if self._desk.project_path is not None:
            self._ask(
                self.tr("Save a copy"),
                QFileDialog.AcceptMode.AcceptSave,
                lambda path: self._desk.ask(lambda session: session.save_copy(path)),
            )

    def _ask(self, title: str, mode: QFileDialog.AcceptMode, act: Callable[[Path], object]) -> None:
        folder = self._desk.project_path.parent if self._desk.project_path else Path.home()
        dialog = QFileDialog(self._window, title, str(folder))
        dialog.setAcceptMode(mode)
        dialog.setNameFilter(self.tr("Batchdesk projects (*{0})").format(PROJECT_SUFFIX))
        dialog.setDefaultSuffix(PROJECT_SUFFIX.lstrip("."))
        if mode is QFileDialog.AcceptMode.AcceptOpen:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: act(Path(name)))
        self.dialog = dialog
        dialog.open()
