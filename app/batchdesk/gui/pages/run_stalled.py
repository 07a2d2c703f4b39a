"""The banner about a run that makes no progress for no known reason, with an offer to pause it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.words import Words


class StalledBanner(Banner):
    """Hidden until `tell`; goes away once the run moves again, or rests.

    Args:
        pause: Is called by its button.
    """

    def __init__(
        self, words: Words, pause: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(BannerKind.ALARM, parent=parent)
        self._words = words
        self._done = 0  # rows that were done when it was told
        self.pause = self.add_button(self.tr("Pause"), pause, icon="pause")

    def tell(self, facts: RunFacts, for_s: float) -> None:
        """The run has made no progress for so long, though there is work."""
        self._done = facts.done
        self.show_message(
            self.tr("No progress for {0}, though rows wait").format(self._words.duration(for_s)),
            self.tr(
                "No limit explains it: this is a fault of Batchdesk, and what its parts are doing "
                "has been written to the log. Nothing is lost. Pause and resume to go on."
            ),
        )

    def refresh(self, facts: RunFacts) -> None:
        """The run as it stands."""
        if not facts.is_running or facts.done != self._done:
            self.setVisible(False)
