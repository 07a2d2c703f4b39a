"""The panel of the selected run: where it stands and why, what can be done, and its pace."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.runs_list import RunFigures, badge_of
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.charts import Mark, Series, TimeChart
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.widgets.states import BadgeState, StateShape
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import RunSummary

_OVER_S = 10.0  # a rate is taken over so many seconds
_GAP_S = 10.0  # a longer silence is a pause: the curve is broken there
_POINTS = 1200  # no panel is wider
_WHOLE_RUN_S = 10 * 365 * 86_400.0
_BY_SETTINGS = frozenset({ErrorKind.AUTH, ErrorKind.FORBIDDEN, ErrorKind.QUOTA_EXHAUSTED})
_BY_PROMPT = frozenset(
    {
        ErrorKind.MODEL_NOT_FOUND,
        ErrorKind.NOT_AN_API,
        ErrorKind.BAD_REQUEST,
        ErrorKind.CONTEXT_TOO_LONG,
        ErrorKind.CONNECT_FAILED,
    }
)
Moments = Sequence[tuple[float, int]]
Points = list[tuple[float, Mapping[str, float | None]]]


def accepted_moments(series: Sequence[tuple[float, Mapping[str, Any]]]) -> list[tuple[float, int]]:
    """(epoch seconds, accepted so far) from a run's kept figures."""
    moments = []
    for at, figures in series:
        counts = figures.get("counts") or {}
        accepted = counts.get(TaskState.PASSED, 0) + counts.get(TaskState.ACCEPTED, 0)
        moments.append((at, int(accepted)))
    return moments


def rate_points(moments: Moments) -> Points:
    """Accepted per minute at each moment, over the last ten seconds; None where the run stood."""
    points: Points = []
    start = 0
    for place, (at, accepted) in enumerate(moments):
        before = moments[place - 1][0] if place else at
        if at - before > _GAP_S:
            points.append((before + 1, {"accepted": None}))
            start = place
        while start < place - 1 and moments[start + 1][0] <= at - _OVER_S:
            start += 1
        if place == start:
            continue
        since, had = moments[start]
        points.append((at, {"accepted": max(0.0, (accepted - had) / (at - since) * 60)}))
    step = max(1, math.ceil(len(points) / _POINTS))
    return [
        point
        for place, point in enumerate(points)
        if place % step == 0 or point[1]["accepted"] is None
    ]


class DetailsPanel(Panel):
    """Shows one run.

    Args:
        desk: Is asked for the kept figures, and to resume and pause.
        words: Words for codes and numbers.

    Signals:
        open_wanted: Show the run on its page.
    """

    open_wanted = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(" ", parent=parent)
        self._desk, self._words = desk, words
        self._summary: RunSummary | None = None
        self._recent: deque[tuple[float, int]] = deque(maxlen=60)
        self.shape = StateShape(BadgeState.WAITING, "", 18)
        self.headline = PlainLabel("", Type.CARD_TITLE, wrap=True)
        self.text = PlainLabel("", Type.BODY, "text2", wrap=True)
        self.resume = Button(self.tr("Resume"), Kind.SECONDARY, icon="play")
        self.pause = Button(self.tr("Pause"), icon="pause")
        self.mend = Button("", icon="gear-six")
        self.open = Button(self.tr("Open"), icon="arrow-right")
        self._mend_page = ""
        self.figures = ElidingLabel("", Type.LABEL, "text2", least=60)
        series = Series("accepted", "", "running", fill="running.tint", label=False)
        self.chart = TimeChart(
            [series], words=self.tr("Accepted per minute"), window_s=_WHOLE_RUN_S
        )
        self.no_curve = PlainLabel(
            self.tr("No curve yet: it takes a few seconds."), Type.LABEL, "text3", wrap=True
        )
        self.setMinimumHeight(theme().px(190))
        self.setMaximumHeight(theme().px(300))
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addLayout(self._left(), 3)
        row.addWidget(Hairline(vertical=True))
        row.addLayout(self._right(), 2)
        self.add(row, 1)
        self.resume.clicked.connect(self._resume)
        self.pause.clicked.connect(self._pause)
        self.mend.clicked.connect(lambda: desk.go_to.emit(self._mend_page))
        self.open.clicked.connect(self.open_wanted)

    def show_run(self, summary: RunSummary, figures: RunFigures, second_line: str) -> None:
        """Show a run; its curve is read anew when it is another run or has changed its state."""
        known = self._summary
        self._summary = summary
        self.set_title(summary.run.job.name, second_line)
        self._show_standing(summary, figures)
        changed = known is None or (known.run.id, known.run.state) != (
            summary.run.id,
            summary.run.state,
        )
        if changed:
            self._recent.clear()
            run_id = summary.run.id
            self._desk.ask(
                lambda session: session.meter_series(run_id),
                lambda series: self._take_series(run_id, series),
            )

    def show_snapshot(self, snapshot: Snapshot, figures: RunFigures) -> None:
        """Fresh figures of the shown run."""
        if self._summary is None or self._summary.run.id != snapshot.run_id:
            return
        self._show_standing(self._summary, figures, snapshot)
        if self._recent and snapshot.at - self._recent[-1][0] > _GAP_S:
            self.chart.add(self._recent[-1][0], {})
            self._recent.clear()
        self._recent.append((snapshot.at, figures.passed))
        while len(self._recent) > 2 and self._recent[1][0] <= snapshot.at - _OVER_S:  # noqa: PLR2004 - two make a rate
            self._recent.popleft()
        since, had = self._recent[0]
        if snapshot.at > since:
            rate = max(0.0, (figures.passed - had) / (snapshot.at - since) * 60)
            self.chart.add(snapshot.at, {"accepted": rate})
            self._show_curve(shown=True)

    def _left(self) -> QVBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.shape)
        head.addWidget(self.headline, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.resume, self.pause, self.mend, self.open):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.text)
        column.addLayout(buttons)
        column.addStretch(1)
        column.addWidget(self.figures)
        return column

    def _right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(ElidingLabel(self.tr("Accepted per minute"), Type.LABEL_MEDIUM))
        column.addWidget(self.no_curve)
        column.addWidget(self.chart, 1)
        column.addStretch(0)
        return column

    def _show_standing(
        self, summary: RunSummary, figures: RunFigures, snapshot: Snapshot | None = None
    ) -> None:
        state, cause = figures.state, figures.cause
        self.shape.set_state(badge_of(state, cause), self._words.run_state(state, cause))
        self.headline.setText(self._headline(figures))
        self.text.setText(self._explanation(summary, figures, snapshot))
        halted = state in (RunState.PAUSED, RunState.STOPPED, RunState.READY)
        word = self.tr("Check again and resume") if cause and halted else self.tr("Resume")
        self.resume.setText(self.tr("Start") if state is RunState.READY else word)
        self.resume.set_icon("arrow-clockwise" if cause and halted else "play")
        self.resume.set_kind(Kind.PRIMARY if cause and halted else Kind.SECONDARY)
        self.resume.setVisible(halted)
        self.pause.setVisible(state is RunState.RUNNING)
        self._offer_to_mend(cause if halted else None)
        self.figures.set_text(self._figures(summary, figures, snapshot))

    def _headline(self, figures: RunFigures) -> str:
        match figures.state:
            case RunState.PAUSED if figures.cause is not None:
                return self.tr("Paused by itself: {0}").format(self._words.error(figures.cause))
            case RunState.PAUSED:
                return self.tr("Paused by you")
            case RunState.STOPPED:
                return self.tr("Stopped by you")
        return self._words.run_state(figures.state, None)

    def _explanation(
        self, summary: RunSummary, figures: RunFigures, snapshot: Snapshot | None
    ) -> str:
        rows_wait = self.tr("%Ln row(s) wait; nothing is lost.", "", figures.waiting)
        match figures.state:
            case RunState.PAUSED if figures.cause is not None:
                said = summary.run.cause_message or ""
                quoted = self.tr("Message: “{0}”.").format(said) if said else ""
                to_do = self._words.what_to_do(figures.cause)
                return " ".join(part for part in (quoted, rows_wait, to_do) if part)
            case RunState.PAUSED | RunState.STOPPED:
                return rows_wait
            case RunState.READY:
                return self.tr("%Ln row(s) wait to be sent.", "", figures.waiting)
            case RunState.RUNNING:
                return self._words.held_back(snapshot) if snapshot else rows_wait
            case RunState.FINISHED:
                return self._outcome(figures)
        return ""

    def _outcome(self, figures: RunFigures) -> str:
        number = self._words.number
        parts = [
            self.tr("{0} passed, {1} wait for a review, {2} failed.").format(
                number(figures.passed), number(figures.review), number(figures.failed)
            )
        ]
        if figures.rejected:
            parts.append(self.tr("{0} rejected by you.").format(number(figures.rejected)))
        if figures.skipped:
            parts.append(self.tr("{0} skipped.").format(number(figures.skipped)))
        return " ".join(parts)

    def _offer_to_mend(self, cause: ErrorKind | None) -> None:
        self.mend.setVisible(cause in _BY_SETTINGS or cause in _BY_PROMPT)
        by_settings = cause in _BY_SETTINGS
        self._mend_page = "settings" if by_settings else "prompt"
        self.mend.setText(self.tr("Settings…") if by_settings else self.tr("Prompt and model…"))
        self.mend.set_icon("gear-six" if by_settings else "chat-text")

    def _figures(self, summary: RunSummary, figures: RunFigures, snapshot: Snapshot | None) -> str:
        words, run = self._words, summary.run
        requests = snapshot.requests if snapshot else summary.requests
        share = figures.passed / figures.done if figures.done else None
        started = MISSING
        if run.started_at is not None:
            moment = QDateTime.fromSecsSinceEpoch(int(run.started_at))
            started = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        return "    ".join(
            (
                self.tr("Passed of done {0}").format(words.percent(share, 1)),
                self.tr("Requests {0}").format(words.number(requests)),
                self.tr("Active {0}").format(words.duration(figures.active_s)),
                self.tr("Started {0}").format(started),
            )
        )

    def _take_series(self, run_id: int, series: list[tuple[float, dict[str, Any]]]) -> None:
        summary = self._summary
        if summary is None or summary.run.id != run_id:
            return
        moments = accepted_moments(series)
        points = rate_points(moments)
        self.chart.set_points(points)
        self._show_curve(shown=len(points) > 1)
        self._recent.extend(moments[-1:])
        cause = summary.run.cause
        marks = []
        if cause is not None and moments and summary.run.state is RunState.PAUSED:
            word = self._words.error(cause)
            marks.append(Mark(moments[-1][0], word, word, "review"))
        self.chart.set_marks(marks)

    def _show_curve(self, *, shown: bool) -> None:
        self.chart.setVisible(shown)
        self.no_curve.setVisible(not shown)

    def _resume(self) -> None:
        if self._summary is not None:
            self._desk.resume(self._summary.run.id)

    def _pause(self) -> None:
        if self._summary is not None:
            self._desk.pause(self._summary.run.id)
