"""Review's head: what is reviewed, resuming the run for what is to be asked again, who reviews.

The desk's settings come in; a name and the wish to resume go out to the desk.
"""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from batchdesk.gui.desk import Desk
from batchdesk.gui.theme import theme
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.words import Words
from batchdesk.session import ReviewProgress, StoredRun

_NAME_W = 150


class ReviewTools(QWidget):
    """The button to resume, while something waits to be sent, and the reviewer's name.

    Signals:
        resume(): Go on with the run.
        left(): The name is entered; the items should have the focus.
    """

    resume = Signal()
    left = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._words = words
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.button = Button(icon="play")
        self.button.clicked.connect(self.resume)
        self.button.setVisible(False)
        row.addWidget(self.button)
        words_for_name = self.tr("Name that decisions are signed with; may be empty")
        self.name = QLineEdit(placeholderText=self.tr("Reviewer"))
        self.name.setToolTip(words_for_name)
        self.name.setAccessibleName(words_for_name)
        self.name.setFixedWidth(theme().px(_NAME_W))
        self.name.addAction(theme().icon("user"), QLineEdit.ActionPosition.LeadingPosition)
        self.name.editingFinished.connect(self._change)
        self.name.returnPressed.connect(self.left)
        row.addWidget(self.name)
        desk.settings_changed.connect(self._show)
        self._show()

    def offer_resume(self, to_send: int) -> None:
        """How many tasks of this sitting are sent once the run goes on; none hides the button."""
        self.button.setText(self.tr("Resume: {0} to send").format(self._words.number(to_send)))
        self.button.updateGeometry()
        self.button.setVisible(to_send > 0)

    def subtitle(self, run: StoredRun | None, progress: ReviewProgress) -> str:
        """Which run is reviewed, and how much of it waits."""
        pace = self._pace(progress)
        if run is None:
            return pace
        at = QDateTime.fromSecsSinceEpoch(int(run.started_at or run.created_at))
        when = QLocale().toString(at, QLocale.FormatType.ShortFormat)
        return f"{run.job.name} · {when} · {pace}"

    def _pace(self, progress: ReviewProgress) -> str:
        """How many wait, and how long that is at the person's pace."""
        words = self._words
        line = self.tr("{0} to review").format(words.number(progress.waiting))
        if progress.mean_seconds is None or not progress.waiting:
            return line
        return self.tr("{0} · about {1} at your pace ({2} each)").format(
            line,
            words.duration(progress.mean_seconds * progress.waiting),
            words.duration(progress.mean_seconds),
        )

    def _show(self) -> None:
        if self.name.text() != self._desk.settings.reviewer:
            self.name.setText(self._desk.settings.reviewer)

    def _change(self) -> None:
        name = self.name.text().strip()
        if name != self._desk.settings.reviewer:
            settings = self._desk.settings.model_copy(update={"reviewer": name})
            self._desk.change_settings(settings)
