"""Leaving a project or the window while runs are under way: what is asked, and the pause before.

In come the wish to close or to leave; out go pauses to the desk, the note in the window's banner
meanwhile, and then what was wished for. Nothing is lost whichever way it goes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QMessageBox

from batchdesk.gui.desk import Desk
from batchdesk.gui.widgets.banner import Banner, BannerKind

Act = Callable[[], object]


class Leaving(QObject):
    """Asks before runs are paused, and waits for their requests in flight.

    Args:
        window: Owns the questions; is closed or minimised.
        desk: Pauses the runs.
        banner: Says what is waited for.
        banner_changed: Called whenever the banner is to be shown or taken away.

    Attributes:
        agreed: The person has agreed to close the window.
        dialog: The question that was asked last.
    """

    def __init__(
        self, window: QMainWindow, desk: Desk, banner: Banner, banner_changed: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window, self._desk = window, desk
        self._banner, self._banner_changed = banner, banner_changed
        self._when_paused: Act | None = None
        self.agreed = False
        self.dialog: QMessageBox | None = None
        desk.leave_wanted.connect(self.ask_to_leave)
        desk.run_state.connect(lambda _event: self._go_on_if_paused())

    @property
    def waits(self) -> bool:
        """Whether runs are being paused; the way to go on at once then stays in view."""
        return self._when_paused is not None

    def ask_to_close(self) -> None:
        """The window is to be closed during a run."""
        box = self._question()
        leave = box.addButton(self.tr("Pause and quit"), QMessageBox.ButtonRole.DestructiveRole)
        small = box.addButton(self.tr("Keep running, minimised"), QMessageBox.ButtonRole.ActionRole)
        leave.clicked.connect(self._pause_and_quit)
        small.clicked.connect(self._window.showMinimized)
        self._ask(box)

    def ask_to_leave(self, go_on: Act, another: bool) -> None:  # noqa: FBT001 - a signal's argument
        """The project is to be closed during a run; ``another``: a different one opens then."""
        box = self._question()
        words = (
            self.tr("Pause and open the other project")
            if another
            else self.tr("Pause and close the project")
        )
        leave = box.addButton(words, QMessageBox.ButtonRole.DestructiveRole)
        leave.clicked.connect(partial(self._pause_and_leave, go_on, another=another))
        self._ask(box)

    def _question(self) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("A run is under way"))
        box.setText(self.tr("%n run(s) under way.", "", len(self._desk.under_way)))
        box.setInformativeText(
            self.tr("Everything answered is saved. Paused, a run goes on where it stopped.")
        )
        return box

    def _ask(self, box: QMessageBox) -> None:
        box.setDefaultButton(box.addButton(self.tr("Stay"), QMessageBox.ButtonRole.RejectRole))
        self.dialog = box
        box.open()

    def _pause_and_quit(self) -> None:
        self.agreed = True
        words = self.tr("Batchdesk closes by itself then.")
        self._pause_then(self._window.close, words, self.tr("Quit now"))

    def _pause_and_leave(self, go_on: Act, _clicked: object = None, *, another: bool) -> None:
        if another:
            words, at_once = self.tr("The other project opens by itself then."), self.tr("Open now")
        else:
            words, at_once = self.tr("The project closes by itself then."), self.tr("Close now")
        self._pause_then(go_on, words, at_once)

    def _pause_then(self, act: Act, words: str, at_once: str) -> None:
        """Pause all runs; ``act`` once the requests in flight are finished, or at once."""
        self._when_paused = act
        self._banner.clear_buttons()
        title = self.tr("Pausing; the requests in flight finish first")
        self._banner.show_message(title, words, BannerKind.NOTE)
        self._banner.add_button(at_once, self._go_on)
        self._banner_changed()
        for run_id in sorted(self._desk.under_way):
            self._desk.pause(run_id)
        self._go_on_if_paused()

    def _go_on_if_paused(self) -> None:
        if self.waits and not self._desk.under_way:
            self._go_on()

    def _go_on(self) -> None:
        act, self._when_paused = self._when_paused, None
        self._banner.clear_buttons()
        self._banner_changed()
        if act is not None:
            act()
