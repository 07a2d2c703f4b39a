"""The strip of figures of the Results page."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.domain.task import SkipReason
from batchdesk.gui.pages.results_facts import figures
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.tiles import Tile, TileStrip
from batchdesk.gui.words import Words
from batchdesk.session import RunSummary, Share

_EARLIER = (SkipReason.PILOT, SkipReason.UNCHANGED)


class ResultsTiles(QWidget):
    """Seven figures of one run."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.answered = Tile(self.tr("Answered"))
        self.accepted = Tile(self.tr("Accepted"), BadgeState.ACCEPTED)
        self.review = Tile(self.tr("In review"), BadgeState.REVIEW)
        self.failed = Tile(
            self.tr("Rejected or failed"), BadgeState.FAILED, short=self.tr("Rejected, failed")
        )
        self.accuracy = Tile(self.tr("Accuracy of answered"), short=self.tr("Right of answered"))
        self.end_to_end = Tile(self.tr("End-to-end accuracy"), short=self.tr("Right of all"))
        self.requests = Tile(self.tr("Requests"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.earlier = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.earlier.hide()
        column.addWidget(
            TileStrip(
                [
                    self.answered,
                    self.accepted,
                    self.review,
                    self.failed,
                    self.accuracy,
                    self.end_to_end,
                    self.requests,
                ]
            )
        )
        column.addWidget(self.earlier)

    def refresh(self, summary: RunSummary) -> None:
        """Show a run as it stands."""
        number, percent = self._words.number, self._words.percent
        found = figures(summary)
        self.answered.set(
            number(found.answered),
            self.tr("requests: {0} ok").format(percent(found.request_success, 1)),
        )
        self._show_earlier(summary)
        self.accepted.set(
            number(found.accepted), self.tr("{0} pass rate").format(percent(found.pass_rate, 1))
        )
        share = found.review / found.answered if found.answered else None
        self.review.set(number(found.review), self.tr("{0} of answered").format(percent(share, 1)))
        self.failed.set(
            number(found.rejected + found.failed),
            self.tr("{0} rejected, {1} failed").format(
                number(found.rejected), number(found.failed)
            ),
        )
        evaluation = summary.evaluation
        answered = evaluation.answered if evaluation else Share(0, 0)
        whole = evaluation.end_to_end if evaluation else Share(0, 0)
        self.accuracy.set(percent(answered.value, 1), self._interval(answered))
        self.end_to_end.set(
            percent(whole.value, 1),
            self.tr("failed = wrong") if whole.of else self.tr("no labels yet"),
        )
        tokens = summary.input_tokens + summary.output_tokens
        self.requests.set(number(summary.requests), self.tr("{0} tokens").format(number(tokens)))

    def _show_earlier(self, summary: RunSummary) -> None:
        """How many answers come from the pilot or an earlier run, and where they are."""
        pilot, unchanged = (summary.skip_reasons.get(reason, 0) for reason in _EARLIER)
        told = [
            self.tr("%Ln row(s) have their answer from the pilot.", "", pilot) if pilot else "",
            self.tr("%Ln unchanged row(s) have theirs from an earlier run.", "", unchanged)
            if unchanged
            else "",
        ]
        words = " ".join(part for part in told if part)
        where = self.tr("The table and the export have these; “Answered” and the others do not.")
        self.earlier.setText(f"{words} {where}" if words else "")
        self.earlier.setVisible(bool(words))

    def _interval(self, share: Share) -> str:
        if share.interval is None:
            return self.tr("no labels yet")
        low, high = (self._words.number(end * 100, 1) for end in share.interval)
        return self.tr("95 %: {0}\u2013{1} %").format(low, high)
