"""The tile strip of the Run page: how far the run is, how fast, and how long it will take."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.domain.progress import share_done
from batchdesk.domain.task import RunState, TaskState
from batchdesk.gui.models.history import History
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.tiles import Tile, TileStrip
from batchdesk.gui.words import MISSING, Words


class RunTiles(QWidget):
    """Done, passed, review, failed, skipped, accepted per minute, time left."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.done = Tile(self.tr("Done"))
        self.passed = Tile(self.tr("Passed"), BadgeState.PASSED)
        self.review = Tile(self.tr("Review"), BadgeState.REVIEW)
        self.failed = Tile(self.tr("Failed"), BadgeState.FAILED)
        self.skipped = Tile(self.tr("Skipped"), BadgeState.SKIPPED)
        self.speed = Tile(self.tr("Accepted per minute"), short=self.tr("Accepted/min"))
        self.left = Tile(self.tr("Time left"))
        tiles = [self.done, self.passed, self.review, self.failed, self.skipped]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(TileStrip([*tiles, self.speed, self.left]))

    def refresh(self, history: History, facts: RunFacts) -> None:
        """Show a run as it stands."""
        words = self._words
        share = share_done(facts.counts)
        self.done.set(
            words.number(facts.done),
            self.tr("of {0} · {1}").format(words.number(facts.total), words.percent(share)),
        )
        passed = facts.count(TaskState.PASSED, TaskState.ACCEPTED)
        self.passed.set(words.number(passed), self._of_done(facts, passed))
        review = facts.count(TaskState.REVIEW)
        rejected = facts.count(TaskState.REJECTED)
        beside = self._of_done(facts, review)
        if rejected:
            beside = self.tr("{0} rejected").format(words.number(rejected))
        self.review.set(words.number(review), beside)
        failed = facts.count(TaskState.DEAD)
        self.failed.set(words.number(failed), self._of_done(facts, failed))
        self.skipped.set(words.number(facts.count(TaskState.SKIPPED)), self.tr("not sent"))
        self._show_speed(history, facts)
        self._show_left(history, facts)

    def _of_done(self, facts: RunFacts, part: int) -> str:
        share = facts.share(part)
        return "" if share is None else self.tr("{0} of done").format(self._words.percent(share, 1))

    def _show_speed(self, history: History, facts: RunFacts) -> None:
        words = self._words
        if facts.is_running and facts.snapshot is not None:
            answered = words.number(facts.snapshot.finished_per_s * 60)
            self.speed.set(
                words.number(history.accepted_per_min()),
                self.tr("of {0} answered").format(answered),
            )
            return
        mean = facts.summary.accepted_per_min
        known = mean > 0
        self.speed.set(
            words.number(mean) if known else MISSING,
            self.tr("on average") if known else "",
        )

    def _show_left(self, history: History, facts: RunFacts) -> None:
        words = self._words
        if facts.state is RunState.FINISHED:
            took = words.duration(facts.active_s)
            self.left.set(words.number(0), self.tr("took {0}").format(took))
        elif not facts.is_running:
            self.left.set(MISSING, self.tr("starts with the run"))
        elif facts.snapshot is None or facts.snapshot.eta_s is None:
            self.left.set(MISSING, self.tr("not known yet"))
        else:
            left = facts.snapshot.eta_s
            likely = history.time_left_range(facts.open)
            between = self.tr("at this speed")
            if likely is not None and likely[0] <= left <= likely[1]:
                between = self.tr("{0} to {1}").format(*(words.duration(end) for end in likely))
            self.left.set(words.duration(left), between)
