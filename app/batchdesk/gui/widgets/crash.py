"""The dialog for a bug: says that the work is safe and where the report is, and lets go on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget


class CrashDialog(QDialog):
    """Show it with ``open()``; it deletes itself when closed.

    Args:
        report: The saved report; it holds no row data and no key.
        kind: The name of the error's class.
    """

    def __init__(self, report: Path, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Something went wrong inside Batchdesk"))
        words = QLabel(
            self.tr(
                "This is a fault of Batchdesk ({0}), not of yours. Every answer and decision so "
                "far is saved, and you can go on. The report holds no rows and no keys:\n{1}"
            ).format(kind, report)
        )
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(self.tr("Go on"))
        show = buttons.addButton(self.tr("Show the report"), QDialogButtonBox.ButtonRole.ActionRole)
        show.clicked.connect(self._show_report)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(16)
        layout.addWidget(words)
        layout.addWidget(buttons)
        self.setMinimumWidth(480)

    def _show_report(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._report)))
