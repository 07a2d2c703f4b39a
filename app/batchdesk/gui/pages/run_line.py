"""What holds the run back: a line in words, or a banner when the run paused by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, QLocale
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import HoldReason, Snapshot
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import IconMark
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.overlay import Overlay
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.gui.words_run import RunWords

_LIMITS = frozenset(
    {
        HoldReason.IN_FLIGHT,
        HoldReason.REQUESTS_PER_MINUTE,
        HoldReason.TOKENS_PER_MINUTE,
        HoldReason.PACE,
        HoldReason.REFUSED,
        HoldReason.LATENCY_MARK,
    }
)
_TROUBLES = frozenset({HoldReason.OUTAGE, HoldReason.DEGRADED})
_WHY_W = 520
_LONGEST_QUOTE = 300  # characters of a service's own words


class WhyBox(Overlay):
    """What "Why?" tells; Escape puts it away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = PlainLabel("", Type.BODY, wrap=True)
        self.column.setContentsMargins(16, 12, 16, 12)
        self.column.addWidget(self.words)

    def say(self, words: str) -> None:
        """Show other words; the box is as high as they need."""
        if words != self.words.text():
            self.words.setText(words)
            self.setAccessibleName(words)
        self.words.setFixedWidth(self.width() - 32)
        self.adjustSize()


class RunLine(QWidget):
    """Says in one sentence why the run is not faster, or why it rests.

    Args:
        resume: Is called by the banner's button.
        go_to: Is called with the name of the page that the person wants next.
    """

    def __init__(
        self,
        words: Words,
        resume: Callable[[], object],
        go_to: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words, self._run_words = words, RunWords(words, self)
        self._icon = IconMark("gauge", 16)
        self.sentence = ElidingLabel("", Type.PANEL_TITLE, "text", least=200)
        self.hint = ElidingLabel("", Type.BODY, "text2", least=0)
        self.line = Panel()
        self.line.body.setContentsMargins(12, 0, 12, 0)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self.sentence)
        row.addWidget(self.hint)
        row.addStretch(1)
        self.to_review = Button("", icon="checks", height=26)
        self.to_results = Button(self.tr("See results"), icon="chart-bar", height=26)
        for button, page in ((self.to_review, "review"), (self.to_results, "results")):
            button.clicked.connect(lambda _checked=False, page=page: go_to(page))
            row.addWidget(button)
        self.reasons: WhyBox | None = None
        self._why_words = ""
        self.why = Button(self.tr("Why?"), Kind.FLAT, height=26)
        self.why.clicked.connect(self._open_why)
        row.addWidget(self.why)
        top = QWidget()
        top.setFixedHeight(theme().px(34))
        row.setContentsMargins(0, 0, 0, 0)
        top.setLayout(row)
        self.line.add(top)
        self.line.body.setSpacing(0)
        self.banner = Banner(BannerKind.CAUSE)
        self.again = self.banner.add_button(
            self.tr("Check again and resume"), resume, Kind.PRIMARY, "arrow-clockwise"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.line)
        column.addWidget(self.banner)

    def refresh(
        self,
        facts: RunFacts,
        message: str | None,
        at: float | None,
        advice: Sequence[str] = (),
    ) -> None:
        """Show why the run stands where it stands.

        Args:
            facts: The run.
            message: The service's own words about the cause.
            at: When it paused, epoch seconds, if known.
            advice: What would help, in words; the weightiest first.
        """
        by_cause = facts.is_paused_by_cause
        self.line.setVisible(not by_cause)
        self.banner.setVisible(by_cause)
        if by_cause and facts.cause is not None:
            self._show_cause(facts, facts.cause, message, at)
            return
        snapshot = facts.snapshot if facts.is_running else None
        self._icon.set_icon("gauge", _colour(snapshot))
        self.sentence.set_text(self._sentence(facts))
        self._offer(facts)
        self.hint.set_text(self._hint(snapshot, advice) if snapshot else self._rest(facts))
        self._explain(snapshot, advice, facts.summary.run.job.limits.retry_share)

    def _hint(self, snapshot: Snapshot, advice: Sequence[str]) -> str:
        """What would help against what holds the run back, or else the first advice."""
        return self._run_words.hint(snapshot) or next(iter(advice), "")

    def _explain(
        self, snapshot: Snapshot | None, advice: Sequence[str], retry_share: float
    ) -> None:
        """What "Why?" opens: the reason behind the sentence, and every advice."""
        parts = [self._run_words.why(snapshot, retry_share), *advice] if snapshot else []
        self._why_words = "\n\n".join(part for part in parts if part)
        self.why.setVisible(bool(self._why_words))
        if self.reasons is not None and self.reasons.isVisible():
            self.reasons.say(self._why_words)

    def _open_why(self) -> None:
        """What is behind the sentence, below it; pressed again, puts it away."""
        if self.reasons is None:  # made late: only now is it known which window it floats over
            self.reasons = WhyBox(self.window())
        if self.reasons.isVisible():
            self.reasons.close_over()
            return
        self.reasons.setFixedWidth(min(theme().px(_WHY_W), self.line.width()))
        self.reasons.say(self._why_words)
        corner = self.line.mapTo(self.window(), self.line.rect().bottomRight())
        self.reasons.move(corner.x() - self.reasons.width(), corner.y() + 4)
        self.reasons.open_over()

    def _offer(self, facts: RunFacts) -> None:
        """The next step after the end."""
        finished = facts.state is RunState.FINISHED
        waits = facts.count(TaskState.REVIEW)
        self.to_review.setText(self.tr("Review {0}").format(self._words.number(waits)))
        self.to_review.updateGeometry()
        self.to_review.setVisible(finished and waits > 0)
        self.to_results.setVisible(finished and facts.done > 0)

    def _show_cause(
        self, facts: RunFacts, cause: ErrorKind, message: str | None, at: float | None
    ) -> None:
        what = self._words.error(cause)
        if at is None:
            title = self.tr("Paused by itself: {0}").format(what)
        else:
            title = self.tr("Paused by itself at {0}: {1}").format(clock(at), what)
        body = self.tr("{0} {1}").format(
            self.tr("Nothing is lost: all answers are saved, and %Ln row(s) wait.", "", facts.open),
            self._words.what_to_do(cause),
        )
        quoted = " ".join((message or "").split())[:_LONGEST_QUOTE]
        if quoted:
            told = self.tr("What was said: “{0}”.").format(quoted.rstrip("."))
            body = self.tr("{0} {1}").format(told, body)
        self.banner.show_message(title, body)
        self.again.set_why_not("" if facts.can_start else self.tr("The run is being started."))

    def _sentence(self, facts: RunFacts) -> str:
        if facts.is_running:
            if facts.snapshot is None:
                return self.tr("The run is being started.")
            return self._run_words.standing(facts.snapshot)
        return {
            RunState.PREPARING: self.tr("The rows of this run are being gathered."),
            RunState.READY: self.tr("Ready to start."),
            RunState.PAUSED: self.tr("Paused."),
            RunState.STOPPED: self.tr("Stopped."),
            RunState.FINISHED: self.tr("Finished: every row has an outcome."),
        }.get(facts.state, "")

    def _rest(self, facts: RunFacts) -> str:
        if facts.state in {RunState.PAUSED, RunState.STOPPED, RunState.READY} and facts.open:
            return self.tr("Nothing is lost; %Ln row(s) wait for the run to go on.", "", facts.open)
        failed = facts.count(TaskState.DEAD)
        if facts.state is RunState.FINISHED and failed:
            return self.tr("%Ln row(s) failed; see “Failed rows”.", "", failed)
        return ""


def _colour(snapshot: Snapshot | None) -> str:
    """Of the gauge: red for troubles, amber where a limit rules."""
    if snapshot is None:
        return "text2"
    if snapshot.degraded or snapshot.growing or snapshot.hold in _TROUBLES:
        return "failed"
    return "review" if snapshot.hold in _LIMITS else "text2"


def clock(at: float) -> str:
    """A moment as the time of day; with the date if it was not today."""
    moment = QDateTime.fromMSecsSinceEpoch(round(at * 1000))
    if moment.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(moment.time(), "HH:mm")
    return QLocale().toString(moment, "yyyy-MM-dd HH:mm")
