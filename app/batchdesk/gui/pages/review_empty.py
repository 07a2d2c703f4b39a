"""What Review shows where there is no item: why there is none, and where to look instead."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from batchdesk.gui.widgets.empty import EmptyState


class NothingWaits(EmptyState):
    """No run, nothing that fits the filters, or nothing that waits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("checks", " ", " ", parent=parent)

    def explain(self, *, no_run: bool, filtered: bool, failed: str) -> None:
        """Why there is no item.

        Args:
            no_run: No run is chosen.
            filtered: The filters may hide what waits.
            failed: How many rows were given up; empty for none.
        """
        if no_run:
            self._no_run()
        elif filtered:
            self._filtered()
        else:
            self._done(failed)

    def _no_run(self) -> None:
        detail = self.tr("Answers that a check finds doubtful wait here while a run goes on.")
        self._show(self.tr("No run is open"), detail)

    def _filtered(self) -> None:
        button = self.tr("Show all that wait")
        self._show(self.tr("Nothing here fits the filters"), button=button)

    def _done(self, failed: str) -> None:
        self._show(
            self.tr("Nothing waits for you"),
            self.tr("Answers that a check finds doubtful come here; all others passed."),
            self.tr("Look at failed rows ({0})").format(failed) if failed else "",
        )

    def _show(self, words: str, detail: str = "", button: str = "") -> None:
        self.set_words(words, detail)
        self.button.setText(button)
        self.button.updateGeometry()
        self.button.setVisible(bool(button))
