"""The strip that shows an import under way, and the banner of one that failed."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.gui.desk_files import Files, Importing
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.bars import Meter
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words

_MB = 1_000_000
_FORECAST_FROM = 0.05  # share read before the time left is worth showing


class ImportStrip(QWidget):
    """Shows ``files.importing`` and ``files.error``; hidden when there is neither.

    Args:
        files: What is watched and cancelled.
        words: Numbers for people.
    """

    def __init__(self, files: Files, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files, self._words = files, words
        self.banner = Banner(BannerKind.ALARM, closable=True, close_word=self.tr("Close"))
        self.banner.closed.connect(files.dismiss_error)
        self.strip = Panel()
        self.title = ElidingLabel("", Type.PANEL_TITLE, "text", least=120)
        self.meter = Meter()
        self.figures = ElidingLabel("", Type.LABEL, "text2", least=60)
        self.cancel = Button(self.tr("Cancel"), icon="x")
        self.cancel.clicked.connect(files.cancel)
        row = QHBoxLayout()
        row.setSpacing(12)
        for widget, share in ((self.title, 0), (self.meter, 1), (self.figures, 0)):
            row.addWidget(widget, share)
        row.addWidget(self.cancel)
        self.strip.add(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.banner)
        column.addWidget(self.strip)
        files.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Show how the import stands now."""
        importing, error = self._files.importing, self._files.error
        if error:
            self.banner.show_message(
                self.tr("The file was not read"), self.tr("{0} Nothing else changed.").format(error)
            )
        else:
            self.banner.setVisible(False)
        self.strip.setVisible(importing is not None)
        if importing is not None:
            self._show(importing)
        self.setVisible(bool(error) or importing is not None)

    def _show(self, importing: Importing) -> None:
        self.title.set_text(self.tr("Reading {0}").format(importing.name))
        words = self._progress(importing)
        self.figures.set_text(words)
        self.meter.set_value(importing.share, words)

    def _progress(self, importing: Importing) -> str:
        parts = [self._words.percent(importing.share)]
        spent = time.monotonic() - importing.began
        if importing.size:
            read = self._words.number(importing.size * importing.share / _MB, 1)
            whole = self._words.number(importing.size / _MB, 1)
            parts.append(self.tr("{0} of {1} MB").format(read, whole))
        if importing.share > _FORECAST_FROM:
            left = spent / importing.share * (1 - importing.share)
            parts.append(self.tr("{0} left").format(self._words.duration(left)))
        return " · ".join(parts)
