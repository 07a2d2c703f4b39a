"""How to begin while there is no run: the next step or a tour, samples, a file, recent projects."""

from __future__ import annotations

import asyncio
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.gui.desk import Desk
from batchdesk.gui.desk_files import Files
from batchdesk.gui.models.rows import used_columns
from batchdesk.gui.pages.runs_cards import DropZone, RecentPanel, SampleCard, StepsStrip
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import IconMark
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, Sample, TablePeek, peek_table, read_job_file, samples

_ROWS_SHOWN = 3
_ROWS_COUNTED = 5000  # samples are smaller
_MARGIN, _GAP = 32, 14
_ORDER = {"reviews-en": 0, "reviews-zh": 1, "orders": 2}


class _Inside(QWidget):
    """As high as its wrapped texts need at the width it has, so that nothing scrolls in vain."""

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            layout = self.layout()
            if layout is not None:
                self.setMinimumHeight(layout.totalHeightForWidth(self.width()))
        return super().event(event)


class StartView(QScrollArea):
    """The first start.

    Args:
        desk: Is asked to look into the samples.
        files: Opens what the person chooses.
        words: Numbers for people.

    Signals:
        choose_file: The person wants to choose a file.
        choose_folder: The person wants to choose a folder.
    """

    choose_file = Signal()
    choose_folder = Signal()

    def __init__(
        self, desk: Desk, files: Files, words: Words, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._files, self._words = desk, files, words
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.banner = Banner(BannerKind.ALARM, closable=True, close_word=self.tr("Close"))
        self.banner.closed.connect(files.dismiss_error)
        self.cards: dict[str, SampleCard] = {}
        self._cards = QHBoxLayout()
        self._cards.setSpacing(12)
        self.zone = DropZone(self._zone_words())
        self.zone.dropped.connect(files.open_any)
        self.zone.choose.connect(self.choose_file)
        self.zone.choose_folder.connect(self.choose_folder)
        self.new_run = Button(self.tr("New run"), Kind.PRIMARY, icon="plus")
        self.recent = RecentPanel()
        self.recent.chosen.connect(files.open_any)
        inside = _Inside()
        inside.setAutoFillBackground(False)
        column = QVBoxLayout(inside)
        column.setContentsMargins(_MARGIN - 16, 8, _MARGIN - 16, 12)
        column.setSpacing(_GAP)
        column.addLayout(self._title())
        column.addWidget(self.banner)
        self._present = self._present_panel()
        column.addWidget(self._present)
        self._steps_strip = self._steps()
        column.addWidget(self._steps_strip)
        column.addLayout(self._cards)
        for widget in (self.zone, self._no_key(), self.recent):
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(inside)
        for sample in sorted(samples(), key=lambda sample: _ORDER.get(sample.name, len(_ORDER))):
            self._add(sample)
        files.changed.connect(self._show_error)
        desk.settings_changed.connect(self.show_recent)
        self.show_recent()

    def show_project(self, dataset: Dataset | None) -> None:
        """The table of the open project, which has no run yet; None: there is none."""
        self._present.setVisible(dataset is not None)
        self._steps_strip.setVisible(dataset is None)
        self.zone.detail.setText(self._zone_words())
        self.zone.button.set_kind(Kind.PRIMARY if dataset is None else Kind.SECONDARY)
        if dataset is not None:
            rows = self.tr("%Ln row(s)", "", dataset.row_count)
            self.present.setText(
                self.tr("There is no run of “{0}” ({1}) yet.").format(dataset.name, rows)
            )

    def focus_first(self) -> None:
        """The first thing to do has the focus."""
        has_rows = not self._present.isHidden()
        (self.new_run if has_rows else self.zone.button).setFocus()

    def show_recent(self) -> None:
        """Show the projects of the settings."""
        present = self._desk.project_path
        self.recent.show_paths([path for path in self._desk.settings.recent if path != present])

    def _title(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        title = self.tr("Put your rows through a language model")
        column.addWidget(ElidingLabel(title, Type.TITLE_LARGE, "text", least=200))
        words = self.tr(
            "Start with a sample, or with your own file. Everything stays in one project file on "
            "this computer."
        )
        column.addWidget(ElidingLabel(words, Type.BODY, "text2", least=200))
        return column

    def _present_panel(self) -> Panel:
        panel = Panel()
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(IconMark("play-circle", 18, "accent"))
        self.present = PlainLabel("", Type.PANEL_TITLE, wrap=True)
        row.addWidget(self.present, 1)
        row.addWidget(self.new_run)
        panel.add(row)
        panel.hide()
        return panel

    def _steps(self) -> StepsStrip:
        return StepsStrip(
            (
                (self.tr("Bring rows"), self.tr("Check the columns.")),
                (self.tr("Say what you want"), self.tr("Write prompt and answer fields.")),
                (self.tr("Try a few rows"), self.tr("See what comes back.")),
                (self.tr("Run and review"), self.tr("Doubtful answers come to you.")),
            )
        )

    def _zone_words(self) -> str:
        if self._desk.session is not None:
            return self.tr(
                "Drop a table here (CSV, Excel, Parquet, JSON, SQLite or a folder of files): it "
                "comes into this project. Or drop another Batchdesk project. The table itself is "
                "never changed."
            )
        return self.tr(
            "Drop a table here (CSV, Excel, Parquet, JSON, SQLite or a folder of files), or a "
            "Batchdesk project. The table itself is never changed; new projects are kept in {0}."
        ).format(self._files.folder)

    def _no_key(self) -> Panel:
        panel = Panel()
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(IconMark("flask", 18, "accent"))
        row.addWidget(PlainLabel(self.tr("You need no key to begin."), Type.PANEL_TITLE))
        words = self.tr(
            "The practice server is not a model: it plays a service, also a slow or faulty one. "
            "The built-in local model is a real one, but small. Both run on this computer."
        )
        row.addWidget(PlainLabel(words, Type.BODY, "text2", wrap=True), 1)
        self.add_provider = Button(self.tr("Add a provider…"), icon="key")
        self.add_provider.clicked.connect(lambda: self._desk.go_to.emit("settings"))
        row.addWidget(self.add_provider)
        panel.add(row)
        return panel

    def _add(self, sample: Sample) -> None:
        known = {
            "reviews-en": (
                "shopping-bag",
                self.tr("Shopping reviews in English"),
                self.tr(
                    "Is the customer happy or not? Answered by the built-in local model: small, "
                    "without key and network. With labels by people, so you see how often it is "
                    "right."
                ),
            ),
            "reviews-zh": (
                "shopping-bag",
                self.tr("Shopping reviews in Chinese"),
                self.tr(
                    "Happy, unhappy or neutral? Answered by the practice server, which goes by "
                    "word lists and is not a model. With labels by people."
                ),
            ),
            "orders": (
                "file-text",
                self.tr("Order messages"),
                self.tr(
                    "Take five values out of each customer message. Answered by the practice "
                    "server, which goes by patterns and is not a model."
                ),
            ),
        }
        icon, title, description = known.get(sample.name, ("file-text", sample.name, ""))
        card = SampleCard(icon, title, description)
        card.opened.connect(lambda: self._files.open_sample(sample))
        self.cards[sample.name] = card
        self._cards.addWidget(card, 1)
        look = partial(asyncio.to_thread, _look, sample)
        self._desk.ask_program(look, lambda seen: self._show_sample(card, *seen))

    def _show_sample(self, card: SampleCard, job: Job, peek: TablePeek) -> None:
        used = used_columns(job, peek.columns)
        text = next((n for n, name in enumerate(peek.columns) if name in used), 0)
        label = peek.columns.index(job.data.label) if job.data.label in peek.columns else None
        rows = [
            (" ".join((row[text] or "").split()), (row[label] or "") if label is not None else "")
            for row in peek.rows[:_ROWS_SHOWN]
        ]
        parts = [
            self.tr("%Ln row(s)", "", len(peek.rows)),
            str(peek.format.get("name", "")).upper(),
        ]
        if label is not None:
            parts.append(self.tr("with labels"))
        card.show_rows(rows, " · ".join(parts))

    def _show_error(self) -> None:
        if self._files.error:
            self.banner.show_message(self.tr("The file was not read"), self._files.error)
        else:
            self.banner.setVisible(False)


def _look(sample: Sample) -> tuple[Job, TablePeek]:
    """A sample's job and all its rows; blocks."""
    return read_job_file(sample.job_file), peek_table(sample.table, None, count=_ROWS_COUNTED)
