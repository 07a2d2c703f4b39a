"""How long the rows are: a histogram of tokens with the lines of the slow lane and the window.

A table and a job come in; figures about the columns go out. Large tables are measured when asked,
since that reads every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.histogram import Bar, Histogram, Line
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, Session
from batchdesk.session.profile import TableProfile
from batchdesk.session.reading import Lengths

MOST_BY_ITSELF = 100_000  # rows
_PAUSE_MS = 600


class ProfilePanel(Panel):
    """The histogram.

    Args:
        desk: Is asked to measure.
        words: Numbers for people.

    Signals:
        measured(object): The TableProfile of the table on show.
        row_wanted(int): Show the row with this id.
    """

    measured = Signal(object)
    row_wanted = Signal(int)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("Tokens per row", parent=parent)
        self.set_title(self.tr("Tokens per row"))
        self._desk, self._words = desk, words
        self._job: Job | None = None
        self._dataset: Dataset | None = None
        self._measured_for: object = None
        self._asked: Asked | None = None
        self.profile: TableProfile | None = None
        self.measure = Button(self.tr("Measure"), height=24)
        self.longest = Button("", Kind.FLAT, height=24)
        self.chart = Histogram(self.tr("Tokens per row"))
        self.said = note()
        self.add_tool(self.longest)
        self.add_tool(self.measure)
        self.body.setContentsMargins(6, 0, 6, 4)
        self.add(self.said)
        self.add(self.chart, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._measure)
        self.measure.clicked.connect(lambda _on=False: self._measure())
        self.longest.clicked.connect(lambda _on=False: self._go_to_longest())
        desk.project_closing.connect(self._forget)
        self._show(None)

    def show_table(self, dataset: Dataset | None, job: Job | None) -> None:
        """Measure another table, or for another prompt."""
        key = None
        if dataset is not None:
            stage = job.stages[0] if job is not None else None
            texts = (stage.system, stage.user, stage.examples) if stage is not None else None
            key = (dataset.id, texts, job.provider.model if job is not None else "")
        if key == self._measured_for:
            return
        self._measured_for, self._dataset, self._job = key, dataset, job
        self._show(None)
        self.measure.setVisible(dataset is not None and dataset.row_count > MOST_BY_ITSELF)
        if dataset is not None and dataset.row_count <= MOST_BY_ITSELF:
            self._timer.start()

    def _measure(self) -> None:
        dataset = self._dataset
        if dataset is None:
            return
        if self._asked is not None:
            self._asked.cancel()
        self.measure.set_why_not(self.tr("The rows are being measured."))
        call = partial(_profile, dataset_id=dataset.id, job=self._job)
        self._asked = self._desk.ask(call, self._have, self._failed)

    def _have(self, profile: TableProfile) -> None:
        self.measure.set_why_not("")
        self.measure.hide()
        self._show(profile)
        self.measured.emit(profile)

    def _failed(self, _error: UserError) -> None:
        """The Prompt page says what is wrong; the table itself can be measured all the same."""
        self.measure.set_why_not("")
        if self._job is not None and self._dataset is not None:
            self._job = None
            self._measure()

    def _show(self, profile: TableProfile | None) -> None:
        self.profile = profile
        lengths = profile.figures.tokens if profile is not None else None
        has_bars = lengths is not None and bool(lengths.bins)
        self.chart.setVisible(has_bars)
        self.longest.setVisible(has_bars and bool(lengths and lengths.longest))
        self.said.setVisible(not has_bars)
        self.said.setText(self.tr("The lengths of the rows show here once they are measured."))
        self.set_subtitle("")
        if profile is None or lengths is None or not has_bars:
            return
        about = self.tr("estimated") if profile.off_by else self.tr("the model's own encoding")
        self.set_subtitle(about)
        number = self._words.number
        median, high = quantile(lengths, 0.5), quantile(lengths, 0.95)
        most = lengths.longest[0][1] if lengths.longest else 0
        told = self.tr("median {0} · 95th percentile {1} · longest {2}").format(
            number(median), number(high), number(most)
        )
        self.longest.setText(told)
        self.longest.setToolTip(self.tr("Go to the longest row"))
        self.longest.updateGeometry()
        self.chart.set_bars(
            [Bar(one.least, one.most, one.count) for one in lengths.bins],
            self._lines(profile, most),
            told,
        )

    def _lines(self, profile: TableProfile, most: int) -> Sequence[Line]:
        found = []
        number = self._words.number
        if profile.slow_from is not None and profile.slow_from <= most:
            words = self.tr("slow lane from {0}").format(number(profile.slow_from))
            found.append(Line(profile.slow_from, words, "violet", dashed=True))
        if profile.room is not None:
            words = self.tr("fits up to {0}").format(number(profile.room))
            found.append(Line(profile.room, words, "failed"))
        return found

    def _go_to_longest(self) -> None:
        lengths = self.profile.figures.tokens if self.profile is not None else None
        if lengths is not None and lengths.longest:
            self.row_wanted.emit(lengths.longest[0][0])

    def _forget(self) -> None:
        self._timer.stop()
        self._measured_for = None
        self._show(None)


def quantile(lengths: Lengths, share: float) -> int:
    """About the length that this share of the rows does not exceed, from the bins."""
    total = sum(one.count for one in lengths.bins)
    passed = 0
    for one in lengths.bins:
        if one.count and passed + one.count >= total * share:
            part = (total * share - passed) / one.count
            return round(one.least + part * (one.most - one.least))
        passed += one.count
    return 0


async def _profile(session: Session, *, dataset_id: int, job: Job | None) -> TableProfile:
    return await session.profile(dataset_id, job)
