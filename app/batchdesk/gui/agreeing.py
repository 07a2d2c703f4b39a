"""Asking before rows leave this computer for the first time.

The desk says what would be sent; the person's word goes back to the desk, which keeps it and goes
on, or nothing is sent.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from batchdesk.gui.desk import Desk
from batchdesk.gui.widgets.disclosure import DisclosureDialog
from batchdesk.session import Disclosure


class Agreeing(QObject):
    """Asks in a dialog over the window.

    Args:
        window: Owns the dialog.
        desk: Says what would be sent.

    Attributes:
        dialog: The question that is open; None if there is none.
    """

    def __init__(self, window: QMainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self.dialog: DisclosureDialog | None = None
        desk.disclosure_wanted.connect(self.ask)
        desk.project_closing.connect(self._give_up)

    def ask(self, told: Disclosure, go_on: Callable[[], object]) -> None:
        """Show what would be sent; ``go_on`` is called if the person agrees."""
        self._give_up()
        dialog = self.dialog = DisclosureDialog(told, self._window)
        dialog.accepted.connect(lambda: self._desk.agree(told, go_on))
        dialog.rejected.connect(self._declined)
        dialog.finished.connect(lambda _code: self._forget(dialog))
        dialog.open()

    def _declined(self) -> None:
        self._desk.problem.emit(self.tr("Nothing was sent."))

    def _give_up(self) -> None:
        """The question no longer stands."""
        if self.dialog is not None:
            self.dialog.rejected.disconnect()
            self.dialog.close()
            self.dialog = None

    def _forget(self, dialog: DisclosureDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
