"""The system's dialog for choosing a folder of documents.

A title comes in; the chosen folder goes out, later. For every page that opens files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_folder(parent: QWidget, title: str, chosen: Callable[[Path], object]) -> QFileDialog:
    """Open the dialog; ``chosen`` is called with the folder, unless the person thinks better."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
    return dialog
